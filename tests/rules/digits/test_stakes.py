"""Stakes that carry over between hands. Sources 000 ("Progressive Stakes", "SLIPS") and 001 (rule 3, "Tenth Hand")."""

from __future__ import annotations

import pytest

from liarspoker.core.errors import BadRound
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.games.digits.session import MAX_STAKE, DigitSession
from liarspoker.games.digits.settlement import is_doubled, next_stake
from tests.rules.digits.plays import (
    GAME_IDS,
    WITH_REBIDS,
    final,
    holding,
    outcome_of,
    play,
    result_of,
    round_of,
    stake_next,
    table,
)

each_progressive = pytest.mark.parametrize("game_id", WITH_REBIDS)


def made(session: DigitSession, bid: str) -> DigitSession:
    """Return the session after one more hand, in which everybody holds eight of the digit bid."""
    return final(session, holding(int(bid[-1]), *[8] * session.seats), bid)


def hands(session: DigitSession, count: int, bid: str = "1x5") -> DigitSession:
    for _ in range(count):
        session = made(session, bid)
    return session


def left_by(bid: str, counts: tuple[int, ...], game_id: str = "salomon-1986", /, **options: object) -> int:
    """Return the stake after the first hand of a session."""
    return stake_next(final(table(game_id, len(counts), **options), holding(int(bid[-1]), *counts), bid))


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_first_stake_is_one_unit_unless_the_table_agrees_on_another(game_id: str) -> None:
    """An agreed stake, such as double for the last hand of the night, is never doubled again."""
    assert stake_next(table(game_id, 4)) == 1
    for before, stake in ((3, 2), (9, 3)):
        session = play(hands(table(game_id, 5), before, "8x3"), holding(5, *[8] * 5), stake=stake)
        assert round_of(session).terms.stake == stake
    for stake in (0, -1):
        with pytest.raises(BadRound):
            play(table(game_id, 2), holding(5, 1, 1), stake=stake)


def test_the_stakes_in_the_example_of_1986() -> None:
    """Source 000, "Progressive Stakes": five players; 8 sixes, 8 threes, 6 twos, one after the other."""
    for last_holds in (1, 0):
        first = final(table("salomon-1986", 5), holding(6, 2, 2, 2, 1, last_holds), "8x6")
        assert result_of(first).settlement.bid_multiplier == stake_next(first) == 4
        won = final(first, holding(3, 2, 2, 2, 1, 1), "8x3")
        lost = final(first, holding(3, 2, 2, 2, 1, 0), "8x3")
        assert result_of(won).payoffs == (32, -8, -8, -8, -8)
        assert result_of(lost).payoffs == (-16, 4, 4, 4, 4)
        for second in (won, lost):
            assert stake_next(second) == 2
            assert stake_next(final(second, holding(2, 2, 2, 2, 0, 0), "6x2")) == 1


@each_progressive
def test_the_multiplier_of_the_last_bid_is_carried_whether_or_not_it_is_made(game_id: str) -> None:
    carried = {"5x3": 1, "7x3": 1, "8x3": 2, "10x3": 3, "12x3": 4, "1x6": 2, "8x6": 4, "10x6": 6}
    for counts in ((8, 8, 8, 8, 8), (1, 0, 0, 0, 0)):
        assert {bid: left_by(bid, counts, game_id) for bid in carried} == carried
    # The stake of the hand itself is not carried.
    for base in (1, 2, 4, 100):
        assert stake_next(final(table(game_id, 5), holding(3, *[8] * 5), "8x3", stake=base)) == 2
    # Source 001, rule 3: a level five above the number of players has multiplier three, or six with sixes.
    session = made(table(game_id, 5), "10x3")
    assert [result_of(made(session, bid)).payoffs[1] for bid in ("8x3", "8x6")] == [-6, -12]


@each_progressive
def test_after_a_bidder_who_held_none_the_next_stake_is_two(game_id: str) -> None:
    """This holds for a skunk, a hero and a failed bid, and for any number of players."""
    for bid in ("1x3", "5x3", "10x6", "12x6"):
        assert {left_by(bid, (0, *[others] * 4), game_id) for others in (0, 1, 8)} == {2}
    assert left_by("1x3", (0, 0), game_id) == left_by("9x6", (0, 3), game_id) == 2
    assert {next_stake(7, own=0, base=9, rules=packed(DigitOptions(), seats)) for seats in range(2, 17)} == {2}


def test_the_payoff_of_a_hero_or_a_skunk_is_never_carried() -> None:
    hero = final(table("salomon-1986", 5), holding(6, 0, 2, 2, 1, 1), "6x6")
    assert (outcome_of(hero), result_of(hero).settlement.multiplier, stake_next(hero)) == ("hero", 3, 2)
    skunk = final(table("salomon-1986", 8), holding(3, *[0] * 8), "6x3")
    assert (outcome_of(skunk), result_of(skunk).settlement.multiplier, stake_next(skunk)) == ("none", 10, 2)
    assert left_by("6x3", (0, 2, 2, 1, 1), none_carry="bid") == 1
    assert left_by("5x3", (0, 2, 2, 2, 2), hero=False) == 2


@pytest.mark.parametrize("options", [{"none_carry": "bid"}, {"none_wins": False}])
def test_without_the_none_exception_the_bids_multiplier_is_carried(options: dict[str, object]) -> None:
    assert [left_by(bid, (0,) * 5, **options) for bid in ("5x3", "10x6")] == [1, 6]


def test_without_progressive_stakes_every_hand_has_stake_one() -> None:
    assert left_by("12x6", (8, 8, 8), "dollar-bill") == left_by("12x6", (8, 8, 8), progressive=False) == 1
    assert left_by("5x3", (0,) * 5, progressive=False) == 1


def test_compounding_multiplies_the_bid_by_the_stake_before_any_doubling() -> None:
    empty = table("salomon-1986", 5, compound_carry=True)
    session, stakes = empty, []
    for bid in ["8x6", "8x3", "6x2", "10x3"]:
        session = made(session, bid)
        stakes.append(stake_next(session))
    assert stakes == [4, 8, 8, 24]
    assert stake_next(final(session, holding(3, 0, 2, 2, 2, 2), "5x3")) == 2
    tenth = made(made(hands(empty, 8), "10x3"), "8x3")
    assert result_of(tenth).stake == stake_next(tenth) == 6
    assert stake_next(final(empty, holding(3, *[8] * 5), "8x3", stake=5)) == 10


def test_stakes_beyond_the_maximum_are_rejected() -> None:
    session = final(table("salomon-1986", 2, compound_carry=True), holding(3, 8, 8), "5x3", stake=MAX_STAKE)
    with pytest.raises(BadRound, match="too large"):
        stake_next(session)
    assert round_of(play(session, holding(3, 8, 8), stake=7)).terms.stake == 7


# ---------------------------------------------------------------------------------------- the tenth hand


@each_progressive
def test_the_tenth_hand_has_double_stake(game_id: str) -> None:
    eight = hands(table(game_id, 5), 8)
    for ninth, tenth in {"1x5": 2, "8x5": 4, "10x6": 12}.items():
        session = made(eight, ninth)
        assert stake_next(session) == tenth
        won, lost = (final(session, holding(3, 2, 2, 2, 1, last), "8x3") for last in (1, 0))
        assert [result_of(won).payoffs[1], result_of(lost).payoffs[1]] == [-2 * tenth, tenth]
    assert stake_next(final(eight, holding(3, *[0] * 5), "6x3")) == 4


@each_progressive
def test_the_doubling_is_not_carried_but_stakes_carry_across_slips(game_id: str) -> None:
    nine = hands(table(game_id, 5), 9)
    assert [stake_next(made(nine, bid)) for bid in ("8x3", "10x6")] == [2, 6]
    session, stakes = table(game_id, 5), []
    for _ in range(20):
        stakes.append(stake_next(session))
        session = made(session, "8x3")
    assert stakes == [1, *[2] * 8, 4, *[2] * 9, 4]


def test_without_carry_across_slips_a_new_slip_starts_at_stake_one() -> None:
    session = made(hands(table("salomon-1986", 5, carry_across_slips=False), 9), "10x6")
    assert (result_of(session).next_stake, stake_next(session)) == (6, 1)
    assert stake_next(made(session, "8x3")) == 2


def test_the_doubling_of_the_tenth_hand_is_optional() -> None:
    assert stake_next(hands(table("dollar-bill", 2), 9)) == 1
    assert stake_next(hands(table("dollar-bill", 2, tenth_double=True), 9)) == 2
    assert stake_next(hands(table("slips", 3, tenth_double=False), 9)) == 1
    assert [hand for hand in range(40) if is_doubled(hand, packed(DigitOptions(), seats=3))] == [9, 19, 29, 39]


def test_reasons_name_the_rules_behind_stakes_and_payoffs() -> None:
    tenth = play(made(hands(table("salomon-1986", 5), 8), "8x3"), holding(3, *[8] * 5))
    assert [tuple(reason) for reason in round_of(tenth).terms.why] == [("carried", 2), ("tenth", 2)]
    hero = final(table("salomon-1986", 5), holding(6, 0, 2, 2, 2, 2), "8x6")
    why = [("level", 2), ("sixes", 2), ("hero", 5), ("none-carries", 2)]
    assert [tuple(reason) for reason in result_of(hero).why] == why
