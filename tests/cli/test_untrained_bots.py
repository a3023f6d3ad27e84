"""Bots with networks say where they aren't trained and play as the Bluffer."""

from __future__ import annotations

import re
from random import Random

import pytest

from liarspoker.bots.catalogue import bots, load
from liarspoker.bots.protocol import is_untrained
from liarspoker.core import catalogue
from tests.cli.conftest import Run

NETWORKS = {row.name for row in bots() if row.is_network}

TABLES = [
    ("salomon-1986", 2, {}, True),
    ("salomon-1986", 6, {"rebid": False}, True),
    ("salomon-1986", 7, {}, False),
    ("dollar-bill", 2, {"hand_size": 3}, False),
    ("dollar-bill", 2, {"loose_order": True}, False),
    ("thorin", 5, {"passes": 1}, True),
    ("thorin", 6, {}, False),
    ("queen-annes-stud", 3, {}, True),
    ("queen-annes-stud", 3, {"who_may_challenge": "anyone"}, False),
]


@pytest.mark.parametrize(("game", "seats", "options", "is_trained"), TABLES)
def test_bots_say_whether_they_were_trained_for_a_table(
    game: str, seats: int, options: dict[str, object], is_trained: bool
) -> None:
    loaded = catalogue.load(game)
    session = loaded.session(seats, loaded.options(options))
    found = {row.name for row in bots() if is_untrained(load(row.name, loaded.preset.family), session)}
    assert found == (set() if is_trained else NETWORKS)
    dealt = session.deal(session.chance_spec().draw(Random(1).randrange))
    assert dealt.to_act is not None
    view = dealt.view(dealt.to_act)
    played = {name: load(name, loaded.preset.family)(view, Random(2)) for name in ("champion", "bluffer")}
    assert is_trained or played["champion"] == played["bluffer"]


@pytest.mark.parametrize("command", ["exploit champion", "simulate dollar-bill --rounds 10 --bots champion,bluffer"])
def test_commands_say_which_bots_were_not_trained(command: str, run: Run) -> None:
    size = "--hand-size 1 --symbols 2" if "exploit" in command else "--option hand_size=1 --option symbols=2"
    note = "not trained for this table, so playing as the Bluffer: champion\n"
    assert note in run(f"{command} {size}").err
    assert not re.search("not trained", run("simulate dollar-bill --rounds 10 --bots champion,bluffer").err)
