"""Every linked page exists, for every game, and uses typographic apostrophes."""

from __future__ import annotations

from collections import deque

import pytest

from liarspoker.core import catalogue
from liarspoker.core.catalogue import GamePreset
from liarspoker.web.words import typeset
from tests.another_preset import FAMILIES, add_preset
from tests.server.inprocess import Running
from tests.web.conftest import Evening
from tests.web.pages.reading import Node, Reader, read_page
from tests.web.study.played_tables import played

GAMES = [row.id for row in catalogue.games()]
MOST_PAGES = 80


def typed(page: Node) -> list[str]:
    """The words on a page with a straight apostrophe, except in code."""
    if page.tag in ("code", "pre", "textarea", "script", "style"):
        return []
    texts = [page.at.get(name, "") for name in ("title", "aria-label", "placeholder", "alt")]
    texts += [one for one in page.inside if isinstance(one, str)]
    below = [text for one in page.inside if isinstance(one, Node) for text in typed(one)]
    return [text.strip() for text in texts if "'" in text] + below


def kind_of(path: str) -> str:
    """The kind of a page; one page of each kind is enough, such as one odds question and one table."""
    bare = path.partition("?")[0]
    parts = bare.split("/")
    return bare if parts[1] != "t" else f"/t/{'/'.join(parts[3:])}"


def test_every_linked_page_exists_and_has_typographic_apostrophes(ann: Reader) -> None:
    ann.read("/").send("Play your first hand", name="Ann")
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
def test_every_page_of_a_table_exists_and_has_typographic_apostrophes(evening: Evening, game: str) -> None:
    owner, table = evening(game)
    for path in ("", "/sheet", "/replay", "/replay/1?ply=1", "/verify", "/records", "/like"):
        response = owner.http.get(f"/t/{table}{path}", follow_redirects=True)
        assert response.status_code == 200, path
        if "html" in response.headers["content-type"]:
            assert typed(read_page(response.text)) == [], path


@pytest.mark.parametrize("family", FAMILIES)
def test_a_preset_without_rules_text_or_samples_works_on_every_page(
    site: Running, ann: Reader, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row: GamePreset = add_preset(monkeypatch, family)
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
    ann.send("Close for everyone")
    person, table = played(site, row.id)
    reader = Reader(person)
    table_pages = ("", "/sheet", "/like", "/replay", "/replay/1?ply=2&as=0", "/records", "/verify")
    for path in (*(f"/t/{table}{page}" for page in table_pages), "/you", "/replay"):
        assert reader.read(path).status == 200, path
