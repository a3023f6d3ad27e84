"""What journeys share: a server with its pages, and people who visit it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from liarspoker.web.app import mount_pages
from tests.server.inprocess import Running, running
from tests.web.journeys.survey import Survey
from tests.web.journeys.visitors import Visitors


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that shows pages, on which bots do not pause."""
    with running(tmp_path_factory.mktemp("house"), mount_pages) as server:
        yield server


@pytest.fixture(scope="session")
def survey() -> Survey:
    """Of all states that this process's journeys pass through."""
    return Survey()


@pytest.fixture
def visitors(browser: Browser, house: Running, survey: Survey) -> Iterator[Visitors]:
    """People who come to the server. Whatever is wrong on their ways fails the test at its end."""
    people = Visitors(browser, house.url, survey)
    yield people
    faults = people.faults()
    assert not faults, "\n".join(["wrong on the way:", *faults])
