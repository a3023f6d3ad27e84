"""Cards that a seat can see; `tests/conformance` checks what it can't see. RULES B1, C3 and C4."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest

from liarspoker.core import catalogue
from liarspoker.core.errors import BadOption
from liarspoker.games.thorin.session import ThorinSession
from tests.rules.cards.matches import (
    POOLED_IDS,
    after_actions,
    cards,
    play_pooled_round,
    play_thorin_round,
    queen_annes,
    thorin,
)

HELD = "AcAdAhAsKc2c3c4c"


def test_players_see_their_own_cards_or_in_the_indian_game_all_others() -> None:
    view, indian = (
        play_pooled_round(queen_annes(game_id, 3, (4, 4, 4)), "2c|3c|4c").view(1)
        for game_id in ("queen-annes", "queen-annes-indian")
    )
    assert (view.seen, indian.seen) == (((), cards("3c"), ()), (cards("2c"), (), cards("4c")))
    assert (view.known, view.hidden, view.hand_sizes, view.my_turn) == (cards("3c"), 2, (1, 1, 1), False)
    assert indian.hidden == 1


@pytest.mark.parametrize("game_id", POOLED_IDS)
def test_a_seat_without_cards_sees_face_up_cards(game_id: str) -> None:
    stud = game_id == "queen-annes-stud"
    session = queen_annes(game_id, 3, (0, 6 if stud else 5, 0))
    session = session.deal(session.chance_spec().draw(Random(1).randrange))
    for view in map(session.view, (None, 1)):
        assert (view.seen, len(view.known)) == (((), (), ()), int(stud))


@pytest.mark.parametrize("game_id", POOLED_IDS)
def test_a_challenge_shows_all_cards_to_all_seats(game_id: str) -> None:
    session = queen_annes(game_id, 3)
    deal = session.chance_spec().draw(Random(1).randrange)
    session = session.deal(deal)
    session = session.apply(session.legal().claims[0]).apply(session.read("challenge"))
    for seat in (None, 0, 1, 2):
        result = session.view(seat).result
        assert result is not None
        assert result.hands == deal.hands


# ---------------------------------------------------------------------------------------------------- Thorin


def in_hand(session: ThorinSession) -> list[bool]:
    return [session.view(seat).hand is not None for seat in (0, 1, 2, None)]


def test_the_player_under_the_gun_cannot_see_the_hand() -> None:
    session = play_thorin_round(thorin(3), HELD, "declare pair")
    assert in_hand(session) == [True, False, False, False]
    session = after_actions(session, "take")
    assert in_hand(session) == [False, True, False, False]
    assert session.view(1).hand == cards("AcAdAhAsKc")
    # Only the active player sees the legal discards.
    assert len(session.view(1).legal.answers) == 32
    for seat in (0, 2, None):
        assert (session.view(seat).legal.answers, session.view(seat).legal.discard) == ((), True)


def test_a_seat_remembers_its_hands_and_discards_of_the_round() -> None:
    session = play_thorin_round(thorin(2), HELD, "declare pair, take, discard AcKc, declare pair 3, take")
    first, second = session.view(0).stints
    assert (first.taken, first.discarded, first.drawn) == (cards("AcAdAhAsKc"), (), ())
    assert (second.seat, second.taken) == (0, cards("AdAhAs2c3c"))
    (other,) = session.view(1).stints
    assert (other.discarded, other.drawn) == (cards("KcAc"), cards("2c3c"))
    again = play_thorin_round(play_thorin_round(thorin(3), HELD, "declare pair, challenge"), HELD)
    assert [len(again.view(seat).stints) for seat in (0, 1, 2, None)] == [1, 0, 0, 0]


def test_a_seat_sees_only_the_size_of_other_discards() -> None:
    session = play_thorin_round(thorin(3), HELD, "declare pair, take, discard AcKc")
    last = {seat: session.write(session.view(seat).moves[-1][1]) for seat in (0, 1, 2, None)}
    assert last == {0: "discard ????", 1: "discard KcAc", 2: "discard ????", None: "discard ????"}
    assert (session.view(0).discards, session.view(0).stock_left) == (2, 45)


def test_only_a_challenge_shows_the_hand() -> None:
    session = play_thorin_round(thorin(2, passes=1), HELD, "declare pair")
    for answer, hand in (("pass", None), ("challenge", cards("AcAdAhAsKc"))):
        view = after_actions(session, answer).view(1)
        assert view.result is not None
        assert view.result.hand == hand
    assert after_actions(session, "pass").view(1).hand is None


@pytest.mark.parametrize("game_id", ["thorin", *POOLED_IDS])
def test_cards_are_not_dealt_from_slips_and_the_first_opener_is_random(game_id: str) -> None:
    game = cast(Any, catalogue.load(game_id))
    with pytest.raises(BadOption):
        game.session(3, from_slips=True)
    session = game.session(3)
    needs = session.chance_spec()
    dealt = session.deal(needs.draw(Random(1).randrange))
    later = dealt.apply(dealt.legal().claims[-1]).apply(dealt.read("challenge"))
    assert (needs.opener, later.chance_spec().opener, later.rounds_played) == (True, False, 1)
