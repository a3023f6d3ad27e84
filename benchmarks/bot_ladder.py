"""Each bot against the one before it: one copy of the stronger bot among copies of the weaker one, in every game.

Prints the tables of docs/reference/bots.md, and fails if a bot doesn't win where it should: units per hand at the digit
games, and more than its fair share of the matches at the card games.
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
"""At the card games also the strongest against the weakest, since a single step may be too small to measure."""


def cell(contest: Contest, jobs: int) -> tuple[str, bool]:
    """Return the winnings of the first player of the line-up as text, and whether they are significant."""
    *_, total = totals(contest, jobs)
    if isinstance(total, WinTally):
        rate, half = total.win_rate(0)
        assert half is not None, "one match gives no confidence interval"
        return f"{100 * rate:.1f} ± {100 * half:.1f}", rate - half > 1 / len(contest.lineup)
    mean, half = total.units_per_hand(0)
    assert half is not None, "one hand gives no confidence interval"
    return f"{mean:+.3f} ± {half:.3f}", mean - half > 0


def print_table(games: list[str], hands: int, seed: int, jobs: int, *, plays_matches: bool) -> list[str]:
    """Print the table of some games, and return the cells in which the stronger bot doesn't win."""
    steps = TO_THE_END_STEPS if plays_matches else STEPS
    names = [f"`{better}` over `{weaker}`" for better, weaker in steps]
    heads = ["game", "players", *(["fair share, %"] if plays_matches else []), *names]
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|", flush=True)
    lost = []
    for game in games:
        for players in PLAYERS:
            cells = [f"{100 / players:.1f}"] if plays_matches else []
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
    parser.add_argument("--seed", type=int, default=1, help="of all random numbers (1)")
    args = parser.parse_args()
    lost = []
    for plays_matches, length, unit in ((False, args.hands, "hands"), (True, args.matches, "matches")):
        games = [
            row.id for row in catalogue.games() if row.has_winner == plays_matches and row.id in (args.game or [row.id])
        ]
        if games:
            print(f"{provenance()}; {length:,} {unit} a cell, seed {args.seed}\n")
            lost += print_table(games, length, args.seed, args.jobs, plays_matches=plays_matches)
            print()
    print("\n".join(lost), file=sys.stderr)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
