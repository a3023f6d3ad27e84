"""Tables that were played to their end on a running server, through the API."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.server.inprocess import Person, Running
from tests.tables.play import some_action

MOST_STEPS = 3_000


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
            _step(person, table, chance)
    else:
        raise AssertionError("the evening has no end")
    if end and people[0].view(table)["public"]["stage"] != "ended":
        assert people[0].ask(table, do="end")["ok"]
    return people[0], table


def _step(person: Person, table: str, chance: Random) -> None:
    """Whatever one of them can do now."""
    view = person.view(table)
    public, you = view["public"], view["you"]
    gathering = you.get("gathering") or {}
    if public["stage"] == "gathering" and gathering.get("wanted"):
        person.ask(table, do="ready")
    elif public["stage"] == "gathering" and gathering.get("pick"):
        person.ask(table, do="pick", choice=chance.choice(public["gathering"]["choosing"]["free"]))
    elif public["stage"] == "round" and public["to_act"] == person.user:
        person.ask(table, do="act", turn=public["turn"], action=some_action(you["hand"], chance))
