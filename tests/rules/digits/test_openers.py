"""Who opens. Sources 000 ("Use of Bills"), 001 ("Turn Order"), 003 (step 6, rule 3)."""

from __future__ import annotations

from typing import Any

import pytest

from liarspoker.core.errors import BadDeal, BadRound, MissingInformation
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.deal import DigitDeal
from tests.rules.digits.plays import GAME_IDS, bid_on, counted, final, holding, play, round_of, table

NUMBERS = ("11111111", "22222222", "33333333")
each_game = pytest.mark.parametrize("game_id", GAME_IDS)


def first_opener(letters: str, opener: int | None = None, **options: object) -> int | None:
    """Return the seat that opens if the bills have these letters."""
    pairs = tuple(letters.split())
    session = table("salomon-1986", len(pairs), **options)
    deal = DigitDeal(numbers=NUMBERS[: len(pairs)], letters=pairs)
    session = session.deal(deal, RoundSetup(opener))
    assert session.view(None).terms == round_of(session).terms
    assert round_of(session).terms.letters == pairs  # they are public
    return session.to_act


@each_game
def test_the_first_seat_opens_unless_the_table_chooses_another(game_id: str) -> None:
    chosen = [play(table(game_id, 3), NUMBERS, opener=opener).to_act for opener in (None, 0, 1, 2)]
    assert chosen == [0, 0, 1, 2]
    for opener in (-1, 3, 16):
        with pytest.raises(BadRound):
            play(table(game_id, 3), NUMBERS, opener=opener)


def test_the_lowest_pair_of_letters_opens() -> None:
    """With equal pairs, the lower seat opens; a star ranks below A."""
    openers = {"LB BA CA": 1, "BB BA BC": 1, "CA BZ AY": 2, "AZ BA BA": 0, "BA AC AC": 1, "BA BB B*": 2, "B* AA BB": 1}
    assert {letters: first_opener(letters) for letters in openers} == openers
    assert first_opener("AA BB CC", opener=2) == 2  # what the table says goes above the letters


def test_equal_letters_need_an_opener_if_ties_are_redrawn() -> None:
    redraw: dict[str, Any] = {"first_opener_tie": "redraw"}
    with pytest.raises(MissingInformation, match="AC"):
        first_opener("BA AC AC", **redraw)
    assert first_opener("AC BA BA", **redraw) == 0
    assert first_opener("BA AC AC", opener=2, **redraw) == 2
    spec = table("salomon-1986", 3, **redraw).chance_spec()
    assert (spec.letters, spec.redraw) == (True, True)
    draws = iter([0, 0] * 3 + [0, 1] * 3 + [1, 1, 0, 1, 2, 3])
    assert spec.draw(lambda below: 0 if below == 10 else next(draws)).letters == ("BB", "AB", "CD")


@pytest.mark.parametrize(
    "letters", [("AA",), ("AA", "BB", "CC"), ("A", "BB"), ("aa", "BB"), ("*A", "BB"), ("A1", "BB")]
)
def test_impossible_letters_are_rejected(letters: tuple[str, ...]) -> None:
    with pytest.raises(BadDeal):
        table("salomon-1986", 2).deal(DigitDeal(numbers=NUMBERS[:2], letters=letters))


def test_letters_choose_the_opener_of_the_first_hand_of_1986_only() -> None:
    second = play(table("salomon-1986", 3), NUMBERS, "1x1 around count")
    for session in (table("slips", 3), table("dollar-bill", 3), second):
        assert not session.chance_spec().letters
        with pytest.raises(BadDeal, match="letters"):
            session.deal(DigitDeal(numbers=NUMBERS, letters=("AA", "BB", "CC")))


# ------------------------------------------------------------------------------------------ later hands


@each_game
def test_the_final_bidder_opens_the_next_hand_after_a_win_or_a_loss(game_id: str) -> None:
    for counts in ((0, 0, 0), (1, 0, 0), (3, 3, 3), (3, 3, 0)):
        session = counted(play(table(game_id, 3), holding(5, *counts), "1x5 2x5 3x5 around"))
        assert session.next_opener == play(session, NUMBERS).to_act == 2


def test_the_final_bidder_also_opens_on_a_new_slip() -> None:
    session = table("slips", 3, True).deal(DigitDeal(slips=(("12345678",) * 30,) * 3))
    for _ in range(9):
        session = bid_on(session, "1x9 around count").deal(DigitDeal())
    assert bid_on(session, "1x9 2x9 around count").deal(DigitDeal()).to_act == 1


def test_with_next_opener_winner_the_bidder_or_the_next_player_opens() -> None:
    """The seat after the last is the first; after a skunk, a push or a hero, the bidder opens."""
    openers = {("1x5 3x5", 3): 1, ("1x5 3x5", 2): 2, ("1x5 2x5 3x5", 0): 0}
    for (bids, held), opener in openers.items():
        empty = table("dollar-bill", 3, next_opener="winner")
        assert play(empty, holding(5, held, 0, 0), f"{bids} around").next_opener == opener
    for counts in ((0, 0, 0), (0, 2, 2)):
        session = final(table("salomon-1986", 3, next_opener="winner"), holding(5, *counts), "2x5")
        assert session.next_opener == 0


def test_with_next_opener_rotate_the_next_seat_opens() -> None:
    session, openers = table("dollar-bill", 3, next_opener="rotate"), []
    for chosen in (None, None, None, None, 1, None):
        session = play(session, NUMBERS, opener=chosen)
        openers.append(session.to_act)
        session = bid_on(session, "1x5 2x5 around")
    assert openers == [0, 1, 2, 0, 1, 2]
