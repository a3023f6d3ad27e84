"""Odds page of Thorin's game: the probability that a draw makes a declaration true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from liarspoker.core.cards.claims import read_spelling
from liarspoker.core.cards.deck import card_text
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.cards.wording import (
    describe_claim,
    describe_value,
    format_value_ranks,
    high_to_low,
    name_category,
)
from liarspoker.games.thorin.notation import write_claim
from liarspoker.games.thorin.page.seen import OPTION_LABELS, option_values
from liarspoker.language import N_, _, pgettext
from liarspoker.odds.card_report import DrawReport
from liarspoker.odds.draws import cards_left
from liarspoker.odds.figures import one_in, written
from liarspoker.odds.questions import BadQuestion, declaration, draw_option, gone_cards, hand_and_discard
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
_FIRST = {"claim": "three", "hand": "As Ad Kc 7h 2s", "discard": "", "jokers": "0", "gone": ""}
_OPTIONS = {name: draw_option(name)[0] for name in ("or_better", "duplicate")}
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
    """The answer: the hand, the discard, the weakest hand that fits, whether the words count, and the best discards."""

    hand: tuple[str, ...]
    discarded: tuple[str, ...]
    floor: str
    by_words: bool
    options: tuple[DiscardOption, ...]


@dataclass(frozen=True, slots=True)
class DrawViewModel:
    """View model of the page; `answer` is `None` if the input is invalid, `more` if further fields are open."""

    fields: tuple[Field, ...]
    further: tuple[Field, ...]
    more: bool
    answer: DrawAnswer | None


def view_model(given: Mapping[str, str]) -> DrawViewModel:
    """Return the view model for query parameters; missing ones get their defaults."""
    asked = card_question(given, _FIRST, _OPTIONS)
    report = _report(asked)
    shown = {name: "" if value == _OPTIONS.get(name) else value for name, value in asked.typed.items()}
    further = ("gone", *_OPTIONS)
    return DrawViewModel(
        fields=(
            asked.field("claim", _("Declaration"), hint=_("two-pair 73, or: a pair of kings")),
            asked.field("hand", _("Your five cards"), hint=_("As Ad Kc 7h 2s; empty for five random cards")),
            asked.field("discard", _("Your discard"), hint=_("7h 2s; - for none; empty for the best")),
            jokers_field(asked),
        ),
        further=(
            asked.field("gone", _("Discards you know"), hint=_("2c Jd; they can’t be drawn")),
            *(asked.field(name, _(OPTION_LABELS[name]), choices=_values(name)) for name in _OPTIONS),
        ),
        more=any(shown[name] or name in asked.errors for name in further),
        answer=None if report is None else _answer(report, address(PATH, shown)),
    )


def _values(name: str) -> tuple[tuple[str, str], ...]:
    return tuple((value, option_values()[name][value]) for value in draw_option(name))


def _report(asked: Question) -> DrawReport | None:
    """Parse the question; return `None` and record errors if it is invalid."""
    typed, errors = asked.typed, asked.errors
    jokers = jokers_of(asked)
    for name in _OPTIONS:
        if typed[name] not in draw_option(name):
            errors[name] = _("Choose one of the values.")
    claim = hand = discard = None
    try:
        claim = declaration(typed["claim"], jokers, typed["duplicate"])
    except LiarsPokerError as error:
        errors["claim"] = sentence(str(error))
    discarded = [] if typed["discard"] == _NO_DISCARD else read_cards(typed["discard"])
    gone: tuple[int, ...] = ()
    try:
        if typed["hand"]:
            hand, discard = hand_and_discard(read_cards(typed["hand"]), discarded, jokers)
        elif typed["discard"]:
            errors["discard"] = _("Enter a hand to choose a discard.")
    except BadQuestion as error:
        place, _colon, what = str(error).partition(": ")
        errors["discard" if place == "discard" else "hand"] = sentence(what)
    try:
        gone = gone_cards(read_cards(typed["gone"]), hand or (), jokers)
    except BadQuestion as error:
        errors["gone"] = sentence(str(error).partition(": ")[2])
    if errors or claim is None:
        return None
    return DrawReport(
        claim, jokers, hand, discard if typed["discard"] else None, gone, typed["or_better"], typed["duplicate"]
    )


def _answer(report: DrawReport, where: str) -> DrawAnswer:
    chances = report.choices
    (discarded, chance), hand = chances[0], report.hand
    floor = describe_value(report.floor)
    return DrawAnswer(
        question=_("Will it be {hand} or better?", hand=_describe(report.claim)),
        lead=_lead(report, discarded),
        figure=percent(chance),
        rarity=one_in(chance),
        fraction=written(chance),
        hand=() if hand is None else _texts(hand),
        discarded=_texts(discarded),
        floor=f"{floor}: {format_value_ranks(report.floor)}",
        by_words=report.by_words,
        bars=_bars(report, discarded),
        chart_text=_(
            "What the hand may become; it is good enough with a probability of {percent} per cent",
            percent=percent(chance),
        ),
        options=() if hand is None else _discard_options(replace(report, discard=None), hand, discarded),
        address=where,
    )


def _describe(claim: int) -> str:
    """Describe a declaration in words, or in notation if it can't be put in words."""
    spelt = read_spelling(write_claim(claim))
    assert spelt is not None
    return describe_claim(spelt)


def _lead(report: DrawReport, discarded: Sequence[int]) -> str:
    if report.hand_value is None:
        return (
            _("Five random cards from the rest of the deck.")
            if report.gone
            else _("Five random cards from a full deck.")
        )
    holds, best = describe_value(report.hand_value), report.discard is None
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
        "two-pair": pgettext("a bar of a chart", "two pair"),
        "full-house": pgettext("a bar of a chart", "full"),
        "color-straight-flush": pgettext("a bar of a chart", "c. str. fl."),
        "four": pgettext("a bar of a chart", "four"),
        "three": pgettext("a bar of a chart", "three"),
        "straight-flush": pgettext("a bar of a chart", "str. fl."),
    }


def _bars(report: DrawReport, discarded: Sequence[int]) -> tuple[Bar, ...]:
    """Return a bar per category; a category in which some hands fail and others succeed is split."""
    found, bars, short_names = report.outcomes(discarded), [], _short_names()
    kinds = {value: (KEYS[value][0], report.holds(value)) for value in found.values}
    for category, good in sorted(set(kinds.values())):
        chance = found.probability_of({value for value in kinds if kinds[value] == (category, good)}.__contains__)
        if chance >= _RARE:
            word = CATEGORIES[category]
            label = short_names.get(word) or name_category(word)
            label += (" ✓" if good else " ✗") if (category, not good) in kinds.values() else ""
            bars.append(Bar(label, float(chance), good, percent(chance)))
    return tuple(bars)


def _discard_options(report: DrawReport, hand: tuple[int, ...], discarded: Sequence[int]) -> tuple[DiscardOption, ...]:
    """Return the best discards, the last of them replaced by the one asked about if that is worse."""
    every, asked = report.choices, tuple(sorted(discarded))
    shown = every[:_SHOWN]
    if all(tuple(sorted(choice.discard)) != asked for choice in shown):
        shown[-1:] = [choice for choice in every if tuple(sorted(choice.discard)) == asked]
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
