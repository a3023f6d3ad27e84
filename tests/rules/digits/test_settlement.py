"""What a counted bid pays. Sources 000 ("Bonus Bids"), 001 (rules 2 and 4), 003 (steps 13 and 14)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.games.digits.settlement import level_multiplier, none_multiplier
from tests.rules.digits.plays import GAME_IDS, final, holding, outcome_of, play, result_of, stake_next, table
from tests.rules.digits.strategies import seats

WITH_BONUS = ["salomon-1986", "slips"]


def settled(game_id: str, bid: str, counts: tuple[int, ...], stake: int | None = None) -> tuple[str, int, int, int]:
    """Outcome, what was paid, what the bid was worth, and what each opponent won, of seat 0's bid."""
    session = final(table(game_id, len(counts)), holding(int(bid[-1]), *counts), bid, stake=stake)
    result = result_of(session)
    multiplier, worth = result.settlement.multiplier, result.settlement.bid_multiplier
    assert result.payoffs == (-result.payoffs[1] * (len(counts) - 1), *[result.payoffs[1]] * (len(counts) - 1))
    return outcome_of(session), multiplier, worth, result.payoffs[1]


# The documents' examples: game, bid, counts (the bidder's first), stake; then outcome, multiplier paid, the bid's own
# multiplier, and what each opponent wins.
EXAMPLES = [
    # Source 003, step 13: five aces are there if there are five or more.
    ("dollar-bill", "5x1", (2, 3, 0), 1, ("made", 1, 1, -1)),
    ("dollar-bill", "5x1", (2, 3, 4), 1, ("made", 1, 1, -1)),
    ("dollar-bill", "5x1", (2, 2, 0), 1, ("failed", 1, 1, 1)),
    # Source 003, rule 8.
    ("dollar-bill", "4x8", (2, 2), 1, ("made", 1, 1, -1)),
    ("dollar-bill", "4x8", (2, 1), 1, ("failed", 1, 1, 1)),
    # Dollar bills know neither hero nor none, and everybody plays for the stake agreed on.
    ("dollar-bill", "2x5", (0, 1, 1), 1, ("made", 1, 1, -1)),
    ("dollar-bill", "2x5", (0, 0, 0), 1, ("failed", 1, 1, 1)),
    ("dollar-bill", "2x5", (1, 1, 0), 20, ("made", 1, 1, -20)),
    ("dollar-bill", "2x5", (1, 0, 0), 5, ("failed", 1, 1, 5)),
    # Source 001, "Bid".
    ("slips", "4x6", (1, 1, 1, 1), 1, ("made", 2, 2, -2)),
    ("slips", "4x6", (1, 2, 1, 1), 1, ("made", 2, 2, -2)),
    ("slips", "4x6", (1, 1, 1, 0), 1, ("failed", 1, 2, 1)),
    # Source 000, the n+3 rule; source 001, rule 2a.
    ("salomon-1986", "7x4", (2, 2, 2, 1), 1, ("made", 2, 2, -2)),
    ("salomon-1986", "7x4", (2, 2, 2, 0), 1, ("failed", 1, 2, 1)),
    *(("slips", bid, (8,) * 5, 1, ("made", n, n, -n)) for bid, n in (("8x4", 2), ("10x4", 3), ("12x4", 4))),
    # Source 000, the sixes rule; source 001, rule 2b.
    ("salomon-1986", "7x6", (2, 2, 1, 1, 1), 1, ("made", 2, 2, -2)),
    ("salomon-1986", "7x6", (2, 2, 1, 1, 0), 1, ("failed", 1, 2, 1)),
    ("salomon-1986", "10x6", (2, 2, 2, 2, 2), 1, ("made", 6, 6, -6)),
    ("salomon-1986", "10x6", (2, 2, 2, 2, 1), 1, ("failed", 1, 6, 1)),
    *((game, "8x6", (2, 2, 2, 1, 1), 1, ("made", 4, 4, -4)) for game in WITH_BONUS),
    # Source 000, the hero bump: the two of the sixes rule is bumped to three, not doubled to four.
    ("salomon-1986", "6x6", (0, 2, 2, 1, 1), 1, ("hero", 3, 2, -3)),
    ("salomon-1986", "6x6", (1, 2, 2, 1, 0), 1, ("made", 2, 2, -2)),
    *((game, "3x5", (0, 1, 1, 0), 1, ("failed", 1, 1, 1)) for game in WITH_BONUS),
    # Source 000, the skunk rule, which doesn't apply to two; source 001, rule 4: the stake times max(0, 2n - 6).
    *(
        ("salomon-1986", bid, (0,) * 5, 1, ("none", 4, worth, -4))
        for bid, worth in (("6x3", 1), ("7x6", 2), ("8x2", 2))
    ),
    *((game, "2x5", (0,) * 5, 3, ("none", 4, 1, -12)) for game in WITH_BONUS),
    ("salomon-1986", "2x5", (0, 0), 1, ("failed", 1, 1, 1)),
    ("slips", "2x5", (0, 0), 1, ("none", 0, 1, 0)),
    # Source 000, progressive stakes.
    ("salomon-1986", "8x3", (2, 2, 2, 2, 0), 4, ("made", 2, 2, -8)),
    ("salomon-1986", "8x3", (2, 2, 2, 1, 0), 4, ("failed", 1, 2, 4)),
]


@pytest.mark.parametrize(("game_id", "bid", "counts", "stake", "expected"), EXAMPLES)
def test_a_bid_pays_what_the_documents_say(
    game_id: str, bid: str, counts: tuple[int, ...], stake: int, expected: tuple[str, int, int, int]
) -> None:
    assert settled(game_id, bid, counts, stake) == expected


# ------------------------------------------------------------------------------------------ basic game


def test_a_none_pays_nothing_to_two_or_three() -> None:
    assert [none_multiplier(seats) for seats in range(2, 8)] == [0, 0, 2, 4, 6, 8]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_made_bid_wins_one_unit_from_each_other_player(game_id: str) -> None:
    session = final(table(game_id, 4), holding(7, 2, 2, 1, 0), "5x7")
    assert session.score == (3, -1, -1, -1)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_bid_not_made_loses_one_unit_to_each_other_player(game_id: str) -> None:
    session = final(table(game_id, 4), holding(7, 2, 2, 0, 0), "5x7")
    assert session.score == (-3, 1, 1, 1)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_digits_of_all_players_count_the_bidders_own_too(game_id: str) -> None:
    result = result_of(final(table(game_id, 3), ("77000000", "07000700", "00000007"), "5x7"))
    assert (result.counts, result.total) == ((2, 2, 1), 5)


@pytest.mark.parametrize("bid", ["1x6", "9x6", "10x6", "24x6", "24x3"])
def test_dollar_bills_always_pay_one_stake(bid: str) -> None:
    assert settled("dollar-bill", bid, (8, 8, 8)) == ("made", 1, 1, -1)
    assert settled("dollar-bill", bid, (0, 0, 0)) == ("failed", 1, 1, 1)
    assert stake_next(final(table("dollar-bill", 3), holding(6, 8, 8, 8), "24x6")) == 1


# ------------------------------------------------------------------------------------------- the levels


@pytest.mark.parametrize("seats", range(2, 17))
def test_a_bid_pays_one_more_from_three_five_seven_and_nine_above_the_number_of_players(seats: int) -> None:
    table = [level_multiplier(seats + above, seats) for above in range(2, 14)]
    assert table == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7]
    assert {level_multiplier(level, seats) for level in range(1, seats + 3)} == {1}


@given(seats(), st.integers(1, 200))
def test_the_multiplier_of_a_level_is_told_by_counting_steps(seats: int, level: int) -> None:
    assert level_multiplier(level, seats) == 1 + len(range(seats + 3, level + 1, 2))


@pytest.mark.parametrize("game_id", WITH_BONUS)
@pytest.mark.parametrize(("above", "multiplier"), [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4), (9, 5)])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_high_bid_wins_its_multiplier_and_risks_one_stake(
    game_id: str, above: int, multiplier: int, seats: int
) -> None:
    bid = f"{seats + above}x4"
    assert settled(game_id, bid, (8,) * seats) == ("made", multiplier, multiplier, -multiplier)
    assert settled(game_id, bid, (1,) + (0,) * (seats - 1)) == ("failed", 1, multiplier, 1)


# -------------------------------------------------------------------------------------------- the sixes


@pytest.mark.parametrize("game_id", WITH_BONUS)
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("above", [1, 2, 3, 5, 7])
def test_sixes_pay_twice_what_the_bid_would_otherwise_get(game_id: str, seats: int, above: int) -> None:
    level = seats + above
    fives, sixes = (settled(game_id, f"{level}x{digit}", (8,) * seats) for digit in (5, 6))
    assert sixes[1] == 2 * fives[1]
    assert settled(game_id, f"{level}x6", (1,) + (0,) * (seats - 1))[3] == 1


def test_where_six_is_not_in_play_nothing_is_doubled() -> None:
    session = table("salomon-1986", 2, symbols=5, hand_size=8)
    session = play(session, ("55555555", "55555555"), "4x5 around count")
    assert result_of(session).settlement.bid_multiplier == 1


def test_where_six_is_among_fewer_digits_it_is_doubled_all_the_same() -> None:
    session = table("salomon-1986", 2, symbols=6, hand_size=8)
    session = play(session, ("66666666", "66666666"), "4x6 around count")
    assert result_of(session).settlement.bid_multiplier == 2


# --------------------------------------------------------------------------------------------- the hero


@pytest.mark.parametrize("game_id", WITH_BONUS)
@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("bid_above", [-1, 2, 3, 5])
@pytest.mark.parametrize("digit", [5, 6])
def test_a_hero_wins_one_more_than_the_bid_would_otherwise(
    game_id: str, seats: int, bid_above: int, digit: int
) -> None:
    bid = f"{seats + bid_above}x{digit}"
    made = settled(game_id, bid, (1,) + (8,) * (seats - 1))
    hero = settled(game_id, bid, (0,) + (8,) * (seats - 1))
    assert hero == ("hero", made[1] + 1, made[2], made[3] - 1)


def test_without_the_hero_option_a_bid_made_with_none_pays_what_it_is_worth() -> None:
    session = final(table("salomon-1986", 5, hero=False), holding(6, 0, 2, 2, 1, 1), "6x6")
    assert (outcome_of(session), result_of(session).settlement.multiplier) == ("made", 2)


# --------------------------------------------------------------------------------------------- the none


@pytest.mark.parametrize("game_id", WITH_BONUS)
@pytest.mark.parametrize("seats", range(3, 17))
@pytest.mark.parametrize("bid", ["1x5", "1x6", "12x6", "24x4"])
def test_a_none_pays_twice_the_players_less_six(game_id: str, seats: int, bid: str) -> None:
    outcome, multiplier, _, won = settled(game_id, bid, (0,) * seats)
    assert (outcome, multiplier, won) == ("none", 2 * seats - 6, 6 - 2 * seats)


@pytest.mark.parametrize("game_id", WITH_BONUS)
def test_a_none_among_three_is_a_push_and_the_bidder_still_opens_the_next_hand(game_id: str) -> None:
    session = play(table(game_id, 3), holding(5, 0, 0, 0), "1x4 4x5 around count")
    assert outcome_of(session) == "none"
    assert session.score == (0, 0, 0)
    assert session.next_opener == 1


@pytest.mark.parametrize("game_id", WITH_BONUS)
def test_one_of_the_digit_in_any_hand_is_no_none(game_id: str) -> None:
    for holder in range(4):
        counts = tuple(int(seat == holder) for seat in range(4))
        assert settled(game_id, "2x5", counts)[0] == "failed"


def test_without_the_none_option_nothing_of_a_digit_is_a_failure() -> None:
    session = final(table("salomon-1986", 5, none_wins=False), holding(3, 0, 0, 0, 0, 0), "6x3")
    assert outcome_of(session) == "failed"
    assert session.score == (-4, 1, 1, 1, 1)


# ----------------------------------------------------------------------------------------------- stakes


@pytest.mark.parametrize("game_id", WITH_BONUS)
@pytest.mark.parametrize("stake", [1, 2, 4, 12])
def test_a_lost_bid_costs_the_stake_whatever_it_would_have_won(game_id: str, stake: int) -> None:
    assert settled(game_id, "12x6", (1, 0, 0, 0, 0), stake)[3] == stake


# --------------------------------------------------------------------------------------------- reasons


@pytest.mark.parametrize(
    ("counts", "options", "rules"),
    [
        ((3, 2, 1, 1), {"progressive": False}, ["level", "sixes", "made"]),
        ((0, 3, 2, 2), {"progressive": False}, ["level", "sixes", "hero"]),
        ((3, 0, 0, 0), {"progressive": False}, ["failed"]),
        ((3, 0, 0, 0), {}, ["level", "sixes", "failed", "bid-carries"]),
        ((0, 3, 0, 0), {}, ["failed", "none-carries"]),
        ((0, 0, 0, 0), {}, ["none", "none-carries"]),
        ((0, 0, 0, 0), {"none_carry": "bid"}, ["level", "sixes", "none", "bid-carries"]),
    ],
)
def test_what_a_bid_was_worth_is_a_reason_where_it_bears_on_the_payment_or_the_next_stake(
    counts: tuple[int, ...], options: dict[str, object], rules: list[str]
) -> None:
    session = final(table("salomon-1986", 4, **options), holding(6, *counts), "7x6")
    assert [reason.rule for reason in result_of(session).why] == rules
