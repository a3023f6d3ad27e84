"""Work in several processes gives the same results as in one, and Ctrl-C stops it without messages from the workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.processes import in_order

SPLIT = """
import os
import sys
import time
from liarspoker.processes import in_order

if __name__ == "__mp_main__":
    os.write(1, b"starting\\n")  # a single write, because the other worker writes to the same pipe
    sum(range(10_000_000))
if __name__ == "__main__":
    try:
        list(in_order(time.sleep, [3600, 3600], 2))
        print("done", flush=True)
        sys.stdin.read()
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""
"""A program with two workers that start slowly and work longer than the test."""


@given(st.lists(st.integers()))
def test_one_process_yields_results_in_order(pieces: list[int]) -> None:
    assert list(in_order(abs, pieces, 1)) == [abs(piece) for piece in pieces]


@pytest.mark.slow
def test_several_processes_yield_results_in_order() -> None:
    pieces = list(range(-100, 100))
    assert list(in_order(abs, pieces, 3)) == [abs(piece) for piece in pieces]


@contextmanager
def split_work(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a program with several workers in its own process group, as a shell would."""
    script = folder / "split.py"
    script.write_text(SPLIT, encoding="utf-8")
    pipe = subprocess.PIPE
    words = [sys.executable, str(script)]
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as program:
        try:
            yield program
        finally:
            if program.poll() is None:
                os.killpg(program.pid, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="nobody presses Ctrl-C for a group there")
@pytest.mark.parametrize("starting", [1, 2])
def test_ctrl_c_is_quiet_even_while_workers_start(tmp_path: Path, starting: int) -> None:
    with split_work(tmp_path) as program:
        assert program.stdout is not None
        assert [program.stdout.readline() for _ in range(starting)] == ["starting\n"] * starting
        os.killpg(program.pid, signal.SIGINT)
        printed = [line for line in program.stdout if line != "starting\n"]
        assert (printed, program.communicate()) == (["stopped\n"], ("", ""))
