"""The digit games at a live table."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from liarspoker.games.digits.auction import CHALLENGE, COUNT, PHASES
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import ROW_LETTERS, Rules
from liarspoker.games.digits.record_text import stake_in_words
from liarspoker.games.digits.result import DigitResult, bid_reasons
from liarspoker.games.digits.round import Legal
from liarspoker.games.digits.settlement import OUTCOMES, bid_multiplier
from liarspoker.games.digits.slips import ROWS
from liarspoker.games.digits.table_record import recorded as recorded
from liarspoker.games.digits.view import DigitView
from liarspoker.records.words import bid_in_words, reason_in_words
from liarspoker.tables.games.family import Json

_SPARE_BILLS = 2
"""How many more bills or slips lie on the table than there are players, so that the last one has a choice too."""


def public(view: DigitView) -> Json:
    """The bidding, and after the count what it has shown."""
    terms, auction, rules = view.terms, view.auction, view.rules
    if terms is None or auction is None:
        return {"kind": "digits", "score": list(view.score)}
    written = _writer(rules)
    told: Json = {
        "kind": "digits",
        "score": list(view.score),
        "round": terms.hand,
        "opener": terms.opener,
        "stake": terms.stake,
        "stake_words": stake_in_words(terms.stake, terms.why, rules),
        "stake_reasons": [list(reason) for reason in terms.why],
        "phase": PHASES[auction.phase],
        "to_act": auction.to_act if view.result is None else None,
        "moves": [(seat, written(action)) for seat, action in view.moves],
    }
    if auction.claim >= 0:
        told |= {
            **_told_claim(auction.claim, rules),
            "bidder": auction.bidder,
            "is_rebid": bool(auction.is_rebid),
            "challenges": auction.challenges,
        }
    if terms.row is not None:
        told |= {"row": terms.row, "letter": ROW_LETTERS[view.options.row_letters][terms.row]}
    if terms.letters:
        told["letters"] = list(terms.letters)
    if view.result is not None:
        told["result"] = _result(view.result, rules)
    if view.shown:
        told["shown"] = list(view.shown)
    return told


def private(view: DigitView) -> Json:
    """The seat's own number or slip, and what it may do when it is its turn."""
    told: Json = {}
    if view.number is not None:
        told["number"] = view.number
    if view.slip:
        told["slip"] = list(view.slip)
        told["rows_played"] = [row for row in range(ROWS) if view.row_played(row)]
    if view.my_turn:
        told["legal"] = _legal(view.legal, view.rules)
    return told


def _legal(legal: Legal, rules: Rules) -> Json:
    claims = legal.claims
    if isinstance(claims, range) and claims.step == 1 and rules.capped:
        written = _ladder(rules)[claims.start : claims.stop]
    else:
        written = tuple(write(claim, rules) for claim in claims)
    return {
        "claims": written,
        "endless": legal.endless,
        "challenge": "challenge" if CHALLENGE in legal.answers else None,
        "count": "count" if COUNT in legal.answers else None,
    }


@lru_cache(maxsize=64)
def _writer(rules: Rules) -> Callable[[int], str]:
    """Writes actions under these rules, each only once."""
    return lru_cache(maxsize=1024)(partial(write, rules=rules))


@lru_cache(maxsize=4096)
def _told_claim(claim: int, rules: Rules) -> Json:
    """A bid and what it is worth; the same at every table, so that it is put into words once."""
    return {
        "claim": write(claim, rules),
        "claim_words": bid_in_words(claim, rules),
        "multiplier": bid_multiplier(claim, rules),
        "multiplier_words": [reason_in_words(reason, rules) for reason in bid_reasons(claim, rules)],
    }


@lru_cache(maxsize=64)
def _ladder(rules: Rules) -> tuple[str, ...]:
    """Every bid of a ladder that has a top, from the weakest up."""
    return tuple(write(claim, rules) for claim in range(ladder_length(rules)))


def _result(result: DigitResult, rules: Rules) -> Json:
    return {
        "final_claim": write(result.final_claim, rules),
        "final_claim_words": bid_in_words(result.final_claim, rules),
        "bidder": result.bidder,
        "total": result.total,
        "counts": list(result.counts),
        "outcome": OUTCOMES[result.settlement.outcome],
        "multiplier": result.settlement.multiplier,
        "bid_multiplier": result.settlement.bid_multiplier,
        "payoffs": list(result.payoffs),
        "next_stake": result.next_stake,
        "next_opener": result.next_opener,
        "why": [reason_in_words(reason, rules) for reason in result.why],
        "reasons": [list(reason) for reason in result.why],
        **({"odd_endings": list(result.odd_endings)} if result.odd_endings else {}),
    }
