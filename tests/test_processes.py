"""Work that is split over processes comes out as it would in one, and Ctrl-C ends it without a word of the others."""

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
from liarspoker.processes import in_order

if __name__ == "__mp_main__":
    os.write(1, b"starting\\n")  # in one piece, for others write there too
    sum(range(10_000_000))
if __name__ == "__main__":
    try:
        list(in_order(abs, range(1000), 2))
        print("done", flush=True)
        sys.stdin.read()
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""
"""It has two others work, each of which takes a moment to start."""


@given(st.lists(st.integers()))
def test_one_process_does_each_piece_in_its_order(pieces: list[int]) -> None:
    assert list(in_order(abs, pieces, 1)) == [abs(piece) for piece in pieces]


@pytest.mark.slow
def test_so_do_several() -> None:
    pieces = list(range(-100, 100))
    assert list(in_order(abs, pieces, 3)) == [abs(piece) for piece in pieces]


@contextmanager
def split_work(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A program that splits its work, in a group of its own as a shell would start it."""
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
def test_ctrl_c_ends_it_without_a_word_of_those_that_are_just_starting(tmp_path: Path, starting: int) -> None:
    with split_work(tmp_path) as program:
        assert program.stdout is not None
        assert [program.stdout.readline() for _ in range(starting)] == ["starting\n"] * starting
        os.killpg(program.pid, signal.SIGINT)
        told = [line for line in program.stdout if line != "starting\n"]
        assert (told, program.communicate()) == (["stopped\n"], ("", ""))
