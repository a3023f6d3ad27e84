"""A small game enumerated completely: every deal of numbers and every auction, by sessions of the catalogue.

It shares no code with the engine: hands are the dealt numbers, beliefs are weights of complete deals, and the sessions
compute the payoffs of a count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.solve.hands import all_hands
from liarspoker.solve.strategy import Strategy
from tests.solve.tables import Small

Moves = tuple[int, ...]
Deal = tuple[str, ...]
Chances = Callable[[Moves, str], Mapping[int, float]]
"""Returns the probability of each action of a seat with this number after these moves."""


@dataclass(frozen=True)
class World:
    """All deals and auctions of one hand.

    Attributes:
        deals: every deal, all equally likely: a number for each seat.
        actions: the legal actions after each sequence of moves with a seat to act.
        movers: the seat to act after each of these sequences.
        payoffs: what each seat wins with each deal, after each sequence of moves that ends the hand.
    """

    deals: tuple[Deal, ...]
    actions: Mapping[Moves, tuple[int, ...]]
    movers: Mapping[Moves, int]
    payoffs: Mapping[Moves, Mapping[Deal, tuple[int, ...]]]


def world(small: Small, stake: int = 1) -> World:
    """Return a small game in which seat 0 opens."""
    return _world(small.game, small.seats, tuple(small.options.items()), stake)


@lru_cache(maxsize=32)
def _world(game: str, seats: int, options: tuple[tuple[str, object], ...], stake: int) -> World:
    loaded: Any = catalogue.load(game)
    session = loaded.session(seats, loaded.options(dict(options)), from_slips=False)
    needs = session.chance_spec()
    numbers = ["".join(digits) for digits in product(needs.digits, repeat=needs.hand_size)]
    found = World(tuple(product(numbers, repeat=seats)), {}, {}, {})
    for deal in found.deals:
        _play(session.deal(DigitDeal(deal), RoundSetup(opener=0, stake=stake)), (), deal, found)
    return found


def _play(session: Any, moves: Moves, deal: Deal, found: Any) -> None:
    if not session.in_play:
        found.payoffs.setdefault(moves, {})[deal] = session.round_result.payoffs
        return
    legal = session.legal().actions
    found.actions[moves], found.movers[moves] = legal, session.to_act
    for action in legal:
        _play(session.apply(action), (*moves, action), deal, found)


def chances_of(strategy: Strategy) -> Chances:
    """Return what a strategy plays, by the numbers dealt."""
    rules = strategy.rules
    columns = {hand: column for column, hand in enumerate(all_hands(rules).vectors)}
    digits = [str((rules.lowest_digit + rank) % 10) for rank in range(rules.symbols)]
    table_of = {position.moves: (position.actions, chances) for position, chances in strategy.walk()}

    def chances(moves: Moves, number: str) -> Mapping[int, float]:
        actions, table = table_of[moves]
        column = columns[tuple(number.count(digit) for digit in digits)]
        return dict(zip(actions, table[:, column].tolist(), strict=True))

    return chances


def value(found: World, chances: Chances, seat: int) -> float:
    """Return the units per hand of a seat if everyone plays these probabilities."""

    def worth(moves: Moves, deal: Deal) -> float:
        if moves in found.payoffs:
            return found.payoffs[moves][deal][seat]
        mixed = chances(moves, deal[found.movers[moves]])
        return sum(likely * worth((*moves, action), deal) for action, likely in mixed.items() if likely)

    return sum(worth((), deal) for deal in found.deals) / len(found.deals)


def best_value(found: World, chances: Chances, seat: int) -> float:
    """Return the units per hand of a seat's best response, computed over whole deals, one number after the other."""

    def worth(moves: Moves, weights: dict[Deal, float]) -> float:
        if moves in found.payoffs:
            return sum(weight * found.payoffs[moves][deal][seat] for deal, weight in weights.items())
        mover = found.movers[moves]
        if mover == seat:
            return max(worth((*moves, action), weights) for action in found.actions[moves])
        total = 0.0
        for action in found.actions[moves]:
            after = {deal: weight * chances(moves, deal[mover])[action] for deal, weight in weights.items()}
            total += worth((*moves, action), {deal: weight for deal, weight in after.items() if weight})
        return total

    numbers = sorted({deal[seat] for deal in found.deals})
    each = 1 / len(found.deals)
    return sum(worth((), {deal: each for deal in found.deals if deal[seat] == number}) for number in numbers)
