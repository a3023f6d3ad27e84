"""One dressed server for all tests of leaks in a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from liarspoker.web.app import mount_pages
from tests.server.leaks.world import world
from tests.web.leaks.pages import PagedWorld


@pytest.fixture(scope="module")
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PagedWorld]:
    """A server without a network; every test makes a table of its own."""
    with world(tmp_path_factory.mktemp("world"), PagedWorld, mount_pages) as made:
        yield made
