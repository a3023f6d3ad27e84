"""How many ways there are to play a round of each game, exactly, with few of its claims.

A change of the rules that no example shows shows here. A golden record of each game has the counts as a comment; when
the same actions are meant to come out otherwise, raise the game's `rules_version` and put the new counts there.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from liarspoker.core import catalogue
from liarspoker.core.catalogue import registered
from liarspoker.core.session import Session
from tests.conformance.evenings import GAMES

RECORDS = Path(__file__).resolve().parents[1] / "records"
DEPTH = 6


def branches(session: Session) -> list[int]:
    """The three weakest claims, the strongest one, and the first three answers."""
    legal = session.legal()
    return list(dict.fromkeys([*legal.claims[:3], *legal.claims[-1:], *legal.answers[:3]]))


def line_of(game_id: str) -> str:
    """The openings, the rounds by length (so many go on, so many have ended), and the different results."""
    game: Any = catalogue.load(game_id)
    session: Session = game.session(min(3, game.row.seats[1]))
    going_on = [session.deal(session.chance_spec().draw(Random("tree").randrange))]
    openings = len(going_on[0].legal().claims)
    counts, results = [], set()
    for _ in range(DEPTH):
        later = [before.apply(action) for before in going_on for action in branches(before)]
        going_on = [one for one in later if one.in_play]
        ended = [one for one in later if not one.in_play]
        results |= {(one.units(), one.carry_over()) for one in ended}
        counts.append(f"{len(going_on)}/{len(ended)}")
    return f"{game_id} v{game.row.rules_version}: {openings} openings, {' '.join(counts)}, {len(results)} results"


@pytest.mark.parametrize("game_id", GAMES)
def test_a_round_can_be_played_in_as_many_ways_as_ever(game_id: str) -> None:
    line = line_of(game_id)
    assert line == line_of(game_id)
    golden = [path for folder in ("golden", "cards/golden") for path in (RECORDS / folder).glob("*.toml")]
    known = [
        row for path in golden for row in path.read_text(encoding="utf-8").splitlines() if row.startswith("# tree: ")
    ]
    of_another_package = registered(catalogue.GROUP) and not any(row.startswith(f"# tree: {game_id} ") for row in known)
    assert f"# tree: {line}" in known or of_another_package, f"no golden record has the line: # tree: {line}"
