"""Which extra card comes when. Source 004, Variant 2; RULES C4."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import card_text
from liarspoker.core.errors import BadDeal
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import extra_slot
from tests.rules.cards.matches import name_on, pooled_result, queen_annes, queen_annes_rules, throw_in


def dealt(session: QueenAnnesSession) -> list[tuple[int, int, str]]:
    """The further cards as (seat, turn, card), those face down in brackets."""
    assert session.round is not None
    extras = session.round.extras
    return [(e.seat, e.turn, card_text(e.card) if e.face_up else f"({card_text(e.card)})") for e in extras]


CLIMB = "high 2, high 3, high 4, high 5, high 6, high 7, high 8, high 9, high T, high J, high Q, high K, high A"
TEN_CARDS = "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"


def stud(losses: tuple[int, ...], climbs: int, **options: object) -> QueenAnnesSession:
    session = queen_annes("queen-annes-stud", len(losses), losses, **options)
    hands = "|".join(["2c3c", "4c5c", "6c7c"][: len(losses)])
    return throw_in(session, hands, ",".join(CLIMB.split(",")[:climbs]), TEN_CARDS)


def test_on_each_turn_a_card_is_dealt_before_the_player_acts_four_up_and_one_down() -> None:
    assert dealt(stud((0, 0), 0)) == [(0, 1, "2h")]
    assert dealt(stud((0, 0), 11)) == [
        (0, 1, "2h"),
        (1, 1, "3h"),
        (0, 2, "4h"),
        (1, 2, "5h"),
        (0, 3, "6h"),
        (1, 3, "7h"),
        (0, 4, "8h"),
        (1, 4, "9h"),
        (0, 5, "(Th)"),
        (1, 5, "(Jh)"),
    ]


def test_who_has_lost_goes_without_his_first_extra_cards() -> None:
    assert dealt(stud((0, 2), 5)) == [(0, 1, "2h"), (0, 2, "3h"), (0, 3, "4h"), (1, 3, "5h")]


def test_if_all_have_lost_the_first_extra_card_is_ignored() -> None:
    assert dealt(stud((1, 2), 3)) == [(0, 1, "2h"), (0, 2, "3h"), (1, 2, "4h")]
    assert dealt(stud((1, 1), 8))[-1] == (1, 4, "(9h)")
    assert len(dealt(stud((1, 1), 12))) == 8


@given(st.lists(st.integers(0, 5), min_size=2, max_size=8))
def test_in_every_turn_somebody_receives_a_card_until_the_slots_are_used_up(losses: list[int]) -> None:
    rules = queen_annes_rules("queen-annes-stud", len(losses))
    common = min(losses)
    for turn in range(1, 8):
        slots = [extra_slot(turn, lost, common, rules) for lost in losses]
        assert any(slots) == (turn <= 5 - common)
        assert set(slots) - {0} <= {turn + common}


def test_common_losses_may_be_forgiven_or_the_extra_cards_begin_at_once() -> None:
    forgive = {"stud_everyone_lost": "forgive"}
    assert dealt(stud((1, 2), 4, **forgive)) == [(0, 1, "2h"), (0, 2, "3h"), (1, 2, "4h"), (0, 3, "5h")]
    assert len([card for card in dealt(stud((1, 2), 12, **forgive)) if card[0] == 0]) == 5
    at_once = {"stud_everyone_lost": "at_once"}
    assert dealt(stud((0, 3), 4, **at_once))[:4] == [(0, 1, "2h"), (1, 1, "3h"), (0, 2, "4h"), (1, 2, "(5h)")]


def test_everyone_may_get_a_card_when_the_opener_is_to_act() -> None:
    everyone = {"stud_deal_to": "everyone"}
    assert dealt(stud((0, 0, 0), 0, **everyone)) == [(0, 1, "2h"), (1, 1, "3h"), (2, 1, "4h")]
    assert dealt(stud((0, 0, 0), 2, **everyone)) == dealt(stud((0, 0, 0), 0, **everyone))
    assert dealt(stud((0, 1, 0), 3, **everyone))[2:] == [(0, 2, "4h"), (1, 2, "5h"), (2, 2, "6h")]


def test_the_pool_is_every_card_dealt_up_or_down() -> None:
    session = stud((0, 0), 10)
    assert pooled_result(name_on(session, "four 2, challenge")).proof.missing == 2
    assert pooled_result(name_on(session, "two-pair 32, challenge")).exists
    assert pooled_result(name_on(session, "straight-flush J h, challenge")).exists  # the tenth and jack lie face down
    assert not pooled_result(name_on(session, "straight-flush Q h, challenge")).exists


def test_the_card_comes_also_before_a_challenge() -> None:
    session = throw_in(queen_annes("queen-annes-stud", 2), "2c3c|4c5c", "pair K, challenge", "KhKs")
    assert pooled_result(session).exists


@pytest.mark.parametrize(("exit_losses", "alive"), [(6, (0, 1)), (5, (0,))])
def test_after_six_losses_a_player_is_out_or_after_five(exit_losses: int, alive: tuple[int, ...]) -> None:
    session = queen_annes("queen-annes-stud", 2, (0, 4), stud_exit_losses=exit_losses)
    session = throw_in(session, "2c3c|4c5c", "high 2, challenge", "KhKs")
    assert session.alive == alive


def test_with_five_losses_a_player_still_plays_his_two_cards() -> None:
    session = queen_annes("queen-annes-stud", 2, (5, 5))
    assert session.chance_spec().hand_sizes == (2, 2)
    assert dealt(stud((5, 5), 12)) == []


def test_the_deal_stops_when_the_deck_is_empty() -> None:
    session = queen_annes("queen-annes-stud", 10)
    session = session.deal(session.chance_spec().draw(Random(2).randrange))
    for _ in range(50):
        session = session.apply(session.legal().claims[0])
    assert session.round is not None
    assert session.round.standing.drawn == 32
    assert sorted(session.round.pool) == list(range(52))


def test_extras_may_stop_short_only_until_the_challenge() -> None:
    session = throw_in(queen_annes("queen-annes-stud", 2), "2c3c|4c5c", "high 2, high 3", "Kh")
    assert dealt(session) == [(0, 1, "Kh")]
    with pytest.raises(BadDeal, match="extras: 1 cards; 3 were dealt"):
        name_on(session, "challenge")


def test_no_card_stands_twice_among_hands_and_extras() -> None:
    for extras in ("2c", "KhKh"):
        with pytest.raises(BadDeal):
            throw_in(queen_annes("queen-annes-stud", 2), "2c3c|4c5c", extras=extras)
