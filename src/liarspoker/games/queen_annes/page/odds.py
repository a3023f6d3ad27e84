"""Odds page of Queen Anne's games: the probability that a named hand exists, given known cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liarspoker.core.cards.claims import Spelling
from liarspoker.core.cards.deck import card_text, full_deck
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.cards.wording import name_category
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.record_text import describe_hand
from liarspoker.language import _, ngettext, number, pgettext
from liarspoker.odds.card_report import HandGroup, PoolReport
from liarspoker.odds.figures import one_in, written
from liarspoker.odds.questions import BadQuestion, named_in_pool, pool_cards, pooled_rules
from liarspoker.records.words import capital
from liarspoker.web.draw import Bar
from liarspoker.web.view_models.odds_fields import (
    Answer,
    Field,
    Question,
    address,
    card_question,
    jokers_field,
    jokers_of,
    number_in_words,
    percent,
    read_cards,
    read_integer,
)
from liarspoker.web.words import sentence

PATH = "/odds/pooled"
_FIRST = {"claim": "full house A over 10", "known": "As Kd", "unknown": "12", "jokers": "0", "wild": ""}
_AROUND = (6, 5)
"""Numbers of smaller and larger pools in the chart."""
_MOST_UNKNOWN = 54


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolAnswer(Answer):
    """The answer: known cards and wild cards of the hand, what is missing, and a table of hand groups."""

    there: tuple[str, ...]
    wilds: tuple[str, ...]
    missing: str
    rows: tuple[tuple[str, str, str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class PoolViewModel:
    """View model of the page; `answer` is `None` if the input is invalid."""

    fields: tuple[Field, ...]
    answer: PoolAnswer | None


def view_model(given: Mapping[str, str]) -> PoolViewModel:
    """Return the view model for query parameters; missing ones get their defaults."""
    asked = card_question(given, _FIRST)
    typed, report = asked.typed, _report(asked)
    unknown = None if report is None else read_integer(typed["unknown"], 0, _MOST_UNKNOWN)
    return PoolViewModel(
        fields=(
            asked.field("claim", _("Named hand"), hint=_("pair 7, or: full house A over 10")),
            asked.field("known", _("Cards you know"), hint=_("As Kd Td; Jk is a joker")),
            asked.field(
                "unknown",
                _("Number of unknown cards"),
                less=_where(typed, unknown=unknown - 1) if unknown else "",
                more="" if unknown is None else _where(typed, unknown=unknown + 1),
            ),
            jokers_field(asked),
            asked.field("wild", _("Wild ranks"), hint=_("2, or 29; empty for none")),
        ),
        answer=None if report is None or report.named is None else _answer(report, report.named, _where(typed)),
    )


def _where(typed: Mapping[str, str], **changes: object) -> str:
    return address(PATH, {**typed, **changes})


def _report(asked: Question) -> PoolReport | None:
    """Parse the question; return `None` and record errors if it is invalid."""
    typed, errors = asked.typed, asked.errors
    unknown = read_integer(typed["unknown"], 0, _MOST_UNKNOWN)
    if unknown is None:
        errors["unknown"] = _("Enter an integer from {least} to {most}.", least=0, most=_MOST_UNKNOWN)
    jokers = jokers_of(asked)
    rules = _rules(typed, jokers, errors)
    known: tuple[int, ...] = ()
    try:
        known = pool_cards(read_cards(typed["known"]), unknown or 0, jokers)
    except BadQuestion as error:
        place, _colon, what = str(error).partition(": ")
        errors["unknown" if place == "unknown" else "known"] = sentence(what)
    named = None
    try:
        named = named_in_pool(typed["claim"], rules)
    except LiarsPokerError as error:
        errors["claim"] = sentence(str(error))
    return None if errors else PoolReport(known, unknown or 0, rules, named)


def _rules(typed: Mapping[str, str], jokers: int, errors: dict[str, str]) -> QueenAnnesRules:
    try:
        return pooled_rules(jokers, typed["wild"].upper().replace("10", "T"))
    except LiarsPokerError:
        errors["wild"] = _("Enter each rank once, such as 2 or 29.")
        return pooled_rules(jokers)


def _answer(report: PoolReport, named: Spelling, where: str) -> PoolAnswer:
    chance, proof = report.probability(named), report.proof(named)
    words = describe_hand(named)
    cards = len(report.known) + report.unknown
    in_play = ngettext(
        # Translators: {number} is a number in words.
        "{number} card is in play, and you know {known} of them.",
        "{number} cards are in play, and you know {known} of them.",
        cards,
        number=number_in_words(cards),
        known=_count_or_none(len(report.known)),
    )
    return PoolAnswer(
        question=_("Does {hand} exist?", hand=words),
        lead=capital(in_play),
        figure=percent(chance),
        rarity=one_in(chance),
        fraction=written(chance),
        there=tuple(map(card_text, proof.cards)),
        wilds=tuple(map(card_text, proof.wilds)),
        missing=_missing(len(proof.cards) + len(proof.wilds), proof.missing),
        bars=_bars(report, named),
        chart_text=_(
            "Probability of {hand} by unknown cards: {percent} per cent for {unknown}",
            hand=words,
            percent=percent(chance),
            unknown=report.unknown,
        ),
        rows=tuple(_row(row, named, chance == row.probability) for row in report.table()),
        address=where,
    )


def _missing(there: int, missing: int) -> str:
    if not missing:
        return _("You know {known} of its cards; none are missing", known=_count_or_none(there))
    return ngettext(
        # Translators: {known} and {missing} are numbers in words.
        "You know {known} of its cards; {missing} more must be among the unknown cards",
        "You know {known} of its cards; {missing} more must be among the unknown cards",
        missing,
        known=_count_or_none(there),
        missing=number_in_words(missing),
    )


def _count_or_none(count: int) -> str:
    return number_in_words(count) if count else pgettext("cards", "none")


def _bars(report: PoolReport, named: Spelling) -> tuple[Bar, ...]:
    left = len(full_deck(report.rules.jokers)) - len(report.known)
    first, last = max(0, report.unknown - _AROUND[0]), min(left, report.unknown + _AROUND[1])
    bars = []
    for unknown in range(first, last + 1):
        chance = PoolReport(report.known, unknown, report.rules, named).probability(named)
        bars.append(Bar(str(unknown), float(chance), unknown == report.unknown, percent(chance)))
    return tuple(bars)


def _row(row: HandGroup, named: Spelling, as_likely: bool) -> tuple[str, str, str, str, bool]:
    others = pgettext("claims", "and {count} more", count=number(f"{row.hands - 1:,}")) if row.hands > 1 else ""
    return (
        name_category(row.named.word),
        describe_hand(row.named),
        others,
        percent(row.probability),
        as_likely and row.named.word == named.word,
    )
