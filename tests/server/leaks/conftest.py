"""One server for all tests of leaks in a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.leaks.world import World, world


@pytest.fixture(scope="module")
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server without a network; every test makes a table of its own."""
    with world(tmp_path_factory.mktemp("world"), World) as made:
        yield made
