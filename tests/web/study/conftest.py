"""A server with its pages, for all tests of the study."""

from collections.abc import Iterator

import pytest

from liarspoker.web.app import mount_pages
from tests.server.inprocess import Running, running


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that shows pages."""
    with running(tmp_path_factory.mktemp("study"), mount_pages) as server:
        yield server
