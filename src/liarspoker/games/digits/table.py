"""The digit games at a live table, and their finished hands for a record as one seat, or a spectator, knows them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from liarspoker.games.digits.auction import CHALLENGE, COUNT, PHASES
from liarspoker.games.digits.hands import HANDS_PER_SLIP, HIDDEN, ROWS, rows_needed
from liarspoker.games.digits.ladder import ladder_length
from liarspoker.games.digits.messages import DigitsHand, DigitsLegal, DigitsResult, DigitsRound
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import ROW_LETTERS, Rules
from liarspoker.games.digits.record import RECORDS
from liarspoker.games.digits.record_text import stake_in_words
from liarspoker.games.digits.result import DigitResult, DigitView, bid_reasons
from liarspoker.games.digits.round import Legal
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import OUTCOMES, bid_multiplier
from liarspoker.records.family import round_tables
from liarspoker.records.words import bid_in_words, reason_in_words
from liarspoker.tables.settings import Json


def public(view: DigitView, users: tuple[str, ...], names: tuple[str, ...]) -> DigitsRound:
    """The bidding, and after the count what it has shown."""
    terms, auction, rules = view.terms, view.auction, view.rules
    assert terms is not None
    assert auction is not None
    written = _writer(rules)
    claim = {} if auction.claim < 0 else _describe_claim(auction.claim, rules)
    made = auction.claim >= 0
    return DigitsRound(
        users=users,
        names=names,
        round=terms.hand,
        opener=terms.opener,
        phase=PHASES[auction.phase],
        to_act=auction.to_act if view.result is None else None,
        moves=tuple([(seat, written(action)) for seat, action in view.moves]),
        score=view.score,
        stake=terms.stake,
        stake_words=stake_in_words(terms.stake, terms.why, rules),
        stake_reasons=terms.why,
        bidder=auction.bidder if made else None,
        is_rebid=bool(auction.is_rebid) if made else None,
        challenges=auction.challenges if made else None,
        row=terms.row,
        letter=None if terms.row is None else ROW_LETTERS[view.options.row_letters][terms.row],
        letters=terms.letters,
        result=None if view.result is None else _result(view.result, rules),
        shown=view.shown,
        **claim,
    )


def private(view: DigitView) -> DigitsHand:
    """The seat's own number or slip, and what it may do when it is its turn."""
    return DigitsHand(
        number=view.number,
        slip=view.slip,
        rows_played=tuple(row for row in range(ROWS) if view.row_played(row)) if view.slip else None,
        legal=_legal(view.legal, view.rules) if view.my_turn else None,
    )


def _legal(legal: Legal, rules: Rules) -> DigitsLegal:
    claims = legal.claims
    if isinstance(claims, range) and claims.step == 1 and rules.capped:
        written = _ladder(rules)[claims.start : claims.stop]
    else:
        written = tuple(write(claim, rules) for claim in claims)
    return DigitsLegal(
        claims=written,
        endless=legal.endless,
        challenge="challenge" if CHALLENGE in legal.answers else None,
        count="count" if COUNT in legal.answers else None,
    )


@lru_cache(maxsize=64)
def _writer(rules: Rules) -> Callable[[int], str]:
    """Writes actions under these rules, each only once."""
    return lru_cache(maxsize=1024)(partial(write, rules=rules))


@lru_cache(maxsize=4096)
def _describe_claim(claim: int, rules: Rules) -> dict[str, Any]:
    """A bid and what it is worth; the same at every table, so that it is put into words once."""
    return {
        "claim": write(claim, rules),
        "claim_words": bid_in_words(claim, rules),
        "multiplier": bid_multiplier(claim, rules),
        "multiplier_words": tuple(reason_in_words(reason, rules) for reason in bid_reasons(claim, rules)),
    }


@lru_cache(maxsize=64)
def _ladder(rules: Rules) -> tuple[str, ...]:
    """Every bid of a ladder that has a top, from the weakest up."""
    return tuple(write(claim, rules) for claim in range(ladder_length(rules)))


def _result(result: DigitResult, rules: Rules) -> DigitsResult:
    return DigitsResult(
        final_claim=write(result.final_claim, rules),
        final_claim_words=bid_in_words(result.final_claim, rules),
        bidder=result.bidder,
        total=result.total,
        counts=result.counts,
        outcome=OUTCOMES[result.settlement.outcome],
        multiplier=result.settlement.multiplier,
        bid_multiplier=result.settlement.bid_multiplier,
        payoffs=result.payoffs,
        next_stake=result.next_stake,
        next_opener=result.next_opener,
        why=tuple(reason_in_words(reason, rules) for reason in result.why),
        reasons=result.why,
        odd_endings=result.odd_endings,
    )


def recorded(session: DigitSession, seat: int | None, shown: frozenset[int]) -> Json:
    """The keys of a record that hold what was dealt and done.

    Slips whose numbers a count leaves hidden cannot be written as slips, for their last digits choose the next row;
    their hands are written as bills.
    """
    hands = session.ledger.hands
    rounds = round_tables(session)[: len(hands)]
    public = [_is_public(session, number, shown) for number in range(len(hands))]
    if session.setup.from_slips and all(public):
        return {"slips": _slips(session, seat), "rounds": rounds}
    for table, (hand, result), open_to_all in zip(rounds, hands, public, strict=True):
        numbers = hand.numbers if open_to_all else _only(seat, hand.numbers)
        table |= {"deal": list(numbers)}
        if any(HIDDEN in number for number in numbers):
            table |= {"counts": list(result.counts)}
    return {**({} if session.setup.from_slips else RECORDS.record_parts(session)), "rounds": rounds}


def _is_public(session: DigitSession, hand: int, shown: frozenset[int]) -> bool:
    reveal = session.setup.options.reveal
    return reveal == "full" or (reveal == "on_request" and hand in shown)


def _only(seat: int | None, numbers: tuple[str, ...]) -> tuple[str, ...]:
    """The numbers as the owner of one of them knows them."""
    return tuple(number if owner == seat else HIDDEN * len(number) for owner, number in enumerate(numbers))


def _slips(session: DigitSession, seat: int | None) -> list[list[str]]:
    """All slips of which a hand has been counted: one's own, and of the others the rows that were played."""
    hands = session.ledger.hands
    played = {hand.terms.hand // HANDS_PER_SLIP * ROWS + (hand.terms.row or 0) for hand, _ in hands}
    rows = range(rows_needed(len(hands)))
    return [
        [numbers[row] if owner == seat or row in played else HIDDEN * len(numbers[row]) for row in rows]
        for owner, numbers in enumerate(session.ledger.slips)
    ]
