"""The iterations that each algorithm of the solver needs on small games: the table of docs/explanation/solver.md.

Two players, flat payoffs. The strategy is evaluated after every iteration up to a hundred, and then after every further
percent, so a count is accurate to 1%.
"""

import argparse
import sys

from provenance import provenance

from liarspoker.solve.algorithms import ALGORITHMS
from liarspoker.solve.runner import solver_for

GAMES = ("1x2", "1x3", "2x2", "2x3", "3x2", "3x3")
TARGETS = (1e-3, 1e-4)
MOST = 10_000
"""The maximum number of iterations."""


def counts(size: str, rebid: bool, algorithm: str) -> list[int | None]:
    """Return the first iteration at which each target was met; `None` if it never was."""
    hand_size, symbols = map(int, size.split("x"))
    options = {"hand_size": hand_size, "symbols": symbols, "rebid": rebid}
    solver = solver_for("dollar-bill", options=options, method=algorithm)
    found: list[int | None] = []
    for target in TARGETS:
        while solver.exploitability() > target:
            if solver.iterations >= MOST:
                return [*found, *[None] * (len(TARGETS) - len(found))]
            solver.iterate(max(1, solver.iterations // 100))
        found.append(solver.iterations)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", action="append", choices=GAMES, help="only this one: digits in a hand x symbols")
    args = parser.parse_args()
    print(f"{provenance()}\n")
    print(f"| K x M | rebids | {' | '.join(row.name for row in ALGORITHMS)} |")
    print("|---" * (2 + len(ALGORITHMS)) + "|", flush=True)
    for size in args.size or GAMES:
        for rebid in [False] if size == GAMES[-1] else [False, True]:
            cells = [size, "yes" if rebid else "no"]
            for row in ALGORITHMS:
                found = counts(size, rebid, row.name)
                cells.append(", ".join(f"over {MOST:,}" if count is None else f"{count:,}" for count in found))
            print(f"| {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
