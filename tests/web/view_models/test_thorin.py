"""View models of Thorin's game, for players and spectators."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import Any

import pytest

from liarspoker.core.cards.deck import card_text, full_deck, read_cards
from liarspoker.core.cards.hand_values import KEYS, hand_value
from liarspoker.games.cards.wording import high_to_low
from liarspoker.games.thorin.notation import write_value
from liarspoker.games.thorin.page.promises import promise_of_value
from liarspoker.odds.figures import percent
from liarspoker.protocol.codec import encode
from liarspoker.tables.decide import read_command
from liarspoker.tables.view import private
from liarspoker.web.forms import command_of
from tests.tables.play import Played, as_json
from tests.web.view_models.snapshots import act, dealt, everybody, mover, seen, table_seen


def hand_of(played: Played, user: str) -> list[str]:
    """The hand that `user` holds."""
    hand: list[str] = as_json(private(played.table, user))["hand"]["hand"]
    return hand


def true_claim(played: Played) -> str:
    """The exact claim of the active player's hand."""
    return f"declare {write_value(hand_value(read_cards(hand_of(played, mover(played)))))}"


def high_to_low_texts(hand: list[str]) -> list[str]:
    """The cards in the order of the form."""
    return list(map(card_text, high_to_low(read_cards(hand))))


def others(played: Played) -> list[Any]:
    """The users who aren't to act."""
    return [user for user in everybody(played) if user != mover(played)]


def test_only_the_active_player_sees_the_hand() -> None:
    played = dealt("thorin")
    opener = mover(played)
    own = seen(played, opener)
    assert sorted(own.hand) == sorted(hand_of(played, opener))
    assert own.truth.at_least in own.truth_words or own.truth.words.lower() in own.truth_words.lower()
    for user in others(played):
        model = seen(played, user)
        assert (model.hand, model.truth, model.builder) == ((), None, None)
        assert not any(card in encode(asdict(model)) for card in own.hand)


def test_you_respond_before_you_see_the_hand() -> None:
    played = act(dealt("thorin"), "declare high 8")
    model = seen(played, mover(played))
    assert (model.doing, model.answers, model.hand) == ("answer", ("take", "challenge"), ())
    assert (model.standing.at_least, model.least.at_least) == ("8-5-4-3-2", "8-6-4-3-2")
    assert [seen(played, user).doing for user in others(played)] == ["", "", ""]


def test_the_form_sends_the_discard() -> None:
    played = act(dealt("thorin"), "declare high 8")
    taker = mover(played)
    act(played, "take")
    first = seen(played, taker).discarding
    assert first.words == "Keep all five"
    chosen = {card.field: card.text for card in first.cards[3:]}
    second = seen(played, taker, chosen).discarding
    assert second.words == "Discard 2 cards"
    assert [card.discarded for card in second.cards] == [False, False, False, True, True]
    fields = {"do": "act", "turn": str(played.table.turn), "action": "discard", "action.none": "-", **chosen}
    played.decided(read_command(command_of(fields)), taker)
    after = seen(played, taker)
    assert sorted(after.memory[0].discarded) == sorted(chosen.values())
    assert after.doing == "declare"
    assert seen(played, None).said.endswith("discards 2 cards and draws 2.")


def test_your_own_discards_are_not_drawn_again() -> None:
    """You discard three cards, and the hand comes back to you: you have seen none of the 44 cards in the stock."""
    played = act(dealt("thorin", 2), "declare high 8", "take")
    taker = mover(played)
    taken = hand_of(played, taker)
    act(played, f"discard {' '.join(taken[:3])}", "declare high 9", "take", "discard -", "declare pair A", "take")
    hand = hand_of(played, taker)
    model = seen(played, taker, {"action.5": high_to_low_texts(hand)[4]})
    floor = model.discarding.target
    kept = read_cards(high_to_low_texts(hand)[:4])
    drawable = [card for card in full_deck(0) if card not in read_cards((*hand, *taken[:3]))]
    target = next(value for value in range(len(KEYS)) if promise_of_value(value) == floor)
    good = sum(hand_value((*kept, card)) >= target for card in drawable)
    assert len(drawable) == 44
    assert model.discarding.chance == percent(Fraction(good, 44)) != percent(Fraction(good, 47))


@pytest.mark.parametrize("help_on", [True, False])
def test_odds_are_shown_only_if_the_table_allows_them(help_on: bool) -> None:
    played = act(dealt("thorin", help=help_on), "declare high 8", "take")
    model = seen(played, mover(played), {"chances": "1"}).discarding
    assert (bool(model.chance), bool(model.best)) == (help_on, help_on)
    assert seen(played, mover(played)).discarding.may_ask is help_on


def test_a_challenge_shows_the_hand() -> None:
    played = dealt("thorin")
    opener = mover(played)
    hand = hand_of(played, opener)
    act(played, true_claim(played))
    challenger = mover(played)
    proof = seen(act(played, "challenge"), opener).proof
    assert (proof.truthful, proof.verdict) == (True, "It was true")
    assert sorted(card.text for card in proof.cards) == sorted(hand)
    assert proof.truth.at_least == proof.declared.at_least
    assert proof.after == "You begin the next round."
    out = table_seen(played, challenger)
    assert out.round.act(challenger) == "out, round 1"
    assert "out" in out.round.marks(challenger)
    assert "You are out." in out.said


def test_a_bluff_is_exposed_and_an_eliminated_player_stays_out() -> None:
    played = dealt("thorin")
    liar = mover(played)
    act(played, "declare straight-flush A")
    assert seen(played, mover(played)).not_offered.startswith("Nothing beats")
    proof = seen(act(played, "challenge"), liar).proof
    assert (proof.verdict, proof.fate) == ("A bluff", "You are out.")
    played.make_ready()
    model = seen(played, liar)
    assert (model.out, model.act(liar), model.heading) == (True, "out, round 1", "Round 2")
    act(played, true_claim(played), "challenge")
    assert seen(played, liar).proof.after.endswith("wins the match.")


def test_a_pass_is_used_and_a_round_that_everyone_passes_eliminates_no_one() -> None:
    played = act(dealt("thorin", options={"passes": 1}), "declare high 8")
    passer = mover(played)
    before = seen(played, passer)
    assert (before.answers, before.mine.left) == (("take", "challenge", "pass"), True)
    after = seen(act(played, "pass"), passer)
    assert [one.left for one in after.passes].count(False) == 1
    assert (after.mine.left, after.act(passer)) == (False, "passed")
    thrown_in = seen(act(played, "pass"), passer).proof
    assert (thrown_in.cards, thrown_in.fate) == ((), "Nobody is out.")


def test_you_remember_the_hand_that_you_passed_on() -> None:
    played = dealt("thorin")
    opener = mover(played)
    hand = hand_of(played, opener)
    model = seen(act(played, "declare high 8", "take"), opener)
    assert sorted(model.passed_on) == sorted(hand)
    assert model.since == "No cards have been discarded since."
    taken = hand_of(played, mover(played))
    assert seen(act(played, f"discard {taken[0]}{taken[1]}"), opener).since == "Since then 2 cards have been discarded."


def test_declarations_show_what_was_discarded_before_them() -> None:
    played = act(dealt("thorin"), "declare high 8", "take", "discard -", "declare pair")
    steps = seen(played, None).steps
    assert [(step.promise.at_least if step.promise else "", step.words, step.standing) for step in steps] == [
        ("2-2-5-4-3", "kept all five cards", True),
        ("8-5-4-3-2", "", False),
    ]


def test_the_opener_may_choose_the_options() -> None:
    played = dealt("thorin", options={"dealers_choice": True})
    winner = mover(played)
    act(played, true_claim(played), "challenge")
    fields = {option.field: option.values[-1].text for option in table_seen(played, winner).gathering.naming}
    played.decided(read_command(command_of({"do": "name", **fields})), winner)
    assert all(option.values[-1].now for option in table_seen(played, winner).gathering.naming)
    played.make_ready()
    assert seen(played, winner).in_effect[:2] == (
        "2 jokers, wild, chosen for this round",
        "One pass per player and match, chosen for this round",
    )
    assert [table_seen(played, user).gathering for user in others(played)] == [None] * 3


def test_every_state_of_a_match_is_rendered() -> None:
    played = dealt("thorin", 4, seed=3, options={"passes": 1, "jokers": 2, "dealers_choice": True})
    for _ in range(100):
        assert all(table_seen(played, user).said for user in everybody(played))
        if played.table.stage == "ended":
            return
        if played.table.stage != "round":
            played.make_ready()
        else:
            played.act()
