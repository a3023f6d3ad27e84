"""The system's Chromium, driven by Playwright, which has no browser of its own to download."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.needs import leave_out

NAMES = ("chromium", "chromium-browser", "google-chrome")


def program() -> str:
    """Where the browser is; without one the test is skipped, but fails in continuous integration."""
    return next(filter(None, map(shutil.which, NAMES)), None) or leave_out("a browser", "chromium")


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser without a window, until the block ends. It runs as root too."""
    found = program()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, chromium_sandbox=False)
        yield browser
        browser.close()
