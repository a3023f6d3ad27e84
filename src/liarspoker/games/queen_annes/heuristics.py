"""How a player weighs hands that can be named: the heuristics of the bots, as functions on ints and flat sequences.

`bots` calls them on a view, and the engine compiles them as they are. The cards that a player doesn't see are a random
draw from the rest of the deck. Someone who names a hand is assumed to see it: the cards of it that the two players
don't both see are among those that only the other player sees.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from functools import lru_cache
from itertools import chain
from math import comb
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_CLAIM, NO_SUIT
from liarspoker.core.cards.deck import JOKER, cards_in, deck_size
from liarspoker.games.queen_annes.ladder import KIND_BITS, all_wants, held, named_hand, wild_mask
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.state import CHALLENGE

LIKELY = 6
"""Two pairs and full houses are considered of this many ranks."""

NEAR = 6
"""This many hands just above the standing one are always considered."""

MISSING = 2
"""A flush that lacks more cards than this, of those seen, isn't considered."""

CERTAIN = 10**9
"""Probabilities are compared in units of one over this."""

MOST_CLAIMS = 256
"""More hands are never considered at once."""

WAYS = 21 * 6
"""The size of `Desk.ways`: up to 20 cards drawn, of which up to 5 are lacking."""

MEMO = 32_749
"""How many probabilities are remembered."""

UNKNOWN = -2

NOT_INLINED = ("_drawn_enough", "_likely_ranks", "believing", "consider", "sight_of")
"""Functions that the engine doesn't inline, because they are long or called from many places."""

_SIZE = JOKER + 3
_RANKS = 13
_PAIRS = _RANKS * _RANKS
_HANDS_OF_SUIT = 1 << _RANKS
_PLAIN = (1 << JOKER) - 1
_BITS = tuple(mask.bit_count() for mask in range(16))


class Sight(NamedTuple):
    """What a player knows of the pool, in ints.

    Attributes:
        seen: the cards in the pool that the player sees and that aren't wild, as a mask: bit c for card c.
        away: the cards that the player doesn't see and that aren't wild, in the pool or not, as a mask.
        held: how many of the cards seen are of each rank, four bits a rank.
        left: how many of those away are of each rank, four bits a rank.
        held_wilds: wild cards seen.
        left_wilds: wild cards not seen.
        unseen: all cards not seen.
        unknown: how many of those are in the pool.
    """

    seen: int
    away: int
    held: int
    left: int
    held_wilds: int
    left_wilds: int
    unseen: int
    unknown: int


class Hints(NamedTuple):
    """What the claims of the other players suggest they see: `Sight.left` and `Sight.away` of it."""

    ranks: int
    cards: int


NO_HINTS = Hints(0, 0)


class Ladder(NamedTuple):
    """The claims of a ladder by what they name, and binomial coefficients.

    Attributes:
        wants: what must be in the pool for each claim, from `ladder.all_wants`.
        singles: claims that depend neither on two ranks nor on a suit, ascending.
        doubles: two pairs, then full houses, by 13 times one rank plus the other.
        suited: for each suit in turn its flushes and straight flushes, ascending, and
        suited_ranks: their ranks as masks.
        choose: how many ways there are to choose k of n, at 55 n + k.
    """

    wants: Sequence[int]
    singles: Sequence[int]
    doubles: Sequence[int]
    suited: Sequence[int]
    suited_ranks: Sequence[int]
    choose: Sequence[float]


class Desk(NamedTuple):
    """Room to work in, and what has been worked out before.

    Attributes:
        claims: the claims that are considered.
        ways: in how many ways so many cards can be drawn of which so many are lacking.
        strongest: for each suit, cards seen of it and number of cards missing, the strongest such flush, or `UNKNOWN`.
        keys: which probabilities are remembered, and
        chances: those probabilities.
    """

    claims: MutableSequence[int]
    ways: MutableSequence[float]
    strongest: MutableSequence[int]
    keys: MutableSequence[int]
    chances: MutableSequence[float]


@lru_cache(maxsize=32)
def ladder_of(rules: QueenAnnesRules) -> Ladder:
    """The claims of a table's ladder."""
    wants = all_wants(rules)
    singles: list[int] = []
    doubles = [NO_CLAIM] * (2 * _PAIRS)
    suited: list[list[int]] = [[], [], [], []]
    masks: list[list[int]] = [[], [], [], []]
    for claim, want in enumerate(wants):
        ranks, suit = named_hand(claim, rules).ranks, (want >> 4 & 7) - 1
        if suit != NO_SUIT:
            suited[suit].append(claim)
            masks[suit].append(sum(1 << (want >> KIND_BITS * place & 15) for place in range(5)))
        elif len(ranks) < 2:
            singles.append(claim)
        elif want >> 7 & 7 == 3:
            doubles[_PAIRS + _RANKS * ranks[0] + ranks[1]] = claim
        else:
            doubles[_RANKS * ranks[0] + ranks[1]] = doubles[_RANKS * ranks[1] + ranks[0]] = claim
    choose = tuple(float(comb(n, k)) for n in range(_SIZE) for k in range(_SIZE))
    return Ladder(wants, tuple(singles), tuple(doubles), tuple(chain(*suited)), tuple(chain(*masks)), choose)


def sight_of(known: int, unknown: int, rules: QueenAnnesRules) -> Sight:
    """What a player knows who sees the cards of a mask, jokers included, while `unknown` more are in the pool."""
    wild = wild_mask(rules)
    every = _PLAIN & ~wild
    seen = known & every
    away = every & ~seen
    here, left, held_wilds, left_wilds = 0, 0, known >> JOKER, rules.jokers - (known >> JOKER)
    for rank in range(_RANKS):
        here |= held(rank, NO_SUIT, seen) << 4 * rank
        left |= held(rank, NO_SUIT, away) << 4 * rank
        held_wilds += held(rank, NO_SUIT, known & wild)
        left_wilds += held(rank, NO_SUIT, wild & ~known)
    return Sight(seen, away, here, left, held_wilds, left_wilds, deck_size(rules.jokers) - cards_in(known), unknown)


def with_unknown(sight: Sight, unknown: int) -> Sight:
    """The same with another number of unseen cards in the pool."""
    seen, away, here, left, held_wilds, left_wilds, unseen, _ = sight
    return Sight(seen, away, here, left, held_wilds, left_wilds, unseen, unknown)


def hints_with(hints: Hints, claim: int, shared: int, sight: Sight, ladder: Ladder) -> Hints:
    """What is suggested by one more claim.

    Players who name the same rank may mean the same cards, so the greatest number counts.

    Args:
        hints: of the claims before.
        claim: what another player has named.
        shared: the cards that both players see and that aren't wild, as a mask.
        sight: what the listener sees.
        ladder: the table's claims.
    """
    ranks, cards, want = hints.ranks, hints.cards, ladder.wants[claim]
    while want > 0:
        rank, suit = want & 15, (want >> 4 & 7) - 1
        if suit != NO_SUIT:
            cards |= sight.away & 1 << 4 * rank + suit
        else:
            more = max(ranks >> 4 * rank & 15, (want >> 7 & 7) - held(rank, NO_SUIT, shared))
            ranks = ranks & ~(15 << 4 * rank) | more << 4 * rank
        want >>= KIND_BITS
    return Hints(ranks, cards)


def believing(sight: Sight, hints: Hints) -> Sight:
    """What a player knows who takes the hinted cards to be in the pool too, as far as there is room for them."""
    here, left, unknown = sight.held, sight.left, sight.unknown
    for rank in range(_RANKS):
        more = min(hints.ranks >> 4 * rank & 15, left >> 4 * rank & 15, unknown)
        here += more << 4 * rank
        left -= more << 4 * rank
        unknown -= more
    seen, away, unseen = sight.seen | hints.cards, sight.away & ~hints.cards, sight.unseen - (sight.unknown - unknown)
    return Sight(seen, away, here, left, sight.held_wilds, sight.left_wilds, unseen, unknown)


def with_one_more(sight: Sight, above: int, ladder: Ladder) -> Sight:
    """The sight with one more card, if there may be one: of the rank named last, or else of which most are seen."""
    rank = 0
    if above != NO_CLAIM:
        rank = ladder.wants[above] & 15
    else:
        for other in range(_RANKS):
            if sight.held >> 4 * other & 15 >= sight.held >> 4 * rank & 15:
                rank = other
    return believing(sight, Hints(1 << 4 * rank, 0))


def chance_of(claim: int, sight: Sight, ladder: Ladder, desk: Desk) -> float:
    """The probability that the pool holds the hand that `claim` names."""
    kinds, rest, want = 0, sight.unseen - sight.left_wilds, ladder.wants[claim]
    while want > 0:
        rank, suit = want & 15, (want >> 4 & 7) - 1
        if suit == NO_SUIT:
            left, need = sight.left >> 4 * rank & 15, (want >> 7 & 7) - (sight.held >> 4 * rank & 15)
        else:
            left, need = sight.away >> 4 * rank + suit & 1, 1 - (sight.seen >> 4 * rank + suit & 1)
        if need > 0:
            kind, place = left << 3 | need, 0
            while kinds >> place and kinds >> place & 63 < kind:
                place += 6
            kinds = kinds >> place << place + 6 | kind << place | kinds & (1 << place) - 1
            rest -= left
        want >>= KIND_BITS
    if kinds == 0:
        return 1.0
    rest = max(0, rest)
    key = (((kinds << 6 | sight.left_wilds) << 6 | sight.held_wilds) << 6 | rest) << 6 | sight.unknown
    slot = (key ^ key >> 17 ^ key >> 34) % MEMO
    if desk.keys[slot] != key:
        desk.chances[slot] = _drawn_enough(kinds, rest, sight, ladder, desk)
        desk.keys[slot] = key
    return desk.chances[slot]


def _drawn_enough(kinds: int, rest: int, sight: Sight, ladder: Ladder, desk: Desk) -> float:
    """The probability that what is lacking of the kinds is no more than there are wild cards.

    Args:
        kinds: six bits each: how many cards of it aren't seen, and how many are needed in the lowest three.
        rest: cards not seen that are neither wild nor of these kinds.
        sight: what the player knows.
        ladder: the table's claims.
        desk: room to work in.
    """
    ways, wilds, unknown = desk.ways, sight.left_wilds, sight.unknown
    for place in range(WAYS):
        ways[place] = 0.0
    ways[0] = 1.0
    unseen, most = rest + wilds, 0
    while kinds > 0:
        left, need = kinds >> 3 & 7, kinds & 7
        for place in range(6 * most + 5, -1, -1):
            before = ways[place]
            if before > 0.0:
                ways[place] = 0.0
                for more in range(left + 1):
                    lacking = place % 6 + max(0, need - more)
                    if lacking <= 5:
                        ways[place - place % 6 + 6 * more + lacking] += before * ladder.choose[_SIZE * left + more]
        unseen += left
        most += left
        kinds >>= 6
    enough = 0.0
    for place in range(min(6 * most + 6, WAYS)):
        if ways[place] > 0.0:
            others = unknown - place // 6
            for wild in range(max(0, place % 6 - sight.held_wilds), min(wilds, others) + 1):
                enough += (
                    ways[place] * ladder.choose[_SIZE * wilds + wild] * ladder.choose[_SIZE * rest + others - wild]
                )
    total = ladder.choose[_SIZE * unseen + unknown]
    return enough / total if total > 0.0 else 0.0


def shortfall(claim: int, sight: Sight, ladder: Ladder) -> float:
    """By how many cards what is seen, and a fair share of the rest, fall short of a hand; 0 if they don't."""
    share = sight.unknown / sight.unseen if sight.unseen else 0.0
    lacking, want = 0.0, ladder.wants[claim]
    while want > 0:
        rank, suit = want & 15, (want >> 4 & 7) - 1
        if suit == NO_SUIT:
            left, need = sight.left >> 4 * rank & 15, (want >> 7 & 7) - (sight.held >> 4 * rank & 15)
        else:
            left, need = sight.away >> 4 * rank + suit & 1, 1 - (sight.seen >> 4 * rank + suit & 1)
        lacking += max(0.0, need - left * share)
        want >>= KIND_BITS
    return max(0.0, lacking - sight.held_wilds - sight.left_wilds * share)


def consider(sight: Sight, believed: Sight, above: int, ladder: Ladder, desk: Desk) -> int:
    """Write the hands worth weighing into `desk.claims`, and return how many; some whenever there are any.

    Args:
        sight: what the player sees, and
        believed: what the player believes to see; the hands that either suggests are considered.
        above: the standing claim; all are stronger.
        ladder: the table's claims.
        desk: where they are written.
    """
    claims, count = desk.claims, 0
    for claim in range(above + 1, min(above + 1 + NEAR, len(ladder.wants))):
        claims[count] = claim
        count += 1
    for claim in ladder.singles:
        if claim > above + NEAR:
            claims[count] = claim
            count += 1
    one, other = _likely_ranks(sight), _likely_ranks(believed)
    for high in range(_RANKS):
        for low in range(high):
            both = 1 << high | 1 << low
            if one & both == both or other & both == both:
                for place in (_RANKS * high + low, _PAIRS + _RANKS * high + low, _PAIRS + _RANKS * low + high):
                    if ladder.doubles[place] > above:
                        claims[count] = ladder.doubles[place]
                        count += 1
    for suit in range(4):
        seen = _ranks_of(suit, sight.seen)
        more = _ranks_of(suit, believed.seen)
        for step in range(1 if more == seen else 2):
            count = _consider_suited(suit, more if step else seen, above, count, ladder, desk)
    return count


def _likely_ranks(sight: Sight) -> int:
    """The ranks of which there are most in the pool, as far as the player can tell, as a mask."""
    share = sight.unknown / sight.unseen if sight.unseen else 0.0
    likely = 0
    for _ in range(LIKELY):
        best, most = -1.0, 0
        for rank in range(_RANKS):
            expected = (sight.held >> 4 * rank & 15) + (sight.left >> 4 * rank & 15) * share
            if not likely >> rank & 1 and expected >= best:
                best, most = expected, rank
        likely |= 1 << most
    return likely


def _ranks_of(suit: int, cards: int) -> int:
    """Which ranks of a suit are in a mask of cards."""
    ranks = 0
    for rank in range(_RANKS):
        ranks |= (cards >> 4 * rank + suit & 1) << rank
    return ranks


def _bits(ranks: int) -> int:
    return _BITS[ranks & 15] + _BITS[ranks >> 4 & 15] + _BITS[ranks >> 8 & 15] + _BITS[ranks >> 12]


def _consider_suited(suit: int, seen: int, above: int, count: int, ladder: Ladder, desk: Desk) -> int:
    """For each number of cards that may be missing, consider the weakest and the strongest flush that lacks so many."""
    if _bits(seen) < 5 - MISSING:
        return count
    first = (suit * _HANDS_OF_SUIT + seen) * (MISSING + 1)
    each = len(ladder.suited) // 4
    if desk.strongest[first] == UNKNOWN:
        for missing in range(MISSING + 1):
            desk.strongest[first + missing] = NO_CLAIM
        for place in range(suit * each, (suit + 1) * each):
            missing = 5 - _bits(ladder.suited_ranks[place] & seen)
            if missing <= MISSING:
                desk.strongest[first + missing] = ladder.suited[place]
    open_numbers = 0
    for missing in range(MISSING + 1):
        if desk.strongest[first + missing] > above:
            desk.claims[count] = desk.strongest[first + missing]
            count += 1
            open_numbers |= 1 << missing
    low, high = suit * each, (suit + 1) * each
    while low < high:
        middle = (low + high) // 2
        if ladder.suited[middle] > above:
            high = middle
        else:
            low = middle + 1
    while open_numbers:
        missing = 5 - _bits(ladder.suited_ranks[low] & seen)
        if open_numbers >> missing & 1:
            open_numbers ^= 1 << missing
            desk.claims[count] = ladder.suited[low]
            count += 1
        low += 1
    return count


def credence(claim: int, sight: Sight, believed: Sight, trust: float, ladder: Ladder, desk: Desk) -> int:
    """How probable a claim is to a player who trusts so much, as a number of `CERTAIN`.

    It is a mean of the probability for a believer and for a sceptic.
    """
    chance = 0.0
    for step in range(2):
        weight = trust if step else 1.0 - trust
        if weight > 0.0:
            chance += weight * chance_of(claim, believed if step else sight, ladder, desk)
    return int(chance * CERTAIN + 0.5)


def challenges_out_of_turn(holds: int, players: int) -> bool:
    """Whether to challenge out of turn a hand that exists with a probability of `holds` out of `CERTAIN`.

    A wrong challenge loses a card, which costs the challenger as much as it gains all others together; after a right
    one, one of them loses a card, and the challenger shares that gain with the rest. Keeping quiet loses nothing yet.

    >>> challenges_out_of_turn(CERTAIN // 5, players=4), challenges_out_of_turn(CERTAIN // 5, players=6)
    (True, False)
    """
    return CERTAIN - holds > holds * (players - 1)


def fair_share_action(now: Sight, later: Sight, above: int, ladder: Ladder, desk: Desk) -> int:
    """The Beginner's action: the best hand to open with, or the least raise, that a fair share of the rest makes.

    Args:
        now: what the player sees.
        later: the same when the next player answers.
        above: the standing claim.
        ladder: the table's claims.
        desk: room to work in.
    """
    if above != NO_CLAIM and (above + 1 == len(ladder.wants) or shortfall(above, now, ladder) > 0.0):
        return CHALLENGE
    found = NO_CLAIM
    for place in range(consider(later, later, above, ladder, desk)):
        claim = desk.claims[place]
        is_better = claim > found if above == NO_CLAIM else claim < found
        if (found == NO_CLAIM or is_better) and shortfall(claim, later, ladder) == 0.0:
            found = claim
    if found == NO_CLAIM:
        return 0 if above == NO_CLAIM else CHALLENGE
    return found


def likeliest_action(
    now: Sight,
    later: Sight,
    hints: Hints,
    above: int,
    trust: float,
    nerve: float,
    is_bluffing: bool,
    ladder: Ladder,
    desk: Desk,
) -> int:
    """The likeliest hand, of equal ones the strongest, or a challenge if that is safer.

    A bluff builds on what is credible: the player pretends to see one more card. Whether to challenge is decided
    without it.

    Args:
        now: what the player sees.
        later: the same when the next player answers.
        hints: what the others' claims suggest.
        above: the standing claim.
        trust: how much the player believes of that, 0 to 1.
        nerve: a bluff must be so probable, in parts of the likeliest hand.
        is_bluffing: whether to try a bluff.
        ladder: the table's claims.
        desk: room to work in.
    """
    if above + 1 == len(ladder.wants):
        return CHALLENGE
    sight, likeliest, named = later, -1, NO_CLAIM
    for attempt in range(2 if is_bluffing else 1):
        believed, best, claim, holds = believing(sight, hints), -1, NO_CLAIM, CERTAIN
        count = consider(sight, believed, above, ladder, desk)
        for place in range(count + 1):
            considered = desk.claims[place]
            if place == count:  # the standing claim, or the bluff, as it looks without pretending
                sight, considered = later if attempt else now, claim if attempt else above
                believed = believing(sight, hints)
            if considered != NO_CLAIM:
                chance = credence(considered, sight, believed, trust, ladder, desk)
                if place == count:
                    holds = chance
                elif chance > best or (chance == best and considered > claim):
                    best, claim = chance, considered
        if attempt == 0 and CERTAIN - holds > best:
            return CHALLENGE
        if attempt == 0:
            likeliest, named, sight = best, claim, with_one_more(later, above, ladder)
        elif holds >= nerve * likeliest:
            named = claim
    return named
