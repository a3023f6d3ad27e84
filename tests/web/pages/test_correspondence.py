"""Correspondence play without JavaScript: the list of games, the way from one to the next, and vacations."""

from __future__ import annotations

from tests.server.inprocess import Running, eventually
from tests.web.pages.reading import Node, Reader
from tests.web.study.played_tables import act, begun, to_act


def yours(reader: Reader) -> list[str]:
    """Return the ids of the rows of the user's correspondence games, in order."""
    boards = reader.read("/").page.all("ol", cls="board")
    return [row.at["id"] for row in boards[0].all("li")] if "Correspondence" in reader.page.text else []


def count(reader: Reader) -> str | None:
    """Return the number of waiting games in the bar; `None` if it is hidden."""
    link: Node = reader.read("/rules").page.one("a", cls="turns")
    return None if "hidden" in link.at else link.one("b").text


def after_next(reader: Reader, table: str = "") -> str:
    """Return the table that the button leads to from a table; empty for the lobby."""
    address = reader.person.http.get(f"/next?after={table}").headers["location"]
    return str(address).removeprefix("/t/").removeprefix("/")


def test_games_that_wait_for_you_come_first_by_the_time_left(site: Running) -> None:
    slow, people = begun(site, days=7, title="slow")
    mover = to_act(slow, people)
    reader = Reader(mover)
    assert count(reader) == "1"
    other = next(person for person in people if person is not mover)
    assert count(Reader(other)) is None
    fast = site.table(mover, days=1, title="fast")
    for one in people:
        if one is not mover:
            one.ask(fast, do="join")
    mover.ask(fast, do="start")
    for one in people:
        if one is not mover:
            one.ask(fast, do="ready")
    if to_act(fast, people) is not mover:
        act(fast, people, "1x4")
    assert yours(reader) == [f"table-{fast}", f"table-{slow}"]
    first, second = (reader.page.one("li", id=f"table-{one}").text for one in (fast, slow))
    assert "Your turn 23 h 59 m" in first or "Your turn 1 d 0 h" in first
    assert "Your turn 6 d 23 h" in second or "Your turn 7 d 0 h" in second
    assert "(2) Liar’s Poker" in reader.page.one("title").text
    assert count(reader) == "2"
    assert [after_next(reader), after_next(reader, fast), after_next(reader, slow)] == [fast, slow, fast]
    act(fast, people, "1x5")
    assert count(reader) == "1"
    assert yours(reader) == [f"table-{slow}", f"table-{fast}"]
    assert "to act" in reader.page.one("li", id=f"table-{fast}").text
    assert "Next game" in reader.read(f"/t/{fast}").page.text
    assert "Next game" not in reader.read(f"/t/{slow}").page.text
    act(slow, people, "1x5")
    assert after_next(reader, slow) == ""


def test_days_are_a_pace_of_a_new_table(ann: Reader) -> None:
    ann.read("/new").send("Create table", name="Ann", clock="days-3")
    assert ann.view()["public"]["settings"]["days"] == 3
    assert "3 days per decision" in ann.page.text
    assert ann.read(f"/t/{ann.table}/like").page.one("input", name="clock", value="days-3").at.get("checked") == ""


def test_a_vacation_is_taken_shown_and_ended(site: Running) -> None:
    table, people = begun(site, days=3)
    mover = to_act(table, people)
    ann, other = Reader(mover), Reader(next(person for person in people if person is not mover))
    ann.read("/correspondence")
    for wrong in ("0", "x", "1000000"):
        ann.send("Start vacation", days=wrong)
        assert (ann.status, bool(ann.mistake("days"))) == (422, True)
    before = mover.view(table)["public"]["deadline"]
    ann.read("/correspondence").send("Start vacation", days="2")
    assert "You are on vacation until" in ann.page.text
    eventually(lambda: mover.view(table)["public"]["deadline"] > before + 1.9 * 86_400)
    assert "on vacation" in other.read(f"/t/{table}").page.one("li", cls="vacation").text
    ann.read("/correspondence").send("End vacation now")
    assert "You are on vacation until" not in ann.page.text
    eventually(lambda: mover.view(table)["public"]["deadline"] < before + 60)
