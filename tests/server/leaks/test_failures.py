"""When something goes wrong inside, nothing that its text tells gets out."""

from __future__ import annotations

from random import Random
from typing import Any, NoReturn

import pytest
from msgspec import to_builtins

from liarspoker.server.tables import actor
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import Table
from tests.server.leaks.walks import Walk, found_in
from tests.server.leaks.world import World

CLOCK = {"turn": 20, "bank": 0, "ready": 15}


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
    await somewhere.command(second, {"do": "join"})
    await somewhere.command(first, {"do": "start"})
    await somewhere.command(second, {"do": "ready"})
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
            socket = somewhere.sockets[somewhere.users[0]]
            socket.up('{"kind": "command", "id": "x", "command": {"do": "sit_out"}}')
            await somewhere.settle()
        somewhere.read_log()
        written = [told.text for told in somewhere.told if told.channel == "log"]
        assert any("RuntimeError" in text for text in written)
        return await found_in(evening)

    assert somewhere.run(play()) == []
