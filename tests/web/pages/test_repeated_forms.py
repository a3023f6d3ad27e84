"""A form that is sent twice, by a double click or after a lost connection, takes effect once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from liarspoker.core import catalogue
from tests.server.inprocess import Running
from tests.web.pages.reading import Node, Reader

_ROUNDS = 8
"""The number of actions that each player takes."""


@dataclass
class DoubleClicker(Reader):
    """A user whose forms are all sent twice; the server must respond equally both times."""

    def post(self, address: str, **fields: str) -> Reader:
        first = self.person.http.post(address, data=fields, follow_redirects=True)
        version = self.person.view(first.url.path.split("/")[2])["public"]["version"]
        second = self.person.http.post(address, data=fields, follow_redirects=True)
        assert (second.status_code, second.url) == (first.status_code, first.url), fields
        assert self.person.view(second.url.path.split("/")[2])["public"]["version"] == version, fields
        return self._came(second)


def acts(page: Node) -> list[Node]:
    """The forms that can be sent now."""
    forms = [form for form in page.all("form") if form.at.get("data-do") in ("start", "ready", "pick", "name", "act")]
    return [form for form in forms if any("disabled" not in one.at for one in form.all("button"))]


@pytest.mark.parametrize("game", [row.id for row in catalogue.games()])
def test_every_form_of_a_table_acts_once(site: Running, game: str) -> None:
    options: dict[str, Any] = {"options": {"dealers_choice": True}} if game == "thorin" else {}
    people = [DoubleClicker(site.person(name)) for name in ("Ann", "Bob")]
    table = site.table(*(reader.person for reader in people), game=game, seats=2, **options)
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


def test_an_unknown_user_who_joins_twice_has_one_seat(site: Running, ann: Reader, bob: Reader) -> None:
    ann.read("/new").send("Create table", name="Ann", spectators="live")
    page = bob.read(f"/t/{ann.table}").page
    form = next(one for one in page.all("form") if one.at.get("data-do") == "join")
    fields = {one.at["name"]: one.at["value"] for one in form.all("input")} | {"name": "Bob"}
    again = site.person()
    for person in (bob.person, again):  # the browser sends the form again before it gets the cookie
        assert person.http.post(f"/t/{ann.table}", data=fields, follow_redirects=True).status_code == 200
    assert [chair["name"] for chair in ann.view()["public"]["chairs"] if chair] == ["Ann", "Bob"]
    assert again.view(ann.table)["you"]["chair"] == bob.person.view(ann.table)["you"]["chair"] == 1


def test_a_rematch_is_created_once(site: Running, ann: Reader) -> None:
    ann.read("/bots").send("Dollar bill", name="Ann", level="beginner", opponents="2")
    ended = ann.send("Close for everyone").table
    form = ann.page.one("form", action=f"/t/{ended}/again")
    fields = {one.at["name"]: one.at["value"] for one in form.all("input")}

    def send(_: int) -> str:
        return ann.person.http.post(f"/t/{ended}/again", data=fields).headers["location"]

    with ThreadPoolExecutor(4) as pool:
        [made] = set(pool.map(send, range(4)))
    assert made != f"/t/{ended}"
    assert ann.read(f"/t/{ended}").page.one("a", href=made).text == "Go to the new table"


def test_a_form_sent_again_from_an_earlier_page_acts_once(ann: Reader) -> None:
    before = ann.read("/new").send("Create table", name="Ann").page
    ann.send("Bluffer")
    ann.page = before
    ann.send("Bluffer")
    assert sum(chair is not None for chair in ann.view()["public"]["chairs"]) == 2
    before = ann.page
    ann.send("Send", text="well")
    ann.page = before
    ann.send("Send", text="well").send("Send", text="well").send("Send", text="now")
    lines = ann.page.one("section", id="chat").one("ol").all("li")
    assert [line.text for line in lines] == ["You well", "You well", "You now"]
