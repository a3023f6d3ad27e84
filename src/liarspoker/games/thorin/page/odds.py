"""A draw in Thorin's game: the chance that a hand becomes what is declared, and what else may come of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from liarspoker.core.cards.claims import read_spelling
from liarspoker.core.cards.deck import card_text
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, STARTS, hand_value
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.cards.record_words import claim_in_words, high_to_low, value_in_ranks, value_in_words
from liarspoker.games.thorin.notation import write_claim
from liarspoker.odds.card_report import DrawReport
from liarspoker.odds.draws import Choice, cards_left, chance_of_fresh_hand, reach
from liarspoker.odds.figures import one_in, written
from liarspoker.odds.questions import BadQuestion, declaration, hand_and_discard
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
)
from liarspoker.web.words import sentence

PATH = "/odds/thorin"
_FIRST = {"claim": "three", "hand": "As Ad Kc 7h 2s", "discard": "", "jokers": "0"}
_SHOWN = 6
_RARE = Fraction(1, 2000)
_NOTHING_THROWN = "-"
_SHORT_NAMES = {
    "high": "high",
    "color-flush": "color fl.",
    "full-house": "full",
    "color-straight-flush": "c. str. fl.",
    "straight-flush": "str. fl.",
}


@dataclass(frozen=True, slots=True)
class Throw:
    """One way to throw: cards kept and thrown, the chance as text and in per cent, whether it is the one asked for."""

    kept: tuple[str, ...]
    thrown: tuple[str, ...]
    figure: str
    share: float
    asked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawAnswer(Answer):
    """What a draw makes of a hand: the cards thrown, the weakest hand promised, the best ways to throw."""

    hand: tuple[str, ...]
    thrown: tuple[str, ...]
    floor: str
    throws: tuple[Throw, ...]


@dataclass(frozen=True, slots=True)
class DrawScene:
    """The page of a draw. `answer` is `None` while something typed cannot be read."""

    fields: tuple[Field, ...]
    answer: DrawAnswer | None


def scene(given: Mapping[str, str]) -> DrawScene:
    """The page that answers what an address asks; what it leaves out is asked as on the first visit."""
    asked = asked_of_cards(given, _FIRST)
    report = _report(asked)
    return DrawScene(
        fields=(
            asked.field("claim", "Declaration", hint="two-pair 73, or: a pair of kings"),
            asked.field("hand", "Your five cards", hint="As Ad Kc 7h 2s; empty for fresh ones"),
            asked.field("discard", "You throw", hint="7h 2s; - for none; empty for the best"),
            jokers_field(asked),
        ),
        answer=None if report is None else _answer(report, address(PATH, asked.typed)),
    )


def _report(asked: Question) -> DrawReport | None:
    """What is asked; `None`, and why among the errors, where it cannot be read."""
    typed, errors = asked.typed, asked.errors
    jokers = jokers_of(asked)
    claim = None
    try:
        claim = declaration(typed["claim"], jokers)
    except LiarsPokerError as error:
        errors["claim"] = sentence(str(error))
    if not typed["hand"]:
        if typed["discard"]:
            errors["discard"] = "Nothing can be thrown while no hand is given."
        return None if errors or claim is None else DrawReport(claim, jokers)
    thrown = [] if typed["discard"] == _NOTHING_THROWN else cards_typed(typed["discard"])
    try:
        hand, discard = hand_and_discard(cards_typed(typed["hand"]), thrown, jokers)
    except BadQuestion as error:
        place, _, what = str(error).partition(": ")
        errors["discard" if place == "discard" else "hand"] = sentence(what)
        return None
    if errors or claim is None:
        return None
    return DrawReport(claim, jokers, hand, discard if typed["discard"] else None)


def _answer(report: DrawReport, where: str) -> DrawAnswer:
    chances = report.chances
    (thrown, chance), hand = chances[0], report.hand
    floor = value_in_words(report.floor)
    return DrawAnswer(
        question=f"Will it be {_said(report.claim)} or better?",
        lead=_lead(hand, thrown, report.discard is None),
        figure=per_cent(chance),
        rarity=one_in(chance),
        fraction=written(chance),
        hand=() if hand is None else _texts(hand),
        thrown=_texts(thrown),
        floor=f"{floor}: {value_in_ranks(report.floor)}",
        bars=_bars(report, thrown),
        told=f"What the hand may become; good enough with {per_cent(chance)} per cent",
        throws=() if hand is None else _throws(report, hand, thrown),
        address=where,
    )


def _said(claim: int) -> str:
    """The declaration in words; as it is written where no words say it well."""
    spelt = read_spelling(write_claim(claim))
    assert spelt is not None
    return claim_in_words(spelt)


def _lead(hand: Sequence[int] | None, thrown: Sequence[int], best: bool) -> str:
    if hand is None:
        return "Five fresh cards off a whole deck."
    what = "you keep all five" if not thrown else f"you throw {counted(len(thrown))} and draw as many"
    return f"You hold {value_in_words(hand_value(hand))}; {what}{', which is best' if best else ''}."


def _texts(cards: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(card_text, high_to_low(cards)))


def _bars(report: DrawReport, thrown: Sequence[int]) -> tuple[Bar, ...]:
    """What the hand may become, category by category; the one in which the promise lies is parted there."""
    marks = sorted({*STARTS, report.floor})
    chances = [_reach(report, thrown, mark) for mark in marks[:-1]] + [Fraction(0)]
    bars = []
    for (start, _), (reached, beyond) in zip(pairwise(marks), pairwise(chances), strict=True):
        if reached - beyond >= _RARE:
            word = CATEGORIES[KEYS[start][0]]
            good = start >= report.floor
            label = _SHORT_NAMES.get(word, word.replace("-", " "))
            parted = KEYS[report.floor][0] == KEYS[start][0] and report.floor not in STARTS
            label += (" ✓" if good else " ✗") if parted else ""
            bars.append(Bar(label, float(reached - beyond), good, per_cent(reached - beyond)))
    return tuple(bars)


def _reach(report: DrawReport, thrown: Sequence[int], value: int) -> Fraction:
    if report.hand is None:
        return chance_of_fresh_hand(value, report.jokers)
    return reach(report.hand, thrown, value, report.jokers)


def _throws(report: DrawReport, hand: tuple[int, ...], thrown: Sequence[int]) -> tuple[Throw, ...]:
    every: list[Choice] = DrawReport(report.claim, report.jokers, hand).chances
    shown = every[:_SHOWN]
    asked = tuple(sorted(thrown))
    if all(tuple(sorted(choice.discard)) != asked for choice in shown):
        shown = [*shown[:-1], Choice(tuple(thrown), _reach(report, thrown, report.floor))]
    return tuple(
        Throw(
            kept=_texts(tuple(cards_left(hand, choice.discard))),
            thrown=_texts(choice.discard),
            figure=per_cent(choice.chance),
            share=float(choice.chance * 100),
            asked=tuple(sorted(choice.discard)) == asked,
        )
        for choice in shown
    )
