"""What a local best responder wins from the bots at full size: a lower bound on what a best response wins.

Prints the table of docs/explanation/beliefs.md. The responder knows the others' policy, holds exact beliefs, and looks
one step ahead; the others are copies of one bot. Units per hand at stake 1, with 95% confidence intervals.
"""

import argparse
import sys
from time import process_time

from provenance import provenance

from liarspoker.bots.catalogue import bots
from liarspoker.engine.table import Table
from liarspoker.solve.beliefs.bot_policy import bot_policy
from liarspoker.solve.beliefs.local_response import LEVELS, local_best_response

HANDS = {2: 2000, 3: 1200, 5: 600}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="salomon-1986", help="a digit game (salomon-1986)")
    parser.add_argument("--bot", action="append", choices=[row.name for row in bots()], help="repeatable (bluffer)")
    parser.add_argument("--players", action="append", type=int, help="repeatable (2, 3 and 5)")
    parser.add_argument("--hands", type=int, help="hands in each cell (2000, 1200 and 600)")
    parser.add_argument(
        "--levels", type=int, default=LEVELS, help=f"levels of each digit that are evaluated ({LEVELS})"
    )
    parser.add_argument("--seed", type=int, default=1, help="of all random numbers (1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    asked = parser.parse_args()
    print(provenance())
    print("| bot | players | units a hand | by seat, from the opener | hands | processor time |")
    print("|---" * 6 + "|", flush=True)
    for name in asked.bot or ["bluffer"]:
        for players in asked.players or sorted(HANDS):
            begun = process_time()
            gain = local_best_response(
                Table.of(asked.game, players),
                bot_policy(name),
                asked.hands or HANDS.get(players, 1000),
                asked.seed,
                jobs=asked.jobs,
                levels=asked.levels,
            )
            seats = ", ".join(f"{mean:+.2f}" for mean, _ in gain.seats)
            cells = [name, str(players), f"{gain.mean:+.3f} ± {gain.half_width:.3f}", seats, str(gain.rounds)]
            # The time of other processes isn't included, so it isn't shown.
            cells.append(f"{process_time() - begun:.0f} s" if asked.jobs == 1 else "")
            print(f"| {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
