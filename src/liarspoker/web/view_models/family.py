"""The pages of a game family: what each family provides, and what the pages of all families have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from liarspoker.coach.document import ReviewDocument
from liarspoker.core.catalogue import GamePreset
from liarspoker.core.session import Session
from liarspoker.language import _
from liarspoker.protocol.codec import Options
from liarspoker.protocol.settings import Settings
from liarspoker.protocol.views import HandView, PrivateView, PublicView, RoundView
from liarspoker.records import words
from liarspoker.records.reader import Replay
from liarspoker.web.view_models.profile import Profile
from liarspoker.web.view_models.review import CoachViewModel, Mark
from liarspoker.web.view_models.round_replay import Ply, Position, RoundReplay

YOU = words.YOU
"""Represents the user's own name in view models; the filter `player` shows it."""


def round_title(game: GamePreset, number: int) -> str:
    """Return the title of a round from its number, which counts from 1.

    >>> from liarspoker.core import catalogue
    >>> round_title(catalogue.preset("slips"), 7), round_title(catalogue.preset("thorin"), 2)
    ('Hand 7', 'Round 2')
    """
    return _("Round {number}", number=number) if game.has_winner else _("Hand {number}", number=number)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundViewModel:
    """View model of a round; each family adds what its templates show.

    Attributes:
        kind: the folder of its templates: `templates/table/KIND`.
        heading: the round's title, such as `Hand 7`.
        said: one sentence on the latest event.
        over: the round has a result.
        stake: the stake in units; `None` in a match.
        acts: each user's last action in a few words.
        marked: the marks of the seats by user: `bidder`, `challenged`, `out`, `won`.
    """

    kind: str
    heading: str
    said: str
    over: bool
    stake: int | None = None
    acts: Mapping[str, str]
    marked: Mapping[str, tuple[str, ...]]

    def act(self, user: str) -> str:
        """Return the last action of `user`; empty for none."""
        return self.acts.get(user, "")

    def marks(self, user: str) -> tuple[str, ...]:
        """Return the marks of the seat of `user`."""
        return self.marked.get(user, ())

    def held(self, user: str) -> object | None:
        """Return what the seat of `user` shows during a count; `None` if nothing is counted."""
        return None


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A value of an option: as the form sends it, in words, whether it is selected, and whether it is the default."""

    text: str
    label: str
    now: bool
    usual: bool


@dataclass(frozen=True, slots=True)
class NamedOption:
    """An option that a player can set for one round: its form field, label, meaning and values."""

    field: str
    label: str
    meaning: str
    values: tuple[NamedValue, ...]


class ReplayPage(Protocol):
    """The part of a replay that depends on the game family."""

    def heading(self, replay: RoundReplay) -> str:
        """Return the text shown beside the round's number."""

    def position(self, replay: RoundReplay, at: int) -> Position:
        """Return the table after `at` actions."""

    def plies(self, replay: RoundReplay) -> tuple[Ply, ...]:
        """Return the deal and every action."""

    def probability(self, replay: RoundReplay, at: int) -> Fraction | None:
        """Return the probability that the claim standing after `at` actions is true, given what the viewpoint knows.

        `None` if the game has no such probability or the viewpoint knows too little.
        """


class ReviewPage(Protocol):
    """The part of a review that depends on the game family; a review is what `liarspoker review --json` prints."""

    def marks(self, review: ReviewDocument, replay: RoundReplay) -> dict[int, Mark]:
        """Return the verdict on each ply that was reviewed."""

    def coach(self, review: ReviewDocument, replay: RoundReplay, at: int) -> CoachViewModel:
        """Return what the coach says of a ply."""

    def lesson(self, review: ReviewDocument, replay: RoundReplay, at: int, guess: str) -> CoachViewModel | None:
        """Return what the coach asks before the reader's decision, or says of their guess; `None` for no decision."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A player of a sample round.

    Attributes:
        cards: their cards, each with whether it belongs to the claimed hand.
        fingers: the number of fingers raised in the count; `None` without a count.
        units: units won or lost; `None` in a card game.
    """

    name: str
    number: str = ""
    cards: tuple[tuple[str, bool], ...] = ()
    fingers: int | None = None
    units: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedSample:
    """A sample round, replayed by the rules.

    Attributes:
        moves: the actions, one per line.
        holders: the players and their hands.
        end: the outcome and the rules behind it.
        pool: all cards form one pool, of which only some belong to the claimed hand.
    """

    moves: tuple[str, ...]
    holders: tuple[Holder, ...]
    end: tuple[str, ...]
    pool: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """A rule in which the games of a family differ, and its value in each of them."""

    title: str
    values: tuple[str, ...]


class RulesPage(Protocol):
    """The part of a rules page that depends on the game family."""

    def tables(self, game: str, players: int) -> object:
        """Return what the template `rules/tables/FAMILY.html` shows for a game with `players` players."""

    def differences(self, relatives: Sequence[GamePreset]) -> list[Difference]:
        """Return how dealing differs between these games of the family; options are compared separately."""

    def sample(self, played: Replay) -> PlayedSample:
        """Return the view model of a replayed sample round."""


@dataclass(frozen=True, slots=True)
class OddsPage:
    """A page that answers one kind of odds question.

    Attributes:
        path: its URL path.
        title: the label of its tab.
        order: the sort key of its tab.
        template: its template.
        view_model: builds its view model from the query; `answer` is `None` if a field is invalid.
    """

    path: str
    title: str
    order: int
    template: str
    view_model: Callable[[Mapping[str, str]], object]


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's statistics.

    Attributes:
        rounds: completed rounds and hands.
        units: units won or lost.
        claims: bids and claims, whether or not they were the last of their round.
        bluffs: claims that were more likely false than true, given what the player could see.
        caught: bluffs that lost the round.
        bids_won: the player's final bids and claims that were good.
        bids_lost: the player's final bids and claims that failed.
        right: correct challenges.
        wrong: wrong challenges.
        heroes: bids made while holding none of the digit.
        skunks: bids won because no player had the digit.
    """

    rounds: int = 0
    units: int = 0
    claims: int = 0
    bluffs: int = 0
    caught: int = 0
    bids_won: int = 0
    bids_lost: int = 0
    right: int = 0
    wrong: int = 0
    heroes: int = 0
    skunks: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def challenge_tally(session: Session, seat: int) -> Tally:
    """Return the tally of `seat` for a finished round with one claimant, one challenger and one loser."""
    result = session.round_result
    if result.challenger is None or seat not in (result.challenger, result.claimant):
        return Tally(rounds=1)
    lost = int(result.loser == seat)
    if seat == result.claimant:
        return Tally(rounds=1, bids_won=1 - lost, bids_lost=lost)
    return Tally(rounds=1, right=1 - lost, wrong=lost)


def _none_named(settings: Settings, named: Options) -> tuple[NamedOption, ...]:
    return ()


class Hint(NamedTuple):
    """A hint for a beginner: a sentence, empty for none, and the action that it advises, empty for no bid."""

    text: str = ""
    action: str = ""


NO_HINT = Hint()


def _no_hint(public: PublicView, you: PrivateView | None, revealing: bool) -> Hint:
    return NO_HINT


@dataclass(frozen=True, slots=True)
class FamilyPages:
    """The pages of a family.

    Attributes:
        round: returns the view model of a round from the public view, the private view and the draft.
        replay: its part of a replay.
        rules: its part of a rules page.
        tally: returns the statistics of a finished round for a seat.
        naming: returns the options that a player can set for the next round, given the table's settings and the
            options set so far.
        odds: its odds pages.
        hint: returns a hint for a beginner on the current round, given the public view, the private view and whether
            its result is still being revealed.
        review: its part of a review; `None` if its rounds can't be reviewed.
        completed: returns a session of a round with everything that its record hides drawn at random, given that
            session, the session at the end of the round and the random numbers; `None` if too little is known. Without
            this function, only rounds whose deal is known can be played on.
        profile: its part of the page about a player's bluffs; `None` if it has none.
    """

    round: Callable[[PublicView, PrivateView | None, Mapping[str, str]], RoundViewModel]
    replay: ReplayPage
    rules: RulesPage
    tally: Callable[[Any, int], Tally] = challenge_tally
    naming: Callable[[Settings, Options], tuple[NamedOption, ...]] = _none_named
    odds: tuple[OddsPage, ...] = ()
    hint: Callable[[PublicView, PrivateView | None, bool], Hint] = _no_hint
    review: ReviewPage | None = None
    completed: Callable[[Any, Any, Random], Any] | None = None
    profile: Profile | None = None


View = TypeVar("View", bound=RoundView)
Hand = TypeVar("Hand", bound=HandView)


@dataclass(frozen=True, kw_only=True)
class RoundContext(Generic[View, Hand]):
    """A round as one user sees it; each family adds the rules in force.

    Attributes:
        public: the public view.
        view: the round in that view.
        hand: the user's private information; empty for users who aren't playing.
        me: the user; `None` if unknown.
        seat: their seat in the round; `None` if they aren't playing.
    """

    public: PublicView
    view: View
    hand: Hand
    me: str | None
    seat: int | None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each seat; `You` for the user's own."""
        pairs = zip(self.view.users, self.view.names, strict=True)
        return tuple(YOU if user == self.me else name for user, name in pairs)

    @property
    def seats(self) -> int:
        """The number of players, including eliminated ones."""
        return len(self.view.users)

    @property
    def help(self) -> bool:
        """Whether this table allows odds to be shown."""
        return self.public.settings.help

    @property
    def goes_on(self) -> bool:
        """Whether the table is still open, so that another round can follow."""
        return self.public.stage != "ended"


def context_parts(
    public: PublicView, you: PrivateView | None, view: type[View], hand: type[Hand]
) -> tuple[View, Hand, str | None, int | None]:
    """Return the parts of a `RoundContext`: the round and hand as the family's classes, the user and the seat."""
    assert isinstance(public.round, view)
    held = None if you is None else you.hand
    own = held if isinstance(held, hand) else hand()
    return public.round, own, None if you is None else you.user, None if you is None else you.seat


def options_key(settings: Settings) -> tuple[tuple[str, object], ...]:
    """Return the options of a table as a cache key."""
    return tuple(sorted(settings.options.items()))
