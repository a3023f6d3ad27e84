"""A form that is sent twice, by a double click or after a break, does once what it is for."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from liarspoker.core import catalogue
from tests.server.inprocess import Running
from tests.web.rooms.reading import Node, Reader

_ROUNDS = 8
"""So often everybody does something that he may do."""


@dataclass
class DoubleClicker(Reader):
    """Somebody whose every form is sent twice; both times the server must answer alike."""

    def post(self, address: str, **fields: str) -> Reader:
        first = self.person.http.post(address, data=fields, follow_redirects=True)
        version = self.person.view(first.url.path.split("/")[2])["public"]["version"]
        second = self.person.http.post(address, data=fields, follow_redirects=True)
        assert (second.status_code, second.url) == (first.status_code, first.url), fields
        assert self.person.view(second.url.path.split("/")[2])["public"]["version"] == version, fields
        return self._came(second)


def acts(page: Node) -> list[Node]:
    """The forms with which something could be done now."""
    forms = [form for form in page.all("form") if form.at.get("data-do") in ("start", "ready", "pick", "name", "act")]
    return [form for form in forms if any("disabled" not in one.at for one in form.all("button"))]


@pytest.mark.parametrize("game", [row.id for row in catalogue.games()])
def test_every_form_of_a_table_acts_once(house: Running, game: str) -> None:
    options: dict[str, Any] = {"options": {"dealers_choice": True}} if game == "thorin" else {}
    people = [DoubleClicker(house.person(name)) for name in ("Ann", "Bob")]
    table = house.table(*(reader.person for reader in people), game=game, seats=2, **options)
    chance, sent = Random(game), set[tuple[str, str]]()
    for _ in range(_ROUNDS):
        for reader in people:
            reader.read(f"/t/{table}")
            able = acts(reader.page)
            if offered := [form for form in able if (form.at["data-do"], form.text) not in sent] or able:
                form = chance.choice(offered)
                sent.add((form.at["data-do"], form.text))
                button = next(one for one in form.all("button") if "disabled" not in one.at)
                spoken = {one.at["name"]: "pair of aces" for one in form.all("input") if one.at.get("maxlength")}
                reader.send(button.text, spoken, within=form)
    assert {do for do, _ in sent} >= {"start", "ready", "act"}


def test_who_sits_down_twice_sits_once_though_nobody_knew_him(house: Running, ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Make the table", name="Ann", spectators="live")
    page = bob.read(f"/t/{ann.table}").page
    form = next(one for one in page.all("form") if one.at.get("data-do") == "join")
    fields = {one.at["name"]: one.at["value"] for one in form.all("input")} | {"name": "Bob"}
    again = house.person()
    for person in (bob.person, again):  # the browser has no cookie yet when it sends the form again
        assert person.http.post(f"/t/{ann.table}", data=fields, follow_redirects=True).status_code == 200
    assert [chair["name"] for chair in ann.view()["public"]["chairs"] if chair] == ["Ann", "Bob"]
    assert again.view(ann.table)["you"]["chair"] == bob.person.view(ann.table)["you"]["chair"] == 1


def test_a_table_like_the_last_one_is_made_once(house: Running, ann: Reader) -> None:
    ann.read("/bots").send("Dollar bill", name="Ann", level="beginner", opponents="2")
    ended = ann.send("Yes, end it").table
    form = ann.page.one("form", action=f"/t/{ended}/again")
    fields = {one.at["name"]: one.at["value"] for one in form.all("input")}

    def send(_: int) -> str:
        return ann.person.http.post(f"/t/{ended}/again", data=fields).headers["location"]

    with ThreadPoolExecutor(4) as pool:
        [made] = set(pool.map(send, range(4)))
    assert made != f"/t/{ended}"
    ann.read(f"/t/{ended}").send("Same again")  # later, when he wants another one
    assert f"/t/{ann.table}" != made


def test_a_form_sent_again_from_an_earlier_page_acts_once(ann: Reader) -> None:
    before = ann.read("/new").send("Make the table", name="Ann").page
    ann.send("Bluffer")
    ann.page = before
    ann.send("Bluffer")
    assert sum(chair is not None for chair in ann.view()["public"]["chairs"]) == 2
    before = ann.page
    ann.send("Say", text="well")
    ann.page = before
    ann.send("Say", text="well").send("Say", text="well").send("Say", text="now")
    lines = ann.page.one("section", id="chat").one("ol").all("li")
    assert [line.text for line in lines] == ["You well", "You well", "You now"]
