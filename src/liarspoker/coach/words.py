"""Reviews in words: verdicts, reasons and whole hands as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from liarspoker.bots.catalogue import bots
from liarspoker.coach.decisions import (
    BEST,
    BLUNDER,
    FINE,
    INACCURACY,
    MISTAKE,
    THRESHOLDS,
    VERDICTS,
    Appraisal,
    Decision,
    Value,
)
from liarspoker.coach.review import HandReview, Heard, Review
from liarspoker.games.digits.auction import CHALLENGE, NOBODY, Auction, after, opening
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.record_text import action_in_words
from liarspoker.games.digits.round import DigitRound
from liarspoker.language import N_, _, number, pgettext
from liarspoker.records.words import YOU, bid_in_words, capital, digit_name, name_shown, printable, verdict_in_words

_BAD = (INACCURACY, MISTAKE, BLUNDER)

_EVEN = 0.5

_NOTABLE = 0.1
"""A difference between two probabilities that is mentioned."""

_SHOWN = 3
"""The number of values in a line of text."""

_LISTED = 5
"""The number of the largest losses in the text of a record."""

_WIDTH = 78


def reasons(decision: Decision, auction: Auction, rules: Rules) -> list[str]:
    """Return why a decision was good or bad, as sentences.

    Args:
        decision: the decision.
        auction: the auction before it.
        rules: the table's rules.
    """
    appraisal = decision.appraisal
    if appraisal is None:
        return [_("The strategy never comes here, so there is no value.")]
    lines = [_comparison(decision, appraisal, auction, rules)]
    is_about_standing = decision.action < 0 or (appraisal.best < 0 and appraisal.verdict in _BAD)
    if is_about_standing and decision.odds is not None and decision.truth is not None:
        odds, truth, bid = percent(decision.odds), percent(decision.truth), bid_in_words(auction.claim, rules)
        if abs(decision.truth - decision.odds) >= _NOTABLE:
            message = (
                N_("By the odds alone it would be {odds}.")
                if "{truth}" in _message(decision, appraisal, auction)
                else N_("The chance of {bid} was {odds} by the odds alone, and {truth} after the bidding.")
            )
            lines.append(_(message, odds=odds, truth=truth, bid=bid))
    return [*lines, *_by_other(decision, appraisal, rules)]


def _comparison(decision: Decision, appraisal: Appraisal, auction: Auction, rules: Rules) -> str:
    """Return the main reason: the probability behind the decision, and what was better."""
    action, best = decision.action, appraisal.best
    values = {
        "loss": number(f"{appraisal.loss:.2f}"),
        "better": _with_article(best, rules),
        "bid": "" if auction.claim < 0 else bid_in_words(auction.claim, rules),
        "truth": "" if decision.truth is None else percent(decision.truth),
        "mine": action_in_words(action, rules),
        "chance": percent(decision.chances.get(action, 0.0)),
        "other": percent(decision.chances.get(best, 0.0)),
    }
    return capital(_(_message(decision, appraisal, auction), **values))


def _message(decision: Decision, appraisal: Appraisal, auction: Auction) -> str:
    """Return the message of the main reason."""
    if decision.action < 0:
        return _about_answer(decision.action, appraisal)
    if appraisal.verdict == BEST:
        if auction.bidder == NOBODY:
            return N_("Counted at once, {mine} would win {chance} of the time; no other opening was worth more.")
        return N_("Counted at once, {mine} would win {chance} of the time; nothing else was worth more.")
    if appraisal.verdict == FINE:
        if appraisal.loss >= THRESHOLDS[INACCURACY]:
            return N_("Counted at once, {mine} would win {chance} of the time; {better} may have been better.")
        return N_("Counted at once, {mine} would win {chance} of the time; {better} was about as good.")
    if appraisal.best == CHALLENGE:
        if decision.truth is not None and decision.truth < _EVEN:
            return N_("A count would have found {bid} only {truth} of the time: a challenge was worth {loss} more.")
        return N_("Counted at once, {mine} would win {chance} of the time; a challenge was worth {loss} more.")
    if appraisal.best < 0:
        return N_("A count would have found {bid} {truth} of the time: that was worth {loss} more than a rebid.")
    return N_("{better} was worth {loss} more: counted at once, it would win {other} of the time, and {mine} {chance}.")


def _about_answer(action: int, appraisal: Appraisal) -> str:
    """Return the message of the main reason for a challenge or a count."""
    if appraisal.verdict != BEST:
        if appraisal.verdict == FINE:
            if appraisal.loss >= THRESHOLDS[INACCURACY]:
                return N_("A count would have found {bid} {truth} of the time; {better} may have been better.")
            return N_("A count would have found {bid} {truth} of the time; {better} was about as good.")
        return N_("A count would have found {bid} {truth} of the time; {better} was worth {loss} more.")
    if action == CHALLENGE:
        return N_("A count would have found {bid} {truth} of the time; no bid was worth more.")
    return N_("A count would have found {bid} {truth} of the time; no rebid was worth more.")


def _by_other(decision: Decision, appraisal: Appraisal, rules: Rules) -> Iterator[str]:
    """Yield how the verdict depends on the model, if it does."""
    other = decision.other
    if other is None:
        return
    if appraisal.verdict in _BAD and other.verdict not in _BAD:
        yield _("Against players like the Calculator, it would have been right.")
    if appraisal.verdict not in _BAD and other.verdict in (MISTAKE, BLUNDER):
        better, loss = _with_article(other.best, rules), number(f"{other.loss:.2f}")
        message = N_("Against players like the Calculator, {better} would be worth {loss} more.")
        yield _(message, better=better, loss=loss)


def _with_article(action: int, rules: Rules) -> str:
    """Return an action as the subject of a sentence."""
    if action >= 0:
        return bid_in_words(action, rules)
    # Translators: the subject of a sentence such as "a challenge was worth 0.42 more"
    return pgettext("subject", "a challenge") if action == CHALLENGE else pgettext("subject", "a count")


def title_of(model: str) -> str:
    """Return the name of a model for people: of a bot its title, of a file its name."""
    row = next((row for row in bots() if row.name == model), None)
    return model if row is None else _(row.title)


def about_bluff(heard: Heard, rules: Rules) -> str:
    """Return what a bluff suggested and whether it was believed; empty if the action isn't a bluff."""
    if heard.bluff is None or heard.expected is None or heard.held is None:
        return ""
    message = {
        True: N_("A bluff: it suggested {expected} {digits}, with {held} in hand. The next player believed it."),
        False: N_("A bluff: it suggested {expected} {digits}, with {held} in hand. The next player challenged."),
        None: N_("A bluff: it suggested {expected} {digits}, with {held} in hand."),
    }[heard.was_believed]
    digits = digit_name(digit_of(heard.action, rules), 2, rules)
    return _(message, expected=number(f"{heard.expected:.1f}"), digits=digits, held=heard.held)


def percent(probability: float) -> str:
    """Return a probability in whole percent; only certain events are written as 0 or 100.

    >>> [percent(one) for one in (0.614, 0.0, 0.004, 0.999, 1.0)]
    ['61%', '0%', '<1%', '>99%', '100%']
    """
    whole = f"{100 * probability:.0f}"
    if whole == "0" and probability > 0:
        whole = "<1"
    if whole == "100" and probability < 1:
        whole = ">99"
    return _("{number}%", number=whole)


def value_in_words(value: Value, rules: Rules) -> str:
    """Return a value with its interval: `5x8 +0.42 ±0.05`."""
    mean = number(f"{value.mean:+.2f}").replace("-", "−")
    exact = f"{write(value.action, rules)} {mean}"
    return exact if value.half_width == 0.0 else f"{exact} ±{number(f'{value.half_width:.2f}')}"


def auctions(hand: DigitRound) -> Iterator[Auction]:
    """Yield the auction before each action of a hand."""
    auction = opening(hand.terms.opener)
    for _seat, action in hand.moves:
        yield auction
        auction = after(auction, action, hand.rules)


def hand_in_words(review: Review, hand: HandReview) -> list[str]:
    """Return the review of a hand as lines of text."""
    names = names_in(review)
    width = max(map(len, names))
    rules = hand.hand.rules
    lines = [_("Hand {number}", number=hand.number)]
    shown = zip(names, hand.hand.numbers, strict=True)
    lines += [f"  {name_shown(name):<{width}}  {held}" for name, held in shown]
    was_judged = True
    for auction, heard, decision in zip(auctions(hand.hand), hand.heard, hand.decisions, strict=True):
        said = f"  {name_shown(names[heard.seat])}: {action_in_words(heard.action, rules)}"
        if was_judged and decision is None:
            lines.append("")
        was_judged = decision is not None
        if decision is None:
            lines.append(said)
            continue
        verdict = "" if decision.appraisal is None else verdict_with_loss(decision.appraisal)
        lines += ["", f"{said:<42} {verdict}".rstrip()]
        bluff = about_bluff(heard, rules)
        why = " ".join([*reasons(decision, auction, rules), *([bluff] if bluff else [])])
        lines += wrap(why, _WIDTH, initial_indent="    ", subsequent_indent="    ")
        lines += _values(decision, rules)
    return lines


def _values(decision: Decision, rules: Rules) -> list[str]:
    if decision.appraisal is None:
        return []
    values = decision.appraisal.values
    shown = [*values[:_SHOWN], *(one for one in values[_SHOWN:] if one.action == decision.action)]
    return ["    " + ", ".join(value_in_words(value, rules) for value in shown)]


def verdict_with_loss(appraisal: Appraisal) -> str:
    """Return the verdict, with the loss if there is one: `mistake, −0.42`."""
    word = verdict_in_words(appraisal.verdict)
    return word if appraisal.verdict in (BEST, FINE) else f"{word}, {number(f'−{appraisal.loss:.2f}')}"


def names_in(review: Review) -> tuple[str, ...]:
    """Return the players' names, with `YOU` for the seat that is reviewed."""
    return tuple(YOU if seat == review.seat else printable(name) for seat, name in enumerate(review.players))


def summary(review: Review) -> list[str]:
    """Return the number of verdicts of each player and their largest losses, as lines of text."""
    names = names_in(review)
    judged = [(hand, one) for hand in review.hands for one in hand.decisions if one is not None and one.appraisal]
    words = [verdict_in_words(verdict) for verdict in VERDICTS]
    head = [*words, _("loss per hand")]
    width = max(len(name_shown(name)) for name in names)
    lines = ["  ".join([" " * width, *head])]
    for seat, name in enumerate(names):
        mine = [one.appraisal for _hand, one in judged if one.seat == seat and one.appraisal is not None]
        hands = {hand.number for hand, one in judged if one.seat == seat}
        if mine:
            counts = [sum(one.verdict == verdict for one in mine) for verdict in VERDICTS]
            loss = number(f"{sum(one.loss for one in mine if one.verdict in _BAD) / len(hands):.2f}")
            cells = [f"{cell:>{len(title)}}" for cell, title in zip([*counts, loss], head, strict=True)]
            lines.append(f"{name_shown(name):<{width}}  " + "  ".join(cells))
    return [*lines, *_largest(judged, names)]


def _largest(judged: Sequence[tuple[HandReview, Decision]], names: tuple[str, ...]) -> list[str]:
    def loss(pair: tuple[HandReview, Decision]) -> float:
        return 0.0 if pair[1].appraisal is None else pair[1].appraisal.loss

    worst = [
        (hand, one)
        for hand, one in sorted(judged, key=loss, reverse=True)[:_LISTED]
        if one.appraisal is not None and one.appraisal.verdict not in (BEST, FINE)
    ]
    if not worst:
        return []
    lines = ["", _("Largest losses:")]
    for hand, one in worst:
        assert one.appraisal is not None
        said = action_in_words(one.action, hand.hand.rules)
        name = name_shown(names[one.seat])
        lines.append(
            "  "
            + _("hand {number}, {name}: {said}", number=hand.number, name=name, said=said)
            + f", {verdict_with_loss(one.appraisal)}"
        )
    return lines


def assumption(review: Review) -> str:
    """Return how everybody is assumed to play, as a sentence."""
    model = title_of(review.model)
    if review.other is None:
        return _("Model of all players: {model}. Units per hand at stake 1.", model=model)
    message = N_("Model of all players: {model}. Units per hand at stake 1, with 95% intervals.")
    return _(message, model=model)
