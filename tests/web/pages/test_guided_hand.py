"""The guided hand, without JavaScript: new users play it first, skip its hints, and repeat it."""

from __future__ import annotations

from random import Random

from tests.server.inprocess import Running
from tests.web.pages.reading import Reader


def play_a_hand(reader: Reader) -> None:
    """Play the current hand to its count, by raising or challenging at random."""
    chance = Random(1)
    while reader.view()["public"]["stage"] == "round":
        reader.read(reader.address)
        buttons = [one for one in reader.page.all("button") if one.at.get("id") in ("challenge", "count", "raise")]
        if buttons:
            reader.send(chance.choice(buttons).text)
    reader.read(reader.address)


def test_a_new_user_plays_a_guided_hand_and_then_knows_its_game(ann: Reader, bob: Reader) -> None:
    ann.read("/").send("Play your first hand")
    public = ann.view()["public"]
    assert public["settings"]["game"] == "dollar-bill"
    assert public["settings"]["visibility"] == "private"
    assert [chair["bot"] is not None for chair in public["chairs"]] == [False, True, True, True]
    assert public["stage"] == "round"
    assert ann.page.one(id="hint").text
    guided = ann.table
    assert "Play your first hand" in ann.read("/").page.text, "no hand has been counted"

    ann.read(f"/t/{guided}")
    play_a_hand(ann)
    assert "so the bid" in ann.page.one(id="hint").text
    ann.send("Quick table", within=ann.page.one(id="hint"))
    assert ann.view()["public"]["settings"]["game"] == "dollar-bill"
    assert ann.view()["public"]["settings"]["visibility"] == "open"
    assert not ann.page.all(id="hint")
    assert "Play your first hand" not in ann.read("/").page.text
    assert "Play your first hand" in bob.read("/").page.text


def test_hints_can_be_skipped_and_the_guided_hand_repeated(ann: Reader) -> None:
    ann.read("/").send("Play your first hand")
    first = ann.table
    ann.send("Skip", within=ann.page.one(id="hint"))
    assert ann.table == first
    assert not ann.page.all(id="hint")
    ann.send("Guided hand", within=ann.page.one(id="more"))
    assert ann.table != first
    assert ann.page.one(id="hint").text
    ann.read("/rules").send("Guided hand")
    assert ann.page.one(id="hint").text


def test_a_quick_table_is_of_the_game_last_played(site: Running, ann: Reader) -> None:
    ann.read("/bots").send("SLIPS", name="Ann", opponents="1")
    play_a_hand(ann)
    ann.read("/").send("Quick table")
    assert ann.view()["public"]["settings"]["game"] == "slips"
    assert ann.post("/quick", game="no-such-game").status == 422
