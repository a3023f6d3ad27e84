"""The pages of a family of games: what each family brings, and what pages of every family have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from liarspoker.core.catalogue import GameRow
from liarspoker.core.session import Session
from liarspoker.protocol.codec import Options
from liarspoker.protocol.settings import Settings
from liarspoker.protocol.views import HandView, PrivateView, PublicView, RoundView
from liarspoker.records.reader import Replay
from liarspoker.web.view_models.replay_course import Course, Ply, Stage

YOU = "You"
"""What pages call the person who reads them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundScene:
    """The round on the table; each family adds what its templates draw.

    Attributes:
        kind: which templates draw it: those in `templates/table/KIND`.
        heading: which round it is, such as `Hand 7`.
        said: one sentence on what has just happened.
        over: it has been counted or proved.
        stake: units that it is played for; `None` in a match.
        acts: what each user has done last, in a few words.
        marked: how the seats are marked, by user: `bidder`, `challenged`, `out`, `won`.
    """

    kind: str
    heading: str
    said: str
    over: bool
    stake: int | None = None
    acts: Mapping[str, str]
    marked: Mapping[str, tuple[str, ...]]

    def act(self, user: str) -> str:
        """What `user` has done last; empty for nothing."""
        return self.acts.get(user, "")

    def marks(self, user: str) -> tuple[str, ...]:
        """How the seat of `user` is marked."""
        return self.marked.get(user, ())

    def held(self, user: str) -> object | None:
        """What the seat of `user` shows at a count; `None` where nothing is counted."""
        return None


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A value that an option can have: as a form sends it, in words, whether it has it now and usually."""

    text: str
    label: str
    now: bool
    usual: bool


@dataclass(frozen=True, slots=True)
class NamedOption:
    """An option that may be named for a round: its form field, its label, what it is about, and its values."""

    field: str
    label: str
    meaning: str
    values: tuple[NamedValue, ...]


class ReplayPage(Protocol):
    """The part of a replay that depends on the family of games."""

    def heading(self, course: Course) -> str:
        """What is said of the round beside its number."""

    def stage(self, course: Course, at: int) -> Stage:
        """The table after `at` actions."""

    def plies(self, course: Course) -> tuple[Ply, ...]:
        """The deal and every action."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A player of a sample round.

    Attributes:
        cards: their cards, each with whether it belongs to the hand in question.
        fingers: how many they raise at the count; `None` where nobody does.
        units: what they win or pay; `None` in a card game.
    """

    name: str
    number: str = ""
    cards: tuple[tuple[str, bool], ...] = ()
    fingers: int | None = None
    units: int | None = None


@dataclass(frozen=True, slots=True)
class PlayedSample:
    """A sample round, played by the rules.

    Attributes:
        moves: what was done, line by line.
        holders: the players with what they held.
        end: the outcome, and the rules that made it.
        pool: the cards lie in one pool, and only some of them belong to the hand in question.
    """

    moves: tuple[str, ...]
    holders: tuple[Holder, ...]
    end: tuple[str, ...]
    pool: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """Something in which games of a family differ: what it is, and how it is in each of them."""

    title: str
    values: tuple[str, ...]


class RulesPage(Protocol):
    """The part of a rules page that depends on the family of games."""

    def tables(self, game: str, players: int) -> object:
        """What the template `rules/tables/FAMILY.html` shows of a game among so many players."""

    def differences(self, relatives: Sequence[GameRow]) -> list[Difference]:
        """How the dealing of these games of the family differs; their options are compared apart."""

    def sample(self, played: Replay) -> PlayedSample:
        """A sample round that has been played through."""


@dataclass(frozen=True, slots=True)
class OddsPage:
    """A page that answers one kind of question.

    Attributes:
        title: what its tab is called.
        order: where its tab is among the others.
        scene: the page for the fields of a question; its `answer` is `None` where they can't be read.
    """

    path: str
    title: str
    order: int
    template: str
    scene: Callable[[Mapping[str, str]], object]


@dataclass(frozen=True, slots=True)
class Tally:
    """What is counted.

    Attributes:
        rounds: rounds and hands that were played to their end.
        bids_won: bids and claims that stood at the end, were one's own, and held.
        bids_lost: those that did not.
        right: challenges that were right.
        wrong: challenges that were not.
        heroes: bids made with none of the digit.
        skunks: bids that won since nobody had the digit.
    """

    rounds: int = 0
    bids_won: int = 0
    bids_lost: int = 0
    right: int = 0
    wrong: int = 0
    heroes: int = 0
    skunks: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def challenge_tally(session: Session, seat: int) -> Tally:
    """A round that has ended with a challenge: one claims, one challenges, one of them loses."""
    result = session.round_result
    if result.challenger is None or seat not in (result.challenger, result.claimant):
        return Tally(rounds=1)
    lost = int(result.loser == seat)
    if seat == result.claimant:
        return Tally(rounds=1, bids_won=1 - lost, bids_lost=lost)
    return Tally(rounds=1, right=1 - lost, wrong=lost)


def _none_named(settings: Settings, named: Options) -> tuple[NamedOption, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class FamilyPages:
    """The pages of a family.

    Attributes:
        round: the round of a view, for who looks, with what they are about to say.
        replay: a round of a record.
        rules: what a rules page shows beside the text and the options.
        tally: what is counted of a round that has ended, for who sat in a seat.
        naming: the options that may be named for the next round, given those of the table and those named so far.
        odds: questions that it answers.
    """

    round: Callable[[PublicView, PrivateView | None, Mapping[str, str]], RoundScene]
    replay: ReplayPage
    rules: RulesPage
    tally: Callable[[Any, int], Tally] = challenge_tally
    naming: Callable[[Settings, Options], tuple[NamedOption, ...]] = _none_named
    odds: tuple[OddsPage, ...] = ()


View = TypeVar("View", bound=RoundView)
Hand = TypeVar("Hand", bound=HandView)


@dataclass(frozen=True, kw_only=True)
class SeenView(Generic[View, Hand]):
    """A round as somebody sees it; each family adds the rules that are in force.

    Attributes:
        public: what everybody may know.
        view: the round of that.
        hand: what who looks alone may know; without any field for who doesn't play.
        me: the user who looks; `None` for somebody not known.
        seat: their seat; `None` for who doesn't play.
    """

    public: PublicView
    view: View
    hand: Hand
    me: str | None
    seat: int | None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each seat is called; `You` for who looks."""
        pairs = zip(self.view.users, self.view.names, strict=True)
        return tuple(YOU if user == self.me else name for user, name in pairs)

    @property
    def seats(self) -> int:
        """How many play, those who are out of a match included."""
        return len(self.view.users)

    @property
    def help(self) -> bool:
        """Whether odds may be shown at this table."""
        return self.public.settings.help

    @property
    def goes_on(self) -> bool:
        """Whether the table has not ended, so that another round may follow."""
        return self.public.stage != "ended"


def seen_parts(
    public: PublicView, you: PrivateView | None, view: type[View], hand: type[Hand]
) -> tuple[View, Hand, str | None, int | None]:
    """The parts of a `SeenView`: the round and the hand as the classes of the family, the user, the seat."""
    assert isinstance(public.round, view)
    held = None if you is None else you.hand
    own = held if isinstance(held, hand) else hand()
    return public.round, own, None if you is None else you.user, None if you is None else you.seat


def options_key(settings: Settings) -> tuple[tuple[str, object], ...]:
    """The options of a table as something to remember what follows from them by."""
    return tuple(sorted(settings.options.items()))
