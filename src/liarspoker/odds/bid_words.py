"""One bid in words: `BidReport` for a person who has it in mind and must decide."""

from __future__ import annotations

from fractions import Fraction

from liarspoker.core.reason import Reason
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.result import bid_reasons
from liarspoker.games.digits.settlement import FAILED, HERO, NONE, OUTCOMES
from liarspoker.odds.bid_report import BidReport
from liarspoker.odds.bids import Prospect, unseen_digits
from liarspoker.odds.figures import one_in, percent
from liarspoker.odds.tables import rounded
from liarspoker.records.words import bid_in_words, digit_name, reason_in_words


def told(report: BidReport) -> str:
    """The report as lines of plain text, none wider than 80 columns."""
    return "\n".join((*_holding(report), "", *_outcomes(report), "", *_advice(report)))


def signed(units: Fraction | int) -> str:
    """Units won or lost: whole ones plain, others with three places.

    >>> signed(3), signed(0), signed(Fraction(-7, 3))
    ('+3', '0', '-2.333')
    """
    sign = "+" if units > 0 else ""
    return f"{sign}{units}" if units == int(units) else sign + rounded(Fraction(units), 3)


def _holding(report: BidReport) -> list[str]:
    rules, own, need = report.rules, report.own, report.need
    digit = digit_of(report.claim, rules)
    others = "the other player" if rules.seats == 2 else f"the {rules.seats - 1} others"
    needed = f"{need} more, among the {unseen_digits(rules)} digits of {others}" if need else "no more"
    return [
        f"{bid_in_words(report.claim, rules)}, {rules.seats} players, {report.game}",
        "",
        f"  you hold    {own or 'no'} {digit_name(digit, own, rules)}",
        f"  you need    {needed}",
        f"  chance      {percent(report.chance)}{one_in(report.chance)}",
    ]


def _outcomes(report: BidReport) -> list[str]:
    lines = ["If the bid is counted, at stake 1:"]
    for prospect in report.prospects:
        row = f"  {OUTCOMES[prospect.outcome]:<8}{percent(prospect.chance):>9}   {_each(prospect):<18}"
        lines.append(f"{row}{signed(prospect.units)}")
    lines.append(f"  {'on average':<38}{signed(report.value)}")
    return [*lines, *(f"  {reason}" for reason in _reasons(report))]


def _each(prospect: Prospect) -> str:
    if prospect.multiplier == 0:
        return "nobody pays"
    if prospect.outcome == FAILED:
        return f"you pay each {prospect.multiplier}"
    return f"each pays you {prospect.multiplier}"


def _reasons(report: BidReport) -> list[str]:
    """The rules behind what the bid pays, in the order in which they apply."""
    special = [prospect for prospect in report.prospects if prospect.outcome in (HERO, NONE)]
    reasons = [
        *bid_reasons(report.claim, report.rules),
        *(Reason(OUTCOMES[prospect.outcome], prospect.multiplier) for prospect in sorted(special)),
    ]
    return [reason_in_words(reason, report.rules) for reason in reasons]


def _advice(report: BidReport) -> list[str]:
    """Whether to raise to this bid in the spot of source 003: a challenge surely loses, all will challenge a raise."""
    standing = report.standing
    against = "it pays ×1" if standing is None else bid_in_words(standing, report.rules)
    better = report.value - report.challenge_value
    verdict = "raise" if better > 0 else "challenge" if better < 0 else "it makes no difference"
    skunk = ", the skunk aside" if any(prospect.outcome == NONE for prospect in report.prospects) else ""
    return [
        f"Say the standing bid ({against}) is good, and all will challenge your raise:",
        f"  challenge   {signed(report.challenge_value)}",
        f"  raise       {signed(report.value)} on average",
        f"  so          {verdict}; raising pays from {percent(report.break_even)} on{skunk}",
    ]
