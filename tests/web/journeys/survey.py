"""Checks each kind of page that a journey visits: accessibility, overflow and target sizes."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, ViewportSize, expect

SCRIPTS = Path(__file__).parent / "scripts"
GLANCE = (SCRIPTS / "state.js").read_text()
_TOO_SMALL = (SCRIPTS / "too_small.js").read_text()
_TOO_WIDE = (SCRIPTS / "too_wide.js").read_text()
_AXE = """(rules) => axe.run(document.querySelector(location.hash || "html"),
    { resultTypes: ["violations"], ...(rules.length ? { runOnly: rules } : {}) })"""
"""Runs axe on the page, or on its open sheet."""

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 320, "height": 700}
ZOOMED: ViewportSize = {"width": 640, "height": 400}
"""A window of 1280 by 800 pixels at a zoom of 200%."""

SIZES: tuple[tuple[ViewportSize, str, tuple[str, ...]], ...] = (
    (DESK, "light", ()),
    (PHONE, "dark", ("color-contrast", "scrollable-region-focusable")),
    (SMALL, "light", ("scrollable-region-focusable",)),
    (ZOOMED, "light", ("scrollable-region-focusable",)),
)
"""The size, theme and axe rules of each check of a page; without rules, all of them.

Most rules don't depend on the size; colours depend on the theme, and scrolling regions on the size.
"""


@dataclass
class Survey:
    """Checks every kind of page once per test run, at every size, in whichever process visits it first.

    Args:
        folder: a folder shared by all processes of the run, with an empty file for each checked kind.

    Attributes:
        reported: faults already reported; each is reported once per process.
        passed: states that this process has visited, whose kinds are checked.
    """

    folder: Path
    reported: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)

    def look(self, page: Page, state: str) -> list[str]:
        """Return the faults of what `page` shows; none if its kind was checked before."""
        if state in self.passed:
            return []
        self.passed.add(state)
        if not self._claim(page.evaluate(GLANCE)["kind"]):
            return []
        size, found = page.viewport_size or DESK, list[str]()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)  # a form being sent is dimmed
        for other, theme, rules in SIZES:
            page.set_viewport_size(other)
            new = [fault for fault in faults(page, other, theme, rules) if fault not in self.reported]
            self.reported.update(new)
            found += [f"{state} at {other['width']}: {fault}" for fault in new]
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        return found

    def _claim(self, kind: str) -> bool:
        name = sha256(kind.encode()).hexdigest()
        try:
            (self.folder / name).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


def faults(page: Page, size: ViewportSize, theme: str, rules: tuple[str, ...]) -> list[str]:
    """Return the faults of `page` at one window size and in one theme."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    found = [f"wider than the window: {wide}" for wide in page.evaluate(_TOO_WIDE)]
    if size == PHONE:
        found += [f"smaller than 44 x 44: {small}" for small in page.evaluate(_TOO_SMALL)]
    return [*found, *(f"{theme}: {violation}" for violation in violations(page, rules))]


def violations(page: Page, rules: tuple[str, ...]) -> list[str]:
    """Return axe's violations, one line per element."""
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")  # finish colour transitions
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(Axe().axe_script)
    report = page.evaluate(_AXE, list(rules))
    return [
        f"{violation['id']} ({violation['help']}): {' '.join(map(str, node['target']))} {_why(node)}"
        for violation in report["violations"]
        for node in violation["nodes"]
    ]


def _why(node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    return "; ".join(check["message"] for check in checks[:2])
