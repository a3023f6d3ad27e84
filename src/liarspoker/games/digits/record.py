"""The records of the digit games: numbers, slips, letters and counts, and what a replay tells of each hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from liarspoker.core.errors import UNREADABLE_ACTION, BadRecord, IllegalAction, NotTold
from liarspoker.core.session import Game, RoundSetup
from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.deal import DigitDeal, check_letters, check_slips
from liarspoker.games.digits.game import DigitGame
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.options import ROW_LETTERS, DigitOptions
from liarspoker.games.digits.record_deal import deal_of, deal_parts, draw_parts, needs_again, play_again, read_draw
from liarspoker.games.digits.record_text import tell_outcome, tell_round
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import OUTCOMES
from liarspoker.games.digits.slips import rows_needed
from liarspoker.records.family import MOST_ACTIONS_LISTED, Table
from liarspoker.records.shapes import LISTS_OF_TEXTS, TEXTS, WHOLE, WHOLES, Key
from liarspoker.records.words import bid_in_words, refusal_in_words, spoken_bid

__all__ = [
    "all_known",
    "begin",
    "check_round",
    "deal",
    "deal_of",
    "deal_parts",
    "draw_parts",
    "explain",
    "finished",
    "needs_again",
    "outcome",
    "play_again",
    "read",
    "read_draw",
    "record_keys",
    "record_parts",
    "round_keys",
    "round_parts",
    "tell_outcome",
    "tell_round",
    "unfinished",
]


def record_keys(game: Game) -> Mapping[str, Key]:
    """`slips` and `letters`, for the games that have them."""
    preset = cast(DigitGame, game).row
    keys = {"slips": Key(LISTS_OF_TEXTS)} if preset.slips else {}
    return {**keys, "letters": Key(TEXTS)} if preset.letters else keys


def round_keys(game: Game, record: Table) -> Mapping[str, Key]:
    """A hand's keys; it carries a `deal` unless the session is dealt from slips."""
    keys = {"opener": Key(WHOLE), "stake": Key(WHOLE), "counts": Key(WHOLES)}
    return keys if "slips" in record else {"deal": Key(TEXTS, required=True), **keys}


def begin(game: Game, record: Table, options: DigitOptions) -> DigitSession:
    """The session before its first hand; slips and letters are checked already here, for they stand above the rounds.

    Raises:
        BadRecord: slips and letters stand together.
        BadDeal: slips or letters that cannot be.
        BadOption: slips with options that they do not allow.
    """
    if "slips" in record and "letters" in record:
        raise BadRecord("record: letters belong to bills; there are none on slips")
    session = cast(DigitGame, game).session(len(record["players"]), options, from_slips="slips" in record)
    if "slips" in record:
        check_slips(record["slips"], session.setup.rules)
    if "letters" in record:
        check_letters(record["letters"], session.setup.rules)
    return session


def deal(session: DigitSession, record: Table, table: Table) -> DigitSession:
    """The session with the hand of `table` dealt.

    Raises:
        NotTold: the letters were drawn again after a tie, so the record must say who opens.
        BadRound: an opener who is no seat, a stake below 1.
        BadDeal: a deal that cannot be.
    """
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


def check_round(session: DigitSession) -> None:
    """Nothing is left to check once the actions have been played."""


def read(session: DigitSession, text: str) -> int:
    """The action that `text` writes: notation first, then words.

    Raises:
        IllegalAction: it is neither, or a bid that cannot be named.
    """
    try:
        return session.read(text)
    except IllegalAction as error:
        spoken = spoken_bid(text, session.setup.rules) if error.refusal == UNREADABLE_ACTION else None
        if spoken is None:
            raise
        return spoken


def explain(session: DigitSession, text: str, error: IllegalAction) -> str:
    """Why `text` is refused, in words."""
    rules = session.setup.rules
    claim = session.round.auction.claim if session.round else -1
    said = text if isinstance(error.action, str) else say(session, error.action)
    standing = bid_in_words(claim, rules) if claim >= 0 else ""
    return refusal_in_words(error, said, standing, rules.hand_size * rules.seats if rules.capped else None)


def say(session: DigitSession, action: int) -> str:
    """An action in words: a bid as it is said, an answer as it is written."""
    return bid_in_words(action, session.setup.rules) if action >= 0 else session.write(action)


def finished(session: DigitSession) -> Table:
    """The counted hand on the table."""
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


def unfinished(session: DigitSession) -> Table:
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


def all_known(session: DigitSession) -> bool:
    """Whether no number of the hand in play, and none on a slip, is hidden."""
    dealt = [*session.ledger.slips, *([session.round.numbers] if session.in_play and session.round else [])]
    return not any(HIDDEN in number for numbers in dealt for number in numbers)


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


def outcome(session: DigitSession) -> Table:
    """The score: units won or lost by each seat."""
    return {"score": list(session.score)}


def record_parts(session: DigitSession, rounds: int | None = None) -> Table:
    """The slips or the letters of this session; of the slips only those of its first `rounds` hands, if given."""
    if session.ledger.slips:
        end = None if rounds is None else rows_needed(rounds)
        return {"slips": [list(rows[:end]) for rows in session.ledger.slips]}
    first = session.ledger.hands[0][0] if session.ledger.hands else session.round
    return {"letters": list(first.terms.letters)} if first is not None and first.terms.letters else {}


def round_parts(session: DigitSession) -> list[Table]:
    """The hands of this session; opener and stake only where they are not what the rules give."""
    hands = [hand for hand, _ in session.ledger.hands]
    if session.in_play and session.round is not None:
        hands.append(session.round)
    rounds = []
    for hand in hands:
        table: Table = {}
        redrawn = hand.terms.hand == 0 and session.setup.options.first_opener_tie == "redraw"
        if hand.terms.opener_agreed or redrawn:
            table["opener"] = hand.terms.opener
        if hand.terms.stake_agreed:
            table["stake"] = hand.terms.stake
        if hand.terms.row is None:
            table["deal"] = list(hand.numbers)
        if hand.counts is not None:
            table["counts"] = list(hand.counts)
        rounds.append({**table, "actions": [session.write(action) for _, action in hand.moves]})
    return rounds
