"""Tables that end at any moment, between hands or during one, after players joined, left or paused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st

from liarspoker.protocol.commands import Command
from liarspoker.protocol.events import Event
from liarspoker.protocol.settings import AUDITS
from liarspoker.tables.export import audit_of
from liarspoker.tables.state import ENDED
from liarspoker.tables.view import public
from tests.tables.play import GAMES, as_json
from tests.tables.random_walks import RandomWalk, settings_at_random

Document = dict[str, Any]

ROUNDS = {"slips": (0, 1, 9, 10, 11, 19, 20, 21)}
"""Numbers of rounds played before the end: in `slips` around the tenth hand of a slip, otherwise up to some matches."""

FEW_ROUNDS = (0, 1, 2, 5)
STEPS = (0, 1, 3, 7, 20, 50)
"""Numbers of random commands before the table ends."""


class Ending(NamedTuple):
    """How a table is played and when it ends; everything else is random with `seed`."""

    game: str
    audit: str
    rounds: int
    steps: int
    seed: int = 0


def all_endings(seed: int = 0) -> list[Ending]:
    """Every combination of game, audit, number of rounds and number of steps."""
    return [
        Ending(game, audit, rounds, steps, seed)
        for game, audit in product(GAMES, AUDITS)
        for rounds, steps in product(ROUNDS.get(game, FEW_ROUNDS), STEPS)
    ]


@dataclass
class Evening(RandomWalk):
    """A table that is played to its end.

    Attributes:
        seen: for each deal number, all texts that anyone could see at the table before the next deal.
    """

    seen: dict[int, set[str]] = field(default_factory=dict)

    def decided(self, command: Command, user: str) -> tuple[Event, ...]:
        """Execute a command, and record what everyone can see then."""
        events = super().decided(command, user)
        if self.table.deals and self.table.settings.audit == "leaves":
            self.seen.setdefault(self.table.deals[-1].number, set()).update(texts_in(as_json(public(self.table))))
        return events

    def document(self) -> Document:
        """Return the audit document as it is sent."""
        document: Document = json.loads(json.dumps(audit_of(self.table)))
        return document

    def end(self) -> None:
        """End the table: everyone leaves, or the owner, who may have changed, closes it."""
        while self.table.stage != ENDED and self.chance.random() < 0.7:
            self.do(self.chance.choice(self.table.people).user, "leave")
        if self.table.stage != ENDED:
            self.do(self.table.owner, "end")


def ended(ending: Ending) -> Evening:
    """Return the table of an ending, played to its end; deterministic."""
    chance = Random(repr(ending))
    evening = Evening.of(settings_at_random(ending.game, chance, audit=ending.audit), chance)
    for _ in range(ending.rounds):
        evening.carry_on()
    for _ in range(ending.steps):
        evening.step()
    evening.end()
    return evening


def endings(audit: str) -> st.SearchStrategy[Evening]:
    """Tables of any game that have ended."""
    return st.builds(
        lambda *drawn: ended(Ending(drawn[0], audit, *drawn[1:])),
        *(st.sampled_from(GAMES), st.integers(0, 3), st.integers(0, 50), st.integers(0, 2**32)),
    )


def texts_in(told: Any) -> Iterator[str]:
    """Yield every text in a JSON value except keys."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict | list | tuple):
        for one in told.values() if isinstance(told, dict) else told:
            yield from texts_in(one)
