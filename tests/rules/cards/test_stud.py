"""The extra cards of Stud. Source 004, Variant 2; RULES C4."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import UNKNOWN, card_text
from liarspoker.core.errors import BadDeal
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import extra_slot
from tests.rules.cards.matches import (
    after_claims,
    play_pooled_round,
    queen_annes,
    queen_annes_result,
    queen_annes_rules,
)
from tests.untyped import untyped

CLIMB = ["high 2", "high 3", "high 4", "high 5", "high 6", "high 7", "high 8", "high 9", "high T", "high J", "high Q"]
EXTRAS = "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"
LONG = len(CLIMB)


def stud(losses: tuple[int, ...], climbs: int, **options: object) -> QueenAnnesSession:
    session = queen_annes("queen-annes-stud", len(losses), losses, **options)
    hands = "|".join(["2c3c", "4c5c", "6c7c"][: len(losses)])
    return play_pooled_round(session, hands, ",".join(CLIMB[:climbs]), EXTRAS)


def dealt(session: QueenAnnesSession) -> str:
    """Return the extra cards with seat and turn, face-down ones in brackets."""
    texts = [(extra, f"{extra.seat}{extra.turn}{card_text(extra.card)}") for extra in untyped(session).round.extras]
    return " ".join(text if extra.face_up else f"({text})" for extra, text in texts)


@pytest.mark.parametrize(
    ("losses", "climbs", "options", "cards"),
    [
        # A card is dealt before each turn: four face up, one face down.
        ((0, 0), 0, {}, "012h"),
        ((0, 0), LONG, {}, "012h 113h 024h 125h 036h 137h 048h 149h (05Th) (15Jh)"),
        # Losses cost the first extra cards; if all players have lost, the first slot is skipped.
        ((0, 2), 5, {}, "012h 023h 034h 135h"),
        ((1, 2), 3, {}, "012h 023h 124h"),
        ((1, 1), LONG, {}, "012h 113h 024h 125h 036h 137h (048h) (149h)"),
        ((5, 5), LONG, {}, ""),
        # Alternatively, common losses are ignored, or extra cards start on the first turn.
        ((1, 2), 4, {"stud_everyone_lost": "forgive"}, "012h 023h 124h 035h"),
        ((1, 2), LONG, {"stud_everyone_lost": "forgive"}, "012h 023h 124h 035h 136h 047h 148h (059h) (15Th)"),
        ((0, 3), 3, {"stud_everyone_lost": "at_once"}, "012h 113h 024h (125h)"),
        # By an option, all players get a card when the opener is to act.
        ((0, 0, 0), 0, {"stud_deal_to": "everyone"}, "012h 113h 214h"),
        ((0, 0, 0), 2, {"stud_deal_to": "everyone"}, "012h 113h 214h"),
        ((0, 1, 0), 3, {"stud_deal_to": "everyone"}, "012h 213h 024h 125h 226h"),
    ],
)
def test_extra_cards_are_dealt_before_each_turn_four_up_and_one_down(
    losses: tuple[int, ...], climbs: int, options: dict[str, object], cards: str
) -> None:
    assert dealt(stud(losses, climbs, **options)) == cards


@given(st.lists(st.integers(0, 5), min_size=2, max_size=8))
def test_some_player_gets_a_card_on_every_turn_until_the_slots_are_used(losses: list[int]) -> None:
    rules, common = queen_annes_rules("queen-annes-stud", len(losses)), min(losses)
    for turn in range(1, 8):
        slots = [extra_slot(turn, lost, common, rules) for lost in losses]
        assert any(slots) == (turn <= 5 - common)
        assert set(slots) - {0} <= {turn + common}


@pytest.mark.parametrize("everyone_lost", ["skip_slot", "forgive", "at_once"])
@pytest.mark.parametrize("losses", [(0, 0), (1, 1), (1, 2), (3, 1), (2, 4)])
def test_a_result_gives_the_most_extra_cards_that_the_loser_gets_in_the_next_round(
    losses: tuple[int, ...], everyone_lost: str
) -> None:
    session = after_claims(stud(losses, 1, stud_everyone_lost=everyone_lost), "challenge")
    result = queen_annes_result(session)
    later = play_pooled_round(session, "2c3c|4c5c", ",".join(CLIMB), EXTRAS)
    cards = sum(extra.seat == result.loser for extra in untyped(later).round.extras)
    assert [reason.amount for reason in result.why if reason.rule == "extras-left"] == [cards]


def test_players_get_two_hole_cards_and_only_they_see_their_last_extra_card() -> None:
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


def test_the_pool_has_all_cards_dealt_even_just_before_a_challenge() -> None:
    session = stud((0, 0), 10)
    assert queen_annes_result(after_claims(session, "four 2, challenge")).proof.missing == 2
    # The ten and the jack are face down.
    exists = {"two-pair 32": True, "straight-flush J h": True, "straight-flush Q h": False}
    assert {text: queen_annes_result(after_claims(session, f"{text}, challenge")).exists for text in exists} == exists
    two = play_pooled_round(queen_annes("queen-annes-stud", 2), "2c3c|4c5c", "pair K, challenge", "KhKs")
    assert queen_annes_result(two).exists


@pytest.mark.parametrize(("exit_losses", "alive"), [(6, (0, 1)), (5, (0,))])
def test_a_player_is_out_after_six_losses_or_five(exit_losses: int, alive: tuple[int, ...]) -> None:
    session = queen_annes("queen-annes-stud", 2, (0, 4), stud_exit_losses=exit_losses)
    assert play_pooled_round(session, "2c3c|4c5c", "high 2, challenge", "KhKs").alive == alive


def test_dealing_stops_when_the_deck_is_empty() -> None:
    session = queen_annes("queen-annes-stud", 10)
    session = session.deal(session.chance_spec().draw(Random(2).randrange))
    for _ in range(50):
        session = session.apply(session.legal().claims[0])
    assert untyped(session).round.state.drawn == 32
    assert sorted(untyped(session).round.pool) == list(range(52))


def test_extra_cards_are_complete_at_a_challenge_and_unique() -> None:
    session = play_pooled_round(queen_annes("queen-annes-stud", 2), "2c3c|4c5c", "high 2, high 3", "Kh")
    assert dealt(session) == "01Kh"
    with pytest.raises(BadDeal, match="extras: 1 cards; 3 were dealt"):
        after_claims(session, "challenge")
    for extras in ("2c", "KhKh"):
        with pytest.raises(BadDeal):
            play_pooled_round(queen_annes("queen-annes-stud", 2), "2c3c|4c5c", extras=extras)
