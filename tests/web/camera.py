"""Takes a screenshot of every state of the visited pages, in both themes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from pathlib import Path

from playwright.sync_api import Page

from tests.web.journeys.survey import Survey

THEMES = ("light", "dark")

_SHEET = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Every screen</title>
<style>body{{font:14px sans-serif;margin:24px}}ul{{display:flex;flex-wrap:wrap;gap:12px;padding:0;list-style:none}}
img{{height:320px;border:1px solid #999;display:block}}figcaption{{max-width:420px;font-size:12px}}
figure{{margin:0}}</style>
<h1>Every screen</h1>
{groups}
</html>"""


@dataclass(frozen=True)
class Picture:
    """A screenshot.

    Attributes:
        of: its group, such as a game.
        state: the page's state.
        file: its file name.
    """

    of: str
    state: str
    file: str


@dataclass
class Camera(Survey):
    """A survey that takes screenshots instead of checking pages.

    Attributes:
        folder: the output folder.
        of: the title of the current group of screenshots.
        pictures: all screenshots.
        seen: the states already captured, with their widths.
    """

    folder: Path = Path()
    of: str = ""
    pictures: list[Picture] = field(default_factory=list)
    seen: set[tuple[str, int]] = field(default_factory=set)

    def look(self, page: Page, state: str) -> list[str]:
        """Take screenshots of `page` if its state is new."""
        width = (page.viewport_size or {"width": 0})["width"]
        key = (f"{self.of}: {state}", width)
        if key not in self.seen:
            self.seen.add(key)
            for theme in THEMES:
                self._take(page, state, width, theme)
        return []

    def _take(self, page: Page, state: str, width: int, theme: str) -> None:
        words = re.sub(r"[^a-z0-9]+", "-", f"{self.of} {state}".lower()).strip("-")
        file = f"{len(self.pictures):03d}-{words[:80]}-{width}-{theme}.png"
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.evaluate("document.getAnimations().forEach((one) => one.finish())")
        page.screenshot(path=self.folder / file, full_page=page.locator("#live").count() == 0)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        self.pictures.append(Picture(self.of, f"{state} at {width}, {theme}", file))

    def sheet(self) -> str:
        """Return a page with all screenshots."""
        groups = groupby(sorted(self.pictures, key=lambda one: one.of), key=lambda one: one.of)
        return _SHEET.format(groups="\n".join(_group(of, list(pictures)) for of, pictures in groups))


def _group(of: str, pictures: list[Picture]) -> str:
    shown = "\n".join(
        f'<li><figure><a href="{one.file}"><img src="{one.file}" alt="" loading="lazy"></a>'
        f"<figcaption>{escape(one.state)}</figcaption></figure></li>"
        for one in pictures
    )
    return f"<h2>{escape(of)}</h2>\n<ul>\n{shown}\n</ul>"
