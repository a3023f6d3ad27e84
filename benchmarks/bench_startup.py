"""How long the package takes to import, against a Python that imports nothing.

Everything heavy is imported where it is used, so `import liarspoker` should cost next to nothing.
"""

import subprocess
import sys
from statistics import median
from time import perf_counter

from provenance import provenance

RUNS = 20


def seconds(statement: str) -> float:
    """The wall time of a fresh interpreter which runs `statement`."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return perf_counter() - start


def main() -> None:
    print(provenance())
    bare: list[float] = []
    imported: list[float] = []
    for _ in range(RUNS):  # in turns, so that both see the same machine
        bare.append(seconds("pass"))
        imported.append(seconds("import liarspoker"))
    peer, ours = median(bare), median(imported)
    print(f"bare interpreter   {peer * 1000:6.1f} ms (median of {RUNS})")
    print(f"import liarspoker  {ours * 1000:6.1f} ms, {ours / peer:.2f} times the bare interpreter")


if __name__ == "__main__":
    main()
