"""The public API: every name exists, is typed, and is loaded only on first use."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import liarspoker
from liarspoker.core.errors import UnknownGame

README = Path(__file__).parents[1] / "README.md"
EXTRAS = {
    "env": "pettingzoo",
    "load_openspiel": "pyspiel",
    "parallel_env": "pettingzoo",
    "raw_env": "pettingzoo",
}
"""Names that need more than the optional dependency `engine`, with the module that they need."""

INSTALLED = [name for name in liarspoker.__all__ if name not in EXTRAS or find_spec(EXTRAS[name])]


@pytest.mark.parametrize("name", INSTALLED)
def test_every_public_name_exists_and_has_a_docstring(name: str) -> None:
    found = getattr(liarspoker, name)
    assert found is getattr(liarspoker, name)
    assert name in dir(liarspoker)
    assert inspect.getdoc(found)


def test_an_unknown_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = liarspoker.no_such_name


def test_importing_the_package_loads_no_submodule() -> None:
    program = "import sys, liarspoker; print([name for name in sys.modules if name.startswith('liarspoker.')])"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"


@pytest.mark.slow
def test_the_programs_in_the_readme_pass_the_type_checker(tmp_path: Path) -> None:
    programs = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert programs
    for number, program in enumerate(programs):
        (tmp_path / f"program_{number}.py").write_text(program, encoding="utf-8")
    cache = str(README.parent / "build" / "cache" / "mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, *map(str, tmp_path.glob("*.py"))]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=README.parent)
    assert ended.returncode == 0, ended.stdout


@pytest.mark.parametrize("game", [None, 3, ["slips"]])
def test_what_is_not_a_string_is_no_game(game: Any) -> None:
    with pytest.raises(UnknownGame, match="there is no game"):
        liarspoker.load(game)


def test_games_are_listed_before_and_after_a_game_is_loaded() -> None:
    script = "import liarspoker; before = liarspoker.games(); import liarspoker.games.digits; "
    script += "assert liarspoker.games() == before"
    subprocess.run([sys.executable, "-c", script], check=True)
