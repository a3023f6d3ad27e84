"""Reviews as JSON."""

from __future__ import annotations

from typing import Any

from liarspoker.coach.decisions import THRESHOLDS, Appraisal, Decision
from liarspoker.coach.models import CARELESS
from liarspoker.coach.review import HandReview, Heard, Review
from liarspoker.coach.words import about_bluff, auctions, reasons
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import Rules


def report(review: Review) -> dict[str, Any]:
    """Return a review as `liarspoker review --json` prints it."""
    return {
        "game": review.game,
        "players": list(review.players),
        "seat": review.seat,
        "digits": "".join(review.digits),
        "model": review.model,
        "careless": CARELESS,
        "other_model": review.other,
        "thresholds": THRESHOLDS,
        "hands": [hand_report(hand) for hand in review.hands],
    }


def hand_report(hand: HandReview) -> dict[str, Any]:
    """Return the review of a hand."""
    rules = hand.hand.rules
    rows = zip(auctions(hand.hand), hand.heard, hand.decisions, strict=True)
    return {
        "hand": hand.number,
        "stake": hand.hand.terms.stake,
        "actions": [
            {
                **_heard(heard, rules),
                "decision": None
                if decision is None
                else {**_decision(decision, rules), "reasons": reasons(decision, auction, rules)},
            }
            for auction, heard, decision in rows
        ],
    }


def _heard(heard: Heard, rules: Rules) -> dict[str, Any]:
    return {
        "seat": heard.seat,
        "action": write(heard.action, rules),
        "before": heard.before.tolist(),
        "after": heard.after.tolist(),
        "expected": heard.expected,
        "held": heard.held,
        "bluff": heard.bluff,
        "was_believed": heard.was_believed,
        "about_bluff": about_bluff(heard, rules),
    }


def _decision(decision: Decision, rules: Rules) -> dict[str, Any]:
    found = decision.appraisal
    return {
        "verdict": None if found is None else found.verdict,
        "odds": decision.odds,
        "truth": decision.truth,
        "appraisal": None if found is None else _appraisal(found, rules),
        "other": None if decision.other is None else _appraisal(decision.other, rules),
        "chances": {write(claim, rules): chance for claim, chance in decision.chances.items()},
    }


def _appraisal(found: Appraisal, rules: Rules) -> dict[str, Any]:
    return {
        "model": found.model,
        "verdict": found.verdict,
        "best": write(found.best, rules),
        "loss": found.loss,
        "half_width": found.half_width,
        "values": [
            {"action": write(value.action, rules), "mean": value.mean, "half_width": value.half_width}
            for value in found.values
        ],
    }
