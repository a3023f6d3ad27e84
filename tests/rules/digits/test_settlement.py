"""Payoffs of a counted bid. Sources 000 ("Bonus Bids"), 001 (rules 2 and 4), 003 (steps 13 and 14)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.settlement import level_multiplier, none_multiplier
from tests.rules.digits.plays import GAME_IDS, WITH_REBIDS, chances, final, holding, outcome_of, play, result_of, table


def settled(
    game_id: str, bid: str, counts: tuple[int, ...], stake: int | None = None, **options: object
) -> tuple[str, int, int, int]:
    """Return the outcome, the multiplier paid, the bid's multiplier, and each opponent's payoff, for seat 0's bid."""
    session = final(table(game_id, len(counts), **options), holding(int(bid[-1]), *counts), bid, stake=stake)
    result = result_of(session)
    multiplier, base = result.settlement.multiplier, result.settlement.bid_multiplier
    assert result.payoffs == (-result.payoffs[1] * (len(counts) - 1), *[result.payoffs[1]] * (len(counts) - 1))
    return outcome_of(session), multiplier, base, result.payoffs[1]


# The documents' examples: game, bid, counts (the bidder's first), stake; then outcome, multiplier paid, the bid's own
# multiplier, and what each opponent wins.
EXAMPLES = [
    # Source 003, step 13: "five aces" is made if there are five or more.
    ("dollar-bill", "5x1", (2, 3, 0), 1, ("made", 1, 1, -1)),
    ("dollar-bill", "5x1", (2, 3, 4), 1, ("made", 1, 1, -1)),
    ("dollar-bill", "5x1", (2, 2, 0), 1, ("failed", 1, 1, 1)),
    # Source 003, rule 8.
    ("dollar-bill", "4x8", (2, 2), 1, ("made", 1, 1, -1)),
    ("dollar-bill", "4x8", (2, 1), 1, ("failed", 1, 1, 1)),
    # Dollar bills have neither hero nor none, and a fixed stake.
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
    *((game, "8x6", (2, 2, 2, 1, 1), 1, ("made", 4, 4, -4)) for game in WITH_REBIDS),
    # Source 000, the hero bump: the two of the sixes rule is bumped to three, not doubled to four.
    ("salomon-1986", "6x6", (0, 2, 2, 1, 1), 1, ("hero", 3, 2, -3)),
    ("salomon-1986", "6x6", (1, 2, 2, 1, 0), 1, ("made", 2, 2, -2)),
    *((game, "3x5", (0, 1, 1, 0), 1, ("failed", 1, 1, 1)) for game in WITH_REBIDS),
    # Source 000, the skunk rule, which doesn't apply to two; source 001, rule 4: the stake times max(0, 2n - 6).
    *(("salomon-1986", bid, (0,) * 5, 1, ("none", 4, base, -4)) for bid, base in (("6x3", 1), ("7x6", 2), ("8x2", 2))),
    *((game, "2x5", (0,) * 5, 3, ("none", 4, 1, -12)) for game in WITH_REBIDS),
    ("salomon-1986", "2x5", (0, 0), 1, ("failed", 1, 1, 1)),
    ("slips", "2x5", (0, 0), 1, ("none", 0, 1, 0)),
    # Source 000, progressive stakes.
    ("salomon-1986", "8x3", (2, 2, 2, 2, 0), 4, ("made", 2, 2, -8)),
    ("salomon-1986", "8x3", (2, 2, 2, 1, 0), 4, ("failed", 1, 2, 4)),
]


def test_payoffs_match_the_documents() -> None:
    found = [(*hand, settled(*hand)) for hand in (example[:4] for example in EXAMPLES)]
    assert found == EXAMPLES


@given(chances)
def test_payoffs_follow_from_level_digit_and_counts(chance: Random) -> None:
    """An independent implementation; a failed bid costs one stake, whatever it would have won."""
    game_id, seats, stake = chance.choice(GAME_IDS), chance.randint(2, 16), chance.choice((1, 2, 4, 12))
    level, digit = chance.randint(1, chance.choice((seats + 9, 8 * seats))), chance.choice((5, 6))
    most = chance.choice((0, 1, 2, 8))
    counts = (chance.choice((0, 0, 1, 8)), *(chance.randint(0, most) for _ in range(seats - 1)))
    bonus = game_id != "dollar-bill"
    base = (1 + len(range(seats + 3, level + 1, 2))) * (2 if digit == 6 else 1) if bonus else 1
    if bonus and sum(counts) == 0 and (seats > 2 or game_id == "slips"):
        outcome, multiplier = "none", max(0, 2 * seats - 6)
    elif sum(counts) < level:
        outcome, multiplier = "failed", 1
    else:
        hero = bonus and counts[0] == 0
        outcome, multiplier = ("hero", base + 1) if hero else ("made", base)
    won = stake * multiplier * (1 if outcome == "failed" else -1)
    assert settled(game_id, f"{level}x{digit}", counts, stake) == (outcome, multiplier, base, won)


def test_the_multiplier_grows_at_three_five_seven_and_nine_above_the_number_of_players() -> None:
    for seats in range(2, 17):
        paid = [level_multiplier(seats + above, seats) for above in range(2, 14)]
        assert paid == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7]
        assert {level_multiplier(level, seats) for level in range(1, seats + 3)} == {1}


def test_a_none_pays_nothing_with_two_or_three_players_and_the_bidder_still_opens() -> None:
    assert [none_multiplier(seats) for seats in range(2, 8)] == [0, 0, 2, 4, 6, 8]
    for game_id in WITH_REBIDS:
        session = play(table(game_id, 3), holding(5, 0, 0, 0), "1x4 4x5 around count")
        assert (outcome_of(session), session.score, session.next_opener) == ("none", (0, 0, 0), 1)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_digits_of_all_players_count_and_each_opponent_pays_or_wins_one_unit(game_id: str) -> None:
    session = final(table(game_id, 4), ("77000000", "07000700", "00000007", "0" * 8), "5x7")
    assert (result_of(session).counts, result_of(session).total) == ((2, 2, 1, 0), 5)
    assert session.score == (3, -1, -1, -1)
    assert final(table(game_id, 4), holding(7, 2, 2, 0, 0), "5x7").score == (-3, 1, 1, 1)


def test_a_disabled_rule_has_no_effect_on_payoffs() -> None:
    game = "salomon-1986"
    assert settled(game, "6x6", (0, 2, 2, 1, 1), hero=False) == ("made", 2, 2, -2)
    assert settled(game, "6x3", (0,) * 5, none_wins=False) == ("failed", 1, 1, 1)
    assert settled(game, "8x6", (8,) * 5, level_bonus=False, sixes=False) == ("made", 1, 1, -1)
    # Sixes double if they are among the digits in play.
    for symbols, digit, base in ((5, 5, 1), (6, 6, 2)):
        session = table(game, 2, symbols=symbols)
        assert result_of(final(session, (str(digit) * 8,) * 2, f"4x{digit}")).settlement.bid_multiplier == base


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
def test_the_multiplier_is_a_reason_if_it_affects_the_payoff_or_the_next_stake(
    counts: tuple[int, ...], options: dict[str, object], rules: list[str]
) -> None:
    session = final(table("salomon-1986", 4, **options), holding(6, *counts), "7x6")
    assert [reason.rule for reason in result_of(session).why] == rules


def test_the_default_options_are_those_of_1986() -> None:
    assert table("salomon-1986", 2).setup.options == DigitOptions()
