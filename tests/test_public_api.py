"""The public API: every name is there, typed, and loaded only when it is used."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import liarspoker

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.parametrize("name", liarspoker.__all__)
def test_every_name_of_the_api_is_there(name: str) -> None:
    assert getattr(liarspoker, name) is getattr(liarspoker, name)
    assert name in dir(liarspoker)


def test_another_name_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = liarspoker.no_such_name


def test_importing_the_package_loads_none_of_it() -> None:
    program = "import sys, liarspoker; print([name for name in sys.modules if name.startswith('liarspoker.')])"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"


@pytest.mark.slow
def test_the_programs_of_the_readme_are_typed(tmp_path: Path) -> None:
    programs = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert programs
    for number, program in enumerate(programs):
        (tmp_path / f"program_{number}.py").write_text(program, encoding="utf-8")
    cache = str(README.parent / "build" / "cache" / "mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, *map(str, tmp_path.glob("*.py"))]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=README.parent)
    assert ended.returncode == 0, ended.stdout
