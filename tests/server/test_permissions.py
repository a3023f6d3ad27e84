"""Permissions of every route, message and command for every role; no role learns of tables it can't access."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from liarspoker.core.cards.deck import card_text, full_deck
from liarspoker.protocol.commands import KINDS
from liarspoker.server.accounts.accounts import DAY, GUEST_DAYS
from tests.server.inprocess import PATIENCE, Person, Running, running
from tests.server.permissions import COMMANDS, MESSAGES, ROLES, ROUTES


@dataclass
class Cast:
    """A server with a user in every role."""

    server: Running
    people: dict[str, Person]

    def table(self, **settings: Any) -> str:
        """A table in its first round, in which the owner is to act."""
        owner, seated, former = (self.people[role] for role in ("owner", "seated", "former"))
        while True:
            table = self.server.table(owner, seated, former, **settings)
            assert former.ask(table, do="leave")["ok"]
            assert owner.ask(table, do="start")["ok"]
            assert seated.ask(table, do="ready")["ok"]
            if owner.view(table)["public"]["to_act"] == owner.user:
                return table

    def fill(self, given: object, table: str) -> Any:
        """Return the body with the table's own values filled in."""
        turn = self.people["owner"].view(table)["public"]["turn"]
        text = json.dumps(given).replace('"{turn}"', str(turn)).replace("{owner}", self.people["owner"].user)
        text = text.replace("{former}", self.people["former"].user).replace("{table}", table)
        return json.loads(text.replace("{new}", f"m{next(self.server.numbers)}"))


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cast]:
    with running(tmp_path_factory.mktemp("rights")) as server:
        people = {"expired": server.person("Old")}
        server.clock.ahead += GUEST_DAYS * DAY
        people |= {role: server.person(f"An {role}") for role in ("owner", "seated", "former", "spectator")}
        known = {"login": "spectator", "passphrase": "a cold and frosty morning"}
        assert people["spectator"].post("/api/account", known).status_code == 200
        made = people["spectator"].post("/api/tokens", {"label": "lost"}).json()
        people["spectator"].http.delete(f"/api/tokens/{made['token']}")
        people["revoked"] = server.person(Authorization=f"Bearer {made['secret']}")
        people["anonymous"] = server.person()
        yield Cast(server, people)


@pytest.fixture(scope="module")
def table(cast: Cast) -> str:
    return cast.table()


def routes_of(server: Running) -> set[str]:
    document = server.person().http.get("/api/openapi.json").json()
    return {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}


def test_the_matrix_contains_every_route_message_and_command(cast: Cast) -> None:
    assert set(ROUTES) == routes_of(cast.server)
    assert set(COMMANDS) == set(KINDS)
    assert set(MESSAGES) == {"command", "check", "ping"}


def outcome(status: int, text: str) -> str:
    """Return `ok` or the error code."""
    told = json.loads(text) if text.strip().startswith("{") else {}
    if status >= 400:
        return str(told["error"]["code"])
    return "ok" if told.get("ok", told.get("legal", True)) else str(told["code"])


def request(person: Person, route: str, table: str, body: object) -> tuple[int, str]:
    """Return the status and body of a response; of a stream its first line."""
    method, path = route.split(" ")
    path = path.format(
        table=table, game="slips", token="none", user="none", passkey="none", event="none", code="slips,1-0d16778d5cea"
    )
    if path.endswith("/stream"):
        with person.http.stream(method, path) as response:
            return response.status_code, next(response.iter_lines(), "")
    response = person.http.request(method, path, json=body)
    return response.status_code, response.text


@pytest.mark.parametrize("route", ROUTES)
def test_routes_respond_to_each_role_as_in_the_matrix(cast: Cast, table: str, route: str) -> None:
    body, expected = ROUTES[route]
    told = {}
    for role in ROLES:
        person = cast.people[role]
        if route in ("POST /api/logout", "POST /api/guest"):  # these delete or replace the cookie
            copy = cast.server.person(Cookie=person.headers.get("Cookie", "none="))
            person = copy if route == "POST /api/guest" or role in ("anonymous", "expired") else cast.server.person("X")
        told[role] = outcome(*request(person, route, table, cast.fill(body, table)))
    assert " ".join(told.values()) == expected


@pytest.mark.parametrize("kind", MESSAGES)
def test_messages_are_answered_as_in_the_matrix(cast: Cast, table: str, kind: str) -> None:
    message, expected = MESSAGES[kind]
    told = {}
    for role in ROLES:
        with cast.people[role].socket(table) as socket:
            if role == "revoked":
                told[role] = socket.until("error")["code"]
                assert socket.end() == (4401, "not-logged-in")
                continue
            socket.send({"kind": kind, **cast.fill(message, table)})
            answer = socket.until({"command": "answer", "check": "checked", "ping": "pong"}[kind])
            told[role] = "ok" if answer.get("ok", answer.get("legal", True)) else answer["code"]
    assert " ".join(told.values()) == expected


def over_http(person: Person, table: str, asked: Any) -> str:
    return outcome(*request(person, "POST /api/tables/{table}/commands", table, asked))


def over_a_socket(person: Person, table: str, asked: Any) -> str:
    with person.socket(table) as socket:
        first = json.loads(socket.raw.recv(timeout=PATIENCE))
        if first["kind"] == "error":
            return str(first["code"])
        answer = socket.ask(asked["id"], **asked["command"])
        return "ok" if answer["ok"] else str(answer["code"])


@pytest.mark.parametrize("way", [over_http, over_a_socket])
@pytest.mark.parametrize("do", COMMANDS)
def test_commands_are_answered_as_in_the_matrix(cast: Cast, do: str, way: Callable[[Person, str, Any], str]) -> None:
    fields, expected = COMMANDS[do]
    table = cast.table()
    if do == "answer":
        assert cast.people["owner"].ask(table, do="propose", kind="stake", value=3)["ok"]
    told = {}
    for role in reversed(ROLES):
        asked = cast.fill({"id": "{new}", "command": {"do": do, **fields}}, table)
        told[role] = way(cast.people[role], table, asked)
    assert " ".join(told[role] for role in ROLES) == expected


TABLE_ROUTES = [route for route in ROUTES if "/api/tables/{table}" in route]
MISSING = ("x" * 22, "x", "A" * 100)


@pytest.mark.parametrize("route", TABLE_ROUTES)
def test_an_inaccessible_table_responds_like_a_missing_one(cast: Cast, route: str) -> None:
    hidden = cast.table(spectators="none")
    body = cast.fill(ROUTES[route][0], hidden)
    for role in ("spectator", "anonymous", "expired"):
        answers = {request(cast.people[role], route, one, body) for one in (hidden, *MISSING)}
        assert len(answers) == 1, answers
        status, text = answers.pop()
        assert (status, outcome(status, text)) in ((404, "no-such-table"), (401, "not-logged-in"))
    for role in ("owner", "seated", "former"):
        assert request(cast.people[role], route, hidden, body)[0] in (200, 409)


def test_joining_works_without_spectator_access_and_refusals_reveal_nothing(cast: Cast) -> None:
    hidden = cast.table(spectators="none", seats=3)
    spectator, late = cast.people["spectator"], cast.server.person("Late")
    assert spectator.ask(hidden, do="join")["ok"]
    assert spectator.view(hidden)["you"]["chair"] is not None
    join = {"id": "j", "command": {"do": "join"}}
    refused = {late.post(f"/api/tables/{table}/commands", join).text for table in (hidden, *MISSING)}
    assert len(refused) == 1
    assert "no-such-table" in refused.pop()


def test_a_socket_to_an_inaccessible_table_closes_like_one_to_a_missing_table(cast: Cast) -> None:
    hidden = cast.table(spectators="none")
    for role in ("spectator", "anonymous", "expired"):
        ends = set()
        for table in (hidden, *MISSING, "%00", "x.y", "%ff"):
            with cast.people[role].socket(table) as socket:
                ends.add((json.dumps(socket.until("error")), socket.end()))
        assert len(ends) == 1
        assert ends.pop()[1] == (4404, "no-such-table")
    for role in ("owner", "seated", "former"):
        with cast.people[role].socket(hidden) as socket:
            assert socket.until("state")["public"]["table"] == hidden


def test_the_lobby_lists_private_tables_only_for_their_players(cast: Cast) -> None:
    private, open_ = cast.table(), cast.table(visibility="open")
    for role in ROLES:
        person = cast.people[role]
        lobby = person.http.get("/api/tables?limit=100").text
        assert private not in lobby
        assert (open_ in lobby) == (role != "revoked")
        mine = person.http.get("/api/tables?mine=true&limit=100")
        assert (private in mine.text) == (role in ("owner", "seated", "former"))


def test_no_view_contains_another_players_hand(cast: Cast) -> None:
    table = cast.table(game="thorin")
    held = cast.people["owner"].view(table)["you"]["hand"]["hand"]
    for role in ROLES[1:-1]:
        person = cast.people[role]
        told = [person.http.get(f"/api/tables/{table}").text, person.http.get("/api/tables?mine=true").text]
        with person.socket(table) as socket:
            told.append(json.dumps(socket.until("state")))
        told.append(request(person, "GET /api/tables/{table}/stream", table, None)[1])
        told.append(request(person, "GET /api/tables/{table}/records", table, None)[1])
        for text in told:
            assert not [card for card in held if f'"{card}"' in text], (role, text)


FORBIDDEN = [
    ("GET", "/api/tokens", None),
    ("POST", "/api/tokens", {"label": "a child"}),
    ("DELETE", "/api/tokens/abc", None),
    ("POST", "/api/account", {"login": "taken-over", "passphrase": "a long enough passphrase"}),
    ("POST", "/api/me/name", {"name": "Somebody"}),
]


@pytest.mark.parametrize(("method", "path", "body"), FORBIDDEN)
def test_a_token_cannot_manage_the_account(server: Running, method: str, path: str, body: object) -> None:
    owner = server.person("Ann")
    secret = owner.post("/api/tokens", {"label": "bot"}).json()["secret"]
    finder = server.person(Authorization=f"Bearer {secret}")
    answer = finder.http.request(method, path, json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "needs-login")
    assert finder.http.get("/api/me").status_code == 200


DECK = tuple(map(card_text, full_deck(0)))


def at_the_discard(server: Running) -> tuple[str, Person, Person]:
    """A table of Thorin's game where a discard is due: the user who acts, and another one."""
    ann, bob, table = server.in_a_round(game="thorin")
    for action in ("declare high 76432", "take"):
        acting = next(one for one in (ann, bob) if one.user == ann.view(table)["public"]["to_act"])
        assert acting.ask(table, do="act", turn=ann.view(table)["public"]["turn"], action=action)["ok"], action
    acting = next(one for one in (ann, bob) if one.user == ann.view(table)["public"]["to_act"])
    return table, acting, next(one for one in (ann, bob) if one is not acting)


def test_checking_discards_reveals_nothing_about_another_players_hand(server: Running) -> None:
    table, acting, other = at_the_discard(server)
    eve = server.person("Eve")

    def check(person: Person, card: str) -> httpx2.Response:
        return person.post(f"/api/tables/{table}/check", {"action": f"discard {card}"})

    held = {card for card in DECK if check(acting, card).json()["legal"]}
    assert held == set(acting.view(table)["you"]["hand"]["hand"])
    for person, code in ((other, "not-your-turn"), (eve, "not-seated")):
        answers = {check(person, card).text for card in DECK}
        assert len(answers) == 1
        assert f'"{code}"' in answers.pop()
    with server.person().socket(table) as socket:
        told = []
        for card in DECK:
            socket.send({"kind": "check", "id": "k", "action": f"discard {card}"})
            told.append(socket.until("checked")["code"])
        assert set(told) == {"not-seated"}
