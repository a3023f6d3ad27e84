"""Cached machine code is used only for the same functions in the same version."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from numba.core.event import install_recorder

import liarspoker
from liarspoker.cache import CACHE_VARIABLE, folder_of
from liarspoker.engine.compiling import calls, compiled, lanes
from liarspoker.engine.compiling import digest as digests
from liarspoker.engine.compiling.digest import CALLED, EVERYWHERE, KERNEL, digest
from liarspoker.engine.errors import CannotCompile
from liarspoker.engine.lanes import copy_lanes, fill_lanes
from liarspoker.games.digits import settlement
from liarspoker.games.digits.settlement import none_multiplier

LIMIT = 7
PAIR = (1, 2.5)
WEIGHTS = np.array([1.0, 2.0])


def limited(number: int) -> int:
    return min(number, LIMIT)


def twice_limited(number: int) -> int:
    return 2 * limited(number)


def of_pair(number: int) -> float:
    return PAIR[1] * number + math.sqrt(WEIGHTS[1])


def factorial(number: int) -> int:
    return 1 if number < 2 else number * factorial(number - 1)


def other_limited(number: int) -> int:
    return min(number, LIMIT - 1)


def key_of(function: Callable[..., Any], **changed: Any) -> str:
    """Return the cache key of a function after replacing some of its globals."""
    assert isinstance(function, FunctionType)
    return digest(FunctionType(function.__code__, {**function.__globals__, **changed}, function.__name__), {})


def test_compiled_functions_return_the_same_as_in_python() -> None:
    assert compiled(twice_limited)(100) == twice_limited(100) == 14
    assert compiled(of_pair)(2) == of_pair(2)
    assert compiled(factorial)(10) == 3_628_800


def test_a_function_is_compiled_once() -> None:
    assert compiled(twice_limited) is compiled(twice_limited)


def test_the_original_functions_do_not_change() -> None:
    before = twice_limited.__globals__["limited"]
    compiled(twice_limited)(1)
    assert twice_limited.__globals__["limited"] is before
    assert settlement.settle.__globals__["bid_multiplier"] is settlement.bid_multiplier


def test_functions_can_be_substituted() -> None:
    kernel = compiled(twice_limited, {limited: other_limited})  # type: ignore[dict-item]
    assert kernel(100) == 12
    assert kernel.key != compiled(twice_limited).key


def test_the_key_changes_with_everything_that_is_read_and_with_nothing_else() -> None:
    assert key_of(limited) == key_of(limited, NOT_READ=8)
    assert len({key_of(limited, LIMIT=value) for value in (7, 7.0, True, "7", (7,), None)}) == 6
    assert key_of(twice_limited) != key_of(twice_limited, limited=other_limited)
    assert key_of(twice_limited) != key_of(other_limited)
    assert key_of(of_pair) != key_of(of_pair, PAIR=(1, 2))
    assert key_of(of_pair) != key_of(of_pair, WEIGHTS=np.array([1.0, 3.0]))
    assert key_of(of_pair) != key_of(of_pair, WEIGHTS=np.array([1.0, 2.0], np.float32))


def test_the_key_changes_with_the_compiler_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    for flags in (EVERYWHERE, KERNEL, CALLED):
        before = key_of(twice_limited)
        monkeypatch.setitem(flags, "fastmath", True)
        assert key_of(twice_limited) != before
        monkeypatch.delitem(flags, "fastmath")
        assert key_of(twice_limited) == before


def test_the_key_changes_with_the_code_that_is_generated_in_place_of_a_function(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = key_of(twice_limited)
    changes: list[Callable[[], None]] = [
        lambda: monkeypatch.setitem(calls.INTRINSICS, fill_lanes, calls.INTRINSICS[copy_lanes]),
        lambda: monkeypatch.setattr(lanes, "_copy", lanes._add),
        lambda: monkeypatch.setattr(lanes, "_SMALL", 0),
        lambda: monkeypatch.setattr(lanes._all, "__defaults__", (4,)),
        lambda: monkeypatch.setattr(lanes._Matrix, "places", lanes._layer),
    ]
    keys = {before}
    for change in changes:
        change()
        digests._emitting.cache_clear()
        keys.add(key_of(twice_limited))
        monkeypatch.undo()
    digests._emitting.cache_clear()
    assert len(keys) == 1 + len(changes)
    assert key_of(twice_limited) == before


def test_a_change_in_an_indirectly_called_function_changes_the_key() -> None:
    changed = FunctionType(limited.__code__, {**limited.__globals__, "LIMIT": 8}, "limited")
    assert key_of(twice_limited) != key_of(twice_limited, limited=changed)


def test_only_plain_functions_are_compiled() -> None:
    with pytest.raises(CannotCompile, match="a plain function"):
        compiled(max)


@pytest.mark.parametrize("thing", [{}, [1], object(), os], ids=["dict", "list", "object", "module"])
def test_values_whose_changes_cannot_be_detected_are_rejected(thing: Any) -> None:
    with pytest.raises(CannotCompile, match="LIMIT is neither a function nor a constant"):
        key_of(limited, LIMIT=thing)


def test_functions_are_compiled_even_if_nothing_can_be_cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))
    kernel = compiled(other_limited)
    assert kernel(100) == 6
    assert not kernel.is_cached


def test_cache_folders_unused_for_a_month_are_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    old, new = folder_of("old"), folder_of("new")
    os.utime(old, (0, 0))
    folder_of("newest")
    assert not old.exists()
    assert new.exists()


ASK = """
from liarspoker.engine.compiling import compiled
from liarspoker.games.digits import settlement
from liarspoker.games.digits.options import DigitOptions, packed
settle, doubled = compiled(settlement.settle), compiled(settlement.is_doubled)
kept = settle.is_cached and doubled.is_cached
five = packed(DigitOptions(), seats=5)
print(kept, settle(3, 0, 0, five)[1], [hand for hand in range(21) if doubled(hand, five)])
"""


@pytest.mark.slow
def test_an_edited_rule_or_constant_is_recompiled_despite_a_warm_cache(tmp_path: Path) -> None:
    """Simulate edits of the package; numba's own cache would keep using the old machine code."""
    package = tmp_path / "liarspoker"
    shutil.copytree(Path(liarspoker.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "static"))

    def asked() -> str:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), CACHE_VARIABLE: str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, "-c", ASK], env=environment, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def edit(file: str, old: str, new: str) -> None:
        path = package / "games" / "digits" / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        path.write_text(text.replace(old, new), encoding="utf-8")

    assert none_multiplier(5) == 4
    assert asked() == "False 4 [9, 19]"
    assert asked() == "True 4 [9, 19]"
    edit("settlement.py", "return max(0, 2 * seats - 6)", "return max(0, 2 * seats - 5)")
    assert asked() == "False 5 [9, 19]"
    edit("hands.py", "HANDS_PER_SLIP = 10", "HANDS_PER_SLIP = 7")
    assert asked() == "False 5 [6, 13, 20]"


def kept(folder: Path) -> dict[str, int]:
    """Return every file of the cache with the time when it was written."""
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.mark.soak(only=True)
def test_a_second_start_loads_what_the_first_one_compiled(tmp_path: Path) -> None:
    play = "from liarspoker.engine.rollout import play; from liarspoker.engine.table import Table; "
    play += "print(play(Table.of('slips', seats=3), 10, 1).payoffs.sum())"
    found = []
    for said in (f"{COMPILING}\n", ""):
        environment = {**os.environ, CACHE_VARIABLE: str(tmp_path)}
        done = subprocess.run([sys.executable, "-c", play], env=environment, check=True, capture_output=True, text=True)
        assert (done.stdout, done.stderr) == ("0\n", said)
        found.append(kept(tmp_path))
    assert found[0]
    assert found[0] == found[1]


ANNOUNCED = """
def announced(number):
    return number + 7
"""
COMPILING = "Compiling for this machine; this takes seconds, and only the first time ..."
ANNOUNCE = """
from announcing import announced
from liarspoker.engine.compiling import compiled
print(compiled(announced)(8))
"""


@pytest.fixture
def said(tmp_path: Path) -> Callable[..., str]:
    """Return what a new process prints on a terminal when it calls a compiled function; its cache is in `cache`."""
    (tmp_path / "announcing.py").write_text(ANNOUNCED, encoding="utf-8")

    def said(before: str = "") -> str:
        reading, terminal = os.openpty()
        path = os.pathsep.join((str(tmp_path), *filter(None, sys.path)))
        environment = {**os.environ, "PYTHONPATH": path, CACHE_VARIABLE: str(tmp_path / "cache")}
        asked = [sys.executable, "-c", f"{before}\n{ANNOUNCE}"]
        done = subprocess.run(asked, env=environment, check=False, stdout=subprocess.PIPE, stderr=terminal)
        assert done.stdout == b"15\n"
        os.write(terminal, b"end")
        os.close(terminal)
        return os.read(reading, 1000).decode()

    return said


@pytest.mark.slow
def test_cached_code_is_loaded_and_recompiled_if_it_is_damaged_or_too_old(
    said: Callable[..., str], tmp_path: Path
) -> None:
    """That it compiles is announced, even if numba rejects its cache because a comment has changed."""
    assert said().count(COMPILING) == 1
    before = kept(tmp_path / "cache")
    assert said() == "end"
    assert kept(tmp_path / "cache") == before
    (index,), (code,) = tmp_path.rglob("*.nbi"), tmp_path.rglob("*.nbc")
    for path, bad in ((index, b"\xff" * 100), (code, code.read_bytes()[:100])):
        good = path.stat().st_size
        path.write_bytes(bad)
        said()
        assert path.stat().st_size == good
    (tmp_path / "announcing.py").write_text(f"{ANNOUNCED}# changed\n", encoding="utf-8")
    assert said().count(COMPILING) == 1


@pytest.mark.slow
def test_processes_that_start_together_compile_once(said: Callable[..., str]) -> None:
    with ThreadPoolExecutor(3) as pool:
        assert "".join(pool.map(said, [""] * 3)).count(COMPILING) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of this kind")
def test_a_full_disk_prevents_caching_but_not_running(said: Callable[..., str], tmp_path: Path) -> None:
    said("import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))")
    assert not list(tmp_path.rglob("*.nbc"))


LEAST_AND_MOST = """
import sys
from liarspoker.engine.lineup import Policy
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table
from liarspoker.games.digits.kernel_policies import answer, answers
def least(seen, chance, data):
    return answer(seen.auction, seen.rules) if answers(seen.auction, seen.rules) else 0
def most(seen, chance, data):
    return answer(seen.auction, seen.rules) if answers(seen.auction, seen.rules) else 9
opened = []
for name in sys.argv[1:]:
    played = play(Table.of("slips", seats=2), 1, 1, [Policy(globals()[name], (0,))], keep_moves=1)
    opened.append(int(played.moves[0, 0, 0, 1]))
print(opened)
"""


@pytest.mark.slow
def test_functions_that_different_processes_have_compiled_are_not_confused(tmp_path: Path) -> None:
    """numba numbers functions in each process from 1, so those of two processes may have the same name and number."""
    (tmp_path / "opened.py").write_text(LEAST_AND_MOST, encoding="utf-8")

    def printed(*names: str) -> str:
        command, environment = [sys.executable, "opened.py", *names], {**os.environ, CACHE_VARIABLE: str(tmp_path)}
        return subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True).stdout

    assert printed("least") == "[0]\n"
    assert printed("most") == "[9]\n"
    assert printed("least", "most", "least") == "[0, 9, 0]\n"


@pytest.mark.slow
def test_nothing_is_cached_beside_the_source(said: Callable[..., str], tmp_path: Path) -> None:
    assert said() != "end"
    for folder in (tmp_path / "cache" / "compiled").glob("*/*/"):
        shutil.rmtree(folder)
        folder.write_text("in the way")
    said()
    assert not list(tmp_path.rglob("*.nb?"))


def two_callers(number: int) -> int:
    """Call a function with a literal, and with an int."""
    return one_callee(0) + one_callee(number)


def one_callee(number: int) -> int:
    return number + 1


def test_a_function_called_with_a_literal_is_compiled_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """numba by itself compiles `f(0)` and `f(number)` separately, which takes twice as long and gains nothing once
    inlined.
    """
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    with install_recorder("numba:compile") as recorded:
        assert compiled(two_callers)(5) == 7
    names = [event.data["dispatcher"].py_func.__name__ for _, event in recorded.buffer if event.is_start]
    assert names.count("one_callee") == 1
