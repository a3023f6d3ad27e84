"""Reviews as JSON."""

from __future__ import annotations

from typing import Any

from liarspoker.coach.cards.review import Claimed
from liarspoker.coach.decisions import THRESHOLDS, Appraisal, Decision
from liarspoker.coach.models import CARELESS
from liarspoker.coach.review import Heard, Review
from liarspoker.coach.wording import Wording
from liarspoker.coach.words import AnyHand, AnyReview, wording_of


def report(review: AnyReview) -> dict[str, Any]:
    """Return a review as `liarspoker review --json` prints it."""
    digits = {"digits": "".join(review.digits)} if isinstance(review, Review) else {}
    return {
        "game": review.game,
        "players": list(review.players),
        "seat": review.seat,
        **digits,
        "model": review.model,
        **({"careless": CARELESS} if digits else {}),
        "other_model": review.other,
        "thresholds": THRESHOLDS,
        "hands": [hand_report(hand) for hand in review.hands],
    }


def hand_report(hand: AnyHand) -> dict[str, Any]:
    """Return the review of a hand."""
    words = wording_of(hand)
    return {
        "hand": hand.number,
        "stake": hand.stake,
        "actions": [
            {
                **_action(hand.heard[place], words, place),
                "decision": None
                if decision is None
                else {**_decision(decision, words, place), "reasons": words.reasons(place)},
            }
            for place, decision in enumerate(hand.decisions)
        ],
    }


def _action(heard: Heard | Claimed, words: Wording, place: int) -> dict[str, Any]:
    return {
        "seat": heard.seat,
        "action": words.write(place, heard.action),
        **(_heard(heard) if isinstance(heard, Heard) else _claimed(heard)),
        "about_bluff": words.about_bluff(place),
    }


def _heard(heard: Heard) -> dict[str, Any]:
    return {
        "before": heard.before.tolist(),
        "after": heard.after.tolist(),
        "expected": heard.expected,
        "held": heard.held,
        "bluff": heard.bluff,
        "was_believed": heard.was_believed,
    }


def _claimed(claimed: Claimed) -> dict[str, Any]:
    return {
        "chance": claimed.chance,
        "hands": None if claimed.hands is None else dict(claimed.hands),
        "bluff": claimed.bluff,
        "was_believed": claimed.was_believed,
    }


def _decision(decision: Decision, words: Wording, place: int) -> dict[str, Any]:
    found = decision.appraisal
    return {
        "verdict": None if found is None else found.verdict,
        "odds": decision.odds,
        "truth": decision.truth,
        "appraisal": None if found is None else _appraisal(found, words, place),
        "other": None if decision.other is None else _appraisal(decision.other, words, place),
        "chances": {words.write(place, claim): chance for claim, chance in decision.chances.items()},
    }


def _appraisal(found: Appraisal, words: Wording, place: int) -> dict[str, Any]:
    return {
        "model": found.model,
        "verdict": found.verdict,
        "best": words.write(place, found.best),
        "loss": found.loss,
        "half_width": found.half_width,
        "values": [
            {"action": words.write(place, value.action), "mean": value.mean, "half_width": value.half_width}
            for value in found.values
        ],
    }
