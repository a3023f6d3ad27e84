"""The stock of Thorin's game, with known and unknown cards. Source 002 (discards); RULES B1; the notation."""

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
from tests.rules.cards.matches import (
    after_actions,
    all_cards,
    cards,
    chances,
    code_of,
    play_thorin_round,
    thorin,
    thorin_result,
)
from tests.untyped import untyped

exchanges = st.lists(st.integers(0, HAND_CARDS), min_size=15, max_size=60)
DECK = "".join(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


def piles_after(counts: list[int], jokers: int) -> Piles:
    """Return the piles after exchanges of these numbers of cards."""
    piles = after_drawing(HAND_CARDS, whole_deck(52 + jokers))
    for count in counts:
        piles = after_exchange(count, piles)
    return piles


@given(exchanges, st.integers(0, 2), st.integers(0, HAND_CARDS), st.integers(0, HAND_CARDS))
def test_hand_stock_and_discards_always_make_up_the_deck(counts: list[int], jokers: int, count: int, more: int) -> None:
    piles = piles_after(counts, jokers)
    assert HAND_CARDS + stock_left(piles) + piles.discards == 52 + jokers
    assert piles.drawn == HAND_CARDS + sum(counts)
    assert after_drawing(more, after_drawing(count, piles)) == after_drawing(count + more, piles)
    # Discards are shuffled in when the stock is empty, except those being discarded.
    enough = count <= stock_left(piles)
    expected = (piles.end, piles.discards + count) if enough else (piles.end + piles.discards, count)
    later = after_exchange(count, piles)
    assert (later.end, later.discards) == expected


def declare_and_take(session: ThorinSession) -> ThorinSession:
    """Make the lowest declaration, and let the next player take the hand."""
    least = session.legal().min_claim
    assert least is not None
    return session.apply(least).apply(TAKE)


def discard_all(session: ThorinSession) -> ThorinSession:
    """Discard the whole hand."""
    return session.apply(discard_of(untyped(session).round.hand))


def run_down(session: ThorinSession, times: int = 9) -> ThorinSession:
    """Repeat take, discard all and lowest declaration, ending with a take; nine times use up the deck."""
    for _ in range(times):
        session = discard_all(declare_and_take(session))
    return declare_and_take(session)


@given(st.sampled_from([0, 1, 2]), chances)
def test_a_long_round_shuffles_discards_in_and_loses_no_card(jokers: int, chance: Random) -> None:
    session = thorin(4, jokers=jokers)
    session = session.deal(session.chance_spec().draw(chance.randrange))
    for _ in range(40):
        session = declare_and_take(session)
        before, session = untyped(session).round.hand, discard_all(session)
        assert all_cards(session) == sorted(full_deck(jokers))
        assert not set(before) & set(untyped(session).round.hand) - {52}
    assert untyped(session).round.stock.position == 5 + 40 * 5


@given(chances)
def test_a_record_of_a_long_round_replays_to_the_same_state(chance: Random) -> None:
    """The list of cards in the stock defines a deal without a seed."""
    live = thorin(3).deal(thorin(3).chance_spec().draw(chance.randrange))
    discards = []
    for _ in range(25):
        live = declare_and_take(live)
        discards.append(live.legal().answers[chance.randrange(32)])
        live = live.apply(discards[-1])
    replayed = thorin(3).deal(ThorinDeal(untyped(live).round.stock.deck))
    for discard in discards:
        replayed = declare_and_take(replayed).apply(discard)
    one, other = untyped(live).round, untyped(replayed).round
    assert (other.hand, other.stock.discards, other.stints) == (one.hand, one.stock.discards, one.stints)


# ----------------------------------------------------------------------------------- what is not known


def test_an_unknown_hand_must_be_shown_after_a_challenge() -> None:
    session = play_thorin_round(thorin(3), None, "declare pair, challenge")
    assert (session.phase, session.to_act, session.legal().show) == ("show", 0, True)
    assert code_of(session, "take") == "wrong-phase"
    for shown in ("AcKdQh7s", "AcAcQh7s2s", "AcKdQh7s2s3s", "AcKdQh7sJk", "AcKdQh7s??"):
        assert code_of(session, f"show {shown}") == "cards-not-held"
    result = thorin_result(after_actions(session, "show AcKdQh7s2s"))
    assert (result.truthful, result.hand) == (False, cards("AcKdQh7s2s"))
    known = play_thorin_round(thorin(3), "AcKdQh7s2s", "declare pair, challenge")
    assert code_of(known, "show AcKdQh7s2s") == "round-over"


def test_a_shown_hand_must_agree_with_known_cards() -> None:
    session = play_thorin_round(thorin(3), "As????2c??Kd", "declare pair, take, discard 2c, declare pair 3, challenge")
    for shown in ("AcKdQh7s2s", "AsKdQh7s2c", "AsQdQh7s2s"):
        assert code_of(session, f"show {shown}") == "cards-not-held"
    assert code_of(session, "show AsKdQh7s2s") == "legal"


def test_unknown_cards_are_discarded_as_unknown_or_by_name() -> None:
    session = play_thorin_round(thorin(3), "As????????Kd2c", "declare pair, take")
    # The king is next in the stock.
    legal = {"????": True, "As??": True, "Th": True, "??????????": False, "Kd": False, "Jk": False}
    assert {discarded: code_of(session, f"discard {discarded}") == "legal" for discarded in legal} == legal
    assert {code_of(session, f"discard {discarded}") for discarded in ("Kd", "Jk")} == {"cards-not-held"}
    unknown = play_thorin_round(thorin(3), None, "declare pair, take")
    assert [len(cards_of(action)) for action in unknown.legal().answers] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("deck", "match"),
    [
        ("AcKdQh7s", "too few"),
        ("AcKdQh7sAc", "twice"),
        ("AcKdQh7s??Ac", "twice"),
        ("AcKdQh7sJk", "jokers"),
    ],
)
def test_impossible_decks_are_rejected(deck: str, match: str) -> None:
    with pytest.raises(BadDeal, match=match):
        play_thorin_round(thorin(3), deck)


def test_a_deck_too_short_for_a_draw_is_rejected_at_the_draw() -> None:
    session = play_thorin_round(thorin(3), "AcKdQh7s2s3c", "declare pair, take")
    assert code_of(session, "discard Ac") == "legal"
    with pytest.raises(BadDeal, match="more are drawn"):
        code_of(session, "discard AcKd")


# ------------------------------------------------------------------------------------ the discards come again


def test_the_list_continues_with_the_discards_when_the_stock_runs_out() -> None:
    session = run_down(play_thorin_round(thorin(3), f"{DECK}2c3d4h"))
    assert (untyped(session).round.stock.left, untyped(session).round.hand) == (2, cards("KdKhKsAcAd"))
    later = untyped(discard_all(session)).round
    assert (later.hand, later.stock.left) == (cards("AhAs2c3d4h"), 45 - 3)
    assert later.stock.discards == tuple(sorted(untyped(session).round.hand))


@pytest.mark.parametrize(
    ("again", "fault"),
    [
        # The whole list can be in the stock; all its later cards are discards.
        *[("2c 3d 4h", ""), ("2c 3d 4h 4s 5c", ""), ("2c 3d 4h ?? ??", "")],
        *[("Kd 3d 4h", "Kd"), ("2c 2c 4h", "2c"), ("2c 3d Ah", "Ah"), ("2c", "more are drawn")],
        *[("2c 3d 4h 4s 4s", "4s"), ("2c 3d 4h 2c", "2c"), ("2c 3d 4h As", "As")],
    ],
)
def test_a_list_that_continues_with_other_cards_is_rejected(again: str, fault: str) -> None:
    session = run_down(play_thorin_round(thorin(3), DECK + again.replace(" ", "")))
    with pytest.raises(BadDeal, match=fault) if fault else nullcontext():
        discard_all(session)


def test_unknown_discards_may_be_drawn_again_as_any_card() -> None:
    session = discard_all(run_down(play_thorin_round(thorin(3), "??" * 52 + "2c3d4h")))
    assert untyped(session).round.hand == (-1, -1, *cards("2c3d4h"))
    # The stock runs out even if no card is known.
    assert untyped(run_down(play_thorin_round(thorin(3), None), 30)).round.hand == (-1,) * 5


@pytest.mark.parametrize(("again", "fault"), [("7c 8c Ac", ""), ("7c 7c", "7c"), ("Jc", "Jc"), ("Qc", "Qc")])
def test_unknown_discards_cannot_be_cards_that_are_held(again: str, fault: str) -> None:
    session = run_down(play_thorin_round(thorin(3), "??" * 45 + "Ac Kc Qc Jc Tc 9d 8d" + again))
    session = declare_and_take(after_actions(session, "discard AcKc"))
    with pytest.raises(BadDeal, match=fault) if fault else nullcontext():
        after_actions(session, "discard Qc")


def test_a_list_that_continues_after_the_stock_is_rejected() -> None:
    session = play_thorin_round(thorin(3), "??" * 53, "declare pair, take, discard ??")
    with pytest.raises(BadDeal, match="53 cards, but with the shuffled discards there are only 52"):
        untyped(session).round.stock.check_end()
