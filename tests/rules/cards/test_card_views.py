"""What a seat may know: a view does not change when the cards that it may not see do. RULES B1, C3 and C4."""

from random import Random
from typing import Any, cast

import pytest

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.core.errors import BadOption
from liarspoker.games.queen_annes.round import Extra
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.games.thorin.session import ThorinSession
from tests.rules.cards.matches import POOLED_IDS, cards, hand_on, pass_on, queen_annes, thorin, throw_in


def test_a_player_sees_his_own_cards() -> None:
    view = throw_in(queen_annes("queen-annes", 3, (4, 4, 4)), "2c|3c|4c").view(1)
    assert view.seen == ((), cards("3c"), ())
    assert (view.known, view.hidden, view.hand_sizes, view.my_turn) == (cards("3c"), 2, (1, 1, 1), False)


def test_an_indian_sees_all_cards_but_his_own() -> None:
    session = throw_in(queen_annes("queen-annes-indian", 3, (4, 4, 4)), "2c|3c|4c")
    assert session.view(1).seen == (cards("2c"), (), cards("4c"))
    assert session.view(1).hidden == 1


@pytest.mark.parametrize("game_id", POOLED_IDS)
def test_who_holds_no_cards_sees_what_lies_open(game_id: str) -> None:
    session = queen_annes(game_id, 3, (0, 6 if game_id == "queen-annes-stud" else 5, 0))
    session = session.deal(session.chance_spec().draw(Random(1).randrange))
    for seat in (None, 1):
        view = session.view(seat)
        assert view.seen == ((), (), ())
        assert len(view.known) == (1 if game_id == "queen-annes-stud" else 0)


def test_in_stud_the_last_card_is_seen_by_its_player_alone() -> None:
    session = throw_in(queen_annes("queen-annes-stud", 2, (4, 4)), "2c3c|4c5c", "high 2", "9h9s")
    assert session.view(0).extras == (Extra(0, 1, cards("9h")[0], False), Extra(1, 1, UNKNOWN, False))
    assert session.view(1).extras == (Extra(0, 1, UNKNOWN, False), Extra(1, 1, cards("9s")[0], False))
    assert session.view(None).known == ()


@pytest.mark.parametrize("game_id", POOLED_IDS)
def test_a_challenge_shows_everything_to_everybody(game_id: str) -> None:
    session = queen_annes(game_id, 3)
    deal = session.chance_spec().draw(Random(1).randrange)
    session = session.deal(deal)
    session = session.apply(session.legal().claims[0]).apply(session.read("challenge"))
    for seat in (None, 0, 1, 2):
        result = session.view(seat).result
        assert result is not None
        assert result.hands == deal.hands


# Thorin


def in_hand(session: ThorinSession) -> list[bool]:
    return [session.view(seat).hand is not None for seat in (0, 1, 2, None)]


def test_the_player_under_the_gun_decides_before_he_sees_the_hand() -> None:
    session = hand_on(thorin(3), "AcAdAhAsKc2c", "declare pair")
    assert in_hand(session) == [True, False, False, False]
    session = pass_on(session, "take")
    assert in_hand(session) == [False, True, False, False]
    assert session.view(1).hand == cards("AcAdAhAsKc")


def test_a_seat_remembers_what_it_has_held_and_thrown_in_this_round() -> None:
    session = hand_on(thorin(2), "AcAdAhAsKc2c3c4c", "declare pair, take, discard AcKc, declare pair 3, take")
    first, second = session.view(0).stints
    assert (first.taken, first.thrown, first.drawn) == (cards("AcAdAhAsKc"), (), ())
    assert (second.seat, second.taken) == (0, cards("AdAhAs2c3c"))
    (other,) = session.view(1).stints
    assert (other.thrown, other.drawn) == (cards("KcAc"), cards("2c3c"))
    session = pass_on(session, "discard -, declare pair 4, challenge")
    session = session.deal(ThorinDeal()) if session.winner is None else session
    assert session.view(None).stints == ()


def test_of_the_others_discards_a_seat_sees_how_many_there_are() -> None:
    session = hand_on(thorin(3), "AcAdAhAsKc2c3c4c", "declare pair, take, discard AcKc")
    assert [session.write(action) for _, action in session.view(1).moves][-1] == "discard KcAc"
    for seat in (0, 2, None):
        assert [session.write(action) for _, action in session.view(seat).moves][-1] == "discard ????"
    assert (session.view(0).discards, session.view(0).stock_left) == (2, 45)


def test_what_may_be_discarded_is_told_to_the_active_player_alone() -> None:
    session = hand_on(thorin(3), "AcAdAhAsKc2c3c4c", "declare pair, take")
    assert len(session.view(1).legal.answers) == 32
    for seat in (0, 2, None):
        legal = session.view(seat).legal
        assert (legal.answers, legal.discard) == ((), True)


def test_only_a_challenge_shows_the_hand() -> None:
    session = hand_on(thorin(2, passes=1), "AcAdAhAsKc", "declare pair")
    thrown = pass_on(session, "pass").view(1)
    assert thrown.result is not None
    assert (thrown.result.hand, thrown.hand) == (None, None)
    shown = pass_on(session, "challenge").view(1)
    assert shown.result is not None
    assert shown.result.hand == cards("AcAdAhAsKc")


def test_only_before_the_first_round_lots_are_drawn_for_who_begins() -> None:
    session = thorin(3)
    assert (session.chance_spec().opener, session.rounds_played) == (True, 0)
    session = hand_on(session, "AcAdAhAsKc", "declare pair, challenge")
    assert (session.chance_spec().opener, session.rounds_played) == (False, 1)
    match = queen_annes("queen-annes", 3)
    assert (match.chance_spec().opener, match.rounds_played) == (True, 0)


@pytest.mark.parametrize("game_id", ["thorin", *POOLED_IDS])
def test_cards_are_not_dealt_from_slips(game_id: str) -> None:
    with pytest.raises(BadOption):
        cast(Any, catalogue.load(game_id)).session(3, from_slips=True)
