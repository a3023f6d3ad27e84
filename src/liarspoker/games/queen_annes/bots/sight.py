"""What a seat sees of a pool, and the chance that a named hand is there.

The cards that it does not see are a random draw from those that are left of the deck; a player with beliefs gives some
of them more weight than others. What a hand asks for, and which cards are wild, is for the rules to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from liarspoker.core.cards.claims import NO_SUIT
from liarspoker.core.cards.deck import JOKER, full_deck, rank_of
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand, wanted
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.pool import is_wild
from liarspoker.games.queen_annes.round import after
from liarspoker.games.queen_annes.view import QueenAnnesView

Wanted = tuple[tuple[int, int, int], ...]
Kind = tuple[int, int, float]

EQUAL_WEIGHTS = (1.0,) * JOKER


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat knows of the pool.

    Attributes:
        seen: the cards in the pool that it sees and that are not wild, as a mask: bit c for card c.
        away: the cards that it does not see and that are not wild, in the pool or not, as a mask.
        held: how many of the cards seen are of each rank.
        left: how many of those away are of each rank.
        held_wilds: wild cards seen.
        left_wilds: wild cards not seen.
        unseen: all cards not seen.
        unknown: how many of those are in the pool.
        rules: the table's rules.
    """

    seen: int
    away: int
    held: tuple[int, ...]
    left: tuple[int, ...]
    held_wilds: int
    left_wilds: int
    unseen: int
    unknown: int
    rules: QueenAnnesRules

    def chance(self, claim: int, weights: Sequence[float] = EQUAL_WEIGHTS) -> float:
        """The chance that the pool holds the hand that `claim` names.

        Args:
            claim: a place on the ladder.
            weights: how much likelier each card is than it would be by chance, should it not be seen.

        >>> from liarspoker.games.queen_annes.notation import read_claim
        >>> from liarspoker.games.queen_annes.options import packed
        >>> from liarspoker.games.queen_annes.presets import presets
        >>> queen_annes = presets()["queen-annes"]
        >>> rules = packed(queen_annes.options, queen_annes.dealing, seats=2)
        >>> aces = sight_of((48, 49), 1, rules)
        >>> [round(aces.chance(read_claim(f"{name} A", rules)), 6) for name in ("pair", "three", "four")]
        [1.0, 0.04, 0.0]
        """
        kinds = self._kinds(wants_of(self.rules)[claim], weights)
        if not kinds:
            return 1.0
        rest = self.unseen - self.left_wilds - sum(left for left, _, _ in kinds)
        return _chance(kinds, self.left_wilds, self.held_wilds, rest, self.unknown)

    def shortfall(self, claim: int) -> float:
        """By how many cards what it sees and a fair share of the rest fall short of a hand; 0 if they do not."""
        share = self.unknown / self.unseen if self.unseen else 0.0
        lacking = sum(max(0.0, need - left * share) for left, need, _ in self._kinds(wants_of(self.rules)[claim]))
        return max(0.0, lacking - self.held_wilds - self.left_wilds * share)

    def _kinds(self, wants: Wanted, weights: Sequence[float] = EQUAL_WEIGHTS) -> tuple[Kind, ...]:
        """What a hand still lacks, as (cards not seen, cards needed, their weight), in order."""
        kinds = []
        for rank, suit, count in wants:
            if suit == NO_SUIT:
                need = count - self.held[rank]
                if need > 0:
                    kinds.append((self.left[rank], need, weights[4 * rank]))
            else:
                card = 4 * rank + suit
                if not self.seen >> card & 1:
                    kinds.append((self.away >> card & 1, 1, weights[card]))
        kinds.sort()
        return tuple(kinds)


def sight_of(known: Iterable[int], unknown: int, rules: QueenAnnesRules) -> Sight:
    """What somebody knows who sees the cards `known`, while `unknown` more are in the pool."""
    seen, held, held_wilds = 0, [0] * 13, 0
    every = _deck(rules)
    count = 0
    for card in known:
        count += 1
        if card != JOKER and every >> card & 1:
            seen |= 1 << card
            held[rank_of(card)] += 1
        else:
            held_wilds += 1
    naturals, wilds = _sizes(rules)
    left = tuple(natural - mine for natural, mine in zip(naturals, held, strict=True))
    unseen = rules.deck_size - count
    return Sight(seen, every & ~seen, tuple(held), left, held_wilds, wilds - held_wilds, unseen, unknown, rules)


def now(view: QueenAnnesView) -> Sight:
    """What the seat knows of the pool as it is."""
    return sight_of(view.known, view.hidden, view.rules)


def when_answered(view: QueenAnnesView, sight: Sight) -> Sight:
    """The same when the next player answers what the seat names now: further cards may have been dealt by then."""
    standing, terms = view.standing, view.terms
    if not view.rules.extras or standing is None or terms is None or not view.legal.claims:
        return sight
    dealt = len(after(standing, view.legal.claims[0], terms, view.rules).drawn) - len(standing.drawn)
    return sight_of(view.known, view.hidden + dealt, view.rules) if dealt else sight


@lru_cache(maxsize=32)
def wants_of(rules: QueenAnnesRules) -> tuple[Wanted, ...]:
    """What must be in the pool for every hand that can be named."""
    return tuple(wanted(named_hand(claim, rules)) for claim in range(ladder_length(rules)))


@lru_cache(maxsize=32)
def _deck(rules: QueenAnnesRules) -> int:
    """The cards that are not wild, as a mask."""
    return sum(1 << card for card in range(JOKER) if not is_wild(card, rules))


@lru_cache(maxsize=32)
def _sizes(rules: QueenAnnesRules) -> tuple[tuple[int, ...], int]:
    """How many cards of each rank are not wild, and how many are."""
    naturals = [0] * 13
    for card in full_deck(rules.jokers):
        if not is_wild(card, rules):
            naturals[rank_of(card)] += 1
    return tuple(naturals), rules.deck_size - sum(naturals)


@lru_cache(maxsize=1 << 16)
def _chance(kinds: tuple[Kind, ...], left_wilds: int, held_wilds: int, rest: int, unknown: int) -> float:
    """The chance that `unknown` cards are enough: what is lacking of the kinds is no more than there are wild cards."""
    draws = {(0, 0): 1.0}
    for left, need, weight in kinds:
        longer: dict[tuple[int, int], float] = {}
        for (taken, lacking), ways in draws.items():
            for more in range(left + 1):
                key = taken + more, lacking + max(0, need - more)
                longer[key] = longer.get(key, 0.0) + ways * comb(left, more) * weight**more
        draws = longer
    enough = total = 0.0
    for (taken, lacking), ways in draws.items():
        for wild in range(min(left_wilds, unknown - taken) + 1):
            likely = ways * comb(left_wilds, wild) * comb(rest, unknown - taken - wild)
            total += likely
            if lacking <= wild + held_wilds:
                enough += likely
    return enough / total if total else 0.0
