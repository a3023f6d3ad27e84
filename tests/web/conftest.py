"""What tests of the pages share: one browser and one server for all that run in a process, and people who use them."""

import asyncio
import os
from asyncio import events
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from playwright.sync_api import Browser, expect

from liarspoker.web.app import mount_pages
from tests import chance
from tests.server.inprocess import PATIENCE, Person, Running, running
from tests.web.browsers import launched
from tests.web.journeys.survey import Survey
from tests.web.journeys.visitors import Visitors
from tests.web.rooms.reading import Reader
from tests.web.study.evenings import played

expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="session")
def _browser() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    with launched() as browser:
        loop = asyncio.get_running_loop()
        events._set_running_loop(None)
        yield browser, loop
        events._set_running_loop(loop)


@pytest.fixture
def browser(_browser: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The browser, launched once; open contexts and pages of your own in it, and close them.

    Playwright leaves its event loop marked as running in between, where `asyncio.run` would refuse to start another.
    So it is marked during tests that ask for the browser, and hidden from all others.
    """
    browser, loop = _browser
    events._set_running_loop(loop)
    yield browser
    for context in browser.contexts:
        context.close()
    events._set_running_loop(None)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that shows pages, on which bots do not pause."""
    with running(tmp_path_factory.mktemp("house"), mount_pages) as server:
        yield server


Evening = Callable[[str], tuple[Person, str]]


@pytest.fixture(scope="session")
def evening(house: Running) -> Evening:
    """A table of a game that has been played and closed, for tests that only look at it: who made it, and its id."""

    @cache
    def made(game: str) -> tuple[Person, str]:
        chance.begin(f"an evening of {game}")
        return played(house, game)

    return made


@pytest.fixture
def ann(house: Running) -> Reader:
    """Somebody who has not been here yet and reads pages without a script."""
    return Reader(house.person())


@pytest.fixture
def bob(house: Running) -> Reader:
    """Somebody else."""
    return Reader(house.person())


@pytest.fixture(scope="session")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Survey:
    """The survey of all states that the journeys of a test run pass through, in whichever process."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "surveyed"
    folder.mkdir(exist_ok=True)
    return Survey(folder)


@pytest.fixture
def visitors(browser: Browser, house: Running, survey: Survey) -> Iterator[Visitors]:
    """People who come to the server. Whatever is wrong on their ways fails the test at its end."""
    people = Visitors(browser, house.url, survey)
    yield people
    faults = people.faults()
    assert not faults, "\n".join(["wrong on the way:", *faults])
