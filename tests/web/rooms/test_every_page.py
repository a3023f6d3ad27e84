"""Every page that a link leads to is there, for every game, and has no typewriter's apostrophe."""

from __future__ import annotations

from collections import deque

import pytest

from liarspoker.core import catalogue
from liarspoker.core.catalogue import GameRow
from liarspoker.web.words import typeset
from tests.another_preset import FAMILIES, add_preset
from tests.server.inprocess import Running
from tests.web.conftest import Evening
from tests.web.rooms.reading import Node, Reader, read_page
from tests.web.study.evenings import played

GAMES = [row.id for row in catalogue.games()]
MOST_PAGES = 80


def typed(page: Node) -> list[str]:
    """The words on a page that have a typewriter's apostrophe; what is written as code keeps it."""
    if page.tag in ("code", "pre", "textarea", "script", "style"):
        return []
    told = [page.at.get(name, "") for name in ("title", "aria-label", "placeholder", "alt")]
    told += [one for one in page.inside if isinstance(one, str)]
    below = [text for one in page.inside if isinstance(one, Node) for text in typed(one)]
    return [text.strip() for text in told if "'" in text] + below


def kind_of(path: str) -> str:
    """Pages of one kind are alike: one question of the odds is enough, and one table."""
    bare = path.partition("?")[0]
    parts = bare.split("/")
    return bare if parts[1] != "t" else f"/t/{'/'.join(parts[3:])}"


def test_every_page_that_a_link_leads_to_is_there_and_well_typed(ann: Reader) -> None:
    ann.read("/").send("Quick table", name="Ann")
    waiting, seen = deque(["/", "/bots", "/you", *(f"/new?game={game}" for game in GAMES)]), set[str]()
    while waiting:
        path = waiting.popleft()
        kind = path if "/new?game=" in path else kind_of(path)
        if kind in seen:
            continue
        seen.add(kind)
        assert len(seen) < MOST_PAGES
        response = ann.person.http.get(path, follow_redirects=True)
        assert response.status_code == 200, path
        if response.headers["content-type"].startswith("text/html"):
            page = read_page(response.text)
            assert typed(page) == [], path
            waiting += [
                link.at["href"].partition("#")[0] for link in page.all("a") if link.at.get("href", "").startswith("/")
            ]
    assert seen >= {"/rules", "/odds", "/replay", "/verify", "/you", "/settings", *(f"/rules/{game}" for game in GAMES)}
    assert typed(ann.read("/no-such-page").page) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_a_table_is_there_and_well_typed(evening: Evening, game: str) -> None:
    owner, table = evening(game)
    for path in ("", "/sheet", "/replay", "/replay/1?ply=1", "/verify", "/records", "/like"):
        response = owner.http.get(f"/t/{table}{path}", follow_redirects=True)
        assert response.status_code == 200, path
        if "html" in response.headers["content-type"]:
            assert typed(read_page(response.text)) == [], path


@pytest.mark.parametrize("family", FAMILIES)
def test_a_preset_without_prose_or_sample_rounds_is_shown_on_every_page_and_played(
    house: Running, ann: Reader, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row: GameRow = add_preset(monkeypatch, family)
    title = typeset(row.title)
    for page in ("/rules", f"/rules/{row.id}", "/new", f"/new?game={row.id}", "/bots"):
        assert title in ann.read(page).page.text, page
        assert ann.status == 200, page
    assert ann.read(f"/rules/{row.id}").page.one("h1").text == title
    assert not ann.page.all("article"), "there is no prose, so no panel for it"
    assert ann.read(f"/odds?game={row.id}").status in (200, 422)
    assert ann.person.http.get(f"/api/games/{row.id}").json()["game"] == row.id
    ann.read("/bots").send(title, name="Ann", opponents="9", level="beginner")
    public = ann.view()["public"]
    assert (public["settings"]["game"], len(public["chairs"])) == (row.id, 4)
    ann.send("Yes, end it")
    person, table = played(house, row.id)
    reader = Reader(person)
    table_pages = ("", "/sheet", "/like", "/replay", "/replay/1?ply=2&as=0", "/records", "/verify")
    for path in (*(f"/t/{table}{page}" for page in table_pages), "/you", "/replay"):
        assert reader.read(path).status == 200, path
