import re
from random import Random

import pytest

from tests.server.inprocess import Running
from tests.web.rooms.reading import Reader
from tests.web.study.evenings import step


def test_somebody_new_gets_a_name_and_another_one_for_the_next_tables(house: Running, ann: Reader) -> None:
    assert "Who are you?" in ann.read("/you").page.one("h1").text
    ann.send("Be a guest", name="Ann")
    assert ann.page.one("h1").text == "Ann"
    table = house.table(ann.person, title="Where Ann sits")
    ann.read("/you").send("Rename", name="Anna")
    assert ann.page.one("h1").text == ann.page.one("a", href="/you", cls="you").text == "Anna"
    assert "At a table where you sit you stay what you were called" in ann.page.one(id="name-note").text
    assert "holds from the next table on" in ann.read("/settings").page.text
    assert re.search(r"\bAnn\b", ann.read(f"/t/{table}").page.one("li", id="chair-0").text)
    ann.read("/new").send("Make the table")
    assert "Anna" in ann.page.one("li", id="chair-0").text


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "A\u202eB"])
def test_a_name_that_is_none_is_told_beside_it(ann: Reader, name: str) -> None:
    ann.read("/you").send("Be a guest", name=name)
    assert ann.status == 422
    assert ann.mistake("name")


def test_who_has_a_table_open_sits_down_under_the_name_that_he_has_by_then(house: Running, ann: Reader) -> None:
    table = house.table(house.person("Olga"))
    ann.read("/you").send("Be a guest", name="Ann")
    with ann.person.socket(table) as socket:
        socket.until("state")
        ann.send("Rename", name="Anna")
        assert socket.ask("j", do="join")["ok"]
    assert [chair["name"] for chair in ann.person.view(table)["public"]["chairs"] if chair] == ["Olga", "Anna"]


def test_a_guest_becomes_an_account_logs_out_and_in_again(house: Running, bob: Reader) -> None:
    ann = Reader(house.person("Ann"))
    table = house.table(ann.person, title="Before the account")
    assert "3 to 64" in ann.read("/you").send("Make the account", login="x", passphrase="four words").mistake("login")
    assert "8 to 256" in ann.send("Make the account", login="annika", passphrase="short").mistake("passphrase")
    assert ann.page.one("input", id="login").at["value"] == "annika"
    ann.send("Make the account", login="annika", passphrase="four words of mine")
    assert "Account annika" in ann.page.text
    bob.read("/you").send("Be a guest", name="Bob")
    assert "Nothing played yet" in bob.page.text  # nobody sees what another has played
    assert "is taken" in bob.send("Make the account", login="annika", passphrase="other words of mine").mistake("login")
    assert "wrong" in bob.send("Log in", login="annika", passphrase="no idea at all").page.one(id="entry-error").text
    assert not [one for one in bob.page.all("input", type="password") if one.at.get("value")]
    ann.send("Log out")
    assert "Who are you?" in ann.read("/you").page.text
    ann.send("Log in", login="annika", passphrase="four words of mine")
    assert ann.page.one("h1").text == "Ann"
    assert ann.page.all("a", href=f"/t/{table}")


def test_a_token_is_shown_once_and_can_be_revoked(house: Running) -> None:
    ann = Reader(house.person("Ann"))
    ann.read("/you").send("Make a token", label="my bot")
    secret = ann.page.one(cls="secret").one("input").at["value"]
    me = house.person(Authorization=f"Bearer {secret}").http.get("/api/me")
    assert me.json()["name"] == "Ann"
    assert secret not in str(ann.read("/you").page)
    ann.send("Revoke my bot")
    assert not ann.page.all("button", cls="slim")
    assert house.person(Authorization=f"Bearer {secret}").http.get("/api/me").status_code == 401


@pytest.mark.parametrize("game", ["dollar-bill", "salomon-1986", "queen-annes"])
def test_what_is_counted_adds_up_over_the_table(house: Running, game: str) -> None:
    people, chance = [house.person("Ann"), house.person("Bob")], Random(game)
    table = house.table(*people, game=game, rounds=4)
    assert people[0].ask(table, do="start")["ok"]
    while (public := people[0].view(table)["public"])["stage"] != "ended":
        for person in people:
            step(person, table, chance)
    counted = []
    for person in people:
        page = Reader(person).read("/you").page
        figures = {one.one("dt").text: one.one("dd").text for one in page.one("dl", cls="figures").all("div")}
        assert figures["Hands and rounds"] == str(public["rounds_played"])
        units = next(one["units"] for one in public["units"] if one["user"] == person.user)
        sign = "▲" if units > 0 else "▼" if units < 0 else "■"
        assert page.one(cls="total").all(cls="net")[0].text == f"{sign} {abs(units)}"
        counted.append(
            [tuple(map(int, re.findall(r"\d+", figures[name]))) for name in ("Bids held", "Challenges right")]
        )
    (held, asked), (right, challenged) = counted[0][0], counted[1][1]
    assert asked == challenged  # what one has bid and the other challenged came to an end together
    assert held + right == asked
    assert sum(bids[1] for bids, _ in counted) == public["rounds_played"]
