"""How a player bluffs, and whose bids they believe: sums over hands that can be added up, and rates with intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from liarspoker.bots.tally import WinTally
from liarspoker.language import number
from liarspoker.web.view_models.round_replay import RoundReplay

FEW_BIDS = 30
"""With fewer bids than this, a page warns that the figures say little."""


@dataclass(frozen=True, slots=True)
class Made:
    """Sums over bids or claims that a player made; `Profile.bids` of each family says which of them are bluffs.

    Attributes:
        bids: the number of bids, rebids included.
        known: the bids whose bidder's hand is known, which can be bluffs.
        bluffs: the bluffs.
        challenged: the bids that the next player challenged.
        bluffs_challenged: the bluffs among them.
        counted: the final bids.
        failed: the final bids that failed.
        caught: the bluffs among them.
    """

    bids: int = 0
    known: int = 0
    bluffs: int = 0
    challenged: int = 0
    bluffs_challenged: int = 0
    counted: int = 0
    failed: int = 0
    caught: int = 0

    def __add__(self, other: Made) -> Made:
        return Made(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def bluff_rate(self) -> Rate:
        """The share of bluffs among the bids."""
        return Rate(self.bluffs, self.known)

    @property
    def caught_rate(self) -> Rate:
        """The share of the bluffs that were counted and failed."""
        return Rate(self.caught, self.bluffs)

    @property
    def bluffs_challenged_rate(self) -> Rate:
        """The share of the bluffs that the next player challenged."""
        return Rate(self.bluffs_challenged, self.bluffs)

    @property
    def others_challenged_rate(self) -> Rate:
        """The share of the other bids that the next player challenged; bids that may be bluffs count as others."""
        return Rate(self.challenged - self.bluffs_challenged, self.bids - self.bluffs)


@dataclass(frozen=True, slots=True)
class Heard:
    """Sums over an opponent's bids that a player answered. Whether a bid was there is known only if the hands are.

    Attributes:
        raised: the bids that the player let pass, with a stronger bid.
        raised_known: those of which it is known whether they were there.
        raised_missing: those that weren't there.
        challenged: the bids that the player challenged.
        challenged_known: those of which it is known whether they were there.
        challenged_there: those that were there.
    """

    raised: int = 0
    raised_known: int = 0
    raised_missing: int = 0
    challenged: int = 0
    challenged_known: int = 0
    challenged_there: int = 0

    def __add__(self, other: Heard) -> Heard:
        return Heard(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def raised_missing_rate(self) -> Rate:
        """The share of bids that weren't there among those that the player let pass."""
        return Rate(self.raised_missing, self.raised_known)

    @property
    def challenged_there_rate(self) -> Rate:
        """The share of bids that were there among those that the player challenged."""
        return Rate(self.challenged_there, self.challenged_known)


@dataclass(frozen=True, slots=True)
class Bids:
    """Sums over the finished rounds of a player.

    Attributes:
        hands: the number of rounds.
        units: units won or lost, at stake 1; 0 in card games.
        expected: the mean of that over all hands that the others could have held; see
            `liarspoker.games.digits.page.profile.bids`.
        made: the player's bids of each level, or claims of each kind of hand, ascending.
        heard: the bids of each opponent, by name, ascending, that the player answered.
    """

    hands: int = 0
    units: int = 0
    expected: float = 0.0
    made: tuple[tuple[int, Made], ...] = ()
    heard: tuple[tuple[str, Heard], ...] = ()

    def __add__(self, other: Bids) -> Bids:
        return Bids(
            self.hands + other.hands,
            self.units + other.units,
            self.expected + other.expected,
            sums((*self.made, *other.made), Made()),
            sums((*self.heard, *other.heard), Heard()),
        )

    @classmethod
    def of(cls, hands: int, units: int, expected: float, made: Iterable[Any], heard: Iterable[Any]) -> Bids:
        """Return the sums that `dataclasses.astuple` has written, tuples or lists."""
        levels = tuple((level, Made(*one)) for level, one in made)
        return cls(hands, units, expected, levels, tuple((name, Heard(*one)) for name, one in heard))

    @property
    def by_belief(self) -> tuple[tuple[str, Heard], ...]:
        """The bids of each opponent; first those whose bids the player surely believed too often.

        The order is that of the lower ends of the intervals, so that a few bids don't put anyone first.
        """
        return tuple(sorted(self.heard, key=lambda one: -(one[1].raised_missing_rate.interval or (0.0, 0.0))[0]))

    @property
    def total(self) -> Made:
        """The sums over all levels."""
        return sum((one for _level, one in self.made), Made())


NO_BIDS = Bids()
"""The sums over no hands."""


class ProfileWords(NamedTuple):
    """What the page calls a family's bids or claims: headings, and sentences that explain the figures.

    Attributes:
        title: the heading of all.
        made: the number of bids.
        bluffs: the bids that were bluffs.
        others_challenged: the other bids that the next player challenged.
        meaning: what a bluff is, and when it is caught.
        by_level: the caption of the breakdown.
        level: the heading of its first column.
        several_games: what adding up several games means for it; empty for nothing.
        answered: the number of bids answered.
        missing: those that the player let pass, and that weren't there.
        there: those that the player challenged, and that were there.
        belief: what these say, and which of them are counted.
    """

    title: str
    made: str
    bluffs: str
    others_challenged: str
    meaning: str
    by_level: str
    level: str
    several_games: str
    answered: str
    missing: str
    there: str
    belief: str


@dataclass(frozen=True, slots=True)
class Profile:
    """What a family has on the page about a player's bluffs.

    Attributes:
        bids: returns the bids made and answered by the seat of the viewpoint in a finished round.
        label: returns what a key of `Bids.made` is called.
        words: returns the page's words, in the reader's language.
        has_luck: whether units won and expected are counted.
        by_probability: whether a bluff is a claim that is more likely false than true, given what its claimant sees, as
            in a player's results.
    """

    bids: Callable[[RoundReplay], Bids]
    label: Callable[[int], str]
    words: Callable[[], ProfileWords]
    has_luck: bool = False
    by_probability: bool = False

    def lines(self, bids: Bids) -> tuple[tuple[str, Made], ...]:
        """Return the rows of `bids.made`, with what each key is called."""
        return tuple((self.label(key), made) for key, made in bids.made)


Key = TypeVar("Key", int, str)
Sums = TypeVar("Sums", Made, Heard)


def sums(found: Iterable[tuple[Key, Sums]], nothing: Sums) -> tuple[tuple[Key, Sums], ...]:
    """Return the sum of each key, in ascending order.

    >>> sums([("Cy", Heard(2)), ("Ben", Heard(1)), ("Cy", Heard(3))], Heard())[1]
    ('Cy', Heard(raised=5, raised_known=0, raised_missing=0, challenged=0, challenged_known=0, challenged_there=0))
    """
    added: dict[Key, Sums] = defaultdict(lambda: nothing)
    for key, one in found:
        added[key] += one
    return tuple(sorted(added.items()))


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of a number of cases, with the 95% Wilson score interval of their probability.

    Attributes:
        part: the number of cases that are meant, 0 to `whole`.
        whole: the number of all cases.

    >>> Rate(3, 12).percent, Rate(3, 12).range, Rate(0, 0).interval
    ('25', '9–53', None)
    """

    part: int
    whole: int

    @property
    def share(self) -> float:
        """The share, 0 to 1; 0 of no cases."""
        return self.part / self.whole if self.whole else 0.0

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the interval, 0 to 1; `None` without cases."""
        return WinTally(self.whole, 0, 0, (self.part,)).win_interval(0)

    @property
    def percent(self) -> str:
        """The share in percent."""
        return number(f"{100 * self.share:.0f}")

    @property
    def range(self) -> str:
        """The interval in percent; empty without cases."""
        return "" if self.interval is None else "–".join(number(f"{100 * end:.0f}") for end in self.interval)
