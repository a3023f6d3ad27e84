"""Everyone who follows a table sees its last hand, with and without JavaScript."""

from __future__ import annotations

import json
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.server.inprocess import PATIENCE, Person, Running
from tests.web.pages.reading import Reader, read_page
from tests.web.study.played_tables import act, begun, to_act


def last_challenge(site: Running, said: str = "2x3", **settings: Any) -> tuple[str, Person, Person]:
    """A table of two after one action: its id, the player about to challenge, and its owner."""
    table, people = begun(site, **settings)
    act(table, people, said)
    return table, to_act(table, people), people[0]


def refreshed(reader: Reader) -> Reader:
    """The page that a browser without JavaScript reloads by itself."""
    address = reader.page.one("meta", http_equiv="refresh").at["content"].partition("url=")[2]
    return reader.read(address)


def test_without_javascript_the_last_count_stays_until_the_user_moves_on(site: Running) -> None:
    table, challenger, _ = last_challenge(site, rounds=1)
    player, spectator = (Reader(one).read(f"/t/{table}") for one in (challenger, site.person()))
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


def test_a_late_form_also_shows_the_last_count(site: Running) -> None:
    table, challenger, _ = last_challenge(site, rounds=1)
    reader = Reader(challenger).read(f"/t/{table}")
    act(table, [challenger], "challenge")
    reader.send("c Challenge")
    assert reader.status == 409
    assert reader.page.all(cls="hand-count")


def test_the_count_stays_when_the_owner_closes_the_table_during_it(site: Running) -> None:
    table, challenger, owner = last_challenge(site)
    act(table, [challenger], "challenge")
    reader = Reader(owner).read(f"/t/{table}").send("Close for everyone")
    assert reader.page.all(cls="hand-count")
    assert reader.page.all("a", id="to-end")


def followed(raw: ClientConnection) -> dict[str, Any]:
    """The next page that the server sends."""
    while True:
        frame: dict[str, Any] = json.loads(raw.recv(timeout=PATIENCE))
        if frame["kind"] == "page":
            return frame


def test_an_open_page_keeps_the_last_count_and_a_later_one_shows_the_final_score(site: Running) -> None:
    table, challenger, _ = last_challenge(site, rounds=1)
    reader = Reader(challenger).read(f"/t/{table}")
    url = f"ws://127.0.0.1:{site.port}{reader.page.one(id='live').at['data-live']}"
    with connect(url, additional_headers=challenger.headers) as raw:
        first = followed(raw)
        assert (first["result"], "revealing" in first) == ("", False)
        act(table, [challenger], "challenge")
        while not (frame := followed(raw))["result"]:
            assert "revealing" not in frame
    during, after = read_page(frame["revealing"]), read_page(frame["html"])
    assert during.all(cls="hand-count") == after.all(cls="hand-count")
    assert [button.text for button in during.one("section", cls="dock").all("button")] == ["Skip"]
    assert not during.all("a", id="to-end")
    assert after.all("a", id="to-end")
    assert reader.read(f"/t/{table}").page.all("section", cls="final")
    url = f"ws://127.0.0.1:{site.port}{reader.page.one(id='live').at['data-live']}"
    with connect(url, additional_headers=challenger.headers) as raw:
        assert read_page(followed(raw)["html"]).all("section", cls="final")
