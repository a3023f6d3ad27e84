"""Draw the convergence of a solution: `python docs/draw_curve.py FILE.strategy curve.svg`.

The first file is a strategy of `liarspoker solve`. The second is the drawing: .png, .svg or .pdf.
"""

from __future__ import annotations

import sys

from matplotlib.figure import Figure

from liarspoker.solve.strategy import Strategy


def curve_of(strategy: Strategy) -> Figure:
    """Plot exploitability against iterations, both logarithmic, with the value of the game as the title."""
    record = strategy.training
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    iterations = [point[0] for point in record["curve"]]
    axes.loglog(iterations, [point[2] for point in record["curve"]], marker="o", color="#1B5A42")
    axes.grid(axis="y", color="#DAD6CA")
    axes.spines[["top", "right"]].set_visible(False)
    rules = strategy.rules
    shape = f"{rules.hand_size} digits of {rules.symbols}, {'with' if rules.rebid else 'without'} rebids"
    axes.set_title(f"{strategy.game}, {shape}: value {record['value']:+.4f} to the opener", loc="left")
    axes.set_xlabel(f"iterations of {record['algorithm']}")
    axes.set_ylabel("exploitability (units a hand)")
    return figure


def main(words: list[str]) -> int:
    """Run the command and return its exit code."""
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    curve_of(Strategy.load(words[0])).savefig(words[1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
