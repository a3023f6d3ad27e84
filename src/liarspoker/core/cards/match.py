"""What both kinds of card games share: players drop out, round after round, until one is left and wins the match."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, Protocol

from liarspoker.core.cards.deck import full_deck
from liarspoker.core.errors import BadOption, BadRound, BadSeats, NotNow, told
from liarspoker.core.session import CarryOver, ChanceSpec, FaceDownChoice, RoundSetup, Session

if TYPE_CHECKING:
    from collections.abc import Sequence


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


class CardMatch(Session):
    """A match of a card game: who loses a round loses cards or the match, and the last player wins."""

    __slots__ = ()

    phases: ClassVar[Sequence[str]]
    """The names of a round's phases; the last one is `over`."""

    rounds: Sequence[object]
    round: CardRound | None

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

    @abstractmethod
    def chance_spec(self, options: Mapping[str, object] | None = None) -> CardChance:
        """Return what the next round draws."""

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
