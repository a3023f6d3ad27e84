"""How long the package takes to import, and the command to print its help, compared with a Python that imports nothing.

Everything heavy is imported where it is used, so `import liarspoker` should take almost no time.
"""

import subprocess
import sys
from statistics import median
from time import perf_counter

from provenance import provenance

RUNS = 20
STATEMENTS = {
    "bare interpreter": "pass",
    "import liarspoker": "import liarspoker",
    "liarspoker --help": "from liarspoker.cli import main; main(['--help'])",
}


def seconds(statement: str) -> float:
    """Return the wall time of a fresh interpreter that runs `statement`."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


def main() -> None:
    print(provenance())
    taken: dict[str, list[float]] = {name: [] for name in STATEMENTS}
    for _ in range(RUNS):  # alternately, so that all run under the same conditions
        for name, statement in STATEMENTS.items():
            taken[name].append(seconds(statement))
    peer = median(taken["bare interpreter"])
    for name, times in taken.items():
        ours = median(times)
        beyond = f"{(ours - peer) * 1000:+.1f} ms, {ours / peer:.2f} times the bare interpreter"
        print(f"{name:<18} {ours * 1000:6.1f} ms (median of {RUNS}): {beyond}")


if __name__ == "__main__":
    main()
