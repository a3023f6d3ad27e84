"""What is dealt, what cannot be, and what a count shows. Sources 000 (overview, the count), 001 (count), 003."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.errors import BadDeal, NotNow, NotTold
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.hands import HIDDEN, count_of, ends_odd, packed_counts
from liarspoker.games.digits.session import DigitSession
from tests.rules.digits.plays import GAME_IDS, bid_on, play, result_of, table

NUMBERS = ("06742088", "92859819", "07202503")


# -------------------------------------------------------------------------------------------- the numbers


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_each_player_obtains_a_random_number_of_eight_digits(game_id: str) -> None:
    needs = table(game_id, 4).chance_spec()
    drawn = needs.draw(random.Random(1986).randrange)
    assert needs.numbers
    assert len(drawn.numbers) == 4
    assert all(len(number) == 8 and number.isdecimal() for number in drawn.numbers)
    assert len(set(drawn.numbers)) == 4


def test_every_digit_is_as_likely_as_any_other_in_every_place() -> None:
    draw = table("dollar-bill", 16).chance_spec().draw
    chance = random.Random(3).randrange
    seen = Counter(place for _ in range(200) for number in draw(chance).numbers for place in enumerate(number))
    assert len(seen) == 80
    # 3,200 throws a place: 320 of each digit expected, with a standard deviation of 17.
    assert all(320 - 85 < times < 320 + 85 for times in seen.values())


@given(st.text("0123456789", min_size=1, max_size=15))
def test_a_hand_is_how_often_each_digit_stands_in_the_number(number: str) -> None:
    counts = packed_counts(number)
    assert [count_of(counts, digit) for digit in range(10)] == [number.count(str(digit)) for digit in range(10)]
    assert ends_odd(number) == (number[-1] in "13579")


@pytest.mark.parametrize(
    "numbers",
    [
        (),
        NUMBERS[:2],
        (*NUMBERS, NUMBERS[0]),
        ("0674208", *NUMBERS[1:]),
        ("067420888", *NUMBERS[1:]),
        ("0674208a", *NUMBERS[1:]),
        ("0674208 ", *NUMBERS[1:]),
        ("0674208٣", *NUMBERS[1:]),
        ("-6742088", *NUMBERS[1:]),
    ],
)
def test_numbers_that_cannot_be_are_refused(numbers: tuple[str, ...]) -> None:
    with pytest.raises(BadDeal):
        table("dollar-bill", 3).deal(DigitDeal(numbers=numbers))


def test_only_digits_that_are_in_play_are_dealt() -> None:
    session = table("salomon-1986", 2, hand_size=3, symbols=3)
    assert session.deal(DigitDeal(numbers=("123", "321"))).in_play
    with pytest.raises(BadDeal, match="in play"):
        session.deal(DigitDeal(numbers=("123", "324")))


# ------------------------------------------------------------------------------------- numbers not shown


def test_numbers_that_were_never_shown_need_their_counts() -> None:
    session = table("salomon-1986", 3).deal(DigitDeal(numbers=("????????",) * 3))
    with pytest.raises(NotTold):
        bid_on(session, "2x7 around count")
    session = table("salomon-1986", 3).deal(DigitDeal(numbers=("????????",) * 3, counts=(1, 0, 2)))
    session = bid_on(session, "2x7 around count")
    assert (result_of(session).counts, result_of(session).total) == ((1, 0, 2), 3)


@pytest.mark.parametrize(
    ("number", "count", "possible"),
    [
        ("?6??????", 0, False),
        ("?6??????", 1, True),
        ("?6??????", 8, True),
        ("?6?????7", 8, False),
        ("66666666", 7, False),
        ("66666666", 8, True),
    ],
)
def test_counts_must_fit_the_digits_that_were_shown(number: str, count: int, possible: bool) -> None:
    session = table("dollar-bill", 2).deal(DigitDeal(numbers=(number, "11111111"), counts=(count, 0)))
    session = bid_on(session, "1x6")
    if possible:
        assert result_of(bid_on(session, "challenge")).counts == (count, 0)
    else:
        with pytest.raises(BadDeal, match="seat 0"):
            bid_on(session, "challenge")


@pytest.mark.parametrize("counts", [(0,), (0, 0, 0), (-1, 0), (9, 0)])
def test_counts_that_no_hand_has_are_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(BadDeal, match="counts"):
        table("dollar-bill", 2).deal(DigitDeal(numbers=("????????",) * 2, counts=counts))


def test_a_hidden_digit_is_a_question_mark() -> None:
    assert HIDDEN == "?"
    assert packed_counts("?6??????") == packed_counts("6")


# -------------------------------------------------------------------------------------- secret and shown


def counted(game_id: str, **options: object) -> DigitSession:
    session = play(table(game_id, 3, **options), NUMBERS, "2x0 around")
    return bid_on(session, "count") if session.in_play else session


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_at_the_count_each_player_reveals_how_many_of_the_digit_he_has(game_id: str) -> None:
    for seat in (None, 0, 1, 2):
        result = counted(game_id).view(seat).result
        assert result is not None
        assert (result.counts, result.total) == ((2, 0, 3), 5)


@pytest.mark.parametrize("game_id", ["dollar-bill", "slips"])
def test_everyone_must_show_his_number_at_the_end(game_id: str) -> None:
    for seat in (None, 0, 1, 2):
        assert counted(game_id).view(seat).shown == NUMBERS


def test_in_1986_fingers_are_shown_and_no_numbers() -> None:
    for seat in (None, 0, 1, 2):
        assert counted("salomon-1986").view(seat).shown == ()


def test_on_request_the_numbers_are_seen_when_somebody_asks() -> None:
    session = counted("dollar-bill", reveal="on_request")
    assert session.view(1).shown == ()
    assert session.show_numbers().view(1).shown == NUMBERS
    assert session.show_numbers().view(None).shown == NUMBERS


def test_numbers_that_somebody_asked_for_are_covered_again_after_the_next_count() -> None:
    session = play(counted("dollar-bill", reveal="on_request").show_numbers(), NUMBERS, "2x0")
    assert session.view(1).shown == ()
    assert bid_on(session, "around").view(1).shown == ()


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_numbers_are_asked_for_after_the_count_and_only_at_a_table_that_has_it_so(game_id: str) -> None:
    with pytest.raises(NotNow):
        counted(game_id).show_numbers()
    for session in (
        table(game_id, 3, reveal="on_request"),
        play(table(game_id, 3, reveal="on_request"), NUMBERS, "1x1"),
    ):
        with pytest.raises(NotNow) as refused:
            session.show_numbers()
        assert refused.value.code == "wrong-phase"
