"""Reviews as JSON."""

from __future__ import annotations

from liarspoker.coach.decisions import Appraisal, Decision
from liarspoker.coach.document import ActionDocument, AppraisalDocument, DecisionDocument, HandDocument, ReviewDocument
from liarspoker.coach.models import CARELESS
from liarspoker.coach.review import Heard, Review
from liarspoker.coach.verdicts import THRESHOLDS
from liarspoker.coach.wording import Wording
from liarspoker.coach.words import AnyHand, AnyReview, wording_of


def report(review: AnyReview) -> ReviewDocument:
    """Return a review as `liarspoker review --json` prints it."""
    found: ReviewDocument = {
        "game": review.game,
        "players": list(review.players),
        "seat": review.seat,
        "model": review.model,
        "other_model": review.other,
        "thresholds": THRESHOLDS,
        "hands": [_hand(hand) for hand in review.hands],
    }
    if isinstance(review, Review):
        found["digits"] = "".join(review.digits)
        found["careless"] = CARELESS
    return found


def _hand(hand: AnyHand) -> HandDocument:
    words = wording_of(hand)
    places = range(len(hand.heard))
    return {"hand": hand.number, "stake": hand.stake, "actions": [_action(hand, words, place) for place in places]}


def _action(hand: AnyHand, words: Wording, place: int) -> ActionDocument:
    heard, decision = hand.heard[place], hand.decisions[place]
    found: ActionDocument = {
        "seat": heard.seat,
        "action": words.write(place, heard.action),
        "bluff": heard.bluff,
        "was_believed": heard.was_believed,
        "about_bluff": words.about_bluff(place),
        "decision": None if decision is None else _decision(decision, words, place),
    }
    if isinstance(heard, Heard):
        found["before"], found["after"] = heard.before.tolist(), heard.after.tolist()
        found["expected"], found["held"] = heard.expected, heard.held
    else:
        found["chance"], found["hands"] = heard.chance, None if heard.hands is None else dict(heard.hands)
    return found


def _decision(decision: Decision, words: Wording, place: int) -> DecisionDocument:
    found = decision.appraisal
    return {
        "verdict": None if found is None else found.verdict,
        "odds": decision.odds,
        "truth": decision.truth,
        "appraisal": None if found is None else _appraisal(found, words, place),
        "other": None if decision.other is None else _appraisal(decision.other, words, place),
        "chances": {words.write(place, claim): chance for claim, chance in decision.chances.items()},
        "reasons": words.reasons(place),
    }


def _appraisal(found: Appraisal, words: Wording, place: int) -> AppraisalDocument:
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
