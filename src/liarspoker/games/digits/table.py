"""The digit games at live tables: public and private views, and records as one seat or a spectator knows them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from liarspoker.games.digits.auction import CHALLENGE, COUNT, PHASES
from liarspoker.games.digits.hands import HANDS_PER_SLIP, HIDDEN, ROWS, rows_needed
from liarspoker.games.digits.ladder import digit_of, ladder_length, level_of
from liarspoker.games.digits.messages import DigitsHand, DigitsLegal, DigitsResult, DigitsRound
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import ROW_LETTERS, Rules
from liarspoker.games.digits.record import RECORDS
from liarspoker.games.digits.record_text import stake_in_words
from liarspoker.games.digits.result import DigitResult, DigitView, bid_reasons
from liarspoker.games.digits.round import Legal
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import OUTCOMES, bid_multiplier
from liarspoker.language import _, ngettext, per_language
from liarspoker.records.family import round_tables
from liarspoker.records.words import bid_in_words, reason_in_words
from liarspoker.tables.bluffs import Bluff, best_bluff, outbid_claims
from liarspoker.tables.settings import Json, ShownHands


def public(view: DigitView, users: tuple[str, ...], names: tuple[str, ...]) -> DigitsRound:
    """Return the public view of a hand: the bidding and, after the count, the result."""
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
    """Return the seat's private view: its number or slip, and the legal actions on its turn."""
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
    """Return a cached function that writes actions in the notation."""
    return lru_cache(maxsize=1024)(partial(write, rules=rules))


@per_language(4096)
def _describe_claim(claim: int, rules: Rules) -> dict[str, Any]:
    """Return the fields of a bid, cached across tables."""
    return {
        "claim": write(claim, rules),
        "claim_words": bid_in_words(claim, rules),
        "multiplier": bid_multiplier(claim, rules),
        "multiplier_words": tuple(reason_in_words(reason, rules) for reason in bid_reasons(claim, rules)),
    }


@lru_cache(maxsize=64)
def _ladder(rules: Rules) -> tuple[str, ...]:
    """Return every bid of a capped ladder in the notation, weakest first."""
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


def hidden_hand(session: DigitSession, seat: int) -> tuple[str, ...]:
    """Return the number of `seat` in the hand just counted, if the count left it hidden."""
    hand = session.round
    if hand is None or session.in_play or session.view(seat).shown:
        return ()
    return (hand.numbers[seat],)


def recorded(session: DigitSession, seat: int | None, shown: ShownHands) -> Json:
    """Return the keys of a record that hold the deals and the actions.

    If a count left numbers of slips hidden, the hands are written as bills, because the last digits of a slip's numbers
    must be known to determine the next row.

    Args:
        session: the session.
        seat: the seat whose knowledge the record has; `None` for a spectator.
        shown: the numbers that were shown on request or by their player.
    """
    hands = session.ledger.hands
    rounds = round_tables(session)[: len(hands)]
    seats = range(session.seats)
    if session.setup.options.reveal == "full":
        shown = frozenset((number, owner) for number in range(len(hands)) for owner in seats)
    if session.setup.from_slips and len(shown) == len(hands) * session.seats:
        return {"slips": _slips(session, seat), "rounds": rounds}
    for index, (table, (hand, result)) in enumerate(zip(rounds, hands, strict=True)):
        numbers = [
            number if owner == seat or (index, owner) in shown else HIDDEN * len(number)
            for owner, number in enumerate(hand.numbers)
        ]
        table |= {"deal": numbers}
        if any(HIDDEN in number for number in numbers):
            table |= {"counts": list(result.counts)}
    return {**({} if session.setup.from_slips else RECORDS.record_parts(session)), "rounds": rounds}


def _slips(session: DigitSession, seat: int | None) -> list[list[str]]:
    """Return all slips played from; of other seats' slips only the rows that were played."""
    hands = session.ledger.hands
    played = {hand.terms.hand // HANDS_PER_SLIP * ROWS + (hand.terms.row or 0) for hand, _ in hands}
    rows = range(rows_needed(len(hands)))
    return [
        [numbers[row] if owner == seat or row in played else HIDDEN * len(numbers[row]) for row in rows]
        for owner, numbers in enumerate(session.ledger.slips)
    ]


def bluff(session: DigitSession, revealed: bool) -> Bluff | None:
    """Return the bid that was furthest above the number of its digit, of those that another player outbid.

    The count shows only the digit of the last bid, unless all numbers are shown.
    """
    hand, result = session.ledger.hands[-1]
    rules = hand.rules
    counted = digit_of(result.final_claim, rules)
    numbers = hand.numbers if revealed else session.view(None).shown
    bluffs = []
    for seat, claim in outbid_claims(hand.moves):
        digit = digit_of(claim, rules)
        if digit != counted and not numbers:
            continue
        total = result.total if digit == counted else sum(number.count(str(digit)) for number in numbers)
        missing = level_of(claim, rules) - total
        if missing > 0:
            bluffs.append(
                Bluff(
                    seat,
                    missing,
                    bid_in_words(claim, rules),
                    ngettext("there was {count}", "there were {count}", total) if total else _("there were none"),
                )
            )
    return best_bluff(bluffs)
