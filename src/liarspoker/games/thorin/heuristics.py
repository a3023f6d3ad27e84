"""How a player of Thorin's game judges draws and declarations: the bots' heuristics, as functions on ints.

`bots` calls them on a view, and the engine compiles them as they are, but for `between`, `fraction` and `normal`, in
whose place it has its own. A hand is a mask of `liarspoker.core.cards.deck.mask_of`.

* What a player under the gun takes into account: is the declaration true, and what would become of it if it took. "If
  the active player names a hand that's difficult to improve on and you're under the gun, you should usually challenge"
  (source 002): a taker must name better, and who can't has to lie to the next player.
* How a declaration sounds to somebody who knows that players lie, and who takes the next player's place.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, cards_in
from liarspoker.core.cards.hand_values import (
    CATEGORIES,
    FOUR,
    KEY_LENGTHS,
    KEYS,
    PAIR,
    STARTS,
    THREE,
    TWO_PAIR,
    VALUE_OF,
)
from liarspoker.games.thorin.actions import CHALLENGE, DISCARD, PASS, TAKE
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.listed import ALL_WORDS, NO_VALUE, WORD_BITS, Ladder, floor_of, is_claim, value_above
from liarspoker.games.thorin.outlook import (
    Desk,
    best_keep,
    by_throwing,
    improvable,
    keeps_of,
    reach,
    singles,
    was_better,
)

NOT_INLINED = ("challenged", "considered", "consider", "same_set", "story_reach", "worth_of")
"""Functions that the engine doesn't inline, because they are long or called from many places."""

_CATEGORIES = len(CATEGORIES)
_FULL = tuple(ALL_WORDS ^ (ALL_WORDS >> length) for length in KEY_LENGTHS)
"""The words that name every rank, for each category."""

_SET_RANKS = tuple({PAIR: 1, TWO_PAIR: 2, THREE: 1, FOUR: 1}.get(category, 0) for category in range(_CATEGORIES))
"""How many ranks make the set of each category; the rest are kickers."""

_BEST_PAIRS = tuple(
    VALUE_OF[PAIR, (pair, *[rank for rank in range(12, -1, -1) if rank != pair][:3])] for pair in range(13)
)
"""For each rank, its pair with the best kickers."""


def between(chance: Any, low: int, high: int) -> int:
    """A uniform int from `low` to `high`."""
    number: int = chance.randint(low, high)
    return number


def fraction(chance: Any) -> float:
    """A uniform float from 0 to just below 1."""
    number: float = chance.random()
    return number


def normal(chance: Any) -> float:
    """A float of the standard normal distribution."""
    number: float = chance.gauss(0.0, 1.0)
    return number


CAUGHT = 0.5
"""How likely it is that a lie told in need is challenged, where nothing more is known."""

_COUNT_BITS = 3
_COUNTS = (1 << 60) - 1


class Story(NamedTuple):
    """What somebody knows of the hand that a declaration is about.

    Attributes:
        claim: the declaration, and
        before: what stood before it; `NO_CLAIM` at the opening.
        known: the hand when that player last passed it on in this round; 0 if only what was promised is known.
        throws: how many cards have been thrown since, by each who had the hand, three bits each, the last one lowest.
        turns: how many have had it since.
        players: how many are still in.
    """

    claim: int
    before: int
    known: int
    throws: int
    turns: int
    players: int


def begun(known: int, players: int) -> Story:
    """What is known before the first action of a round is told."""
    return Story(NO_CLAIM, NO_CLAIM, known, 0, 0, players)


def story_with(story: Story, action: int, is_own: bool) -> Story:
    """What is known after one more action of the round.

    Args:
        story: what was known before it.
        action: as the player who knows it sees it.
        is_own: that player did it.
    """
    if action >= 0:
        return Story(action, story.claim, story.known, story.throws, story.turns, story.players)
    if action > DISCARD:
        return story
    if is_own:
        return Story(story.claim, story.before, story.known, 0, 0, story.players)
    thrown = discarded(action)
    throws = (story.throws << _COUNT_BITS | thrown) & _COUNTS
    return Story(story.claim, story.before, story.known, throws, story.turns + 1, story.players)


def discarded(action: int) -> int:
    """How many cards a discard throws, seen or unseen."""
    packed = DISCARD - action
    return cards_in(packed & (4 << JOKER) - 1) + (packed >> JOKER + 2)


def told_to_next(turn: Turn, thrown: int) -> Story:
    """What the next player will know of a hand of which so many cards are thrown.

    Of two players it is the one who passed it on before.
    """
    known = turn.taken if turn.players == 2 and turn.claim != NO_CLAIM else 0
    return Story(NO_CLAIM, turn.claim, known, thrown, 1, turn.players)


def story_reach(value: int, story: Story, desk: Desk) -> float:
    """The probability that the hand is now worth `value` or more, had everybody drawn to that."""
    if story.before == NO_CLAIM:
        return reach(0, value, desk)
    hand, turns, fails = story.known, story.turns, 1.0
    if hand == 0:
        fails -= was_better(story.before, value, desk)
        hand, turns = desk.models[floor_of(story.before)], min(1, story.turns)
    for turn in range(turns):
        thrown = story.throws >> _COUNT_BITS * (turns - 1 - turn) & 7
        fails *= 1.0 - by_throwing(hand, thrown, value, desk)
    return 1.0 - fails


def truth_of(story: Story, desk: Desk) -> float:
    """The probability that the hand beats what stood before: then there was something true to declare."""
    least = value_above(floor_of(story.before), desk.ladder)
    return 0.0 if least == NO_VALUE else story_reach(least, story, desk)


def prospects(value: int, truth: float, players: int, is_wary: bool, desk: Desk) -> tuple[float, float]:
    """What a challenge, and taking the hand, is worth: -1 for going out, 1 for being the only one left.

    Args:
        value: what is promised.
        truth: the probability that it is true.
        players: how many are still in.
        is_wary: the player expects that the next one knows how hard the hand was to improve on, and that the harder it
            was, the likelier a lie is to be challenged; if not, that is as likely as `CAUGHT` says.
        desk: room to work in.
    """
    challenge = (1.0 - truth) * (1.0 / (players - 1)) - truth
    higher = value_above(value, desk.ladder)
    if higher == NO_VALUE:
        return challenge, -1.0
    improves = truth * improvable(value, desk) + (1.0 - truth) * reach(0, higher, desk)
    return challenge, -(1.0 - improves) * (1.0 - improves if is_wary else CAUGHT)


DOUBT = 0.1
"""Whatever the draws say, a declaration is false, and true, with at least this probability."""

OTHERS_DOUBT = 0.3
"""The same of an opening, as one supposes the others to think of one's own."""

_SMALL_LIES = 0.5
"""This share of the lies told after the opening are as small as they may be; the rest are great. At the opening all."""

_SMALL, _GREAT = 6, 3
"""How much such lies crowd at their end of all that could be true: powers of the distance from the other end."""

_WHIM = 0.3
"""The probability that the next player answers at random."""

_FIRMNESS = 0.1
"""Two answers of which one is worth so much more than the other: the odds are e to 1 that it is given."""


def believed(value: int, story: Story, doubt: float, desk: Desk) -> float:
    """The probability that a declaration of `value` is true, by how much of what could be true it leaves below itself.

    Who has something true to say may have anything; who lies says little more than necessary, or far too much.

    Args:
        value: what is promised.
        story: what is known of the hand.
        doubt: the least probability that an opening is false.
        desk: room to work in.
    """
    is_opening = story.before == NO_CLAIM
    room = truth_of(story, desk)
    prior = min(1.0 - (doubt if is_opening else DOUBT), max(DOUBT, room))
    below = 1.0 - story_reach(value, story, desk) / room if room > 0.0 else 0.0
    small = 0.0 if is_opening else _SMALL_LIES
    cube = (1.0 - below) * (1.0 - below) * (1.0 - below)
    lie = small * (1 + _SMALL) * (cube * cube) + (1.0 - small) * (1 + _GREAT) * (below * below * below)
    return prior / (prior + (1.0 - prior) * lie)


def challenged(value: int, story: Story, desk: Desk) -> float:
    """How likely the next player is to challenge a declaration of `value`.

    That may be somebody who thinks that people lie only if they must, or who is as suspicious as this.

    Args:
        value: what would be declared.
        story: what the next player knows of the hand.
        desk: room to work in.
    """
    chance = _WHIM / 2
    for truth in (truth_of(story, desk), believed(value, story, OTHERS_DOUBT, desk)):
        challenge, take = prospects(value, truth, story.players, False, desk)
        chance += (1 - _WHIM) / 2 / (1.0 + math.exp((take - challenge) / _FIRMNESS))
    return chance


WORTH_A_PASS = -0.3
"""A pass is spent when neither answer is worth more than that."""

IMPRESSED_FROM = THREE
"""The category from which on the Beginner believes nothing."""

_DRAWN = 8
"""So many values are thought of by chance."""

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
"""Among so many players one sits several seats away, and a bluff that is told early may come to that one."""

_UNTOLD = -9.0
_NO_TRICK = -1


class Turn(NamedTuple):
    """What a seat knows when it is to act.

    Attributes:
        claim: what stands.
        players: how many are still in.
        may_take, may_pass: which answers are legal.
        hand: the hand, and
        mine: what it is worth, where the seat has it.
        taken: the hand as the seat got it, and
        thrown: what it has thrown of it.
    """

    claim: int
    players: int
    may_take: bool
    may_pass: bool
    hand: int
    mine: int
    taken: int
    thrown: int


def full_claim(value: int, ladder: Ladder) -> int:
    """The claim that names every rank of `value`."""
    return value << WORD_BITS | _FULL[ladder.categories[value]]


def beginners_answer(turn: Turn, ladder: Ladder) -> int:
    """Take whatever is below three of a kind, and challenge the rest."""
    return TAKE if turn.may_take and ladder.categories[floor_of(turn.claim)] < IMPRESSED_FROM else CHALLENGE


def beginners_discard(hand: int) -> int:
    """Throw all but sets."""
    return DISCARD - singles(hand)


def true_or_least(turn: Turn, ladder: Ladder) -> int:
    """Declare the hand exactly as it is, or, when that isn't enough, the least that may be declared."""
    floor = floor_of(turn.claim)
    return full_claim(turn.mine if turn.mine > floor else value_above(floor, ladder), ladder)


def calculators_answer(turn: Turn, story: Story, desk: Desk) -> int:
    """Take or challenge, taking a declaration to be true as often as somebody who lies only in need would tell it."""
    truth = truth_of(story, desk)
    return answered(prospects(floor_of(turn.claim), truth, turn.players, False, desk), turn)


def calculators_discard(turn: Turn, desk: Desk) -> int:
    """Draw to what beats the declaration."""
    higher = value_above(floor_of(turn.claim), desk.ladder)
    return DISCARD if higher == NO_VALUE else DISCARD - (turn.hand - best_keep(turn.hand, higher, desk)[1])


def bluffers_answer(turn: Turn, story: Story, desk: Desk) -> int:
    """Take or challenge by how the declaration sounds."""
    value = floor_of(turn.claim)
    truth = believed(value, story, DOUBT, desk)
    return answered(prospects(value, truth, turn.players, True, desk), turn)


def answered(either: tuple[float, float], turn: Turn) -> int:
    """Take or challenge, whichever is worth more; a pass, if there is one left, when both are bad."""
    challenge, take = either
    if turn.may_pass and max(challenge, take) < WORTH_A_PASS:
        return PASS
    return CHALLENGE if challenge > take or not turn.may_take else TAKE


def bluffers_discard(turn: Turn, tricks: float, chance: Any, desk: Desk) -> int:
    """Discard: the more cards are thrown, the better the draw, and the less what follows will be believed."""
    floor = floor_of(turn.claim)
    least = value_above(floor, desk.ladder)
    if least == NO_VALUE:
        return DISCARD
    broken = broken_set(turn, desk)
    if broken != _NO_TRICK and turn.players > 2 and fraction(chance) < tricks:
        return DISCARD - (turn.hand - broken)
    lies = consider(floor, floor, _LIES_UP_TO, chance, desk.ladder, desk)
    having_it = _HAVING_IT / (turn.players - 1)
    for thrown in range(HAND_CARDS + 1):
        desk.lying[thrown] = _UNTOLD
    best, better, chosen = -2, -1.0, 0
    for place in range(keeps_of(turn.hand, desk)):
        kept = desk.keeps[place]
        thrown = HAND_CARDS - cards_in(kept)
        if desk.lying[thrown] == _UNTOLD:
            story = told_to_next(turn, thrown)
            for lie in range(lies):
                worth = worth_of(desk.values[lie], floor, story, desk)
                desk.lying[thrown] = max(desk.lying[thrown], worth)
            keeps_of(turn.hand, desk)  # that was overwritten by whoever would take the hand
        has = reach(kept, least, desk)
        worth_it = math.floor(1000 * (has * having_it + (1 - has) * desk.lying[thrown]) + 0.5)
        improves = reach(kept, turn.mine + 1, desk)
        if (worth_it, improves, kept) > (best, better, chosen) or place == 0:
            best, better, chosen = worth_it, improves, kept
    return DISCARD - (turn.hand - chosen)


def bluffers_claim(turn: Turn, whim: float, tricks: float, chance: Any, desk: Desk) -> int:
    """Declare a set that was broken or never was there, or whatever seems to be worth most."""
    floor, mine = floor_of(turn.claim), turn.mine
    story = told_to_next(turn, cards_in(turn.thrown))
    count = 0
    if story.before == NO_CLAIM and turn.players >= _SEVERAL and fraction(chance) < tricks:
        count = early_bluffs(mine, story, desk)
    elif turn.thrown >> 4 * first_key(floor, desk.ladder) & 15:
        count = same_set(floor, desk.ladder, desk)
    if count == 0:
        count = consider(floor, mine, _DECLARES_UP_TO, chance, desk.ladder, desk)
    best, chosen = -9.0, 0
    for place in range(count):
        value = desk.values[place]
        worth = worth_of(value, mine, story, desk) + whim * normal(chance)
        if worth >= best:
            best, chosen = worth, value
    return full_claim(chosen, desk.ladder)


def worth_of(value: int, mine: int, story: Story, desk: Desk) -> float:
    """What a declaration is worth: -1 for going out, 1 for being the only one left.

    Args:
        value: what would be declared.
        mine: what the hand is worth.
        story: what the next player knows of it.
        desk: room to work in.
    """
    gain = 1.0 / (story.players - 1)
    higher = value_above(value, desk.ladder)
    if value < mine:
        bettered = 1.0
    elif value == mine:
        bettered = improvable(value, desk)
    else:
        bettered = 0.0 if higher == NO_VALUE else reach(0, higher, desk)
    doubted = challenged(value, story, desk)
    return (gain if value <= mine else -1.0) * doubted + (1.0 - doubted) * _STUCK * (1.0 - bettered) * gain


def consider(floor: int, mine: int, upwards: int, chance: Any, ladder: Ladder, desk: Desk) -> int:
    """Write values that may be declared into `desk.values`, ascending, and return how many, some if there are any.

    The least that may be; the truth; the best of every category, which are the hardest to improve on; the hand's pair
    with the best kickers; and some by chance, true ones too.

    Args:
        floor: the value to be beaten.
        mine: what the hand is worth.
        upwards: how many categories above the floor's are thought of.
        chance: draws some more.
        ladder: the table's.
        desk: room to work in.
    """
    top = max(mine, STARTS[min(_CATEGORIES, ladder.categories[floor] + upwards + 1)] - 1)
    count = considered(mine, floor, top, 0, ladder, desk)
    for category in range(_CATEGORIES):
        count = considered(STARTS[category + 1] - 1, floor, top, count, ladder, desk)
    count = considered(value_above(floor, ladder), floor, top, count, ladder, desk)
    count = considered(_BEST_PAIRS[first_key(mine, ladder)], floor, top, count, ladder, desk)
    for _ in range(_DRAWN):
        count = considered(between(chance, floor, top), floor, top, count, ladder, desk)
    if mine > floor:
        for _ in range(_DRAWN // 2):
            count = considered(between(chance, floor, mine), floor, top, count, ladder, desk)
    return count


def considered(value: int, floor: int, top: int, count: int, ladder: Ladder, desk: Desk) -> int:
    """Insert a value among so many in `desk.values`, unless it is there or may not be; how many there are then."""
    if not floor < value <= top or not is_claim(full_claim(value, ladder), ladder):
        return count
    place = count
    while place > 0 and desk.values[place - 1] > value:
        place -= 1
    if place > 0 and desk.values[place - 1] == value:
        return count
    for later in range(count - place):
        desk.values[count - later] = desk.values[count - later - 1]
    desk.values[place] = value
    return count + 1


def same_set(floor: int, ladder: Ladder, desk: Desk) -> int:
    """Write the values that have the set of `floor`, a pair or more, and better kickers; return how many.

    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> from liarspoker.games.thorin.outlook import new_desk
    >>> desk = new_desk(packed(ThorinOptions(), seats=4))
    >>> count = same_set(VALUE_OF[TWO_PAIR, (8, 3, 9)], desk.ladder, desk)  # 10-10-5-5-J
    >>> [KEYS[value][1] for value in desk.values[:count]]
    [(8, 3, 10), (8, 3, 11), (8, 3, 12)]
    """
    category = ladder.categories[floor]
    unnamed = 4 * (WORD_BITS - _SET_RANKS[category])
    count, value = 0, floor + 1
    if _SET_RANKS[category]:
        while value < STARTS[category + 1] and ladder.keys[value] >> unnamed == ladder.keys[floor] >> unnamed:
            count = considered(value, floor, value, count, ladder, desk)
            value += 1
    return count


def first_key(value: int, ladder: Ladder) -> int:
    """The rank that decides first in a value: of a set, its own."""
    return (ladder.keys[value] >> 4 * (WORD_BITS - 1)) - 1


def early_bluffs(mine: int, story: Story, desk: Desk) -> int:
    """Write declarations to open with that are false, are likely to be taken, and may go around for long.

    "If you want to try and knock out a player several seats away, try making an easily improvable bluff early in the
    round."
    """
    count = 0
    for value in EASY_SETS:
        if value > mine and challenged(value, story, desk) < _ROUTINE:
            desk.values[count] = value
            count += 1
    return count


def broken_set(turn: Turn, desk: Desk) -> int:
    """The hand without a card of the set declared, and without its kickers; -1 if that would be no trick.

    "Another funny trick you can pull is to discard cards that are part of a set, and then name the same set with
    improved kickers, assuming the next player will routinely accept it."
    """
    floor = floor_of(turn.claim)
    better = same_set(floor, desk.ladder, desk)
    if better < _TRICK_FROM or turn.mine < floor:
        return _NO_TRICK
    kept = turn.hand & 15 << 4 * first_key(floor, desk.ladder)
    if kept:
        kept &= kept - 1
        kept += turn.hand >> JOKER << JOKER
    elif turn.hand >> JOKER:
        kept = (turn.hand >> JOKER) - 1 << JOKER
    story = told_to_next(turn, HAND_CARDS - cards_in(kept) - 1)
    middle = desk.values[better // 2]
    return kept if challenged(middle, story, desk) < _ROUTINE else _NO_TRICK


# From here on nothing is compiled.


def _easy_sets() -> tuple[int, ...]:
    """Every pair and two pair with the worst kickers, which is easily improved on; ascending."""
    sets: dict[tuple[int, ...], int] = {}
    for category in (PAIR, TWO_PAIR):
        for value in range(STARTS[category], STARTS[category + 1]):
            sets.setdefault((category, *KEYS[value][1][: _SET_RANKS[category]]), value)
    return tuple(sorted(sets.values()))


EASY_SETS = _easy_sets()
