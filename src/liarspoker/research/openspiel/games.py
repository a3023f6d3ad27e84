"""Games and states of OpenSpiel, over the course of a game."""

from __future__ import annotations

from typing import Any

import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]

from liarspoker.core import catalogue
from liarspoker.research.course import Course
from liarspoker.research.openspiel.observer import SeatObserver
from liarspoker.research.study import Study

_OWN = {"players": 2, "rounds": 1, "opener": 0}
"""The parameters that every game has beside its options; no rounds stands for a whole match or session."""

_SLIPS = {"slips": False}
"""And those of a digit game."""


def name_of(game: str) -> str:
    """What OpenSpiel calls a game of the catalogue.

    >>> name_of("salomon-1986")
    'liarspoker_salomon_1986'
    """
    return "liarspoker_" + game.replace("-", "_")


class LiarsPokerState(pyspiel.State):  # type: ignore[misc,unused-ignore]
    """A state.

    Attributes:
        course: where the game stands; it knows what everybody holds.
    """

    def __init__(self, game: LiarsPokerGame) -> None:
        super().__init__(game)
        self.course = game.beginning

    def current_player(self) -> int:
        """The seat that decides, or OpenSpiel's number for chance or the end."""
        return self.course.player

    def _legal_actions(self, player: int) -> list[int]:
        """The numbers of what the seat may do, ascending."""
        legal: list[int] = self.course.legal.tolist() if player == self.course.player else []
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring, each with its probability."""
        return [(outcome, float(probability)) for outcome, probability in self.course.outcomes()]

    def _apply_action(self, action: int) -> None:
        self.course = self.course.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.course.text(action)

    def is_terminal(self) -> bool:
        """Whether all rounds are over, or the match is won."""
        return self.course.is_over

    def returns(self) -> list[float]:
        """Units won or lost by each seat; 0 before the end."""
        return [float(units) for units in self.course.units] if self.course.is_over else [0.0] * self.num_players()

    def __str__(self) -> str:
        """Everything that every seat knows; no two states that differ look alike."""
        study = self.course.study
        told = [self.course.account(seat) for seat in range(study.seats)]
        drawn = [f"drawn {' '.join(map(study.family.outcome_text, self.course.drawn))}"] if self.course.drawn else []
        return "\n".join([*told, *drawn])


class LiarsPokerGame(pyspiel.Game):  # type: ignore[misc,unused-ignore]
    """A game of the catalogue, as its parameters have it.

    Attributes:
        row: its row in the catalogue.
        study: what is played.
        beginning: the course before anything was dealt.

    Raises:
        CannotStudy: options without an end.
    """

    row: catalogue.GameRow

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        written = {name: _written(value) for name, value in {**_specification(self.row), **(params or {})}.items()}
        given = {name: value.strip('"') if isinstance(value, str) else value for name, value in written.items()}
        own: dict[str, Any] = {name: given.pop(name) for name in (*_OWN, *_SLIPS) if name in given}
        self.study = Study.of(
            self.row.id,
            own["players"],
            rounds=own["rounds"] or None,
            options=given,
            opener=own["opener"],
            from_slips=own.get("slips"),
        )
        study = self.study
        self.beginning = Course.begin(study)
        info = pyspiel.GameInfo(
            num_distinct_actions=study.actions,
            max_chance_outcomes=study.most_outcomes,
            num_players=study.seats,
            min_utility=-float(study.most_units),
            max_utility=float(study.most_units),
            utility_sum=0.0,
            max_game_length=study.most_moves,
        )
        super().__init__(_type_of(self.row, recalls=study.history is not None), info, written)

    def new_initial_state(self) -> LiarsPokerState:
        """The state before anything was dealt."""
        return LiarsPokerState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SeatObserver:
        """What writes down what a seat knows."""
        return SeatObserver(self.study, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def load(
    game: str,
    players: int = 2,
    *,
    rounds: int | None = 1,
    options: dict[str, object] | None = None,
    opener: int = 0,
    slips: bool = False,
) -> LiarsPokerGame:
    """A game of the catalogue as OpenSpiel loads it.

    Args:
        game: the catalogue id, such as `salomon-1986`.
        players: how many.
        rounds: how many rounds are played; `None` for a whole match of a card game, or ten hands of a digit game.
        options: those that differ from the game's own, as in a record.
        opener: the seat that opens the first round.
        slips: a digit game is dealt from slips, and not from bills.

    Raises:
        LiarsPokerError: there is no such game, option or number of players, or the game has no end.
    """
    row = catalogue.row(game)
    own = {"players": players, "rounds": rounds or 0, "opener": opener, **({"slips": True} if slips else {})}
    return _CLASSES[row.id]({**own, **(options or {})})


def _written(value: Any) -> Any:
    """A parameter so that OpenSpiel reads it again as it is: text of digits alone stands in quotation marks."""
    return f'"{value}"' if isinstance(value, str) and value.isdecimal() else value


def _specification(row: catalogue.GameRow) -> dict[str, Any]:
    """The parameters of a game and their defaults: its options, and how many players for how long."""
    game: Any = catalogue.load(row.id)
    preset = game.options()
    own = _OWN if row.has_winner else {**_OWN, **_SLIPS}
    return {**own, **{info.name: getattr(preset, info.name) for info in game.option_infos}}


def _type_of(row: catalogue.GameRow, recalls: bool) -> pyspiel.GameType:
    """What OpenSpiel must know of a kind of game; `recalls` where a tensor can hold all that a seat remembers."""
    return pyspiel.GameType(
        short_name=name_of(row.id),
        long_name=row.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=row.seats[1],
        min_num_players=row.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=recalls,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_specification(row),
    )


def _registered(row: catalogue.GameRow) -> type[LiarsPokerGame]:
    """The class of a game, under its name with OpenSpiel."""
    made = type(f"{LiarsPokerGame.__name__}_{row.id.replace('-', '_')}", (LiarsPokerGame,), {"row": row})
    pyspiel.register_game(_type_of(row, recalls=not row.has_winner), made)
    return made


_CLASSES = {row.id: _registered(row) for row in catalogue.games()}
