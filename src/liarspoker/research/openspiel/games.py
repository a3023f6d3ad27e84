"""Games and states of OpenSpiel, based on :class:`~liarspoker.research.game_state.GameState`."""

from __future__ import annotations

from typing import Any

import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]

from liarspoker.core import catalogue
from liarspoker.research.game_state import GameState
from liarspoker.research.openspiel.observer import SeatObserver
from liarspoker.research.spec import EnvironmentSpec

_OWN = {"players": 2, "rounds": 1, "opener": 0}
"""The parameters that every game has in addition to its options; `rounds = 0` means a whole match or session."""

_SLIPS = {"slips": False}
"""The additional parameters of a digit game."""


def name_of(game: str) -> str:
    """Return the OpenSpiel name of a game of the catalogue.

    >>> name_of("salomon-1986")
    'liarspoker_salomon_1986'
    """
    return "liarspoker_" + game.replace("-", "_")


class LiarsPokerState(pyspiel.State):  # type: ignore[misc,unused-ignore]
    """A state of an OpenSpiel game.

    Attributes:
        game_state: the underlying state; it contains all hands.
    """

    def __init__(self, game: LiarsPokerGame) -> None:
        super().__init__(game)
        self.game_state = game.beginning

    def current_player(self) -> int:
        """Return the seat that decides, or OpenSpiel's number for chance or the end."""
        return self.game_state.player

    def _legal_actions(self, player: int) -> list[int]:
        """Return the numbers of the seat's legal actions, ascending."""
        legal: list[int] = self.game_state.legal.tolist() if player == self.game_state.player else []
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chance outcomes with their probabilities."""
        return [(outcome, float(probability)) for outcome, probability in self.game_state.outcomes()]

    def _apply_action(self, action: int) -> None:
        self.game_state = self.game_state.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.game_state.text(action)

    def is_terminal(self) -> bool:
        """Return whether all rounds are over, or the match is won."""
        return self.game_state.is_over

    def returns(self) -> list[float]:
        """Return the units won or lost by each seat; 0 before the end."""
        return (
            [float(units) for units in self.game_state.units] if self.game_state.is_over else [0.0] * self.num_players()
        )

    def __str__(self) -> str:
        """Return everything that every seat knows; different states have different texts."""
        spec = self.game_state.spec
        information_states = [self.game_state.information_state(seat) for seat in range(spec.seats)]
        drawn = (
            [f"drawn {' '.join(map(spec.rules.outcome_text, self.game_state.drawn))}"] if self.game_state.drawn else []
        )
        return "\n".join([*information_states, *drawn])


class LiarsPokerGame(pyspiel.Game):  # type: ignore[misc,unused-ignore]
    """A game of the catalogue with OpenSpiel parameters.

    Attributes:
        row: its entry in the catalogue.
        spec: the game, its options and the length of an episode.
        beginning: the initial state.

    Raises:
        BadEnvironment: a round may never end under these options.
    """

    row: catalogue.GamePreset

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        written = {name: _written(value) for name, value in {**_specification(self.row), **(params or {})}.items()}
        given = {name: value.strip('"') if isinstance(value, str) else value for name, value in written.items()}
        own: dict[str, Any] = {name: given.pop(name) for name in (*_OWN, *_SLIPS) if name in given}
        self.spec = EnvironmentSpec.of(
            self.row.id,
            own["players"],
            rounds=own["rounds"] or None,
            options=given,
            opener=own["opener"],
            from_slips=own.get("slips"),
        )
        spec = self.spec
        self.beginning = GameState.begin(spec)
        info = pyspiel.GameInfo(
            num_distinct_actions=spec.actions,
            max_chance_outcomes=spec.most_outcomes,
            num_players=spec.seats,
            min_utility=-float(spec.most_units),
            max_utility=float(spec.most_units),
            utility_sum=0.0,
            max_game_length=spec.most_moves,
        )
        super().__init__(_type_of(self.row, recalls=spec.history is not None), info, written)

    def new_initial_state(self) -> LiarsPokerState:
        """Return the initial state."""
        return LiarsPokerState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SeatObserver:
        """Return an observer of what a seat knows."""
        return SeatObserver(self.spec, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def load(
    game: str,
    players: int = 2,
    *,
    rounds: int | None = 1,
    options: dict[str, object] | None = None,
    opener: int = 0,
    slips: bool = False,
) -> LiarsPokerGame:
    """Load a game of the catalogue as an OpenSpiel game.

    Args:
        game: the catalogue id, such as `salomon-1986`.
        players: the number of players.
        rounds: the number of rounds; `None` for a whole match of a card game, or ten hands of a digit game.
        options: options that differ from the game's defaults, by name, as in a record.
        opener: the seat that opens the first round.
        slips: deal a digit game from slips instead of bills.

    Raises:
        LiarsPokerError: the game, an option or the number of players isn't valid, or a round may never end.
    """
    row = catalogue.preset(game)
    own = {"players": players, "rounds": rounds or 0, "opener": opener, **({"slips": True} if slips else {})}
    return _CLASSES[row.id]({**own, **(options or {})})


def _written(value: Any) -> Any:
    """Return a parameter in a form that OpenSpiel reads back unchanged: text that consists of digits must be quoted."""
    return f'"{value}"' if isinstance(value, str) and value.isdecimal() else value


def _specification(row: catalogue.GamePreset) -> dict[str, Any]:
    """Return the parameters of a game with their defaults: its options, number of players and length."""
    game: Any = catalogue.load(row.id)
    preset = game.options()
    own = _OWN if row.has_winner else {**_OWN, **_SLIPS}
    return {**own, **{info.name: getattr(preset, info.name) for info in game.option_infos}}


def _type_of(row: catalogue.GamePreset, recalls: bool) -> pyspiel.GameType:
    """Return the OpenSpiel game type.

    Args:
        row: the game.
        recalls: whether an information state tensor can hold everything that a seat remembers.
    """
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


def _registered(row: catalogue.GamePreset) -> type[LiarsPokerGame]:
    """Register a game with OpenSpiel and return its class."""
    made = type(f"{LiarsPokerGame.__name__}_{row.id.replace('-', '_')}", (LiarsPokerGame,), {"row": row})
    pyspiel.register_game(_type_of(row, recalls=not row.has_winner), made)
    return made


_CLASSES = {row.id: _registered(row) for row in catalogue.games()}
