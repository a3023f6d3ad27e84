"""The stock of Thorin's game, and what a record does not tell of it. Source 002 (discards); RULES B1; the notation."""

from __future__ import annotations

from contextlib import nullcontext
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import full_deck
from liarspoker.core.errors import BadDeal
from liarspoker.games.thorin.actions import TAKE, cards_of, discard_of
from liarspoker.games.thorin.deal import (
    HAND_CARDS,
    Piles,
    ThorinDeal,
    after_drawing,
    after_exchange,
    stock_left,
    whole_deck,
)
from liarspoker.games.thorin.session import ThorinSession
from tests.inside import inside
from tests.rules.cards.matches import all_cards, cards, chances, code_of, hand_on, pass_on, passed_result, thorin

exchanges = st.lists(st.integers(0, HAND_CARDS), min_size=15, max_size=60)
DECK = "".join(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


def piles_after(counts: list[int], jokers: int) -> Piles:
    """The piles of a round in which so many cards were exchanged, one time after the other."""
    piles = after_drawing(HAND_CARDS, whole_deck(52 + jokers))
    for count in counts:
        piles = after_exchange(count, piles)
    return piles


@given(exchanges, st.integers(0, 2), st.integers(0, HAND_CARDS), st.integers(0, HAND_CARDS))
def test_the_hand_the_stock_and_the_discards_are_always_the_whole_deck(
    counts: list[int], jokers: int, count: int, more: int
) -> None:
    piles = piles_after(counts, jokers)
    assert HAND_CARDS + stock_left(piles) + piles.discards == 52 + jokers
    assert piles.drawn == HAND_CARDS + sum(counts)
    assert after_drawing(more, after_drawing(count, piles)) == after_drawing(count + more, piles)
    # The discards are shuffled in when no card is left to draw, and never those just thrown.
    enough = count <= stock_left(piles)
    expected = (piles.end, piles.discards + count) if enough else (piles.end + piles.discards, count)
    later = after_exchange(count, piles)
    assert (later.end, later.discards) == expected


def onward(session: ThorinSession) -> ThorinSession:
    """The least declaration, and the next player takes the hand."""
    least = session.legal().min_claim
    assert least is not None
    return session.apply(least).apply(TAKE)


def thrown_all(session: ThorinSession) -> ThorinSession:
    """The active player throws the whole hand."""
    return session.apply(discard_of(inside(session).round.hand))


def run_down(session: ThorinSession, times: int = 9) -> ThorinSession:
    """Everybody takes, throws all and declares the next best; the last has only taken. Nine times need a deck."""
    for _ in range(times):
        session = thrown_all(onward(session))
    return onward(session)


@given(st.sampled_from([0, 1, 2]), chances)
def test_a_long_round_shuffles_the_discards_in_and_loses_no_card(jokers: int, chance: Random) -> None:
    session = thorin(4, jokers=jokers)
    session = session.deal(session.chance_spec().draw(chance.randrange))
    for _ in range(40):
        session = onward(session)
        before, session = inside(session).round.hand, thrown_all(session)
        assert all_cards(session) == sorted(full_deck(jokers))
        assert not set(before) & set(inside(session).round.hand) - {52}
    assert inside(session).round.stock.position == 5 + 40 * 5


@given(chances)
def test_a_record_of_a_long_round_plays_to_the_same_end(chance: Random) -> None:
    """The list that the stock has become is a deal of its own, and holds no seed."""
    live = thorin(3).deal(thorin(3).chance_spec().draw(chance.randrange))
    discards = []
    for _ in range(25):
        live = onward(live)
        discards.append(live.legal().answers[chance.randrange(32)])
        live = live.apply(discards[-1])
    replayed = thorin(3).deal(ThorinDeal(inside(live).round.stock.deck))
    for discard in discards:
        replayed = onward(replayed).apply(discard)
    one, other = inside(live).round, inside(replayed).round
    assert (other.hand, other.stock.thrown, other.stints) == (one.hand, one.stock.thrown, one.stints)


# ----------------------------------------------------------------------------------- what is not known


def test_a_hand_that_is_not_known_must_be_shown_when_it_is_challenged() -> None:
    session = hand_on(thorin(3), None, "declare pair, challenge")
    assert (session.phase, session.to_act, session.legal().show) == ("show", 0, True)
    assert code_of(session, "take") == "wrong-phase"
    for shown in ("AcKdQh7s", "AcAcQh7s2s", "AcKdQh7s2s3s", "AcKdQh7sJk", "AcKdQh7s??"):
        assert code_of(session, f"show {shown}") == "cards-not-held"
    result = passed_result(pass_on(session, "show AcKdQh7s2s"))
    assert (result.truthful, result.hand) == (False, cards("AcKdQh7s2s"))
    known = hand_on(thorin(3), "AcKdQh7s2s", "declare pair, challenge")
    assert code_of(known, "show AcKdQh7s2s") == "round-over"


def test_what_is_shown_agrees_with_what_is_known() -> None:
    session = hand_on(thorin(3), "As????2c??Kd", "declare pair, take, discard 2c, declare pair 3, challenge")
    for shown in ("AcKdQh7s2s", "AsKdQh7s2c", "AsQdQh7s2s"):
        assert code_of(session, f"show {shown}") == "cards-not-held"
    assert code_of(session, "show AsKdQh7s2s") == "legal"


def test_unseen_cards_are_thrown_unseen_and_known_ones_by_name() -> None:
    session = hand_on(thorin(3), "As????????Kd2c", "declare pair, take")
    # The king is the next in the stock.
    legal = {"????": True, "As??": True, "Th": True, "??????????": False, "Kd": False, "Jk": False}
    assert {thrown: code_of(session, f"discard {thrown}") == "legal" for thrown in legal} == legal
    assert {code_of(session, f"discard {thrown}") for thrown in ("Kd", "Jk")} == {"cards-not-held"}
    unknown = hand_on(thorin(3), None, "declare pair, take")
    assert [len(cards_of(action)) for action in unknown.legal().answers] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("deck", "match"),
    [
        ("AcKdQh7s", "too short"),
        ("AcKdQh7sAc", "twice"),
        ("AcKdQh7s??Ac", "twice"),
        ("AcKdQh7sJk", "jokers"),
    ],
)
def test_a_deck_that_cannot_be_is_refused(deck: str, match: str) -> None:
    with pytest.raises(BadDeal, match=match):
        hand_on(thorin(3), deck)


def test_a_deck_that_is_too_short_for_a_draw_is_refused_then() -> None:
    session = hand_on(thorin(3), "AcKdQh7s2s3c", "declare pair, take")
    assert code_of(session, "discard Ac") == "legal"
    with pytest.raises(BadDeal, match="too short"):
        code_of(session, "discard AcKd")


# ------------------------------------------------------------------------------------ the discards come again


def test_the_list_goes_on_with_the_discards_when_the_stock_runs_out() -> None:
    session = run_down(hand_on(thorin(3), f"{DECK}2c3d4h"))
    assert (inside(session).round.stock.left, inside(session).round.hand) == (2, cards("KdKhKsAcAd"))
    later = inside(thrown_all(session)).round
    assert (later.hand, later.stock.left) == (cards("AhAs2c3d4h"), 45 - 3)
    assert later.stock.thrown == tuple(sorted(inside(session).round.hand))


@pytest.mark.parametrize(
    ("again", "fault"),
    [
        # The whole list is what can be in the stock, and has no cards that are no discards.
        *[("2c 3d 4h", ""), ("2c 3d 4h 4s 5c", ""), ("2c 3d 4h ?? ??", "")],
        *[("Kd 3d 4h", "Kd"), ("2c 2c 4h", "2c"), ("2c 3d Ah", "Ah"), ("2c", "short")],
        *[("2c 3d 4h 4s 4s", "4s"), ("2c 3d 4h 2c", "2c"), ("2c 3d 4h As", "As")],
    ],
)
def test_a_list_that_goes_on_with_cards_which_are_no_discards_is_refused(again: str, fault: str) -> None:
    session = run_down(hand_on(thorin(3), DECK + again.replace(" ", "")))
    with pytest.raises(BadDeal, match=fault) if fault else nullcontext():
        thrown_all(session)


def test_cards_thrown_unseen_may_come_again_under_any_name() -> None:
    session = thrown_all(run_down(hand_on(thorin(3), "??" * 52 + "2c3d4h")))
    assert inside(session).round.hand == (-1, -1, *cards("2c3d4h"))
    # No card is known, and the stock still runs out.
    assert inside(run_down(hand_on(thorin(3), None), 30)).round.hand == (-1,) * 5


@pytest.mark.parametrize(("again", "fault"), [("7c 8c Ac", ""), ("7c 7c", "7c"), ("Jc", "Jc"), ("Qc", "Qc")])
def test_cards_thrown_unseen_come_again_as_what_nobody_holds(again: str, fault: str) -> None:
    session = run_down(hand_on(thorin(3), "??" * 45 + "Ac Kc Qc Jc Tc 9d 8d" + again))
    session = onward(pass_on(session, "discard AcKc"))
    with pytest.raises(BadDeal, match=fault) if fault else nullcontext():
        pass_on(session, "discard Qc")


def test_a_list_that_goes_on_after_the_stock_is_refused() -> None:
    session = hand_on(thorin(3), "??" * 53, "declare pair, take, discard ??")
    with pytest.raises(BadDeal, match="53 cards; with the discards shuffled in there were 52"):
        inside(session).round.stock.check_end()
