"""Plant small faults in a copy of the sources, one at a time, and count those that the tests notice.

mutmut and cosmic-ray don't fit: the first replaces every function by a switch, which numba can't compile and which
hides the source that tests inspect, and the second edits the work tree itself, in which other tests may run.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src"
RULES = "actions auction deal hands ladder notation options result round session settlement state"
AREAS = {
    "rules": (
        ["core/**/*.py", *(f"games/*/{name}.py" for name in RULES.split())],
        ["tests/conformance", "tests/rules", "tests/records", "tests/extension", "tests/tables"],
    ),
    "tables": (["tables/**/*.py", "games/*/table*.py"], ["tests/tables"]),
    "messages": (["protocol/**/*.py", "records/*.py", "games/*/record*.py"], ["tests/records", "tests/tables"]),
    "storage": (["server/storage/*.py"], ["tests/server/storage"]),
}
"""For each area, its modules and the tests that must notice a fault in them."""
PAIRS = ("Lt LtE", "Gt GtE", "Eq NotEq", "Is IsNot", "In NotIn", "And Or", "Add Sub", "Mult FloorDiv")
SWAPS: dict[type, type[Any]] = {
    getattr(ast, one): getattr(ast, other) for pair in PAIRS for one, other in permutations(pair.split())
}


class Mutant(NamedTuple):
    """A fault: where it is, and the replacement."""

    path: Path
    node: ast.expr | ast.stmt
    new: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.node.lineno}  {ast.unparse(self.node)}  ->  {self.new}"

    def text(self) -> bytes:
        """Return the module with the fault in it."""
        lines = self.path.read_bytes().splitlines(keepends=True)
        first, last = self.node.lineno - 1, (self.node.end_lineno or 0) - 1
        before, after = lines[first][: self.node.col_offset], lines[last][self.node.end_col_offset :]
        return b"".join([*lines[:first], before, f"({self.new})".encode(), after, *lines[last + 1 :]])


def changed(node: ast.AST) -> ast.expr | None:
    """Return a slightly wrong version of an expression; `None` if there is none."""
    match node:
        case ast.Compare(left, [op], others):
            return ast.Compare(left, [SWAPS[type(op)]()], others)
        case ast.BoolOp(op, values):
            return ast.BoolOp(SWAPS[type(op)](), values)
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.BinOp(left, op, right) if type(op) in SWAPS and not isinstance(right, ast.Constant | ast.JoinedStr):
            return ast.BinOp(left, SWAPS[type(op)](), right)
        case ast.Constant(bool(value)):
            return ast.Constant(not value)
        case ast.Constant(int(value)):
            return ast.Constant(value + 1)
        case ast.Expr(ast.Call()):
            return ast.Constant(None)
    return None


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every fault that can be planted in a module's functions; f-strings have no positions in Python 3.11."""
    tree = ast.parse(path.read_bytes())
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    inside = {id(node): node for function in functions for line in function.body for node in ast.walk(line)}
    quoted = {id(node) for text in ast.walk(tree) if isinstance(text, ast.JoinedStr) for node in ast.walk(text)}
    for number, node in inside.items():
        if number not in quoted and isinstance(node, ast.expr | ast.stmt) and (new := changed(node)) is not None:
            yield Mutant(path, node, ast.unparse(new))


def is_noticed(mutant: Mutant, tests: Sequence[str], copy: Path) -> bool:
    """Return whether the tests fail, or don't end, with the fault in a copy of the sources."""
    place = copy / mutant.path.relative_to(SOURCES)
    place.write_bytes(mutant.text())
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    found = {**os.environ, "PYTHONPATH": str(copy), "LIARSPOKER_CACHE": str(copy / "cache")}
    try:
        return bool(subprocess.run(command, cwd=ROOT, env=found, capture_output=True, timeout=900).returncode)
    except subprocess.TimeoutExpired:
        return True
    finally:
        shutil.copy(mutant.path, place)


def main() -> None:
    """Plant a sample of faults, and print the share that the tests noticed and the faults that they didn't."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--areas", nargs="+", choices=AREAS, default=list(AREAS))
    parser.add_argument("--sample", type=int, default=10, help="faults in each area")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(SOURCES, Path(folder) / "src"))
        for area in asked.areas:
            patterns, tests = AREAS[area]
            paths = (path for pattern in patterns for path in sorted((SOURCES / "liarspoker").glob(pattern)))
            every = [mutant for path in paths for mutant in mutants(path)]
            sample = Random(asked.seed).sample(every, min(asked.sample, len(every)))
            alive = [mutant for mutant in sample if not is_noticed(mutant, tests, copy)]
            print(f"{area}: {len(sample) - len(alive)} of {len(sample)} noticed ({len(every)} possible)", flush=True)
            print(*(f"  alive: {mutant}" for mutant in alive), sep="\n", flush=True)


if __name__ == "__main__":
    main()
