"""Accounts, OpenSpiel's information states: equal exactly where a seat has seen the same, view after view."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.research.course import CHANCE, OVER, Course
from liarspoker.research.study import Study
from tests.effort import one_in
from tests.research.studies import studies

TWINS = 4
MOST = 300

Path = list[tuple[Course, int, Course]]
"""Where a game stood, what was decided there, and where it stood then; one after the other."""


def path(study: Study, chance: random.Random, like: list[int | None]) -> Path:
    """A game played as `like` has it, as far as that can be, and else by chance."""
    course = Course.begin(study)
    steps: Path = []
    for number in range(MOST):
        if course.player == OVER:
            break
        possible = [*(course.weights or course.legal.tolist())]
        wanted = like[number] if number < len(like) else None
        choice = chance.choice(possible) if wanted is None or wanted not in possible else wanted
        steps.append((course, choice, course := course.after(choice)))
    return steps


def almost_the_same(study: Study, seed: int) -> Iterator[Path]:
    """A game; others in which chance has once decided otherwise; and others with about one seat's deal another."""
    chance = random.Random(seed)
    first = path(study, chance, [])
    yield first
    played: list[int | None] = [choice for _, choice, _ in first]
    drawn = [number for number, (course, *_) in enumerate(first) if course.player == CHANCE]
    deal = next(number for number, (course, *_) in enumerate(first) if course.session.in_play)
    for _ in range(TWINS):
        number = chance.choice(drawn)
        other = chance.choice([*(first[number][0].weights or ())])
        yield path(study, chance, [*played[:number], other, *played[number + 1 :]])
        seat = chance.randrange(study.seats)
        start, end = (deal * after // study.seats for after in (seat, seat + 1))
        yield path(study, chance, [*played[:start], *[None] * (end - start), *played[end:]])


def seen_by(seat: int, steps: Path, numbers: dict[Any, int]) -> Iterator[tuple[str, Any]]:
    """A seat's account after every decision, and beside it what stands for all that it has seen until then.

    That is a number for the views in their order: `numbers` has one for each view and the number of those before it.
    """
    last, before = None, 0
    for course, choice, after in steps:
        if after.drawn:
            continue  # nobody sees half a deal
        for session in (_at_the_end(course, choice, after), after.session):
            view = session.view(seat)
            if view != last:
                last, before = view, numbers.setdefault((before, view), len(numbers) + 1)
        yield after.account(seat), (before, after.named, after.asked[:1])


def _at_the_end(course: Course, choice: int, after: Course) -> Any:
    """The session as the decision ends its round, where the next is dealt at once; else as it was."""
    session, family = course.session, course.study.family
    if not session.in_play or after.session.rounds_played == session.rounds_played:
        return session
    return family.applied(session, (), family.action(session, choice)) if course.player == session.to_act else session


def check_accounts(study: Study, seed: int) -> None:
    """Accounts are equal exactly where all that was seen is."""
    seen: list[dict[str, Any]] = [{} for _ in range(study.seats)]
    told: list[dict[Any, str]] = [{} for _ in range(study.seats)]
    numbers: list[dict[Any, int]] = [{} for _ in range(study.seats)]
    for steps in almost_the_same(study, seed):
        for seat in range(study.seats):
            for account, views in seen_by(seat, steps, numbers[seat]):
                assert seen[seat].setdefault(account, views) == views
                assert told[seat].setdefault(views, account) == account


@one_in(16)
@given(studies(), st.integers(0, 1 << 20))
def test_accounts_are_equal_where_all_that_was_seen_is(study: Study, seed: int) -> None:
    check_accounts(study, seed)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("reveal", ["full", "counts"])
def test_accounts_of_slips_are_equal_where_all_that_was_seen_is(rounds: int, reveal: str) -> None:
    study = Study.of("salomon-1986", 2, rounds=rounds, options={"reveal": reveal}, from_slips=True)
    for seed in range(3):
        check_accounts(study, seed)
