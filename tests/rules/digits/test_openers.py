"""Who opens. Sources 000 ("Use of Bills"), 001 ("Turn Order"), 003 (step 6, rule 3)."""

import pytest
from hypothesis import given

from liarspoker.core.errors import BadDeal, BadRound, NotTold
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.deal import DigitDeal
from tests.rules.digits.plays import GAME_IDS, bid_on, final, holding, outcome_of, play, table
from tests.rules.digits.strategies import History, large, played

NUMBERS = ("11111111", "22222222", "33333333")


def first_opener(*letters: str, opener: int | None = None, **options: object) -> int:
    session = table("salomon-1986", len(letters), **options)
    session = session.deal(DigitDeal(numbers=NUMBERS[: len(letters)], letters=letters), RoundSetup(opener))
    assert session.to_act is not None
    return session.to_act


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_without_letters_the_first_seat_opens_the_first_hand(game_id: str) -> None:
    assert play(table(game_id, 3), NUMBERS, "").to_act == 0


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("opener", range(3))
def test_the_table_may_choose_the_opener_by_a_coin_dice_or_a_card(game_id: str, opener: int) -> None:
    assert play(table(game_id, 3), NUMBERS, "", opener=opener).to_act == opener


@pytest.mark.parametrize("opener", [-1, 3, 16])
def test_an_opener_who_is_no_seat_is_refused(opener: int) -> None:
    with pytest.raises(BadRound):
        play(table("slips", 3), NUMBERS, "", opener=opener)


@pytest.mark.parametrize(
    ("letters", "opener"),
    [(("LB", "BA", "CA"), 1), (("BB", "BA", "BC"), 1), (("CA", "BZ", "AY"), 2), (("AZ", "BA", "BA"), 0)],
)
def test_the_lowest_pair_of_letters_around_the_serial_number_has_the_first_bid(
    letters: tuple[str, ...], opener: int
) -> None:
    assert first_opener(*letters) == opener


def test_of_two_equal_pairs_the_lower_seat_opens() -> None:
    assert first_opener("BA", "AC", "AC") == 1


def test_a_star_comes_before_the_a() -> None:
    assert first_opener("BA", "BB", "B*") == 2
    assert first_opener("B*", "AA", "BB") == 1


def test_where_ties_are_drawn_again_equal_letters_cannot_open() -> None:
    with pytest.raises(NotTold, match="AC"):
        first_opener("BA", "AC", "AC", first_opener_tie="redraw")
    assert first_opener("AC", "BA", "BA", first_opener_tie="redraw") == 0
    assert first_opener("BA", "AC", "AC", opener=2, first_opener_tie="redraw") == 2


def test_letters_are_drawn_again_until_one_pair_is_lowest() -> None:
    needs = table("salomon-1986", 3, first_opener_tie="redraw").chance_spec()
    assert (needs.letters, needs.redraw) == (True, True)
    throws = iter([0, 0] * 3 + [0, 1] * 3 + [1, 1, 0, 1, 2, 3])
    drawn = needs.draw(lambda below: 0 if below == 10 else next(throws))
    assert drawn.letters == ("BB", "AB", "CD")


def test_what_the_table_says_goes_above_the_letters() -> None:
    assert first_opener("AA", "BB", "CC", opener=2) == 2


def test_the_letters_of_the_first_hand_are_public() -> None:
    session = table("salomon-1986", 2).deal(DigitDeal(numbers=NUMBERS[:2], letters=("CA", "BB")))
    terms = session.view(None).terms
    assert terms is not None
    assert terms.letters == ("CA", "BB")


@pytest.mark.parametrize(
    "letters", [("AA",), ("AA", "BB", "CC"), ("A", "BB"), ("aa", "BB"), ("*A", "BB"), ("A1", "BB")]
)
def test_letters_that_no_bill_has_are_refused(letters: tuple[str, ...]) -> None:
    with pytest.raises(BadDeal):
        table("salomon-1986", 2).deal(DigitDeal(numbers=NUMBERS[:2], letters=letters))


def test_only_the_first_hand_of_1986_is_opened_by_letters() -> None:
    with_letters = DigitDeal(numbers=NUMBERS, letters=("AA", "BB", "CC"))
    assert not table("slips", 3).chance_spec().letters
    for game_id in ("slips", "dollar-bill"):
        with pytest.raises(BadDeal, match="letters"):
            table(game_id, 3).deal(with_letters)
    second = play(table("salomon-1986", 3), NUMBERS, "1x1 around count")
    assert not second.chance_spec().letters
    with pytest.raises(BadDeal, match="letters"):
        second.deal(with_letters)


# ------------------------------------------------------------------------------------------ later hands


@pytest.mark.parametrize("game_id", GAME_IDS)
@pytest.mark.parametrize("counts", [(0, 0, 0), (1, 0, 0), (3, 3, 3), (3, 3, 0)])
def test_the_final_bidder_opens_the_next_hand_won_or_lost(game_id: str, counts: tuple[int, ...]) -> None:
    session = play(table(game_id, 3), holding(5, *counts), "1x5 2x5 3x5 around")
    session = bid_on(session, "count") if session.in_play else session
    assert session.next_opener == 2
    assert play(session, NUMBERS, "").to_act == 2


def test_the_final_bidder_opens_also_on_a_new_slip() -> None:
    session = table("slips", 3, True).deal(DigitDeal(slips=(("12345678",) * 30,) * 3))
    for _ in range(9):
        session = bid_on(session, "1x9 around count").deal(DigitDeal())
    session = bid_on(session, "1x9 2x9 around count").deal(DigitDeal())
    assert session.to_act == 1


@pytest.mark.parametrize(("counts", "opener"), [((3, 0, 0), 1), ((2, 0, 0), 2)])
def test_where_the_winner_opens_it_is_the_bidder_or_else_the_player_after_him(
    counts: tuple[int, ...], opener: int
) -> None:
    session = play(table("dollar-bill", 3, next_opener="winner"), holding(5, *counts), "1x5 3x5 around")
    assert session.next_opener == opener


def test_a_winner_in_the_last_seat_is_followed_by_the_first() -> None:
    session = play(table("dollar-bill", 3, next_opener="winner"), holding(5, 0, 0, 0), "1x5 2x5 3x5 around")
    assert session.next_opener == 0


@pytest.mark.parametrize("counts", [(0, 0, 0), (0, 2, 2)])
def test_a_skunk_a_push_or_a_hero_leaves_the_winner_in_his_seat(counts: tuple[int, ...]) -> None:
    session = final(table("salomon-1986", 3, next_opener="winner"), holding(5, *counts), "2x5")
    assert outcome_of(session) in ("none", "hero")
    assert session.next_opener == 0


def test_where_the_opening_rotates_it_goes_to_the_left_whoever_bid() -> None:
    session = table("dollar-bill", 3, next_opener="rotate")
    openers = []
    for _ in range(4):
        session = play(session, NUMBERS, "")
        openers.append(session.to_act)
        session = bid_on(session, "1x5 2x5 around")
    assert openers == [0, 1, 2, 0]


def test_a_rotation_goes_on_from_the_opener_that_the_table_chose() -> None:
    session = play(table("dollar-bill", 3, next_opener="rotate"), NUMBERS, "1x5 around", opener=2)
    assert session.next_opener == 0


@large
@given(played(hands=3, next_opener="final_bidder"))
def test_each_hand_is_opened_by_the_final_bidder_of_the_hand_before(history: History) -> None:
    opener = 0
    for hand, result in history.last.ledger.hands:
        assert hand.terms.opener == result.opener == opener
        opener = result.bidder
