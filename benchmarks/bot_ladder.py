"""Each bot against the one before it: one copy of the better among copies of the weaker, in every game.

Prints the table of docs/reference/bots.md, and fails if some bot does not win where it should.
"""

import argparse
import sys
from itertools import pairwise

from provenance import provenance

from liarspoker.bots.catalogue import BOTS
from liarspoker.bots.contest import Contest
from liarspoker.bots.processes import totals
from liarspoker.bots.tally import Tally
from liarspoker.rules.catalogue import GAMES

PLAYERS = (2, 3, 5)
STEPS = [(better.name, weaker.name) for weaker, better in pairwise(BOTS)]


def cell(contest: Contest, jobs: int) -> tuple[str, bool]:
    """What the first of the lineup wins a hand, as text, and whether it wins for certain enough."""
    *_, total = totals(contest, jobs)
    assert isinstance(total, Tally)
    mean, half = total.units_a_hand(0)
    assert half is not None, "a contest of one hand tells nothing"
    return f"{mean:+.3f} ± {half:.3f}", mean - half > 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=100_000, help="hands in each cell (100000)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (1)")
    args = parser.parse_args()
    print(f"{provenance()}; {args.hands:,} hands a cell, seed {args.seed}\n")
    print(f"| game | players | {' | '.join(f'`{better}` over `{weaker}`' for better, weaker in STEPS)} |")
    print("|---|---|" + "---|" * len(STEPS), flush=True)
    lost = []
    for game in (row.id for row in GAMES if row.family == "digits"):
        for players in PLAYERS:
            cells = []
            for better, weaker in STEPS:
                contest = Contest(game, (better, *[weaker] * (players - 1)), args.hands, args.seed)
                text, won = cell(contest, args.jobs)
                cells.append(text)
                if not won:
                    lost.append(f"{game}, {players} players: {better} does not beat {weaker}")
            print(f"| {game} | {players} | {' | '.join(cells)} |", flush=True)
    print("\n".join(lost), file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
