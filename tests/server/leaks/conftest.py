"""One server for all tests of leaks in a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.leaks.server_world import World, running_world


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server without a network; every test creates its own table."""
    with running_world(tmp_path_factory.mktemp("world"), World) as made:
        yield made
