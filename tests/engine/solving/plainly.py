"""The same questions answered the long way: every auction, every deal, by the rules and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import comb, prod

from hypothesis import strategies as st

from liarspoker.core.errors import LEGAL
from liarspoker.engine.strategies.hands import hands_of, prior_of
from liarspoker.engine.strategies.strategy import Strategy
from liarspoker.games.digits.auction import CHALLENGE, COUNT, OVER, Auction, after, opening, refusal
from liarspoker.games.digits.ladder import digit_of, ladder_length, rank_of
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.settlement import payoff, settle

FLAT = {"level_bonus": False, "sixes": False, "hero": False, "none_wins": False}

Deal = tuple[int, ...]
"""The number of each seat's hand."""


@st.composite
def tables(draw: st.DrawFn, most_bids: int = 8, most_hands: int = 20) -> Rules:
    """Small tables under any options that bear on a hand."""
    shapes = [
        (seats, size, symbols)
        for seats in (2, 3)
        for size in range(1, 4)
        for symbols in range(2, 5)
        if seats * size * symbols <= most_bids and comb(size + symbols - 1, size) <= most_hands
    ]
    seats, size, symbols = draw(st.sampled_from(shapes))
    flags = ("rebid", "level_bonus", "sixes", "hero", "none_wins")
    options: dict[str, object] = {name: draw(st.booleans()) for name in flags}
    options |= {"hand_size": size, "symbols": symbols}
    options["order"] = draw(st.sampled_from(["zero_low", "zero_high", "ace_high"]))
    options["two_player_none"] = draw(st.sampled_from(["loses", "push"]))
    return packed(DigitOptions().with_values(options), seats)


def actions(auction: Auction, rules: Rules) -> list[int]:
    """What may be played, the answer first."""
    return [a for a in (CHALLENGE, COUNT, *range(ladder_length(rules))) if refusal(auction, a, rules) == LEGAL]


def auctions(rules: Rules) -> Iterator[Auction]:
    """Every public position of a hand, depth first, ends included."""
    waiting = [opening(0)]
    while waiting:
        auction = waiting.pop()
        yield auction
        if auction.phase != OVER:
            waiting += [after(auction, action, rules) for action in reversed(actions(auction, rules))]


def deals(rules: Rules) -> dict[Deal, float]:
    """Every deal and its chance."""
    prior = prior_of(rules)
    return {deal: float(prod(prior[list(deal)])) for deal in product(range(len(prior)), repeat=rules.seats)}


def payoffs(auction: Auction, deal: Deal, rules: Rules) -> list[int]:
    """What every seat wins when a bid is counted."""
    rank = rank_of(digit_of(auction.claim, rules), rules)
    held = [hands_of(rules)[hand][rank] for hand in deal]
    settled = settle(auction.claim, held[auction.bidder], sum(held), rules)
    return [payoff(seat, auction.bidder, settled, 1, rules) for seat in range(rules.seats)]


def expected(strategy: Strategy, seat: int, *, is_best: bool) -> float:
    """What a seat wins a hand if all play by a strategy, or if it alone plays its best response to it."""
    rules = strategy.rules
    played = {position.moves: chances for position, chances in strategy.walk()}

    def worth(auction: Auction, moves: tuple[int, ...], reach: Mapping[Deal, float]) -> dict[int, float]:
        """By the seat's hand: its winnings times the chance of the deal and of what the others have done."""
        if auction.phase == OVER:
            found: dict[int, float] = {}
            for deal, chance in reach.items():
                found[deal[seat]] = found.get(deal[seat], 0.0) + chance * payoffs(auction, deal, rules)[seat]
            return found
        legal = actions(auction, rules)
        chances = played[moves]
        total: dict[int, float] = {}
        for row, action in enumerate(legal):
            mine = auction.to_act == seat
            later = {
                deal: chance * (1 if mine else chances[row, deal[auction.to_act]]) for deal, chance in reach.items()
            }
            for hand, value in worth(after(auction, action, rules), (*moves, action), later).items():
                if not mine:
                    total[hand] = total.get(hand, 0.0) + value
                elif is_best:
                    total[hand] = max(total.get(hand, -float("inf")), value)
                else:
                    total[hand] = total.get(hand, 0.0) + value * chances[row, hand]
        return total

    return sum(worth(opening(0), (), deals(rules)).values())
