"""Whole matches: repeated by their seed, whatever the batches and threads; totals; what cannot be played is told."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from liarspoker.engine.errors import CannotPlay, IllegalActions
from liarspoker.engine.pooled.play import Matches, play
from liarspoker.engine.pooled.table import Table
from liarspoker.engine.wins import CHUNK, totals
from tests.engine.pooled.puppets import CHEAT, HASTY, UNIFORM, playing

ANYONE: dict[str, object] = {"who_may_challenge": "anyone", "jokers": 2, "wild_ranks": "29"}
STUD = Table.of("queen-annes-stud", seats=3, options=ANYONE)


def same(one: Matches, other: Matches) -> bool:
    return all(np.array_equal(getattr(one, each.name), getattr(other, each.name)) for each in fields(Matches))


def part(of: Matches, start: int, stop: int) -> Matches:
    return Matches(*(getattr(of, each.name)[start:stop] for each in fields(Matches)))


def test_a_match_follows_from_seed_and_number_alone() -> None:
    policies = [playing(HASTY), playing(UNIFORM)]
    all_at_once = play(STUD, 60, 7, policies, rotate=True, keep_deals=True, keep_moves=9)
    assert same(all_at_once, play(STUD, 60, 7, policies, rotate=True, keep_deals=True, keep_moves=9, threads=3))
    later = play(STUD, 20, 7, policies, rotate=True, keep_deals=True, keep_moves=9, first=40)
    assert same(part(all_at_once, 40, 60), later)
    assert not same(all_at_once, play(STUD, 60, 8, policies, rotate=True, keep_deals=True, keep_moves=9))


def test_a_few_rounds_are_the_beginning_of_a_match() -> None:
    whole = play(STUD, 30, 1, [playing(HASTY), playing(UNIFORM)])
    begun = play(STUD, 30, 1, [playing(HASTY), playing(UNIFORM)], rounds=4)
    for name in ("openers", "claims", "claimants", "challengers", "losers", "missing", "decisions", "dealt"):
        assert np.array_equal(getattr(whole, name)[:, :4], getattr(begun, name)), name
    assert (begun.winners == -1).all()
    assert (whole.lengths <= STUD.most_rounds).all()
    assert (whole.losses.sum(axis=1) == whole.lengths).all()


def test_other_policies_meet_the_same_first_deals() -> None:
    one, other = (
        play(STUD, 30, 1, [playing(way), playing(way)], rounds=1, keep_deals=True).decks for way in (HASTY, UNIFORM)
    )
    assert np.array_equal(one[:, :, :7], other[:, :, :7])


def test_the_opener_can_be_named() -> None:
    table = Table.of("queen-annes", seats=4, losses=(5, 0, 5, 2))
    assert (play(table, 20, 1, rounds=1).openers == 1).all()
    assert (play(table, 20, 1, rounds=1, opener=3).openers == 3).all()
    with pytest.raises(CannotPlay, match="opener: 0 is no living seat; they are 1, 3"):
        play(table, 20, 1, opener=0)


def test_everybody_alike_wins_as_often_and_totals_are_those_of_the_matches() -> None:
    table, count = Table.of("queen-annes-indian", seats=3), CHUNK + 3
    parts = list(totals(play, table, count, 5, ["uniform"]))
    assert [each.matches for each in parts] == [CHUNK, 3]
    assert parts == list(totals(play, table, count, 5, ["uniform"], threads=2))
    played = play(table, count, 5, rotate=True)
    winners = (played.winners - np.arange(count)) % 3
    assert np.bincount(winners).tolist() == np.sum([each.wins for each in parts], axis=0).tolist()
    assert sum(each.rounds for each in parts) == played.lengths.sum()
    assert sum(each.decisions for each in parts) == played.decisions.sum()
    assert np.bincount(winners).min() > count / 3 - 4 * (count * 2 / 9) ** 0.5


def test_an_action_that_the_rules_refuse_ends_the_run_by_name() -> None:
    with pytest.raises(IllegalActions, match="not-stronger"):
        play(STUD, 5, 1, [playing(CHEAT), playing(CHEAT)])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"matches": 0}, "matches: 0"),
        ({"rounds": 0}, "rounds: 0"),
        ({"threads": 0}, "threads: 0"),
        ({"first": -1}, "first: -1"),
        ({"keep_moves": -1}, "keep_moves: -1"),
        ({"policies": []}, "policies: 0 for 3 seats"),
        ({"policies": ["uniform"] * 4}, "policies: 4 for 3 seats"),
        ({"policies": ["binomial"]}, "there is no policy 'binomial'; there are uniform"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_arguments_out_of_range_are_refused(wrong: dict[str, object], said: str) -> None:
    given: dict[str, object] = {"matches": 5, "seed": 1, **wrong}
    with pytest.raises(CannotPlay, match=said):
        play(STUD, **given)  # type: ignore[arg-type]


def test_what_is_no_table_of_queen_annes_is_refused() -> None:
    with pytest.raises(CannotPlay, match="slips is none of Queen Anne's games"):
        Table.of("slips", seats=2)
    with pytest.raises(CannotPlay, match="losses: seat 1 has won before the first round"):
        Table.of("queen-annes", seats=2, losses=(5, 0))
