"""Tables on a running server, played through the API."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.server.inprocess import Person, Running
from tests.tables.choices import some_action

MOST_STEPS = 3_000


def begun(site: Running, game: str = "dollar-bill", people: int = 2, **settings: Any) -> tuple[str, list[Person]]:
    """Make a table with a dealt round; return its id and its players, the owner first."""
    players = [site.person(name) for name in ("Ann", "Ben", "Cleo")[:people]]
    table = site.table(*players, game=game, **{"seats": people, **settings})
    for person in players:
        assert person.ask(table, do="start" if person is players[0] else "ready")["ok"]
    return table, players


def to_act(table: str, people: list[Person]) -> Person:
    """Return the player to act."""
    user = people[0].view(table)["public"]["to_act"]
    return next(person for person in people if person.user == user)


def act(table: str, people: list[Person], *actions: str) -> None:
    """Play actions, each by the player to act."""
    for action in actions:
        turn = people[0].view(table)["public"]["turn"]
        answer = to_act(table, people).ask(table, do="act", turn=turn, action=action)
        assert answer["ok"], answer


def played(site: Running, game: str, rounds: int = 1, end: bool = True, **settings: Any) -> tuple[Person, str]:
    """Make a table of three players who have played `rounds` rounds; return its owner and its id."""
    people = [site.person(name) for name in ("Ann", "Ben", "Cleo")]
    table = site.table(people[0], *people[1:], game=game, seats=3, title="Friday", **settings)
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
    """Let a player do something that is possible now."""
    view = person.view(table)
    public, you = view["public"], view["you"]
    gathering = you.get("gathering") or {}
    if public["stage"] == "gathering" and gathering.get("wanted"):
        person.ask(table, do="ready")
    elif public["stage"] == "gathering" and gathering.get("pick"):
        person.ask(table, do="pick", choice=chance.choice(public["gathering"]["choosing"]["free"]))
    elif public["stage"] == "round" and public["to_act"] == you["user"]:
        person.ask(table, do="act", turn=public["turn"], action=some_action(you["hand"], chance))
