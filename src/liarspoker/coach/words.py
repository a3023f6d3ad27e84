"""Reviews in words: verdicts and whole hands as text."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from liarspoker.bots.catalogue import title_of
from liarspoker.coach.cards.review import CardReview, RoundReview
from liarspoker.coach.cards.words import CardWording
from liarspoker.coach.decisions import Appraisal, Decision, Value
from liarspoker.coach.digit_words import DigitWording
from liarspoker.coach.review import HandReview, Review
from liarspoker.coach.verdicts import BAD, VERDICTS
from liarspoker.coach.wording import Wording
from liarspoker.language import N_, _, number
from liarspoker.records.words import YOU, aligned, name_shown, printable, verdict_in_words

_SHOWN = 3
"""The number of values in a line of text."""

_LISTED = 5
"""The number of the largest losses in the text of a record."""

_WIDTH = 78

AnyReview = Review | CardReview
AnyHand = HandReview | RoundReview


def wording_of(hand: AnyHand) -> Wording:
    """Return how a reviewed hand is worded."""
    return DigitWording(hand) if isinstance(hand, HandReview) else CardWording(hand)


def value_in_words(value: Value, action: str) -> str:
    """Return a value with its interval, after the action in the notation: `5x8 +0.42 ±0.05`."""
    mean = number(f"{value.mean:+.2f}").replace("-", "−")
    exact = f"{action} {mean}"
    return exact if value.half_width == 0.0 else f"{exact} ±{number(f'{value.half_width:.2f}')}"


def hand_in_words(review: AnyReview, hand: AnyHand) -> list[str]:
    """Return the review of a hand as lines of text."""
    names, words = names_in(review), wording_of(hand)
    shown = aligned(tuple(map(name_shown, names)))
    is_match = isinstance(hand, RoundReview)
    lines = [_("Round {number}", number=hand.number) if is_match else _("Hand {number}", number=hand.number)]
    lines += [f"  {shown[seat]}  {held}" for seat, held in words.shown()]
    was_judged = True
    for place, decision in enumerate(hand.decisions):
        heard = hand.heard[place]
        said = f"  {name_shown(names[heard.seat])}: {words.said(place, heard.action)}"
        if was_judged and decision is None:
            lines.append("")
        was_judged = decision is not None
        if decision is None:
            lines.append(said)
            continue
        verdict = "" if decision.appraisal is None else verdict_with_loss(decision.appraisal)
        lines += ["", f"{said:<42} {verdict}".rstrip()]
        bluff = words.about_bluff(place)
        why = " ".join([*words.reasons(place), *([bluff] if bluff else [])])
        lines += wrap(why, _WIDTH, initial_indent="    ", subsequent_indent="    ")
        lines += _values(decision, words, place)
    return lines


def _values(decision: Decision, words: Wording, place: int) -> list[str]:
    if decision.appraisal is None:
        return []
    values = decision.appraisal.values
    shown = [*values[:_SHOWN], *(one for one in values[_SHOWN:] if one.action == decision.action)]
    line = ", ".join(value_in_words(value, words.write(place, value.action)) for value in shown)
    return wrap(line, _WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def verdict_with_loss(appraisal: Appraisal) -> str:
    """Return the verdict, with the loss if there is one: `mistake, −0.42`."""
    word = verdict_in_words(appraisal.verdict)
    return f"{word}, {number(f'−{appraisal.loss:.2f}')}" if appraisal.verdict in BAD else word


def names_in(review: AnyReview) -> tuple[str, ...]:
    """Return the players' names, with `YOU` for the seat that is reviewed."""
    return tuple(YOU if seat == review.seat else printable(name) for seat, name in enumerate(review.players))


def summary(review: AnyReview) -> list[str]:
    """Return the number of verdicts of each player and their largest losses, as lines of text."""
    names = names_in(review)
    judged = [
        (hand, place, one)
        for hand in review.hands
        for place, one in enumerate(hand.decisions)
        if one is not None and one.appraisal
    ]
    words = [verdict_in_words(verdict) for verdict in VERDICTS]
    head = [*words, _("loss per round") if isinstance(review, CardReview) else _("loss per hand")]
    empty, *shown = aligned(["", *map(name_shown, names)])
    lines = ["  ".join([empty, *head])]
    for seat, name in enumerate(shown):
        mine = [one.appraisal for _hand, _place, one in judged if one.seat == seat and one.appraisal is not None]
        hands = {hand.number for hand, _place, one in judged if one.seat == seat}
        if mine:
            counts = [sum(one.verdict == verdict for one in mine) for verdict in VERDICTS]
            loss = number(f"{sum(one.loss for one in mine if one.verdict in BAD) / len(hands):.2f}")
            cells = [f"{cell:>{len(title)}}" for cell, title in zip([*counts, loss], head, strict=True)]
            lines.append("  ".join([name, *cells]))
    return [*lines, *_largest(judged, names)]


def _largest(judged: Sequence[tuple[AnyHand, int, Decision]], names: tuple[str, ...]) -> list[str]:
    def loss(found: tuple[AnyHand, int, Decision]) -> float:
        return 0.0 if found[2].appraisal is None else found[2].appraisal.loss

    worst = [
        (hand, place, one, verdict_with_loss(one.appraisal))
        for hand, place, one in sorted(judged, key=loss, reverse=True)[:_LISTED]
        if one.appraisal is not None and one.appraisal.verdict in BAD
    ]
    if not worst:
        return []
    lines = ["", _("Largest losses:")]
    for hand, place, one, verdict in worst:
        said, name = wording_of(hand).said(place, one.action), name_shown(names[one.seat])
        in_round, in_hand = N_("round {number}, {name}: {said}"), N_("hand {number}, {name}: {said}")
        message = in_round if isinstance(hand, RoundReview) else in_hand
        lines.append("  " + _(message, number=hand.number, name=name, said=said) + f", {verdict}")
    return lines


def assumption(review: AnyReview) -> str:
    """Return how everybody is assumed to play, as a sentence."""
    model = title_of(review.model)
    if isinstance(review, CardReview):
        units = N_("Model of all players: {model}. The loser of a round pays a unit, shared by the others.")
        return _(units, model=model)
    if review.other is None:
        return _("Model of all players: {model}. Units per hand at stake 1.", model=model)
    message = N_("Model of all players: {model}. Units per hand at stake 1, with 95% intervals.")
    return _(message, model=model)
