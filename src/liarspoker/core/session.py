"""The interface between games and the rest of the program: games, sessions, deals and views."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from liarspoker.core.catalogue import GamePreset
from liarspoker.core.errors import BadOption, BadSeats, NotNow, format_value
from liarspoker.core.option_info import OptionInfo, python_value
from liarspoker.language import _


class Reason(NamedTuple):
    """A rule that applied, and the number it gave; see `liarspoker.records.words.REASONS`.

    Attributes:
        rule: the name of the rule.
        amount: the number, such as a multiplier or a stake.
    """

    rule: str
    amount: int


Below = Callable[[int], int]
"""A source of randomness: `below(n)` returns a uniform int from 0 to n - 1, as `random.Random().randrange` does."""


@dataclass(frozen=True, slots=True)
class RoundSetup:
    """What the table decides about a round, apart from the deal.

    Attributes:
        opener: the seat that opens; `None` for the one given by the rules.
        stake: the agreed stake in units; `None` for the one given by the rules.
        options: options that the opener has chosen for this round only.
        carried: the stake wasn't agreed, but carried over from an earlier session.
    """

    opener: int | None = None
    stake: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    carried: bool = False


BY_THE_RULES = RoundSetup()
"""The default setup: everything follows from the rules."""


@dataclass(frozen=True, slots=True)
class CarryOver:
    """What carries over from a session to the next one, after players have joined or left.

    Attributes:
        opener: the seat that opens the next round; `None` if no rule determines it.
        stake: the carried stake in units; `None` if no stake is carried.
        losses: each seat's losses in a match that continues; empty without a match.
        alive: the seats still in such a match; empty without a match.
    """

    opener: int | None = None
    stake: int | None = None
    losses: tuple[int, ...] = ()
    alive: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FaceDownChoice:
    """A choice that players make face down before a deal.

    Attributes:
        what: `bill`, `slip` or `cut`.
        count: the number of items, or of positions to cut at.
        first: the seat that chooses first, followed by the others clockwise; `None` for the player who has lost most.
        everybody: every seat chooses; otherwise, only the first does.
    """

    what: str
    count: int
    first: int | None
    everybody: bool


class Legal(Protocol):
    """The legal actions of the seat to act."""

    @property
    def claims(self) -> Sequence[int]:
        """The legal claims, weakest first."""

    @property
    def answers(self) -> Sequence[int]:
        """The other legal actions, such as a challenge."""

    @property
    def actions(self) -> Sequence[int]:
        """All legal actions: claims, then answers."""


class Deal(ABC):
    """What was dealt for a round. Each family has its own subclass."""

    __slots__ = ()

    @abstractmethod
    def parts(self) -> dict[str, Any]:
        """Return the deal under the keys of a record."""


class ChanceSpec(Protocol):
    """The random draws that the next round needs."""

    @property
    def opener(self) -> bool:
        """Whether no rule determines the opener, so that the table draws a seat at random."""

    def draw(self, below: Below) -> Deal:
        """Draw a deal, with `below` as the source of randomness."""

    def parts(self) -> dict[str, Any]:
        """Return a description of the draw from which it can be repeated without the game's rules."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round as in a record.

    Attributes:
        deal: the deal, as far as it is known.
        setup: what the table decided.
        moves: the moves, as (seat, action).
    """

    deal: Deal
    setup: RoundSetup
    moves: tuple[tuple[int, int], ...] = ()


class PlayerView(Protocol):
    """The information that one seat, or a spectator, may have."""

    @property
    def game(self) -> str:
        """The catalogue ID."""

    @property
    def seat(self) -> int | None:
        """The seat whose view this is; `None` for a spectator."""

    @property
    def legal(self) -> Legal:
        """The legal actions of the seat to act."""


class Session(ABC):
    """A session of a game: a sequence of rounds. It is immutable: `deal` and `apply` return the next session.

    The default methods suit a game in which players act in turn, options are fixed, and nothing is drawn or shown
    during a round.
    """

    __slots__ = ()

    @property
    def has_winner(self) -> bool:
        """Whether players are eliminated until one has won; otherwise, the session has no fixed end."""
        return False

    @property
    @abstractmethod
    def seats(self) -> int:
        """The number of players."""

    @property
    @abstractmethod
    def alive(self) -> tuple[int, ...]:
        """The seats still in, ascending; all seats in a game without elimination."""

    @property
    @abstractmethod
    def in_play(self) -> bool:
        """Whether a round has been dealt and not ended."""

    @property
    @abstractmethod
    def to_act(self) -> int | None:
        """The seat whose turn it is; `None` between rounds."""

    @property
    @abstractmethod
    def phase(self) -> str:
        """The name of the phase in the notation."""

    @property
    @abstractmethod
    def score(self) -> tuple[int, ...]:
        """Units won or lost by each seat; they sum to zero."""

    @property
    @abstractmethod
    def rounds_played(self) -> int:
        """The number of rounds that have ended."""

    @property
    @abstractmethod
    def winner(self) -> int | None:
        """The seat that has won the match; `None` if there is no winner."""

    @property
    @abstractmethod
    def round_result(self) -> Any:
        """The result of the round on the table; `None` before its end."""

    @property
    @abstractmethod
    def next_opener(self) -> int | None:
        """The seat that opens the next round by the rules; `None` once a match is won."""

    @abstractmethod
    def option_changes(self) -> dict[str, object]:
        """Return the options that differ from the preset, as a record writes them."""

    @abstractmethod
    def chance_spec(self, options: Mapping[str, object] | None = None) -> ChanceSpec:
        """Return the random draws that the next round needs.

        Args:
            options: options that the opener has chosen for this round only.

        Raises:
            NotNow: the round in play has not ended, or the match is won.
            BadOption: an option that can't be chosen for a single round.
        """

    @abstractmethod
    def deal(self, deal: Deal, setup: RoundSetup = BY_THE_RULES) -> Self:
        """Return the session with the next round on the table.

        Args:
            deal: the deal, of the class that `chance_spec` draws.
            setup: what the table decides.

        Raises:
            NotNow: the round in play has not ended, the match is won, or a stake is given in a game without stakes.
            BadOption: an option that can't be chosen for a single round.
            BadRound: the opener isn't a seat still in, or the stake is below 1.
            MissingInformation: the opener is random, and `setup` doesn't give it.
            BadDeal: the deal is impossible.
        """

    @abstractmethod
    def apply(self, action: int) -> Self:
        """Return the session after `action`, by the seat to act or a seat that may act out of turn.

        Raises:
            IllegalAction: the action isn't legal.
            NotNow: no round is in play.
            BadDeal: the action reveals that the deal is impossible.
            MissingInformation: the round ends, and its result depends on hidden hands.
        """

    @abstractmethod
    def refusal(self, action: int) -> int:
        """Return `LEGAL` (0) if `action` may be played now, else a refusal code of `liarspoker.core.errors`.

        Raises:
            NotNow: no round has been dealt yet.
        """

    @abstractmethod
    def legal(self) -> Legal:
        """Return the legal actions of the seat to act."""

    @abstractmethod
    def read(self, text: str) -> int:
        """Return the action that `text` denotes in the notation.

        Raises:
            IllegalAction: `text` isn't an action of this game.
        """

    @abstractmethod
    def write(self, action: int) -> str:
        """Return `action` in the notation."""

    @abstractmethod
    def view(self, seat: int | None) -> PlayerView:
        """Return what `seat` may know; for `None`, what a spectator may know.

        Raises:
            BadSeats: there is no such seat.
        """

    @abstractmethod
    def history(self, first: int = 0) -> Sequence[PlayedRound]:
        """Return the rounds dealt so far, including the one in play.

        Args:
            first: the index of the first round to return; -1 for only the last round.
        """

    @abstractmethod
    def default_action(self) -> int:
        """Return the action played for the seat to act when its time runs out."""

    @abstractmethod
    def carry_over(self) -> CarryOver:
        """Return what carries over to another session; no round is in play."""

    @abstractmethod
    def face_down_choice(self, opener: int | None = None) -> FaceDownChoice | None:
        """Return the choice that players make before the next deal; `None` for no choice.

        Args:
            opener: the opener carried over from an earlier session.
        """

    @property
    def anyone_challenges(self) -> bool:
        """Whether seats other than the one to act may challenge."""
        return False

    def out_of_turn_challenge(self, seat: int) -> int | None:
        """Return the challenge that `seat` may make out of turn; `None` if it may not."""
        return None

    def mover(self, action: int) -> int | None:
        """Return the seat that makes `action`: the seat to act, or a seat that acts out of turn."""
        return self.to_act

    def units(self) -> tuple[int, ...]:
        """Return the units won or lost by each seat in the round just ended; 0 in a match, which pays at its end."""
        return (0,) * self.seats

    def with_new_chance(self, random_bytes: Callable[[int], bytes]) -> Self:
        """Return this session, resumed from a record, with new randomness for the rest of the round.

        Args:
            random_bytes: `random_bytes(n)` returns n random bytes, as `random.Random().randbytes` does.
        """
        return self

    @property
    def all_known(self) -> bool:
        """Whether the whole deal is known, so that play can continue."""
        return True

    def check_end(self) -> None:  # noqa: B027  # most families have nothing to check
        """Check the deal once all actions of a record's round have been played.

        Raises:
            BadDeal: the deal is impossible or incomplete.
        """

    @property
    def outcome(self) -> int:
        """The outcome of the claim in the round just ended: 0 failed, 1 made; a family may define more."""
        return 0

    def undo_point(self) -> object:
        """Return a value that changes when hidden information is revealed; other actions can be taken back."""
        return self.round_result is None

    def check_round_options(self, options: Mapping[str, object]) -> None:
        """Check options chosen for the next round only.

        Raises:
            BadOption: an option can't be chosen for a single round.
        """
        if options:
            raise BadOption(
                _("options: they can't be changed for a single round of this game")
                if self.has_winner
                else _("options: they can't be changed for a single hand of this game")
            )

    @property
    def round_word(self) -> str:
        """The English word for a round: `hand` or `round`."""
        return "round" if self.has_winner else "hand"

    def show_numbers(self) -> Self:
        """Return the session after a player has asked to see the numbers.

        Raises:
            NotNow: numbers can't be requested now, or in this game.
        """
        raise NotNow("wrong-phase", _("in this game, only a challenge reveals hidden cards"))


class Game(Protocol):
    """A game of the catalogue."""

    @property
    def preset(self) -> GamePreset:
        """Its preset."""

    @property
    def option_infos(self) -> tuple[OptionInfo, ...]:
        """The descriptions of this game's options."""

    def options(self, changes: dict[str, object] | None = None) -> Any:
        """Return the game's options with changes.

        Args:
            changes: option names to values, as in records.

        Raises:
            BadOption: an unknown option, or a value that it doesn't take.
        """

    def session(
        self, seats: int, options: Any = None, from_slips: bool | None = None, losses: Sequence[int] | None = None
    ) -> Session:
        """Return a session before its first round.

        Args:
            seats: the number of players.
            options: the result of `options`; by default the preset's options.
            from_slips: deal from slips, in a game that has them; `None` for the game's default.
            losses: each seat's losses in a match that continues; by default none.

        Raises:
            BadSeats: the game can't be played by this number of players.
            BadOption: the game, or its options, don't allow slips.
            BadStart: a match can't begin with these losses.
        """


PresetT = TypeVar("PresetT", bound=GamePreset)
SessionT = TypeVar("SessionT", bound=Session)


@dataclass(frozen=True, slots=True)
class PresetGame(ABC, Generic[PresetT, SessionT]):
    """Base class of games; each family implements the creation of sessions.

    Attributes:
        preset: the game as data.
    """

    preset: PresetT

    @property
    def option_infos(self) -> tuple[OptionInfo, ...]:
        """The descriptions of this game's options."""
        return self.preset.option_infos

    def options(self, changes: dict[str, object] | None = None) -> Any:
        """Return the game's options with changes; see `Game.options`."""
        return self.preset.options.with_values(changes or {}, self.preset.option_infos)

    def session(
        self, seats: int, options: Any = None, from_slips: bool | None = None, losses: Sequence[int] | None = None
    ) -> SessionT:
        """Return a session before its first round; see `Game.session`."""
        fewest, most = self.preset.seats
        seats = python_value(seats)
        if type(seats) is not int or not fewest <= seats <= most:
            raise BadSeats(
                _(
                    "players: {seats}; {game} needs {fewest} to {most}",
                    seats=format_value(seats),
                    game=self.preset.id,
                    fewest=fewest,
                    most=most,
                )
            )
        return self._new_session(seats, options or self.preset.options, from_slips, losses)

    @abstractmethod
    def _new_session(self, seats: int, options: Any, from_slips: bool | None, losses: Sequence[int] | None) -> SessionT:
        """Return a session before its first round; the number of seats is valid."""
