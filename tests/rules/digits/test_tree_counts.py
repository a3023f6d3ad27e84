"""How many auctions there are, exactly, on small tables.

A bidding game is easily wrong in a way that no single hand shows; the number of all auctions then is wrong too. The
files in `counts/` hold those numbers as a table each. They are compared with a walk over the rules themselves, and with
what does not know the rules: the closed form without rebid, and a definition of the auction in twenty lines with it.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from liarspoker.core.errors import LEGAL
from liarspoker.games.digits.auction import CHALLENGE, COUNT, OVER, Auction, after, opening, refusal
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.options import DigitOptions, Rules, packed

COUNTS = Path(__file__).parent / "counts"


def rows_of(name: str) -> list[tuple[int, ...]]:
    """The numbers of a table, a line each; `#` begins a remark."""
    lines = (line.partition("#")[0].split() for line in (COUNTS / name).read_text(encoding="utf-8").splitlines())
    return [tuple(int(word.replace(",", "")) for word in words) for words in lines if words]


def rules_for(seats: int, hand_size: int, symbols: int, *, rebid: bool) -> Rules:
    return packed(DigitOptions(hand_size=hand_size, symbols=symbols, rebid=rebid), seats)


def moves(auction: Auction, rules: Rules) -> list[Auction]:
    """Where each action that the rules do not refuse leads to."""
    actions = [*range(ladder_length(rules)), CHALLENGE, COUNT]
    return [after(auction, action, rules) for action in actions if refusal(auction, action, rules) == LEGAL]


def walked(rules: Rules) -> tuple[int, int]:
    """All decision nodes and all ends of the auction, counted by walking over the rules from every state once."""

    @cache
    def below(auction: Auction) -> tuple[int, int]:
        if auction.phase == OVER:
            return 0, 1
        nodes, ends = zip(*(below(later) for later in moves(auction, rules)), strict=True)
        return 1 + sum(nodes), sum(ends)

    return below(opening(0))


def ends_by_length(rules: Rules) -> list[tuple[int, int, int]]:
    """After so many moves: how many auctions go on, and how many end there."""
    table: list[tuple[int, int, int]] = []
    going_on = Counter([opening(0)])
    while going_on:
        later: Counter[Auction] = Counter()
        for auction, ways in going_on.items():
            later.update(dict.fromkeys(moves(auction, rules), ways))
        going_on = Counter({state: ways for state, ways in later.items() if state.phase != OVER})
        table.append((len(table) + 1, going_on.total(), later.total() - going_on.total()))
    return table


def counted_without_the_rules(seats: int, bids: int, *, rebid: bool) -> tuple[int, int]:
    """Decision nodes and ends of an auction, from its definition alone; it asks only how many higher bids are left."""

    @cache
    def facing(higher: int, challenged: int, raised: bool) -> tuple[int, int]:
        """Somebody faces a bid that so many others have challenged; `raised` if it was a rebid."""
        answers = [facing(left, 0, False) for left in range(higher)]
        if challenged + 1 < seats - 1:
            answers.append(facing(higher, challenged + 1, raised))
        elif raised or not rebid:
            answers.append((0, 1))
        else:
            answers.append(bidder_challenged_all_around(higher))
        return 1 + sum(nodes for nodes, _ in answers), sum(ends for _, ends in answers)

    def bidder_challenged_all_around(higher: int) -> tuple[int, int]:
        choices = [(0, 1), *(facing(left, 0, True) for left in range(higher))]
        return 1 + sum(nodes for nodes, _ in choices), sum(ends for _, ends in choices)

    openings = [facing(left, 0, False) for left in range(bids)]
    return 1 + sum(nodes for nodes, _ in openings), sum(ends for _, ends in openings)


@pytest.mark.parametrize("rebid", [False, True])
def test_the_auctions_are_as_many_as_a_count_without_the_rules_finds(rebid: bool) -> None:
    known = {row[:3]: row[3:] for row in rows_of("with_rebid.txt" if rebid else "without_rebid.txt")}
    for (seats, hand_size, symbols), (nodes, ends) in known.items():
        rules, bids = rules_for(seats, hand_size, symbols, rebid=rebid), hand_size * seats * symbols
        assert ladder_length(rules) == bids
        assert (nodes, ends) == walked(rules) == counted_without_the_rules(seats, bids, rebid=rebid)
        assert rebid or ends == (seats**bids - 1) // (seats - 1)  # the closed form
    assert not rebid or walked(rules_for(2, 2, 2, rebid=True)) == (2584, 1596)


@pytest.mark.parametrize(
    ("name", "seats", "hand_size", "symbols", "rebid"),
    [
        ("two_players_2x2_rebid_by_length.txt", 2, 2, 2, True),
        ("three_players_1x3_by_length.txt", 3, 1, 3, False),
        ("three_players_1x3_rebid_by_length.txt", 3, 1, 3, True),
    ],
)
def test_walking_through_every_auction_finds_as_many_of_each_length(
    name: str, seats: int, hand_size: int, symbols: int, rebid: bool
) -> None:
    rules = rules_for(seats, hand_size, symbols, rebid=rebid)
    table = ends_by_length(rules)
    assert table == rows_of(name)
    nodes, ends = walked(rules)
    assert ends == sum(ending for _, _, ending in table)
    assert nodes == 1 + sum(going_on for _, going_on, _ in table)
