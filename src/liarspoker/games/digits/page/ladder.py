"""The course of the bidding: all actions, each seat's last action, and a sentence on what has just happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.page.context import HandContext, bid_of
from liarspoker.games.digits.page.count import verdict_of
from liarspoker.games.digits.record_text import describe_move, describe_opener
from liarspoker.games.digits.settlement import bid_multiplier
from liarspoker.language import N_, _, ngettext, per_language, pgettext
from liarspoker.records.words import all_of, bid_in_words, capital, name_shown, said_of, said_of_two
from liarspoker.web.view_models.family import YOU

CHALLENGE, COUNT = "challenge", "count"


@dataclass(frozen=True, slots=True, eq=False)  # equal steps are the same object, so caches need not compare them
class Step:
    """One action in the list of bids.

    Attributes:
        name: the player's name, or `You`.
        words: the bid or the answer in words.
        is_bid: it is a bid, not an answer.
        rebid: it is a bid by a player who was challenged all around.
        multiplier: the bid's multiplier; 0 for an answer.
        standing: it is the standing bid.
        tally: the number of challenges so far, such as `2 of 4`; empty for a bid.
    """

    name: str
    words: str
    is_bid: bool
    rebid: bool
    multiplier: int
    standing: bool
    tally: str


def ladder_of(context: HandContext) -> tuple[Step, ...]:
    """Return all actions, newest first."""
    steps: list[Step] = []
    names, claim, rules = context.names, context.view.claim, context.rules
    challenged, others = 0, context.seats - 1
    for seat, action in context.view.moves:
        name = names[seat]
        if action == CHALLENGE:
            challenged += 1
            steps.append(_answer(name, action, challenged, others))
        elif action == COUNT:
            steps.append(_answer(name, action, challenged, others))
        else:
            steps.append(_bid(name, action, challenged == others, action == claim, rules))
            challenged = 0
    return tuple(reversed(steps))


@per_language(1024)
def _answer(name: str, action: str, challenged: int, others: int) -> Step:
    if action == COUNT:
        words = said_of(name, N_("You count"), N_("{name} counts"))
        return Step(name_shown(name), words, False, False, 0, False, "")
    words = said_of(name, N_("You challenge"), N_("{name} challenges"))
    tally = _("{done} of {others}", done=challenged, others=others)
    return Step(name_shown(name), words, False, False, 0, False, tally)


@per_language(16_384)
def _bid(name: str, action: str, is_rebid: bool, stands: bool, rules: Rules) -> Step:
    claim = bid_of(action, rules)
    words, multiplier = bid_in_words(claim, rules), bid_multiplier(claim, rules)
    return Step(name_shown(name), words, True, is_rebid, multiplier, stands, "")


def acts_of(context: HandContext) -> dict[str, str]:
    """Return each user's last action, in a few words."""
    last: dict[int, str] = {}
    for seat, action in reversed(context.view.moves):
        if seat not in last:
            last[seat] = action
            if len(last) == context.seats:
                break
    users, names = context.view.users, context.names
    return {users[seat]: _act(names[seat] == YOU, action, context.rules) for seat, action in last.items()}


@per_language(4096)
def _act(mine: bool, action: str, rules: Rules) -> str:
    # Translators: the last action of the player whose name is above it, or "You"
    if action == CHALLENGE:
        return pgettext("you", "challenge") if mine else pgettext("a player", "challenges")
    if action == COUNT:
        return pgettext("you", "count") if mine else pgettext("a player", "counts")
    return _("bid {bid}", bid=bid_in_words(bid_of(action, rules), rules))


def marks_of(context: HandContext) -> dict[str, tuple[str, ...]]:
    """Return the marks of each user's seat: the bidder, and those who have challenged since."""
    users = context.view.users
    marks: dict[str, tuple[str, ...]] = {}
    if context.view.bidder is not None:
        marks[users[context.view.bidder]] = ("bidder",)
    for seat, action in reversed(context.view.moves):
        if action == COUNT:
            continue
        if action != CHALLENGE:
            break
        marks[users[seat]] = ("challenged",)
    return marks


_NUMBERS: tuple[Callable[[], str], ...] = (
    lambda: pgettext("number", "none"),
    lambda: pgettext("number", "one"),
    lambda: pgettext("number", "two"),
    lambda: pgettext("number", "three"),
    lambda: pgettext("number", "four"),
    lambda: pgettext("number", "five"),
    lambda: pgettext("number", "six"),
    lambda: pgettext("number", "seven"),
    lambda: pgettext("number", "eight"),
    lambda: pgettext("number", "nine"),
    lambda: pgettext("number", "ten"),
)
_NAMED = 2
"""The number of players still to act who are named; more are counted."""


def describe_last_action(context: HandContext) -> str:
    """Return the last action and the state of the hand, in a sentence or two."""
    if context.result is not None:
        return verdict_of(context)
    if not context.view.moves:
        return describe_opener(context.names[context.view.opener])
    seat, action = context.view.moves[-1]
    name = context.names[seat]
    if action == CHALLENGE:
        challenges = said_of(name, N_("You challenge."), N_("{name} challenges."))
        return f"{challenges} {_challenged(context)}"
    if action == COUNT:
        return said_of(name, N_("You call for the count."), N_("{name} calls for the count."))
    return describe_move(name, context.bid(action), context.rules, bool(context.view.is_rebid))


def _challenged(context: HandContext) -> str:
    done, others = context.view.challenges or 0, context.seats - 1
    if done == others:
        bidder = context.names[context.bidder]
        if others == 1:
            return said_of(
                bidder,
                N_("Nobody is left to act; you rebid or count."),
                N_("Nobody is left to act; {name} rebids or counts."),
            )
        if others == 2:
            return said_of(bidder, N_("Both have; you rebid or count."), N_("Both have; {name} rebids or counts."))
        return said_of(
            bidder,
            N_("All {others} have; you rebid or count."),
            N_("All {others} have; {name} rebids or counts."),
            others=number_word(others),
        )
    # Translators: who have challenged: "One of four has; Ann is still to act."
    return ngettext(
        "One of {others} has; {still_to_act}.",
        "{done} of {others} have; {still_to_act}.",
        done,
        done=capital(number_word(done)),
        others=number_word(others),
        still_to_act=_still(context, others - done),
    )


def _still(context: HandContext, count: int) -> str:
    """Return who are still to act, as a clause."""
    first = context.to_act
    names = [context.names[(first + step) % context.seats] for step in range(count)]
    if count > _NAMED and YOU not in names:
        return _("{number} are still to act", number=number_word(count))
    if count > _NAMED:
        return _("you and {number} more are still to act", number=number_word(count - 1))
    if count == 1:
        return said_of(names[0], N_("you are still to act"), N_("{name} is still to act"))
    return said_of_two(
        names[0],
        names[1],
        N_("you and {other} are still to act"),
        N_("{name} and you are still to act"),
        N_("{name} and {other} are still to act"),
    )


def number_word(number: int) -> str:
    """Return a number up to ten as a word, a larger one in digits.

    >>> number_word(2), number_word(15)
    ('two', '15')
    """
    return _NUMBERS[number]() if number < len(_NUMBERS) else str(number)


def before_me(context: HandContext) -> str:
    """Return who acts before the viewer, in a sentence; empty if nobody does or it isn't known."""
    seat, first = context.seat, context.view.to_act
    if seat is None or first is None or seat == first or context.view.phase == "decide":
        return ""
    names = []
    while first != seat:
        names.append(context.names[first])
        first = (first + 1) % context.seats
    if len(names) > _NAMED + 1:
        return _(
            "{name} and {number} more act before you.",
            name=names[0],
            number=number_word(len(names) - 1),
        )
    if len(names) == 1:
        return _("{name} acts before you.", name=names[0])
    return _("{names} act before you.", names=all_of(names))
