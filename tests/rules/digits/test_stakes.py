"""What a hand leaves to the next one. Sources 000 ("Progressive Stakes", "SLIPS") and 001 (rule 3, "Tenth Hand")."""

from itertools import pairwise

import pytest
from hypothesis import given

from liarspoker.core.errors import BadRound
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.games.digits.session import MAX_STAKE, DigitSession
from liarspoker.games.digits.settlement import is_doubled, next_stake
from tests.rules.digits.plays import final, holding, outcome_of, play, result_of, stake_next, table
from tests.rules.digits.strategies import History, large, played

PROGRESSIVE = ["salomon-1986", "slips"]


def stake_of(session: DigitSession) -> int:
    assert session.round is not None
    return session.round.terms.stake


def made(session: DigitSession, bid: str) -> DigitSession:
    """One more hand, whose opener holds eight of the digit that he bids, like everybody."""
    return final(session, holding(int(bid[-1]), *[8] * session.seats), bid)


def hands(session: DigitSession, count: int, bid: str = "1x5") -> DigitSession:
    for _ in range(count):
        session = made(session, bid)
    return session


@pytest.mark.parametrize("game_id", ["dollar-bill", *PROGRESSIVE])
def test_the_first_hand_is_for_one_unit(game_id: str) -> None:
    assert stake_next(table(game_id, 4)) == 1


def test_the_stakes_of_the_example_of_1986() -> None:
    """Source 000, "Progressive Stakes": five players; 8 sixes, 8 threes, 6 twos, one after the other."""
    for eight_sixes_made in (True, False):
        counts = (2, 2, 2, 1, 1) if eight_sixes_made else (2, 2, 2, 1, 0)
        first = final(table("salomon-1986", 5), holding(6, *counts), "8x6")
        assert result_of(first).settlement.bid_multiplier == 4
        assert stake_next(first) == 4
        won = final(first, holding(3, 2, 2, 2, 1, 1), "8x3")
        assert result_of(won).payoffs == (32, -8, -8, -8, -8)
        lost = final(first, holding(3, 2, 2, 2, 1, 0), "8x3")
        assert result_of(lost).payoffs == (-16, 4, 4, 4, 4)
        for second in (won, lost):
            assert stake_next(second) == 2
            assert stake_next(final(second, holding(2, 2, 2, 2, 0, 0), "6x2")) == 1


@pytest.mark.parametrize("game_id", PROGRESSIVE)
@pytest.mark.parametrize("counts", [(8, 8, 8, 8, 8), (1, 0, 0, 0, 0)])
@pytest.mark.parametrize(
    ("bid", "carried"),
    [("5x3", 1), ("7x3", 1), ("8x3", 2), ("10x3", 3), ("12x3", 4), ("1x6", 2), ("8x6", 4), ("10x6", 6)],
)
def test_the_multiplier_of_the_last_bid_is_carried_whether_or_not_it_is_made(
    game_id: str, counts: tuple[int, ...], bid: str, carried: int
) -> None:
    assert stake_next(final(table(game_id, 5), holding(int(bid[-1]), *counts), bid)) == carried


@pytest.mark.parametrize("game_id", PROGRESSIVE)
def test_a_level_five_above_the_players_starts_the_next_hand_at_three(game_id: str) -> None:
    """Source 001, rule 3; from there six and twelve are near."""
    session = made(table(game_id, 5), "10x3")
    assert stake_next(session) == 3
    assert result_of(made(session, "8x3")).payoffs[1] == -6
    assert result_of(made(session, "8x6")).payoffs[1] == -12


@pytest.mark.parametrize("game_id", PROGRESSIVE)
@pytest.mark.parametrize("base", [1, 2, 4, 100])
def test_the_stake_of_the_hand_itself_is_not_carried(game_id: str, base: int) -> None:
    assert stake_next(final(table(game_id, 5), holding(3, *[8] * 5), "8x3", stake=base)) == 2


@pytest.mark.parametrize("game_id", PROGRESSIVE)
@pytest.mark.parametrize("bid", ["1x3", "5x3", "10x6", "12x6"])
@pytest.mark.parametrize("others", [0, 1, 8])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_after_a_bidder_who_held_none_the_next_hand_is_for_two(game_id: str, bid: str, others: int, seats: int) -> None:
    """Whether he was skunk, hero or loser, and independent of the number of players."""
    numbers = holding(int(bid[-1]), 0, *[others] * (seats - 1))
    assert stake_next(final(table(game_id, seats), numbers, bid)) == 2


def test_the_bump_of_a_hero_is_never_carried() -> None:
    hero = final(table("salomon-1986", 5), holding(6, 0, 2, 2, 1, 1), "6x6")
    assert (outcome_of(hero), result_of(hero).settlement.multiplier) == ("hero", 3)
    assert stake_next(hero) == 2
    without_double = final(table("salomon-1986", 5, none_carry="bid"), holding(3, 0, 2, 2, 1, 1), "6x3")
    assert (outcome_of(without_double), stake_next(without_double)) == ("hero", 1)


def test_what_a_skunk_pays_is_never_carried() -> None:
    skunk = final(table("salomon-1986", 8), holding(3, *[0] * 8), "6x3")
    assert result_of(skunk).settlement.multiplier == 10
    assert stake_next(skunk) == 2


def test_whoever_holds_one_of_the_digit_carries_his_bid() -> None:
    assert stake_next(final(table("salomon-1986", 5), holding(6, 1, 0, 0, 0, 0), "10x6")) == 6


@pytest.mark.parametrize("game_id", PROGRESSIVE)
def test_between_two_players_a_bidder_with_none_leaves_two_as_well(game_id: str) -> None:
    assert stake_next(final(table(game_id, 2), holding(3, 0, 0), "1x3")) == 2
    assert stake_next(final(table(game_id, 2), holding(6, 0, 3), "9x6")) == 2


@pytest.mark.parametrize(("bid", "carried"), [("5x3", 1), ("10x6", 6)])
def test_with_none_carry_set_to_bid_a_none_carries_the_bid(bid: str, carried: int) -> None:
    session = table("salomon-1986", 5, none_carry="bid")
    assert stake_next(final(session, holding(int(bid[-1]), *[0] * 5), bid)) == carried


@pytest.mark.parametrize(("bid", "carried"), [("5x3", 1), ("10x6", 6)])
def test_where_none_does_not_win_it_makes_no_exception_for_the_stake(bid: str, carried: int) -> None:
    session = table("salomon-1986", 5, none_wins=False)
    assert stake_next(final(session, holding(int(bid[-1]), *[0] * 5), bid)) == carried


def test_the_exception_for_a_none_holds_where_heroes_are_off() -> None:
    assert stake_next(final(table("salomon-1986", 5, hero=False), holding(3, 0, 2, 2, 2, 2), "5x3")) == 2


def test_with_dollar_bills_and_wherever_stakes_are_not_progressive_every_hand_is_for_one() -> None:
    assert stake_next(made(table("dollar-bill", 3), "12x6")) == 1
    session = made(table("salomon-1986", 3, progressive=False), "12x6")
    assert (result_of(session).next_stake, stake_next(session)) == (1, 1)
    none = final(table("salomon-1986", 5, progressive=False), holding(3, *[0] * 5), "5x3")
    assert stake_next(none) == 1


# -------------------------------------------------------------------------------------------- compounding


def test_compounding_multiplies_the_bid_by_the_stake_before_any_doubling() -> None:
    session = table("salomon-1986", 5, compound_carry=True)
    stakes = []
    for bid in ["8x6", "8x3", "6x2", "10x3"]:
        session = made(session, bid)
        stakes.append(stake_next(session))
    assert stakes == [4, 8, 8, 24]
    assert stake_next(final(session, holding(3, 0, 2, 2, 2, 2), "5x3")) == 2


def test_compounding_leaves_out_what_the_tenth_hand_doubled() -> None:
    session = hands(table("salomon-1986", 5, compound_carry=True), 8)
    session = made(made(session, "10x3"), "8x3")
    assert result_of(session).stake == 6
    assert stake_next(session) == 6


def test_compounding_takes_the_stake_that_the_table_agreed_on() -> None:
    session = final(table("salomon-1986", 5, compound_carry=True), holding(3, *[8] * 5), "8x3", stake=5)
    assert stake_next(session) == 10


def test_stakes_that_outgrow_all_counting_are_refused() -> None:
    session = final(table("salomon-1986", 2, compound_carry=True), holding(3, 8, 8), "5x3", stake=MAX_STAKE)
    with pytest.raises(BadRound, match="outgrown"):
        stake_next(session)
    assert stake_of(play(session, holding(3, 8, 8), "", stake=7)) == 7


# ---------------------------------------------------------------------------------------- the tenth hand


@pytest.mark.parametrize("game_id", PROGRESSIVE)
@pytest.mark.parametrize(("ninth", "tenth"), [("1x5", 2), ("8x5", 4), ("10x6", 12)])
def test_the_tenth_hand_is_for_twice_the_stake_it_otherwise_had(game_id: str, ninth: str, tenth: int) -> None:
    session = made(hands(table(game_id, 5), 8), ninth)
    assert stake_next(session) == tenth
    won = final(session, holding(3, 2, 2, 2, 1, 1), "8x3")
    assert result_of(won).payoffs[1] == -2 * tenth
    lost = final(session, holding(3, 2, 2, 2, 1, 0), "8x3")
    assert result_of(lost).payoffs[1] == tenth


@pytest.mark.parametrize("game_id", PROGRESSIVE)
def test_after_a_none_on_the_ninth_hand_the_tenth_is_for_four(game_id: str) -> None:
    session = final(hands(table(game_id, 5), 8), holding(3, *[0] * 5), "6x3")
    assert stake_next(session) == 4


@pytest.mark.parametrize("game_id", PROGRESSIVE)
def test_the_doubling_of_the_tenth_hand_is_not_carried(game_id: str) -> None:
    session = made(hands(table(game_id, 5), 9), "8x3")
    assert stake_next(session) == 2


@pytest.mark.parametrize("game_id", PROGRESSIVE)
def test_stakes_carry_from_one_slip_to_the_next(game_id: str) -> None:
    session = made(hands(table(game_id, 5), 9), "10x6")
    assert result_of(session).next_stake == stake_next(session) == 6


def test_where_stakes_do_not_carry_across_slips_a_new_slip_starts_at_one() -> None:
    session = made(hands(table("salomon-1986", 5, carry_across_slips=False), 9), "10x6")
    assert (result_of(session).next_stake, stake_next(session)) == (6, 1)
    assert stake_next(made(session, "8x3")) == 2


def test_twenty_hands_are_two_slips() -> None:
    session, stakes = table("slips", 5), []
    for _ in range(20):
        stakes.append(stake_next(session))
        session = made(session, "8x3")
    assert stakes == [1, *[2] * 8, 4, *[2] * 9, 4]


def test_with_dollar_bills_no_hand_is_doubled_unless_the_option_is_on() -> None:
    assert stake_next(hands(table("dollar-bill", 2), 9)) == 1
    assert stake_next(hands(table("dollar-bill", 2, tenth_double=True), 9)) == 2
    assert stake_next(hands(table("slips", 3, tenth_double=False), 9)) == 1


def test_every_tenth_hand_ends_a_slip() -> None:
    assert [hand for hand in range(40) if is_doubled(hand, packed(DigitOptions(), seats=3))] == [9, 19, 29, 39]


# ------------------------------------------------------------------------------------------- agreement


@pytest.mark.parametrize("game_id", ["dollar-bill", *PROGRESSIVE])
def test_the_table_may_agree_on_a_stake_such_as_double_for_the_last_hand_of_the_night(game_id: str) -> None:
    session = hands(table(game_id, 5), 3, "8x3")
    last = play(session, holding(5, 8, 8, 8, 8, 8), "1x5 around", stake=2, opener=0)
    assert stake_of(last) == 2


def test_an_agreed_stake_is_the_whole_stake_of_a_tenth_hand() -> None:
    session = hands(table("salomon-1986", 5), 9, "8x3")
    assert stake_of(play(session, holding(5, *[8] * 5), "", stake=3)) == 3


@pytest.mark.parametrize("stake", [0, -1])
def test_a_stake_below_one_is_refused(stake: int) -> None:
    with pytest.raises(BadRound):
        play(table("slips", 2), holding(5, 1, 1), "", stake=stake)


# ----------------------------------------------------------------------------------------------- reasons


def test_the_reasons_of_a_stake_name_the_rules_that_made_it() -> None:
    session = made(hands(table("salomon-1986", 5), 8), "8x3")
    tenth = play(session, holding(3, *[8] * 5), "")
    assert tenth.round is not None
    assert [tuple(reason) for reason in tenth.round.terms.why] == [("carried", 2), ("tenth", 2)]


def test_the_reasons_of_a_payment_name_level_sixes_and_hero() -> None:
    session = final(table("salomon-1986", 5), holding(6, 0, 2, 2, 2, 2), "8x6")
    assert [tuple(reason) for reason in result_of(session).why] == [
        ("level", 2),
        ("sixes", 2),
        ("hero", 5),
        ("none-carries", 2),
    ]


@large
@given(played(hands=4))
def test_the_reasons_of_a_hand_multiply_to_its_stake_and_end_with_what_it_leaves(history: History) -> None:
    for hand, result in history.last.ledger.hands:
        product = 1
        for reason in hand.terms.why:
            product *= reason.amount
        assert product == hand.terms.stake
        if hand.rules.progressive:
            assert result.why[-1].rule in ("none-carries", "bid-carries", "bid-compounds")
        else:
            assert result.next_stake == 1
    for (_, before), (hand, _) in pairwise(history.last.ledger.hands):
        doubled = 2 if hand.rules.tenth_double and hand.terms.hand % 10 == 9 else 1
        assert hand.terms.stake == doubled * hand.terms.base == doubled * before.next_stake


@pytest.mark.parametrize("seats", range(2, 17))
def test_two_after_a_none_does_not_depend_on_the_number_of_players(seats: int) -> None:
    assert next_stake(7, own=0, base=9, rules=packed(DigitOptions(), seats)) == 2
