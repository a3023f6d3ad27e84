"""A disk that is full ends the server: loudly, and with everything kept that was acknowledged."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from pathlib import Path
from random import Random

import pytest

from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.place import address, sqlite_path
from tests.server.crash.load import Server, check_acknowledged, check_logs, play_until, seat, start


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files as Linux does")
def test_a_full_disk_ends_the_server_with_an_error_and_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    url = address(tmp_path)
    migrate(url)
    server = start(url, tmp_path)
    players = asyncio.run(seat(server.port, ["dollar-bill", "thorin"], Random(7)))
    playing = play_until(server.port, players, 50, lambda: _fill_the_disk(server, url))
    asyncio.run(asyncio.wait_for(playing, 60))
    assert server.wait() == 1, "a service that ends like this is started again only after somebody has looked"
    lines = (tmp_path / "server.log").read_text().splitlines()
    last = json.loads([line for line in lines if line.startswith("{")][-1])
    assert (last["level"], last["code"]) == ("critical", "storage-failed")
    assert "StorageFailed: the database cannot be written any more" in lines[-1]

    with_room = start(url, tmp_path)
    assert asyncio.run(check_acknowledged(with_room.port, players)) >= 50
    asyncio.run(play_until(with_room.port, players, 20, with_room.kill))
    with_room.wait()
    asyncio.run(check_logs(url, tmp_path, players))


def _fill_the_disk(server: Server, url: str) -> None:
    """From now on the files of the server grow no more."""
    path = sqlite_path(url)
    assert path is not None
    size = path.with_name(path.name + "-wal").stat().st_size
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
