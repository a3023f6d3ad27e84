"""How much memory there is, and how amounts of it are written."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.engine import memory
from liarspoker.engine.errors import CannotFit


def test_what_is_free_is_what_the_system_and_the_group_allow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    assert memory.free_memory() > 1 << 28
    for name, content, expected in (
        ("memory.max", "1000000\n", None),
        ("memory.current", "400000\n", 600_000),
        ("memory.stat", "anon 1\ninactive_file 100000\nfile 7\n", 700_000),
    ):
        (tmp_path / name).write_text(content, encoding="ascii")
        assert expected is None or memory.free_memory() == expected
    (tmp_path / "memory.max").write_text("max\n", encoding="ascii")
    assert memory.free_memory() > 1 << 28


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
