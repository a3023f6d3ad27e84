"""Two correspondence games at once, from the list in the lobby and back to it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.journeys.player import Player
from tests.web.journeys.survey import SIZES, faults
from tests.web.journeys.visitors import Visitors


def test_the_list_leads_from_game_to_game_and_shows_a_new_turn_by_itself(visitors: Visitors) -> None:
    ann, bea = visitors.come(), visitors.come()
    assert ann.page.request.post("/api/guest", data={"name": "Ann"}).ok
    slow, fast = (begun(ann, bea, days) for days in (7, 1))
    page = bea.page
    page.goto("/")
    games = page.locator(".board").first.locator("li")
    expect(games).to_have_count(2)
    expect(games.first).to_contain_text("1 a turn")
    expect(page).to_have_title("(2) Liar’s Poker")
    for size, theme, rules in SIZES:
        page.set_viewport_size(size)
        bea.found += faults(page, size, theme, rules)
    page.get_by_role("link", name="2 waiting for your move").click()
    for address, then in ((fast, slow), (slow, "/")):
        bea.at_the_table()
        assert page.url.endswith(address)
        expect(page.get_by_role("link", name="Next game")).to_have_count(0)
        bid(bea, address, "1x5")
        page.get_by_role("link", name="Next game").click()
        page.wait_for_url(f"**{then}")
    expect(page).to_have_title("Liar’s Poker")
    bid(ann, slow, "1x6")
    expect(page).to_have_title("(1) Liar’s Poker")
    expect(page.get_by_role("link", name="1 waiting for your move")).to_be_visible()


def begun(owner: Player, other: Player, days: int) -> str:
    """Make a correspondence table where it is the other player's turn; return its URL."""
    settings = {"game": "dollar-bill", "seats": 2, "days": days, "title": f"{days} a turn"}
    made = owner.page.request.post("/api/tables", data={"settings": settings})
    address = owner.open(f"/t/{made.json()['table']}")
    other.open(address)
    other.sit_down("Bea")
    for player, do in ((owner, "start"), (other, "ready")):
        player.press(player.offer(do))
    public = owner.page.request.get(f"/api/tables/{made.json()['table']}").json()["public"]
    if public["to_act"] == public["owner"]:
        bid(owner, address, "1x4")
    return address


def bid(player: Player, address: str, action: str) -> None:
    """Make a bid as a program does."""
    table, asked = f"/api/tables/{address.rpartition('/')[2]}", player.page.request
    turn = asked.get(table).json()["public"]["turn"]
    answer = asked.post(f"{table}/act", data={"turn": turn, "action": action}).json()
    assert answer["ok"], answer
