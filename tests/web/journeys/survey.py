"""Looks at every kind of page that a journey passes: accessible to all, nothing cut off, nothing too small to hit."""

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
"""Runs axe on the page, or on what is open beside it."""

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}

SIZES: tuple[tuple[ViewportSize, str, tuple[str, ...]], ...] = (
    (DESK, "light", ()),
    (PHONE, "dark", ("color-contrast", "scrollable-region-focusable")),
)
"""The sizes at which every kind of page is checked, in which theme, and by which rules of axe (none named: by all).

What is said of an element does not depend on the size; colours depend on the theme, and what scrolls on the size.
"""


@dataclass
class Survey:
    """Checks every kind of page once, at both sizes, whichever process of a test run comes to it first.

    Args:
        folder: shared by all processes of the run; it holds an empty file for each kind that was checked.

    Attributes:
        told: faults that were reported; one that is everywhere is reported once per process.
        passed: states that this process has passed, whose kinds are checked.
    """

    folder: Path
    told: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)

    def look(self, page: Page, state: str) -> list[str]:
        """Return the faults of what `page` shows; none if its kind was checked before."""
        if state in self.passed:
            return []
        self.passed.add(state)
        if not self._claim(page.evaluate(GLANCE)["kind"]):
            return []
        size, found = page.viewport_size or DESK, list[str]()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)  # what is being sent is dimmed for a moment
        for other, theme, rules in SIZES:
            page.set_viewport_size(other)
            new = [fault for fault in faults(page, other, theme, rules) if fault not in self.told]
            self.told.update(new)
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
    """What is wrong with what `page` shows in a window of this size, in one theme."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
    found = [f"wider than the window: {wide}" for wide in page.evaluate(_TOO_WIDE)]
    if size == PHONE:
        found += [f"smaller than 44 x 44: {small}" for small in page.evaluate(_TOO_SMALL)]
    return [*found, *(f"{theme}: {violation}" for violation in violations(page, rules))]


def violations(page: Page, rules: tuple[str, ...]) -> list[str]:
    """What axe finds, a line for each element."""
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")  # colours on their way to others
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(Axe().axe_script)
    told = page.evaluate(_AXE, list(rules))
    return [
        f"{violation['id']} ({violation['help']}): {' '.join(map(str, node['target']))} {_why(node)}"
        for violation in told["violations"]
        for node in violation["nodes"]
    ]


def _why(node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    return "; ".join(check["message"] for check in checks[:2])
