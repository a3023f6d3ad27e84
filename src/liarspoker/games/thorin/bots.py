"""The bots of Thorin's game.

The Beginner tells the truth as far as it goes, and takes what sounds ordinary. The Calculator knows the probabilities
of draws and promises; it tells the truth where there is one, and the least lie where there isn't. The Bluffer takes the
next player's place, and follows the advice of the game's inventor (source 002).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, rank_of
from liarspoker.core.cards.hand_values import (
    CATEGORIES,
    FOUR,
    KEYS,
    PAIR,
    STARTS,
    THREE,
    TWO_PAIR,
    VALUE_OF,
    hand_value,
)
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, discard_of
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.judgement import (
    Cards,
    Prospects,
    Story,
    believed,
    best_keep,
    challenged,
    improvable,
    keeps,
    prospects,
    reach,
    story_of,
)
from liarspoker.games.thorin.ladder import category_of, floor_of, full_claim, is_claim, next_value
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.result import ThorinView
from liarspoker.games.thorin.state import DISCARDING, RESPOND, RoundState

WORTH_A_PASS = -0.3
"""A pass is spent when neither answer is worth more than that."""


def standing_of(view: ThorinView) -> RoundState:
    """Where the round stands.

    Raises:
        ValueError: the view is nobody's, or no round is on the table.
    """
    if view.seat is None or view.standing is None:
        raise ValueError("a bot plays from a seat, and this is nobody's view")
    return view.standing


def hand_of(view: ThorinView) -> Cards:
    """The hand that goes around.

    Raises:
        ValueError: the view's seat does not have it.
    """
    if view.hand is None:
        raise ValueError("a bot that has the hand was shown a view without it")
    return view.hand


def worth(view: ThorinView) -> int:
    """What the hand is worth under the rules of the round."""
    return hand_value(hand_of(view), bool(view.rules.double_any))


def least_lie(view: ThorinView) -> int:
    """The least that may be declared, every rank named."""
    assert view.legal.min_claim is not None
    return view.legal.min_claim


def answered(either: Prospects, view: ThorinView) -> int:
    """Take or challenge, whichever is worth more; a pass, if there is one left, when both are bad."""
    if PASS in view.legal.answers and max(either.challenge, either.take) < WORTH_A_PASS:
        return PASS
    return CHALLENGE if either.challenge > either.take or TAKE not in view.legal.answers else TAKE


def discard_but(kept: Sequence[int], hand: Sequence[int]) -> int:
    """The discard of all of the hand but what is kept."""
    thrown = list(hand)
    for card in kept:
        thrown.remove(card)
    return discard_of(thrown)


_SET_RANKS = {PAIR: 1, TWO_PAIR: 2, THREE: 1, FOUR: 1}
"""How many ranks make the set; the rest are kickers."""

_DRAWN = 8
"""So many values are thought of by chance."""


def thought_of(floor: int, mine: int, reach: int, rules: ThorinRules, chance: Random) -> list[int]:
    """Values that may be declared, ascending; some whenever there are any.

    The least that may be; the truth; the best of every category, which are the hardest to improve on; the hand's pair
    with the best kickers; and some by chance, true ones too.

    Args:
        floor: the value to be beaten.
        mine: what the hand is worth.
        reach: how many categories above the floor's are thought of.
        rules: of the round.
        chance: draws some more.
    """
    top = max(mine, STARTS[min(len(CATEGORIES), KEYS[floor][0] + reach + 1)] - 1)
    found = {mine, *(stop - 1 for stop in STARTS[1:])}
    least = next_value(floor, rules)
    if least is not None:
        found.add(least)
    pair = KEYS[mine][1][0]
    found.add(VALUE_OF[PAIR, (pair, *[rank for rank in range(12, -1, -1) if rank != pair][:3])])
    found.update(chance.randint(floor, top) for _ in range(_DRAWN))
    if mine > floor:
        found.update(chance.randint(floor, mine) for _ in range(_DRAWN // 2))
    return [value for value in sorted(found) if floor < value <= top and _may_be(value, rules)]


def same_set(floor: int, rules: ThorinRules) -> list[int]:
    """The values that have the set of `floor`, a pair or more, and better kickers; none if it has no set.

    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> two_pair = VALUE_OF[TWO_PAIR, (8, 3, 9)]  # 10-10-5-5-J
    >>> [KEYS[value][1] for value in same_set(two_pair, packed(ThorinOptions(), seats=4))]
    [(8, 3, 10), (8, 3, 11), (8, 3, 12)]
    """
    category, keys = KEYS[floor]
    length = _SET_RANKS.get(category, 0)
    found: list[int] = []
    value = floor + 1
    while length and value < STARTS[category + 1] and KEYS[value][1][:length] == keys[:length]:
        found.append(value)
        value += 1
    return [value for value in found if _may_be(value, rules)]


def easy_sets() -> list[int]:
    """Every pair and two pair with the worst kickers, which is easily improved on; ascending.

    >>> [KEYS[value][1] for value in easy_sets()[:2] + easy_sets()[-1:]]
    [(0, 3, 2, 1), (1, 3, 2, 0), (12, 11, 0)]
    """
    found: list[int] = []
    for category in (PAIR, TWO_PAIR):
        sets: dict[tuple[int, ...], int] = {}
        for value in range(STARTS[category], STARTS[category + 1]):
            sets.setdefault(KEYS[value][1][: _SET_RANKS[category]], value)
        found += sets.values()
    return sorted(found)


def _may_be(value: int, rules: ThorinRules) -> bool:
    return is_claim(full_claim(value), rules)


IMPRESSED_FROM = THREE
"""The category from which on it believes nothing."""


def beginner(view: ThorinView, chance: Random) -> int:
    """Takes whatever is below three of a kind and challenges the rest; keeps sets alone; lies only if it must.

    It names the hand exactly as it is, or, when that is not enough, the least that it may.
    """
    standing = standing_of(view)
    if standing.phase == RESPOND:
        impressed = category_of(standing.claim) >= IMPRESSED_FROM
        return CHALLENGE if impressed or TAKE not in view.legal.answers else TAKE
    if standing.phase == DISCARDING:
        hand = hand_of(view)
        ranks = [rank_of(card) for card in hand]
        return discard_of([card for card in hand if card != JOKER and ranks.count(rank_of(card)) == 1])
    value = worth(view)
    return full_claim(value) if value > view.floor else least_lie(view)


def binomial(view: ThorinView, chance: Random) -> int:
    """Takes or challenges, whichever is worth more; draws to what beats the declaration; and says what it then holds.

    A declaration is true as often as the draws would make it so, for somebody who lies only if he must.
    """
    standing = standing_of(view)
    if standing.phase == RESPOND:
        story = story_of(view)
        return answered(prospects(floor_of(standing.claim), story.truth(), story), view)
    if standing.phase == DISCARDING:
        hand, higher = hand_of(view), next_value(view.floor, view.rules)
        return discard_but(hand if higher is None else best_keep(hand, higher, view.rules)[1], hand)
    value = worth(view)
    return full_claim(value) if value > view.floor else least_lie(view)


_STUCK = 0.6
"""How likely somebody who takes the hand and cannot better it is to go out."""

_HAVING_IT = 0.8
"""What it is worth to have something true to declare, in parts of what somebody else's going out is worth."""

_LIES_UP_TO = 1
_DECLARES_UP_TO = 3
"""So many categories above the floor's are thought of, for lies while it discards, and when it declares."""

_ROUTINE = 0.3
"""A declaration that is less likely to be challenged is accepted as routine."""

_TRICK_FROM = 3
"""Kickers can be improved on at least so often before a set is broken."""

_SEVERAL = 4
"""Among so many players one sits several seats away, and a bluff that is told early may come to him."""


@dataclass(frozen=True, slots=True)
class Bluffer:
    """A player who lies where a lie is likely to be taken, and tells the truth where it is likely to be challenged.

    Attributes:
        whim: how far it may misjudge what a declaration is worth, by chance, so that nobody can tell what it will say.
        tricks: the chance of a trick where there is one: with more than two players, to break a set that it goes on
            naming; with more than three, to open with a bluff that is easily improved.
    """

    whim: float = 0.05
    tricks: float = 0.1

    def __call__(self, view: ThorinView, chance: Random) -> int:
        """Takes or challenges by how the declaration sounds; discards and declares by how that will sound."""
        standing = standing_of(view)
        if standing.phase == RESPOND:
            value, story = floor_of(standing.claim), story_of(view)
            return answered(prospects(value, believed(value, story), story, wary=True), view)
        if standing.phase == DISCARDING:
            return discard_but(self._kept(view, chance), hand_of(view))
        return full_claim(self._declared(view, chance))

    def _declared(self, view: ThorinView, chance: Random) -> int:
        """The value to declare: a set that it has broken or never had, or whatever seems to be worth most."""
        mine, thrown = worth(view), view.stints[-1].thrown
        story = _told_to_next(view, len(thrown))
        if story.before == NO_CLAIM and story.players >= _SEVERAL and chance.random() < self.tricks:
            choice: Sequence[int] = _early_bluffs(mine, story)
        else:
            choice = same_set(view.floor, view.rules) if _in_set(thrown, view) else ()
        if not choice:
            choice = thought_of(view.floor, mine, _DECLARES_UP_TO, view.rules, chance)
        return max((_worth_of(value, mine, story) + chance.gauss(0, self.whim), value) for value in choice)[1]

    def _kept(self, view: ThorinView, chance: Random) -> Cards:
        """What it keeps: the more cards it throws, the better the draw, and the less it will be believed."""
        hand, mine, least = hand_of(view), worth(view), next_value(view.floor, view.rules)
        if least is None:
            return hand
        broken = _broken(view)
        if broken is not None and len(view.alive) > 2 and chance.random() < self.tricks:
            return broken
        lies = thought_of(view.floor, view.floor, _LIES_UP_TO, view.rules, chance)
        having_it = _HAVING_IT / (len(view.alive) - 1)
        lying: dict[int, float] = {}
        offers = []
        for kept in keeps(hand):
            thrown = HAND_CARDS - len(kept)
            if thrown not in lying:
                story = _told_to_next(view, thrown)
                lying[thrown] = max(_worth_of(value, view.floor, story) for value in lies)
            has = reach(kept, least, view.rules)
            worth_it = has * having_it + (1 - has) * lying[thrown]
            offers.append((round(worth_it, 3), reach(kept, mine + 1, view.rules), kept))
        return max(offers)[2]


def _worth_of(value: int, mine: int, story: Story) -> float:
    """What a declaration is worth: -1 for going out, 1 for being the only one left.

    Args:
        value: what would be declared.
        mine: what the hand is worth.
        story: what the next player knows of it.
    """
    gain = 1.0 / (story.players - 1)
    higher = next_value(value, story.rules)
    if value < mine:
        bettered = 1.0
    elif value == mine:
        bettered = improvable(value, story.rules)
    else:
        bettered = 0.0 if higher is None else reach((), higher, story.rules)
    doubted = challenged(value, story)
    return (gain if value <= mine else -1.0) * doubted + (1.0 - doubted) * _STUCK * (1.0 - bettered) * gain


def _told_to_next(view: ThorinView, thrown: int) -> Story:
    """What the next player will know of the hand: of two players, the one who passed it on."""
    before = NO_CLAIM if view.standing is None else view.standing.claim
    known = view.stints[-1].taken if len(view.alive) == 2 and before != NO_CLAIM else None
    return Story(before, known, (thrown,), len(view.alive), view.rules)


def _in_set(cards: Sequence[int], view: ThorinView) -> bool:
    """Whether one of the cards belongs to the set that was declared last."""
    better = same_set(view.floor, view.rules)
    return bool(better) and any(card != JOKER and rank_of(card) == KEYS[view.floor][1][0] for card in cards)


def _early_bluffs(mine: int, story: Story) -> list[int]:
    """Declarations to open with that are not true, are likely to be taken, and may go around for long.

    "If you want to try and knock out a player several seats away, try making an easily improvable bluff early in the
    round."
    """
    return [value for value in easy_sets() if value > mine and challenged(value, story) < _ROUTINE]


def _broken(view: ThorinView) -> Cards | None:
    """The hand without a card of the set declared, and without its kickers; `None` if that would be no trick.

    "Another funny trick you can pull is to discard cards that are part of a set, and then name the same set with
    improved kickers, assuming the next player will routinely accept it."
    """
    better = same_set(view.floor, view.rules)
    if len(better) < _TRICK_FROM or worth(view) < view.floor:
        return None
    rank = KEYS[view.floor][1][0]
    kept = [card for card in hand_of(view) if card == JOKER or rank_of(card) == rank][1:]
    story = _told_to_next(view, HAND_CARDS - len(kept) - 1)
    return tuple(kept) if challenged(better[len(better) // 2], story) < _ROUTINE else None


bluffer = Bluffer()
