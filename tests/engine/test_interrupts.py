"""Ctrl-C during compiled code raises `KeyboardInterrupt`, as everywhere in Python."""

from __future__ import annotations

import subprocess
import sys

import pytest

INTERRUPTED = """
import signal
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table

def pressed(number, frame):
    raise KeyboardInterrupt

table = Table.of("{game}", seats=2)
play(table, 1, seed=1)  # compile everything before the alarm is set
signal.signal(signal.SIGALRM, pressed)
signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    while True:  # until the alarm, however fast the machine is
        play(table, {number}, seed=1)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no alarms")
@pytest.mark.parametrize(
    ("game", "number"),
    [
        ("salomon-1986", 1 << 20),
        pytest.param("thorin", 1 << 18, marks=pytest.mark.soak(only=True)),
        pytest.param("queen-annes", 1 << 17, marks=pytest.mark.soak(only=True)),
    ],
)
def test_an_interrupt_during_compiled_code_raises_an_exception_after_it(game: str, number: int) -> None:
    script = INTERRUPTED.format(game=game, number=number)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "interrupted\n")
    assert "Traceback" not in ended.stderr
