"""Thorin's game at a live table."""

from __future__ import annotations

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import card_text
from liarspoker.games.cards.record_words import claim_in_words, value_in_ranks
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE
from liarspoker.games.thorin.ladder import full_claim, spelling_of
from liarspoker.games.thorin.notation import write, write_claim, write_value
from liarspoker.games.thorin.record_text import said_of
from liarspoker.games.thorin.result import PassedResult
from liarspoker.games.thorin.standing import NOBODY, PHASES
from liarspoker.games.thorin.table_record import recorded as recorded
from liarspoker.games.thorin.view import PassedView
from liarspoker.tables.games.family import Json


def public(view: PassedView) -> Json:
    """What was declared and who has the hand; after a challenge, the hand."""
    told: Json = {
        "kind": "passed",
        "alive": list(view.alive),
        "score": list(view.score),
        "winner": view.winner,
        "passes": list(view.passes),
    }
    terms, standing = view.terms, view.standing
    if terms is None or standing is None:
        return told
    told |= {
        "round": terms.number,
        "opener": terms.opener,
        "named": dict(terms.named),
        "phase": PHASES[standing.phase],
        "to_act": None if standing.to_act == NOBODY else standing.to_act,
        "active": standing.active,
        "moves": [(seat, write(action)) for seat, action in view.moves],
        "stock": view.stock_left,
        "discards": view.discards,
    }
    if standing.claim != NO_CLAIM:
        told |= {
            "claim": write_claim(standing.claim),
            "claim_words": said_of(standing.claim),
            "claimant": standing.claimant,
            "floor": write_value(view.floor),
            "floor_words": value_in_ranks(view.floor),
        }
    if view.result is not None:
        told["result"] = _result(view.result)
    return told


def private(view: PassedView) -> Json:
    """The hand while the seat has it, what it remembers, and what it may do."""
    told: Json = {}
    if view.hand is not None:
        told["hand"] = list(map(card_text, view.hand))
    if view.stints:
        told["memory"] = [
            {
                "taken": list(map(card_text, stint.taken)),
                "thrown": list(map(card_text, stint.thrown)),
                "drawn": list(map(card_text, stint.drawn)),
            }
            for stint in view.stints
        ]
    if view.my_turn:
        legal = view.legal
        told["legal"] = {
            "min_claim": None if legal.min_claim is None else write_claim(legal.min_claim),
            "min_claim_words": None if legal.min_claim is None else claim_in_words(spelling_of(legal.min_claim)),
            "declare": legal.min_claim is not None,
            **{word: word if answer in legal.answers else None for word, answer in _ANSWERS.items()},
            "discard": legal.discard,
        }
    return told


_ANSWERS = {"take": TAKE, "challenge": CHALLENGE, "pass": PASS}


def _result(result: PassedResult) -> Json:
    return {
        "final_claim": write_claim(result.final_claim),
        "final_claim_words": said_of(result.final_claim),
        "claimant": result.claimant,
        "challenger": result.challenger,
        "truthful": result.truthful,
        "loser": result.loser,
        "alive": list(result.alive),
        "next_opener": result.next_opener,
        "floor": write_value(result.floor),
        "hand": None if result.hand is None else list(map(card_text, result.hand)),
        "hand_value": None if result.hand_value is None else write_value(result.hand_value),
        "hand_words": None if result.hand_value is None else claim_in_words(spelling_of(full_claim(result.hand_value))),
        "passes": list(result.passes),
        "thrown_in": result.thrown_in,
    }
