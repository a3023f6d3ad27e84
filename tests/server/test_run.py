"""What a server process arranges for itself before it serves."""

import sys
from pathlib import Path

import pytest

from tests.server.running import running_server


@pytest.mark.skipif(sys.platform != "linux", reason="the limits of another process are asked for as Linux does")
def test_a_server_may_have_as_many_connections_as_the_system_permits(tmp_path: Path) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        with running_server(tmp_path) as server:
            soft, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert soft == hard == before[1]
