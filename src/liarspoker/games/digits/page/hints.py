"""Hints for beginners: one sentence on a hand, computed from what the viewer may see."""

from __future__ import annotations

from fractions import Fraction

from liarspoker.games.digits.ladder import claim_of, digit_of, level_of
from liarspoker.games.digits.messages import DigitsLegal, DigitsResult
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.page.context import HandContext, hand_context
from liarspoker.games.digits.page.count import verdict_of
from liarspoker.games.digits.page.ladder import CHALLENGE, number_word
from liarspoker.games.digits.settlement import FAILED, NONE, OUTCOMES
from liarspoker.language import N_, _, ngettext
from liarspoker.odds.bids import bid_value, probability_made
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.records.words import bid_in_words, said_of, said_of_two, units_in_words
from liarspoker.web.view_models.family import NO_HINT, Hint


def hint(public: PublicView, you: PrivateView | None, revealing: bool) -> Hint:
    """Return a hint for the viewer of `you`; empty for spectators and where odds are hidden.

    Args:
        public: the public view.
        you: the viewer's private view.
        revealing: the count is being revealed, so the hint must not depend on it.
    """
    context = hand_context(public, you)
    if not context.help or context.seat is None:
        return NO_HINT
    if revealing:
        return Hint(_("Everyone has challenged {bid}, so all hands are counted.", bid=_standing(context)))
    if context.result is not None:
        return Hint(explain_count(context))
    legal = context.hand.legal
    if legal is None:
        return Hint(_while_waiting(context))
    if context.claim is None:
        best = _best_bid(legal, context)
        text = _(
            "Open with a bid on how many of a digit all {number} hands hold together, such as {bid}: {reason}.",
            number=number_word(context.seats),
            bid=bid_in_words(best, context.rules),
            reason=_reason(best, context),
        )
        return Hint(text, write(best, context.rules))
    return _answer(legal, context) if legal.challenge else NO_HINT


def explain_count(context: HandContext) -> str:
    """Return in a sentence why the count paid what it did."""
    result = context.result
    assert result is not None
    if result.outcome == OUTCOMES[NONE]:
        return verdict_of(context)
    failed = result.outcome == OUTCOMES[FAILED]
    bidder, bid = context.names[result.bidder], bid_in_words(context.bid(result.final_claim), context.rules)
    bidding = said_of(bidder, N_("You bid {bid}"), N_("{name} bid {bid}"), bid=bid)
    # Translators: "Ann bid 5 sevens; only four were there, so the bid failed and Ann paid you 2 units."
    return _(
        "{bidding}; {count}, so {outcome}.",
        bidding=bidding,
        count=_there(result.total, failed),
        outcome=_paid(context, result, failed),
    )


def _there(total: int, failed: bool) -> str:
    """Return how many of the digit were there, as a clause."""
    number = number_word(total)
    if failed and total:
        return ngettext("only one was there", "only {number} were there", total, number=number)
    return ngettext("one was there", "{number} were there", total, number=number)


def _paid(context: HandContext, result: DigitsResult, failed: bool) -> str:
    """Return who paid whom, as a clause."""
    bidder, others = context.names[result.bidder], context.seats - 1
    units = units_in_words(abs(result.payoffs[result.bidder]) // others)
    if others == 1:
        other = context.names[1 - result.bidder]
        if failed:
            return said_of_two(
                bidder,
                other,
                N_("the bid failed and you paid {other} {units}"),
                N_("the bid failed and {name} paid you {units}"),
                N_("the bid failed and {name} paid {other} {units}"),
                units=units,
            )
        return said_of_two(
            bidder,
            other,
            N_("the bid held and {other} paid you {units}"),
            N_("the bid held and you paid {name} {units}"),
            N_("the bid held and {other} paid {name} {units}"),
            units=units,
        )
    if failed:
        return said_of(
            bidder,
            N_("the bid failed and you paid each of the {number} challengers {units}"),
            N_("the bid failed and {name} paid each of the {number} challengers, you included, {units}"),
            number=number_word(others),
            units=units,
        )
    return said_of(
        bidder,
        N_("the bid held and each of the {number} challengers paid you {units}"),
        N_("the bid held and each of the {number} challengers, you included, paid {name} {units}"),
        number=number_word(others),
        units=units,
    )


def _while_waiting(context: HandContext) -> str:
    acting, standing = context.names[context.to_act], _standing(context)
    if context.claim is None:
        return _("{name} opens with a bid; then everyone in turn raises it or challenges it.", name=acting)
    if context.bidder == context.seat:
        return _("The others now raise {bid} or challenge it; {when}.", bid=standing, when=_counted(context))
    if context.view.challenges and (context.seat, CHALLENGE) in context.view.moves[-context.view.challenges :]:
        return _("You challenged {bid}; it is counted unless somebody raises it.", bid=standing)
    return _("{name} answers {bid} with a raise or a challenge before it is your turn.", name=acting, bid=standing)


def _answer(legal: DigitsLegal, context: HandContext) -> Hint:
    """Return advice to raise or to challenge, whichever has the higher expected value if the bid is then counted."""
    claim, rules, stake = context.claim, context.rules, context.view.stake
    assert claim is not None
    own = _own(claim, context)
    good = probability_made(rules, own, level_of(claim, rules))
    challenge_value = stake * (1 - good - good * (context.view.multiplier or 0))
    if legal.claims:
        best = _best_bid(legal, context)
        if bid_value(rules, best, _own(best, context), stake) > challenge_value:
            text = _("Raise to {bid}: {reason}.", bid=bid_in_words(best, rules), reason=_reason(best, context))
            return Hint(text, write(best, rules))
    text = _(
        N_("Challenge: you hold {own}, so {bid} would be there {how_often}; {when}.")
        if own
        else N_("Challenge: you hold none, so {bid} would be there {how_often}; {when}."),
        own=own,
        bid=_standing(context),
        how_often=_often(good),
        when=_counted(context),
    )
    return Hint(text)


def _best_bid(legal: DigitsLegal, context: HandContext) -> int:
    """Return the bid with the highest expected value when counted, of each digit's weakest and those that are held."""
    rules = context.rules
    weakest: dict[int, int] = {}
    for text in legal.claims:
        claim = context.bid(text)
        weakest.setdefault(digit_of(claim, rules), claim)
    held = [claim_of(own, digit_of(claim, rules), rules) for claim in weakest.values() if (own := _own(claim, context))]
    bids = [*weakest.values(), *(claim for claim in held if write(claim, rules) in legal.claims)]
    return max(bids, key=lambda claim: (bid_value(rules, claim, _own(claim, context), context.view.stake), claim))


def _reason(claim: int, context: HandContext) -> str:
    """Return how likely a bid is, and why."""
    own, level = _own(claim, context), level_of(claim, context.rules)
    if own >= level:
        return _("it can't fail, since you hold that many yourself, though a bolder bid may win more")
    if context.seats == 2:
        reason = (
            N_("you hold {own}, and the other hand holds at least {missing} more {how_often}")
            if own
            else N_("you hold none, and the other hand holds at least {missing} {how_often}")
        )
    else:
        reason = (
            N_("you hold {own}, and the other {number} hands hold at least {missing} more {how_often}")
            if own
            else N_("you hold none, and the other {number} hands hold at least {missing} {how_often}")
        )
    how_often = _often(probability_made(context.rules, own, level))
    return _(reason, own=own, number=number_word(context.seats - 1), missing=level - own, how_often=how_often)


def _counted(context: HandContext) -> str:
    """Return when the hands are counted, as a clause."""
    others = context.seats - 1
    if (context.view.challenges or 0) == others - 1:
        return _("then the hands are counted")
    return _("after {number} challenges in a row the hands are counted", number=number_word(others))


def _standing(context: HandContext) -> str:
    claim = context.claim
    if claim is None:
        return ""
    bid = bid_in_words(claim, context.rules)
    return said_of(context.names[context.bidder], N_("your {bid}"), N_("{name}'s {bid}"), bid=bid)


def _own(claim: int, context: HandContext) -> int:
    return (context.hand.number or "").count(str(digit_of(claim, context.rules)))


def _often(probability: Fraction) -> str:
    # Translators: how often a bid is good
    if probability < Fraction(1, 200):
        return _("in less than 1% of deals")
    return _("in {number}% of deals", number=round(100 * probability))
