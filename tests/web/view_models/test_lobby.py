"""The view model of the lobby."""

from __future__ import annotations

from liarspoker.server.storage.log import Listed
from liarspoker.server.tables.views import listing_of
from liarspoker.web.view_models.lobby import lobby_of
from tests.tables.play import new_table


def test_a_table_is_listed_with_the_number_of_the_hand_in_play() -> None:
    played = new_table("dollar-bill", 3)
    for number in (1, 2, 3):
        played.make_ready()
        [table] = lobby_of([(Listed(played.table.id, listing_of(played.table, 0.0)), None)], None, 0.0).tables
        assert table.lines[0] == f"Hand {number}"
        played.play_out()
