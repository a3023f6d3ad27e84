"""The system's Chromium, driven by Playwright, which has no browser of its own to download."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.needs import leave_out

NAMES = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""In order of preference: a shell without windows takes a fifth of the processor time that a whole browser does."""

_SAME_NONCES = """
const drawn = crypto.getRandomValues.bind(crypto);
crypto.getRandomValues = (bytes) => bytes.length === 32 ? bytes.fill(7) : drawn(bytes);
"""


def program() -> str:
    """Where the browser is; without one the test is skipped, but fails in continuous integration."""
    return next(filter(None, map(shutil.which, NAMES)), None) or leave_out("a browser", "chromium")


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser without a window, until the block ends. It runs as root too."""
    found = program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, chromium_sandbox=False)
        _give_the_same_nonces(browser)
        yield browser
        browser.close()


def _give_the_same_nonces(browser: Browser) -> None:
    """Let pages give the same nonce to every deal, so that the deals of a test are the same in every run."""
    really = browser.new_context

    @wraps(really)
    def new_context(**settings: Any) -> BrowserContext:
        context = really(**settings)
        context.add_init_script(_SAME_NONCES)
        return context

    browser.new_context = new_context  # type: ignore[method-assign]
