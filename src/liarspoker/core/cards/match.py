"""Matches of the card games: players are eliminated round by round until one is left and wins."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, Protocol, Self, TypeVar

from liarspoker.core.cards.deck import full_deck
from liarspoker.core.catalogue import GamePreset
from liarspoker.core.errors import BadOption, BadRound, BadSeats, NotNow, format_value
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
from liarspoker.language import _


def check_seat(seat: int | None, seats: int) -> None:
    """Check that `seat` is a seat, or `None` for a spectator.

    Raises:
        BadSeats: there is no such seat.
    """
    if seat is not None and not 0 <= seat < seats:
        raise BadSeats(_("seat: {seat} must be between 0 and {last}", seat=seat, last=seats - 1))


def check_no_slips(from_slips: bool | None, game: str) -> None:
    """Check that a card game isn't dealt from slips.

    Raises:
        BadOption: slips are requested.
    """
    if from_slips:
        raise BadOption(_("slips: {game} is played with cards", game=game))


def mask_of(seats: Iterable[int]) -> int:
    """Return seats as one int: bit s for seat s.

    >>> mask_of((0, 2, 5))
    37
    """
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


def seats_in(mask: int) -> tuple[int, ...]:
    """Return the seats in a mask, ascending.

    >>> seats_in(37)
    (0, 2, 5)
    """
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)


def count_in(mask: int) -> int:
    """Return the number of seats in a mask.

    >>> count_in(mask_of((0, 2, 5)))
    3
    """
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def next_in(seat: int, alive: int) -> int:
    """Return the first seat clockwise of `seat` in the mask `alive`, which must not be empty.

    >>> next_in(2, mask_of((0, 2, 5))), next_in(5, mask_of((0, 2, 5)))
    (5, 0)
    """
    following = seat + 1
    if alive >> following == 0:
        following = 0
    while not alive >> following & 1:
        following += 1
    return following


def next_alive(seat: int, alive: Iterable[int]) -> int:
    """Return the first seat clockwise of `seat` that is still in.

    >>> next_alive(2, (0, 2, 5)), next_alive(5, (0, 2, 5))
    (5, 0)
    """
    return next_in(seat, mask_of(alive))


def is_won(alive: int) -> bool:
    """Return whether the mask `alive` has only one seat."""
    return alive & alive - 1 == 0


def match_score(seats: int, alive: tuple[int, ...]) -> tuple[int, ...]:
    """Return the units won or lost by each seat: one from each other seat to the winner; 0 before the end.

    >>> match_score(3, (1,)), match_score(3, (0, 1))
    ((-1, 2, -1), (0, 0, 0))
    """
    if len(alive) != 1:
        return (0,) * seats
    return tuple(seats - 1 if seat == alive[0] else -1 for seat in range(seats))


def check_new_round(in_play: bool, alive: tuple[int, ...]) -> None:
    """Check that a new round may begin.

    Raises:
        NotNow: a round is in play (`round-unfinished`), or the match has been won (`match-over`).
    """
    if in_play:
        raise NotNow("round-unfinished", _("the round in play has not ended"))
    if len(alive) == 1:
        raise NotNow("match-over", _("seat {seat} has won the match", seat=alive[0]))


def check_opener(opener: int | None, alive: tuple[int, ...]) -> None:
    """Check that the opener, if given, is still in.

    Raises:
        BadRound: it isn't.
    """
    if opener is not None and opener not in alive:
        raise BadRound(
            _(
                "opener: {opener} isn't a seat still in; these are {seats}",
                opener=format_value(opener),
                seats=", ".join(map(str, alive)),
            )
        )


OVER = "over"
"""The name of the last phase."""


class CardChance(ChanceSpec, Protocol):
    """The draw for a round of a card game: a shuffled deck."""

    @property
    def jokers(self) -> int:
        """The number of jokers in the deck."""


class CardRules(Protocol):
    """The rules of a card game, packed for the rule functions."""

    @property
    def seats(self) -> int:
        """The number of players."""


class CardState(Protocol):
    """The state of a round of a card game, in ints."""

    @property
    def phase(self) -> int:
        """The index of the phase in `CardMatch.phases`."""

    @property
    def to_act(self) -> int:
        """The seat whose turn it is; -1 once the round is over."""


class CardRound(Protocol):
    """A round of a card game."""

    @property
    def state(self) -> CardState:
        """The state of the round."""

    def apply(self, action: int) -> Self:
        """Return the round after `action`."""

    def refusal(self, action: int) -> int:
        """Return `LEGAL` (0) if `action` may be played now, else a refusal code."""

    def played(self) -> PlayedRound:
        """Return the round as in a record."""


class CardResult(Protocol):
    """The result of a round of a card game."""

    @property
    def next_opener(self) -> int | None:
        """The seat that opens the next round; `None` once the match is won."""


Preset = TypeVar("Preset", bound=GamePreset)
Options = TypeVar("Options", bound=GameOptions)
Rules = TypeVar("Rules", bound=CardRules)
Round = TypeVar("Round", bound=CardRound)
Result = TypeVar("Result", bound=CardResult)


@dataclass(frozen=True, slots=True)
class MatchSetup(Generic[Preset, Options, Rules]):
    """The fixed settings of a match.

    Attributes:
        preset: the game's preset.
        options: the options in force.
        rules: the same, packed for the rule functions.
        losses: each seat's losses when the match begins; empty if the first loss eliminates.
    """

    preset: Preset
    options: Options
    rules: Rules
    losses: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CardMatch(Session, Generic[Preset, Options, Rules, Round, Result]):
    """A match of a card game, in which players are eliminated until one is left.

    `liarspoker.core.session.Session` documents the methods.

    Attributes:
        setup: the fixed settings.
        rounds: the finished rounds with their results.
        round: the round on the table; `None` before the first.
    """

    phases: ClassVar[Sequence[str]]
    """The names of the phases of a round; the last one is `over`."""

    setup: MatchSetup[Preset, Options, Rules]
    rounds: tuple[tuple[Round, Result], ...]
    round: Round | None

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.setup.rules.seats

    @property
    def in_play(self) -> bool:
        """Whether a round has been dealt and not ended."""
        return self.phase != OVER

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; `None` between rounds."""
        return None if self.round is None or self.round.state.to_act < 0 else self.round.state.to_act

    @property
    def phase(self) -> str:
        """The name of the phase; `over` between rounds."""
        return OVER if self.round is None else self.phases[self.round.state.phase]

    @property
    def has_winner(self) -> bool:
        """Always true: players are eliminated."""
        return True

    @property
    def rounds_played(self) -> int:
        """The number of rounds that have ended."""
        return len(self.rounds)

    @property
    def winner(self) -> int | None:
        """The last seat still in; `None` while several are."""
        return self.alive[0] if len(self.alive) == 1 else None

    @property
    def score(self) -> tuple[int, ...]:
        """Units won or lost by each seat: one from each other seat to the winner; 0 before the end."""
        return match_score(self.seats, self.alive)

    @property
    def losses(self) -> tuple[int, ...]:
        """Each seat's losses so far; empty if the first loss eliminates."""
        return ()

    @property
    def round_result(self) -> Result | None:
        """The result of the round on the table; `None` before its end."""
        return None if self.in_play or not self.rounds else self.rounds[-1][1]

    @property
    def next_opener(self) -> int | None:
        """The seat that opens the next round by the rules; `None` once the match is won."""
        if not self.rounds:
            return self.alive[0] if self.winner is None else None
        return self.rounds[-1][1].next_opener

    def option_changes(self) -> dict[str, object]:
        """Return the options that differ from the game's preset."""
        return self.setup.options.changes_from(self.setup.preset.options)

    @abstractmethod
    def chance_spec(self, options: Mapping[str, object] | None = None) -> CardChance:
        """Return the draw for the next round."""

    @abstractmethod
    def begin_round(self, deal: Deal, opener: int, setup: RoundSetup) -> Round:
        """Return the next round before its first action.

        Args:
            deal: the deal.
            opener: the seat that opens.
            setup: what the table decides.

        Raises:
            BadDeal: the deal is impossible.
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
        return type(self)(self.setup, self.rounds, self.begin_round(deal, opener, setup))

    def apply(self, action: int) -> Self:
        """Return the match after `action` of the seat to act, or of a seat that challenges out of turn."""
        later = self._round_in_play().apply(action)
        if self.phases[later.state.phase] != OVER:
            return type(self)(self.setup, self.rounds, later)
        return type(self)(self.setup, (*self.rounds, (later, self.conclude(later))), later)

    def refusal(self, action: int) -> int:
        """Return `LEGAL` (0) if `action` may be played now, else a refusal code of `liarspoker.core.errors`."""
        return self._round_in_play().refusal(action)

    def history(self, first: int = 0) -> tuple[PlayedRound, ...]:
        """Return the rounds dealt so far."""
        rounds = [dealt for dealt, _ in self.rounds]
        if self.in_play and self.round is not None:
            rounds.append(self.round)
        return tuple(dealt.played() for dealt in rounds[first:])

    def _round_in_play(self) -> Round:
        if self.round is None:
            raise NotNow("round-over", _("no round is in play"))
        return self.round

    def carry_over(self) -> CarryOver:
        """Return the opener of the next round, the seats still in, and their losses."""
        return CarryOver(self.next_opener if self.rounds_played else None, losses=self.losses, alive=self.alive)

    def face_down_choice(self, opener: int | None = None) -> FaceDownChoice | None:
        """Return the cut, made by the seat before the opener: the dealer's right-hand neighbor."""
        begins = self.next_opener if opener is None else opener
        assert begins is not None  # two are still in
        first = self.alive[self.alive.index(begins) - 1]
        return FaceDownChoice("cut", len(full_deck(self.chance_spec().jokers)), first, everybody=False)


def check_stake(setup: RoundSetup) -> None:
    """Check that no stake has been agreed, since matches have a fixed one.

    Raises:
        NotNow: `setup` has a stake.
    """
    if setup.stake is not None:
        raise NotNow(
            "wrong-phase", _("stake: can't be changed; a match is always played for one unit from each player")
        )
