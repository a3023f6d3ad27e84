"""Fixtures of the page tests: one browser and one server per process, and users of the pages."""

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
from tests.web.pages.reading import Reader
from tests.web.study.played_tables import played

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
    """The browser, launched once; tests open and close their own contexts and pages.

    Playwright keeps its event loop marked as running, so that `asyncio.run` would refuse to start another one. The loop
    is therefore only marked as running during tests that use the browser.
    """
    browser, loop = _browser
    events._set_running_loop(loop)
    yield browser
    for context in browser.contexts:
        context.close()
    events._set_running_loop(None)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with pages, on which bots act without a pause."""
    with running(tmp_path_factory.mktemp("site"), mount_pages) as server:
        yield server


Evening = Callable[[str], tuple[Person, str]]


@pytest.fixture(scope="session")
def evening(site: Running) -> Evening:
    """Makes a closed table of a game, shared by tests that only read it; returns its owner and its id."""

    @cache
    def made(game: str) -> tuple[Person, str]:
        chance.begin(f"an evening of {game}")
        return played(site, game)

    return made


@pytest.fixture
def ann(site: Running) -> Reader:
    """A new user without JavaScript."""
    return Reader(site.person())


@pytest.fixture
def bob(site: Running) -> Reader:
    """Another new user without JavaScript."""
    return Reader(site.person())


@pytest.fixture(scope="session")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Survey:
    """The survey of all page states that the journeys of a test run visit, shared by all processes."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "surveyed"
    folder.mkdir(exist_ok=True)
    return Survey(folder)


@pytest.fixture
def visitors(browser: Browser, site: Running, survey: Survey) -> Iterator[Visitors]:
    """Players who visit the server; faults of the visited pages fail the test at its end."""
    people = Visitors(browser, site.url, survey)
    yield people
    faults = people.faults()
    assert not faults, "\n".join(["wrong on the way:", *faults])
