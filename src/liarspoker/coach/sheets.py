"""Cheat sheets: a strategy of four numbers for each number of players, and what it costs against the Champion.

    python -m liarspoker.coach.sheets -o sheets.json

The strategy counts only what a bid asks the others for: its level less what the own hand holds of its digit.

* Open with the most frequent digit of the hand, `more` above what it holds.
* Challenge a bid that asks the others for more than `doubt`.
* Otherwise find the safest higher bid, which asks the others for the least. Bid it if it asks for at most `most`; else
  challenge.
* Challenged by all, make the safest higher bid if it asks for at most `again`; else let the bid be counted.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import Chance
from liarspoker.engine.lineup import Policy
from liarspoker.engine.table import Table
from liarspoker.engine.totals import strength
from liarspoker.files import new_file
from liarspoker.games.digits.auction import DECIDE, OPEN
from liarspoker.games.digits.features import weakest_bid
from liarspoker.games.digits.hands import count_of
from liarspoker.games.digits.kernel_policies import Observation, answer, refusal_of
from liarspoker.games.digits.ladder import digit_of, level_of

GAME = "salomon-1986"
PLAYERS = range(2, 7)
OTHERS = ("champion", "binomial", "bluffer")
"""A sheet is good if it does well against all of these bots together."""

SEARCHED, FINAL = 12_000, 240_000
"""The number of hands with which sheets are compared, and with which the best one is measured."""


class Sheet(NamedTuple):
    """The numbers of a sheet; see the module.

    Attributes:
        more: how many more than the hand holds the opening bids.
        doubt: the most that a bid of another player may ask of the others without being challenged.
        most: the most that a bid may ask of the others.
        again: the same for a rebid.
    """

    more: int
    doubt: int
    most: int
    again: int


def sheet_policy(sheet: Sheet) -> Policy:
    """Return the policy that plays by a sheet."""
    return Policy(sheet_action, tuple(sheet))


def sheet_action(observation: Observation, chance: Chance, data: Any) -> int:
    """Return the action by a sheet; `data` are its numbers."""
    more, doubt, most, again = data
    rules, auction = observation.rules, observation.auction
    if auction.phase == OPEN:
        best, held = 0, -1
        for rank in range(rules.symbols):
            own = count_of(observation.counts, digit_of(rank, rules))
            if own >= held:
                best, held = rank, own
        opened: int = (max(1, held + more) - 1) * rules.symbols + best
        return opened
    safest, least = -1, 1 << 20
    for rank in range(rules.symbols):
        claim = weakest_bid(rank, auction, rules)
        if refusal_of(auction, claim, observation.bids, rules) == LEGAL:
            asked = level_of(claim, rules) - count_of(observation.counts, digit_of(claim, rules))
            if asked < least:
                safest, least = claim, asked
    limit = again if auction.phase == DECIDE else most
    faced = level_of(auction.claim, rules) - count_of(observation.counts, digit_of(auction.claim, rules))
    if auction.phase != DECIDE and faced > doubt:
        limit = -1
    chosen: int = safest if safest >= 0 and least <= limit else answer(auction, rules)
    return chosen


def best_sheet(players: int) -> dict[str, Any]:
    """Return the best sheet for a number of players, with what it wins.

    The numbers are improved one or two at a time, from sheets that ask the others for what they hold on average and up
    to two more, until no step helps.
    """
    table, average = Table.of(GAME, players, from_slips=False), round(0.8 * (players - 1))
    found: dict[Sheet, float] = {}

    def won(sheet: Sheet) -> float:
        if sheet not in found:
            found[sheet] = sum(strength(table, sheet_policy(sheet), other, SEARCHED, seed=1)[0] for other in OTHERS)
        return found[sheet]

    best = max((Sheet(average, average + more, average + more, average + more) for more in range(3)), key=won)
    while True:
        steps = {
            Sheet(*(best[at] + step * (at == place) + other * (at == second) for at in range(4)))
            for place in range(4)
            for second in range(place, 4)
            for step in (-1, 1)
            for other in (-1, 0, 1)
        }
        better = max((one for one in sorted(steps) if min(one) >= 0), key=won)
        if won(better) <= won(best):
            break
        best = better
    row: dict[str, Any] = {"players": players, **best._asdict()}
    for other in OTHERS:
        mean, half_width = strength(table, sheet_policy(best), other, FINAL, seed=2)
        row[other] = {"mean": round(mean, 3), "half_width": round(half_width, 3)}
    return row


def main(words: list[str] | None = None) -> None:
    """Find the best sheets, and write them into a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args(words)
    rows = []
    for players in PLAYERS:
        rows.append(best_sheet(players))
        print(rows[-1], file=sys.stderr, flush=True)
    with new_file(args.output, True) as file:
        file.write((json.dumps({"game": GAME, "sheets": rows}, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
