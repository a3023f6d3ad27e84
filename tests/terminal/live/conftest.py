"""A server for the tests of this folder, in this process."""

from collections.abc import Iterator

import pytest

from tests.server.inprocess import Running, running


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for all tests; each test creates its own tables."""
    with running(tmp_path_factory.mktemp("house")) as here:
        yield here
