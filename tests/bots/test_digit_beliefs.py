"""What bids tell a bot that half believes them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.games.digits.beliefs import bids_of, expected_counts
from liarspoker.games.digits.bots import Bluffer, binomial
from liarspoker.games.digits.ladder import NO_CLAIM, claim_of
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.session import DigitSession
from tests.bots.tables import in_play, new_hand

SEEDS = st.integers(0, 2**32)
TRUSTS = st.floats(0, 1)


def exact_blind_chances() -> st.SearchStrategy[DigitOptions]:
    """Options under which a blind belief is a whole number of eighths of a digit."""
    return st.builds(DigitOptions, hand_size=st.sampled_from([5, 10]), rebid=st.booleans(), cap_level=st.booleans())


def dollar(players: int) -> Rules:
    return packed(presets()["dollar-bill"].options, players)


@given(session=in_play(), trust=TRUSTS)
def test_what_a_seat_is_believed_to_hold_is_a_whole_hand(session: DigitSession, trust: float) -> None:
    rules = session.setup.rules
    for bids in bids_of(session.view(None).moves, rules.seats):
        counts = expected_counts(bids, trust, rules)
        assert sum(counts) == pytest.approx(rules.hand_size)
        assert min(counts) >= 0


@given(session=in_play())
def test_without_trust_every_digit_is_as_likely_as_before(session: DigitSession) -> None:
    rules = session.setup.rules
    blind = [rules.hand_size / rules.symbols] * rules.symbols
    for bids in bids_of(session.view(None).moves, rules.seats):
        assert expected_counts(bids, 0.0, rules) == pytest.approx(blind)


def test_an_opening_of_three_nines_tells_of_nines_the_more_it_is_believed() -> None:
    rules = dollar(2)
    bid = (NO_CLAIM, claim_of(3, 9, rules))
    nines = [expected_counts((bid,), trust, rules)[9] for trust in (0.0, 0.3, 0.6, 0.9)]
    assert nines == sorted(set(nines))
    assert nines[0] == pytest.approx(0.8)
    assert nines[-1] > 1.5


def test_the_same_digit_bid_again_tells_more() -> None:
    rules = dollar(3)
    first = (claim_of(2, 3, rules), claim_of(3, 7, rules))
    again = (claim_of(3, 9, rules), claim_of(4, 7, rules))
    once, twice = (expected_counts(bids, 0.3, rules)[7] for bids in ((first,), (first, again)))
    assert twice > once > 0.8


@given(session=in_play(exact_blind_chances()), seed=SEEDS)
def test_a_bluffer_that_trusts_nobody_and_never_bluffs_is_the_calculator(session: DigitSession, seed: int) -> None:
    view = session.view(session.to_act)
    assert Bluffer(trust=0.0, bluffs=0.0)(view, Random(seed)) == binomial(view, Random(seed))


def test_a_bluffer_opens_at_times_with_a_digit_that_it_lacks_and_otherwise_with_what_it_holds() -> None:
    view = new_hand("dollar-bill", 2, 1).view(0)
    assert view.number is not None
    chance = Random(1)
    bluffs = {Bluffer(bluffs=1.0)(view, chance) for _ in range(200)}
    honest = {Bluffer(bluffs=0.0)(view, chance) for _ in range(200)}
    assert honest == {binomial(view, chance)}
    assert len(bluffs) > 1
    assert any(view.number.count(str(bid % 10)) < bid // 10 + 1 for bid in bluffs)


def test_a_rebid_is_never_a_bluff() -> None:
    session = new_hand("salomon-1986", 2, 3)
    session = session.apply(claim_of(2, 9, session.setup.rules)).apply(-1)
    view = session.view(0)
    assert session.phase == "decide"
    assert {Bluffer(bluffs=1.0)(view, Random(seed)) for seed in range(100)} == {Bluffer(bluffs=0.0)(view, Random(0))}
