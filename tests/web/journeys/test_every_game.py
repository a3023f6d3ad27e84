from random import Random

import pytest
from playwright.sync_api import ViewportSize

from liarspoker.core import catalogue
from tests.server.inprocess import Running
from tests.web.journeys.player import Player, break_off, play
from tests.web.journeys.survey import DESK, PHONE
from tests.web.journeys.visitors import Visitors

FIRST = {row.family: row.id for row in reversed(catalogue.games())}
"""A game of each family. Tests in `tests/web/leaks` and `tests/web/pages` cover all games without a browser."""

ROUNDS = 2
"""Number of rounds played in a match before the owner closes the table."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "size"), list(zip(FIRST.values(), [DESK, PHONE] * len(FIRST), strict=False)))
def test_two_people_and_a_bot_play_from_the_first_deal_to_the_final_score(
    visitors: Visitors, site: Running, game: str, size: ViewportSize
) -> None:
    ann, bob = visitors.come(size), visitors.come(size)
    table = ann.make_table("Ann", ("beginner",), game=game, seats=3, rounds=1)
    bob.open(table)
    bob.sit_down("Bob")
    ann.press(ann.offer("start"))
    chance = Random(game)
    play([ann, bob], chance, until=lambda: ann.my_turn)
    break_off(site, ann)
    play([ann, bob], chance, until=lambda: f"Round {ROUNDS + 1}" in (ann.page.locator("h1").text_content() or ""))
    if ann.stage != "ended":  # a match may take a dozen rounds
        ended = {"id": "end", "command": {"do": "end"}}
        assert ann.page.request.post(f"/api/tables/{table.rpartition('/')[2]}/commands", data=ended).ok
        for player in (ann, bob):  # a page may still show a turn
            player.page.locator("#main[data-stage=ended]").wait_for()
        play([ann, bob], chance)
    expected = {
        entry["user"]: entry["units"] for entry in site.person().view(table.rpartition("/")[2])["public"]["units"]
    }
    assert shown_units(ann) == shown_units(bob) == expected
    assert sum(expected.values()) == 0


def shown_units(player: Player) -> dict[str, int]:
    """The units of each user as shown on the page."""
    signs = {"▲": 1, "■": 0, "▼": -1}
    shown = {}
    for seat in player.page.locator("[data-user]").all():
        sign, number = (seat.locator(".net").first.text_content() or "").split()
        shown[seat.get_attribute("data-user") or ""] = signs[sign] * int(number.replace(" ", ""))
    return shown
