"""Takes screenshots of every page and table state, in both themes and sizes, into `build/screenshots`."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, ViewportSize

from liarspoker.core import catalogue
from liarspoker.web.app import mount_pages
from tests.server.inprocess import running
from tests.web.browsers import launched
from tests.web.camera import Camera
from tests.web.journeys.player import Player, play
from tests.web.journeys.survey import DESK, PHONE
from tests.web.journeys.visitors import Visitors

FOLDER = Path("build/screenshots")
PAGES = ("/", "/new", "/bots", "/rules", "/odds", "/odds/pooled", "/odds/thorin", "/odds/tables", "/replay", "/verify")
OWN_PAGES = ("/you", "/settings", "/no-such-page")
ABOUT_A_TABLE = ("/sheet", "/replay", "/replay/1", "/verify", "/like")
ROUNDS = 3
FULL = (("salomon-1986", "bluffer"), ("slips", "binomial"), ("queen-annes-stud", "beginner"), ("thorin", "beginner"))
"""The games of the full tables, and their bots."""


def main() -> None:
    """Take all screenshots, and write a page that shows them."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    camera = Camera(folder=FOLDER)
    with tempfile.TemporaryDirectory() as data, running(Path(data), mount_pages) as server, launched() as browser:
        for size in (DESK, PHONE):
            take(camera, browser, server.url, size)
    (FOLDER / "index.html").write_text(camera.sheet(), encoding="utf-8")
    print(f"{len(camera.pictures)} pictures: {FOLDER / 'index.html'}")


def take(camera: Camera, browser: Browser, address: str, size: ViewportSize) -> None:
    """Take all screenshots of one size."""
    stranger = Visitors(browser, address, camera).come(size)
    for path in (*PAGES, *(f"/rules/{row.id}" for row in catalogue.games())):
        show(camera, stranger, path)
    for row in catalogue.games():
        camera.of = row.title
        visitors = Visitors(browser, address, camera)
        match(visitors, row, size)
        for player in visitors.players:
            player.page.context.close()
    for game, bot in FULL:
        full_table(camera, Visitors(browser, address, camera).come(size), catalogue.preset(game), bot)
    ann = Visitors(browser, address, camera).come(size)
    camera.of = "Quick table"
    ann.quick_table("Ann")
    play([ann], Random(8), until=lambda: ann.my_turn)
    for sheet in ("score", "tape", "chat", "more"):
        camera.of = f"Quick table, {sheet}"
        ann.page.goto(f"{ann.page.url.partition('#')[0]}#{sheet}")
        ann.at_the_table()
    for path in OWN_PAGES:
        show(camera, ann, path)
    ann.page.context.close()
    stranger.page.context.close()


def match(visitors: Visitors, row: catalogue.GamePreset, size: ViewportSize) -> None:
    """Play a match of two players and two bots, or the start of a long one, and visit its replay and records."""
    ann, bob = visitors.come(size), visitors.come(size)
    settings: dict[str, Any] = {"game": row.id, "rounds": 1 if row.has_winner else ROUNDS}
    bots = ("beginner",) if row.has_winner else ("binomial", "bluffer")
    table = ann.make_table("Ann", bots, seats=2 + len(bots), **settings)
    bob.open(table)
    bob.sit_down("Bob")
    ann.press(ann.offer("start"))
    play([ann, bob], Random(row.id), until=lambda: row.has_winner and ended_round(ann, ROUNDS + 1))
    for path in ABOUT_A_TABLE:
        ann.page.goto(f"{table}{path}")
        ann.look()


def full_table(camera: Camera, ann: Player, row: catalogue.GamePreset, bot: str) -> None:
    """Play at a table full of bots until the first count."""
    camera.of = f"{row.title}, a full table"
    ann.make_table("Ann", (bot,) * (row.seats[1] - 1), seats=row.seats[1], game=row.id)
    ann.press(ann.offer("start"))
    play([ann], Random(row.id), until=lambda: ann.stage == "gathering")
    ann.look()
    ann.page.context.close()


def ended_round(player: Player, number: int) -> bool:
    """Whether the round with this number has begun."""
    return f"Round {number}" in (player.page.locator("h1").text_content() or "")


def show(camera: Camera, player: Player, path: str) -> None:
    """Visit a page."""
    camera.of = "Pages"
    player.page.goto(path)
    player.look()


if __name__ == "__main__":
    main()
