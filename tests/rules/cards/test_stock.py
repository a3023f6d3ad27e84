"""The stock of Thorin's game, and what a record does not tell of it. Source 002 (discards); RULES B1; the notation."""

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
from tests.rules.cards.matches import all_cards, cards, code_of, hand_on, pass_on, passed_result, thorin

chances = st.integers(0, 2**32).map(Random)
exchanges = st.lists(st.integers(0, HAND_CARDS), min_size=15, max_size=60)


def piles_after(counts: list[int], jokers: int) -> Piles:
    """The piles of a round in which so many cards were exchanged, one time after the other."""
    piles = after_drawing(HAND_CARDS, whole_deck(52 + jokers))
    for count in counts:
        piles = after_exchange(count, piles)
    return piles


@given(exchanges, st.integers(0, 2))
def test_the_hand_the_stock_and_the_discards_are_always_the_whole_deck(counts: list[int], jokers: int) -> None:
    piles = piles_after(counts, jokers)
    assert HAND_CARDS + stock_left(piles) + piles.discards == 52 + jokers
    assert piles.drawn == HAND_CARDS + sum(counts)


@given(exchanges, st.integers(0, HAND_CARDS))
def test_the_discards_are_shuffled_in_when_no_card_is_left_to_draw_and_never_those_just_thrown(
    counts: list[int], count: int
) -> None:
    before = piles_after(counts, jokers=0)
    later = after_exchange(count, before)
    if count <= stock_left(before):
        assert (later.end, later.discards) == (before.end, before.discards + count)
    else:
        assert (later.end, later.discards) == (before.end + before.discards, count)


@given(exchanges, st.integers(0, HAND_CARDS), st.integers(0, HAND_CARDS))
def test_cards_drawn_at_once_are_cards_drawn_one_after_the_other(counts: list[int], one: int, more: int) -> None:
    piles = piles_after(counts, jokers=0)
    assert after_drawing(more, after_drawing(one, piles)) == after_drawing(one + more, piles)


@given(st.sampled_from([0, 1, 2]), chances)
def test_a_long_round_shuffles_the_discards_in_and_loses_no_card(jokers: int, chance: Random) -> None:
    """Everybody takes, throws all and declares the next best: several decks go by."""
    deck = sorted(full_deck(jokers))
    session = thorin(4, jokers=jokers)
    session = session.deal(session.chance_spec().draw(chance.randrange))
    for _ in range(40):
        legal = session.legal()
        assert legal.min_claim is not None
        session = session.apply(legal.min_claim).apply(TAKE)
        assert session.round is not None
        before = session.round
        session = session.apply(discard_of(before.hand))
        assert session.round is not None
        assert all_cards(session) == deck
        assert not set(before.hand) & set(session.round.hand) - {52}
    assert session.round is not None
    assert session.round.stock.position == 5 + 40 * 5


@given(chances)
def test_a_record_of_a_long_round_plays_to_the_same_end(chance: Random) -> None:
    """The list that the stock has become is a deal of its own, and holds no seed."""
    live = thorin(3).deal(thorin(3).chance_spec().draw(chance.randrange))
    moves = []
    for _ in range(25):
        legal = live.legal()
        assert legal.min_claim is not None
        for action in (legal.min_claim, TAKE):
            moves.append(action)
            live = live.apply(action)
        moves.append(live.legal().answers[chance.randrange(32)])
        live = live.apply(moves[-1])
    assert live.round is not None
    replayed = thorin(3).deal(ThorinDeal(live.round.stock.deck))
    for action in moves:
        replayed = replayed.apply(action)
    assert replayed.round is not None
    assert replayed.round.hand == live.round.hand
    assert replayed.round.stock.thrown == live.round.stock.thrown
    assert replayed.round.stints == live.round.stints


def test_a_hand_that_is_not_known_must_be_shown_when_it_is_challenged() -> None:
    session = hand_on(thorin(3), None, "declare pair, challenge")
    assert (session.phase, session.to_act, session.legal().show) == ("show", 0, True)
    assert code_of(session, "take") == "wrong-phase"
    for text in ("show AcKdQh7s", "show AcAcQh7s2s", "show AcKdQh7s2s3s", "show AcKdQh7sJk", "show AcKdQh7s??"):
        assert code_of(session, text) == "cards-not-held"
    result = passed_result(pass_on(session, "show AcKdQh7s2s"))
    assert (result.truthful, result.hand) == (False, cards("AcKdQh7s2s"))


def test_a_hand_that_is_known_is_not_shown_again() -> None:
    session = hand_on(thorin(3), "AcKdQh7s2s", "declare pair, challenge")
    assert code_of(session, "show AcKdQh7s2s") == "round-over"


def test_what_is_shown_agrees_with_what_is_known() -> None:
    session = hand_on(thorin(3), "As????2c??Kd", "declare pair, take, discard 2c, declare pair 3, challenge")
    for text in ("show AcKdQh7s2s", "show AsKdQh7s2c", "show AsQdQh7s2s"):
        assert code_of(session, text) == "cards-not-held"
    assert code_of(session, "show AsKdQh7s2s") == "legal"


def test_unseen_cards_are_thrown_unseen_and_known_ones_by_name() -> None:
    session = hand_on(thorin(3), "As????????Kd2c", "declare pair, take")
    for text, code in {
        "discard ????": "legal",
        "discard As??": "legal",
        "discard ??????????": "cards-not-held",
        "discard Th": "legal",
        "discard Kd": "cards-not-held",  # it is the next in the stock
        "discard Jk": "cards-not-held",
    }.items():
        assert code_of(session, text) == code


def test_of_five_unknown_cards_every_number_may_be_thrown() -> None:
    session = hand_on(thorin(3), None, "declare pair, take")
    assert [len(cards_of(action)) for action in session.legal().answers] == [0, 1, 2, 3, 4, 5]


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


def record_of_two_decks(again: str) -> ThorinSession:
    """A list in which all 52 cards have been drawn; then the discards are shuffled in, but for those just thrown."""
    deck = "".join(rank + suit for rank in "23456789TJQKA" for suit in "cdhs") + again.replace(" ", "")
    session = hand_on(thorin(3), deck)
    for _ in range(9):
        session = pass_on(session, session.write(session.legal().min_claim or 0) + ", take")
        assert session.round is not None
        session = session.apply(discard_of(session.round.hand))
    return pass_on(session, session.write(session.legal().min_claim or 0) + ", take")


def test_the_list_goes_on_with_the_discards_when_the_stock_runs_out() -> None:
    session = record_of_two_decks("2c 3d 4h")
    assert session.round is not None
    assert (session.round.stock.left, session.round.hand) == (2, cards("KdKhKsAcAd"))
    thrown = session.round.hand
    session = session.apply(discard_of(thrown))
    assert session.round is not None
    assert session.round.hand == cards("AhAs2c3d4h")
    assert session.round.stock.thrown == tuple(sorted(thrown))
    assert session.round.stock.left == 45 - 3


@pytest.mark.parametrize(
    ("again", "fault"), [("Kd 3d 4h", "Kd"), ("2c 2c 4h", "2c"), ("2c 3d Ah", "Ah"), ("2c", "short")]
)
def test_a_list_that_goes_on_with_cards_which_are_no_discards_is_refused(again: str, fault: str) -> None:
    session = record_of_two_decks(again)
    assert session.round is not None
    with pytest.raises(BadDeal, match=fault):
        session.apply(discard_of(session.round.hand))


def test_cards_thrown_unseen_may_come_again_under_any_name() -> None:
    session = hand_on(thorin(3), "??" * 52 + "2c3d4h")
    for _ in range(9):
        session = pass_on(session, session.write(session.legal().min_claim or 0) + ", take, discard ??????????")
    session = pass_on(session, session.write(session.legal().min_claim or 0) + ", take, discard ??????????")
    assert session.round is not None
    assert session.round.hand == (-1, -1, *cards("2c3d4h"))


def test_no_card_is_known_and_the_stock_still_runs_out() -> None:
    session = hand_on(thorin(3), None)
    for _ in range(30):
        session = pass_on(session, session.write(session.legal().min_claim or 0) + ", take, discard ??????????")
    assert session.round is not None
    assert session.round.hand == (-1,) * 5


@pytest.mark.parametrize(
    ("rest", "fault"), [("", ""), ("4s 5c", ""), ("4s 4s", "4s"), ("2c", "2c"), ("As", "As"), ("?? ??", "")]
)
def test_the_whole_list_is_what_can_be_in_the_stock(rest: str, fault: str) -> None:
    session = record_of_two_decks("2c 3d 4h" + rest)
    assert session.round is not None
    with pytest.raises(BadDeal, match=fault) if fault else nullcontext():
        session.apply(discard_of(session.round.hand))


@pytest.mark.parametrize(("again", "fault"), [("7c 8c Ac", ""), ("7c 7c", "7c"), ("Jc", "Jc"), ("Qc", "Qc")])
def test_cards_thrown_unseen_come_again_as_what_nobody_holds(again: str, fault: str) -> None:
    deck = "??" * 45 + "Ac Kc Qc Jc Tc 9d 8d" + again
    session = hand_on(thorin(3), deck)
    for _ in range(9):
        session = pass_on(session, session.write(session.legal().min_claim or 0) + ", take")
        assert session.round is not None
        session = session.apply(discard_of(session.round.hand))
    session = pass_on(session, session.write(session.legal().min_claim or 0) + ", take, discard AcKc")
    session = pass_on(session, session.write(session.legal().min_claim or 0) + ", take")
    with pytest.raises(BadDeal, match=fault) if fault else nullcontext():
        pass_on(session, "discard Qc")


def test_a_list_that_goes_on_after_the_stock_is_refused() -> None:
    session = hand_on(thorin(3), "??" * 53, "declare pair, take, discard ??")
    assert session.round is not None
    with pytest.raises(BadDeal, match="53 cards; with the discards shuffled in there were 52"):
        session.round.stock.check_end()
