"""A NATS server for all tests of the bus."""

from collections.abc import Iterator

import pytest

from tests.server.nats import NatsServer, start_nats


@pytest.fixture(scope="session")
def nats() -> Iterator[NatsServer]:
    """A server shared by all tests of the process; tests that stop it have to restart it."""
    server = start_nats()
    yield server
    server.stop()
