"""Plain text for digit hands: the bidding, the count as fingers and fists, the payoffs and their reasons."""

from __future__ import annotations

from functools import reduce

from liarspoker.core.session import Reason
from liarspoker.games.digits.auction import CHALLENGE
from liarspoker.games.digits.hands import begins_slip
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.options import ROW_LETTERS, Rules
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import FAILED, HERO, NONE, Settlement
from liarspoker.language import N_, _, ngettext, pgettext
from liarspoker.records.words import (
    UNBROKEN,
    YOU,
    aligned,
    bid_in_words,
    count_or_no,
    name_shown,
    printable,
    reason_in_words,
    said_of,
    said_of_two,
    signed_units,
    units_in_words,
)


def describe_hand(session: DigitSession, players: tuple[str, ...]) -> list[str]:
    """Return the hand on the table as lines: the numbers, the actions and the result."""
    hand = session.round
    assert hand is not None
    names = tuple(map(printable, players))
    lines = [_heading(session, names)]
    lines += [f"  {name}  {number}" for name, number in zip(aligned(names), hand.numbers, strict=True)]
    lines += [f"  {names[seat]}: {action_in_words(action, hand.rules)}" for seat, action in hand.moves]
    result = session.round_result
    if result is None:
        return [*lines, _whose_turn(session, names)]
    return [*lines, *("  " + line for line in describe_count(result, hand.rules, names, hand.terms.hand))]


def action_in_words(action: int, rules: Rules) -> str:
    """Return an action as players say it, such as `5 sevens` or `challenge`."""
    if action >= 0:
        return bid_in_words(action, rules)
    # Translators: what a player says in their turn
    return pgettext("action", "challenge") if action == CHALLENGE else pgettext("action", "count")


def describe_opener(name: str) -> str:
    """Return who opens the hand, as a sentence."""
    return said_of(name, N_("You open."), N_("{name} opens."))


def describe_move(name: str, action: int, rules: Rules, is_rebid: bool = False) -> str:
    """Return what a player did, as a sentence.

    Args:
        name: the player's name, or `YOU`.
        action: the bid, the challenge or the count.
        rules: the table's rules.
        is_rebid: the bid was made after everybody had challenged.
    """
    if action == CHALLENGE:
        return said_of(name, N_("You challenge."), N_("{name} challenges."))
    if action < 0:
        return said_of(name, N_("You count."), N_("{name} counts."))
    bid = bid_in_words(action, rules)
    if is_rebid:
        return said_of(name, N_("You rebid {bid}."), N_("{name} rebids {bid}."), bid=bid)
    return said_of(name, N_("You bid {bid}."), N_("{name} bids {bid}."), bid=bid)


def describe_count(result: DigitResult, rules: Rules, names: tuple[str, ...], hand: int) -> list[str]:
    """Return the count, clockwise from the bidder's left, and the payoffs with their reasons, as lines.

    Args:
        result: the result of the hand.
        rules: the table's rules.
        names: the players' names, seat by seat.
        hand: the hand's number in the session, from 0; the last hand of a slip skips no rows.
    """
    bidder, shown = names[result.bidder], tuple(map(name_shown, names))
    lines = [
        said_of(bidder, N_("The count, clockwise from your left:"), N_("The count, clockwise from {name}'s left:"))
    ]
    in_column = aligned(shown)
    for step in range(1, rules.seats + 1):
        seat = (result.bidder + step) % rules.seats
        lines.append(f"  {in_column[seat]}  {fingers(result.counts[seat])}")
    found = count_or_no(result.total, digit_of(result.final_claim, rules), rules)
    level = level_of(result.final_claim, rules)
    lines.append(
        ngettext(
            "There is {found}; you bid {level}.",
            "There are {found}; you bid {level}.",
            result.total,
            found=found,
            level=level,
        )
        if bidder == YOU
        else ngettext(
            "There is {found}; {name} bid {level}.",
            "There are {found}; {name} bid {level}.",
            result.total,
            found=found,
            name=bidder,
            level=level,
        )
    )
    lines.append(describe_outcome(result.bidder, result.settlement, result.stake, rules, names))
    lines += [
        "  " + _("because: {reason}", reason=reason_in_words(reason, rules))
        for reason in result.why
        if reason != ("made", 1)
    ]
    lines.append(
        "  ".join(f"{name}{UNBROKEN}{signed_units(units)}" for name, units in zip(shown, result.payoffs, strict=True))
    )
    if result.odd_endings:
        lines.append(_next_slip() if begins_slip(hand + 1) else _odd_endings(result, shown))
    return lines


def _next_slip() -> str:
    return _("The slip is finished; the next hand starts a new one.")


def _odd_endings(result: DigitResult, names: tuple[str, ...]) -> str:
    odd = [name for name, is_odd in zip(names, result.odd_endings, strict=True) if is_odd]
    if not odd:
        return _("No number ends in an odd digit, so the next unplayed row is played.")
    skipped = ngettext("One unplayed row is skipped.", "{count} unplayed rows are skipped.", len(odd))
    return _("Odd last digits: {names}.", names=", ".join(odd)) + " " + skipped


def fingers(count: int) -> str:
    """Return a count as fingers held up, and none as a fist (source 000, Salomon 1986, "The Final Count").

    >>> fingers(3), fingers(0)
    ('3 fingers  | | |', 'a fist')
    """
    if count == 0:
        return _("a fist")
    width = len(_fingers(2))  # for one finger, the strokes are below those of more
    return f"{_fingers(count):<{width}}  {' '.join('|' * count)}"


def _fingers(count: int) -> str:
    return ngettext("{count} finger", "{count} fingers", count)


def describe_outcome(bidder: int, settlement: Settlement, stake: int, rules: Rules, names: tuple[str, ...]) -> str:
    """Return who wins or pays how much, as text.

    Args:
        bidder: the bidder's seat.
        settlement: how the count came out.
        stake: the stake in units.
        rules: the table's rules.
        names: the players' names, seat by seat.
    """
    name, units = names[bidder], units_in_words(settlement.multiplier * stake)
    if settlement.outcome == FAILED:
        if rules.seats > 2:
            return said_of(
                name,
                N_("The bid fails: you pay each of the others {units}."),
                N_("The bid fails: {name} pays each of the others {units}."),
                units=units,
            )
        return said_of_two(
            name,
            names[1 - bidder],
            N_("The bid fails: you pay {other} {units}."),
            N_("The bid fails: {name} pays you {units}."),
            N_("The bid fails: {name} pays {other} {units}."),
            units=units,
        )
    if settlement.multiplier == 0:
        return _("Nobody holds one. With so few players this is a push: nobody pays.")
    how = {
        NONE: _("Nobody holds one: a skunk!"),
        HERO: _("The bid is made, and the bidder holds none: a hero!"),
    }.get(settlement.outcome) or _("The bid is made.")
    if rules.seats > 2:
        wins = said_of(
            name,
            N_("You win {units} from each of the others."),
            N_("{name} wins {units} from each of the others."),
            units=units,
        )
    else:
        wins = said_of_two(
            name,
            names[1 - bidder],
            N_("You win {units} from {other}."),
            N_("{name} wins {units} from you."),
            N_("{name} wins {units} from {other}."),
            units=units,
        )
    return f"{how} {wins}"


def stake_in_words(stake: int, why: tuple[Reason, ...], rules: Rules) -> str:
    """Return the stake with the rules behind it: `stake 4 (2 carried over; the tenth hand is double)`."""
    if not why:
        return _("stake {stake}", stake=stake)
    reasons = "; ".join(reason_in_words(reason, rules) for reason in why)
    return _("stake {stake} ({reasons})", stake=stake, reasons=reasons)


def _heading(session: DigitSession, names: tuple[str, ...]) -> str:
    assert session.round is not None
    terms = session.round.terms
    number, stake = terms.hand + 1, stake_in_words(terms.stake, terms.why, session.setup.rules)
    if terms.row is None:
        heading = _("Hand {number}: {stake}.", number=number, stake=stake)
    else:
        row = ROW_LETTERS[session.setup.options.row_letters][terms.row]
        heading = _("Hand {number}, row {row}: {stake}.", number=number, row=row, stake=stake)
    return f"{heading} {describe_opener(names[terms.opener])}"


def _whose_turn(session: DigitSession, names: tuple[str, ...]) -> str:
    assert session.to_act is not None
    legal, rules = session.legal(), session.setup.rules
    may = [] if legal.min_claim is None else [_("bid {bid} or higher", bid=bid_in_words(legal.min_claim, rules))]
    may += [action_in_words(answer, rules) for answer in legal.answers]
    actions = reduce(lambda one, last: _("{values}, or {last}", values=one, last=last), may)
    turn = said_of(
        names[session.to_act], N_("It is your turn: {actions}."), N_("It is {name}'s turn: {actions}."), actions=actions
    )
    return f"  {turn}"
