"""Pages in other languages: no text of a page is outside the catalogues."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from random import Random

import pytest

from liarspoker.core import catalogue
from liarspoker.language import speaking
from liarspoker.tables.bot_names import BOT_NAMES
from liarspoker.web.view_models.table import TableSnapshot, table_view_model
from tests.marked import CODE, add_language, outside
from tests.server.inprocess import Running
from tests.tables.choices import some_action
from tests.tables.play import state_of
from tests.web.conftest import Evening
from tests.web.pages.reading import Reader, read_page
from tests.web.pages.test_every_page import kind_of
from tests.web.study.played_tables import act, begun, to_act
from tests.web.view_models.snapshots import drawn, everybody, states

GAMES = [row.id for row in catalogue.games()]
NAMES: tuple[str, ...] = (
    r"\b(Ann|Bea|Cleo|Ben|Bob|Cal|Cat|Dan|Dot|Eve|Friday|Zoe)\b",
    r"\bGuest\b",
    "English",
    "Deutsch",
    "Español",
    "Marked",
    r"https?://\S+",
)
NAMES += (
    *GAMES,
    r"\b[2-9TJQKA][cdhs]\b",
    "SLIPS",
    "HE CP KH",
    "lpn = 1.*",
    "JOKER",
    "two pair, sevens over threes",
    "full house A over 10",
    r"\b(Annie|Bart|Chrissie|Dirk|Ellie)\b",
    *BOT_NAMES,
)
BLUFFS = r".*; (there (was|were)|the hand was|\d+ cards? (was|were) missing).*"
"""The best bluff of a table that ended before the language was added."""


@pytest.fixture(autouse=True)
def marked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    add_language(monkeypatch, tmp_path)


def test_every_linked_page_is_in_the_readers_language(ann: Reader) -> None:
    ann.person.http.headers["Accept-Language"] = CODE
    ann.read("/").send("⟦Play your first hand⟧", name="Ann")
    waiting, seen, found = deque(["/", "/bots", "/you", *(f"/new?game={game}" for game in GAMES)]), set[str](), []
    while waiting:
        path = waiting.popleft()
        kind = path if "/new?game=" in path else kind_of(path)
        if kind in seen:
            continue
        seen.add(kind)
        response = ann.person.http.get(path, follow_redirects=True)
        assert response.status_code == 200, path
        if response.headers["content-type"].startswith("text/html"):
            found += [f"{path}: {text}" for text in outside(response.text, *NAMES)]
            links = read_page(response.text).all("a")
            waiting += [link.at["href"].partition("#")[0] for link in links if link.at.get("href", "").startswith("/")]
    assert seen >= {"/rules", "/odds", "/replay", "/verify", "/you", "/settings", *(f"/rules/{game}" for game in GAMES)}
    assert "\n".join(found) == ""


@pytest.mark.parametrize("game", GAMES)
def test_every_state_of_a_table_is_in_the_readers_language(game: str) -> None:
    found = set()
    with speaking(CODE):
        for played in states(game, 3, 2, 1):
            for user in everybody(played):
                shown = TableSnapshot(state_of(played, user), link="https://t/t/1", name="Ann", guided=True)
                found |= set(outside(drawn(table_view_model(shown)), *NAMES, r"\b(User|Player|user|player)\b"))
    assert "\n".join(sorted(found)) == ""


@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_a_table_is_in_the_readers_language(evening: Evening, site: Running, game: str) -> None:
    owner, table = evening(game)
    found = []
    for path in ("", "/sheet", "/replay", "/replay/1?ply=1", "/verify", "/like", "/no-such-page"):
        response = owner.http.get(f"/t/{table}{path}", headers={"Accept-Language": CODE}, follow_redirects=True)
        found += [f"{path}: {text}" for text in outside(response.text, *NAMES, BLUFFS)]
    assert "\n".join(found) == ""


def test_a_socket_speaks_the_language_it_was_opened_in(site: Running) -> None:
    ann, bob = site.person("Ann"), site.person("Bob")
    table = site.table(ann, bob)
    for headers, marked in (({"Accept-Language": CODE}, True), ({}, False)):
        with ann.socket(table, **headers) as socket:
            refused = socket.ask(f"{marked}", do="sit_in")
            assert (refused["code"], refused["message"].startswith("⟦")) == ("not-away", marked)
            socket.send({"kind": "nonsense"})
            assert socket.until("error")["message"].startswith("⟦") == marked


@pytest.mark.parametrize("game", GAMES)
def test_views_stay_english_whatever_language_the_last_command_came_in(site: Running, game: str) -> None:
    table, people = begun(site, game)
    for person in people:
        person.http.headers["Accept-Language"] = CODE
    with site.person().socket(table) as watching:
        watching.until("state")
        for _ in range(2):
            hand = to_act(table, people).view(table)["you"]["hand"]
            act(table, people, some_action(hand, Random(1)))
            assert "⟦" not in str(watching.until("state"))


def test_the_service_worker_stores_pages_in_the_chosen_language(site: Running) -> None:
    chosen = {code: site.person() for code in ("en", "de")}
    for code, person in chosen.items():
        person.http.cookies.set("liarspoker-looks", f"language={code}")
    scripts = {code: person.http.get("/sw.js").text for code, person in chosen.items()}
    kept = {
        code: json.loads(text.partition("\n")[0].removeprefix("const KEPT=")[:-1]) for code, text in scripts.items()
    }
    assert {code: one["language"] for code, one in kept.items()} == {code: code for code in chosen}
    assert kept["en"]["cache"] != kept["de"]["cache"]
    assert "Accept-Language" in scripts["en"]
