"""Free memory, and the format of memory sizes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.engine import memory
from liarspoker.engine.errors import CannotFit


def test_free_memory_is_limited_by_the_system_and_the_control_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_only_what_does_not_fit_is_rejected() -> None:
    memory.check_fits(1 << 20, "a little")
    with pytest.raises(CannotFit, match=r"^a lot would take 1\.2 EB of memory, but only .*B are free$"):
        memory.check_fits(1 << 60, "a lot")


@given(st.integers(0, 10**40))
def test_amounts_are_short_and_correct(size: int) -> None:
    number, unit = memory.amount_of(size).split()
    power = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB").index(unit)
    assert float(number) * 1000**power == pytest.approx(size, rel=0.11, abs=0.5)
    assert len(number) <= 7
