"""Reviews of records: who is reviewed, what is said, and that no player's hidden hand matters."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import wcwidth

from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

import liarspoker
from liarspoker.coach.decisions import Appraisal, Decision, Value
from liarspoker.coach.digit_words import about_bluff, auctions, reasons
from liarspoker.coach.document import appraisal_of
from liarspoker.coach.report import report
from liarspoker.coach.review import BLUFF, HandReview, Review, review
from liarspoker.coach.verdicts import BEST
from liarspoker.coach.words import hand_in_words, summary, value_in_words, verdict_with_loss
from liarspoker.engine.errors import CannotPlay
from liarspoker.games.digits.auction import CHALLENGE, COUNT, Auction
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.language import LANGUAGES, speaking
from liarspoker.solve.beliefs.bot_policy import bot_policy
from liarspoker.solve.beliefs.policies import BlendPolicy, UniformPolicy
from liarspoker.solve.beliefs.posterior import Beliefs
from tests.coach.records import SMALL

GOLDEN = Path(__file__).parents[1] / "records" / "golden"


def reviewed(document: dict[str, Any], **named: Any) -> Review:
    found = review(liarspoker.replay(document), **{"playouts": 200, **named})
    assert isinstance(found, Review)
    return found


def test_every_action_is_reviewed_with_beliefs_before_and_after_it() -> None:
    found = reviewed(SMALL)
    assert (found.model, found.other, found.digits) == ("bluffer", "binomial", ("1", "2", "3"))
    assert [len(hand.heard) for hand in found.hands] == [6, 4]
    table = liarspoker.Table.of("salomon-1986", 3, SMALL["options"])
    policy = BlendPolicy(((0.95, bot_policy("bluffer")), (0.05, UniformPolicy())))
    beliefs = Beliefs.at(table, [policy])
    for heard, decision in zip(found.hands[0].heard, found.hands[0].decisions, strict=True):
        assert heard.before == pytest.approx(beliefs.counts(heard.seat), abs=1e-12)
        beliefs = beliefs.after(heard.action)
        assert heard.after == pytest.approx(beliefs.counts(heard.seat), abs=1e-12)
        assert decision is not None
        assert decision.appraisal is not None
        assert decision.action in [one.action for one in decision.appraisal.values]
        assert decision.appraisal.loss >= -decision.appraisal.half_width


def test_one_seat_is_reviewed_by_its_own_hand_and_the_bids_alone() -> None:
    """Other hands, which that seat couldn't see, change nothing but what is said about bluffs."""
    other = copy.deepcopy(SMALL)
    other["rounds"][0]["deal"] = ["112", "123", "222"]
    first, second = (reviewed(document, seat=0, hand=1).hands[0] for document in (SMALL, other))
    assert first.decisions == second.decisions
    assert [decision is None for decision in first.decisions] == [heard.seat != 0 for heard in first.heard]


def test_a_hidden_hand_is_not_reviewed() -> None:
    hidden = copy.deepcopy(SMALL)
    hidden["rounds"][0] |= {"deal": ["112", "???", "131"], "counts": [2, 0, 2]}
    shown, found = reviewed(SMALL, hand=1).hands[0], reviewed(hidden, hand=1).hands[0]
    for heard, decision, known in zip(found.heard, found.decisions, shown.decisions, strict=True):
        assert decision == (None if heard.seat == 1 else known)
        assert heard.seat != 1 or (heard.held is None and heard.bluff is None)


def test_hands_of_a_session_are_reviewed_alike_alone_and_in_processes() -> None:
    one_by_one = [hand for number in (1, 2) for hand in reviewed(SMALL, hand=number).hands]
    together = review(liarspoker.replay(SMALL), playouts=200, jobs=1).hands
    assert [hand.decisions for hand in one_by_one] == [hand.decisions for hand in together]


@pytest.mark.slow
def test_processes_review_as_one_does() -> None:
    many = {**SMALL, "rounds": SMALL["rounds"] * 2}
    alone, shared = reviewed(many), reviewed(many, jobs=2)
    assert [hand.decisions for hand in alone.hands] == [hand.decisions for hand in shared.hands]


def test_a_bluff_is_a_bid_of_far_fewer_than_it_suggests() -> None:
    heard = reviewed(SMALL, hand=2).hands[0].heard[0]
    assert heard.held == 0
    assert heard.expected is not None
    assert heard.bluff == pytest.approx(heard.expected)
    assert heard.bluff is not None
    assert heard.bluff >= BLUFF
    assert heard.was_believed is False
    assert about_bluff(heard, packed(DigitOptions(hand_size=3, symbols=3), 3)).startswith("A bluff: it suggested ")


def test_the_sample_hand_of_the_sources() -> None:
    """Source 003 calls the last bid, 6 zeros with three in hand, a good one that just failed."""
    replay = liarspoker.read_toml((GOLDEN / "dollar-bill-sample.toml").read_text())
    found = review(replay, playouts=2000)
    last = found.hands[0].decisions[8]
    assert last is not None
    assert last.appraisal is not None
    assert last.appraisal.verdict == BEST
    assert last.truth == pytest.approx(1.0, abs=0.01)


def test_no_review_of_seats_and_hands_that_are_not_there() -> None:
    with pytest.raises(CannotPlay, match="seat: 3; it must be between 0 and 2"):
        reviewed(SMALL, seat=3)
    with pytest.raises(CannotPlay, match="hand 3: the record has no such hand"):
        reviewed(SMALL, hand=3)
    with pytest.raises(CannotPlay, match="nobody: no such bot and no such file"):
        reviewed(SMALL, model="nobody")
    unfinished = {**SMALL, "rounds": [{"deal": ["112", "233", "131"], "actions": ["2x1"]}]}
    assert reviewed(unfinished).hands == ()


RULES = packed(DigitOptions(rebid=True), 3)


def made(
    action: int,
    best: int,
    loss: float,
    *,
    truth: float = 0.6,
    odds: float = 0.2,
    other: float = 0.0,
    value: float = 0.0,
) -> Decision:
    """Return a decision between two actions; `value` is what the chosen one is worth."""
    values = Value(best, value + loss, 0.0), Value(action, value, 0.0)
    by_other = Appraisal("binomial", (Value(best, other, 0.0), Value(action, 0.0, 0.0)), other, 0.0)
    return Decision(0, action, Appraisal("champion", values, loss, 0.0), by_other, odds, truth, {46: 0.3, 56: 0.2})


STANDING = Auction(44, 2, 0, 0, 0, 1)  # 5 fours


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (made(CHALLENGE, CHALLENGE, 0.0), "A count would have found 5 fives 60% of the time; no bid was worth more."),
        (
            made(CHALLENGE, CHALLENGE, 0.0, truth=0.9, value=0.5),
            "5 fives 90% of the time, but others would often have bid higher; no bid of yours was worth more.",
        ),
        (made(CHALLENGE, CHALLENGE, 0.0, truth=0.9, value=-0.5), "5 fives 90% of the time; no bid was worth more."),
        (made(COUNT, COUNT, 0.0), "no rebid was worth more."),
        (made(CHALLENGE, 46, 0.05), "5 sevens was about as good."),
        (made(CHALLENGE, 46, 0.42), "5 sevens was worth 0.42 more."),
        (made(46, 46, 0.0), "Counted at once, 5 sevens would win 30% of the time; nothing else was worth more."),
        (made(46, CHALLENGE, 0.05), "a challenge was about as good."),
        (made(46, CHALLENGE, 0.3, truth=0.2), "only 20% of the time: a challenge was worth 0.30 more."),
        (made(46, CHALLENGE, 0.3), "5 sevens would win 30% of the time; a challenge was worth 0.30 more."),
        (
            made(46, COUNT, 0.3),
            "A count, which would have found 5 fives 60% of the time, was worth 0.30 more than this rebid.",
        ),
        (made(46, 56, 0.3), "6 sevens was worth 0.30 more: counted at once, it would win 20% of the time, and"),
        (made(CHALLENGE, 46, 0.42), "By the odds alone it would be 20%."),
        (
            made(46, CHALLENGE, 0.3, odds=0.9),
            "The chance of 5 fives was 90% by the odds alone, and 60% after the bidding.",
        ),
        (made(CHALLENGE, 46, 0.42), "Against players like the Calculator, it would have been right."),
        (made(46, 46, 0.0, other=0.5), "Against players like the Calculator, 5 sevens would be worth 0.50 more."),
    ],
)
def test_reasons(decision: Decision, said: str) -> None:
    assert said in " ".join(reasons(decision, STANDING, RULES))
    for language in LANGUAGES:
        with speaking(language):
            assert all("{" not in line for line in reasons(decision, STANDING, RULES))


@pytest.mark.parametrize(("players", "pays"), [(3, "in which nobody pays"), (5, "which wins for the bidder")])
def test_a_skunk_explains_the_value_of_an_answer(players: int, pays: str) -> None:
    rules, said = packed(DigitOptions(rebid=True), players), f"The chance of a skunk, {pays}, was 43%."
    answers = made(COUNT, COUNT, 0.0), made(CHALLENGE, 46, 0.42), made(46, CHALLENGE, 0.3)
    for decision in answers:
        assert said in reasons(replace(decision, skunk=0.43), STANDING, rules)
        assert "skunk" not in " ".join(reasons(replace(decision, skunk=0.09), STANDING, rules))
    assert said not in reasons(replace(made(46, 56, 0.3), skunk=0.43), STANDING, rules)


def test_the_opening_has_no_standing_bid() -> None:
    found = reviewed(SMALL, hand=1)
    opening = found.hands[0].decisions[0]
    assert opening is not None
    assert (opening.odds, opening.truth) == (None, None)
    assert reasons(opening, next(auctions(found.hands[0].hand)), found.hands[0].hand.rules)


def test_the_report_has_what_every_action_revealed_and_was_worth() -> None:
    found = reviewed(SMALL)
    for hand, as_json in zip(found.hands, report(found)["hands"], strict=True):
        for heard, action in zip(hand.heard, as_json["actions"], strict=True):
            assert (action["before"], action["after"]) == (heard.before.tolist(), heard.after.tolist())
            for name in ("seat", "expected", "held", "bluff", "was_believed"):
                assert action[name] == getattr(heard, name)
        for decision, action in zip(hand.decisions, as_json["actions"], strict=True):
            appraisal = appraisal_of(action)
            assert decision is not None
            assert decision.appraisal is not None
            assert appraisal is not None
            assert (appraisal["loss"], appraisal["half_width"]) == (
                decision.appraisal.loss,
                decision.appraisal.half_width,
            )
            values = [(value["mean"], value["half_width"]) for value in appraisal["values"]]
            assert values == [(value.mean, value.half_width) for value in decision.appraisal.values]


def changed(hand: HandReview, **named: Any) -> HandReview:
    """Return the review of a hand with other appraisals."""
    decisions = (
        one if one is None or one.appraisal is None else replace(one, appraisal=replace(one.appraisal, **named))
        for one in hand.decisions
    )
    return replace(hand, decisions=tuple(decisions))


@pytest.mark.parametrize("name", ["日本太郎", "A name that takes forty-nine columns of a terminal", "N" * 62])
def test_verdicts_are_in_one_column_and_every_line_fits_a_terminal(name: str) -> None:
    found = replace(reviewed(SMALL), players=("Ann", name, "Cy"))
    for hand in found.hands:
        lines = hand_in_words(found, hand)
        verdicts = [verdict_with_loss(one.appraisal) for one in hand.decisions if one and one.appraisal]
        ends = [next(line for line in lines if line.endswith(f" {verdict}")) for verdict in verdicts]
        starts = {wcwidth.width(line.removesuffix(verdict)) for line, verdict in zip(ends, verdicts, strict=True)}
        assert len(starts) == 1
        assert max(map(wcwidth.width, lines)) <= 78
    lines = summary(replace(found, hands=tuple(changed(hand, loss=1.5, half_width=0.1) for hand in found.hands)))
    losses = lines[lines.index("Largest losses:") + 1 :]
    assert sum(line.startswith("  hand ") for line in losses) == 5
    assert len(losses) == 5 if name == "日本太郎" else len(losses) > 5 or name[0] == "A"
    assert max(map(wcwidth.width, losses)) <= 78


def test_lists_of_values_are_broken_only_between_values() -> None:
    found = reviewed(SMALL)
    bids = tuple(Value(action, mean, 0.05) for action, mean in ((5, -0.001), (7, 10.25), (8, -10.5)))
    value_lines = [
        line.strip() for hand in found.hands for line in hand_in_words(found, changed(hand, values=bids)) if "±" in line
    ]
    assert {entry.count(" ") for line in value_lines for entry in line.rstrip(",").split(", ")} == {2}
    assert value_in_words(bids[0], "2x3") == "2x3 0.00 ±0.05"
    assert value_in_words(Value(5, 0.0, 0.0), "2x3") == "2x3 0.00"


def test_a_text_explains_that_verdicts_go_by_the_certain_part_of_a_loss_unless_values_are_exact() -> None:
    found = reviewed(SMALL)
    assert "A verdict goes by the part of the loss that is certain, the lower end of its" in summary(found)
    exact = replace(found, hands=tuple(changed(hand, half_width=0.0) for hand in found.hands))
    assert not any("certain" in line for line in summary(exact))


def test_a_review_without_decisions_says_why() -> None:
    unfinished = {**SMALL, "rounds": [{**SMALL["rounds"][0], "actions": ["2x1"]}]}
    assert summary(reviewed(unfinished)) == ["Nothing to review: no hand was counted."]
    hidden = {**SMALL["rounds"][1], "deal": ["???"] * 3, "counts": [0, 3, 0]}
    found = reviewed({**SMALL, "rounds": [hidden]})
    assert summary(found) == ["Nothing to review: the record hides the numbers of those who acted."]
    (hand,) = found.hands
    silent = replace(found, seat=2, hands=(replace(hand, heard=hand.heard[:1], decisions=(None,)),))
    assert summary(silent) == ["Nothing to review: this player didn't act."]
    nowhere = replace(reviewed(SMALL), hands=tuple(without_values(hand) for hand in reviewed(SMALL).hands))
    assert summary(nowhere) == ["Nothing to review: the strategy never comes to these positions."]


def without_values(hand: HandReview) -> HandReview:
    return replace(hand, decisions=tuple(one and replace(one, appraisal=None) for one in hand.decisions))


def test_the_report_and_the_text_say_the_same() -> None:
    found = reviewed(SMALL)
    as_json = json.loads(json.dumps(report(found)))
    text = "\n".join(line for hand in found.hands for line in hand_in_words(found, hand))
    assert [hand["hand"] for hand in as_json["hands"]] == [1, 2]
    for hand in as_json["hands"]:
        for action in hand["actions"]:
            assert sum(map(sum, action["after"])) == pytest.approx(3)  # the probabilities of each of three digits
            decision = action["decision"]
            assert decision["verdict"] == decision["appraisal"]["verdict"]
            assert decision["reasons"][0].split(";")[0].split()[0] in text
    totals = [line.split() for line in summary(found)[1:4]]
    assert [name for name, *_ in totals] == ["Ann", "Bob", "Cy"]
    assert sum(int(cell) for row in totals for cell in row[1:6]) == 10
    best = sum(action["decision"]["verdict"] == "best" for hand in as_json["hands"] for action in hand["actions"])
    assert sum(int(row[1]) for row in totals) == best
