"""Hidden numbers and cards are never printed before the end of a round, and then only if the game reveals them."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import full_deck, shuffled
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.thorin.actions import discard_of
from liarspoker.games.thorin.deal import ThorinDeal
from tests.effort import one_in
from tests.terminal.sitting import (
    GAMES,
    QUESTIONS,
    Player,
    asking,
    between_hands,
    careless,
    offered,
    play,
    played_on,
    record_in,
    replayed,
    scripted,
)

SEEDS = st.integers(0, 2**32)
BLIND_QUESTIONS = ("odds", "odds three 7", "why", "hand", "score", "check pair 9")
SEATS = 3


def numbers_of_others(record: dict[str, object], rows: list[int]) -> list[list[str]]:
    """Return the other players' numbers, hand by hand."""
    slips, rounds = record.get("slips"), record["rounds"]
    assert isinstance(rounds, list)
    if isinstance(slips, list):
        return [[slip[row] for slip in slips[1:]] for row in rows]
    return [hand["deal"][1:] for hand in rounds]


@pytest.mark.parametrize("reveal", ["full", "counts", "on_request"])
@pytest.mark.parametrize("asks", [True, False])
@given(game=st.sampled_from(GAMES), seed=SEEDS)
@one_in(6)
def test_other_numbers_are_shown_only_after_the_count_and_only_if_the_table_reveals_them(
    reveal: str, asks: bool, game: str, seed: int
) -> None:
    """Play two hands and ask every question at every prompt; with `asks`, also ask for the numbers."""
    shown = reveal == "full" or (reveal == "on_request" and asks)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        words = (game, "--option", f"reveal={reveal}", f"--seed={seed}", "--hands", "2", "--record", str(path))
        played = play(*words, player=asking(careless(seed), *QUESTIONS, *(["numbers"] if asks else [])))
        record, rows = record_in(path), [hand.get("row", 0) for hand in replayed(path)]
    others = numbers_of_others(record, rows)
    for text, numbers in zip(played.hands, others, strict=True):
        before, count, after = text.partition("The count,")
        assert count
        assert [number in after for number in numbers] == [shown] * len(numbers)
        assert not any(number in before for number in numbers)
    assert ("Type numbers" in played.text) == (reveal == "on_request")
    if "slips" in record:  # no other row of another slip is ever printed
        open_rows = {number for numbers in others for number in numbers} | set(record["slips"][0])
        assert not [
            number
            for slip in record["slips"][1:]
            for number in slip
            if number not in open_rows and number in played.text
        ]


@pytest.mark.parametrize("game", GAMES)
def test_a_continued_game_shows_no_more_than_before(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play(game, "--seed", "3", "--record", str(path), player=scripted())
    again = play("--record", str(path), "--seed", "4", player=asking(scripted(), *QUESTIONS, "numbers"))
    rounds = record_in(path)["rounds"]
    assert len(rounds) == 1
    others = numbers_of_others(record_in(path), [0])[0]
    assert not [number for number in others if number in again.text]


def test_with_slips_the_player_sees_only_their_own_slip() -> None:
    told = play("slips", "--seed", "3", player=scripted()).text
    assert len(set(re.findall(r"\d{8}", told))) == 15


# ---------------------------------------------------------------------------------------------------- cards


def without_looking(view: Any, chance: Random) -> int:
    """A bot that uses only public information."""
    if getattr(view.legal, "discard", False):
        return discard_of(view.hand[: chance.randrange(6)])
    claims, answers = view.legal.claims, view.legal.answers
    pick = chance.randrange(2 * len(answers) + min(3, len(claims)))
    return int(answers[pick // 2] if pick < 2 * len(answers) else claims[pick - 2 * len(answers)])


def blind(seed: int) -> Player:
    """Makes the lowest declaration, passes or challenges, and never takes a hand."""
    chance = Random(seed)

    def answer(told: str) -> str | None:
        if between_hands(told):
            return None
        return chance.choice([entry for entry in offered(told) if entry not in ("t", "take")])

    return asking(answer, *BLIND_QUESTIONS)


def before_the_cards_are_shown(session: Any, seed: int) -> str:
    text = played_on(session, blind(seed), bot=without_looking)[0]
    return text.partition("All cards are shown")[0].partition("\nThe hand is")[0]


def cards_in(game: str, deck: tuple[int, ...], other: tuple[int, ...]) -> list[Any]:
    """Return two deals that look the same to the first seat."""
    if game == "queen-annes-indian":
        return [QueenAnnesDeal((own, deck[5:10], deck[10:15])) for own in (deck[:5], deck[20:25])]
    if game == "queen-annes":
        return [QueenAnnesDeal((deck[:5], deck[n : n + 5], deck[n + 10 : n + 15])) for n in (5, 20)]
    if game == "queen-annes-stud":
        return [QueenAnnesDeal((deck[:2], deck[n : n + 2], deck[n + 2 : n + 4]), deck[6:40]) for n in (2, 48)]
    return [ThorinDeal(deck), ThorinDeal(other)]


@pytest.mark.parametrize("game", ["queen-annes", "queen-annes-indian", "queen-annes-stud", "thorin"])
@given(seed=SEEDS, opener=st.integers(0, SEATS - 1), passes=st.integers(0, 1))
@one_in(3)
def test_hidden_cards_do_not_change_the_output(game: str, seed: int, opener: int, passes: int) -> None:
    deck = shuffled(full_deck(0), Random(seed).randrange)
    seen = 5 if opener == 0 else 0  # in Thorin's game, only the opener looks at the first hand
    other = (*deck[:seen], *shuffled(deck[seen:], Random(seed + 1).randrange))
    loaded = catalogue.load(game)
    start = loaded.session(SEATS, loaded.options({"passes": passes} if game == "thorin" else {}))
    one, another = (
        before_the_cards_are_shown(start.deal(deal, RoundSetup(opener=opener)), seed)
        for deal in cards_in(game, deck, other)
    )
    assert one == another
