"""How much memory there is, and how amounts of it are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.engine import memory
from liarspoker.engine.errors import CannotFit


def told(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> None:
    """Let the system say this, and nothing else."""
    for name, content in files.items():
        (folder / name.replace("_", ".", 1)).write_text(content, encoding="ascii")
    monkeypatch.setattr(memory, "_PROC", folder / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", folder)


def test_what_is_free_is_what_the_system_and_the_group_allow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told(tmp_path, monkeypatch, meminfo="MemTotal: 9 kB\nMemAvailable:      2048 kB\n")
    assert memory.free_memory() == 2048 * 1024
    told(tmp_path, monkeypatch, memory_max="1000000\n", memory_current="400000\n")
    assert memory.free_memory() == 600_000
    told(tmp_path, monkeypatch, memory_stat="anon 1\ninactive_file 100000\nfile 7\n")
    assert memory.free_memory() == 700_000
    told(tmp_path, monkeypatch, memory_max="max\n")
    assert memory.free_memory() == 2048 * 1024


def test_a_system_that_does_not_tell_has_all_that_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told(tmp_path, monkeypatch)
    assert (memory.free_memory() or 0) > 1 << 28


def test_what_fits_is_not_refused() -> None:
    memory.check_fits(1 << 20, "a little")
    with pytest.raises(CannotFit, match=r"^a lot would take 1\.2 EB of memory, and .*B are free$"):
        memory.check_fits(1 << 60, "a lot")


@given(st.integers(0, 10**40))
def test_amounts_are_short_and_right(size: int) -> None:
    number, unit = memory.amount_of(size).split()
    power = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB").index(unit)
    assert float(number) * 1000**power == pytest.approx(size, rel=0.11, abs=0.5)
    assert len(number) <= 7
