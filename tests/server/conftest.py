"""The databases that the server's tests run on: files of SQLite, and a PostgreSQL that the tests start themselves."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from liarspoker.server.storage.migrate import migrate
from liarspoker.server.storage.place import address, sqlite_path
from tests.server.inprocess import Running, running
from tests.server.postgres import Server, start_server
from tests.server.registries import Lives


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server for all tests of the process; whoever stops it starts it again."""
    server = start_server()
    try:
        yield server
    finally:
        server.stop("immediate")
        shutil.rmtree(server.folder)


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database; the test runs once on each kind."""
    if request.param == "sqlite":
        return address(tmp_path)
    server: Server = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def url(empty_url: str) -> str:
    """The address of a database with all its tables, and nothing in them; the test runs once on each kind."""
    migrate(empty_url)
    return empty_url


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all its tables and nothing in them; to make one takes much longer than to copy it."""
    url = address(tmp_path_factory.mktemp("empty"))
    migrate(url)
    path = sqlite_path(url)
    assert path is not None
    return path


@pytest.fixture
def lives(empty_database: Path, tmp_path: Path) -> Lives:
    shutil.copy(empty_database, tmp_path / empty_database.name)
    return Lives(address(tmp_path))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server without limits for tests that change nothing about it but their own people and tables."""
    with running(tmp_path_factory.mktemp("server")) as server:
        yield server
