"""Duplicate deals and control variates: what cancels, what doesn't change, and what becomes narrower."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from statistics import mean
from typing import Any, cast

import pytest

from liarspoker.bots import duplicate
from liarspoker.bots.contest import Contest, play_hand, seated, table
from liarspoker.bots.duplicate import Estimate, Moments, check, expected_controls, parts_of, play_part
from liarspoker.core import catalogue
from liarspoker.core.errors import BadOption
from liarspoker.games.digits import controls
from liarspoker.games.digits.deal import DigitDeal, digits_in_play
from liarspoker.processes import in_order

TINY = (("hand_size", 2), ("symbols", 2))


class Scripted(Random):
    """Random numbers that are given in advance."""

    def __init__(self, numbers: Sequence[int]) -> None:
        super().__init__(0)
        self._left = list(numbers)

    def randrange(self, *limits: int) -> int:  # type: ignore[override]  # all that a deal draws
        return self._left.pop(0)


def rules_of(contest: Contest) -> Any:
    return table(contest).setup.rules


@pytest.mark.parametrize(
    ("game", "players", "changes"),
    [
        ("dollar-bill", 2, (("hand_size", 2), ("symbols", 3))),
        ("dollar-bill", 3, TINY),
        ("dollar-bill", 2, (("hand_size", 3), ("symbols", 3), ("order", "ace_high"))),
        ("salomon-1986", 2, (("hand_size", 2), ("symbols", 7))),
    ],
)
def test_expected_controls_are_the_exact_means_over_all_deals(
    game: str, players: int, changes: tuple[tuple[str, object], ...]
) -> None:
    rules = rules_of(Contest(game, ("uniform",) * players, 1, 1, changes))
    hands = ["".join(digits) for digits in product(digits_in_play(rules), repeat=rules.hand_size)]
    found = [controls.of_deal(DigitDeal(numbers), rules) for numbers in product(hands, repeat=players)]
    assert [Fraction(sum(column), len(found)) for column in zip(*found, strict=True)] == list(
        controls.expected(rules, players)
    )
    assert len(found[0]) == (8 if rules.sixes and "6" in digits_in_play(rules) else 5)


def block_of(contest: Contest, drawn: Sequence[int]) -> Moments:
    """Return the block of a deal that is drawn from these numbers, between bots that don't randomize."""
    start, bots = table(contest), seated(contest)
    won = [
        play_hand(start, tuple(bots[(seat - turn) % 2] for seat in range(2)), Scripted(drawn), Random(1))[0].score[turn]
        for turn in range(2)
    ]
    deal = start.chance_spec().draw(Scripted(drawn).randrange)
    values = (sum(won), *controls.of_deal(deal, start.setup.rules))
    products = tuple(tuple(one * other for other in values) for one in values)
    return Moments(1, 2, 0, sum(units**2 for units in won), values, products)


def test_controls_leave_the_expected_value_exactly_as_it_is() -> None:
    """Over all sequences of three deals, of which two are a first part and one a second, as if each were played."""
    contest = Contest("dollar-bill", ("binomial", "beginner"), 1, 1, TINY)
    expected = expected_controls(contest)
    blocks = [block_of(contest, drawn) for drawn in product(range(2), repeat=4)]
    assert len({block.sums[0] for block in blocks}) > 1
    adjusted, plain = [], []
    for first, second, third in product(blocks, repeat=3):
        estimate = Estimate(2, expected)
        for part in (first.plus(second), third):
            estimate.add(part)
        adjusted.append(estimate.mean)
        plain.append(sum(block.sums[0] for block in (first, second, third)) / 6)
    assert adjusted != plain
    assert mean(adjusted) == pytest.approx(mean(plain), abs=1e-12)
    assert mean(plain) == pytest.approx(mean(block.sums[0] for block in blocks) / 2, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "least"), [(2, 1.2), (3, 1.25)])
def test_controls_narrow_the_interval_and_agree_with_the_plain_mean(players: int, least: float) -> None:
    contest = Contest("salomon-1986", ("bluffer", *["binomial"] * (players - 1)), 3000 * players, seed=4)
    with_controls, plain = Estimate(players, expected_controls(contest)), Estimate(players)
    for part in range(parts_of(contest)):
        moments = play_part(contest, part)
        with_controls.add(moments)
        plain.add(moments._replace(sums=moments.sums[:1], products=((moments.products[0][0],),)))
    assert with_controls.variance is not None
    assert plain.variance is not None
    assert plain.half_width is not None
    assert abs(with_controls.mean - plain.mean) < plain.half_width
    assert with_controls.variance * least < plain.variance
    assert plain.gain == plain.duplicate_gain == with_controls.duplicate_gain
    assert cast(float, with_controls.gain) > least * cast(float, plain.gain)


def test_equal_bots_that_do_not_randomize_win_nothing_in_any_block() -> None:
    for measured in range(3):
        moments = play_part(Contest("slips", ("binomial",) * 3, 60, seed=3), 0, measured)
        assert moments.products[0][0] == 0
        assert moments.singles > 0


@pytest.mark.parametrize("game", ["salomon-1986", "queen-annes"])
def test_parts_depend_on_nothing_but_their_number(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicate, "BLOCKS", 10)
    monkeypatch.setattr(duplicate, "MATCH_BLOCKS", 2)
    contest = Contest(game, ("bluffer", "beginner", "beginner"), 50 if game == "salomon-1986" else 9, seed=3)
    parts = [play_part(contest, part) for part in range(parts_of(contest))]
    assert len(parts) == 2
    assert parts[::-1] == [play_part(contest, part) for part in (1, 0)]
    assert parts[0] != parts[1]
    assert [part.blocks for part in parts] == ([10, 7] if game == "salomon-1986" else [2, 1])


def test_two_processes_play_the_same_parts_as_one() -> None:
    contest = Contest("slips", ("beginner", "uniform"), 4 * duplicate.BLOCKS, seed=3)
    one, two = (list(in_order(_Part(contest), range(2), jobs)) for jobs in (1, 2))
    assert one == two


class _Part:
    """Plays a part; it can be sent to another process."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest

    def __call__(self, part: int) -> Moments:
        return play_part(self._contest, part)


def test_the_winnings_of_all_players_sum_to_zero_and_all_matches_have_a_winner() -> None:
    hands = Contest("salomon-1986", ("bluffer", "beginner", "uniform"), 30, seed=3)
    assert sum(play_part(hands, 0, player).sums[0] for player in range(3)) == 0
    matches = Contest("thorin", ("bluffer", "beginner", "uniform"), 12, seed=3)
    assert sum(play_part(matches, 0, player).sums[0] for player in range(3)) == 12
    assert expected_controls(matches) == ()


def test_sessions_and_slips_are_refused() -> None:
    for named in ({"sessions": True}, {"from_slips": True}):
        with pytest.raises(BadOption, match="single hands, dealt as bills"):
            check(Contest("slips", ("uniform", "uniform"), 10, 1, **cast(dict[str, Any], named)))


def test_every_family_with_controls_offers_what_contests_call() -> None:
    for name in {row.family for row in catalogue.games()}:
        found = catalogue.family(name).controls()
        assert (found is not None) == (name == "digits")
