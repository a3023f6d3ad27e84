"""A card game that is kept in a record, and taken up again in the middle of a round."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.terminal.keeping import load
from tests.effort import one_in
from tests.terminal.cards.card_table import GAMES, POOLED, Player, careless, flowing, play, scripted, told_at

Folders = pytest.TempPathFactory


@pytest.fixture(scope="session")
def new_folder(tmp_path_factory: Folders) -> Folders:
    return tmp_path_factory


def leaving(seed: int, entries: int) -> Player:
    player, left = careless(seed), iter(range(entries))
    return lambda told: None if next(left, None) is None else player(told)


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32), entries=st.integers(1, 9))
@one_in(2)
def test_a_game_is_kept_as_it_stands(
    game: str, seed: int, entries: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("kept") / "game.toml"
    start = catalogue.load(game).session(3)
    _, session = told_at(start, leaving(seed, entries), record=path)
    kept = load(path).session
    assert [kept.view(seat) for seat in (*range(3), None)] == [session.view(seat) for seat in (*range(3), None)]


@pytest.mark.parametrize("game", GAMES)
def test_a_round_taken_up_again_tells_what_has_happened(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    seed = next(str(seed) for seed in range(20) if ":" in _first(game, str(seed)).partition("Round 1:")[2])
    first = play(game, "--seed", seed, "--record", str(path), player=scripted())
    again = play("--record", str(path), player=scripted(), bots=())
    assert "Round 1:" in again
    said = [line for line in first.splitlines() if line.startswith(("Bea: ", "Cal: ", "Dot: "))]
    assert all(line.partition(" (")[0] in flowing(again) for line in said if len(line) < 60)


@pytest.mark.parametrize("game", POOLED)
def test_what_was_said_before_a_prompt_out_of_turn_is_kept_there(game: str, tmp_path: Path) -> None:
    record, saved, turns, player = tmp_path / "record.toml", list[Path](), list[str](), careless(2)

    def saving(told: str) -> str | None:
        if "Saved in" not in told:
            turns.append(told)
            saved.append(tmp_path / f"{len(saved)}.toml")
            return f"save {saved[-1]}"
        assert saved[-1].read_bytes() == record.read_bytes()
        return player(turns[-1])

    words = ("--seed", "2", "--hands", "2", "--option", "who_may_challenge=anyone", "--record", str(record))
    assert "c to challenge" in play(game, *words, player=saving)
    assert len(saved) > 4


def _first(game: str, seed: str) -> str:
    return play(game, "--seed", seed, player=scripted())


def test_a_hand_taken_up_again_never_runs_out_of_cards(tmp_path: Path) -> None:
    # Its record keeps the deck and not the chance of the discards, which are shuffled once eleven hands are drawn.
    path = tmp_path / "game.toml"
    told_at(catalogue.load("thorin").session(3), scripted(), record=path)
    _, later = told_at(load(path).session, scripted())
    for _ in range(60):
        if later.in_play:
            later = later.apply(_taking(later.view(later.to_act).legal))
    assert any(action < -16 for _, action in later.round.moves[40:])


def _taking(legal: Any) -> int:
    """Takes, throws all five cards, and declares the least."""
    if legal.min_claim is not None:
        return int(legal.min_claim)
    return int(legal.answers[-1] if legal.discard else legal.answers[0])
