"""The exact size of each game's tree, restricted to a few claims.

These tests detect changes of the rules that no example covers. A golden record of each game contains the counts as a
comment; if the results of the same actions change intentionally, raise the game's `rules_version` and update the
counts.
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
    """Return the three weakest claims, the strongest one, and the first three answers."""
    legal = session.legal()
    return list(dict.fromkeys([*legal.claims[:3], *legal.claims[-1:], *legal.answers[:3]]))


def line_of(game_id: str) -> str:
    """Return the number of openings, of unfinished and finished rounds by length, and of different results."""
    game: Any = catalogue.load(game_id)
    session: Session = game.session(min(3, game.preset.seats[1]))
    going_on = [session.deal(session.chance_spec().draw(Random("tree").randrange))]
    openings = len(going_on[0].legal().claims)
    counts, results = [], set()
    for _ in range(DEPTH):
        later = [before.apply(action) for before in going_on for action in branches(before)]
        going_on = [one for one in later if one.in_play]
        ended = [one for one in later if not one.in_play]
        results |= {(one.units(), one.carry_over()) for one in ended}
        counts.append(f"{len(going_on)}/{len(ended)}")
    return f"{game_id} v{game.preset.rules_version}: {openings} openings, {' '.join(counts)}, {len(results)} results"


@pytest.mark.parametrize("game_id", GAMES)
def test_the_game_tree_has_the_known_size(game_id: str) -> None:
    line = line_of(game_id)
    assert line == line_of(game_id)
    golden = [path for folder in ("golden", "cards/golden") for path in (RECORDS / folder).glob("*.toml")]
    known = [
        row for path in golden for row in path.read_text(encoding="utf-8").splitlines() if row.startswith("# tree: ")
    ]
    of_another_package = registered(catalogue.GROUP) and not any(row.startswith(f"# tree: {game_id} ") for row in known)
    assert f"# tree: {line}" in known or of_another_package, f"no golden record has the line: # tree: {line}"
