"""Whole matches: repeated by their seed, whatever the batches and threads; what cannot be played is told."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields

import numpy as np
import pytest

from liarspoker.core.cards.deck import mask_of, read_joined_cards
from liarspoker.engine.errors import CannotPlay, IllegalActions
from liarspoker.engine.passed.play import Matches, play
from liarspoker.engine.passed.policies import uniform
from liarspoker.engine.passed.seen import Seen
from liarspoker.engine.passed.table import Table
from liarspoker.games.thorin.actions import CHALLENGE, TAKE, cards_of
from liarspoker.games.thorin.course import DECLARE, DISCARDING, RESPOND, Course
from liarspoker.games.thorin.ladder import full_claim, ladder_of
from tests.engine.passed.puppets import CHEAT, LONG, UNIFORM, playing

TABLE = Table.of("thorin", seats=3, options={"jokers": 2, "passes": 1, "take_top": True})


def same(one: Matches, other: Matches) -> bool:
    return all(np.array_equal(getattr(one, each.name), getattr(other, each.name)) for each in fields(Matches))


def part(of: Matches, start: int, stop: int) -> Matches:
    return Matches(*(getattr(of, each.name)[start:stop] for each in fields(Matches)))


def test_a_match_follows_from_seed_and_number_alone() -> None:
    policies = [playing(LONG), playing(UNIFORM)]
    all_at_once = play(TABLE, 60, 7, policies, rotate=True, keep_cards=9, keep_moves=9)
    assert same(all_at_once, play(TABLE, 60, 7, policies, rotate=True, keep_cards=9, keep_moves=9, threads=3))
    later = play(TABLE, 20, 7, policies, rotate=True, keep_cards=9, keep_moves=9, first=40)
    assert same(part(all_at_once, 40, 60), later)
    assert not same(all_at_once, play(TABLE, 60, 8, policies, rotate=True, keep_cards=9, keep_moves=9))


def test_a_few_rounds_are_the_beginning_of_a_match() -> None:
    whole = play(TABLE, 30, 1, [playing(LONG), playing(UNIFORM)], opener=2)
    begun = play(TABLE, 30, 1, [playing(LONG), playing(UNIFORM)], opener=2, rounds=1)
    for name in ("openers", "claims", "claimants", "challengers", "losers", "values", "decisions", "drawn"):
        assert np.array_equal(getattr(whole, name)[:, :1], getattr(begun, name)), name
    assert (begun.winners == -1).all()
    assert (begun.openers == 2).all()
    assert (whole.lengths <= TABLE.most_rounds).all()


def test_a_passed_hand_is_thrown_in_and_costs_nobody_the_match() -> None:
    played = play(TABLE, 2_000, 3, [playing(LONG), playing(LONG)])
    real = np.arange(TABLE.most_rounds) < played.lengths[:, None]
    assert ((played.losers < 0) & real).sum() > 10
    assert (played.winners >= 0).all()
    assert played.spent.max() == 1
    assert ((played.losers >= 0) & real).sum() == 2 * 2_000


def asked(course: Course, hand: str, draws: int) -> Counter[int]:
    """What the uniform player answers, out of so many times."""
    nobody = np.zeros((1, 2), np.int64)
    cards = mask_of(read_joined_cards(hand))
    seen = Seen(TABLE.rules, TABLE.ladder, TABLE.worths, 7, course, cards, 0, 40, 0, 0, nobody)
    chance = np.array([5], np.uint64)
    with np.errstate(over="ignore"):
        return Counter(int(uniform(seen, chance, ())) for _ in range(draws))


def test_uniform_takes_every_legal_action_alike() -> None:
    top = full_claim(ladder_of(TABLE.rules).claims[-1] >> 5)
    answers = asked(Course(top, 0, 0, -1, 1, RESPOND, 0), "", 900)
    assert set(answers) == {TAKE, CHALLENGE, -3}
    assert min(answers.values()) > 240
    assert set(asked(Course(top, 0, 0, -1, 1, RESPOND, 1 << 4), "", 100)) == {TAKE, CHALLENGE}
    thrown = asked(Course(top, 0, 1, -1, 1, DISCARDING, 0), "2c3dJkJk9h", 2_400)
    assert len({cards_of(action) for action in thrown}) == 24
    assert min(thrown.values()) > 60
    below = ladder_of(TABLE.rules).claims[-4]
    assert set(asked(Course(below, 0, 1, -1, 1, DECLARE, 0), "2c3dJkJk9h", 100)) <= set(TABLE.ladder.claims[-3:])


def test_an_action_that_the_rules_refuse_ends_the_run_by_name() -> None:
    with pytest.raises(IllegalActions, match="wrong-phase"):
        play(TABLE, 20, 1, [playing(CHEAT), playing(CHEAT)])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"matches": 0}, "matches: 0"),
        ({"rounds": 0}, "rounds: 0"),
        ({"threads": 0}, "threads: 0"),
        ({"first": -1}, "first: -1"),
        ({"opener": 3}, "opener: 3 is none of 0 to 2"),
        ({"keep_cards": -1}, "keep_cards: -1"),
        ({"policies": ["binomial"]}, "there is no policy 'binomial'; there are uniform"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_arguments_out_of_range_are_refused(wrong: dict[str, object], said: str) -> None:
    given: dict[str, object] = {"matches": 5, "seed": 1, **wrong}
    with pytest.raises(CannotPlay, match=said):
        play(TABLE, **given)  # type: ignore[arg-type]


def test_what_is_no_table_of_thorins_is_refused() -> None:
    with pytest.raises(CannotPlay, match="queen-annes is no game in which one hand goes around"):
        Table.of("queen-annes", seats=2)
