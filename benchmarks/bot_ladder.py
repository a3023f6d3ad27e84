"""Each bot against the one before it: one copy of the better among copies of the weaker, in every game.

Prints the tables of docs/reference/bots.md, and fails if some bot does not win where it should. At the digit games it
wins what it wins of units a hand; at the card games, matches of them, more than its fair share.
"""

import argparse
import sys
from itertools import pairwise

from provenance import provenance

from liarspoker.bots.catalogue import bots
from liarspoker.bots.contest import Contest, totals
from liarspoker.bots.tally import WinTally
from liarspoker.core import catalogue

PLAYERS = (2, 3, 5)
STEPS = [(better.name, weaker.name) for weaker, better in pairwise(bots())]
TO_THE_END_STEPS = [*STEPS, (bots()[-1].name, bots()[0].name)]
"""At the card games also the best over the worst, since one step may hide what another shows."""


def cell(contest: Contest, jobs: int) -> tuple[str, bool]:
    """What the first of the lineup wins, as text, and whether it wins for certain enough."""
    *_, total = totals(contest, jobs)
    if isinstance(total, WinTally):
        rate, half = total.win_rate(0)
        assert half is not None, "a contest of one match tells nothing"
        return f"{100 * rate:.1f} ± {100 * half:.1f}", rate - half > 1 / len(contest.lineup)
    mean, half = total.units_a_hand(0)
    assert half is not None, "a contest of one hand tells nothing"
    return f"{mean:+.3f} ± {half:.3f}", mean - half > 0


def tell(games: list[str], hands: int, seed: int, jobs: int, *, to_the_end: bool) -> list[str]:
    """Print the table of some games, and answer with where the better bot does not win."""
    steps = TO_THE_END_STEPS if to_the_end else STEPS
    names = [f"`{better}` over `{weaker}`" for better, weaker in steps]
    heads = ["game", "players", *(["fair share, %"] if to_the_end else []), *names]
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|", flush=True)
    lost = []
    for game in games:
        for players in PLAYERS:
            cells = [f"{100 / players:.1f}"] if to_the_end else []
            for better, weaker in steps:
                text, won = cell(Contest(game, (better, *[weaker] * (players - 1)), hands, seed), jobs)
                cells.append(text)
                if not won:
                    lost.append(f"{game}, {players} players: {better} does not beat {weaker}")
            print(f"| {game} | {players} | {' | '.join(cells)} |", flush=True)
    return lost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--game", action="append", choices=[row.id for row in catalogue.games()], help="only this one; repeatable"
    )
    parser.add_argument("--hands", type=int, default=100_000, help="hands in each cell of the digit games (100000)")
    parser.add_argument("--matches", type=int, default=1000, help="matches in each cell of the card games (1000)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (1)")
    args = parser.parse_args()
    lost = []
    for to_the_end, length, unit in ((False, args.hands, "hands"), (True, args.matches, "matches")):
        games = [
            row.id for row in catalogue.games() if row.has_winner == to_the_end and row.id in (args.game or [row.id])
        ]
        if games:
            print(f"{provenance()}; {length:,} {unit} a cell, seed {args.seed}\n")
            lost += tell(games, length, args.seed, args.jobs, to_the_end=to_the_end)
            print()
    print("\n".join(lost), file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
