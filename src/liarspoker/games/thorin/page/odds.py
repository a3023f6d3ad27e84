"""Odds page of Thorin's game: the probability that a draw makes a declaration true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from liarspoker.core.cards.claims import read_spelling
from liarspoker.core.cards.deck import card_text
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, STARTS, hand_value
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.cards.wording import (
    describe_claim,
    describe_value,
    format_value_ranks,
    high_to_low,
    name_category,
)
from liarspoker.games.thorin.notation import write_claim
from liarspoker.language import N_, _, pgettext
from liarspoker.odds.card_report import DrawReport
from liarspoker.odds.draws import DiscardChoice, cards_left, fresh_hand_probability, reach
from liarspoker.odds.figures import one_in, written
from liarspoker.odds.questions import BadQuestion, declaration, hand_and_discard
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
)
from liarspoker.web.words import sentence

PATH = "/odds/thorin"
_FIRST = {"claim": "three", "hand": "As Ad Kc 7h 2s", "discard": "", "jokers": "0"}
_SHOWN = 6
_RARE = Fraction(1, 2000)
_NO_DISCARD = "-"


@dataclass(frozen=True, slots=True)
class DiscardOption:
    """A discard: cards kept and discarded, the probability as text and percentage, whether it was asked about."""

    kept: tuple[str, ...]
    discarded: tuple[str, ...]
    figure: str
    share: float
    asked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawAnswer(Answer):
    """The answer: the hand, the discard, the weakest hand that is promised, and the best discards."""

    hand: tuple[str, ...]
    discarded: tuple[str, ...]
    floor: str
    options: tuple[DiscardOption, ...]


@dataclass(frozen=True, slots=True)
class DrawViewModel:
    """View model of the page; `answer` is `None` if the input is invalid."""

    fields: tuple[Field, ...]
    answer: DrawAnswer | None


def view_model(given: Mapping[str, str]) -> DrawViewModel:
    """Return the view model for query parameters; missing ones get their defaults."""
    asked = card_question(given, _FIRST)
    report = _report(asked)
    return DrawViewModel(
        fields=(
            asked.field("claim", _("Declaration"), hint=_("two-pair 73, or: a pair of kings")),
            asked.field("hand", _("Your five cards"), hint=_("As Ad Kc 7h 2s; empty for five random cards")),
            asked.field("discard", _("Your discard"), hint=_("7h 2s; - for none; empty for the best")),
            jokers_field(asked),
        ),
        answer=None if report is None else _answer(report, address(PATH, asked.typed)),
    )


def _report(asked: Question) -> DrawReport | None:
    """Parse the question; return `None` and record errors if it is invalid."""
    typed, errors = asked.typed, asked.errors
    jokers = jokers_of(asked)
    claim = None
    try:
        claim = declaration(typed["claim"], jokers)
    except LiarsPokerError as error:
        errors["claim"] = sentence(str(error))
    if not typed["hand"]:
        if typed["discard"]:
            errors["discard"] = _("Enter a hand to choose a discard.")
        return None if errors or claim is None else DrawReport(claim, jokers)
    discarded = [] if typed["discard"] == _NO_DISCARD else read_cards(typed["discard"])
    try:
        hand, discard = hand_and_discard(read_cards(typed["hand"]), discarded, jokers)
    except BadQuestion as error:
        place, _colon, what = str(error).partition(": ")
        errors["discard" if place == "discard" else "hand"] = sentence(what)
        return None
    if errors or claim is None:
        return None
    return DrawReport(claim, jokers, hand, discard if typed["discard"] else None)


def _answer(report: DrawReport, where: str) -> DrawAnswer:
    chances = report.choices
    (discarded, chance), hand = chances[0], report.hand
    floor = describe_value(report.floor)
    return DrawAnswer(
        question=_("Will it be {hand} or better?", hand=_describe(report.claim)),
        lead=_lead(hand, discarded, report.discard is None),
        figure=percent(chance),
        rarity=one_in(chance),
        fraction=written(chance),
        hand=() if hand is None else _texts(hand),
        discarded=_texts(discarded),
        floor=f"{floor}: {format_value_ranks(report.floor)}",
        bars=_bars(report, discarded),
        chart_text=_(
            "What the hand may become; it is good enough with a probability of {percent} per cent",
            percent=percent(chance),
        ),
        options=() if hand is None else _discard_options(report, hand, discarded),
        address=where,
    )


def _describe(claim: int) -> str:
    """Describe a declaration in words, or in notation if it can't be put in words."""
    spelt = read_spelling(write_claim(claim))
    assert spelt is not None
    return describe_claim(spelt)


def _lead(hand: Sequence[int] | None, discarded: Sequence[int], best: bool) -> str:
    if hand is None:
        return _("Five random cards from a full deck.")
    holds = describe_value(hand_value(hand))
    if not discarded and best:
        return _("You hold {hand}; you keep all five, the best discard.", hand=holds)
    if not discarded:
        return _("You hold {hand}; you keep all five.", hand=holds)
    # Translators: {number} is the number of cards in words.
    message = (
        N_("You hold {hand}; you discard {number}, the best discard.")
        if best
        else N_("You hold {hand}; you discard {number}.")
    )
    return _(message, hand=holds, number=number_in_words(len(discarded)))


def _texts(cards: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(card_text, high_to_low(cards)))


def _short_names() -> dict[str, str]:
    """Return the names of categories that are too long for the chart, shortened."""
    return {
        # Translators: short names of poker hands below the bars of a chart, such as "four" for four of a kind.
        "high": pgettext("a bar of a chart", "high"),
        "color-flush": pgettext("a bar of a chart", "color fl."),
        "full-house": pgettext("a bar of a chart", "full"),
        "color-straight-flush": pgettext("a bar of a chart", "c. str. fl."),
        "four": pgettext("a bar of a chart", "four"),
        "three": pgettext("a bar of a chart", "three"),
        "straight-flush": pgettext("a bar of a chart", "str. fl."),
    }


def _bars(report: DrawReport, discarded: Sequence[int]) -> tuple[Bar, ...]:
    """Return a bar per category; the category of the promise is split into failure and success."""
    marks = sorted({*STARTS, report.floor})
    chances = [_reach(report, discarded, mark) for mark in marks[:-1]] + [Fraction(0)]
    bars, short_names = [], _short_names()
    for (start, _stop), (reached, beyond) in zip(pairwise(marks), pairwise(chances), strict=True):
        if reached - beyond >= _RARE:
            word = CATEGORIES[KEYS[start][0]]
            good = start >= report.floor
            label = short_names.get(word) or name_category(word)
            parted = KEYS[report.floor][0] == KEYS[start][0] and report.floor not in STARTS
            label += (" ✓" if good else " ✗") if parted else ""
            bars.append(Bar(label, float(reached - beyond), good, percent(reached - beyond)))
    return tuple(bars)


def _reach(report: DrawReport, discarded: Sequence[int], value: int) -> Fraction:
    if report.hand is None:
        return fresh_hand_probability(value, report.jokers)
    return reach(report.hand, discarded, value, report.jokers)


def _discard_options(report: DrawReport, hand: tuple[int, ...], discarded: Sequence[int]) -> tuple[DiscardOption, ...]:
    every: list[DiscardChoice] = DrawReport(report.claim, report.jokers, hand).choices
    shown = every[:_SHOWN]
    asked = tuple(sorted(discarded))
    if all(tuple(sorted(choice.discard)) != asked for choice in shown):
        shown = [*shown[:-1], DiscardChoice(tuple(discarded), _reach(report, discarded, report.floor))]
    return tuple(
        DiscardOption(
            kept=_texts(tuple(cards_left(hand, choice.discard))),
            discarded=_texts(choice.discard),
            figure=percent(choice.probability),
            share=float(choice.probability * 100),
            asked=tuple(sorted(choice.discard)) == asked,
        )
        for choice in shown
    )
