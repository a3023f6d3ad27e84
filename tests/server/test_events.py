"""Duplicate events on a server: they survive restarts, start once, and reveal nothing before all tables have ended."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from liarspoker.server.config import NodeConfig
from liarspoker.server.storage.connection import database_at
from liarspoker.server.storage.log import shard_of
from liarspoker.tables.fair.audit import check
from liarspoker.web.app import mount_pages
from tests.server.inprocess import Person, Running, eventually, running
from tests.server.postgres import Server

SETTINGS: dict[str, Any] = {"game": "dollar-bill", "seats": 2, "clock": {"turn": 600, "ready": 600}}


def event_of(owner: Person, players: Sequence[Person], hands: int = 2, bots: bool = False, **settings: Any) -> str:
    """Create an event that these people join."""
    body = {"name": "Friday", "settings": {**SETTINGS, **settings}, "hands": hands, "bots": bots}
    made = owner.post("/api/events", body)
    assert made.status_code == 201, made.text
    event: str = made.json()["event"]
    for number, player in enumerate(players):
        joined = player.post(f"/api/events/{event}/join", {"words": f"words {number}"})
        assert joined.status_code == 200, joined.text
    return event


def four(server: Running) -> list[Person]:
    return [server.person(name) for name in ("Ann", "Bob", "Cyd", "Dan")]


def see(person: Person, event: str) -> Any:
    return person.http.get(f"/api/events/{event}").json()


def tables_of(people: Sequence[Person], event: str) -> dict[str, list[Person]]:
    """The people at each table of a started event."""
    found: dict[str, list[Person]] = {}
    for person in people:
        found.setdefault(see(person, event)["table"], []).append(person)
    return found


def started(owner: Person, people: Sequence[Person], **settings: Any) -> tuple[str, dict[str, list[Person]]]:
    """Start an event of these people."""
    event = event_of(owner, people, **settings)
    response = owner.post(f"/api/events/{event}/start")
    assert response.status_code == 200, response.text
    return event, tables_of(people, event)


def make_ready(table: str, people: Sequence[Person]) -> None:
    for person in people:
        if person.view(table)["you"].get("gathering", {}).get("wanted"):
            assert person.ask(table, do="ready")["ok"]


def play_hand(table: str, people: Sequence[Person], claims: int = 1) -> None:
    """Play a hand: some claims, then challenges."""
    make_ready(table, people)
    by_user = {person.user: person for person in people}
    while (public := people[0].view(table)["public"])["stage"] == "round":
        person = by_user.get(public["to_act"])
        if person is None:
            continue  # a bot is thinking
        legal = person.view(table)["you"]["hand"]["legal"]
        answer = legal.get("count") or legal.get("challenge")
        action = answer if answer and len(public["round"]["moves"]) >= claims else legal["claims"][0]
        person.ask(table, do="act", turn=public["turn"], action=action)


def play_out(table: str, people: Sequence[Person], claims: int = 1) -> None:
    while people[0].view(table)["public"]["stage"] != "ended":
        play_hand(table, people, claims)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with pages."""
    with running(tmp_path_factory.mktemp("site"), mount_pages) as server:
        yield server


def hands_of(people: Sequence[Person], table: str) -> list[str]:
    """The hands of a table's players by seat, in the current hand."""
    seats = {person.view(table)["you"]["seat"]: person.view(table)["you"]["hand"] for person in people}
    return [seats[seat]["number"] for seat in sorted(seats)]


def test_an_event_from_its_creation_to_its_result(site: Running) -> None:
    people = four(site)
    ann = people[0]
    event, tables = started(ann, people)
    assert sorted(map(len, tables.values())) == [2, 2]
    dealt = []
    for table, seated in tables.items():
        make_ready(table, seated)
        dealt.append(hands_of(seated, table))
    assert dealt[0] == dealt[1]
    first, second = tables
    play_out(first, tables[first])
    assert see(ann, event)["status"] == "playing"
    assert ann.http.get(f"/api/events/{event}/result").json()["error"]["code"] == "not-ended"
    play_out(second, tables[second], claims=3)
    result = ann.http.get(f"/api/events/{event}/result").json()
    assert see(site.person(), event)["status"] == "ended"
    assert sorted(one["user"] for one in result["ranking"]) == sorted(person.user for person in people)
    assert [one["hands"] for one in result["ranking"]] == [2] * 4
    assert sum(one["points"] for one in result["ranking"]) == pytest.approx(0)
    assert len(result["comparisons"]) == 2 * 2 * 2
    for table in tables:
        audit = site.person().http.get(f"/api/tables/{table}/audit").json()
        assert check(audit) == []
        assert audit["x-event"]["commitment"] == see(ann, event)["commitment"]
        assert [one["user"] for one in audit["x-event"]["players"]] == [person.user for person in people]
        page = site.person().http.get(f"/t/{table}/verify")
        assert "All deals verified" in page.text
        assert f'data-audit="/t/{table}/verify/audit.json"' in page.text
        assert site.person().http.get(f"/t/{table}/replay/1").status_code == 200
    lines = ann.http.get(f"/events/{event}/result.csv").text.splitlines()
    assert lines[0] == "hand,table,seat,player,bot,units,points,counts"
    assert len(lines) == 1 + 8
    assert ann.http.get(f"/events/{event}/result.json").json() == result
    assert ann.http.get(f"/events/{event}").text.count("/replay/") == 4


SECRETS_OF = re.compile(r"\d{8}")


def paths(table: str, event: str) -> list[str]:
    """Everything that could show something of a table or of its event."""
    of_tables = ("", "/records", "/audit", "/stream")
    pages = ("", "/sheet", "/replay", "/replay/1", "/replay/1?ply=3&as=0", "/replay/record.json", "/records")
    more = ("/records/1", "/verify", "/verify/audit.json", "/card.png", "/replay/1/card.png", "/like")
    of_events = ("", "/result")
    return [
        *(f"/api/tables/{table}{path}" for path in of_tables),
        *(f"/t/{table}{path}" for path in (*pages, *more)),
        *(f"/api/events/{event}{path}" for path in of_events),
        *(f"/events/{event}{path}" for path in ("", "/now", "/now?waiting=true", "/result.csv", "/result.json")),
        *("/", "/lobby/tables", "/events", "/api/events", "/api/tables", "/api/tables?mine=true", "/you/games"),
        "/you/bluffs",
        *("/you/games/records.zip", "/friends", "/api/people", "/next", "/api/invitations", "/replay"),
    ]


def said_to(person: Person, path: str) -> str:
    """The whole response to a request, or the first line of a stream."""
    if path.endswith("/stream"):
        with person.http.stream("GET", path) as response:
            return next(response.iter_lines(), "")
    response = person.http.get(path, follow_redirects=False)
    return f"{response.status_code} {response.headers.get('location', '')} {response.text}"


def test_nobody_outside_a_table_learns_its_hands_before_all_tables_have_ended(site: Running) -> None:
    people, eve = four(site), site.person("Eve")
    owner = site.person("Zoe")  # who doesn't play
    event, tables = started(owner, people)
    (first, seated), (second, others) = tables.items()
    secrets: set[str] = set()
    make_ready(first, seated)
    secrets.update(hands_of(seated, first))
    outsiders = [eve, owner, *others, site.person()]

    def attempts(when: str) -> None:
        for outsider in outsiders:
            for path in paths(first, event):
                said = said_to(outsider, path)
                assert not [one for one in secrets if one in said], (when, path)
                if path.startswith((f"/api/tables/{first}", f"/t/{first}/")) and path != f"/t/{first}/card.png":
                    assert said.startswith(("404", '{"error"', "401")) or "no-such-table" in said, (when, path)
            with outsider.socket(first) as socket:
                assert socket.end() == (4404, "no-such-table")
            for command in ({"do": "join"}, {"do": "act", "turn": 1, "action": "1x1"}, {"do": "ask_numbers"}):
                asked = {"id": "try", "command": command}
                response = outsider.post(f"/api/tables/{first}/commands", asked)
                assert response.status_code in (401, 404), (when, command, response.text)

    attempts("in the first hand")
    play_hand(first, seated)
    make_ready(first, seated)
    secrets.update(hands_of(seated, first))
    attempts("in the second hand")
    play_out(first, seated)
    attempts("after the end of this table")
    for person in seated:
        refused = person.http.get(f"/api/tables/{first}/audit")
        assert refused.json()["error"]["code"] == "not-ended"
        assert person.http.get(f"/t/{first}/verify/audit.json").status_code == 404
        seen = person.http.get(f"/api/tables/{first}").text + person.http.get(f"/t/{first}/verify").text
        commitment = see(person, event)["commitment"]
        assert '"seed"' not in seen
        assert commitment not in seen
    play_out(second, others)
    assert eve.http.get(f"/api/tables/{first}/audit").status_code == 200
    assert eve.http.get(f"/t/{first}/replay/1").status_code == 200


def test_a_player_sees_the_counts_of_their_own_table_only(site: Running) -> None:
    people = four(site)
    event, tables = started(people[0], people)
    (first, seated), (second, others) = tables.items()
    play_out(first, seated)
    for person in seated:
        assert len(person.http.get(f"/api/tables/{first}/records").json()) == 2
        assert person.http.get(f"/api/tables/{second}").status_code == 404
        assert "Points" not in person.http.get(f"/events/{event}").text
    assert all(person.http.get(f"/api/tables/{first}").status_code == 404 for person in others)
    play_out(second, others)


def test_starting_twice_or_at_once_does_nothing_twice(site: Running) -> None:
    people = four(site)
    event = event_of(people[0], people)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: people[0].post(f"/api/events/{event}/start").json()["table"], range(4)))
    assert len(set(answers)) == 1
    assert len(tables_of(people, event)) == 2
    codes = [
        people[1].post(f"/api/events/{event}/start").json()["error"]["code"],
        site.person("Eve").post(f"/api/events/{event}/join", {}).json()["error"]["code"],
        people[1].post(f"/api/events/{event}/leave").json()["error"]["code"],
    ]
    assert codes == ["not-creator", "event-started", "event-started"]


def test_players_join_once_and_can_leave_before_the_start(site: Running) -> None:
    people = four(site)
    event = event_of(people[0], [*people, people[1]])
    assert [one["name"] for one in see(people[0], event)["players"]] == ["Ann", "Bob", "Cyd", "Dan"]
    taken = site.person("Bob").post(f"/api/events/{event}/join", {})
    assert taken.json()["error"]["code"] == "name-taken"
    assert people[3].post(f"/api/events/{event}/leave").status_code == 200
    refused = people[0].post(f"/api/events/{event}/start").json()["error"]
    assert refused["code"] == "too-few"
    assert "players missing: 1" in refused["message"]
    assert [one["event"] for one in people[0].http.get("/api/events").json()] == [event]
    assert people[3].http.get("/api/events").json() == []
    assert site.person("Eve").post("/api/events/none/join", {}).json()["error"]["code"] == "no-such-event"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"settings": {**SETTINGS, "clock": None}}, "bad-option"),
        ({"settings": {**SETTINGS, "game": "queen-annes", "options": {"dealers_choice": True}}}, "bad-option"),
        ({"settings": {**SETTINGS, "game": "none"}}, "unknown-game"),
        ({"name": " "}, "bad-name"),
        ({"hands": 0}, "bad-command"),
        ({"hands": 101}, "bad-command"),
    ],
)
def test_events_that_could_not_be_compared_are_refused(site: Running, changes: dict[str, Any], code: str) -> None:
    body = {"name": "Friday", "settings": SETTINGS, "hands": 2, **changes}
    assert site.person("Ann").post("/api/events", body).json()["error"]["code"] == code


def test_bots_take_the_same_seats_at_all_tables_and_play_for_absent_players(site: Running) -> None:
    people = four(site)[:2]
    event, tables = started(people[0], people, bots=True, seats=4, hands=1)
    chairs = [people[number].view(table)["public"]["chairs"] for number, table in enumerate(tables)]
    (first, *bots), *others = ([chair["bot"] for chair in one] for one in chairs)
    assert first is None
    assert len(set(bots)) == 3
    assert others == [[None, *bots]]
    assert [chair["name"] for chair in chairs[0][1:]] == [chair["name"] for chair in chairs[1][1:]]
    for number, table in enumerate(tables):
        assert people[number].ask(table, do="leave")["ok"]
    eventually(lambda: see(people[0], event)["status"] == "ended")
    result = people[0].http.get(f"/api/events/{event}/result").json()
    assert [one["hands"] for one in result["ranking"]] == [0, 0]
    assert [one["rank"] for one in result["ranking"]] == [1, 1]


def test_an_event_survives_restarts_on_every_database(tmp_path: Path, url: str) -> None:
    with running(tmp_path, database=url) as server:
        people = four(server)
        event = event_of(people[0], people)
    with running(tmp_path, database=url) as server:
        people = [again(server, person) for person in people]
        assert people[0].post(f"/api/events/{event}/start").status_code == 200
        tables = tables_of(people, event)
        for table, seated in tables.items():
            make_ready(table, seated)
        before = [hands_of(seated, table) for table, seated in tables.items()]
        assert before[0] == before[1]
        first, second = tables
        play_hand(first, tables[first])
        make_ready(first, tables[first])
        ahead = hands_of(tables[first], first)
    with running(tmp_path, database=url) as server:
        tables = {table: [again(server, person) for person in seated] for table, seated in tables.items()}
        assert hands_of(tables[first], first) == ahead
        play_hand(second, tables[second])
        make_ready(second, tables[second])
        assert hands_of(tables[second], second) == ahead, "the second hand, dealt before and after a restart"
        for table, seated in tables.items():
            play_out(table, seated)
        ann = tables[first][0]
        assert see(ann, event)["status"] == "ended"
    with running(tmp_path, database=url) as server:
        ann = again(server, ann)
        assert all(check(ann.http.get(f"/api/tables/{table}/audit").json()) == [] for table in tables)
        assert len(ann.http.get(f"/api/events/{event}/result").json()["ranking"]) == 4


def test_tables_that_a_crash_prevented_are_made_when_they_are_opened(tmp_path: Path, url: str) -> None:
    with running(tmp_path, database=url) as server:
        people = four(server)
        _, tables = started(people[0], people)
    delete(url, next(iter(tables)))
    with running(tmp_path, database=url) as server:
        tables = {table: [again(server, person) for person in seated] for table, seated in tables.items()}
        hands = []
        for table, seated in tables.items():
            make_ready(table, seated)
            hands.append(hands_of(seated, table))
        assert hands[0] == hands[1]


def delete(url: str, table: str) -> None:
    """Delete a table from a database, as if it had never been made."""
    change(url, *(f"DELETE FROM {of_table} WHERE table_id = :id" for of_table in OF_TABLE), id=table)


OF_TABLE = ("events", "secrets", "listings", "members", "tables")


def change(url: str, *statements: str, **values: str) -> None:
    """Run statements in one transaction, while no server uses the database."""
    with closing(database_at(url).connect()) as connection:
        connection.begin()
        for statement in statements:
            connection.execute(statement, **values)
        connection.commit()


def test_an_event_ends_even_if_nobody_opens_a_table_that_a_crash_prevented(tmp_path: Path, url: str) -> None:
    with running(tmp_path, database=url) as server:
        people = four(server)
        event, tables = started(people[0], people)
    missing = next(iter(tables))
    delete(url, missing)
    with running(tmp_path, database=url) as server:
        assert not server.service.registry.loaded(missing)
        assert see(server.person(), event)["status"] == "playing"
        assert server.service.registry.loaded(missing)


def test_a_table_of_an_event_that_was_deleted_after_its_end_is_not_made_again(tmp_path: Path, url: str) -> None:
    with running(tmp_path, database=url) as server:
        people = four(server)
        event, tables = started(people[0], people, hands=1)
        for table, seated in tables.items():
            play_out(table, seated)
        eventually(lambda: see(people[0], event)["status"] == "ended")
    gone = next(iter(tables))
    delete(url, gone)
    with running(tmp_path, database=url) as server:
        for person in tables[gone]:
            assert again(server, person).http.get(f"/api/tables/{gone}").status_code == 404
        assert len(server.person().http.get(f"/api/events/{event}/result").json()["ranking"]) == 4


def test_a_damaged_table_keeps_no_other_table_of_its_event_from_being_opened(tmp_path: Path, url: str) -> None:
    with running(tmp_path, database=url) as server:
        people = four(server)
        event, tables = started(people[0], people, hands=1)
        for table, seated in tables.items():
            play_out(table, seated)
        eventually(lambda: see(people[0], event)["status"] == "ended")
    damaged, sound = tables
    change(
        url,
        "UPDATE events SET digest = :none WHERE table_id = :id",
        "UPDATE duplicate_tables SET score = NULL WHERE table_id = :id",
        "UPDATE duplicates SET finished_at = NULL",
        id=damaged,
        none="",
    )
    with running(tmp_path, database=url) as server:
        ann = again(server, tables[sound][0])
        assert see(ann, event)["status"] == "playing"
        assert ann.view(sound)["public"]["stage"] == "ended"


def test_a_deleted_creator_of_an_event_leaves_no_name(tmp_path: Path, url: str) -> None:
    with running(tmp_path, mount_pages, database=url) as server:
        people = [server.person(name) for name in ("Zoe", "Ann", "Bob", "Cyd", "Dan")]
        event, _ = started(people[0], people[1:])
        assert "Zoe" in server.person().http.get(f"/events/{event}").text
    change(url, "DELETE FROM users WHERE user_id = :id", id=people[0].user)
    with running(tmp_path, mount_pages, database=url) as server:
        page = server.person().http.get(f"/events/{event}").text
        assert "Zoe" not in page
        assert f"deleted {people[0].user[:6]}" in page


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    url = postgres.new_database()
    yield url
    postgres.drop(url)


def test_the_tables_of_an_event_live_on_several_nodes_and_move(tmp_path: Path, database: str) -> None:
    with running(tmp_path, database=database, node=NodeConfig("a")) as one:
        people = four(one)
        with running(tmp_path, database=database, node=NodeConfig("b")) as other:
            nodes = [server.service.registry for server in (one, other)]
            eventually(lambda: all(node.membership.leases for node in nodes))
            while True:  # until the tables are on different nodes
                event, tables = started(people[0], people)
                owners = [
                    next(at for at, node in enumerate(nodes) if shard_of(table) in node.membership.leases)
                    for table in tables
                ]
                if len(set(owners)) == 2:
                    break
            eventually(lambda: all(nodes[at].loaded(table) for at, table in zip(owners, tables, strict=True)))
            hands = []
            for at, (table, seated) in zip(owners, tables.items(), strict=True):
                there = [again((one, other)[at], person) for person in seated]
                make_ready(table, there)
                hands.append(hands_of(there, table))
            assert hands[0] == hands[1]
            moved = [table for at, table in zip(owners, tables, strict=True) if at == 1]
        eventually(lambda: all(shard_of(table) in nodes[0].membership.leases for table in moved))
        hands = []
        for table, seated in tables.items():
            here = [again(one, person) for person in seated]
            play_hand(table, here)
            make_ready(table, here)
            hands.append(hands_of(here, table))
            play_out(table, here)
        assert hands[0] == hands[1]
        assert see(people[0], event)["status"] == "ended"


def again(server: Running, person: Person) -> Person:
    """The same user on another run of the server."""
    found = server.person()
    server.numbers = count(10**6 + next(person.server.numbers))  # an id that was used would only repeat its answer
    found.http.cookies.update(person.http.cookies)
    found.user = person.user
    return found


def test_a_name_that_looks_like_a_formula_is_none_in_a_spreadsheet(site: Running) -> None:
    people = [site.person(name) for name in ("=1+1", "Bob", "Cyd", "Dan")]
    event, tables = started(people[0], people, hands=1)
    for table, seated in tables.items():
        play_out(table, seated)
    names = {line.split(",")[3] for line in people[0].http.get(f"/events/{event}/result.csv").text.splitlines()[1:]}
    assert names == {"'=1+1", "Bob", "Cyd", "Dan"}


def test_the_list_of_events_and_the_page_without_scripts(site: Running) -> None:
    people = four(site)
    event, tables = started(people[0], people)
    page = people[0].http.get("/events").text
    assert f"/t/{next(table for table, seated in tables.items() if people[0] in seated)}" in page
    now = people[0].http.get(f"/events/{event}/now?waiting=true").text
    assert "data-go" in now
    assert "data-go" not in people[0].http.get(f"/events/{event}").text
    assert json.loads(people[0].http.get(f"/api/events/{event}").text)["status"] == "playing"
