import re
from random import Random

import pytest

from tests.server.inprocess import Running
from tests.web.rooms.reading import Reader


def test_somebody_new_gets_a_name_and_another_one(ann: Reader) -> None:
    ann.read("/you")
    assert "Who are you?" in ann.page.one("h1").text
    ann.send("Be a guest", name="Ann")
    assert ann.page.one("h1").text == "Ann"
    ann.send("Rename", name="Anna")
    assert ann.page.one("h1").text == "Anna"
    assert ann.page.one("a", href="/you", cls="you").text == "Anna"


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "A\u202eB"])
def test_a_name_that_is_none_is_told_beside_it(ann: Reader, name: str) -> None:
    ann.read("/you").send("Be a guest", name=name)
    assert ann.status == 422
    assert ann.mistake("name")


def test_a_guest_becomes_an_account_logs_out_and_in_again(house: Running, ann: Reader) -> None:
    ann.read("/you").send("Be a guest", name="Ann")
    table = house.table(ann.person, title="Before the account")
    ann.read("/you").send("Make the account", login="ann.rooms", passphrase="four words of mine")
    assert "Account ann.rooms" in ann.page.text
    ann.send("Log out")
    assert "Who are you?" in ann.read("/you").page.text
    ann.send("Log in", login="ann.rooms", passphrase="four words of mine")
    assert ann.page.one("h1").text == "Ann"
    assert ann.page.all("a", href=f"/t/{table}")


def test_mistakes_about_an_account_stand_beside_their_fields(ann: Reader, bob: Reader) -> None:
    ann.read("/you").send("Be a guest", name="Ann")
    assert "3 to 64" in ann.send("Make the account", login="x", passphrase="four words of mine").mistake("login")
    assert "8 to 256" in ann.send("Make the account", login="annika", passphrase="short").mistake("passphrase")
    assert ann.page.one("input", id="login").at["value"] == "annika"
    ann.send("Make the account", login="annika", passphrase="four words of mine")
    bob.read("/you").send("Be a guest", name="Bob")
    assert "is taken" in bob.send("Make the account", login="annika", passphrase="other words of mine").mistake("login")
    assert "wrong" in bob.send("Log in", login="annika", passphrase="no idea at all").page.one(id="entry-error").text
    assert not [one for one in bob.page.all("input", type="password") if one.at.get("value")]


def test_a_token_is_shown_once_and_can_be_revoked(house: Running, ann: Reader) -> None:
    ann.read("/you").send("Be a guest", name="Ann")
    ann.send("Make a token", label="my bot")
    secret = ann.page.one(cls="secret").one("input").at["value"]
    me = house.person(Authorization=f"Bearer {secret}").http.get("/api/me")
    assert me.json()["name"] == "Ann"
    assert secret not in str(ann.read("/you").page)
    ann.send("Revoke my bot")
    assert not ann.page.all("button", cls="slim")
    assert house.person(Authorization=f"Bearer {secret}").http.get("/api/me").status_code == 401


def play_out(house: Running, game: str, readers: list[Reader], rounds: int) -> str:
    """Let people play rounds of a game at random, and close the table."""
    table = house.table(*(reader.person for reader in readers), game=game, rounds=rounds)
    chance = Random(game)
    for reader in readers:
        reader.person.ask(table, do="start" if reader is readers[0] else "ready")
    for _ in range(2_000):
        for reader in readers:
            view = reader.person.view(table)
            public, you = view["public"], view["you"]
            if public["stage"] == "ended":
                return table
            if you.get("gathering", {}).get("wanted"):
                reader.person.ask(table, do="ready")
            elif public["to_act"] == you["user"]:
                legal = you["hand"]["legal"]
                answers = [legal[name] for name in ("challenge", "count") if legal.get(name)]
                claims = legal.get("claims") or [f"claim {legal['min_claim']}" if "min_claim" in legal else ""]
                action = answers[0] if answers and (chance.random() < 0.5 or not claims[0]) else claims[0]
                assert reader.person.ask(table, do="act", turn=public["turn"], action=action)["ok"]
    raise AssertionError("the table does not end")


@pytest.mark.parametrize("game", ["dollar-bill", "salomon-1986", "queen-annes"])
def test_what_is_counted_adds_up_over_the_table(house: Running, ann: Reader, bob: Reader, game: str) -> None:
    for reader, name in ((ann, "Ann"), (bob, "Bob")):
        reader.read("/you").send("Be a guest", name=name)
    table = play_out(house, game, [ann, bob], 4)
    public = ann.person.view(table)["public"]
    counted = []
    for reader in (ann, bob):
        reader.read("/you")
        figures = {one.one("dt").text: one.one("dd").text for one in reader.page.one("dl", cls="figures").all("div")}
        assert figures["Hands and rounds"] == str(public["rounds_played"])
        units = next(one["units"] for one in public["units"] if one["user"] == reader.person.view(table)["you"]["user"])
        sign = "▲" if units > 0 else "▼" if units < 0 else "■"
        assert reader.page.one(cls="total").all(cls="net")[0].text == f"{sign} {abs(units)}"
        counted.append(
            [tuple(map(int, re.findall(r"\d+", figures[name]))) for name in ("Bids held", "Challenges right")]
        )
    (held, asked), (right, challenged) = counted[0][0], counted[1][1]
    assert asked == challenged  # what one has bid and the other challenged came to an end together
    assert held + right == asked
    assert sum(bids[1] for bids, _ in counted) == public["rounds_played"]


def test_another_name_holds_from_the_next_table_on_and_the_page_says_so(house: Running, ann: Reader) -> None:
    ann.read("/you").send("Be a guest", name="Ann")
    table = house.table(ann.person, title="Where Ann sits")
    ann.read("/you").send("Rename", name="Anna")
    assert "At a table where you sit you stay what you were called" in ann.page.one(id="name-note").text
    assert "holds from the next table on" in ann.read("/settings").page.text
    chair = ann.read(f"/t/{table}").page.one("li", id="chair-0").text
    assert "Ann" in chair
    assert "Anna" not in chair
    ann.read("/new").send("Make the table")
    assert "Anna" in ann.page.one("li", id="chair-0").text


def test_who_has_a_table_open_sits_down_under_the_name_that_he_has_by_then(house: Running, ann: Reader) -> None:
    table = house.table(house.person("Olga"))
    ann.read("/you").send("Be a guest", name="Ann")
    with ann.person.socket(table) as socket:
        socket.until("state")
        ann.send("Rename", name="Anna")
        assert socket.ask("j", do="join")["ok"]
    assert [chair["name"] for chair in ann.person.view(table)["public"]["chairs"] if chair] == ["Olga", "Anna"]


def test_nobody_sees_what_another_has_played(house: Running, ann: Reader, bob: Reader) -> None:
    ann.read("/you").send("Be a guest", name="Ann")
    house.table(ann.person, title="Of Ann alone")
    bob.read("/you").send("Be a guest", name="Bob")
    assert "Of Ann alone" not in bob.read("/you").page.text
    assert "Nothing played yet" in bob.page.text
