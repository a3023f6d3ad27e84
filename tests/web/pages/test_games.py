"""Results of all games: totals, filters, and export and import of records."""

import io
import json
import zipfile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.records import replay
from liarspoker.web.history import History, Part, Played, Selection, parts_of, played_at, total
from liarspoker.web.routes import games
from liarspoker.web.view_models.family import Tally
from tests.server.inprocess import Person, Running
from tests.tables.play import GAMES, in_round
from tests.web.pages.reading import Reader, read_page
from tests.web.study.played_tables import played

DOLLAR: dict[str, Any] = {
    "lpn": 1,
    "game": "dollar-bill",
    "players": ["Ann", "Ben", "Cy"],
    "rounds": [
        # Ann bids a digit of which nobody but Cy has one; Ben has two sevens.
        {"deal": ["01234567", "77890123", "45678901"], "actions": ["2x8", "3x7", "challenge", "challenge"]},
        {"opener": 0, "deal": ["11111111", "22222222", "33333333"], "actions": ["3x9", "challenge", "challenge"]},
    ],
}


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
def test_results_add_up_to_what_the_table_says(game: str, seed: int) -> None:
    table = in_round(game, 3, seed)
    for _ in range(2):
        if table.table.stage == "round":
            table.play_out()
        if table.table.stage == "ended":
            break
        table.play_round()
    everybody = {user: total(played_at(table.table, user)) for user in table.table.names}
    assert {user: tally.units for user, tally in everybody.items()} == dict(table.table.units)
    last_claims = [tally.bids_won + tally.bids_lost for tally in everybody.values()]
    assert sum(last_claims) <= max(tally.rounds for tally in everybody.values())
    for tally in everybody.values():
        assert tally.caught <= tally.bids_lost
        assert tally.caught <= tally.bluffs <= tally.claims
        assert tally.bids_won + tally.bids_lost <= tally.claims
    assert total(played_at(table.table, "nobody")) == Tally()


def test_a_bluff_is_a_bid_that_was_probably_false_from_where_the_bidder_sat() -> None:
    record = replay(DOLLAR)
    assert record.fault is None
    ann, ben, cy = (total(parts_of(record, seat)) for seat in range(3))
    # Of the others' 16 digits, 2x8 needs two (0.49) and 3x9 three (0.21); 3x7 needs one (0.81).
    assert (ann.claims, ann.bluffs, ann.caught) == (2, 2, 1)
    assert (ben.claims, ben.bluffs, ben.caught) == (1, 0, 0)
    assert (cy.claims, cy.bluffs, cy.wrong, cy.right) == (0, 0, 1, 1)
    positions = {part.position: part.tally.rounds for part in parts_of(record, 1)}
    assert positions == {2: 2}
    assert {part.opponents for part in parts_of(record, 1)} == {("Ann", "Cy")}


def test_a_selection_keeps_only_what_was_asked_for() -> None:
    def one(number: int, at: float, *parts: Part) -> Played:
        return Played(str(number), "Friday", replay(DOLLAR).game.preset, True, at, parts)  # type: ignore[union-attr]

    with_ben, with_cy = Part(("Ben",), 1, Tally(rounds=2, units=3)), Part(("Cy",), 2, Tally(rounds=1, units=-5))
    history = History((one(1, 3 * 86400.0, with_ben, with_cy), one(2, 86400.0, with_ben)))
    assert history.units == 1
    assert [(name, tables, tally.units) for name, tables, tally in history.by_opponent] == [
        ("Ben", 2, 6),
        ("Cy", 1, -5),
    ]
    assert [(place, tally.rounds) for place, _, tally in history.by_position] == [(1, 4), (2, 1)]
    assert history.selected(Selection(opponent="Ben")).units == 6
    assert history.selected(Selection(since="1970-01-03")).units == -2
    assert history.selected(Selection(until="1970-01-02")).units == 3
    assert history.selected(Selection(game="thorin")).played == ()


def exported(person: Person, query: str = "") -> dict[str, Any]:
    response = person.http.get(f"/you/games/records.zip{query}")
    assert response.status_code == 200
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def send(person: Person, name: str, content: bytes, player: str = "") -> Any:
    return person.http.post(
        "/you/games/import", data={"player": player}, files={"file": (name, content)}, follow_redirects=True
    )


def figures(reader: Reader) -> list[str]:
    return [node.text for node in reader.read("/you/games").page.one("dl", cls="figures").all("dd")]


def test_all_records_can_be_downloaded_and_imported_elsewhere(site: Running) -> None:
    ann, table = played(site, "dollar-bill", 2)
    records = exported(ann)
    assert list(records.values()) == ann.http.get(f"/api/tables/{table}/records").json()
    assert exported(ann, "?game=thorin") == {}
    archive = ann.http.get("/you/games/records.zip").content
    other = site.person("Ann")
    for _ in range(2):  # importing a record again changes nothing
        assert "1 record imported" in send(other, "records.zip", archive).text
    here, there = Reader(ann), Reader(other)
    assert figures(there) == figures(here)
    [link] = [node.at["href"] for node in there.page.all("a") if "/imports/" in node.at.get("href", "")]
    assert "Friday" in there.read(link).page.text
    assert ann.http.get(link).status_code == 404  # imported records are private
    assert ann.http.post(f"{link}/delete").is_redirect
    assert list(exported(other).values()) == list(records.values())
    there.read("/you/games").send("Delete Friday")
    assert "You haven’t played yet" in there.read("/you/games").page.text


def test_the_filter_shows_the_results_against_an_opponent(site: Running) -> None:
    ann = Reader(played(site, "dollar-bill", 2)[0])
    assert [node.at["value"] for node in ann.read("/you/games").page.one(id="game").all("option")] == [
        "",
        "dollar-bill",
    ]
    assert "1 table" in ann.read("/you/games?opponent=Ben&game=dollar-bill").page.text
    for query in ("opponent=Zoe", "since=2199-01-01", "until=1999-12-31"):
        assert "No games match" in ann.read(f"/you/games?{query}").page.text
    for query in ("game=no-such-game", "since=yesterday", "page=7000", "page=x"):
        assert "1 table" in ann.read(f"/you/games?{query}").page.text


RECORD = json.dumps(DOLLAR).encode()


def archive(record: bytes, method: int = zipfile.ZIP_DEFLATED, damaged: bool = False) -> bytes:
    """Return a ZIP archive of one record."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as made:
        made.writestr("a.json", record)
    content = bytearray(file.getvalue())
    if damaged:
        start = content.index(b"a.json") + len(b"a.json")
        content[start : start + 8] = bytes(one ^ 255 for one in content[start : start + 8])
    return bytes(content)


def test_characters_of_a_record_that_cannot_be_encoded_are_replaced(site: Running) -> None:
    ann = site.person("Ann")
    record = {**DOLLAR, "players": ["Ann", "B\ud800", "Cy"], "x-title": "Friday\udfff" + 100 * "!"}
    assert send(ann, "a.json", json.dumps(record).encode(), "Ann").status_code == 200
    page = Reader(ann).read("/you/games").page
    assert "B?" in page.text
    assert "Friday?!!" in page.text
    assert 61 * "!" not in page.text
    [link] = [node.at["href"] for node in page.all("a") if "/imports/" in node.at.get("href", "")]
    assert ann.http.get(link).status_code == 200


@pytest.mark.parametrize(
    ("name", "content", "player", "message"),
    [
        ("", b"", "Ann", "Choose a file."),
        ("a.json", RECORD, "Zoe", "Choose which player you are: Ann, Ben, Cy."),
        ("a.json", b"{", "Ann", "The record: this isn’t JSON"),
        ("a.json", json.dumps({**DOLLAR, "rounds": []}).encode(), "Ann", "The record has no finished round."),
        ("a.json", RECORD.replace(b"3x7", b"1x7"), "Ann", "Round 1, action 2"),
        ("a.zip", b"PK\x03\x04 and no archive", "Ann", "The archive can’t be read: File is not a zip file."),
        ("a.json", b" " * (games.MOST_BYTES + 1), "Ann", "The file is larger than 4 MiB"),
        ("a.zip", archive(RECORD, damaged=True), "Ann", "The archive can’t be read: Error -3 while decompressing data"),
        ("a.zip", archive(RECORD, zipfile.ZIP_LZMA), "Ann", "only the compression method Deflate is supported"),
        ("a.zip", archive(bytes(games.MOST_BYTES + 1)), "Ann", "a record larger than 4 MiB"),
        ("a.json", json.dumps({**DOLLAR, "players": ["\ud800", "Ben", "Cy"]}).encode(), "Zoe", "are: ?, Ben, Cy."),
        ("a.json", RECORD[:-1] + b', "x-title": ' + 900 * b"[" + 900 * b"]" + b"}", "Ann", "JSON can’t represent"),
        ("a.json", json.dumps({**DOLLAR, "players": ["Ann", 70_000 * "B", "Cy"]}).encode(), "Ann", "too large"),
    ],
)
def test_what_cannot_be_imported_is_explained(
    site: Running, name: str, content: bytes, player: str, message: str
) -> None:
    ann = site.person("Ann")
    response = send(ann, name, content, player)
    assert response.status_code == 422
    assert message in read_page(response.text).one(id="file-error").text
    assert exported(ann) == {}


def test_a_user_without_a_name_has_no_games(bob: Reader) -> None:
    assert "Choose a name in the lobby" in bob.read("/you/games").page.text
    assert bob.person.http.get("/you/games/records.zip").status_code == 401
