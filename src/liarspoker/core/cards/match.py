"""What both kinds of card games share: players drop out, round after round, until one is left and wins the match."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, Protocol, Self, TypeVar

from liarspoker.core.cards.deck import full_deck
from liarspoker.core.catalogue import GameRow
from liarspoker.core.errors import BadOption, BadRound, BadSeats, NotNow, told
from liarspoker.core.option_info import GameOptions
from liarspoker.core.session import (
    BY_THE_RULES,
    CarryOver,
    ChanceSpec,
    Deal,
    FaceDownChoice,
    PlayedRound,
    RoundSetup,
    Session,
)


def check_seat(seat: int | None, seats: int) -> None:
    """Refuse a number that is no seat; `None` stands for somebody who does not play.

    Raises:
        BadSeats: naming the seats.
    """
    if seat is not None and not 0 <= seat < seats:
        raise BadSeats(f"seat: {seat} is none of 0 to {seats - 1}")


def check_no_slips(from_slips: bool | None, game: str) -> None:
    """Refuse slips, which are for digits.

    Raises:
        BadOption: slips are asked for.
    """
    if from_slips:
        raise BadOption(f"slips: {game} is played with cards")


def mask_of(seats: Iterable[int]) -> int:
    """Several seats as one int: bit s for seat s.

    >>> mask_of((0, 2, 5))
    37
    """
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


def seats_in(mask: int) -> tuple[int, ...]:
    """The seats of a mask, ascending.

    >>> seats_in(37)
    (0, 2, 5)
    """
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)


def count_in(mask: int) -> int:
    """How many seats are in a mask.

    >>> count_in(mask_of((0, 2, 5)))
    3
    """
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def next_in(seat: int, living: int) -> int:
    """The first seat clockwise of `seat` that is in the mask `living`, which has one at least.

    >>> next_in(2, mask_of((0, 2, 5))), next_in(5, mask_of((0, 2, 5)))
    (5, 0)
    """
    following = seat + 1
    if living >> following == 0:
        following = 0
    while not living >> following & 1:
        following += 1
    return following


def next_living(seat: int, alive: Iterable[int]) -> int:
    """The first living seat clockwise of `seat`.

    >>> next_living(2, (0, 2, 5)), next_living(5, (0, 2, 5))
    (5, 0)
    """
    return next_in(seat, mask_of(alive))


def is_won(living: int) -> bool:
    """Whether the mask `living` has one seat left."""
    return living & living - 1 == 0


def match_score(seats: int, alive: tuple[int, ...]) -> tuple[int, ...]:
    """Units won or lost by each seat: the winner has one from every other, and before the end nobody has any.

    >>> match_score(3, (1,)), match_score(3, (0, 1))
    ((-1, 2, -1), (0, 0, 0))
    """
    if len(alive) != 1:
        return (0,) * seats
    return tuple(seats - 1 if seat == alive[0] else -1 for seat in range(seats))


def check_new_round(in_play: bool, alive: tuple[int, ...]) -> None:
    """Refuse a round where one is in play, or the match has been won.

    Raises:
        NotNow: `round-unfinished` or `match-over`.
    """
    if in_play:
        raise NotNow("round-unfinished", "the round in play has not ended")
    if len(alive) == 1:
        raise NotNow("match-over", f"seat {alive[0]} has won the match")


def check_opener(opener: int | None, alive: tuple[int, ...]) -> None:
    """Refuse an opener who is not in the match.

    Raises:
        BadRound: naming those that are.
    """
    if opener is not None and opener not in alive:
        raise BadRound(f"opener: {told(opener)} is no living seat; they are {', '.join(map(str, alive))}")


OVER = "over"


class CardChance(ChanceSpec, Protocol):
    """What a round of a card game draws: a shuffled deck."""

    @property
    def jokers(self) -> int:
        """Jokers in the deck."""


class CardRules(Protocol):
    """The rules of a card game, packed for the rule functions."""

    @property
    def seats(self) -> int:
        """How many players."""


class CardState(Protocol):
    """Where a round of a card game has got to, in ints."""

    @property
    def phase(self) -> int:
        """Its index in `CardMatch.phases`."""

    @property
    def to_act(self) -> int:
        """The seat whose turn it is; -1 at the end."""


class CardRound(Protocol):
    """A round of a card game."""

    @property
    def standing(self) -> CardState:
        """Where it has got to."""

    def apply(self, action: int) -> Self:
        """Return the round after `action`."""

    def refusal(self, action: int) -> int:
        """Return why `action` may not be played now, 0 if it may."""

    def played(self) -> PlayedRound:
        """Return the round as a record keeps it."""


class CardResult(Protocol):
    """How a round of a card game came out."""

    @property
    def next_opener(self) -> int | None:
        """The seat that opens the next round; `None` once the match is won."""


Preset = TypeVar("Preset", bound=GameRow)
Options = TypeVar("Options", bound=GameOptions)
Rules = TypeVar("Rules", bound=CardRules)
Round = TypeVar("Round", bound=CardRound)
Result = TypeVar("Result", bound=CardResult)


@dataclass(frozen=True, slots=True)
class MatchSetup(Generic[Preset, Options, Rules]):
    """What stays the same all match.

    Attributes:
        preset: the game as data.
        options: the options in force.
        rules: the same, packed for the rule functions.
        losses: each seat's losses when the match begins; empty where the first loss eliminates.
    """

    preset: Preset
    options: Options
    rules: Rules
    losses: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CardMatch(Session, Generic[Preset, Options, Rules, Round, Result]):
    """A match of a card game: who loses a round loses cards or the match, and the last player wins.

    Attributes:
        setup: what stays the same.
        rounds: every finished round with its result.
        round: the round on the table; `None` before the first.
    """

    phases: ClassVar[Sequence[str]]
    """The names of a round's phases; the last one is `over`."""

    setup: MatchSetup[Preset, Options, Rules]
    rounds: tuple[tuple[Round, Result], ...]
    round: Round | None

    @property
    def seats(self) -> int:
        """How many players."""
        return self.setup.rules.seats

    @property
    def in_play(self) -> bool:
        """Whether a round has been dealt and not ended."""
        return self.phase != OVER

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; `None` between rounds."""
        return None if self.round is None or self.round.standing.to_act < 0 else self.round.standing.to_act

    @property
    def phase(self) -> str:
        """The name of the phase; `over` between rounds."""
        return OVER if self.round is None else self.phases[self.round.standing.phase]

    @property
    def has_winner(self) -> bool:
        """Whether players are eliminated: always."""
        return True

    @property
    def rounds_played(self) -> int:
        """How many rounds have ended."""
        return len(self.rounds)

    @property
    def winner(self) -> int | None:
        """The last seat still in; `None` while there are two."""
        return self.alive[0] if len(self.alive) == 1 else None

    @property
    def score(self) -> tuple[int, ...]:
        """Units won or lost by each seat: once the match is won, one from every other seat to the winner."""
        return match_score(self.seats, self.alive)

    @property
    def losses(self) -> tuple[int, ...]:
        """Each seat's losses so far; empty where the first loss eliminates."""
        return ()

    @property
    def round_result(self) -> Result | None:
        """How the round on the table came out; `None` before its end."""
        return None if self.in_play or not self.rounds else self.rounds[-1][1]

    @property
    def next_opener(self) -> int | None:
        """The seat that opens the next round, unless the table says otherwise; `None` once the match is won."""
        if not self.rounds:
            return self.alive[0] if self.winner is None else None
        return self.rounds[-1][1].next_opener

    def option_changes(self) -> dict[str, object]:
        """Return the options that differ from the game's preset."""
        return self.setup.options.changes_from(self.setup.preset.options)

    @abstractmethod
    def chance_spec(self, options: Mapping[str, object] | None = None) -> CardChance:
        """Return what the next round draws."""

    @abstractmethod
    def begun(self, deal: Deal, opener: int, setup: RoundSetup) -> Round:
        """Return the next round as it begins.

        Raises:
            BadDeal: what was dealt can't be.
        """

    @abstractmethod
    def conclude(self, played: Round) -> Result:
        """Return the result of a round that is over."""

    def deal(self, deal: Deal, setup: RoundSetup = BY_THE_RULES) -> Self:
        """Return the match with the next round on the table."""
        self.chance_spec(setup.options)
        check_stake(setup)
        check_opener(setup.opener, self.alive)
        opener = self.next_opener if setup.opener is None else setup.opener
        assert opener is not None  # two are still in
        return type(self)(self.setup, self.rounds, self.begun(deal, opener, setup))

    def apply(self, action: int) -> Self:
        """Return the match after the seat to act, or whoever challenges, plays `action`."""
        later = self._round_in_play().apply(action)
        if self.phases[later.standing.phase] != OVER:
            return type(self)(self.setup, self.rounds, later)
        return type(self)(self.setup, (*self.rounds, (later, self.conclude(later))), later)

    def refusal(self, action: int) -> int:
        """Return why `action` may not be played now, 0 if it may; see `liarspoker.core.errors`."""
        return self._round_in_play().refusal(action)

    def history(self, first: int = 0) -> tuple[PlayedRound, ...]:
        """Return the rounds dealt so far."""
        rounds = [dealt for dealt, _ in self.rounds]
        if self.in_play and self.round is not None:
            rounds.append(self.round)
        return tuple(dealt.played() for dealt in rounds[first:])

    def _round_in_play(self) -> Round:
        if self.round is None:
            raise NotNow("round-over", "no round is in play")
        return self.round

    def carry_over(self) -> CarryOver:
        """Return who begins the next round, who is still in, and what they have lost."""
        return CarryOver(self.next_opener if self.rounds_played else None, losses=self.losses, alive=self.alive)

    def face_down_choice(self, opener: int | None = None) -> FaceDownChoice | None:
        """Return the cut, by the seat before the opener; at a card table that is the dealer's right-hand neighbour."""
        begins = self.next_opener if opener is None else opener
        assert begins is not None  # two are still in
        first = self.alive[self.alive.index(begins) - 1]
        return FaceDownChoice("cut", len(full_deck(self.chance_spec().jokers)), first, everybody=False)


def check_stake(setup: RoundSetup) -> None:
    """Refuse a stake that is agreed on.

    Raises:
        NotNow: there is one.
    """
    if setup.stake is not None:
        raise NotNow("wrong-phase", "stake: a match is played for one unit from each player")
