"""Tables that people play at on a running server, through the API."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.server.inprocess import Person, Running
from tests.tables.choices import some_action

MOST_STEPS = 3_000


def begun(house: Running, game: str = "dollar-bill", people: int = 2, **settings: Any) -> tuple[str, list[Person]]:
    """A table at which a round has been dealt: its id, and who plays; the owner comes first."""
    players = [house.person(name) for name in ("Ann", "Ben", "Cleo")[:people]]
    table = house.table(*players, game=game, **{"seats": people, **settings})
    for person in players:
        assert person.ask(table, do="start" if person is players[0] else "ready")["ok"]
    return table, players


def to_act(table: str, people: list[Person]) -> Person:
    """Whose turn it is."""
    user = people[0].view(table)["public"]["to_act"]
    return next(person for person in people if person.user == user)


def act(table: str, people: list[Person], *actions: str) -> None:
    """Let the seats to act play these."""
    for action in actions:
        turn = people[0].view(table)["public"]["turn"]
        answer = to_act(table, people).ask(table, do="act", turn=turn, action=action)
        assert answer["ok"], answer


def played(house: Running, game: str, rounds: int = 1, end: bool = True, **settings: Any) -> tuple[Person, str]:
    """A table of three people who have played `rounds` rounds; its owner, and its id."""
    people = [house.person(name) for name in ("Ann", "Ben", "Cleo")]
    table = house.table(people[0], *people[1:], game=game, seats=3, title="Friday", **settings)
    assert people[0].ask(table, do="start")["ok"]
    chance = Random(7)
    for _ in range(MOST_STEPS):
        public = people[0].view(table)["public"]
        if public["stage"] == "ended" or public["rounds_played"] >= rounds:
            break
        for person in people:
            step(person, table, chance)
    else:
        raise AssertionError("the evening has no end")
    if end and people[0].view(table)["public"]["stage"] != "ended":
        assert people[0].ask(table, do="end")["ok"]
    return people[0], table


def step(person: Person, table: str, chance: Random) -> None:
    """Whatever one of them can do now."""
    view = person.view(table)
    public, you = view["public"], view["you"]
    gathering = you.get("gathering") or {}
    if public["stage"] == "gathering" and gathering.get("wanted"):
        person.ask(table, do="ready")
    elif public["stage"] == "gathering" and gathering.get("pick"):
        person.ask(table, do="pick", choice=chance.choice(public["gathering"]["choosing"]["free"]))
    elif public["stage"] == "round" and public["to_act"] == you["user"]:
        person.ask(table, do="act", turn=public["turn"], action=some_action(you["hand"], chance))
