"""Where an extra is not installed, or its packages are broken, every command that needs it says so in one line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tomlkit

import liarspoker

SOURCES = Path(liarspoker.__file__).parent.parent
SMALL = "--hand-size 1 --symbols 2"


def ended(words: str, options: list[str], path: list[Path], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-m", "liarspoker", *words.split()],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))},
        check=False,
    )


@pytest.fixture(scope="module")
def only_tomlkit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the one package that is always installed."""
    folder = tmp_path_factory.mktemp("bare")
    shutil.copytree(Path(tomlkit.__file__).parent, folder / "tomlkit", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("serve --port 0", "serve"),
        ("backup a.zip", "serve"),
        ("restore a.zip", "serve"),
        ("play slips --server http://127.0.0.1:9", "serve"),
        ("solve", "engine"),
        (f"exploit uniform {SMALL}", "engine"),
        ("exploit uniform --local", "engine"),
        ("simulate slips --rounds 9 --bots uniform --engine compiled", "engine"),
        ("simulate slips --rounds 9 --cluster local", "ray"),
        ("slips", "print"),
        ("odds --plot a.svg", "plot"),
        ("odds bid 2x7 --players 2 --own 1 --plot a.svg", "plot"),
    ],
)
def test_without_an_extra_a_command_says_which_one_to_install(
    words: str, extra: str, only_tomlkit: Path, tmp_path: Path
) -> None:
    bare = ended(words, ["-S"], [SOURCES, only_tomlkit], tmp_path)
    assert (bare.returncode, bare.stdout) == (1, "")
    assert bare.stderr.startswith("liarspoker: ")
    assert f"pip install 'liarspoker[{extra}]'" in bare.stderr
    assert bare.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [f"solve {SMALL}", f"exploit uniform {SMALL}", "simulate slips --rounds 9 --bots uniform --engine compiled"],
)
def test_a_broken_package_is_reported_in_one_line(words: str, tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('numpy is broken.\\nPLEASE READ THIS')")
    broken = ended(words, [], [SOURCES, tmp_path], tmp_path)
    assert (broken.returncode, broken.stdout) == (1, "")
    assert "numpy is broken" in broken.stderr
    assert "pip install --force-reinstall 'liarspoker[engine]'" in broken.stderr
    assert broken.stderr.count("\n") == 1


def test_a_broken_engine_leaves_the_work_to_the_python_rules(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('numpy is broken.\\nPLEASE READ THIS')")
    played = ended("simulate slips --rounds 9 --bots uniform --json", [], [SOURCES, tmp_path], tmp_path)
    assert (played.returncode, played.stderr) == (0, "")
    assert '"engine": "python"' in played.stdout
