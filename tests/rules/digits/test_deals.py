"""Deals, invalid deals, and what a count reveals. Sources 000 (overview, the count), 001 (count), 003."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import BadDeal, MissingInformation, NotNow
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.hands import HIDDEN, count_of, ends_odd, packed_counts
from liarspoker.games.digits.session import DigitSession
from tests.rules.digits.plays import GAME_IDS, bid_on, counted, play, result_of, table

NUMBERS = ("06742088", "92859819", "07202503")
HIDDEN_NUMBER = HIDDEN * 8
SEATS = (None, 0, 1, 2)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_each_player_is_dealt_a_random_number_of_eight_digits(game_id: str) -> None:
    spec = table(game_id, 4).chance_spec()
    drawn = spec.draw(random.Random(1986).randrange)
    assert spec.numbers
    assert [(len(number), number.isdecimal()) for number in drawn.numbers] == [(8, True)] * 4
    assert len(set(drawn.numbers)) == 4


def test_digits_are_uniform_in_every_position() -> None:
    draw, chance = table("dollar-bill", 16).chance_spec().draw, random.Random(3).randrange
    seen = Counter(place for _ in range(200) for number in draw(chance).numbers for place in enumerate(number))
    assert len(seen) == 80
    # 3,200 draws per position: 320 of each digit expected, with a standard deviation of 17.
    assert all(320 - 85 < times < 320 + 85 for times in seen.values())


@given(st.text("0123456789", min_size=1, max_size=15))
def test_packed_counts_are_the_counts_of_each_digit(number: str) -> None:
    counts = packed_counts(number)
    assert [count_of(counts, digit) for digit in range(10)] == [number.count(str(digit)) for digit in range(10)]
    assert ends_odd(number) == (number[-1] in "13579")
    assert packed_counts(HIDDEN + number) == counts


def test_impossible_numbers_are_rejected() -> None:
    bad = ["0674208", "067420888", "0674208a", "0674208 ", "0674208٣", "-6742088"]
    for numbers in ((), NUMBERS[:2], (*NUMBERS, NUMBERS[0]), *((number, *NUMBERS[1:]) for number in bad)):
        with pytest.raises(BadDeal):
            table("dollar-bill", 3).deal(DigitDeal(numbers=numbers))


def test_only_digits_that_are_in_play_are_dealt() -> None:
    session = table("salomon-1986", 2, hand_size=3, symbols=3)
    assert session.deal(DigitDeal(numbers=("123", "321"))).in_play
    with pytest.raises(BadDeal, match="in play"):
        session.deal(DigitDeal(numbers=("123", "324")))


# ------------------------------------------------------------------------------------- numbers not shown


def test_numbers_that_were_never_shown_need_their_counts() -> None:
    unknown = (HIDDEN_NUMBER,) * 3
    with pytest.raises(MissingInformation):
        play(table("salomon-1986", 3), unknown, "2x7 around count")
    session = table("salomon-1986", 3).deal(DigitDeal(numbers=unknown, counts=(1, 0, 2)))
    result = result_of(bid_on(session, "2x7 around count"))
    assert (result.counts, result.total) == ((1, 0, 2), 3)


@pytest.mark.parametrize(
    ("number", "possible", "impossible"),
    [("?6??????", (1, 8), (0,)), ("?6?????7", (1, 7), (8,)), ("66666666", (8,), (7,))],
)
def test_counts_must_fit_the_digits_that_were_shown(
    number: str, possible: tuple[int, ...], impossible: tuple[int, ...]
) -> None:
    def counted_as(count: int) -> DigitSession:
        deal = DigitDeal(numbers=(number, "11111111"), counts=(count, 0))
        return bid_on(table("dollar-bill", 2).deal(deal), "1x6 challenge")

    assert [result_of(counted_as(count)).counts for count in possible] == [(count, 0) for count in possible]
    for count in impossible:
        with pytest.raises(BadDeal, match="seat 0"):
            counted_as(count)


@pytest.mark.parametrize("counts", [(0,), (0, 0, 0), (-1, 0), (9, 0)])
def test_impossible_counts_are_rejected(counts: tuple[int, ...]) -> None:
    with pytest.raises(BadDeal, match="counts"):
        table("dollar-bill", 2).deal(DigitDeal(numbers=(HIDDEN_NUMBER,) * 2, counts=counts))


# ---------------------------------------------------------------------------------------------- the count


@pytest.mark.parametrize(("game_id", "shown"), [("dollar-bill", NUMBERS), ("salomon-1986", ()), ("slips", NUMBERS)])
def test_the_count_reveals_counts_and_except_in_1986_the_numbers(game_id: str, shown: tuple[str, ...]) -> None:
    session = counted(play(table(game_id, 3), NUMBERS, "2x0 around"))
    for view in map(session.view, SEATS):
        assert view.result is not None
        assert (view.result.counts, view.result.total, view.shown) == ((2, 0, 3), 5, shown)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_numbers_can_be_requested_after_the_count_if_the_option_allows_it(game_id: str) -> None:
    on_request = table(game_id, 3, reveal="on_request")
    with pytest.raises(NotNow):
        counted(play(table(game_id, 3), NUMBERS, "2x0 around")).show_numbers()
    for session in (on_request, play(on_request, NUMBERS, "1x1")):
        with pytest.raises(NotNow) as refused:
            session.show_numbers()
        assert refused.value.code == "wrong-phase"
    session = counted(play(on_request, NUMBERS, "2x0 around"))
    assert {session.view(seat).shown for seat in SEATS} == {()}
    assert {session.show_numbers().view(seat).shown for seat in SEATS} == {NUMBERS}
    covered = counted(play(session.show_numbers(), NUMBERS, "2x0 around"))
    assert covered.view(1).shown == ()
