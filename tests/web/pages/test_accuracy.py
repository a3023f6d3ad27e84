"""The accuracy of reviewed decisions on the profile: what it counts, and that it reveals nothing of other hands."""

from __future__ import annotations

import re

import pytest

from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker import extras
from liarspoker.server import reviews
from liarspoker.web import accuracy
from tests.server.inprocess import Person, Running
from tests.web.pages.reading import Node, Reader
from tests.web.study.played_tables import act, begun, played

SMALL = {"hand_size": 3, "symbols": 4}
"""Options of hands that are reviewed fast."""

PASSES = ("1x2", "2x3", "3x1", "challenge", "challenge")


def review_all(person: Person, table: str) -> list[tuple[str, float]]:
    """Review all hands of a table for a person, and return the verdicts and losses that their own page lists."""
    page = ""
    while not page or 'http-equiv="refresh"' in page:
        page = person.http.get(f"/t/{table}/review").text
        assert 'class="wrong"' not in page
    listed = re.findall(r"<li>.*?</li>", page, re.DOTALL)
    verdicts = [re.search(r'class="verdict v-(\w+)"', one) for one in listed]
    losses = [re.search(r'class="fig loss">−([0-9.]+)<', one) for one in listed]
    return [
        (verdict[1] if verdict else "", float(loss[1]) if loss else 0.0)
        for verdict, loss in zip(verdicts, losses, strict=True)
    ]


def panel(person: Person, query: str = "") -> Node:
    """Return the part of the profile that is about accuracy."""
    return Reader(person).read(f"/you/bluffs{query}").page.one("section", aria_labelledby="accuracy-title")


def rows(found: Node) -> list[tuple[str, int, str, str]]:
    """Return the caption, the decisions, the share in percent and the loss of each row."""
    return [
        (table.one("caption").text, int(cells[0].text), cells[1].one("b").text, cells[2].one("b").text)
        for table in found.all("table")
        for row in table.all("tr")[1:]
        if (cells := row.all("td"))
    ]


@pytest.mark.slow
def test_the_figures_are_those_of_the_page_of_all_decisions(site: Running) -> None:
    owner, table = played(site, "salomon-1986", 3, options=SMALL)
    before = panel(owner)
    assert not before.all("table")
    assert "Only reviewed hands count here" in before.one(id="how-to-review").text
    assert before.one(id="how-to-review").one("a").at["href"] == "/replay"
    decisions = review_all(owner, table)
    good = sum(verdict in ("best", "fine") for verdict, _loss in decisions)
    after = panel(owner)
    [(caption, count, share, loss)] = rows(after)
    assert caption.startswith("Salomon 1986")
    assert (count, share) == (len(decisions), f"{100 * good / len(decisions):.0f}%")
    assert float(loss.replace("−", "-")) == pytest.approx(-sum(one for _verdict, one in decisions) / 3, abs=0.01)
    assert "3 reviewed hands" in after.text
    assert f"{good} of {len(decisions)}" in after.text
    few = after.all(id="few-decisions")
    assert bool(few) == (len(decisions) < 30)
    assert rows(panel(owner, "?opponent=Ben&game=salomon-1986")) == rows(after)


@pytest.mark.slow
def test_a_review_counts_only_for_the_player_who_could_know_the_hand(site: Running) -> None:
    table, people = begun(site, "dollar-bill", 3, options=SMALL)
    act(table, people, *PASSES)
    assert people[0].ask(table, do="end")["ok"]
    mine = review_all(people[0], table)
    assert [count for _caption, count, _share, _loss in rows(panel(people[0]))] == [len(mine)]
    for other in (*people[1:], site.person("Dora")):
        page = Reader(other).read("/you/bluffs").page
        assert not [one for one in page.all("section", aria_labelledby="accuracy-title") if one.all("table")]
    theirs = review_all(people[1], table)
    assert [count for _caption, count, _share, _loss in rows(panel(people[1]))] == [len(theirs)]
    assert [count for _caption, count, _share, _loss in rows(panel(people[0]))] == [len(mine)]


@pytest.mark.slow
def test_hands_count_in_the_week_of_their_deal_whatever_language_they_were_reviewed_in(site: Running) -> None:
    table, people = begun(site, "dollar-bill", 3, options=SMALL)
    act(table, people, *PASSES)
    site.clock.ahead += 7 * 86_400
    for person in people:
        person.ask(table, do="ready")
    act(table, people, *PASSES)
    assert people[0].ask(table, do="end")["ok"]
    people[0].http.headers["Accept-Language"] = "de"
    decisions = review_all(people[0], table)
    people[0].http.headers["Accept-Language"] = "en"
    weeks = [row.one("th").text for row in panel(people[0]).one("table").all("tr")[1:]]
    assert len(weeks) == 2
    assert weeks == sorted(weeks, reverse=True)
    assert all(re.fullmatch(r"\d{4}-W\d\d from \d{4}-\d\d-\d\d", week) for week in weeks)
    assert sum(count for _caption, count, _share, _loss in rows(panel(people[0]))) == len(decisions)
    review_all(people[0], table)
    assert sum(count for _caption, count, _share, _loss in rows(panel(people[0]))) == len(decisions), "not twice"


@pytest.mark.slow
def test_a_table_without_odds_shows_nothing_before_it_has_ended(site: Running) -> None:
    table, people = begun(site, "dollar-bill", 3, help=False, options=SMALL)
    act(table, people, *PASSES)
    owner = people[0]
    record = owner.http.get(f"/t/{table}/replay/record.json").text
    assert 'class="verdict' in owner.http.post("/replay", data={"record": record, "go": "1.3.all.review"}).text
    assert not rows(panel(owner))
    assert owner.ask(table, do="end")["ok"]
    assert rows(panel(owner))


@pytest.mark.slow
def test_hands_of_an_imported_record_count_too(site: Running) -> None:
    owner, _table = played(site, "dollar-bill", 2, options=SMALL)
    other = site.person("Ann")
    archive = owner.http.get("/you/games/records.zip").content
    other.http.post("/you/games/import", files={"file": ("records.zip", archive)})
    assert not rows(panel(other))
    link = re.search(r'href="(/you/games/imports/\w+)"', other.http.get("/you/games").text)
    assert link is not None
    record = Reader(other).read(link[1]).page.all("textarea", name="record")[0].text
    other.http.post("/replay", data={"record": record, "name": "record.json", "go": "2.1.all.review"})
    [(_caption, count, _share, _loss)] = rows(panel(other))
    assert count > 0
    assert "1 reviewed hand" in panel(other).text
    assert rows(panel(other, "?opponent=Ben"))
    assert rows(panel(owner)) == rows(panel(other)), "it is the same hand, and anybody may have asked for the review"
    owner.http.post("/you/games/import", files={"file": ("records.zip", archive)})
    assert rows(panel(owner)) == rows(panel(other)), "a hand counts once"


@pytest.mark.slow
def test_what_the_page_leaves_out_it_says(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, table = played(site, "dollar-bill", 3, options=SMALL)
    decisions = review_all(owner, table)
    monkeypatch.setattr(accuracy, "SECONDS", -1.0)
    assert "Still counting 1 table." in panel(owner).text
    assert not rows(panel(owner))
    monkeypatch.setattr(accuracy, "SECONDS", 0.8)
    [(_caption, count, _share, _loss)] = rows(panel(owner))
    assert count == len(decisions)
    assert not panel(owner).all(id="accuracy-cut")
    monkeypatch.setattr(accuracy, "MOST_HANDS", 1)
    assert "only the latest one" in panel(owner).one(id="accuracy-cut").text
    [(_caption, fewer, _share, _loss)] = rows(panel(owner))
    assert 0 < fewer < count
    monkeypatch.setattr(accuracy, "MOST_REMEMBERED", 0)
    assert rows(panel(owner))


@pytest.mark.slow
def test_card_games_count_by_the_round_even_without_a_digit_game(site: Running) -> None:
    table, people = begun(site, "queen-annes", 2)
    act(table, people, "claim high 4", "claim pair 9", "challenge")
    assert people[0].ask(table, do="end")["ok"]
    for person in people:
        person.http.get(f"/t/{table}/review")
        person.http.get(f"/t/{table}/review")
        page = Reader(person).read("/you/bluffs").page
        assert "Loss per round, of which the loser pays a unit" in page.text
        assert "You haven’t played a digit game yet." not in page.text
        assert "Loss per round, of" in person.http.get("/you/bluffs?game=queen-annes").text


def test_a_review_that_failed_does_not_count(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST_SECONDS", 0.0)
    owner, table = played(site, "dollar-bill", 1, options=SMALL)
    assert "can’t be reviewed" in owner.http.get(f"/t/{table}/review").text + owner.http.get(f"/t/{table}/review").text
    found = panel(owner)
    assert not found.all("table")
    assert "Only reviewed hands count here" in found.text


def test_without_the_packages_the_page_says_that_nothing_can_be_reviewed(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, _table = played(site, "dollar-bill", 1, options=SMALL)
    assert "choose “Review”" in panel(owner).text
    monkeypatch.setattr(extras, "ENGINE", ("no_such_package",))
    assert "the packages for it aren’t installed" in panel(owner).text
