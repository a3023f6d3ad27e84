"""The meeting point of a game and everything else: what the program may ask of a game, whichever it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar

from liarspoker.core.catalogue import GameRow
from liarspoker.core.errors import BadOption, BadSeats, NotNow
from liarspoker.core.option_info import OptionInfo


class Reason(NamedTuple):
    """One rule that applied, and the number it gave. `REASONS` in `liarspoker.records.words` says each in English."""

    rule: str
    amount: int


Below = Callable[[int], int]
"""A source of randomness: `below(n)` returns a uniform int from 0 to n - 1, as `random.Random().randrange` does."""


@dataclass(frozen=True, slots=True)
class RoundSetup:
    """What the table decides about a round, beside the deal.

    Attributes:
        opener: the seat that opens; `None` leaves it to the rules.
        stake: the stake agreed on, in units; `None` leaves it to the rules.
        options: the options that the opener has named for this round.
    """

    opener: int | None = None
    stake: int | None = None
    options: Mapping[str, object] = field(default_factory=dict)


BY_THE_RULES = RoundSetup()
"""The table decides nothing."""


@dataclass(frozen=True, slots=True)
class CarryOver:
    """What a session leaves to the next one, when people have come or gone in between.

    Attributes:
        opener: the seat that opens; `None` where no rule says who.
        stake: what is played for, where that carries over.
        losses: what each seat has lost in a match that goes on.
        alive: the seats still in such a match.
    """

    opener: int | None = None
    stake: int | None = None
    losses: tuple[int, ...] = ()
    alive: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FaceDownChoice:
    """What is chosen face down before a deal.

    Attributes:
        what: `bill`, `slip` or `cut`.
        count: how many lie there, or how many places there are to cut at.
        first: the seat that chooses first; the others follow clockwise. `None`: who has lost most so far.
        everybody: every seat chooses one of its own; else the first alone does.
    """

    what: str
    count: int
    first: int | None
    everybody: bool


class Legal(Protocol):
    """What the seat to act may do."""

    @property
    def claims(self) -> Sequence[int]:
        """Claims that may be made, weakest first."""

    @property
    def answers(self) -> Sequence[int]:
        """What else may be done, such as a challenge."""

    @property
    def actions(self) -> Sequence[int]:
        """Claims, then answers."""


class Deal(ABC):
    """What chance gives a round. Each family has its own kind."""

    __slots__ = ()

    @abstractmethod
    def parts(self) -> dict[str, Any]:
        """Return what was dealt, under the keys of a record."""


class ChanceSpec(Protocol):
    """What the next round draws, and how."""

    @property
    def opener(self) -> bool:
        """No rule says who opens; the table draws a seat at random."""

    def draw(self, below: Below) -> Deal:
        """Draw a deal from the randomness of `below`."""

    def parts(self) -> dict[str, Any]:
        """Return what is drawn, in a form that needs no rules to draw it again."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round as a record keeps it.

    Attributes:
        deal: what was dealt, as far as it is known.
        setup: what the table decided.
        moves: seats and their actions.
    """

    deal: Deal
    setup: RoundSetup
    moves: tuple[tuple[int, int], ...] = ()


class PlayerView(Protocol):
    """What one seat may know."""

    @property
    def game(self) -> str:
        """The catalogue id."""

    @property
    def seat(self) -> int | None:
        """Whose view this is; `None` for a spectator."""

    @property
    def legal(self) -> Legal:
        """What the seat to act may do."""


class Session(ABC):
    """One session of a game, frozen: `deal` and `apply` return the next one.

    The methods that have a body here suit a game in which everybody acts in turn, nothing is named for a single round,
    and nothing is drawn or shown before the round ends.
    """

    __slots__ = ()

    @property
    def has_winner(self) -> bool:
        """Whether players are eliminated until one has won; else the session goes on as long as the table likes."""
        return False

    @property
    @abstractmethod
    def seats(self) -> int:
        """How many players."""

    @property
    @abstractmethod
    def alive(self) -> tuple[int, ...]:
        """The seats still in, ascending: all of them in a game without elimination."""

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
        """The phase, as the notation names it."""

    @property
    @abstractmethod
    def score(self) -> tuple[int, ...]:
        """Units won or lost by each seat; they sum to zero."""

    @property
    @abstractmethod
    def rounds_played(self) -> int:
        """How many rounds have ended."""

    @property
    @abstractmethod
    def winner(self) -> int | None:
        """The seat that has won the match, if a match can be won."""

    @property
    @abstractmethod
    def round_result(self) -> Any:
        """The result of the round on the table; `None` before its end."""

    @property
    @abstractmethod
    def next_opener(self) -> int | None:
        """The seat that opens the next round, unless the table says otherwise; `None` once a match is won."""

    @abstractmethod
    def option_changes(self) -> dict[str, object]:
        """Return the options that differ from the game's preset, as a record writes them."""

    @abstractmethod
    def chance_spec(self, options: Mapping[str, object] | None = None) -> ChanceSpec:
        """Return what the next round draws, with the options that its opener has named.

        Raises:
            NotNow: the round in play has not ended, or the match is won.
            BadOption: options that can't be named for a round.
        """

    @abstractmethod
    def deal(self, deal: Deal, setup: RoundSetup = BY_THE_RULES) -> Self:
        """Return the session with the next round on the table.

        Args:
            deal: what chance gave, of the kind that `chance_spec` draws.
            setup: what the table decides.

        Raises:
            NotNow: the round in play has not ended, the match is won, or a stake is given where there is none.
            BadOption: options that can't be named for a round.
            BadRound: the opener isn't a seat still in, or the stake is below 1.
            NotTold: what was dealt leaves open who opens, and the table doesn't say.
            BadDeal: what was dealt can't be.
        """

    @abstractmethod
    def apply(self, action: int) -> Self:
        """Return the session after `action` of the seat to act, or of a seat that may act out of turn.

        Raises:
            IllegalAction: with the refusal's code; this session is unchanged.
            NotNow: no round is in play.
            BadDeal: only now it shows that what was dealt can't be.
            NotTold: the round ends here, and hands that count were never shown.
        """

    @abstractmethod
    def refusal(self, action: int) -> int:
        """Return why `action` may not be played now, 0 if it may; see `liarspoker.core.errors`.

        Raises:
            NotNow: no round is in play.
        """

    @abstractmethod
    def legal(self) -> Legal:
        """Return what the seat to act may do."""

    @abstractmethod
    def read(self, text: str) -> int:
        """Return the action that `text` writes in the notation.

        Raises:
            IllegalAction: it isn't an action of this game.
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
        """Return the rounds dealt so far, from round `first` on, that in play included; -1 for the last one alone."""

    @abstractmethod
    def default_action(self) -> int:
        """Return what the seat to act does when its time is up."""

    @abstractmethod
    def carry_over(self) -> CarryOver:
        """Return what this session, between two rounds, leaves to the next one."""

    @abstractmethod
    def face_down_choice(self, opener: int | None = None) -> FaceDownChoice | None:
        """Return what is chosen face down before the next deal; `None` for nothing.

        Args:
            opener: the seat that begins it, where an earlier session has left that to this one.
        """

    @property
    def anyone_challenges(self) -> bool:
        """Whether others than the seat to act may challenge."""
        return False

    def out_of_turn_challenge(self, seat: int) -> int | None:
        """Return the challenge that `seat` may make although it is another's turn; `None` where it may not."""
        return None

    def mover(self, action: int) -> int | None:
        """Return the seat whose action this is: the seat to act, or another one that may act out of turn."""
        return self.to_act

    def units(self) -> tuple[int, ...]:
        """Return the units won or lost by each seat in the round just ended; a match pays at its end."""
        return (0,) * self.seats

    def with_new_chance(self, random_bytes: Callable[[int], bytes]) -> Self:
        """Return this session, taken up in mid-round from its record, with the chance that a record doesn't keep.

        Args:
            random_bytes: returns as many bytes as it is asked for, as `random.Random().randbytes` does.
        """
        return self

    @property
    def all_known(self) -> bool:
        """Whether everything that was dealt is known, so that the game can be played on."""
        return True

    def check_end(self) -> None:  # noqa: B027  # most families have nothing to check
        """Refuse a deal that only the end of the round's actions shows to be impossible.

        Raises:
            BadDeal: saying why.
        """

    @property
    def outcome(self) -> int:
        """How the claim of the round just ended came out: 0 failed, 1 made, more where the family has more."""
        return 0

    def undo_point(self) -> object:
        """Return what changes when a seat sees something new; an action that leaves it as it is can be taken back."""
        return self.round_result is None

    def check_round_options(self, options: Mapping[str, object]) -> None:
        """Refuse options that can't be named for the next round.

        Raises:
            BadOption: naming the option.
        """
        if options:
            raise BadOption(f"options: none are named for a single {self.round_word} of this game")

    @property
    def round_word(self) -> str:
        """What players call a round: `hand` or `round`."""
        return "round" if self.has_winner else "hand"

    def show_numbers(self) -> Self:
        """Return the session after a player has asked to see the numbers.

        Raises:
            NotNow: there is nothing to see, or not now.
        """
        raise NotNow("wrong-phase", "a challenge, and nothing else, shows what was hidden in this game")


class Game(Protocol):
    """A game of the catalogue; `RowGame` is one."""

    @property
    def row(self) -> GameRow:
        """Its catalogue row."""

    @property
    def option_infos(self) -> tuple[OptionInfo, ...]:
        """Every option of this game, for manuals and forms."""

    def options(self, changes: dict[str, object] | None = None) -> Any:
        """Return the game's options with `changes`, names and values as in a record.

        Raises:
            BadOption: no such option, or no such value.
        """

    def session(
        self, seats: int, options: Any = None, from_slips: bool | None = None, losses: Sequence[int] | None = None
    ) -> Session:
        """Return a session before its first round.

        Args:
            seats: how many players.
            options: from `options`; the preset's by default.
            from_slips: whether it is dealt from slips, where the game can be; `None` for what is usual.
            losses: each seat's losses in a match that goes on, where it has any.

        Raises:
            BadSeats: the game does not seat so many.
            BadOption: slips are asked for where the game has none, or with options that they don't allow.
            BadStart: losses with which no match begins.
        """


Row = TypeVar("Row", bound=GameRow)
Begun = TypeVar("Begun", bound=Session)


@dataclass(frozen=True, slots=True)
class RowGame(ABC, Generic[Row, Begun]):
    """A game as its row has it; each family says how a session begins."""

    row: Row

    @property
    def option_infos(self) -> tuple[OptionInfo, ...]:
        """Every option of this game, for manuals and forms."""
        return self.row.option_infos

    def options(self, changes: dict[str, object] | None = None) -> Any:
        """Return the game's options with `changes`, names and values as in a record."""
        return self.row.options.with_values(changes or {}, self.row.option_infos)

    def session(
        self, seats: int, options: Any = None, from_slips: bool | None = None, losses: Sequence[int] | None = None
    ) -> Begun:
        """Return a session before its first round; see `Game.session`."""
        fewest, most = self.row.seats
        if not fewest <= seats <= most:
            raise BadSeats(f"players: {seats}; {self.row.id} seats {fewest} to {most}")
        return self._begun(seats, options or self.row.options, from_slips, losses)

    @abstractmethod
    def _begun(self, seats: int, options: Any, from_slips: bool | None, losses: Sequence[int] | None) -> Begun:
        """Return a session of so many players as the game seats."""
