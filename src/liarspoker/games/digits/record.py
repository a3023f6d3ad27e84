"""Records of the digit games: numbers, slips, letters and counts, and the report of each hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from liarspoker.core.errors import BadDeal, BadRecord, IllegalAction, MissingInformation
from liarspoker.core.session import Game, RoundSetup
from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.deal import DigitChance, DigitDeal, check_letters, check_slips
from liarspoker.games.digits.hands import rows_needed
from liarspoker.games.digits.options import ROW_LETTERS, DigitOptions
from liarspoker.games.digits.record_text import describe_hand
from liarspoker.games.digits.session import DigitGame, DigitSession
from liarspoker.games.digits.settlement import OUTCOMES
from liarspoker.language import _
from liarspoker.records.family import CARRIED, MAX_LISTED_ACTIONS, RecordFormat, Table
from liarspoker.records.schema import BOOLEAN, INTEGER, INTEGERS, LISTS_OF_STRINGS, STRING, STRINGS, Key, check
from liarspoker.records.words import bid_in_words, read_spoken_bid, refusal_in_words

MAX_DRAWN_DIGITS = 100
"""The largest `hand_size` in the description of a draw."""

_KIND = {"kind": Key(STRING, required=True)}
_KEYS = {
    **_KIND,
    "hand_size": Key(INTEGER, required=True),
    "digits": Key(STRING, required=True),
    "letters": Key(BOOLEAN, required=True),
    "redraw": Key(BOOLEAN, required=True),
}


class DigitRecords(RecordFormat[DigitSession]):
    """The record format of the digit games; see `liarspoker.records.family.RecordFormat`."""

    def record_keys(self, game: Game) -> Mapping[str, Key]:
        """Return the keys `slips` and `letters`, for the games that have them."""
        preset = cast(DigitGame, game).preset
        keys = {"slips": Key(LISTS_OF_STRINGS)} if preset.slips else {}
        return {**keys, "letters": Key(STRINGS)} if preset.letters else keys

    def round_keys(self, game: Game, record: Table) -> Mapping[str, Key]:
        """Return the keys of a hand, with `deal` unless the session is dealt from slips."""
        keys = {"opener": Key(INTEGER), "stake": Key(INTEGER), "counts": Key(INTEGERS)}
        return keys if "slips" in record else {"deal": Key(STRINGS, required=True), **keys}

    def begin(self, game: Game, record: Table, options: DigitOptions) -> DigitSession:
        """Return the session before its first hand, with slips and letters checked."""
        if "slips" in record and "letters" in record:
            raise BadRecord(_("letters can't be combined with slips"))
        session = cast(DigitGame, game).session(len(record["players"]), options, from_slips="slips" in record)
        if "slips" in record:
            check_slips(record["slips"], session.setup.rules)
        if "letters" in record:
            check_letters(record["letters"], session.setup.rules)
        return session

    def deal(self, session: DigitSession, record: Table, table: Table) -> DigitSession:
        """Return the session with the hand of `table` dealt."""
        first = session.round is None
        if first and session.setup.options.first_opener_tie == "redraw" and "opener" not in table:
            raise MissingInformation(_("opener: letters were drawn until a single pair was lowest; give the opener"))
        counts = table.get("counts")
        drawn = DigitDeal(
            numbers=tuple(table.get("deal", ())),
            slips=tuple(map(tuple, record.get("slips", ()))) if first else (),
            letters=tuple(record.get("letters", ())) if first else (),
            counts=None if counts is None else tuple(counts),
        )
        carried = table.get(CARRIED) is True
        return session.deal(drawn, RoundSetup(opener=table.get("opener"), stake=table.get("stake"), carried=carried))

    def read_spoken(self, session: DigitSession, text: str) -> int | None:
        """Return the bid in a spoken phrase; `None` if `text` isn't one."""
        return read_spoken_bid(text, session.setup.rules)

    def explain(self, session: DigitSession, text: str, error: IllegalAction) -> str:
        """Return why `text` is illegal, in words."""
        rules = session.setup.rules
        if error.code == "unreadable-action" and not rules.rebid:
            return _(
                "{action} isn't an action of this game; write a bid such as 5 sevens, or challenge", action=repr(text)
            )
        claim = session.round.auction.claim if session.round else -1
        words = text if isinstance(error.action, str) else _action_in_words(session, error.action)
        standing = bid_in_words(claim, rules) if claim >= 0 else ""
        return refusal_in_words(error, words, standing, rules.hand_size * rules.seats if rules.capped else None)

    def report(self, session: DigitSession) -> Table:
        """Return the report of the hand on the table, counted or in play."""
        return _report_in_play(session) if session.in_play else _report_counted(session)

    def record_parts(self, session: DigitSession, rounds: int | None = None) -> Table:
        """Return the slips or letters of this session; with `rounds`, only the slips of the first `rounds` hands."""
        if session.ledger.slips:
            end = None if rounds is None else rows_needed(rounds)
            return {"slips": [list(rows[:end]) for rows in session.ledger.slips]}
        first = session.ledger.hands[0][0] if session.ledger.hands else session.round
        return {"letters": list(first.terms.letters)} if first is not None and first.terms.letters else {}

    def read_draw(self, parts: Table, seats: int) -> DigitChance:
        """Return what is drawn for a hand, from its description."""
        kind = parts.get("kind")
        check(parts, _KIND if kind == "nothing" else _KEYS, "draw")
        if kind == "nothing":
            return DigitChance(seats, 0, "", numbers=False, slips=False, letters=False, redraw=False)
        size, digits = parts["hand_size"], parts["digits"]
        if kind not in ("numbers", "slips"):
            raise BadDeal(_("draw: kind must be numbers, slips or nothing in this game"))
        if not 1 <= size <= MAX_DRAWN_DIGITS:
            raise BadDeal(_("draw: hand_size must be between 1 and {most}", most=MAX_DRAWN_DIGITS))
        if not digits or len(set(digits)) != len(digits) or set(digits) - set("0123456789"):
            raise BadDeal(_("draw: digits must be the digits in play, each once"))
        return DigitChance(seats, size, digits, kind == "numbers", kind == "slips", parts["letters"], parts["redraw"])

    def describe_round(self, session: DigitSession, players: tuple[str, ...]) -> list[str]:
        """Return the hand on the table as lines: the numbers, the actions and the result."""
        return describe_hand(session, players)


RECORDS = DigitRecords()
"""The record format of the family."""


def _action_in_words(session: DigitSession, action: int) -> str:
    """Return an action in words."""
    return bid_in_words(action, session.setup.rules) if action >= 0 else session.write(action)


def _report_counted(session: DigitSession) -> Table:
    result = session.round_result
    assert result is not None
    report: Table = {
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
        report["odd_endings"] = sum(result.odd_endings)
    return report


def _report_in_play(session: DigitSession) -> Table:
    """Return the report of a hand in play, with the seat to act and the legal actions."""
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
    report: Table = {
        "min_claim": None if legal.min_claim is None else session.write(legal.min_claim),
        "challenge": CHALLENGE in legal.answers,
        "count": COUNT in legal.answers,
    }
    if not legal.endless and len(legal.claims) + len(legal.answers) <= MAX_LISTED_ACTIONS:
        report["actions"] = [session.write(action) for action in legal.actions]
    return report


def _row(session: DigitSession) -> Table:
    assert session.round is not None
    row = session.round.terms.row
    if row is None:
        return {}
    return {"row": row, "letter": ROW_LETTERS[session.setup.options.row_letters][row]}
