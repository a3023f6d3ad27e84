"""Servers for the tests of a module: one in a process of its own, which can be killed, and one in this process."""

from collections.abc import Iterator

import pytest

from tests.server.inprocess import Running, running
from tests.server.running import RunningServer, running_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with nothing on it, for all tests of a module."""
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server in this process, for tests that are not to take long."""
    with running(tmp_path_factory.mktemp("house")) as here:
        yield here
