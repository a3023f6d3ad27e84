"""How long the exact odds of the card games take, compared with enumerating every draw.

The peer enumerates all draws of three cards to a hand, 18,424 with two jokers in the deck. The classes that are counted
for one discard of five cards represent 1,906,884 draws.
"""

from itertools import combinations
from time import perf_counter

from provenance import provenance

from liarspoker.core.cards.deck import full_deck, read_joined_cards
from liarspoker.core.cards.hand_values import FULL_HOUSE, STARTS, hand_value
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand
from liarspoker.odds import draws, pools
from liarspoker.odds.draws import cards_left
from liarspoker.odds.questions import pooled_rules

HAND = read_joined_cards("AsAdKc7h2s")
VALUE = STARTS[FULL_HOUSE]
POOLS = 20


def forget() -> None:
    """Clear the caches, so that nothing is answered from an earlier question."""
    for kept in (draws._after, draws._values, draws._rank_classes, pools._ways):
        kept.cache_clear()


def look_at_every_draw() -> None:
    unseen = cards_left(full_deck(2), HAND)
    sum(hand_value((*HAND[:2], *draw)) >= VALUE for draw in combinations(unseen, 3))


def name_every_hand() -> None:
    rules = pooled_rules(jokers=2, wild_ranks="2")
    pool = pools.partial_pool(HAND, 10, rules)
    for claim in range(ladder_length(rules)):
        pool.probability(named_hand(claim, rules))


def seconds(question: str, answer: object) -> float:
    assert callable(answer)
    forget()
    start = perf_counter()
    answer()
    taken = perf_counter() - start
    print(f"{question:<58}{taken:8.3f} s")
    return taken


def main() -> None:
    print(provenance())
    name_every_hand()  # the ladder itself is built only once
    peer = seconds("peer: every draw of three cards, 18,424", look_at_every_draw)
    three = seconds("one discard of three cards", lambda: draws.reach(HAND, HAND[2:], VALUE, 2))
    five = seconds("one discard of five cards, 1,906,884 draws", lambda: draws.reach(HAND, HAND, VALUE, 2))
    every = seconds("all 32 discards of a hand", lambda: draws.choices(HAND, VALUE, 2))
    start = perf_counter()
    draws.choices(read_joined_cards("JkTh9c4d4s"), VALUE, 2)
    print(f"{'all 32 discards of the next hand':<58}{perf_counter() - start:8.3f} s")
    seconds("every named hand in one pool, 5,444", name_every_hand)
    print(f"a draw at the peer's pace: five cards {peer / 18_424 * 1_906_884 / five:.0f} times faster, ", end="")
    print(f"three {peer / three:.1f} times; 32 discards take {every / peer:.1f} times as long as the peer's one")


if __name__ == "__main__":
    main()
