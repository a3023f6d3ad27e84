"""Take the screenshots for the documentation: `make pictures`.

Each state is reached by playing in a browser. The hands are random, so the pictures differ from run to run.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import Random

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from liarspoker.web.app import mount_pages
from tests.server.inprocess import running
from tests.web.browsers import launched
from tests.web.journeys.player import Player, play
from tests.web.journeys.survey import DESK, PHONE, Survey
from tests.web.journeys.visitors import Visitors

FOLDER = Path("docs/pictures")
COLORS = 192


class Unchecked(Survey):
    """A survey without checks, which the tests make."""

    def look(self, page: Page, state: str) -> list[str]:
        """Return no faults."""
        return []


def lobby(player: Player) -> None:
    """The lobby."""
    player.page.goto("/")


def turn(player: Player) -> None:
    """Your turn in the middle of a hand, a few hands into the game."""
    player.make_table("Ann", ("beginner", "binomial", "bluffer", "bluffer"), start=True, game="salomon-1986", seats=6)
    play([player], Random(8), until=lambda: player.my_turn and _round(player) >= 3 and _bids(player) >= 5)


def count(player: Player) -> None:
    """A count of the 1986 game."""
    _play_until_settled(player, "salomon-1986", "bluffer", 5)


def count_of_bills(player: Player) -> None:
    """A count of the dollar-bill game."""
    _play_until_settled(player, "dollar-bill", "bluffer", 3)


def queen_annes(player: Player) -> None:
    """A showdown of Queen Anne's game."""
    _play_until_settled(player, "queen-annes", "beginner", 3)


def thorin(player: Player) -> None:
    """A showdown of Thorin's game."""
    _play_until_settled(player, "thorin", "beginner", 4)


def odds(player: Player) -> None:
    """The page that answers one question about the odds."""
    player.page.goto("/odds")


PICTURES: dict[str, tuple[Callable[[Player], None], ViewportSize]] = {
    "lobby.png": (lobby, DESK),
    "table.png": (turn, DESK),
    "phone.png": (turn, PHONE),
    "count.png": (count, DESK),
    "count-bills.png": (count_of_bills, DESK),
    "showdown-queen-annes.png": (queen_annes, DESK),
    "showdown-thorin.png": (thorin, DESK),
    "odds-page.png": (odds, DESK),
}


def _play_until_settled(player: Player, game: str, bot: str, seats: int) -> None:
    """Play at a table with bots until a round is settled."""
    player.make_table("Ann", (bot,) * (seats - 1), seats=seats, game=game)
    player.press(player.offer("start"))
    play([player], Random(game), until=lambda: player.stage == "gathering")


def _round(player: Player) -> int:
    digits = "".join(filter(str.isdigit, player.page.locator("h1").text_content() or ""))
    return int(digits or 0)


def _bids(player: Player) -> int:
    return player.page.locator(".ladder li").count()


def save(page: Page, path: Path) -> None:
    """Save what the page shows, with few colours, which makes the file a third as large."""
    page.wait_for_timeout(500)
    image = Image.open(BytesIO(page.screenshot())).convert("RGB")
    image.quantize(COLORS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)


@contextmanager
def table(browser: Browser, origin: str, size: ViewportSize) -> Iterator[Player]:
    """A player who opens the server's pages for the first time."""
    visitors = Visitors(browser, origin, Unchecked(Path()))
    player = visitors.come(size)
    yield player
    player.page.context.close()


def main(names: list[str]) -> None:
    """Take the pictures with these names, or all."""
    with tempfile.TemporaryDirectory() as data, running(Path(data), mount_pages) as server, launched() as browser:
        for name in names or PICTURES:
            reach, size = PICTURES[name]
            with table(browser, server.url, size) as player:
                reach(player)
                save(player.page, FOLDER / name)
            print(FOLDER / name)


if __name__ == "__main__":
    main(sys.argv[1:])
