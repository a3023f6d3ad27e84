"""The ladder of declarations: each promises the weakest hand that fits it. Source 002; RULES B4."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.claims import OPEN_RANK, Spelling
from liarspoker.core.cards.deck import JOKER
from liarspoker.core.cards.hand_values import CATEGORIES, KEY_LENGTHS, KEYS, hand_value
from liarspoker.games.thorin.ladder import (
    ClaimsAbove,
    claim_of,
    floor_of,
    full_claim,
    is_claim,
    keeps_promise,
    next_value,
    spelling_of,
)
from liarspoker.games.thorin.notation import write_claim
from liarspoker.games.thorin.options import ThorinRules
from tests.rules.cards.matches import declared, thorin_rules
from tests.rules.cards.slow_hands import natural_hand_ranks

NATURAL = thorin_rules()
ALL_RULES = [
    thorin_rules(jokers=jokers, duplicate=duplicate, or_better=or_better)
    for jokers in (0, 1, 2)
    for duplicate in ("five_only", "any")
    for or_better in ("worst", "words")
]
any_rules = st.sampled_from(ALL_RULES)
values = st.integers(0, len(KEYS) - 1)


@st.composite
def spellings(draw: st.DrawFn) -> Spelling:
    """Spellings of hands with some open ranks, or with arbitrary ranks that may not fit any hand."""
    category, keys = KEYS[draw(values)]
    ranks = [rank if draw(st.booleans()) else OPEN_RANK for rank in keys]
    if draw(st.booleans()):
        ranks[draw(st.integers(0, len(ranks) - 1))] = draw(st.integers(0, 12))
    while ranks and ranks[-1] == OPEN_RANK:
        ranks.pop()
    return Spelling(CATEGORIES[category], tuple(ranks))


@given(spellings())
def test_a_claim_promises_the_weakest_hand_that_fits(spelling: Spelling) -> None:
    fitting = [
        (category, keys)
        for category, keys in natural_hand_ranks()
        if CATEGORIES[category] == spelling.word
        and all(rank in (OPEN_RANK, key) for rank, key in zip(spelling.ranks, keys, strict=False))
    ]
    claim = claim_of(spelling, NATURAL)
    if claim is None:
        assert not fitting
    else:
        assert KEYS[floor_of(claim)] == min(fitting)
        assert spelling_of(claim).word == spelling.word
        assert write_claim(claim) == write_claim(declared(write_claim(claim)))


@given(spellings(), any_rules)
def test_spellings_and_claims_convert_both_ways(spelling: Spelling, rules: ThorinRules) -> None:
    claim = claim_of(spelling, rules)
    if claim is not None:
        assert is_claim(claim, rules)
        again = spelling_of(claim)
        assert claim_of(again, rules) == claim
        assert [rank for rank in again.ranks if rank != OPEN_RANK] == [r for r in spelling.ranks if r != OPEN_RANK]


@given(st.integers(0, 32 * len(KEYS) + 100), any_rules)
def test_an_int_is_a_claim_only_if_its_words_promise_its_hand_rank(claim: int, rules: ThorinRules) -> None:
    spelt_again = claim_of(spelling_of(claim), rules) if claim >> 5 < len(KEYS) else None
    assert is_claim(claim, rules) == (spelt_again == claim)


@given(any_rules, st.integers(0, 11_000))
def test_the_ladder_lists_exactly_the_claims_that_promise_more(rules: ThorinRules, floor: int) -> None:
    above = ClaimsAbove(floor, rules)
    listed = above[:400]
    assert list(listed) == sorted(set(listed))
    assert all(is_claim(claim, rules) and floor_of(claim) > floor for claim in listed)
    every = [claim for claim in range(floor + 1 << 5, listed[-1] + 1) if is_claim(claim, rules)]
    assert list(listed) == every
    assert above[0] == listed[0]
    assert above[-1] == above[len(above) - 1] == above[:][-1]


def test_nothing_is_above_the_best_hand() -> None:
    for rules in ALL_RULES:
        best = declared("five A" if rules.jokers else "straight-flush A", rules)
        assert next_value(floor_of(best), rules) is None
        assert len(ClaimsAbove(floor_of(best), rules)) == 0
        with pytest.raises(IndexError):
            ClaimsAbove(floor_of(best), rules)[0]


@given(values, any_rules)
def test_the_next_value_is_the_lowest_higher_hand_rank(value: int, rules: ThorinRules) -> None:
    following = next_value(value, rules)
    over = [other for other in range(value + 1, len(KEYS)) if is_claim(full_claim(other), rules)]
    assert following == (over[0] if over else None)


@given(st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True), st.integers(0, 2), any_rules)
def test_every_hand_can_be_declared_truthfully(hand: list[int], jokers: int, rules: ThorinRules) -> None:
    held = [*hand[: 5 - min(jokers, rules.jokers)], *(JOKER,) * min(jokers, rules.jokers)]
    value = hand_value(held, bool(rules.double_any))
    assert is_claim(full_claim(value), rules)
    assert keeps_promise(value, full_claim(value), rules)


@given(any_rules, values, spellings())
def test_which_hands_make_a_declaration_true(rules: ThorinRules, held: int, claimed: Spelling) -> None:
    claim = claim_of(claimed, rules)
    if claim is None or not is_claim(full_claim(held), rules):
        return
    if not rules.by_words:
        assert keeps_promise(held, claim, rules) == (held >= floor_of(claim))
        return
    fits = [
        value
        for value, (category, keys) in enumerate(KEYS)
        if CATEGORIES[category] == claimed.word
        and all(rank in (OPEN_RANK, key) for rank, key in zip(claimed.ranks, keys, strict=False))
        and is_claim(full_claim(value), rules)
    ]
    assert keeps_promise(held, claim, rules) == (held in fits or held > max(fits))


def test_key_lengths_are_those_of_the_values() -> None:
    assert all(len(keys) == KEY_LENGTHS[category] for category, keys in KEYS)
