"""Which extra card comes when. Source 004, Variant 2; RULES C4."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import UNKNOWN, card_text
from liarspoker.core.errors import BadDeal
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import extra_slot
from tests.inside import inside
from tests.rules.cards.matches import name_on, pooled_result, queen_annes, queen_annes_rules, throw_in

CLIMB = ["high 2", "high 3", "high 4", "high 5", "high 6", "high 7", "high 8", "high 9", "high T", "high J", "high Q"]
EXTRAS = "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"
LONG = len(CLIMB)


def stud(losses: tuple[int, ...], climbs: int, **options: object) -> QueenAnnesSession:
    session = queen_annes("queen-annes-stud", len(losses), losses, **options)
    hands = "|".join(["2c3c", "4c5c", "6c7c"][: len(losses)])
    return throw_in(session, hands, ",".join(CLIMB[:climbs]), EXTRAS)


def dealt(session: QueenAnnesSession) -> str:
    """The further cards, each with its seat and turn, those face down in brackets."""
    texts = [(extra, f"{extra.seat}{extra.turn}{card_text(extra.card)}") for extra in inside(session).round.extras]
    return " ".join(text if extra.face_up else f"({text})" for extra, text in texts)


@pytest.mark.parametrize(
    ("losses", "climbs", "options", "cards"),
    [
        # Before each player acts a card is dealt, four up and one down.
        ((0, 0), 0, {}, "012h"),
        ((0, 0), LONG, {}, "012h 113h 024h 125h 036h 137h 048h 149h (05Th) (15Jh)"),
        # Who has lost goes without his first cards; if all have, the first is ignored.
        ((0, 2), 5, {}, "012h 023h 034h 135h"),
        ((1, 2), 3, {}, "012h 023h 124h"),
        ((1, 1), LONG, {}, "012h 113h 024h 125h 036h 137h (048h) (149h)"),
        ((5, 5), LONG, {}, ""),
        # Or common losses are forgiven, or the extra cards begin at once.
        ((1, 2), 4, {"stud_everyone_lost": "forgive"}, "012h 023h 124h 035h"),
        ((1, 2), LONG, {"stud_everyone_lost": "forgive"}, "012h 023h 124h 035h 136h 047h 148h (059h) (15Th)"),
        ((0, 3), 3, {"stud_everyone_lost": "at_once"}, "012h 113h 024h (125h)"),
        # Everyone may get a card when the opener is to act.
        ((0, 0, 0), 0, {"stud_deal_to": "everyone"}, "012h 113h 214h"),
        ((0, 0, 0), 2, {"stud_deal_to": "everyone"}, "012h 113h 214h"),
        ((0, 1, 0), 3, {"stud_deal_to": "everyone"}, "012h 213h 024h 125h 226h"),
    ],
)
def test_on_each_turn_a_card_is_dealt_before_the_player_acts_four_up_and_one_down(
    losses: tuple[int, ...], climbs: int, options: dict[str, object], cards: str
) -> None:
    assert dealt(stud(losses, climbs, **options)) == cards


@given(st.lists(st.integers(0, 5), min_size=2, max_size=8))
def test_in_every_turn_somebody_receives_a_card_until_the_slots_are_used_up(losses: list[int]) -> None:
    rules, common = queen_annes_rules("queen-annes-stud", len(losses)), min(losses)
    for turn in range(1, 8):
        slots = [extra_slot(turn, lost, common, rules) for lost in losses]
        assert any(slots) == (turn <= 5 - common)
        assert set(slots) - {0} <= {turn + common}


def test_each_player_gets_two_cards_face_down_in_every_round_and_sees_his_own_last_card_alone() -> None:
    for losses in ((0, 0, 0), (5, 2, 0)):
        session = queen_annes("queen-annes-stud", 3, losses)
        session = session.deal(session.chance_spec().draw(Random(4).randrange))
        for seat in range(3):
            assert session.view(seat).hand_sizes == (2, 2, 2)
            assert [len(hand) for hand in session.view(seat).seen] == [2 * (owner == seat) for owner in range(3)]
    for viewer in (0, 1):
        for extra in stud((0, 0), LONG).view(viewer).extras:
            assert extra.face_up == (extra.turn < 5)
            assert (extra.card == UNKNOWN) == (extra.turn == 5 and extra.seat != viewer)


def test_the_pool_is_every_card_dealt_up_or_down_also_before_a_challenge() -> None:
    session = stud((0, 0), 10)
    assert pooled_result(name_on(session, "four 2, challenge")).proof.missing == 2
    # The tenth and jack lie face down.
    exists = {"two-pair 32": True, "straight-flush J h": True, "straight-flush Q h": False}
    assert {text: pooled_result(name_on(session, f"{text}, challenge")).exists for text in exists} == exists
    two = throw_in(queen_annes("queen-annes-stud", 2), "2c3c|4c5c", "pair K, challenge", "KhKs")
    assert pooled_result(two).exists


@pytest.mark.parametrize(("exit_losses", "alive"), [(6, (0, 1)), (5, (0,))])
def test_after_six_losses_a_player_is_out_or_after_five(exit_losses: int, alive: tuple[int, ...]) -> None:
    session = queen_annes("queen-annes-stud", 2, (0, 4), stud_exit_losses=exit_losses)
    assert throw_in(session, "2c3c|4c5c", "high 2, challenge", "KhKs").alive == alive


def test_the_deal_stops_when_the_deck_is_empty() -> None:
    session = queen_annes("queen-annes-stud", 10)
    session = session.deal(session.chance_spec().draw(Random(2).randrange))
    for _ in range(50):
        session = session.apply(session.legal().claims[0])
    assert inside(session).round.standing.drawn == 32
    assert sorted(inside(session).round.pool) == list(range(52))


def test_extras_are_whole_at_the_challenge_and_no_card_stands_twice_among_them() -> None:
    session = throw_in(queen_annes("queen-annes-stud", 2), "2c3c|4c5c", "high 2, high 3", "Kh")
    assert dealt(session) == "01Kh"
    with pytest.raises(BadDeal, match="extras: 1 cards; 3 were dealt"):
        name_on(session, "challenge")
    for extras in ("2c", "KhKh"):
        with pytest.raises(BadDeal):
            throw_in(queen_annes("queen-annes-stud", 2), "2c3c|4c5c", extras=extras)
