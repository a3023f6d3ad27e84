"""The last hand of a table is seen by everybody who followed it, with a script and without one."""

from __future__ import annotations

import json
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.server.inprocess import PATIENCE, Person, Running
from tests.web.rooms.reading import Reader, read_page
from tests.web.study.evenings import act, begun, to_act


def last_challenge(house: Running, said: str = "2x3", **settings: Any) -> tuple[str, Person, Person]:
    """A table of two at which somebody has said this: its id, who is about to challenge, and its owner."""
    table, people = begun(house, **settings)
    act(table, people, said)
    return table, to_act(table, people), people[0]


def refreshed(reader: Reader) -> Reader:
    """The page that a browser without a script loads by itself after a while."""
    address = reader.page.one("meta", http_equiv="refresh").at["content"].partition("url=")[2]
    return reader.read(address)


def test_without_a_script_the_last_count_stays_until_the_reader_goes_on(house: Running) -> None:
    table, challenger, _ = last_challenge(house, rounds=1)
    player, spectator = (Reader(one).read(f"/t/{table}") for one in (challenger, house.person()))
    player.send("c Challenge")
    assert player.view()["public"]["stage"] == "ended"
    for reader in (player, refreshed(spectator)):
        assert reader.page.all(cls="hand-count")
        assert not reader.page.all("meta", http_equiv="refresh")
        assert "The table is closed" in reader.page.one("section", cls="dock").text
        reader.read(reader.page.one("a", id="to-end").at["href"])
        assert reader.page.all("section", cls="final")
        assert not reader.page.all(cls="hand-count")
        replay = reader.page.one("ul", cls="papers").all("a", href=f"/t/{table}/replay")
        assert [link.text for link in replay] == ["Replay"]


def test_a_form_that_comes_too_late_shows_the_last_count_too(house: Running) -> None:
    table, challenger, _ = last_challenge(house, rounds=1)
    reader = Reader(challenger).read(f"/t/{table}")
    act(table, [challenger], "challenge")
    reader.send("c Challenge")
    assert reader.status == 409
    assert reader.page.all(cls="hand-count")


def test_the_count_stays_when_the_owner_ends_the_table_over_it(house: Running) -> None:
    table, challenger, owner = last_challenge(house)
    act(table, [challenger], "challenge")
    reader = Reader(owner).read(f"/t/{table}").send("Yes, end it")
    assert reader.page.all(cls="hand-count")
    assert reader.page.all("a", id="to-end")


def followed(raw: ClientConnection) -> dict[str, Any]:
    """The next page that comes down."""
    while True:
        told: dict[str, Any] = json.loads(raw.recv(timeout=PATIENCE))
        if told["kind"] == "page":
            return told


def test_an_open_page_reveals_the_last_count_and_keeps_it_and_one_opened_later_is_closed(house: Running) -> None:
    table, challenger, _ = last_challenge(house, rounds=1)
    reader = Reader(challenger).read(f"/t/{table}")
    url = f"ws://127.0.0.1:{house.port}{reader.page.one(id='live').at['data-live']}"
    with connect(url, additional_headers=challenger.headers) as raw:
        first = followed(raw)
        assert (first["result"], "revealing" in first) == ("", False)
        act(table, [challenger], "challenge")
        while not (told := followed(raw))["result"]:
            assert "revealing" not in told
    during, after = read_page(told["revealing"]), read_page(told["html"])
    assert during.all(cls="hand-count") == after.all(cls="hand-count")
    assert [button.text for button in during.one("section", cls="dock").all("button")] == ["Skip"]
    assert not during.all("a", id="to-end")
    assert after.all("a", id="to-end")
    assert reader.read(f"/t/{table}").page.all("section", cls="final")
    url = f"ws://127.0.0.1:{house.port}{reader.page.one(id='live').at['data-live']}"
    with connect(url, additional_headers=challenger.headers) as raw:
        assert read_page(followed(raw)["html"]).all("section", cls="final")
