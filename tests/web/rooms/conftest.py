"""What tests of the rooms share: a server with its pages, and people who read them without a script."""

from collections.abc import Iterator

import pytest

from liarspoker.web.app import mount_pages
from tests.server.inprocess import Running, running
from tests.web.rooms.reading import Reader


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that shows pages, on which bots do not pause."""
    with running(tmp_path_factory.mktemp("house"), mount_pages) as server:
        yield server


@pytest.fixture
def ann(house: Running) -> Reader:
    """Somebody who has not been here yet."""
    return Reader(house.person())


@pytest.fixture
def bob(house: Running) -> Reader:
    """Somebody else."""
    return Reader(house.person())
