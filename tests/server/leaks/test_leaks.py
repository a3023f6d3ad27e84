"""Nobody is told what he may not know: not by a view, not by a socket, not by an error, a record, a log or a bot."""

from __future__ import annotations

import pickle
from random import Random
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from liarspoker.protocol.settings import Settings
from liarspoker.server.storage.errors import BadKey
from liarspoker.server.storage.sealing import Sealer, new_key
from liarspoker.server.tables import actor
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import Table
from tests.effort import effort, one_in
from tests.server.leaks.plants import PLANTS
from tests.server.leaks.search import secret_forms
from tests.server.leaks.walks import Walk, found_in, recognisable_settings, walk
from tests.server.leaks.world import BOT, World
from tests.tables.play import GAMES

SEEDS = range(1, 7)
PLANTED_IN = ("slips", "queen-annes-stud", "thorin", "salomon-1986")
"""Every leak is planted in a game with numbers and one with cards, in `make soak` in all of these."""

CLOCK = {"turn": 20, "bank": 0, "ready": 15}


@pytest.mark.slow
@one_in(2)
@given(recognisable_settings(), st.integers(0, 2**32), st.integers(0, 60))
def test_whatever_happens_at_a_table_nobody_is_told_what_he_may_not_know(
    somewhere: World, settings: Settings, seed: int, steps: int
) -> None:
    evening = somewhere.run(walk(somewhere, settings, seed, steps))
    assert somewhere.run(found_in(evening)) == []


@pytest.mark.parametrize("game", PLANTED_IN[: effort(2, quick=2, soak=4)])
@pytest.mark.parametrize("planted", PLANTS)
def test_a_planted_leak_is_found(somewhere: World, game: str, planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, channel = PLANTS[planted]
    settings = read_settings({"game": game, "seats": 4, "options": {"reveal": "counts"} if game == "slips" else {}})
    with monkeypatch.context() as patch:
        plant(patch, somewhere)
        for seed in SEEDS:
            found = somewhere.run(found_in(somewhere.run(walk(somewhere, settings, seed, 30))))
            if any(one.partition(" to ")[0].partition(":")[0].endswith(channel) for one in found):
                return
    raise AssertionError(f"nobody has noticed {planted}")


@pytest.mark.parametrize("game", GAMES)
def test_seeds_lie_sealed_and_bots_see_their_seat_alone(somewhere: World, game: str) -> None:
    somewhere.run(walk(somewhere, Settings(game, 4, spectators="none"), seed=3, steps=30))
    rows = somewhere.run(somewhere.rows("SELECT deal, sealed FROM secrets WHERE table_id = :table_id"))
    assert len(rows) >= len(somewhere.table.deals) > 0
    for deal, sealed in rows:
        text = bytes(sealed).decode("latin-1")
        assert not any(form in text for seed in somewhere.chance.seeds for form in secret_forms(seed))
        with pytest.raises(BadKey):
            Sealer(new_key()).open(bytes(sealed), somewhere.table.id, deal)
    asked = [one for one in somewhere.told if one.channel == BOT]
    assert asked
    for one in asked:
        sitting = one.table.sitting
        assert sitting is not None
        _, _, view, _ = pickle.loads(one.text.encode("latin-1"))
        assert view == sitting.session.view(sitting.seat_of(one.user))


def _fails(table: Table, *args: Any) -> NoReturn:
    assert table.sitting is not None
    raise RuntimeError(f"what now? {table.sitting.session!r}")


async def in_a_round(somewhere: World, game: str) -> Walk:
    """Two people who have been dealt to; everybody looks on."""
    first, second = somewhere.users[:2]
    await somewhere.make(first, to_builtins(read_settings({"game": game, "clock": CLOCK})), 1)
    evening = Walk(somewhere.table, [], Random(1), world=somewhere)
    for user in (*somewhere.users, None):
        await somewhere.watch(user)
    for user, do in ((second, "join"), (first, "start"), (second, "ready")):
        await somewhere.command(user, {"do": do})
    return evening


@pytest.mark.parametrize("game", ["slips", "thorin", "queen-annes"])
def test_an_error_inside_tells_nobody_what_it_says(
    somewhere: World, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> list[str]:
        evening = await in_a_round(somewhere, game)
        with monkeypatch.context() as patch:
            patch.setattr(actor, "decide", _fails)
            act = {"do": "act", "turn": somewhere.table.turn, "action": "challenge"}
            await somewhere.command(somewhere.users[0], act)
            await somewhere.ring(60.0)
            somewhere.sockets[somewhere.users[0]].up('{"kind": "command", "id": "x", "command": {"do": "sit_out"}}')
            await somewhere.settle()
        somewhere.read_log()
        assert any("RuntimeError" in told.text for told in somewhere.told if told.channel == "log")
        return await found_in(evening)

    assert somewhere.run(play()) == []
