"""A hand of a digit game, built again from what the server tells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from liarspoker.core.reason import Reason
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.notation import read
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.round import DigitRound, Terms
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import settle
from liarspoker.terminal.live.sights import Json, Setting, Sight


def sight(setting: Setting, moves: int) -> Sight:
    """The hand after so many of its moves; the others' numbers are unknown."""
    told, seat = setting.told, setting.seat
    begun: Any = setting.game.session(setting.seats, setting.options, setting.settings["from_slips"])
    rules: Rules = begun.setup.rules
    counted = "result" in told and moves == setting.moves
    shown = tuple(told.get("shown", ())) if counted else ()
    hand = DigitRound.begin(rules, _terms(told), shown or _numbers(setting, rules), None)
    for _, action in told["moves"][:moves]:
        hand = hand.apply(read(action, rules))
    hands = ((hand, _result(told, rules)),) if counted else ()
    ledger = replace(begun.ledger, hands=hands, score=tuple(told["score"]), numbers_shown=bool(shown))
    session: DigitSession = replace(begun, ledger=ledger, round=hand)
    slip = tuple(setting.hand.get("slip", ()))
    played_rows = sum(1 << row for row in setting.hand.get("rows_played", ()))
    return Sight(session, replace(session.view(seat), slip=slip, played_rows=played_rows))


def _terms(told: Json) -> Terms:
    return Terms(
        hand=told["round"],
        opener=told["opener"],
        base=told["stake"],
        stake=told["stake"],
        why=_reasons(told["stake_reasons"]),
        row=told.get("row"),
        letters=tuple(told.get("letters", ())),
    )


def _numbers(setting: Setting, rules: Rules) -> tuple[str, ...]:
    """One's own number, and for the others as many hidden digits."""
    own = setting.hand.get("number", HIDDEN * rules.hand_size)
    return tuple(own if seat == setting.seat else HIDDEN * rules.hand_size for seat in range(setting.seats))


def _result(told: Json, rules: Rules) -> DigitResult:
    """The count: it is public, so the server tells all of it."""
    result = told["result"]
    claim, bidder, total = read(result["final_claim"], rules), result["bidder"], result["total"]
    counts = tuple(result["counts"])
    return DigitResult(
        opener=told["opener"],
        stake=told["stake"],
        final_claim=claim,
        bidder=bidder,
        total=total,
        counts=counts,
        settlement=settle(claim, counts[bidder], total, rules),
        payoffs=tuple(result["payoffs"]),
        next_stake=result["next_stake"],
        next_opener=result["next_opener"],
        why=_reasons(result["reasons"]),
        odd_endings=tuple(result.get("odd_endings", ())),
    )


def _reasons(told: list[list[Any]]) -> tuple[Reason, ...]:
    return tuple(Reason(rule, amount) for rule, amount in told)
