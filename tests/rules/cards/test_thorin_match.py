"""A match of Thorin's game: taking, challenging, passing. Source 002; RULES B1, B4 to B6."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from liarspoker.core.cards.deck import full_deck
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.core.errors import BadOption, BadRound, BadSeats, IllegalAction
from liarspoker.core.session import RoundSetup
from liarspoker.games.thorin.actions import CHALLENGE, cards_of, is_discard
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.games.thorin.notation import write_value
from liarspoker.games.thorin.options import NAMED_OPTIONS
from liarspoker.games.thorin.session import ThorinSession
from tests.conformance.evenings import evening, random_session
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

ROYAL = "straight-flush A"
ACES = "AcAdAhAsKc"
WORST_HAND = "7c5d4h3s2c"


def hand_of(session: ThorinSession) -> tuple[int, ...]:
    """Return the hand, which only the rules can see."""
    return tuple(untyped(session).round.hand)


@given(chances)
def test_a_match_loses_no_cards_and_each_round_eliminates_one_player(chance: Random) -> None:
    for played in evening(random_session("thorin", chance, 6), chance, 20):
        assert played.dealt.to_act == (
            played.before.next_opener if played.setup.opener is None else played.setup.opener
        )
        deck, floor = sorted(full_deck(untyped(played.dealt).setup.rules.jokers)), -1
        for session in map(untyped, played.states):
            assert all_cards(session) == deck
            assert session.round.floor >= floor
            floor = session.round.floor
        result = thorin_result(untyped(played.last))
        assert len(result.alive) == len(played.before.alive) - (not result.thrown_in)
        assert result.loser not in result.alive


# ------------------------------------------------------------------------------------------------- the deal


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_a_standard_deck_of_52_cards_is_dealt_and_jokers_are_optional(jokers: int) -> None:
    deck = thorin(4, jokers=jokers).chance_spec().draw(Random(2).randrange).deck
    assert sorted(deck or ()) == list(full_deck(jokers))
    assert len(full_deck(jokers)) == 52 + jokers


def test_every_card_can_come_first() -> None:
    chance = Random(2)
    decks = [thorin(2).chance_spec().draw(chance.randrange).deck for _ in range(600)]
    assert {deck[0] for deck in decks if deck} == set(range(52))


# -------------------------------------------------------------------------------------------------- a round

PAIR = "declare pair"
RAISED = f"{PAIR}, pass, take, discard -, declare pair 7"
SITUATIONS = {
    # After these actions of four players: the phase, the seat to act and its first legal answer.
    (0, ""): ("declare", 0, ""),
    (0, PAIR): ("respond", 1, "take, challenge"),
    (0, f"{PAIR}, take"): ("discard", 1, "discard -, discard Ac, discard Ad"),
    (0, f"{PAIR}, take, discard -"): ("declare", 1, ""),
    (0, f"{PAIR}, take, discard -, declare pair 3"): ("respond", 2, "take, challenge"),
    (0, f"{PAIR}, challenge"): ("over", None, ""),
    (1, PAIR): ("respond", 1, "take, challenge, pass"),
    (1, f"{PAIR}, pass"): ("respond", 2, "take, challenge, pass"),
    (1, RAISED): ("respond", 3, "take, challenge, pass"),
    (1, f"{RAISED}, pass, pass"): ("respond", 1, "take, challenge"),
    (0, f"declare {ROYAL}"): ("respond", 1, "challenge"),  # the best hand can be challenged, but not taken
}


def test_phase_seat_and_actions_after_moves() -> None:
    found = {}
    for passes, actions in SITUATIONS:
        session = play_thorin_round(thorin(4, passes=passes), ACES, actions)
        answers = ", ".join(map(session.write, session.legal().answers[:3]))
        found[passes, actions] = (session.phase, session.to_act, answers)
    assert found == SITUATIONS


@pytest.mark.parametrize(
    ("phase", "actions", "legal"),
    [
        ("declare", "", {"declare pair"}),
        ("respond", "declare pair", {"take", "challenge", "pass"}),
        ("discard", "declare pair, take", {"discard Ac"}),
    ],
)
def test_each_phase_has_its_own_actions(phase: str, actions: str, legal: set[str]) -> None:
    """`wrong-phase` is reported before other errors."""
    session = play_thorin_round(thorin(3, passes=1), f"{ACES}Qc", actions)
    assert session.phase == phase
    for text in ("declare pair", "take", "challenge", "pass", "discard Ac", f"show {ACES}"):
        assert code_of(session, text) == ("legal" if text in legal else "wrong-phase")
    if phase == "respond":
        wrong = ("declare two-pair 37", "discard TsTs", "discard 9s9s", "show AcAcAcAcAc", "show ????????Ah")
        assert {code_of(session, text) for text in wrong} == {"wrong-phase"}


def test_only_the_opener_draws_a_hand() -> None:
    session = play_thorin_round(thorin(3), "AcKdQhJs9c" + "2c3c4c")
    assert hand_of(session) == cards("AcKdQhJs9c")
    assert [session.view(seat).hand for seat in range(3)] == [cards("AcKdQhJs9c"), None, None]


def test_legal_declarations_do_not_depend_on_the_hand() -> None:
    for text in ("pair", "two-pair", "full-house AK", ROYAL, "high 76"):
        lie = play_thorin_round(thorin(3), WORST_HAND, f"declare {text}, challenge")
        assert thorin_result(lie).truthful is False
    weak, strong = (play_thorin_round(thorin(3), hand).legal() for hand in (WORST_HAND, "AcKcQcJcTc"))
    assert weak.min_claim == strong.min_claim
    assert list(weak.claims) == list(strong.claims)


def test_the_first_declaration_must_beat_the_weakest_hand() -> None:
    session = play_thorin_round(thorin(3), WORST_HAND)
    assert session.write(session.legal().min_claim or 0) == "declare high 76432"
    for claim in session.legal().claims[:400]:
        assert thorin_result(session.apply(claim).apply(CHALLENGE)).truthful is False


def test_taking_the_hand_makes_the_player_active() -> None:
    session = play_thorin_round(thorin(3), f"{ACES}2c", "declare pair")
    state = session.view(2).state
    assert state is not None
    assert (state.active, state.claimant, session.to_act) == (0, 0, 1)
    taken = after_actions(session, "take")
    assert (untyped(taken).round.state.active, taken.view(1).hand) == (1, cards(ACES))


@pytest.mark.parametrize("discarded", ["-", "Kc", "AcKc", "AcAdKc", "AcAdAhKc", ACES])
def test_the_active_player_discards_up_to_five_cards_and_draws_as_many(discarded: str) -> None:
    session = play_thorin_round(thorin(3), ACES + "2c3c4c5c6c", f"declare pair, take, discard {discarded}")
    gone = cards(discarded.replace("-", ""))
    assert set(hand_of(session)) == {*cards(ACES), *cards("2c3c4c5c6c")[: len(gone)]} - set(gone)
    assert len(hand_of(session)) == 5


def test_every_subset_of_the_hand_can_be_discarded() -> None:
    session = play_thorin_round(thorin(3, jokers=2), "AcJkAhJkKc2c3c4c5c6c", "declare pair, take")
    discards = session.legal().answers
    assert len(discards) == 24  # 32 minus those that differ only in which joker is used
    assert cards_of(discards[0]) == ()
    for action in discards:
        later = untyped(session.apply(action)).round
        assert is_discard(action)
        assert (len(later.hand), len(later.stock.discards)) == (5, len(cards_of(action)))


@pytest.mark.parametrize(
    ("hand", "loser"),
    [("8c8d4h3s2c", 1), ("8c8d5h3s2c", 1), ("2c2d3h3s4c", 1), ("8c7d7h3s2c", 0), (WORST_HAND, 0)],
)
def test_a_true_declaration_eliminates_the_challenger_and_a_false_one_its_player(hand: str, loser: int) -> None:
    """The round ends, and the winner of the challenge begins the next one with a new hand and no declaration."""
    session = play_thorin_round(thorin(3), hand, "declare pair 8432, challenge")
    result = thorin_result(session)
    assert (result.loser, result.truthful, session.in_play) == (loser, loser == 1, False)
    assert result.alive == tuple({0, 1, 2} - {loser})
    session = play_thorin_round(session, WORST_HAND)
    assert (session.phase, session.to_act, hand_of(session)) == ("declare", 1 - loser, cards(WORST_HAND))
    assert code_of(session, "declare high 76") == "legal"


def test_eliminated_players_are_skipped_and_the_winner_begins() -> None:
    session = play_thorin_round(thorin(4), ACES, "declare pair, challenge")
    assert (session.alive, session.next_opener) == ((0, 2, 3), 0)
    session = play_thorin_round(session, WORST_HAND, "declare pair")
    assert session.to_act == 2
    session = after_actions(session, "challenge")
    assert (session.alive, session.next_opener, session.score) == ((2, 3), 2, (0, 0, 0, 0))
    assert play_thorin_round(session, WORST_HAND, "declare pair, challenge").score == (-1, -1, -1, 3)
    assert play_thorin_round(play_thorin_round(thorin(3), ACES, "declare pair, challenge"), None, opener=2).to_act == 2
    with pytest.raises(BadRound):
        play_thorin_round(play_thorin_round(thorin(3), ACES, "declare pair, challenge"), None, opener=1)


def test_the_game_from_annie_to_ellie() -> None:
    """The example of source 002, card by card."""
    annie, bart, chrissie, dirk, ellie = range(5)
    session = play_thorin_round(thorin(5), "7c7d3h3sKc" + "Jc" + "Qh6d2d", "declare two-pair")
    assert untyped(session).round.floor == hand_value(cards("4c3c3d2h2s"))
    session = after_actions(session, "take, discard Kc")
    assert (session.phase, session.to_act, hand_of(session)) == ("declare", bart, cards("7c7d3h3sJc"))
    assert [code_of(session, f"declare {text}") for text in ("two-pair 32", "two-pair 73")] == ["not-stronger", "legal"]
    session = after_actions(session, "declare two-pair 73")
    assert untyped(session).round.floor == hand_value(cards("7c7d3h3s2c")) > hand_value(cards("4c3c3d2h2s"))
    session = after_actions(session, "take, discard -")
    assert (session.to_act, hand_of(session)) == (chrissie, cards("7c7d3h3sJc"))
    session = after_actions(session, "declare two-pair 73J")
    assert session.to_act == dirk
    session = after_actions(session, "take, discard 3h3sJc, declare three")
    assert session.to_act == ellie
    result = thorin_result(after_actions(session, "challenge"))
    assert (result.claimant, result.challenger, result.loser, result.truthful) == (dirk, ellie, dirk, False)
    assert sorted(result.hand or ()) == sorted(cards("Qh7c7d6d2d"))
    assert [write_value(value or 0) for value in (result.floor, result.hand_value)] == ["three 243", "pair 7Q62"]
    assert (result.alive, result.next_opener) == ((annie, bart, chrissie, ellie), ellie)


def test_a_player_who_takes_the_best_hand_is_out() -> None:
    codes = {(0, ROYAL): "cannot-take", (1, ROYAL): "legal", (1, "five A"): "cannot-take"}
    for (jokers, best), code in codes.items():
        assert code_of(play_thorin_round(thorin(3, jokers=jokers), None, f"declare {best}"), "take") == code
    session = play_thorin_round(thorin(3, take_top=True), "7c5d4h3s2c8c", f"declare {ROYAL}, take")
    assert session.phase == "discard"
    result = thorin_result(after_actions(session, "discard 7c"))
    assert (result.loser, result.next_opener, result.challenger, result.truthful) == (1, 0, None, None)
    assert (result.hand, result.thrown_in, result.alive) == (None, False, (0, 2))


# ------------------------------------------------------------------------------------------- passing, choosing


def test_each_player_can_pass_once_in_the_variant() -> None:
    assert play_thorin_round(thorin(4, passes=1), None, f"{PAIR}, pass").passes == (1, 0, 1, 1)
    assert code_of(play_thorin_round(thorin(4, passes=1), None, f"{RAISED}, pass, pass"), "pass") == "no-pass-left"
    assert code_of(play_thorin_round(thorin(3), None, PAIR), "pass") == "no-pass-left"


def test_if_all_others_pass_the_active_player_draws_a_new_hand() -> None:
    session = play_thorin_round(thorin(3, passes=1), None, "declare pair, pass, pass")
    result = thorin_result(session)
    assert (result.thrown_in, result.loser, result.next_opener, result.hand) == (True, None, 0, None)
    assert (result.alive, result.passes) == ((0, 1, 2), (1, 0, 0))
    assert code_of(play_thorin_round(session, None, "declare high 76"), "pass") == "no-pass-left"
    two = play_thorin_round(thorin(2, passes=1), None, "declare pair, take, discard -, declare pair 3, pass")
    assert (thorin_result(two).thrown_in, two.next_opener) == (True, 1)


def test_the_opener_may_choose_the_options_of_a_round() -> None:
    session = thorin(3, dealers_choice=True)
    assert session.chance_spec({"jokers": 2}).jokers == 2
    session = session.deal(ThorinDeal(cards("JkJkAcAdAh")), RoundSetup(options={"jokers": 2, "passes": 1}))
    session = after_actions(session, "declare five A, pass, challenge")
    assert thorin_result(session).truthful
    session = play_thorin_round(session, None, "declare pair")
    assert (session.passes, untyped(session).round.terms.named) == ((0, 0, 0), ())
    later = thorin(3, dealers_choice=True, passes=1).deal(ThorinDeal(), RoundSetup(options={"take_top": True}))
    assert after_actions(later, "declare pair, pass").passes == (1, 0, 1)
    # Options for a round can also be set for the whole match.
    for option in NAMED_OPTIONS:
        named = {option.name: option.choices[-1]}
        thorin(3, dealers_choice=True).check_round_options(named)
        assert thorin(3, **named).option_changes() == named


@pytest.mark.parametrize("named", [{"dealers_choice": True}, {"jokers": 3}, {"stake": 2}])
def test_other_options_cannot_be_chosen_for_a_round(named: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        thorin(3, dealers_choice=True).deal(ThorinDeal(), RoundSetup(options=named))
    with pytest.raises(BadOption, match="only games with the option"):
        thorin(3).deal(ThorinDeal(), RoundSetup(options={"jokers": 1}))


# ------------------------------------------------------------------------------------------- what is refused


def test_text_that_is_not_an_action_is_rejected() -> None:
    session = play_thorin_round(thorin(3), ACES)
    texts = ["claim pair", "declare", "declare X", "declare all red", "count", "discard", "discard Xx", "discard A"]
    assert {code_of(session, text) for text in (*texts, "show -", "challenge 2", "")} == {"unreadable-action"}
    for action in (-4, -15, -(1 << 59), -(1 << 62)):
        with pytest.raises(IllegalAction, match="unreadable-action"):
            session.apply(action)


def test_only_cards_of_the_hand_can_be_discarded() -> None:
    session = play_thorin_round(thorin(3, jokers=1), f"{ACES}2c", "declare pair, take")
    for discarded in ("2c", "AcAc", "??", "Jk", f"{ACES}2c"):
        assert code_of(session, f"discard {discarded}") == "cards-not-held", discarded
    assert session.write(session.read("discard Ad  Ac")) == "discard AcAd"


@pytest.mark.parametrize("seats", [1, 11])
def test_the_game_is_for_two_to_ten_players(seats: int) -> None:
    with pytest.raises(BadSeats):
        thorin(seats)
