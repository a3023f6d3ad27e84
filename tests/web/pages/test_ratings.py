"""Rated tables, ratings and leaderboards without JavaScript."""

from __future__ import annotations

import asyncio

from liarspoker.server.ratings import Rating
from tests.server.inprocess import Running
from tests.server.test_ratings import RATED, account, play, stored_ratings
from tests.web.pages.reading import Reader


def keep(site: Running, game: str, **of_users: Rating) -> None:
    """Store ratings for a game with two players."""
    coroutine = stored_ratings(site.service.storage, of_users, game)
    asyncio.run_coroutine_threadsafe(coroutine, site.loop).result(20)


def test_the_form_says_what_a_rated_table_needs(site: Running) -> None:
    ann = Reader(account(site, "Ann"))
    ann.read("/new?game=slips&rated=true").send("Create table")
    assert (ann.status, "A rated table needs an end" in ann.page.text) == (422, False)
    assert "rounds: a rated table needs an end; choose a number of hands" in ann.page.text.lower()
    ann.send("Create table", rounds="5")
    assert "a rated table needs a clock" in ann.page.text.lower()
    ann.send("Create table", clock="fast")
    settings = ann.view()["public"]["settings"]
    assert (settings["rated"], settings["help"], settings["rounds"]) == (True, False, 5)
    again = ann.read(f"/t/{ann.table}/like").page
    assert again.one("input", name="rated", value="true").at.get("checked") is not None


def test_a_guest_is_told_to_create_an_account(site: Running) -> None:
    ann, gus = account(site, "Ann"), Reader(site.person("Gus"))
    table = site.table(ann, **RATED, visibility="open", title="Only accounts")
    assert "you need an account" in gus.read(f"/t/{table}").page.text
    assert not gus.page.all("form", data_do="join")
    row = gus.read("/").page.one("li", id=f"table-{table}")
    assert "Rated" in row.text
    gus.send("Join", within=row)
    assert "This is a rated table" in gus.page.text
    gus.person.post("/new", None)
    form = gus.read("/new?game=slips&rated=true&rounds=3&clock=fast")
    form.send("Create table", name="Gus")
    assert "create an account to sit here" in gus.page.text


def test_ratings_are_shown_at_the_table_on_the_result_and_on_pages_of_people(site: Running) -> None:
    ann, bob = account(site, "Ann"), account(site, "Bob")
    table = site.table(ann, bob, **RATED)
    reader = Reader(ann)
    assert reader.read(f"/t/{table}").page.text.count("1500 ± 333") == 2
    play(site, table, ann, bob)
    result = reader.read(f"/t/{table}").page.one("table", cls="ledger").text
    assert "+105" in result
    assert "−105" in result
    page = reader.read(f"/people/{bob.user}").page.text
    assert "Dollar bill, 2 players" in page
    assert "± 323" in page
    labels = [one.at["aria-label"] for one in reader.read("/you/games").page.all("svg", cls="sparkline")]
    assert any(label.startswith("Rating after each game, from 1500 to") for label in labels)
    assert "Ratings" not in [one.text for one in reader.read(f"/people/{site.person('Eve').user}").page.all("h2")]


def test_an_unfinished_rated_table_says_that_it_was_not_rated(site: Running) -> None:
    ann, bob = account(site, "Ann"), account(site, "Bob")
    table = site.table(ann, bob, **RATED)
    assert ann.ask(table, do="end")["ok"]
    assert "±" not in Reader(ann).read(f"/t/{table}").page.one("section", cls="final").text


def test_the_leaderboard_has_an_empty_state_places_and_the_user_s_own(site: Running) -> None:
    ann, bob = account(site, "Ann"), account(site, "Bob")
    reader = Reader(ann)
    empty = reader.read("/leaderboard?game=seven-card&players=9")
    assert empty.status == 200
    assert "Nobody has a place here yet" in reader.read("/leaderboard?game=thorin&players=7").page.text
    assert reader.read(reader.page.one("a", cls="prime").at["href"]).status == 200
    keep(site, "thorin", **{ann.user: Rating(30, 2, 40), bob.user: Rating(26, 7, 4)})
    page = reader.read("/leaderboard?game=thorin&players=2").page
    assert "Your place: 1" in page.text
    assert [row.text for row in page.all("tr")[1:]] == ["1 Ann 40 1700 ± 80"]
    assert "still provisional" in Reader(bob).read("/leaderboard?game=thorin&players=2").page.text
    assert "Your place" not in Reader(site.person()).read("/leaderboard?game=thorin&players=2").page.text
    assert "/leaderboard" in [one.at["href"] for one in reader.read("/").page.all("a")]
    for query in ("game=chess", "players=0", "players=x&game=slips", ""):
        assert reader.read(f"/leaderboard?{query}").status == 200
