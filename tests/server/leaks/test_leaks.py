"""No user learns hidden information from a view, a socket, an error, a record, a log or a bot."""

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
from tests.server.leaks.planted_leaks import PLANTS
from tests.server.leaks.search import numbers_in, secret_forms
from tests.server.leaks.server_walks import ServerWalk, found_in, recognisable_settings, walk
from tests.server.leaks.server_world import BOT, World
from tests.tables.play import GAMES

SEEDS = range(1, 7)
PLANTED_IN = ("slips", "queen-annes-stud", "thorin", "salomon-1986")
"""Every leak is planted in one game with numbers and one with cards; in `make soak` in all of these."""

CLOCK = {"turn": 20, "bank": 0, "ready": 15}


@pytest.mark.slow
@one_in(2)
@given(recognisable_settings(), st.integers(0, 2**32), st.integers(0, 60))
def test_random_games_leak_no_hidden_information(world: World, settings: Settings, seed: int, steps: int) -> None:
    played = world.run(walk(world, settings, seed, steps))
    assert world.run(found_in(played)) == []


@pytest.mark.parametrize("game", PLANTED_IN[: effort(2, quick=2, soak=4)])
@pytest.mark.parametrize("planted", PLANTS)
def test_a_planted_leak_is_found(world: World, game: str, planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, channel = PLANTS[planted]
    settings = read_settings({"game": game, "seats": 4, "options": {"reveal": "counts"} if game == "slips" else {}})
    with monkeypatch.context() as patch:
        plant(patch, world)
        for seed in SEEDS:
            found = world.run(found_in(world.run(walk(world, settings, seed, 30))))
            if any(one.partition(" to ")[0].partition(":")[0].endswith(channel) for one in found):
                return
    raise AssertionError(f"nobody has noticed {planted}")


def test_a_number_that_a_viewer_holds_is_no_leak_of_its_digits_backwards() -> None:
    own, other = "82918051", "15081928"
    assert numbers_in(f'{{"number":"{own}"}}', {other}, {own}) == []
    assert numbers_in(f'{{"number":"{own}","sorted":"01125889"}}', {other}, {own}) == [f"number {other} as 01125889"]
    assert numbers_in(f'{{"number":"{own}"}}', {other}, set()) == [f"number {other} as {own}"]
    assert numbers_in('{"rows_played":[0,1,3,4,5,6,7,9]}', {"71534690"}, set()) == []
    assert numbers_in('{"rows":[0,1,3,4,5,6,7,9]}', {"71534690"}, set()) == ["number 71534690 as 0,1,3,4,5,6,7,9"]


@pytest.mark.parametrize("game", GAMES)
def test_seeds_are_stored_encrypted_and_bots_get_only_their_own_view(world: World, game: str) -> None:
    world.run(walk(world, Settings(game, 4, spectators="none"), seed=3, steps=30))
    rows = world.run(world.rows("SELECT deal, sealed FROM secrets WHERE table_id = :table_id"))
    assert len(rows) >= len(world.table.deals) > 0
    for deal, sealed in rows:
        text = bytes(sealed).decode("latin-1")
        assert not any(form in text for seed in world.chance.seeds for form in secret_forms(seed))
        with pytest.raises(BadKey):
            Sealer(new_key()).open(bytes(sealed), world.table.id, deal)
    asked = [one for one in world.outputs if one.channel == BOT]
    assert asked
    for one in asked:
        sitting = one.table.sitting
        assert sitting is not None
        _, _, view, _ = pickle.loads(one.text.encode("latin-1"))
        assert view == sitting.session.view(sitting.seat_of(one.user))


def _fails(table: Table, *args: Any) -> NoReturn:
    assert table.sitting is not None
    raise RuntimeError(f"what now? {table.sitting.session!r}")


async def in_a_round(world: World, game: str) -> ServerWalk:
    """Deal a round to two users, with everyone watching."""
    first, second = world.users[:2]
    await world.make(first, to_builtins(read_settings({"game": game, "clock": CLOCK})), 1)
    played = ServerWalk(world.table, [], Random(1), world=world)
    for user in (*world.users, None):
        await world.watch(user)
    for user, do in ((second, "join"), (first, "start"), (second, "ready")):
        await world.command(user, {"do": do})
    return played


@pytest.mark.parametrize("game", ["slips", "thorin", "queen-annes"])
def test_internal_errors_reveal_nothing(world: World, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> list[str]:
        played = await in_a_round(world, game)
        with monkeypatch.context() as patch:
            patch.setattr(actor, "decide", _fails)
            act = {"do": "act", "turn": world.table.turn, "action": "challenge"}
            await world.command(world.users[0], act)
            await world.ring(60.0)
            world.sockets[world.users[0]].up('{"kind": "command", "id": "x", "command": {"do": "sit_out"}}')
            await world.settle()
        world.read_log()
        assert any("RuntimeError" in output.text for output in world.outputs if output.channel == "log")
        return await found_in(played)

    assert world.run(play()) == []
