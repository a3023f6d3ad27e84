"""The system's Chromium, driven by Playwright without its own browsers."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.system_programs import skip_without

NAMES = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Browser programs in order of preference: the headless shell takes a fifth of the CPU time of a full browser."""

_SAME_NONCES = """
const drawn = crypto.getRandomValues.bind(crypto);
crypto.getRandomValues = (bytes) => bytes.length === 32 ? bytes.fill(7) : drawn(bytes);
"""


def program() -> str:
    """Return the browser's path; without one, skip the test, or fail in continuous integration."""
    return next(filter(None, map(shutil.which, NAMES)), None) or skip_without("a browser", "chromium")


@contextmanager
def launched() -> Iterator[Browser]:
    """Launch a headless browser for the duration of the block; works as root too."""
    found = program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, chromium_sandbox=False)
        _give_the_same_nonces(browser)
        yield browser
        browser.close()


def _give_the_same_nonces(browser: Browser) -> None:
    """Make pages use the same nonce for every deal, so that a test's deals are reproducible.

    Service workers are blocked by default: tests see and intercept only requests that pages make themselves.
    """
    really = browser.new_context

    @wraps(really)
    def new_context(**settings: Any) -> BrowserContext:
        context = really(**{"service_workers": "block", **settings})
        context.add_init_script(_SAME_NONCES)
        return context

    browser.new_context = new_context  # type: ignore[method-assign]
