import re
from random import Random

import pytest

from liarspoker.server.service import FRESH_SECONDS
from tests.server.inprocess import Running
from tests.web.pages.reading import Reader
from tests.web.study.played_tables import step


def test_a_new_user_gets_a_name_and_can_change_it_for_later_tables(site: Running, ann: Reader) -> None:
    assert "Your profile" in ann.read("/you").page.one("h1").text
    ann.send("Play as guest", name="Ann")
    assert ann.page.one("h1").text == "Ann"
    table = site.table(ann.person, title="Where Ann sits")
    ann.read("/you").send("Save name", name="Anna")
    assert ann.page.one("h1").text == ann.page.one("a", href="/you", cls="you").text == "Anna"
    assert "Tables you already joined, and their records, keep your old name" in ann.page.one(id="name-note").text
    assert "applies to tables you join from now on" in ann.read("/settings").page.text
    assert re.search(r"\bAnn\b", ann.read(f"/t/{table}").page.one("li", id="chair-0").text)
    ann.read("/new").send("Create table")
    assert "Anna" in ann.page.one("li", id="chair-0").text


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "A\u202eB"])
def test_an_invalid_name_is_reported_beside_its_field(ann: Reader, name: str) -> None:
    ann.read("/you").send("Play as guest", name=name)
    assert ann.status == 422
    assert ann.mistake("name")


def test_a_renamed_user_joins_an_open_table_under_the_new_name(site: Running, ann: Reader) -> None:
    table = site.table(site.person("Olga"))
    ann.read("/you").send("Play as guest", name="Ann")
    with ann.person.socket(table) as socket:
        socket.until("state")
        ann.send("Save name", name="Anna")
        assert socket.ask("j", do="join")["ok"]
    assert [chair["name"] for chair in ann.person.view(table)["public"]["chairs"] if chair] == ["Olga", "Anna"]


def test_a_guest_creates_an_account_logs_out_and_logs_in_again(site: Running, bob: Reader) -> None:
    ann = Reader(site.person("Ann"))
    table = site.table(ann.person, title="Before the account")
    assert "3 to 64" in ann.read("/you").send("Create account", login="x", passphrase="four words").mistake("login")
    assert "8 to 256" in ann.send("Create account", login="annika", passphrase="short").mistake("passphrase")
    assert ann.page.one("input", id="login").at["value"] == "annika"
    ann.send("Create account", login="annika", passphrase="four words of mine")
    assert "Account annika" in ann.page.text
    bob.read("/you").send("Play as guest", name="Bob")
    assert "You haven’t played yet" in bob.page.text  # results are private
    assert "is taken" in bob.send("Create account", login="annika", passphrase="other words of mine").mistake("login")
    assert "wrong" in bob.send("Log in", login="annika", passphrase="no idea at all").page.one(id="entry-error").text
    assert not [one for one in bob.page.all("input", type="password") if one.at.get("value")]
    ann.send("Log out")
    assert "Your profile" in ann.read("/you").page.text
    ann.send("Log in", login="annika", passphrase="four words of mine")
    assert ann.page.one("h1").text == "Ann"
    assert ann.page.all("a", href=f"/t/{table}")


def test_the_recovery_code_is_shown_once_and_sets_a_new_passphrase(site: Running) -> None:
    ann = Reader(site.person("Ann"))
    ann.read("/you").send("Create account", login="recovered", passphrase="four words of mine")
    code = ann.page.one(cls="secret").one("input").at["value"]
    assert code not in str(ann.read("/you").page)
    lost = Reader(site.person())
    lost.read("/you").send("Recover account", login="recovered", code=code[:-1] + "?", new="four other words")
    assert "recovery code is wrong" in lost.page.one(id="recover-error").text
    lost.send("Recover account", login="recovered", code=code, new="four other words")
    assert lost.page.one("h1").text == "Ann"
    assert lost.page.one(cls="secret").one("input").at["value"] != code
    assert "Your profile" in ann.read("/you").page.text  # all other sessions have ended
    lost.send("Log out")
    assert lost.read("/you").send("Log in", login="recovered", passphrase="four other words").status == 200
    assert lost.page.one("h1").text == "Ann"


def test_changing_how_to_log_in_needs_a_recent_login(site: Running) -> None:
    ann = Reader(site.person("Ann"))
    ann.read("/you").send("Create account", login="confirmed", passphrase="four words of mine")
    replace = ("Replace recovery code", "/you/recovery-code")
    assert replace[0] in ann.page.text
    site.clock.ahead += FRESH_SECONDS + 1
    assert replace[0] not in ann.read("/you").page.text
    assert ann.post(replace[1]).status == 403
    refused = ann.person.post("/api/recovery-code").json()["error"]["code"]
    assert refused == ann.person.http.delete("/api/passkeys/x").json()["error"]["code"] == "needs-confirmation"
    here, key = {"Host": f"localhost:{site.port}"}, {"credential": {}, "label": "key"}  # a name, as passkeys need
    for path, body in (("/api/passkeys/options", {}), ("/api/passkeys", key)):
        response = ann.person.post(path, body, headers=here)
        assert response.json()["error"]["code"] == "needs-confirmation"
    assert ann.post("/you/passkeys/x/remove").status == 403
    assert "wrong" in ann.read("/you").send("Confirm", passphrase="not this one").page.one(id="entry-error").text
    ann.read("/you").send("Confirm", passphrase="four words of mine")
    ann.send(replace[0])
    assert ann.page.one(cls="secret").text


def test_the_page_says_where_passkeys_are_impossible(site: Running, ann: Reader) -> None:
    ann.read("/you").send("Play as guest", name="Ann")  # at http://127.0.0.1
    assert "Passkeys work only over HTTPS" in ann.page.text
    assert not [one for one in ann.page.all("button") if "passkey" in one.text]
    ann.read("/you", Host="localhost")
    assert "Passkeys work only" not in ann.page.text
    assert [one.text for one in ann.page.all("button") if "passkey" in one.text] == [
        "Use a passkey instead",
        "Log in with a passkey",
    ]


def test_a_token_is_shown_once_and_can_be_revoked(site: Running) -> None:
    ann = Reader(site.person("Ann"))
    ann.read("/you").send("Create token", label="my bot")
    secret = ann.page.one(cls="secret").one("input").at["value"]
    me = site.person(Authorization=f"Bearer {secret}").http.get("/api/me")
    assert me.json()["name"] == "Ann"
    assert secret not in str(ann.read("/you").page)
    ann.send("Revoke my bot")
    assert not ann.page.all("button", cls="slim")
    assert site.person(Authorization=f"Bearer {secret}").http.get("/api/me").status_code == 401


@pytest.mark.parametrize("game", ["dollar-bill", "salomon-1986", "queen-annes"])
def test_statistics_add_up_over_the_table(site: Running, game: str) -> None:
    people, chance = [site.person("Ann"), site.person("Bob")], Random(game)
    table = site.table(*people, game=game, rounds=4)
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
            [tuple(map(int, re.findall(r"\d+", figures[name]))) for name in ("Bids won", "Challenges right")]
        )
    (held, asked), (right, challenged) = counted[0][0], counted[1][1]
    assert asked == challenged  # every bid of one player was challenged by the other
    assert held + right == asked
    assert sum(bids[1] for bids, _ in counted) == public["rounds_played"]
