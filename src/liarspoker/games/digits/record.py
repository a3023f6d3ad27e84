"""The records of the digit games: numbers, slips, letters and counts, and what a replay reports of each hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from liarspoker.core.errors import BadDeal, BadRecord, IllegalAction, NotTold
from liarspoker.core.session import Game, RoundSetup
from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.deal import DigitChance, DigitDeal, check_letters, check_slips
from liarspoker.games.digits.hands import rows_needed
from liarspoker.games.digits.options import ROW_LETTERS, DigitOptions
from liarspoker.games.digits.record_text import tell_hand
from liarspoker.games.digits.session import DigitGame, DigitSession
from liarspoker.games.digits.settlement import OUTCOMES
from liarspoker.records.family import MOST_ACTIONS_LISTED, RecordFormat, Table
from liarspoker.records.shapes import LISTS_OF_TEXTS, ON_OFF, TEXT, TEXTS, WHOLE, WHOLES, Key, check
from liarspoker.records.words import bid_in_words, refusal_in_words, spoken_bid

LONGEST = 100
"""Digits of the longest number that is drawn from a description."""

_KIND = {"kind": Key(TEXT, required=True)}
_KEYS = {
    **_KIND,
    "hand_size": Key(WHOLE, required=True),
    "digits": Key(TEXT, required=True),
    "letters": Key(ON_OFF, required=True),
    "redraw": Key(ON_OFF, required=True),
}


class DigitRecords(RecordFormat[DigitSession]):
    """How digit games are written to records."""

    def record_keys(self, game: Game) -> Mapping[str, Key]:
        """`slips` and `letters`, for the games that have them."""
        preset = cast(DigitGame, game).row
        keys = {"slips": Key(LISTS_OF_TEXTS)} if preset.slips else {}
        return {**keys, "letters": Key(TEXTS)} if preset.letters else keys

    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """A hand's keys; it carries a `deal` unless the session is dealt from slips."""
        keys = {"opener": Key(WHOLE), "stake": Key(WHOLE), "counts": Key(WHOLES)}
        return keys if "slips" in record else {"deal": Key(TEXTS, required=True), **keys}

    def begin(self, game: Game, record: Table, options: DigitOptions) -> DigitSession:
        """The session before its first hand; slips and letters, which stand above the rounds, are checked here."""
        if "slips" in record and "letters" in record:
            raise BadRecord("record: letters belong to bills; there are none on slips")
        session = cast(DigitGame, game).session(len(record["players"]), options, from_slips="slips" in record)
        if "slips" in record:
            check_slips(record["slips"], session.setup.rules)
        if "letters" in record:
            check_letters(record["letters"], session.setup.rules)
        return session

    def deal(self, session: DigitSession, record: Table, table: Table) -> DigitSession:
        """The session with the hand of `table` dealt."""
        first = session.round is None
        if first and session.setup.options.first_opener_tie == "redraw" and "opener" not in table:
            raise NotTold("opener: the letters were drawn again until one pair was lowest; say who opens")
        counts = table.get("counts")
        drawn = DigitDeal(
            numbers=tuple(table.get("deal", ())),
            slips=tuple(map(tuple, record.get("slips", ()))) if first else (),
            letters=tuple(record.get("letters", ())) if first else (),
            counts=None if counts is None else tuple(counts),
        )
        return session.deal(drawn, RoundSetup(opener=table.get("opener"), stake=table.get("stake")))

    def spoken(self, session: DigitSession, text: str) -> int | None:
        """The bid that `text` says; `None` if it says none."""
        return spoken_bid(text, session.setup.rules)

    def explain(self, session: DigitSession, text: str, error: IllegalAction) -> str:
        """Why `text` is refused, in words."""
        rules = session.setup.rules
        claim = session.round.auction.claim if session.round else -1
        said = text if isinstance(error.action, str) else _say(session, error.action)
        standing = bid_in_words(claim, rules) if claim >= 0 else ""
        return refusal_in_words(error, said, standing, rules.hand_size * rules.seats if rules.capped else None)

    def report(self, session: DigitSession) -> Table:
        """The hand on the table: how its count came out, or who is to act and what is legal."""
        return _in_play(session) if session.in_play else _counted(session)

    def record_parts(self, session: DigitSession, rounds: int | None = None) -> Table:
        """The slips or the letters of this session; of the slips only those of its first `rounds` hands, if given."""
        if session.ledger.slips:
            end = None if rounds is None else rows_needed(rounds)
            return {"slips": [list(rows[:end]) for rows in session.ledger.slips]}
        first = session.ledger.hands[0][0] if session.ledger.hands else session.round
        return {"letters": list(first.terms.letters)} if first is not None and first.terms.letters else {}

    def read_draw(self, parts: Table, seats: int) -> DigitChance:
        """What a hand draws, from its parts."""
        kind = parts.get("kind")
        check(parts, _KIND if kind == "nothing" else _KEYS, "draw")
        if kind == "nothing":
            return DigitChance(seats, 0, "", numbers=False, slips=False, letters=False, redraw=False)
        size, digits = parts["hand_size"], parts["digits"]
        if kind not in ("numbers", "slips"):
            raise BadDeal("draw: kind should be numbers, slips or nothing in this game")
        if not 1 <= size <= LONGEST:
            raise BadDeal(f"draw: hand_size should be 1 to {LONGEST}")
        if not digits or len(set(digits)) != len(digits) or set(digits) - set("0123456789"):
            raise BadDeal("draw: digits should be the digits in play, each once")
        return DigitChance(seats, size, digits, kind == "numbers", kind == "slips", parts["letters"], parts["redraw"])

    def tell_round(self, session: DigitSession, players: tuple[str, ...]) -> list[str]:
        """The hand on the table, line by line: what was dealt, what was done, how it came out."""
        return tell_hand(session, players)


RECORDS = DigitRecords()


def _say(session: DigitSession, action: int) -> str:
    """An action in words: a bid as it is said, an answer as it is written."""
    return bid_in_words(action, session.setup.rules) if action >= 0 else session.write(action)


def _counted(session: DigitSession) -> Table:
    result = session.round_result
    assert result is not None
    told: Table = {
        "opener": result.opener,
        "stake": result.stake,
        "final_claim": session.write(result.final_claim),
        "bidder": result.bidder,
        "total": result.total,
        "counts": list(result.counts),
        "outcome": OUTCOMES[result.settlement.outcome],
        "multiplier": result.settlement.multiplier,
        "bid_multiplier": result.settlement.bid_multiplier,
        "payoffs": list(result.payoffs),
        "next_stake": result.next_stake,
        "next_opener": result.next_opener,
        **_row(session),
    }
    if result.odd_endings:
        told["odd_endings"] = sum(result.odd_endings)
    return told


def _in_play(session: DigitSession) -> Table:
    """The hand in play: who is to act, and what is legal."""
    assert session.round is not None
    auction, terms = session.round.auction, session.round.terms
    standing = auction.claim >= 0
    return {
        "opener": terms.opener,
        "stake": terms.stake,
        "claim": session.write(auction.claim) if standing else None,
        "bidder": auction.bidder if standing else None,
        "is_rebid": bool(auction.is_rebid),
        "challenges": auction.challenges,
        "to_act": session.to_act,
        "phase": session.phase,
        **_row(session),
        "legal": _legal(session),
    }


def _legal(session: DigitSession) -> Table:
    legal = session.legal()
    told: Table = {
        "min_claim": None if legal.min_claim is None else session.write(legal.min_claim),
        "challenge": CHALLENGE in legal.answers,
        "count": COUNT in legal.answers,
    }
    if not legal.endless and len(legal.claims) + len(legal.answers) <= MOST_ACTIONS_LISTED:
        told["actions"] = [session.write(action) for action in legal.actions]
    return told


def _row(session: DigitSession) -> Table:
    assert session.round is not None
    row = session.round.terms.row
    if row is None:
        return {}
    return {"row": row, "letter": ROW_LETTERS[session.setup.options.row_letters][row]}
