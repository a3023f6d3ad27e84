"""Queen Anne's games as their document tells them, where no other test here says the same. Source 004."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from liarspoker.core.cards.deck import JOKER, UNKNOWN
from liarspoker.games.queen_annes.session import QueenAnnesSession
from tests.rules.cards.matches import (
    POOLED_IDS,
    any_move,
    cards,
    code_of,
    name_on,
    pooled_result,
    queen_annes,
    throw_in,
)

ORDER = [
    "high 4",
    "pair 4",
    "two-pair 43",
    "three 4",
    "straight 8",
    "flush KJ752 c",
    "full-house 43",
    "four 4",
    "straight-flush 8 c",
    "royal-flush c",
]


def dealt(game_id: str, seats: int = 3, losses: tuple[int, ...] | None = None, **options: object) -> QueenAnnesSession:
    """A round of a match, dealt by chance."""
    session = queen_annes(game_id, seats, losses, **options)
    return session.deal(session.chance_spec().draw(Random(4).randrange))


# ------------------------------------------------------------------------------------------------ rules


def test_each_player_is_dealt_five_cards() -> None:
    assert queen_annes("queen-annes", 4).chance_spec().hand_sizes == (5, 5, 5, 5)
    assert dealt("queen-annes", 4).view(2).hand_sizes == (5, 5, 5, 5)


def test_the_named_hand_may_be_made_of_all_players_cards() -> None:
    session = throw_in(queen_annes("queen-annes", 3, (4, 4, 4)), "7c|7d|7h", "three 7, challenge")
    assert pooled_result(session).exists


@pytest.mark.parametrize(
    ("claim", "pool", "exists"),
    [
        ("pair 7", "7c7d2h3s4d", True),
        ("pair 7", "8c8d2h3s4d", False),  # a higher pair is another hand
        ("two-pair J8", "8cJd8hJs4d", True),
        ("two-pair J8", "8cQd8hQs4d", False),
        ("flush KJ752 c", "2c5c7cJcKc", True),
        ("flush KJ752 c", "2c5c7cJcAc", False),
        ("flush KJ752 c", "2d5d7dJdKd", False),
        ("full-house AT", "AcAdAhTsTd", True),
        ("full-house AT", "AcAdThTsTd", False),
    ],
)
def test_the_hands_of_the_document_are_specific(claim: str, pool: str, exists: bool) -> None:
    session = throw_in(queen_annes("queen-annes", 2, (0, 4)), f"{pool}|3c", f"{claim}, challenge")
    assert pooled_result(session).exists is exists


@pytest.mark.parametrize(
    "claim", ["pair", "two-pair 8", "two-pair", "flush c", "flush K c", "full-house A", "straight"]
)
def test_a_hand_that_is_not_specific_cannot_be_named(claim: str) -> None:
    assert code_of(dealt("queen-annes"), f"claim {claim}") == "no-such-claim"


def test_in_turn_each_player_names_a_higher_hand() -> None:
    session = dealt("queen-annes")
    for turn, claim in enumerate(ORDER):
        assert session.to_act == turn % 3
        session = name_on(session, claim)
        assert code_of(session, f"claim {claim}") == "not-stronger"


def test_only_the_previous_player_is_challenged() -> None:
    session = name_on(dealt("queen-annes", 4), "high 2, high 3, high 4, challenge")
    result = pooled_result(session)
    assert (result.claimant, result.challenger) == (2, 3)


@pytest.mark.parametrize("game_id", POOLED_IDS)
def test_one_of_the_two_loses_and_nobody_else(game_id: str) -> None:
    for claims in ("high 2", "high 2, royal-flush s"):
        result = pooled_result(name_on(dealt(game_id, 4), f"{claims}, challenge"))
        assert result.loser == (result.challenger if result.exists else result.claimant)
        assert result.losses == tuple(int(seat == result.loser) for seat in range(4))


def test_the_loser_sees_one_card_less_in_the_next_round() -> None:
    session = throw_in(queen_annes("queen-annes", 3, (3, 3, 3)), "2c3c|4c5c|6c7c", "high A, challenge")
    assert session.chance_spec().hand_sizes == (1, 2, 2)
    session = throw_in(session, "2c|4c5c|6c7c")
    assert session.view(0).known == cards("2c")


@pytest.mark.parametrize("game_id", ["queen-annes", "queen-annes-indian"])
def test_who_runs_out_of_cards_is_out(game_id: str) -> None:
    session = throw_in(queen_annes(game_id, 3, (4, 0, 0)), "2c|4c5c6c7c8c|4d5d6d7d8d", "high A, challenge")
    assert session.losses == (5, 0, 0)
    assert session.alive == (1, 2)
    assert session.chance_spec().hand_sizes == (0, 5, 5)


# ------------------------------------------------------------------------------- Liars' Indian Poker


def test_indian_poker_is_played_as_liars_poker_but_for_what_is_seen() -> None:
    chance = Random(3)
    for _ in range(5):
        plain, indian = queen_annes("queen-annes", 3), queen_annes("queen-annes-indian", 3)
        while plain.winner is None:
            assert indian.chance_spec() == plain.chance_spec()
            deal = plain.chance_spec().draw(chance.randrange)
            plain, indian = plain.deal(deal), indian.deal(deal)
            while plain.in_play:
                assert indian.to_act == plain.to_act
                assert list(indian.legal().actions) == list(plain.legal().actions)
                action = any_move(plain, chance)
                plain, indian = plain.apply(action), indian.apply(action)
            assert indian.round_result == plain.round_result
        assert indian.winner == plain.winner


def test_everyone_but_himself_sees_a_players_cards() -> None:
    plain, indian = dealt("queen-annes"), dealt("queen-annes-indian")
    for seat in range(3):
        own, others = plain.view(seat).seen, indian.view(seat).seen
        assert [bool(hand) for hand in own] == [owner == seat for owner in range(3)]
        assert [bool(hand) for hand in others] == [owner != seat for owner in range(3)]


# ----------------------------------------------------------------------------------------- Liars' Stud


def test_in_stud_each_player_gets_two_cards_face_down_in_every_round() -> None:
    for losses in ((0, 0, 0), (5, 2, 0)):
        session = dealt("queen-annes-stud", 3, losses)
        assert session.view(0).hand_sizes == (2, 2, 2)
        for seat in range(3):
            assert [len(hand) for hand in session.view(seat).seen] == [2 * (owner == seat) for owner in range(3)]


def test_up_to_five_extra_cards_come_to_each_player_up_up_up_up_down() -> None:
    session = dealt("queen-annes-stud", 2)
    for _ in range(14):
        session = session.apply(session.legal().claims[0])
    for seat in (0, 1):
        extras = [extra for extra in session.view(seat).extras if extra.seat == seat]
        assert [extra.face_up for extra in extras] == [True, True, True, True, False]
        assert UNKNOWN not in [extra.card for extra in extras]
        hidden = [extra.card == UNKNOWN for extra in session.view(1 - seat).extras if extra.seat == seat]
        assert hidden == [False, False, False, False, True]


@pytest.mark.parametrize("losses", range(6))
def test_each_loss_omits_one_extra_card_the_first_ones(losses: int) -> None:
    session = dealt("queen-annes-stud", 2, (0, losses))
    for _ in range(14):
        session = session.apply(session.legal().claims[0])
    turns = [extra.turn for extra in session.view(1).extras if extra.seat == 1]
    assert turns == list(range(losses + 1, 6))


def test_what_all_have_lost_is_left_out_so_that_the_first_turn_brings_somebody_a_card() -> None:
    for losses in ((1, 1), (1, 3), (4, 2), (4, 4)):
        session = dealt("queen-annes-stud", 2, losses)
        session = session.apply(session.legal().claims[0])
        assert {extra.turn for extra in session.view(0).extras} == {1}


# ---------------------------------------------------------------------------------------------- notes


def test_hands_are_ordered_as_the_document_orders_them() -> None:
    for lower, higher in pairwise(ORDER):
        session = name_on(dealt("queen-annes"), lower)
        assert code_of(session, f"claim {higher}") == "legal"
        assert code_of(name_on(session, higher), f"claim {lower}") == "not-stronger"


@pytest.mark.parametrize("hand", ["flush KJ752", "straight-flush 9", "royal-flush"])
def test_suits_rank_clubs_diamonds_hearts_spades(hand: str) -> None:
    session = dealt("queen-annes")
    for suit in "cdhs":
        session = name_on(session, f"{hand} {suit}")
        assert code_of(session, f"claim {hand} c") == "not-stronger"


def test_high_card_four_is_there_if_one_four_is_whatever_else_there_is() -> None:
    session = throw_in(queen_annes("queen-annes", 2, (4, 4)), "4c|Ac", "high 4, challenge")
    assert pooled_result(session).exists
    session = throw_in(queen_annes("queen-annes", 2, (4, 4)), "5c|Ac", "high 4, challenge")
    assert not pooled_result(session).exists


def test_wild_cards_are_played_with_if_the_table_likes() -> None:
    pool = "Jk|7c|2d"
    for options, exists in ({"jokers": 1, "wild_ranks": "2"}, True), ({"jokers": 1}, False):
        session = throw_in(queen_annes("queen-annes", 3, (4, 4, 4), **options), pool, "three 7, challenge")
        assert pooled_result(session).exists is exists
    deck = queen_annes("queen-annes", 10).chance_spec().draw(Random(1).randrange).hands
    assert JOKER not in [card for hand in deck for card in hand]


# --------------------------------------------------------------------------------------------- credits


def test_flushes_may_be_called() -> None:
    assert code_of(dealt("queen-annes"), "claim flush KJ752 c") == "legal"
