"""Looks at every state that a journey passes through: accessible to all, nothing cut off, nothing too small to hit."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

SCRIPTS = Path(__file__).parent / "scripts"
GLANCE = (SCRIPTS / "state.js").read_text()
_TOO_SMALL = (SCRIPTS / "too_small.js").read_text()
_TOO_WIDE = (SCRIPTS / "too_wide.js").read_text()

PHONE_WIDTH = 500
"""Pages narrower than this are held in a hand."""

_ALL_RULES = {"resultTypes": ["violations"]}
_COLOURS = {"resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules that another theme can break."""


@dataclass
class Survey:
    """Every state of every page, looked at once for each size.

    Attributes:
        seen: the states that were looked at, and how often they came.
        told: what was wrong; what is wrong everywhere is told once.
    """

    seen: Counter[tuple[str, int]] = field(default_factory=Counter)
    told: set[tuple[str, int]] = field(default_factory=set)

    def look(self, page: Page, state: str) -> list[str]:
        """What is wrong with what `page` shows in this state; nothing where that was looked at before."""
        width = (page.viewport_size or {"width": 0})["width"]
        self.seen[state, width] += 1
        if self.seen[state, width] > 1:
            return []
        expect(page.locator("[aria-busy=true]")).to_have_count(0)  # what is being sent is dimmed for a moment
        found = [fault for fault in faults(page, width) if (fault, width) not in self.told]
        self.told.update((fault, width) for fault in found)
        return [f"{state} at {width}: {fault}" for fault in found]


def faults(page: Page, width: int) -> list[str]:
    """What is wrong with what `page` shows in a window of this width, in both themes."""
    found = [f"wider than the window: {wide}" for wide in page.evaluate(_TOO_WIDE)]
    if width < PHONE_WIDTH:
        found += [f"smaller than 44 x 44: {small}" for small in page.evaluate(_TOO_SMALL)]
    for theme, options in (("light", _ALL_RULES), ("dark", _COLOURS)):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        found += [f"{theme}: {violation}" for violation in violations(page, options)]
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return found


def violations(page: Page, options: dict[str, Any]) -> list[str]:
    """What axe finds, a line for each element."""
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")  # colours on their way to others
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(Axe().axe_script)
    told = page.evaluate(f"axe.run(document, {json.dumps(options)})")
    return [
        f"{violation['id']} ({violation['help']}): {' '.join(map(str, node['target']))} {_why(node)}"
        for violation in told["violations"]
        for node in violation["nodes"]
    ]


def _why(node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    return "; ".join(check["message"] for check in checks[:2])
