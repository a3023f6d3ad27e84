"""If an extra is missing or broken, the command prints one line on how to install it, in a clone and from a wheel."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import tomlkit

import liarspoker
from liarspoker.extras import MAKE_TARGETS, install_command

SOURCES = Path(liarspoker.__file__).parent.parent
SMALL = "--hand-size 1 --symbols 2"
NEEDING = {
    "serve --port 0": "serve",
    "backup a.zip": "serve",
    "restore a.zip": "serve",
    "play slips --server http://127.0.0.1:9": "serve",
    "solve": "engine",
    f"exploit uniform {SMALL}": "engine",
    "exploit uniform --local": "engine",
    "simulate slips --rounds 9 --bots uniform --engine compiled": "engine",
    "arena slips --rounds 9 --bots uniform,beginner --engine compiled": "engine",
    "report slips --rounds 9 --bots uniform": "engine",
    "report game.toml": "engine",
    "simulate slips --rounds 9 --cluster local": "ray",
    "slips": "print",
    "odds --plot a.svg": "plot",
    "odds bid 2x7 --players 2 --own 1 --plot a.svg": "plot",
}
BREAKING = [f"solve {SMALL}", f"exploit uniform {SMALL}", "simulate slips --rounds 9 --bots uniform --engine compiled"]
IN_PYTHON = "simulate slips --rounds 9 --bots uniform --json"
PROGRAM = """
import contextlib, io, json, sys
from liarspoker.cli import main
for line in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(line.split())
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""


def ended(lines: list[str], options: list[str], path: list[Path], folder: Path) -> dict[str, Any]:
    """Run commands in a process with this path; return the exit code, output and errors of each."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    program = [sys.executable, *options, "-c", PROGRAM, json.dumps(lines)]
    told = subprocess.run(program, capture_output=True, text=True, cwd=folder, env=environment, check=True)
    return dict(zip(lines, map(json.loads, told.stdout.splitlines()), strict=True))


def test_without_an_extra_a_command_says_which_one_to_install(tmp_path: Path) -> None:
    bare, empty = tmp_path / "bare", tmp_path / "empty"
    shutil.copytree(Path(tomlkit.__file__).parent, bare / "tomlkit", ignore=shutil.ignore_patterns("__pycache__"))
    empty.mkdir()
    for line, (code, out, err) in ended(list(NEEDING), ["-S"], [SOURCES, bare], empty).items():
        assert (code, out, err[:12]) == (1, "", "liarspoker: "), line
        assert f": make -C {SOURCES.parent} {MAKE_TARGETS[NEEDING[line]]}" in err.replace("(", ": ").replace("'", "")
        assert err.count("\n") == 1
    assert list(empty.iterdir()) == []


def test_a_broken_package_is_reported_in_one_line_or_ignored(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('numpy is broken.\\nPLEASE READ THIS')")
    told = ended([*BREAKING, IN_PYTHON], [], [SOURCES, tmp_path], tmp_path)
    for line in BREAKING:
        code, out, err = told[line]
        assert (code, out) == (1, ""), line
        assert "numpy is broken" in err
        assert f"make -C {SOURCES.parent} clean engine" in err
        assert err.count("\n") == 1
    code, out, err = told[IN_PYTHON]
    assert (code, err) == (0, "")
    assert '"engine": "python"' in out


def test_every_extra_has_a_target_in_the_makefile() -> None:
    root = SOURCES.parent
    extras = tomlkit.parse((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    assert set(MAKE_TARGETS) == set(extras)
    assert all(re.search(f"^{target}:.*## ", makefile, re.MULTILINE) for target in MAKE_TARGETS.values())
    assert install_command("serve,traces", again=True) == f"make -C {root} clean server traces"
