"""The exact number of auctions on small tables.

Some errors in the rules appear in no example hand, but change the number of possible auctions. Each file in `counts/`
is a table of these numbers. They are compared with a walk through the rules, and with calculations that don't use the
rules: a closed form without rebids, and a definition of the auction in twenty lines with rebids.
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
    """Return the numbers of a table, line by line; `#` starts a comment."""
    lines = (line.partition("#")[0].split() for line in (COUNTS / name).read_text(encoding="utf-8").splitlines())
    return [tuple(int(word.replace(",", "")) for word in words) for words in lines if words]


def rules_for(seats: int, hand_size: int, symbols: int, *, rebid: bool) -> Rules:
    return packed(DigitOptions(hand_size=hand_size, symbols=symbols, rebid=rebid), seats)


def moves(auction: Auction, rules: Rules) -> list[Auction]:
    """Return the states after each legal action."""
    actions = [*range(ladder_length(rules)), CHALLENGE, COUNT]
    return [after(auction, action, rules) for action in actions if refusal(auction, action, rules) == LEGAL]


def walked(rules: Rules) -> tuple[int, int]:
    """Return the number of decision nodes and of terminal nodes, by dynamic programming over the rules."""

    @cache
    def below(auction: Auction) -> tuple[int, int]:
        if auction.phase == OVER:
            return 0, 1
        nodes, ends = zip(*(below(later) for later in moves(auction, rules)), strict=True)
        return 1 + sum(nodes), sum(ends)

    return below(opening(0))


def ends_by_length(rules: Rules) -> list[tuple[int, int, int]]:
    """Return, for each number of moves, how many auctions continue and how many have ended."""
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
    """Return the number of decision nodes and of terminal nodes, computed without the rules from the bids left."""

    @cache
    def facing(higher: int, challenged: int, raised: bool) -> tuple[int, int]:
        """Count from a response to a bid with `challenged` challenges; `raised` if it is a rebid."""
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
def test_the_number_of_auctions_matches_an_independent_count(rebid: bool) -> None:
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
def test_an_enumeration_of_auctions_matches_the_counts_by_length(
    name: str, seats: int, hand_size: int, symbols: int, rebid: bool
) -> None:
    rules = rules_for(seats, hand_size, symbols, rebid=rebid)
    table = ends_by_length(rules)
    assert table == rows_of(name)
    nodes, ends = walked(rules)
    assert ends == sum(ending for _, _, ending in table)
    assert nodes == 1 + sum(going_on for _, going_on, _ in table)
