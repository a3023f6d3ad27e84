"""A match of Thorin's game: taking, challenging, passing. Source 002; RULES B1, B4 to B6."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import full_deck
from liarspoker.core.errors import BadOption, BadRound, BadSeats, IllegalAction
from liarspoker.core.session import RoundSetup
from liarspoker.games.thorin.actions import CHALLENGE, TAKE, cards_of, is_discard
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.games.thorin.notation import write_value
from liarspoker.games.thorin.session import ThorinSession
from tests.rules.cards.matches import all_cards, any_move, cards, code_of, hand_on, pass_on, passed_result, thorin

ROYAL = "straight-flush A"
chances = st.integers(0, 2**32).map(Random)


@st.composite
def tables(draw: st.DrawFn) -> ThorinSession:
    """A match with any options, before its first round."""
    options = {
        "jokers": draw(st.sampled_from([0, 1, 2])),
        "passes": draw(st.sampled_from([0, 1])),
        "duplicate": draw(st.sampled_from(["five_only", "any"])),
        "or_better": draw(st.sampled_from(["worst", "words"])),
        "take_top": draw(st.booleans()),
    }
    return thorin(draw(st.integers(2, 6)), **options)


@given(tables(), chances)
def test_a_match_ends_with_one_winner_and_no_card_is_lost(session: ThorinSession, chance: Random) -> None:
    deck = sorted(full_deck(session.setup.rules.jokers))
    while session.winner is None:
        before = session
        session = session.deal(session.chance_spec().draw(chance.randrange))
        assert session.to_act == before.next_opener
        while session.in_play:
            assert session.round is not None
            floor = session.round.floor
            action = any_move(session, chance)
            assert session.read(session.write(action)) == action
            session = session.apply(action)
            assert all_cards(session) == deck
            assert session.round is not None
            assert session.round.floor >= floor
            assert (session.round.floor > floor) == (action >= 0)
        result = passed_result(session)
        assert len(result.alive) == len(before.alive) - (not result.thrown_in)
        assert result.loser not in result.alive
    assert sum(session.score) == 0
    assert session.score[session.winner] == session.seats - 1


def test_the_game_from_annie_to_ellie() -> None:
    """Source 002's example, card by card."""
    annie, bart, chrissie, dirk, ellie = range(5)
    session = hand_on(thorin(5), "7c7d3h3sKc" + "Jc" + "QhTd6d" + "2c8d", "declare two-pair, take")
    assert session.to_act == bart
    session = pass_on(session, "discard Kc")
    assert [code_of(session, f"declare {text}") for text in ("two-pair 32", "two-pair 73")] == ["not-stronger", "legal"]
    session = pass_on(session, "declare two-pair 73, take, discard -, declare two-pair 73J")
    assert session.to_act == dirk
    session = pass_on(session, "take, discard 3h3sJc, declare three")
    assert session.to_act == ellie
    result = passed_result(pass_on(session, "challenge"))
    assert (result.claimant, result.challenger, result.loser) == (dirk, ellie, dirk)
    assert result.truthful is False
    assert result.alive == (annie, bart, chrissie, ellie)
    assert result.next_opener == ellie
    assert write_value(result.floor) == "three 243"
    assert result.hand_value is not None
    assert write_value(result.hand_value) == "pair 7QT6"


def test_if_the_hand_is_better_than_declared_the_challenger_is_out() -> None:
    result = passed_result(hand_on(thorin(2), "AcAdAhAsKc", "declare pair, challenge"))
    assert (result.truthful, result.loser, result.next_opener) == (True, 1, None)


def test_who_is_out_is_skipped_and_the_winner_begins() -> None:
    session = hand_on(thorin(4), "AcAdAhAsKc", "declare pair, challenge")
    assert (session.alive, session.next_opener) == ((0, 2, 3), 0)
    session = hand_on(session, "7c5d4h3s2c", "declare pair")
    assert session.to_act == 2
    session = pass_on(session, "challenge")
    assert (session.alive, session.next_opener) == ((2, 3), 2)
    assert session.score == (0, 0, 0, 0)
    assert hand_on(session, "7c5d4h3s2c", "declare pair, challenge").score == (-1, -1, -1, 3)


def test_a_new_round_begins_at_the_bottom_again() -> None:
    session = hand_on(thorin(3), "AcAdAhAsKc", "declare four, challenge")
    session = hand_on(session, "AcAdAhAsKc")
    assert code_of(session, "declare high 76") == "legal"


@pytest.mark.parametrize(
    ("phase", "actions", "legal"),
    [
        ("declare", "", {"declare pair"}),
        ("respond", "declare pair", {"take", "challenge", "pass"}),
        ("discard", "declare pair, take", {"discard Ac"}),
    ],
)
def test_each_phase_has_its_own_actions(phase: str, actions: str, legal: set[str]) -> None:
    session = hand_on(thorin(3, passes=1), "AcAdAhAsKcQc", actions)
    assert session.phase == phase
    for text in ("declare pair", "take", "challenge", "pass", "discard Ac", "show AcAdAhAsKc"):
        assert code_of(session, text) == ("legal" if text in legal else "wrong-phase")


@pytest.mark.parametrize(
    "text", ["declare two-pair 37", "discard TsTs", "discard 9s9s", "show AcAcAcAcAc", "show ????????Ah"]
)
def test_that_it_is_not_the_time_is_told_before_what_else_is_wrong(text: str) -> None:
    assert code_of(hand_on(thorin(3), "AcAdAhAsKc", "declare pair"), text) == "wrong-phase"


@pytest.mark.parametrize(
    "text",
    [
        "claim pair",
        "declare",
        "declare X",
        "declare all red",
        "count",
        "discard",
        "discard Xx",
        "discard A",
        "show -",
        "challenge 2",
        "",
    ],
)
def test_what_is_no_action_is_not_read(text: str) -> None:
    assert code_of(hand_on(thorin(3), "AcAdAhAsKc"), text) == "unreadable-action"


def test_cards_may_stand_apart() -> None:
    session = hand_on(thorin(3), "AcAdAhAsKc2c3c", "declare pair, take")
    assert session.write(session.read("discard Ad  Ac")) == "discard AcAd"


@pytest.mark.parametrize("text", ["discard 2c", "discard AcAc", "discard ??", "discard Jk", "discard AcAdAhAsKc2c"])
def test_only_cards_that_are_held_can_be_thrown(text: str) -> None:
    assert code_of(hand_on(thorin(3, jokers=1), "AcAdAhAsKc2c", "declare pair, take"), text) == "cards-not-held"


def test_every_part_of_the_hand_can_be_thrown_and_it_is_refilled() -> None:
    session = hand_on(thorin(3, jokers=2), "AcJkAhJkKc2c3c4c5c6c", "declare pair, take")
    discards = session.legal().answers
    assert len(discards) == 24  # thirty-two less those in which one joker is as good as the other
    assert cards_of(discards[0]) == ()
    for action in discards:
        assert is_discard(action)
        later = session.apply(action).round
        assert later is not None
        assert len(later.hand) == 5
        assert len(later.stock.thrown) == len(cards_of(action))


def test_the_draws_come_off_the_top() -> None:
    session = hand_on(thorin(3), "AcAdAhAsKc2c3c4c", "declare pair, take, discard AcKc")
    assert session.round is not None
    assert session.round.hand == cards("AdAhAs2c3c")


def test_the_best_hand_can_be_challenged_and_not_taken() -> None:
    session = hand_on(thorin(3), None, f"declare {ROYAL}")
    assert code_of(session, "take") == "cannot-take"
    assert session.legal().answers == (CHALLENGE,)
    assert code_of(hand_on(thorin(3, jokers=1), None, f"declare {ROYAL}"), "take") == "legal"
    assert code_of(hand_on(thorin(3, jokers=1), None, "declare five A"), "take") == "cannot-take"


def test_where_the_best_hand_may_be_taken_the_taker_is_out() -> None:
    session = hand_on(thorin(3, take_top=True), "7c5d4h3s2c8c", f"declare {ROYAL}, take")
    assert session.phase == "discard"
    session = pass_on(session, "discard 7c")
    result = passed_result(session)
    assert (result.loser, result.next_opener, result.challenger, result.truthful) == (1, 0, None, None)
    assert (result.hand, result.thrown_in, result.alive) == (None, False, (0, 2))


def test_a_pass_puts_the_next_player_under_the_gun() -> None:
    session = hand_on(thorin(4, passes=1), None, "declare pair, pass")
    assert (session.to_act, session.passes) == (2, (1, 0, 1, 1))
    session = pass_on(session, "take, discard -, declare pair 7")
    assert session.to_act == 3
    session = pass_on(session, "pass, pass")
    assert session.to_act == 1
    assert code_of(session, "pass") == "no-pass-left"
    assert session.legal().answers == (TAKE, CHALLENGE)


def test_without_the_variant_nobody_has_a_pass() -> None:
    assert code_of(hand_on(thorin(3), None, "declare pair"), "pass") == "no-pass-left"


def test_if_all_others_pass_the_hand_is_thrown_in_and_its_player_starts_a_new_one() -> None:
    session = hand_on(thorin(3, passes=1), None, "declare pair, pass, pass")
    result = passed_result(session)
    assert (result.thrown_in, result.loser, result.next_opener, result.hand) == (True, None, 0, None)
    assert (result.alive, result.passes) == ((0, 1, 2), (1, 0, 0))
    session = hand_on(session, None, "declare high 76")
    assert code_of(session, "pass") == "no-pass-left"


def test_with_two_players_one_pass_throws_the_hand_in() -> None:
    session = hand_on(thorin(2, passes=1), None, "declare pair, take, discard -, declare pair 3, pass")
    assert passed_result(session).thrown_in
    assert session.next_opener == 1


def test_the_dealer_may_name_the_rules_of_his_round() -> None:
    session = thorin(3, dealers_choice=True)
    assert session.chance_spec({"jokers": 2}).jokers == 2
    session = session.deal(ThorinDeal(cards("JkJkAcAdAh")), RoundSetup(options={"jokers": 2, "passes": 1}))
    session = pass_on(session, "declare five A, pass, challenge")
    assert passed_result(session).truthful
    session = hand_on(session, None, "declare pair")
    assert session.passes == (0, 0, 0)
    assert session.round is not None
    assert session.round.terms.named == ()
    later = thorin(3, dealers_choice=True, passes=1).deal(ThorinDeal(), RoundSetup(options={"take_top": True}))
    assert pass_on(later, "declare pair, pass").passes == (1, 0, 1)


@pytest.mark.parametrize("named", [{"dealers_choice": True}, {"jokers": 3}, {"stake": 2}])
def test_what_the_dealer_cannot_name_is_refused(named: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        thorin(3, dealers_choice=True).deal(ThorinDeal(), RoundSetup(options=named))
    with pytest.raises(BadOption, match="only where"):
        thorin(3).deal(ThorinDeal(), RoundSetup(options={"jokers": 1}))


def test_the_table_may_name_a_living_opener() -> None:
    session = hand_on(thorin(3), "AcAdAhAsKc", "declare pair, challenge")
    assert hand_on(session, None, opener=2).to_act == 2
    with pytest.raises(BadRound):
        hand_on(session, None, opener=1)


@pytest.mark.parametrize("action", [-4, -15, -(1 << 59), -(1 << 62)])
def test_an_int_that_is_no_action_is_refused(action: int) -> None:
    with pytest.raises(IllegalAction, match="unreadable-action"):
        hand_on(thorin(3), None).apply(action)


@pytest.mark.parametrize("seats", [1, 11])
def test_two_to_ten_play(seats: int) -> None:
    with pytest.raises(BadSeats):
        thorin(seats)


def test_what_differs_from_the_preset_is_told() -> None:
    assert thorin(3, passes=1, jokers=0).option_changes() == {"passes": 1}
