"""Matches of Queen Anne's games: turns, challenges and losses. Source 004; RULES C1, C3 and C4."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import card_text, full_deck
from liarspoker.core.cards.match import count_in, is_won, next_alive, next_in, seats_in
from liarspoker.core.cards.match import mask_of as mask_of_seats
from liarspoker.core.errors import BadDeal, BadOption, BadRound, BadStart
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import CHALLENGE, challenge_by, losses_of, packed_losses
from tests.conformance.evenings import evening, random_session
from tests.rules.cards.matches import (
    POOLED_IDS,
    after_claims,
    cards,
    chances,
    code_of,
    play_pooled_round,
    queen_annes,
    queen_annes_result,
    random_action,
)
from tests.untyped import untyped

ANYONE: dict[str, object] = {"who_may_challenge": "anyone"}


def three(**options: object) -> QueenAnnesSession:
    """Return a match of three players with one card each."""
    return queen_annes("queen-annes", 3, (4, 4, 4), **options)


def dealt(game_id: str, seats: int = 3, losses: tuple[int, ...] | None = None) -> QueenAnnesSession:
    """Return a round with a random deal."""
    session = queen_annes(game_id, seats, losses)
    return session.deal(session.chance_spec().draw(Random(4).randrange))


@given(chances)
def test_each_round_costs_one_player_a_card_and_no_card_is_dealt_twice(chance: Random) -> None:
    for played in evening(random_session(chance.choice(POOLED_IDS), chance, 10), chance, 20):
        before, last = untyped(played.before), untyped(played.last)
        result, deck = queen_annes_result(last), list(full_deck(last.setup.rules.jokers))
        assert sum(last.losses) == sum(before.losses) + 1
        assert result.losses[result.loser] == before.losses[result.loser] + 1
        assert result.loser == (result.challenger if result.exists else result.claimant)
        deal: Any = played.deal
        pool, needs = last.round.pool, before.chance_spec()
        assert [len(hand) for hand in deal.hands] == list(needs.hand_sizes)
        if needs.extras:
            assert sorted((*pool, *deal.extras[last.round.state.drawn :])) == deck
        else:
            assert all(pool.count(card) <= deck.count(card) for card in pool)


# ---------------------------------------------------------------------------------------------- the turns


def test_the_first_player_must_name_a_hand_and_the_top_hand_can_only_be_challenged() -> None:
    session = play_pooled_round(three(), "2c|3d|4h")
    assert (session.phase, session.legal().answers) == ("open", ())
    assert code_of(session, "challenge") == "wrong-phase"
    legal = after_claims(session, "royal-flush s").legal()
    assert (legal.min_claim, legal.actions) == (None, (CHALLENGE,))


def test_turns_go_clockwise_and_skip_eliminated_players() -> None:
    session = play_pooled_round(queen_annes("queen-annes", 4, (4, 5, 4, 4)), "2c||3d|4h", "high 2, high 3")
    assert session.to_act == 3
    assert after_claims(session, "high 4").to_act == 0


def test_only_the_next_player_may_challenge() -> None:
    session = play_pooled_round(three(), "2c|3d|4h", "high 2")
    assert code_of(session, "challenge 2") == "unreadable-action"
    assert session.refusal(challenge_by(2)) != 0
    result = queen_annes_result(after_claims(dealt("queen-annes", 4), "high 2, high 3, high 4, challenge"))
    assert (result.claimant, result.challenger) == (2, 3)


def test_an_option_allows_challenges_out_of_turn() -> None:
    session = play_pooled_round(three(**ANYONE), "2c|3d|4h", "high 2")
    assert [session.write(action) for action in session.legal().answers] == ["challenge", "challenge 2"]
    assert session.read("challenge 1") == CHALLENGE
    result = queen_annes_result(after_claims(session, "challenge 2"))
    assert (result.challenger, result.loser) == (2, 2)
    # But not the claimant, seats that don't exist or are out, or any seat before the first claim.
    codes = {"challenge 0": "wrong-phase", "challenge 3": "unreadable-action", "challenge -1": "unreadable-action"}
    assert {text: code_of(session, text) for text in codes} == codes
    four = play_pooled_round(queen_annes("queen-annes", 4, (4, 5, 4, 4), **ANYONE), "2c||3d|4h")
    assert code_of(four, "challenge 3") == code_of(after_claims(four, "high 2"), "challenge 1") == "wrong-phase"


# ------------------------------------------------------------------------------------------- the challenge


def test_the_challenger_loses_if_the_hand_exists() -> None:
    result = queen_annes_result(play_pooled_round(three(), "7c|7d|4h", "pair 7, challenge"))
    assert (result.exists, result.claimant, result.challenger, result.loser) == (True, 0, 1, 1)
    assert [card_text(card) for card in result.proof.cards] == ["7c", "7d"]
    assert (result.losses, result.alive, result.next_opener) == ((4, 5, 4), (0, 2), 2)


def test_the_claimant_loses_if_the_hand_does_not_exist_even_with_better_cards() -> None:
    result = queen_annes_result(play_pooled_round(three(), "7c|7d|7h", "pair 8, challenge"))
    assert (result.exists, result.loser, result.proof.missing) == (False, 0, 2)
    assert [reason.rule for reason in result.why] == ["missing", "out", "after-loser-opens"]


@pytest.mark.parametrize(
    ("claim", "there", "missing"),
    [
        ("high 4", "2c3c4d5h6s", "2c3c5d6hAs"),
        ("pair 7", "7c7d2h3s4d", "8c8d2h3s4d"),  # a higher pair is a different hand
        ("two-pair J8", "8cJd8hJs4d", "8cQd8hQs4d"),
        ("flush KJ752 c", "2c5c7cJcKc", "2c5c7cJcAc"),
        ("flush KJ752 c", "2c5c7cJcKc", "2d5d7dJdKd"),
        ("full-house AT", "AcAdAhTsTd", "AcAdThTsTd"),
    ],
)
def test_named_hands_are_specific_as_in_the_source(claim: str, there: str, missing: str) -> None:
    exists = {
        pool: queen_annes_result(
            play_pooled_round(queen_annes("queen-annes", 2, (0, 4)), f"{pool}|Ks", f"{claim}, challenge")
        ).exists
        for pool in (there, missing)
    }
    assert exists == {there: True, missing: False}


def test_wild_cards_are_optional() -> None:
    pool = "Jk|7c|2d"
    for options, exists in ({"jokers": 1, "wild_ranks": "2"}, True), ({"jokers": 1}, False):
        assert queen_annes_result(play_pooled_round(three(**options), pool, "three 7, challenge")).exists is exists


def test_each_loss_costs_a_card_and_the_last_one_the_match() -> None:
    session = queen_annes("queen-annes", 2)
    chance = Random(1)
    for cards_left in (5, 4, 3, 2, 1):
        assert session.chance_spec().hand_sizes == (cards_left, 5)
        session = session.deal(session.chance_spec().draw(chance.randrange), RoundSetup(opener=0))
        assert session.view(0).hand_sizes == (cards_left, 5)
        session = after_claims(session, "royal-flush s, challenge")
    assert session.winner == 1


@pytest.mark.parametrize("game_id", ["queen-annes", "queen-annes-indian"])
def test_players_without_cards_are_out(game_id: str) -> None:
    session = play_pooled_round(queen_annes(game_id, 3, (4, 0, 0)), "2c|4c5c6c7c8c|4d5d6d7d8d", "high A, challenge")
    assert (session.losses, session.alive, session.chance_spec().hand_sizes) == ((5, 0, 0), (1, 2), (0, 5, 5))


def test_who_opens_next() -> None:
    opens = {("loser", 7): 1, ("loser", 8): 0, ("winner", 7): 0, ("winner", 8): 1, ("rotate", 7): 1}
    for (rule, named), opener in opens.items():
        session = queen_annes("queen-annes", 3, (3, 3, 3), next_opener=rule)
        assert play_pooled_round(session, "7c7s|7d2c|4h5h", f"pair {named}, challenge").next_opener == opener
    # The turn rotates over the players still in; the winner opens even if the loser is out.
    assert play_pooled_round(three(next_opener="rotate"), "7c|7d|4h", "pair 7, challenge").next_opener == 2
    session = play_pooled_round(three(next_opener="winner"), "7c|7d|4h", "pair 8, challenge")
    assert (session.alive, session.next_opener) == ((1, 2), 1)


def test_indian_poker_differs_only_in_visible_cards() -> None:
    chance = Random(3)
    for _ in range(5):
        plain, indian = queen_annes("queen-annes", 3), queen_annes("queen-annes-indian", 3)
        while plain.winner is None:
            assert indian.chance_spec() == plain.chance_spec()
            deal = plain.chance_spec().draw(chance.randrange)
            plain, indian = plain.deal(deal), indian.deal(deal)
            while plain.in_play:
                assert (indian.to_act, list(indian.legal().actions)) == (plain.to_act, list(plain.legal().actions))
                action = random_action(plain, chance)
                plain, indian = plain.apply(action), indian.apply(action)
            assert indian.round_result == plain.round_result
        assert indian.winner == plain.winner


# --------------------------------------------------------------------------------------------- what is refused


def test_text_that_is_not_an_action_is_rejected() -> None:
    session = play_pooled_round(three(), "2c|3d|4h")
    texts = ["pair 7", "claim", "claim all red", "claim 7", "claim pair X", "declare pair 7", "take", ""]
    assert {code_of(session, text) for text in (*texts, "claim pair 7 x")} == {"unreadable-action"}
    for text in ("claim flush K J 7 5 2 c", " claim  flush KJ 752  c ", "claim flush KJ752 c"):
        assert session.write(session.read(text)) == "claim flush KJ752 c"


@pytest.mark.parametrize("hands", ["2c|3d", "2c|3d|4h|5h", "2c|3d|4h5h", "2c|3d|", "2c|3d|2c", "2c|3d|Jk", "2c|3d|??"])
def test_impossible_deals_are_rejected(hands: str) -> None:
    with pytest.raises(BadDeal):
        play_pooled_round(three(), hands)


def test_jokers_need_the_option_and_extra_cards_need_stud() -> None:
    play_pooled_round(three(jokers=2), "Jk|Jk|4h")
    with pytest.raises(BadDeal, match="2 jokers; the option jokers is 1"):
        play_pooled_round(three(jokers=1), "Jk|Jk|4h")
    with pytest.raises(BadDeal, match="no extra cards"):
        play_pooled_round(three(), "2c|3d|4h", extras="5h")


@pytest.mark.parametrize("losses", ["000", 5, [0, "1", 0], [0, 1.0, 0], [0, True, 0], [0, None, 0]])
def test_losses_of_the_wrong_type_are_rejected(losses: Any) -> None:
    with pytest.raises(BadStart, match="losses"):
        catalogue.load("queen-annes").session(3, losses=losses)


def test_losses_may_be_an_array() -> None:
    given: Any = np.array([1, 0, 2])
    session: Any = catalogue.load("queen-annes").session(3, losses=given)
    assert session == catalogue.load("queen-annes").session(3, losses=(1, 0, 2))
    assert {type(lost) for lost in session.losses} == {int}


def test_a_match_may_begin_with_losses_and_the_first_seat_still_in_opens() -> None:
    session = queen_annes("queen-annes", 3, (5, 2, 0))
    assert (session.alive, session.next_opener, session.chance_spec().hand_sizes) == ((1, 2), 1, (0, 3, 5))
    assert queen_annes("queen-annes", 3, (5, 5, 0)).winner == 2
    for losses in [(0, 0), (0, 0, 0, 0), (0, -1, 0), (0, 6, 0), (5, 5, 5)]:
        with pytest.raises(BadStart) as refused:
            queen_annes("queen-annes", 3, losses)
        assert refused.value.code == "bad-record"


def test_the_table_may_choose_an_opener_who_is_still_in() -> None:
    session = queen_annes("queen-annes", 3, (5, 4, 4))
    assert play_pooled_round(session, "|2c|3c", opener=2).to_act == 2
    for seat in (0, 3, -1):
        with pytest.raises(BadRound):
            play_pooled_round(session, "|2c|3c", opener=seat)


@pytest.mark.parametrize(
    "options", [{"stud_exit_losses": 5}, {"wild_ranks": "1"}, {"wild_ranks": "2,9"}, {"wild_ranks": "292"}]
)
def test_unknown_options_are_rejected(options: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        queen_annes("queen-annes", 3, **options)
    assert three(wild_ranks="92", jokers=1).option_changes() == {"jokers": 1, "wild_ranks": "92"}


# ------------------------------------------------------------------------------------------------ on ints


@given(st.sets(st.integers(0, 9), min_size=1).map(lambda seats: tuple(sorted(seats))), st.integers(0, 9))
def test_seats_convert_to_a_mask_and_back(alive: tuple[int, ...], seat: int) -> None:
    mask = mask_of_seats(alive)
    assert (seats_in(mask), count_in(mask), is_won(mask)) == (alive, len(alive), len(alive) == 1)
    following = min(alive, key=lambda other: (other - seat - 1) % 10)
    assert next_in(seat, mask) == next_alive(seat, alive) == following


def test_losses_are_packed_and_unpacked() -> None:
    for losses in product((0, 3, 6), repeat=3):
        assert tuple(losses_of(seat, packed_losses(losses)) for seat in range(3)) == losses


def test_the_loser_gets_one_card_less_in_the_next_round() -> None:
    session = play_pooled_round(queen_annes("queen-annes", 3, (3, 3, 3)), "2c3c|4c5c|6c7c", "high A, challenge")
    assert session.chance_spec().hand_sizes == (1, 2, 2)
    assert play_pooled_round(session, "2c|4c5c|6c7c").view(0).known == cards("2c")
