"""Reviews in words: verdicts and whole hands as text."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from liarspoker.bots.catalogue import title_of
from liarspoker.coach.cards.review import CardReview, RoundReview
from liarspoker.coach.decisions import Appraisal, Decision, Value
from liarspoker.coach.digit_words import DigitWording
from liarspoker.coach.review import HandReview, Review
from liarspoker.coach.verdicts import BAD, VERDICTS
from liarspoker.coach.wording import Wording
from liarspoker.language import N_, _, number
from liarspoker.odds.figures import signed_mean
from liarspoker.records.words import YOU, aligned, name_shown, printable, verdict_in_words

_SHOWN = 3
"""The number of values in a line of text."""

_LISTED = 5
"""The number of the largest losses in the text of a record."""

_WIDTH = 78

_VERDICT_COLUMN = 43
"""The first column of verdicts, unless actions are longer."""

AnyReview = Review | CardReview
AnyHand = HandReview | RoundReview


def wording_of(hand: AnyHand) -> Wording:
    """Return how a reviewed hand is worded."""
    return DigitWording(hand) if isinstance(hand, HandReview) else hand.position.wording(hand)


def value_in_words(value: Value, action: str) -> str:
    """Return a value with its interval, after the action in the notation: `5x8 +0.42 ±0.05`."""
    exact = f"{action} {signed_mean(value.mean)}"
    return exact if value.half_width == 0.0 else f"{exact} ±{number(f'{value.half_width:.2f}')}"


def hand_in_words(review: AnyReview, hand: AnyHand) -> list[str]:
    """Return the review of a hand as lines of text."""
    names, words = names_in(review), wording_of(hand)
    shown = aligned(tuple(map(name_shown, names)))
    is_match = isinstance(hand, RoundReview)
    lines = [_("Round {number}", number=hand.number) if is_match else _("Hand {number}", number=hand.number)]
    lines += [f"  {shown[seat]}  {held}" for seat, held in words.shown()]
    wide = _verdict_column(hand, names, words)
    was_judged = True
    for place, decision in enumerate(hand.decisions):
        heard = hand.heard[place]
        said = _said(names[heard.seat], words.said(place, heard.action))
        if was_judged and decision is None:
            lines.append("")
        was_judged = decision is not None
        if decision is None:
            lines += _wrapped(said)
            continue
        verdict = "" if decision.appraisal is None else verdict_with_loss(decision.appraisal)
        lines += ["", *_with_verdict(said, verdict, wide)]
        bluff = words.about_bluff(place)
        why = " ".join([*words.reasons(place), *([bluff] if bluff else [])])
        lines += wrap(why, _WIDTH, initial_indent="    ", subsequent_indent="    ")
        lines += _values(decision, words, place)
    return lines


def _said(name: str, action: str) -> str:
    return f"  {name_shown(name)}: {action}"


def _verdict_column(hand: AnyHand, names: tuple[str, ...], words: Wording) -> int:
    """Return the column of a hand's verdicts: behind the longest action, if the longest verdict fits there."""
    verdicts = [
        verdict_with_loss(one.appraisal) for one in hand.decisions if one is not None and one.appraisal is not None
    ]
    last = _WIDTH - max(map(_columns, verdicts), default=0)
    said = (
        _columns(_said(names[one.seat], words.said(place, one.action))) + 2
        for place, one in enumerate(hand.decisions)
        if one is not None
    )
    return max([_VERDICT_COLUMN, *(column for column in said if column <= last)])


def _with_verdict(said: str, verdict: str, column: int) -> list[str]:
    """Return an action with its verdict at a column, on the next line if the action is too long."""
    if not verdict:
        return _wrapped(said)
    taken = _columns(said)
    if taken < column:
        return [said + " " * (column - taken) + verdict]
    return [*_wrapped(said), " " * column + verdict]


def _wrapped(said: str) -> list[str]:
    return _filled(said.strip().split(" "), "  ", "    ")


def _columns(text: str) -> int:
    """Return the number of columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    import wcwidth  # it takes 30 ms to import

    return wcwidth.width(text)


def _filled(parts: Sequence[str], first: str, indent: str) -> list[str]:
    """Return parts on lines that are broken only between them.

    Args:
        parts: the parts, at least one, separated by spaces.
        first: the indent of the first line.
        indent: the indent of the other lines.
    """
    lines = [first + parts[0]]
    for part in parts[1:]:
        if _columns(lines[-1]) + 1 + _columns(part) <= _WIDTH:
            lines[-1] += f" {part}"
        else:
            lines.append(indent + part)
    return lines


def _values(decision: Decision, words: Wording, place: int) -> list[str]:
    if decision.appraisal is None:
        return []
    values = decision.appraisal.values
    shown = [*values[:_SHOWN], *(one for one in values[_SHOWN:] if one.action == decision.action)]
    entries = [value_in_words(value, words.write(place, value.action)) for value in shown]
    return _filled([*(f"{entry}," for entry in entries[:-1]), entries[-1]], "    ", "    ")


def verdict_with_loss(appraisal: Appraisal) -> str:
    """Return the verdict, with the loss if there is one: `mistake, -0.42`."""
    word = verdict_in_words(appraisal.verdict)
    return f"{word}, {number(f'-{appraisal.loss:.2f}')}" if appraisal.verdict in BAD else word


def names_in(review: AnyReview) -> tuple[str, ...]:
    """Return the players' names, with `YOU` for the seat that is reviewed."""
    return tuple(YOU if seat == review.seat else printable(name) for seat, name in enumerate(review.players))


def summary(review: AnyReview) -> list[str]:
    """Return the number of verdicts of each player and their largest losses, or why there are none, as lines."""
    names = names_in(review)
    judged = [
        (hand, place, one)
        for hand in review.hands
        for place, one in enumerate(hand.decisions)
        if one is not None and one.appraisal
    ]
    if not judged:
        return wrap(_why_nothing(review), _WIDTH)
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
    if any(one.appraisal is not None and one.appraisal.half_width > 0.0 for _hand, _place, one in judged):
        about = _(
            "A verdict goes by the part of the loss that is certain, the lower end of its interval, so a larger loss"
            " may get a milder verdict."
        )
        lines += ["", *wrap(about, _WIDTH)]
    return [*lines, *_largest(judged, names)]


def _why_nothing(review: AnyReview) -> str:
    """Return why no decision has a verdict, as a sentence."""
    is_match, seat = isinstance(review, CardReview), review.seat
    if not review.hands:
        return _("Nothing to review: no round is over.") if is_match else _("Nothing to review: no hand was counted.")
    if any(one is not None for hand in review.hands for one in hand.decisions):
        return _("Nothing to review: the strategy never comes to these positions.")
    if seat is not None and not any(heard.seat == seat for hand in review.hands for heard in hand.heard):
        return _("Nothing to review: this player didn't act.")
    if is_match:
        return _("Nothing to review: the record hides the cards of those who acted.")
    return _("Nothing to review: the record hides the numbers of those who acted.")


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
        line = _(message, number=hand.number, name=name, said=said) + f", {verdict}"
        lines += _filled(line.split(" "), "  ", "    ")
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
