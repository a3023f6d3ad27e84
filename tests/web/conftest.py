"""What tests of the pages share: one browser for all that run in a process."""

import asyncio
from asyncio import events
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.server.inprocess import PATIENCE
from tests.web.browsers import launched

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
