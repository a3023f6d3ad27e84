"""Ranking hands of five cards: this package's table compared with PokerKit's, on the same hands in the same run.

PokerKit is asked for the entry of its lookup table, its fastest way, with its own card objects made beforehand;
building a `StandardHighHand` takes longer. The table of this package distinguishes two more categories, and supports
jokers. The target is to be at least as fast.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterable
from statistics import median
from time import perf_counter

from pokerkit import Card, StandardHighHand, StandardLookup
from provenance import provenance

from liarspoker.core.cards.deck import card_text
from liarspoker.core.cards.hand_values import hand_value

HANDS = 20_000
RUNS = 7
LOOKUP = StandardLookup()


def ours(hands: Iterable[tuple[int, ...]]) -> None:
    for hand in hands:
        hand_value(hand)


def looked_up(hands: Iterable[tuple[Card, ...]]) -> None:
    for hand in hands:
        LOOKUP.get_entry(hand)


def built(hands: Iterable[tuple[Card, ...]]) -> None:
    for hand in hands:
        StandardHighHand(hand)


def micros(tasks: dict[str, Callable[[], None]]) -> dict[str, float]:
    """Return the median time per hand in microseconds; the tasks alternate, so that conditions are equal."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(RUNS):
        for name, task in tasks.items():
            start = perf_counter()
            task()
            times[name].append((perf_counter() - start) / HANDS * 1e6)
    return {name: median(taken) for name, taken in times.items()}


def main() -> int:
    print(provenance())
    chance = random.Random(2002)
    dealt = [tuple(chance.sample(range(52), 5)) for _ in range(HANDS)]
    cards = [card for number in range(52) for card in Card.parse(card_text(number))]
    theirs = [tuple(cards[number] for number in hand) for hand in dealt]
    times = micros(
        {
            "ours, hand_value": lambda: ours(dealt),
            "PokerKit, StandardLookup.get_entry": lambda: looked_up(theirs),
            "PokerKit, StandardHighHand": lambda: built(theirs),
        }
    )
    mine, *_ = times.values()
    print(f"one hand of five cards; medians of {RUNS} runs over {HANDS:,} dealt hands")
    for name, taken in times.items():
        print(f"  {name:<36}{taken:8.3f} µs, {taken / mine:6.1f} times ours")
    fastest = min(times.values())
    print("at least as fast as PokerKit" if mine == fastest else f"SLOWER than PokerKit: {mine / fastest:.2f} times")
    return 0 if mine == fastest else 1


if __name__ == "__main__":
    sys.exit(main())
