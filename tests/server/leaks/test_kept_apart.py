"""What leaves the process: seeds at rest are sealed, and a bot gets the view of its seat and nothing beside."""

from __future__ import annotations

import pytest

from liarspoker.protocol.settings import Settings
from liarspoker.server.bots.worker import Request
from liarspoker.server.storage.errors import BadKey
from liarspoker.server.storage.sealing import Sealer, new_key
from tests.server.leaks.search import secret_forms
from tests.server.leaks.walks import walk
from tests.server.leaks.world import BOT, World
from tests.tables.play import GAMES


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
        view = Request.from_bytes(one.text.encode("latin-1")).view
        assert view == sitting.session.view(sitting.seat_of(one.user))
