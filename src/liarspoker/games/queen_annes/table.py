"""Queen Anne's games at a live table."""

from __future__ import annotations

from typing import Any

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import UNKNOWN, card_text
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.notation import write, write_claim
from liarspoker.games.queen_annes.record_text import hand_in_words, tell_proof
from liarspoker.games.queen_annes.result import PooledResult
from liarspoker.games.queen_annes.round import CHALLENGE, NOBODY, PHASES, challenger_of
from liarspoker.games.queen_annes.table_record import recorded as recorded
from liarspoker.games.queen_annes.view import PooledView
from liarspoker.tables.games.family import Json


def public(view: PooledView) -> Json:
    """What was named, who holds how many cards, and after a challenge all of them and the proof."""
    told: Json = {
        "kind": "pooled",
        "losses": list(view.losses),
        "alive": list(view.alive),
        "score": list(view.score),
        "winner": view.winner,
    }
    terms, standing = view.terms, view.standing
    if terms is None or standing is None:
        return told
    told |= {
        "round": terms.number,
        "opener": terms.opener,
        "phase": PHASES[standing.phase],
        "to_act": None if standing.to_act == NOBODY else standing.to_act,
        "moves": [(seat, write(action, view.rules)) for seat, action in view.moves],
        "hand_sizes": list(view.hand_sizes),
        "blind": bool(view.rules.blind),
        "extras": _extras(view.extras),
    }
    if standing.claim != NO_CLAIM:
        told |= {
            "claim": write_claim(standing.claim, view.rules),
            "claim_words": hand_in_words(named_hand(standing.claim, view.rules)),
            "claimant": standing.claimant,
        }
    if view.result is not None:
        told["result"] = _result(view.result, view)
    return told


def private(view: PooledView) -> Json:
    """The cards that the seat sees, and what it may do."""
    told: Json = {}
    if any(view.seen):
        told["seen"] = [list(map(card_text, hand)) for hand in view.seen]
    own = [extra for extra in view.extras if not extra.face_up and extra.card != UNKNOWN]
    if own and view.result is None:
        told["extras"] = _extras(own)
    legal = _legal(view)
    if legal:
        told["legal"] = legal
    return told


def _legal(view: PooledView) -> Json:
    if view.seat is None or view.standing is None:
        return {}
    legal, rules = view.legal, view.rules
    if view.my_turn:
        least = legal.min_claim
        return {
            "min_claim": None if least is None else write_claim(least, rules),
            "min_claim_words": None if least is None else hand_in_words(named_hand(least, rules)),
            "claim": least is not None,
            "challenge": "challenge" if CHALLENGE in legal.answers else None,
        }
    own = [answer for answer in legal.answers if challenger_of(answer, view.standing.to_act) == view.seat]
    return (
        {"min_claim": None, "min_claim_words": None, "claim": False, "challenge": write(own[0], rules)} if own else {}
    )


def _extras(extras: Any) -> list[Json]:
    return [
        {
            "seat": extra.seat,
            "turn": extra.turn,
            "card": card_text(extra.card),
            "face": "up" if extra.face_up else "down",
        }
        for extra in extras
    ]


def _result(result: PooledResult, view: PooledView) -> Json:
    named = named_hand(result.final_claim, view.rules)
    return {
        "final_claim": write_claim(result.final_claim, view.rules),
        "final_claim_words": hand_in_words(named),
        "claimant": result.claimant,
        "challenger": result.challenger,
        "exists": result.exists,
        "loser": result.loser,
        "losses": list(result.losses),
        "alive": list(result.alive),
        "next_opener": result.next_opener,
        "hands": [list(map(card_text, hand)) for hand in result.hands],
        "extras": _extras(result.extras),
        "proof": list(map(card_text, (*result.proof.cards, *result.proof.wilds))),
        "missing": result.proof.missing,
        "proof_words": tell_proof(named, result.proof),
    }
