"""Bot workers end when their server is killed."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not hasattr(os, "pidfd_open"), reason="needs pidfd_open to wait for other processes' children"
)


@pytest.mark.parametrize(
    ("loop", "bot", "seconds"),
    [("asyncio", "orphaned", 300), ("asyncio", "orphaned_and_stuck", 1), ("uvloop", "orphaned", 300)],
)
def test_workers_end_when_their_server_is_killed_even_while_busy(
    tmp_path: Path, loop: str, bot: str, seconds: int
) -> None:
    pytest.importorskip(loop)
    pipe = tmp_path / "begun"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    command = [sys.executable, "-m", "tests.server.bots.orphaning_server", loop, str(pipe), bot, str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pids = [int(pid) for pid in server.stdout.readline().split()]
        processes = [os.pidfd_open(pid) for pid in pids]
        assert select.select([reading], [], [], 30)[0]
        assert int(os.read(reading, 100)) in pids
        server.kill()
    assert len(processes) == 2
    for process in (*processes, reading):
        assert process == reading or select.select([process], [], [], 30)[0]
        os.close(process)
