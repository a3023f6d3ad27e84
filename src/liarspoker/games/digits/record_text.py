"""A digit hand told to a person: the bidding, the count as fingers and fists, who pays whom, and why."""

from __future__ import annotations

from liarspoker.core.session import Reason
from liarspoker.games.digits.auction import CHALLENGE
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.options import ROW_LETTERS, Rules
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import FAILED, HERO, NONE, Settlement
from liarspoker.records.words import (
    UNBROKEN,
    bid_in_words,
    digit_name,
    object_of,
    printable,
    reason_in_words,
    subject,
    whose,
    won,
)


def tell_hand(session: DigitSession, players: tuple[str, ...]) -> list[str]:
    """The hand on the table, line by line: what was dealt, what was done, how it came out."""
    hand = session.round
    assert hand is not None
    names = tuple(map(printable, players))
    lines = [_heading(session, names)]
    width = max(map(len, names))
    lines += [f"  {name:<{width}}  {number}" for name, number in zip(names, hand.numbers, strict=True)]
    lines += [f"  {names[seat]}: {say(action, hand.rules)}" for seat, action in hand.moves]
    result = session.round_result
    if result is None:
        return [*lines, _whose_turn(session, names)]
    return [*lines, *("  " + line for line in tell_count(result, hand.rules, names))]


def say(action: int, rules: Rules) -> str:
    """What a player says when he does `action`."""
    if action >= 0:
        return bid_in_words(action, rules)
    return "challenge" if action == CHALLENGE else "count"


def tell_count(result: DigitResult, rules: Rules, names: tuple[str, ...]) -> list[str]:
    """The count clockwise from the bidder's left, then the payoffs with the rules that made them."""
    digit = digit_of(result.final_claim, rules)
    lines = [f"The count, clockwise from {whose(names[result.bidder])} left:"]
    width = max(map(len, names))
    for step in range(1, rules.seats + 1):
        seat = (result.bidder + step) % rules.seats
        lines.append(f"  {names[seat]:<{width}}  {fingers(result.counts[seat])}")
    held = f"{'is' if result.total == 1 else 'are'} {result.total or 'no'} {digit_name(digit, result.total, rules)}"
    lines.append(f"There {held}; {object_of(names[result.bidder])} bid {level_of(result.final_claim, rules)}.")
    lines.append(verdict(result.bidder, result.settlement, result.stake, rules, names))
    lines += [f"  because: {reason_in_words(reason, rules)}" for reason in result.why if reason != ("made", 1)]
    lines.append("  ".join(f"{name}{UNBROKEN}{won(units)}" for name, units in zip(names, result.payoffs, strict=True)))
    if result.odd_endings:
        lines.append(_odd_endings(result, names))
    return lines


def _odd_endings(result: DigitResult, names: tuple[str, ...]) -> str:
    odd = [name for name, is_odd in zip(names, result.odd_endings, strict=True) if is_odd]
    if not odd:
        return "No number ends in an odd digit: the next unplayed row follows."
    rows = "one unplayed row is" if len(odd) == 1 else f"{len(odd)} unplayed rows are"
    return f"Odd last digits: {', '.join(odd)}; {rows} skipped."


def fingers(count: int) -> str:
    """A count as fingers held up, none as a fist (source 000, "The Final Count").

    >>> fingers(3), fingers(0)
    ('3 fingers  | | |', 'a fist')
    """
    if count == 0:
        return "a fist"
    return f"{count} finger{'s' if count > 1 else ' '}  {' '.join('|' * count)}"


def verdict(seat: int, settlement: Settlement, stake: int, rules: Rules, names: tuple[str, ...]) -> str:
    """Who wins or pays how much, in one sentence; `seat` was the bidder."""
    bidder, units = names[seat], settlement.multiplier * stake
    each = f"{units} unit{'' if units == 1 else 's'}"
    whom = "each of the others" if rules.seats > 2 else object_of(names[1 - seat])
    if settlement.outcome == FAILED:
        return f"The bid fails: {subject(bidder, 'pays')} {whom} {each}."
    if settlement.multiplier == 0:
        return "Nobody holds one: with so few players that is a push, and nobody pays."
    how = {NONE: "Nobody holds one: skunk!", HERO: "Made by a bidder who holds none: a hero!"}
    return f"{how.get(settlement.outcome, 'The bid is made.')} {subject(bidder, 'wins')} {each} from {whom}."


def stake_in_words(stake: int, why: tuple[Reason, ...], rules: Rules) -> str:
    """The stake with the rules that made it: `stake 4 (2 carried over ...; the tenth hand is double)`."""
    reasons = "; ".join(reason_in_words(reason, rules) for reason in why)
    return f"stake {stake}" + (f" ({reasons})" if reasons else "")


def _heading(session: DigitSession, names: tuple[str, ...]) -> str:
    assert session.round is not None
    terms = session.round.terms
    row = "" if terms.row is None else f", row {ROW_LETTERS[session.setup.options.row_letters][terms.row]}"
    stake = stake_in_words(terms.stake, terms.why, session.setup.rules)
    return f"Hand {terms.hand + 1}{row}: {stake}. {subject(names[terms.opener], 'opens')}."


def _whose_turn(session: DigitSession, names: tuple[str, ...]) -> str:
    assert session.to_act is not None
    legal = session.legal()
    may = [f"bid {bid_in_words(legal.min_claim, session.setup.rules)} or more"] if legal.min_claim is not None else []
    may += [session.write(answer) for answer in legal.answers]
    return f"  It is {whose(names[session.to_act])} turn: {' or '.join(may)}."
