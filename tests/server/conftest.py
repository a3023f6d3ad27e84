"""The databases that server tests run on: SQLite files, and a PostgreSQL server started by the tests.

Tests can be coroutines; they run on the event loop on which their `storage` or `registry` was opened.
"""

import asyncio
import inspect
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from liarspoker.server.storage.location import address
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.registry import TableRegistry
from tests.server.inprocess import Running, running, with_empty_database
from tests.server.postgres import Server, start_server
from tests.server.registries import Lives
from tests.server.storage.tables import SEALER


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server shared by all tests of the process; tests that stop it must start it again."""
    server = start_server()
    try:
        yield server
    finally:
        server.stop("immediate")
        shutil.rmtree(server.folder)


def new_database(request: pytest.FixtureRequest, migrated: bool) -> Iterator[str]:
    if request.param == "sqlite":
        tmp_path: Path = request.getfixturevalue("tmp_path")
        yield with_empty_database(tmp_path) if migrated else address(tmp_path)
    else:
        server: Server = request.getfixturevalue("postgres")
        url = server.new_database(migrated)
        yield url
        server.drop(url)


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty database; the test runs once on each kind."""
    yield from new_database(request, migrated=False)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a migrated database without data; the test runs once on each kind."""
    yield from new_database(request, migrated=True)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run tests that are coroutines."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    asked = inspect.signature(pyfuncitem.obj).parameters
    test = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in asked})
    runner: Any = pyfuncitem.funcargs["runner"]
    runner.run(test)
    return True


@pytest.fixture(autouse=True)
def runner(request: pytest.FixtureRequest) -> Iterator[asyncio.Runner]:
    """The event loop runner; with `lives`, its time advances only when a test moves it."""
    lives: Lives | None = request.getfixturevalue("lives") if "lives" in request.fixturenames else None
    runner = asyncio.Runner(loop_factory=None if lives is None else lives.new_loop)
    yield runner
    runner.close()


@pytest.fixture
def storage(url: str, runner: asyncio.Runner) -> Iterator[Storage]:
    """The storage of a server on a database of either kind."""
    storage = runner.run(Storage.open(url, SEALER))
    yield storage
    runner.run(storage.close())


@pytest.fixture
def registry(lives: Lives, runner: asyncio.Runner) -> Iterator[TableRegistry]:
    """The only registry of a test."""
    storage = runner.run(lives.storage())
    registry = lives.registry(storage, "main")
    runner.run(registry.start(alone=True))
    yield registry
    runner.run(registry.close())
    runner.run(storage.close())


@pytest.fixture
def lives(tmp_path: Path) -> Lives:
    return Lives(with_empty_database(tmp_path))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server without limits, for tests that add only their own users and tables."""
    with running(tmp_path_factory.mktemp("server")) as server:
        yield server
