"""A named hand of Queen Anne's games: the chance that it is among cards you know and cards you do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liarspoker.core.cards.claims import Spelling
from liarspoker.core.cards.deck import card_text, full_deck
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.record_text import hand_in_words
from liarspoker.odds.card_report import Alike, PoolReport
from liarspoker.odds.figures import one_in, written
from liarspoker.odds.questions import BadQuestion, named_in_pool, pool_cards, pooled_rules
from liarspoker.web.draw import Bar
from liarspoker.web.view_models.odds_fields import (
    Answer,
    Field,
    Question,
    address,
    asked_of_cards,
    cards_typed,
    counted,
    jokers_field,
    jokers_of,
    per_cent,
    whole,
)
from liarspoker.web.words import sentence

PATH = "/odds/pooled"
_FIRST = {"claim": "full house A over 10", "known": "As Kd", "unknown": "12", "jokers": "0", "wild": ""}
_AROUND = (6, 5)
"""So many smaller and larger pools stand in the chart."""
_MOST_UNKNOWN = 54


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolAnswer(Answer):
    """How likely a hand is: known cards and wilds in it, what is missing, a row for all equally likely hands."""

    there: tuple[str, ...]
    wilds: tuple[str, ...]
    missing: str
    rows: tuple[tuple[str, str, str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class PoolScene:
    """The page of a named hand. `answer` is `None` while something typed cannot be read."""

    fields: tuple[Field, ...]
    answer: PoolAnswer | None


def scene(given: Mapping[str, str]) -> PoolScene:
    """The page that answers what an address asks; what it leaves out is asked as on the first visit."""
    asked = asked_of_cards(given, _FIRST)
    typed, report = asked.typed, _report(asked)
    unknown = None if report is None else whole(typed["unknown"], 0, _MOST_UNKNOWN)
    return PoolScene(
        fields=(
            asked.field("claim", "Named hand", hint="pair 7, or: full house A over 10"),
            asked.field("known", "Cards you know", hint="As Kd Td; Jk is a joker"),
            asked.field(
                "unknown",
                "Cards you do not know",
                less=_where(typed, unknown=unknown - 1) if unknown else "",
                more="" if unknown is None else _where(typed, unknown=unknown + 1),
            ),
            jokers_field(asked),
            asked.field("wild", "Wild ranks", hint="2, or 29; empty for none"),
        ),
        answer=None if report is None or report.named is None else _answer(report, report.named, _where(typed)),
    )


def _where(typed: Mapping[str, str], **changes: object) -> str:
    return address(PATH, {**typed, **changes})


def _report(asked: Question) -> PoolReport | None:
    """What is asked; `None`, and why among the errors, where it cannot be read."""
    typed, errors = asked.typed, asked.errors
    unknown = whole(typed["unknown"], 0, _MOST_UNKNOWN)
    if unknown is None:
        errors["unknown"] = f"Give a whole number from 0 to {_MOST_UNKNOWN}."
    jokers = jokers_of(asked)
    rules = _rules(typed, jokers, errors)
    known: tuple[int, ...] = ()
    try:
        known = pool_cards(cards_typed(typed["known"]), unknown or 0, jokers)
    except BadQuestion as error:
        place, _, what = str(error).partition(": ")
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
        errors["wild"] = "Give ranks, each once, such as 2 or 29."
        return pooled_rules(jokers)


def _answer(report: PoolReport, named: Spelling, where: str) -> PoolAnswer:
    chance, proof = report.chance(named), report.proof(named)
    said = hand_in_words(named)
    cards = len(report.known) + report.unknown
    known = counted(len(report.known)) if report.known else "none"
    return PoolAnswer(
        question=f"Is there {said}?",
        lead=f"{counted(cards).capitalize()} cards are out, and you know {known} of them.",
        figure=per_cent(chance),
        rarity=one_in(chance),
        fraction=written(chance),
        there=tuple(map(card_text, proof.cards)),
        wilds=tuple(map(card_text, proof.wilds)),
        missing=_missing(len(proof.cards) + len(proof.wilds), proof.missing),
        bars=_bars(report, named),
        told=f"The chance of {said} by the number of cards that you do not know: {per_cent(chance)} per cent "
        f"for {report.unknown}",
        rows=tuple(_row(row, named, chance == row.chance) for row in report.table()),
        address=where,
    )


def _missing(there: int, missing: int) -> str:
    have = f"You know {counted(there)} card{'' if there == 1 else 's'} of it" if there else "You know no card of it"
    return f"{have}; {counted(missing)} more must be among the others" if missing else f"{have}; nothing is missing"


def _bars(report: PoolReport, named: Spelling) -> tuple[Bar, ...]:
    left = len(full_deck(report.rules.jokers)) - len(report.known)
    first, last = max(0, report.unknown - _AROUND[0]), min(left, report.unknown + _AROUND[1])
    bars = []
    for unknown in range(first, last + 1):
        chance = PoolReport(report.known, unknown, report.rules, named).chance(named)
        bars.append(Bar(str(unknown), float(chance), unknown == report.unknown, per_cent(chance)))
    return tuple(bars)


def _row(row: Alike, named: Spelling, as_likely: bool) -> tuple[str, str, str, str, bool]:
    others = f"and {row.hands - 1:,} more" if row.hands > 1 else ""
    category = row.named.word.replace("-", " ")
    return category, hand_in_words(row.named), others, per_cent(row.chance), as_likely and row.named.word == named.word
