"""Heuristics of the bots for Queen Anne's games, as functions on ints and flat sequences.

`bots` calls them on views, and the engine compiles them. Unseen cards are modeled as a random draw from the rest of the
deck. A player who names a hand is assumed to see it: its cards that the two players don't both see are among those that
only the other player sees.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from functools import lru_cache
from itertools import chain
from math import comb
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_CLAIM, NO_SUIT
from liarspoker.core.cards.deck import JOKER, cards_in, deck_size
from liarspoker.games.queen_annes.ladder import KIND_BITS, all_requirements, held, named_hand, wild_mask
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.state import CHALLENGE

LIKELY = 6
"""Number of ranks for which two pairs and full houses are considered."""

NEAR = 6
"""Number of hands just above the last claim that are always considered."""

MISSING = 2
"""Largest number of unseen cards in a flush to consider it."""

CERTAIN = 10**9
"""Probabilities are compared in units of 1 / `CERTAIN`."""

MOST_CLAIMS = 256
"""Largest number of hands considered at once."""

WAYS = 21 * 6
"""The size of `Workspace.ways`: up to 20 cards drawn, and up to 5 cards missing."""

MEMO = 32_749
"""Number of cached probabilities."""

UNKNOWN = -2

NOT_INLINED = ("_drawn_enough", "_likely_ranks", "believing", "consider", "sight_of")
"""Functions that the engine doesn't inline, because they are long or have many callers."""

_SIZE = JOKER + 3
_RANKS = 13
_PAIRS = _RANKS * _RANKS
_HANDS_OF_SUIT = 1 << _RANKS
_PLAIN = (1 << JOKER) - 1
_BITS = tuple(mask.bit_count() for mask in range(16))


class PoolKnowledge(NamedTuple):
    """What a player knows about the pool, as ints.

    Attributes:
        seen: the cards in the pool that the player sees and that aren't wild, as a mask: bit c for card c.
        away: the cards that the player doesn't see and that aren't wild, in the pool or not, as a mask.
        held: how many of the seen cards are of each rank, four bits per rank.
        left: how many of the cards in `away` are of each rank, four bits per rank.
        held_wilds: number of wild cards seen.
        left_wilds: number of wild cards not seen.
        unseen: number of all cards not seen.
        unknown: number of unseen cards in the pool.
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
    """Cards that the other players' claims suggest: counts per rank as in `PoolKnowledge.left`, and a card mask."""

    ranks: int
    cards: int


NO_HINTS = Hints(0, 0)


class Ladder(NamedTuple):
    """The claims of a ladder grouped by shape, and binomial coefficients.

    Attributes:
        requirements: the cards that each claim requires, from `ladder.all_requirements`.
        singles: claims that depend neither on two ranks nor on a suit, ascending.
        doubles: two pairs, then full houses, by 13 times one rank plus the other.
        suited: for each suit in turn its flushes and straight flushes, ascending, and
        suited_ranks: their ranks as masks.
        choose: the binomial coefficient of n over k, at index 55 n + k.
    """

    requirements: Sequence[int]
    singles: Sequence[int]
    doubles: Sequence[int]
    suited: Sequence[int]
    suited_ranks: Sequence[int]
    choose: Sequence[float]


class Workspace(NamedTuple):
    """Working arrays and caches.

    Attributes:
        claims: the claims to consider.
        credences: the probability of each.
        ways: number of ways to draw, by cards drawn and cards missing.
        strongest: by suit, seen cards of the suit and number of missing cards, the strongest flush, or `UNKNOWN`.
        keys: keys of the cached probabilities.
        chances: the cached probabilities.
    """

    claims: MutableSequence[int]
    credences: MutableSequence[int]
    ways: MutableSequence[float]
    strongest: MutableSequence[int]
    keys: MutableSequence[int]
    chances: MutableSequence[float]


@lru_cache(maxsize=32)
def ladder_of(rules: QueenAnnesRules) -> Ladder:
    """Return the grouped claims of a table's ladder."""
    requirements = all_requirements(rules)
    singles: list[int] = []
    doubles = [NO_CLAIM] * (2 * _PAIRS)
    suited: list[list[int]] = [[], [], [], []]
    masks: list[list[int]] = [[], [], [], []]
    for claim, requirement in enumerate(requirements):
        ranks, suit = named_hand(claim, rules).ranks, (requirement >> 4 & 7) - 1
        if suit != NO_SUIT:
            suited[suit].append(claim)
            masks[suit].append(sum(1 << (requirement >> KIND_BITS * place & 15) for place in range(5)))
        elif len(ranks) < 2:
            singles.append(claim)
        elif requirement >> 7 & 7 == 3:
            doubles[_PAIRS + _RANKS * ranks[0] + ranks[1]] = claim
        else:
            doubles[_RANKS * ranks[0] + ranks[1]] = doubles[_RANKS * ranks[1] + ranks[0]] = claim
    choose = tuple(float(comb(n, k)) for n in range(_SIZE) for k in range(_SIZE))
    return Ladder(requirements, tuple(singles), tuple(doubles), tuple(chain(*suited)), tuple(chain(*masks)), choose)


def pool_knowledge(known: int, unknown: int, rules: QueenAnnesRules) -> PoolKnowledge:
    """Return the knowledge of a player who sees a mask of cards, jokers included, with `unknown` more in the pool."""
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
    return PoolKnowledge(
        seen, away, here, left, held_wilds, left_wilds, deck_size(rules.jokers) - cards_in(known), unknown
    )


def with_unknown(knowledge: PoolKnowledge, unknown: int) -> PoolKnowledge:
    """Return the knowledge with another number of unseen cards in the pool."""
    seen, away, here, left, held_wilds, left_wilds, unseen, _ = knowledge
    return PoolKnowledge(seen, away, here, left, held_wilds, left_wilds, unseen, unknown)


def hints_with(hints: Hints, claim: int, shared: int, knowledge: PoolKnowledge, ladder: Ladder) -> Hints:
    """Return the hints after one more claim.

    Players who name the same rank may mean the same cards, so the largest count is used.

    Args:
        hints: the hints from earlier claims.
        claim: another player's claim.
        shared: mask of the cards that both players see and that aren't wild.
        knowledge: what the viewer knows.
        ladder: the table's claims.
    """
    ranks, cards, requirement = hints.ranks, hints.cards, ladder.requirements[claim]
    while requirement > 0:
        rank, suit = requirement & 15, (requirement >> 4 & 7) - 1
        if suit != NO_SUIT:
            cards |= knowledge.away & 1 << 4 * rank + suit
        else:
            more = max(ranks >> 4 * rank & 15, (requirement >> 7 & 7) - held(rank, NO_SUIT, shared))
            ranks = ranks & ~(15 << 4 * rank) | more << 4 * rank
        requirement >>= KIND_BITS
    return Hints(ranks, cards)


def believing(knowledge: PoolKnowledge, hints: Hints) -> PoolKnowledge:
    """Return the knowledge if the hinted cards are in the pool, as far as the number of unseen cards allows."""
    here, left, unknown = knowledge.held, knowledge.left, knowledge.unknown
    for rank in range(_RANKS):
        more = min(hints.ranks >> 4 * rank & 15, left >> 4 * rank & 15, unknown)
        here += more << 4 * rank
        left -= more << 4 * rank
        unknown -= more
    seen, away, unseen = (
        knowledge.seen | hints.cards,
        knowledge.away & ~hints.cards,
        knowledge.unseen - (knowledge.unknown - unknown),
    )
    return PoolKnowledge(seen, away, here, left, knowledge.held_wilds, knowledge.left_wilds, unseen, unknown)


def with_one_more(knowledge: PoolKnowledge, above: int, ladder: Ladder) -> PoolKnowledge:
    """Return the knowledge with one more card of the last rank named, or of the most common seen rank."""
    rank = 0
    if above != NO_CLAIM:
        rank = ladder.requirements[above] & 15
    else:
        for other in range(_RANKS):
            if knowledge.held >> 4 * other & 15 >= knowledge.held >> 4 * rank & 15:
                rank = other
    return believing(knowledge, Hints(1 << 4 * rank, 0))


def chance_of(claim: int, knowledge: PoolKnowledge, ladder: Ladder, workspace: Workspace) -> float:
    """Return the probability that the hand of `claim` exists."""
    kinds, rest, requirement = 0, knowledge.unseen - knowledge.left_wilds, ladder.requirements[claim]
    while requirement > 0:
        rank, suit = requirement & 15, (requirement >> 4 & 7) - 1
        if suit == NO_SUIT:
            left, need = knowledge.left >> 4 * rank & 15, (requirement >> 7 & 7) - (knowledge.held >> 4 * rank & 15)
        else:
            left, need = knowledge.away >> 4 * rank + suit & 1, 1 - (knowledge.seen >> 4 * rank + suit & 1)
        if need > 0:
            kind, place = left << 3 | need, 0
            while kinds >> place and kinds >> place & 63 < kind:
                place += 6
            kinds = kinds >> place << place + 6 | kind << place | kinds & (1 << place) - 1
            rest -= left
        requirement >>= KIND_BITS
    if kinds == 0:
        return 1.0
    rest = max(0, rest)
    key = (((kinds << 6 | knowledge.left_wilds) << 6 | knowledge.held_wilds) << 6 | rest) << 6 | knowledge.unknown
    slot = (key ^ key >> 17 ^ key >> 34) % MEMO
    if workspace.keys[slot] != key:
        workspace.chances[slot] = _drawn_enough(kinds, rest, knowledge, ladder, workspace)
        workspace.keys[slot] = key
    return workspace.chances[slot]


def _drawn_enough(kinds: int, rest: int, knowledge: PoolKnowledge, ladder: Ladder, workspace: Workspace) -> float:
    """Return the probability that wild cards can fill in for all missing cards.

    Args:
        kinds: six bits for each kind of required card: the number of unseen ones, and the number needed in the lowest
            three bits.
        rest: number of unseen cards that are neither wild nor of these kinds.
        knowledge: what the player knows.
        ladder: the table's claims.
        workspace: working arrays.
    """
    ways, wilds, unknown = workspace.ways, knowledge.left_wilds, knowledge.unknown
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
            for wild in range(max(0, place % 6 - knowledge.held_wilds), min(wilds, others) + 1):
                enough += (
                    ways[place] * ladder.choose[_SIZE * wilds + wild] * ladder.choose[_SIZE * rest + others - wild]
                )
    total = ladder.choose[_SIZE * unseen + unknown]
    return enough / total if total > 0.0 else 0.0


def shortfall(claim: int, knowledge: PoolKnowledge, ladder: Ladder) -> float:
    """Return the expected number of missing cards, given the seen cards and a proportional share of the rest."""
    share = knowledge.unknown / knowledge.unseen if knowledge.unseen else 0.0
    lacking, requirement = 0.0, ladder.requirements[claim]
    while requirement > 0:
        rank, suit = requirement & 15, (requirement >> 4 & 7) - 1
        if suit == NO_SUIT:
            left, need = knowledge.left >> 4 * rank & 15, (requirement >> 7 & 7) - (knowledge.held >> 4 * rank & 15)
        else:
            left, need = knowledge.away >> 4 * rank + suit & 1, 1 - (knowledge.seen >> 4 * rank + suit & 1)
        lacking += max(0.0, need - left * share)
        requirement >>= KIND_BITS
    return max(0.0, lacking - knowledge.held_wilds - knowledge.left_wilds * share)


def consider(
    knowledge: PoolKnowledge, believed: PoolKnowledge, above: int, ladder: Ladder, workspace: Workspace
) -> int:
    """Write the claims to consider into `workspace.claims`, and return their number.

    Args:
        knowledge: what the player knows.
        believed: what the player believes; claims that either suggests are considered.
        above: the last claim; all considered claims are stronger.
        ladder: the table's claims.
        workspace: where the claims are written.
    """
    claims, count = workspace.claims, 0
    for claim in range(above + 1, min(above + 1 + NEAR, len(ladder.requirements))):
        claims[count] = claim
        count += 1
    for claim in ladder.singles:
        if claim > above + NEAR:
            claims[count] = claim
            count += 1
    one, other = _likely_ranks(knowledge), _likely_ranks(believed)
    for high in range(_RANKS):
        for low in range(high):
            both = 1 << high | 1 << low
            if one & both == both or other & both == both:
                for place in (_RANKS * high + low, _PAIRS + _RANKS * high + low, _PAIRS + _RANKS * low + high):
                    if ladder.doubles[place] > above:
                        claims[count] = ladder.doubles[place]
                        count += 1
    for suit in range(4):
        seen = _ranks_of(suit, knowledge.seen)
        more = _ranks_of(suit, believed.seen)
        for step in range(1 if more == seen else 2):
            count = _consider_suited(suit, more if step else seen, above, count, ladder, workspace)
    return count


def _likely_ranks(knowledge: PoolKnowledge) -> int:
    """Return a mask of the ranks with the most expected cards in the pool."""
    share = knowledge.unknown / knowledge.unseen if knowledge.unseen else 0.0
    likely = 0
    for _ in range(LIKELY):
        best, most = -1.0, 0
        for rank in range(_RANKS):
            expected = (knowledge.held >> 4 * rank & 15) + (knowledge.left >> 4 * rank & 15) * share
            if not likely >> rank & 1 and expected >= best:
                best, most = expected, rank
        likely |= 1 << most
    return likely


def _ranks_of(suit: int, cards: int) -> int:
    """Return a mask of the ranks of a suit in a mask of cards."""
    ranks = 0
    for rank in range(_RANKS):
        ranks |= (cards >> 4 * rank + suit & 1) << rank
    return ranks


def _bits(ranks: int) -> int:
    return _BITS[ranks & 15] + _BITS[ranks >> 4 & 15] + _BITS[ranks >> 8 & 15] + _BITS[ranks >> 12]


def _consider_suited(suit: int, seen: int, above: int, count: int, ladder: Ladder, workspace: Workspace) -> int:
    """Consider the weakest and the strongest flush for each allowed number of missing cards."""
    if _bits(seen) < 5 - MISSING:
        return count
    first = (suit * _HANDS_OF_SUIT + seen) * (MISSING + 1)
    each = len(ladder.suited) // 4
    if workspace.strongest[first] == UNKNOWN:
        for missing in range(MISSING + 1):
            workspace.strongest[first + missing] = NO_CLAIM
        for place in range(suit * each, (suit + 1) * each):
            missing = 5 - _bits(ladder.suited_ranks[place] & seen)
            if missing <= MISSING:
                workspace.strongest[first + missing] = ladder.suited[place]
    open_numbers = 0
    for missing in range(MISSING + 1):
        if workspace.strongest[first + missing] > above:
            workspace.claims[count] = workspace.strongest[first + missing]
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
            workspace.claims[count] = ladder.suited[low]
            count += 1
        low += 1
    return count


def credence(
    claim: int, knowledge: PoolKnowledge, believed: PoolKnowledge, trust: float, ladder: Ladder, workspace: Workspace
) -> int:
    """Return the probability of a claim in units of 1 / `CERTAIN`, given a level of trust.

    It is the weighted mean of the probabilities with and without believing the other claims.
    """
    chance = 0.0
    for step in range(2):
        weight = trust if step else 1.0 - trust
        if weight > 0.0:
            chance += weight * chance_of(claim, believed if step else knowledge, ladder, workspace)
    return int(chance * CERTAIN + 0.5)


def challenges_out_of_turn(holds: int, players: int) -> bool:
    """Return whether to challenge out of turn a hand that exists with probability `holds` / `CERTAIN`.

    A wrong challenge costs the challenger a card, which gains all other players together the same amount. After a right
    one, another player loses a card, and the challenger shares that gain with the rest. Not challenging costs nothing.

    >>> challenges_out_of_turn(CERTAIN // 5, players=4), challenges_out_of_turn(CERTAIN // 5, players=6)
    (True, False)
    """
    return CERTAIN - holds > holds * (players - 1)


def fair_share_action(
    now: PoolKnowledge, later: PoolKnowledge, above: int, ladder: Ladder, workspace: Workspace
) -> int:
    """Return the Beginner's action: the best opening or the smallest raise that is expected to exist.

    Args:
        now: what the player knows.
        later: what the player knows when the next player acts.
        above: the last claim.
        ladder: the table's claims.
        workspace: working arrays.
    """
    if above != NO_CLAIM and (above + 1 == len(ladder.requirements) or shortfall(above, now, ladder) > 0.0):
        return CHALLENGE
    found = NO_CLAIM
    for place in range(consider(later, later, above, ladder, workspace)):
        claim = workspace.claims[place]
        is_better = claim > found if above == NO_CLAIM else claim < found
        if (found == NO_CLAIM or is_better) and shortfall(claim, later, ladder) == 0.0:
            found = claim
    if found == NO_CLAIM:
        return 0 if above == NO_CLAIM else CHALLENGE
    return found


def likeliest_action(
    now: PoolKnowledge,
    later: PoolKnowledge,
    hints: Hints,
    above: int,
    trust: float,
    nerve: float,
    is_bluffing: bool,
    ladder: Ladder,
    workspace: Workspace,
) -> int:
    """Return the most probable hand (the strongest of equals), or a challenge if that is safer.

    For a bluff, the player pretends to see one more card. The decision to challenge doesn't consider bluffs.

    Args:
        now: what the player knows.
        later: what the player knows when the next player acts.
        hints: what the other players' claims suggest.
        above: the last claim.
        trust: how much the player believes the hints, from 0 to 1.
        nerve: the smallest probability of a bluff, as a fraction of the most probable hand's.
        is_bluffing: whether to try a bluff.
        ladder: the table's claims.
        workspace: working arrays.
    """
    if above + 1 == len(ladder.requirements):
        return CHALLENGE
    knowledge, likeliest, named = later, -1, NO_CLAIM
    for attempt in range(2 if is_bluffing else 1):
        believed, best, claim, holds = believing(knowledge, hints), -1, NO_CLAIM, CERTAIN
        count = consider(knowledge, believed, above, ladder, workspace)
        for place in range(count + 1):
            considered = workspace.claims[place]
            if place == count:  # the last claim, or the bluff, judged without pretending
                knowledge, considered = later if attempt else now, claim if attempt else above
                believed = believing(knowledge, hints)
            if considered != NO_CLAIM:
                chance = credence(considered, knowledge, believed, trust, ladder, workspace)
                if place == count:
                    holds = chance
                elif chance > best or (chance == best and considered > claim):
                    best, claim = chance, considered
        if attempt == 0 and CERTAIN - holds > best:
            return CHALLENGE
        if attempt == 0:
            likeliest, named, knowledge = best, claim, with_one_more(later, above, ladder)
        elif holds >= nerve * likeliest:
            named = claim
    return named
