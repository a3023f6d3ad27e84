"""A table is what its log says: what is stored, read again, makes the same table."""

import pytest

from tests.tables.play import GAMES, new_table, replayed


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_the_log_makes_the_table_again(game: str, seed: int) -> None:
    clock = {"turn": 30, "bank": 60} if seed % 2 else None
    played = new_table(game, 2 + seed % 3, seed, choose=bool(seed % 2), clock=clock)
    for _ in range(4):
        played.play_round(with_nonces=seed % 3 == 0)
    assert played.table.rounds_played == 4
    assert replayed(played) == played.table
    assert sum(played.table.units.values()) == 0
