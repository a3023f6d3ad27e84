"""Reviews of digit games in words: the reasons behind a verdict, and what a bluff suggested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from liarspoker.coach.decisions import Appraisal, Decision
from liarspoker.coach.review import HandReview, Heard
from liarspoker.coach.verdicts import BAD, BEST, FINE, INACCURACY, THRESHOLDS
from liarspoker.coach.wording import EVEN, NOTABLE, by_other, percent
from liarspoker.games.digits.auction import CHALLENGE, NOBODY, Auction, after, opening
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.record_text import action_in_words
from liarspoker.games.digits.round import DigitRound
from liarspoker.games.digits.settlement import none_multiplier
from liarspoker.language import N_, _, number, pgettext
from liarspoker.records.words import bid_in_words, capital, digit_name

LIKELY = 0.75
"""If a bid is so likely to be true, a challenge wins on average only if others bid higher."""


@dataclass(frozen=True, slots=True)
class DigitWording:
    """How a reviewed hand of a digit game is worded; see :class:`~liarspoker.coach.wording.Wording`."""

    hand: HandReview

    def shown(self) -> list[tuple[int, str]]:
        """Return the seats with their numbers."""
        return list(enumerate(self.hand.hand.numbers))

    def said(self, place: int, action: int) -> str:
        """Return an action in words."""
        return action_in_words(action, self.hand.hand.rules)

    def write(self, place: int, action: int) -> str:
        """Return an action in the notation."""
        return write(action, self.hand.hand.rules)

    def reasons(self, place: int) -> list[str]:
        """Return why the decision at a place was good or bad."""
        decision = self.hand.decisions[place]
        assert decision is not None
        return reasons(decision, list(auctions(self.hand.hand))[place], self.hand.hand.rules)

    def about_bluff(self, place: int) -> str:
        """Return what a bluff suggested; empty if the action at a place isn't one."""
        return about_bluff(self.hand.heard[place], self.hand.hand.rules)


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
    is_about_standing = decision.action < 0 or (appraisal.best < 0 and appraisal.verdict in BAD)
    if is_about_standing and decision.odds is not None and decision.truth is not None:
        odds, truth, bid = percent(decision.odds), percent(decision.truth), bid_in_words(auction.claim, rules)
        if abs(decision.truth - decision.odds) >= NOTABLE:
            message = (
                N_("By the odds alone it would be {odds}.")
                if "{truth}" in _message(decision, appraisal, auction)
                else N_("The chance of {bid} was {odds} by the odds alone, and {truth} after the bidding.")
            )
            lines.append(_(message, odds=odds, truth=truth, bid=bid))
    if is_about_standing and decision.skunk >= NOTABLE:
        wins = N_("The chance of a skunk, which wins for the bidder, was {chance}.")
        push = N_("The chance of a skunk, in which nobody pays, was {chance}.")
        lines.append(_(wins if none_multiplier(rules.seats) else push, chance=percent(decision.skunk)))
    return [
        *lines,
        *by_other(
            decision, appraisal, _with_article(appraisal.best if decision.other is None else decision.other.best, rules)
        ),
    ]


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
        return _about_answer(decision, appraisal)
    if appraisal.verdict == BEST:
        if auction.bidder == NOBODY:
            return N_("Counted at once, {mine} would win {chance} of the time; no other opening was worth more.")
        return N_("Counted at once, {mine} would win {chance} of the time; nothing else was worth more.")
    if appraisal.verdict == FINE:
        if appraisal.loss >= THRESHOLDS[INACCURACY]:
            return N_("Counted at once, {mine} would win {chance} of the time; {better} may have been better.")
        return N_("Counted at once, {mine} would win {chance} of the time; {better} was about as good.")
    if appraisal.best == CHALLENGE:
        if decision.truth is not None and decision.truth < EVEN:
            return N_("A count would have found {bid} only {truth} of the time: a challenge was worth {loss} more.")
        return N_("Counted at once, {mine} would win {chance} of the time; a challenge was worth {loss} more.")
    if appraisal.best < 0:
        return N_("A count, which would have found {bid} {truth} of the time, was worth {loss} more than this rebid.")
    return N_("{better} was worth {loss} more: counted at once, it would win {other} of the time, and {mine} {chance}.")


def _about_answer(decision: Decision, appraisal: Appraisal) -> str:
    """Return the message of the main reason for a challenge or a count."""
    value = appraisal.values[0]
    if appraisal.verdict != BEST:
        if appraisal.verdict == FINE:
            if appraisal.loss >= THRESHOLDS[INACCURACY]:
                return N_("A count would have found {bid} {truth} of the time; {better} may have been better.")
            return N_("A count would have found {bid} {truth} of the time; {better} was about as good.")
        return N_("A count would have found {bid} {truth} of the time; {better} was worth {loss} more.")
    if decision.action == CHALLENGE:
        if decision.truth is not None and decision.truth >= LIKELY and value.mean - value.half_width > 0:
            return N_(
                "A count would have found {bid} {truth} of the time, but others would often have bid higher; no bid of "
                "yours was worth more."
            )
        return N_("A count would have found {bid} {truth} of the time; no bid was worth more.")
    return N_("A count would have found {bid} {truth} of the time; no rebid was worth more.")


def _with_article(action: int, rules: Rules) -> str:
    """Return an action as the subject of a sentence."""
    if action >= 0:
        return bid_in_words(action, rules)
    # Translators: the subject of a sentence such as "a challenge was worth 0.42 more"
    return pgettext("subject", "a challenge") if action == CHALLENGE else pgettext("subject", "a count")


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


def auctions(hand: DigitRound) -> Iterator[Auction]:
    """Yield the auction before each action of a hand."""
    auction = opening(hand.terms.opener)
    for _seat, action in hand.moves:
        yield auction
        auction = after(auction, action, hand.rules)
