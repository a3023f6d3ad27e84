"""What the page of Thorin's game tells each of those who look at it."""

from __future__ import annotations

from dataclasses import asdict

from liarspoker.core.cards.deck import read_cards
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.thorin.messages import ThorinHand
from liarspoker.games.thorin.notation import write_value
from liarspoker.protocol.codec import encode
from liarspoker.tables.decide import read_command
from liarspoker.tables.view import private
from liarspoker.web.forms import command_of
from tests.tables.play import Played
from tests.web.thorin.seen import act, mover, round_seen, table_seen, thorin


def hand_of(played: Played, user: str) -> list[str]:
    hand = private(played.table, user).hand
    assert isinstance(hand, ThorinHand)
    return list(hand.hand or ())


def true_claim(played: Played) -> str:
    """The whole truth about the hand of whose turn it is."""
    return f"declare {write_value(hand_value(read_cards(hand_of(played, mover(played)))))}"


def other(played: Played, *users: str) -> str:
    return next(user for user in ("user-0", "user-1", "user-2") if user not in users)


def test_who_has_the_hand_sees_it_and_nobody_else() -> None:
    played = thorin()
    opener = mover(played)
    own = round_seen(played, opener)
    assert sorted(own.hand) == sorted(hand_of(played, opener))
    assert own.truth is not None
    assert own.truth.at_least in own.truth_words or own.truth.words.lower() in own.truth_words.lower()
    for user in (other(played, opener), None):
        told = round_seen(played, user)
        assert told.hand == ()
        assert told.truth is None
        assert told.builder is None
        assert not any(card in encode(asdict(told)) for card in own.hand)


def test_under_the_gun_one_decides_before_one_sees_the_hand() -> None:
    played = thorin()
    act(played, "declare high 8")
    told = round_seen(played, mover(played))
    assert told.doing == "answer"
    assert told.answers == ("take", "challenge")
    assert told.hand == ()
    assert told.standing is not None
    assert told.standing.at_least == "8-5-4-3-2"
    assert told.least is not None
    assert told.least.at_least == "8-6-4-3-2"
    assert round_seen(played, other(played, mover(played))).doing == ""


def test_a_discard_is_what_the_form_sends() -> None:
    played = thorin()
    act(played, "declare high 8")
    taker = mover(played)
    act(played, "take")
    first = round_seen(played, taker).throwing
    assert first is not None
    assert first.words == "Keep all five"
    chosen = {card.field: card.text for card in first.cards[3:]}
    second = round_seen(played, taker, chosen).throwing
    assert second is not None
    assert second.words == "Throw 2 cards"
    assert [card.thrown for card in second.cards] == [False, False, False, True, True]
    fields = {"do": "act", "turn": str(played.table.turn), "action": "discard", "action.none": "-", **chosen}
    played.decided(read_command(command_of(fields)), taker)
    after = round_seen(played, taker)
    assert sorted(after.memory[0].thrown) == sorted(chosen.values())
    assert after.doing == "declare"
    assert round_seen(played, None).said.endswith("throws 2 cards and draws 2.")


def test_chances_are_told_only_where_help_is_on() -> None:
    for help_on in (True, False):
        played = thorin(help=help_on)
        act(played, "declare high 8")
        act(played, "take")
        told = round_seen(played, mover(played), {"chances": "1"}).throwing
        assert told is not None
        assert bool(told.chance) is help_on
        assert bool(told.best) is help_on
        asked = round_seen(played, mover(played)).throwing
        assert asked is not None
        assert asked.may_ask is help_on


def test_a_challenge_proves_the_hand() -> None:
    played = thorin()
    opener = mover(played)
    hand = hand_of(played, opener)
    act(played, true_claim(played))
    challenger = mover(played)
    act(played, "challenge")
    proof = round_seen(played, opener).proof
    assert proof is not None
    assert proof.truthful
    assert proof.verdict == "It holds"
    assert sorted(card.text for card in proof.cards) == sorted(hand)
    assert proof.truth is not None
    assert proof.truth.at_least == proof.declared.at_least
    assert proof.after == "You begin the next round."
    out = table_seen(played, challenger)
    assert out.round is not None
    assert out.round.act(challenger) == "out, round 1"
    assert "out" in out.round.marks(challenger)
    assert "You are out." in out.said


def test_a_bluff_is_told_and_who_is_out_stays_out() -> None:
    played = thorin()
    liar = mover(played)
    act(played, "declare straight-flush A")
    assert round_seen(played, mover(played)).not_offered.startswith("Nothing beats")
    act(played, "challenge")
    proof = round_seen(played, liar).proof
    assert proof is not None
    assert proof.verdict == "A bluff"
    assert proof.fate == "You are out."
    played.make_ready()
    told = round_seen(played, liar)
    assert told.out
    assert told.act(liar) == "out, round 1"
    assert told.heading == "Round 2"
    act(played, true_claim(played))
    act(played, "challenge")
    won = round_seen(played, liar).proof
    assert won is not None
    assert won.after.endswith("wins the match.")


def test_the_only_pass_is_seen_spent() -> None:
    played = thorin(options={"passes": 1})
    act(played, "declare high 8")
    passer = mover(played)
    before = round_seen(played, passer)
    assert before.answers == ("take", "challenge", "pass")
    assert before.mine is not None
    assert before.mine.left
    act(played, "pass")
    after = round_seen(played, passer)
    assert [one.left for one in after.passes].count(False) == 1
    assert after.mine is not None
    assert not after.mine.left
    assert after.act(passer) == "passed"
    act(played, "pass")
    thrown_in = round_seen(played, passer).proof
    assert thrown_in is not None
    assert thrown_in.cards == ()
    assert thrown_in.fate == "Nobody is out."


def test_what_one_remembers_of_a_hand_that_went_on() -> None:
    played = thorin()
    opener = mover(played)
    hand = hand_of(played, opener)
    act(played, "declare high 8")
    act(played, "take")
    told = round_seen(played, opener)
    assert sorted(told.passed_on) == sorted(hand)
    assert told.since == "Nothing has been thrown since."
    taken = hand_of(played, mover(played))
    act(played, f"discard {taken[0]}{taken[1]}")
    assert round_seen(played, opener).since == "Since then 2 cards were thrown."


def test_declarations_tell_what_was_thrown_before_them() -> None:
    played = thorin()
    act(played, "declare high 8")
    act(played, "take")
    act(played, "discard -")
    act(played, "declare pair")
    steps = round_seen(played, None).steps
    assert [(step.promise.at_least if step.promise else "", step.words) for step in steps] == [
        ("2-2-5-4-3", "threw nothing"),
        ("8-5-4-3-2", ""),
    ]
    assert [step.standing for step in steps] == [True, False]


def test_who_begins_may_name_the_options() -> None:
    played = thorin(options={"dealers_choice": True})
    winner = mover(played)
    act(played, true_claim(played))
    act(played, "challenge")
    scene = table_seen(played, winner).gathering
    assert scene is not None
    fields = {option.field: option.values[-1].text for option in scene.naming}
    played.decided(read_command(command_of({"do": "name", **fields})), winner)
    again = table_seen(played, winner).gathering
    assert again is not None
    assert all(option.values[-1].now for option in again.naming)
    played.make_ready()
    told = round_seen(played, winner)
    assert told.in_effect[:2] == (
        "2 jokers, wild, named for this round",
        "One pass each in the match, named for this round",
    )
    bystander = table_seen(played, other(played, winner)).gathering
    assert bystander is None


def test_every_state_of_a_match_can_be_drawn() -> None:
    played = thorin(4, seed=3, options={"passes": 1, "jokers": 2, "dealers_choice": True})
    for _ in range(300):
        for user in (*(f"user-{number}" for number in range(4)), None):
            scene = table_seen(played, user)
            assert scene.said
        if played.table.stage != "round":
            played.make_ready()
        else:
            played.act()
