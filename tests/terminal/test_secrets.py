"""Nobody's number is printed before the count, and after it only what the game's `reveal` says."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.terminal.sitting import (
    GAMES,
    QUESTIONS,
    Played,
    asking,
    careless,
    play,
    record_in,
    replayed,
    scripted,
    then_leaves,
    timid,
)

SEEDS = st.integers(0, 2**32)
EVERY_GAME = pytest.mark.parametrize("game", GAMES)
REVEALS = ("full", "counts", "on_request")
EVERY_REVEAL = pytest.mark.parametrize("reveal", REVEALS)


def numbers_of_others(record: dict[str, object], rows: list[int]) -> list[list[str]]:
    """Hand by hand, the numbers that the others held."""
    slips, rounds = record.get("slips"), record["rounds"]
    assert isinstance(rounds, list)
    if isinstance(slips, list):
        return [[slip[row] for slip in slips[1:]] for row in rows]
    return [hand["deal"][1:] for hand in rounds]


def session_of(game: str, reveal: str, seed: int, *, asks: bool) -> tuple[Played, list[list[str]], dict[str, object]]:
    """Two hands in which the person asks everything at every prompt, and after the count for the numbers."""
    inquisitive = asking(careless(seed), *QUESTIONS, "numbers")
    silent = asking(careless(seed), *QUESTIONS)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        words = (game, "--option", f"reveal={reveal}", f"--seed={seed}", "--hands", "2", "--record", str(path))
        played = play(*words, player=inquisitive if asks else silent)
        record = record_in(path)
        rows = [hand.get("row", 0) for hand in replayed(path)]
    return played, numbers_of_others(record, rows), record


@given(game=st.sampled_from(GAMES), reveal=st.sampled_from(REVEALS), seed=SEEDS)
@pytest.mark.slow
def test_no_number_of_another_player_is_printed_before_the_count(game: str, reveal: str, seed: int) -> None:
    played, others, _ = session_of(game, reveal, seed, asks=True)
    for text, numbers in zip(played.hands, others, strict=True):
        assert not [number for number in numbers if number in text.partition("The count,")[0]]


@EVERY_GAME
@EVERY_REVEAL
@pytest.mark.parametrize("asks", [True, False])
def test_after_the_count_exactly_that_is_shown_which_the_table_reveals(game: str, reveal: str, asks: bool) -> None:
    for seed in range(3):
        played, others, _ = session_of(game, reveal, seed, asks=asks)
        shown = reveal == "full" or (reveal == "on_request" and asks)
        for text, numbers in zip(played.hands, others, strict=True):
            before, count, after = text.partition("The count,")
            assert count
            assert [number in after for number in numbers] == [shown] * len(numbers)
            assert not any(number in before for number in numbers)


@given(seed=SEEDS)
@pytest.mark.slow
def test_no_other_row_of_another_slip_is_ever_printed(seed: int) -> None:
    played, others, record = session_of("slips", "full", seed, asks=True)
    slips = record["slips"]
    assert isinstance(slips, list)
    played_numbers = {number for numbers in others for number in numbers}
    secret = [number for slip in slips[1:] for number in slip if number not in played_numbers | set(slips[0])]
    assert not [number for number in secret if number in played.text]


@EVERY_GAME
def test_a_record_taken_up_shows_no_more_than_before(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play(game, "--seed", "3", "--record", str(path), player=scripted())
    again = play("--record", str(path), "--seed", "4", player=asking(scripted(), *QUESTIONS, "numbers"))
    rounds = record_in(path)["rounds"]
    assert len(rounds) == 1
    others = numbers_of_others(record_in(path), [0])[0]
    assert not [number for number in others if number in again.text]


def test_with_slips_the_person_sees_all_of_his_own_and_no_eight_digits_more() -> None:
    told = play("slips", "--seed", "3", player=scripted()).text
    assert len(set(re.findall(r"\d{8}", told))) == 15


def test_the_numbers_are_not_offered_to_whoever_sees_them_already() -> None:
    for reveal, offered in [("full", False), ("counts", False), ("on_request", True)]:
        played = play("salomon-1986", "--option", f"reveal={reveal}", "--seed", "1", player=then_leaves(timid, hands=1))
        assert ("Type numbers" in played.text) == offered
