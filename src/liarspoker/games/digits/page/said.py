"""One sentence on what has just happened, for everybody to hear."""

from __future__ import annotations

from liarspoker.games.digits.page.count import verdict_of
from liarspoker.games.digits.page.ladder import CHALLENGE, COUNT
from liarspoker.games.digits.page.seen import SeenHand
from liarspoker.records.words import bid_in_words, subject
from liarspoker.web.view_models.family import YOU

_NUMBERS = ("None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
_NAMED = 2
"""So many of those who are still to speak are named; more are counted."""


def said_of(seen: SeenHand) -> str:
    """What the last action was, and where the hand stands."""
    if seen.result is not None:
        return verdict_of(seen)
    if not seen.view.moves:
        return f"{subject(seen.names[seen.view.opener], 'opens')}."
    seat, action = seen.view.moves[-1]
    name = seen.names[seat]
    if action == CHALLENGE:
        return f"{subject(name, 'challenges')}. {_challenged(seen)}"
    if action == COUNT:
        return f"{subject(name, 'asks')} for the count."
    again = " once more:" if seen.view.is_rebid else ""
    return f"{subject(name, 'bids')}{again} {bid_in_words(seen.bid(action), seen.rules)}."


def _challenged(seen: SeenHand) -> str:
    done, others = seen.view.challenges or 0, seen.seats - 1
    if done == others:
        bidder = seen.names[seen.bidder]
        return f"{_all(others)}; {_inside(subject(bidder, 'rebids'))} or {'count' if bidder == YOU else 'counts'}."
    have = "has" if done == 1 else "have"
    return f"{number_word(done)} of {number_word(others).lower()} {have}; {_still(seen, others - done)}."


def _all(others: int) -> str:
    return {1: "Nobody is left to speak", 2: "Both have"}.get(others, f"All {number_word(others).lower()} have")


def _still(seen: SeenHand, count: int) -> str:
    first = seen.to_act
    names = [seen.names[(first + step) % seen.seats] for step in range(count)]
    if count > _NAMED and YOU not in names:
        return f"{number_word(count).lower()} are still to speak"
    if count > _NAMED:
        return f"you and {number_word(count - 1).lower()} more are still to speak"
    told_names = " and ".join(map(_inside, names))
    return f"{told_names} {'is' if count == 1 and names[0] != YOU else 'are'} still to speak"


def _inside(words: str) -> str:
    """A name, or a sentence that begins with one, within a sentence."""
    return "you" + words.removeprefix(YOU) if words == YOU or words.startswith(f"{YOU} ") else words


def number_word(number: int) -> str:
    """A number that begins a sentence.

    >>> number_word(2), number_word(15)
    ('Two', '15')
    """
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def before_me(seen: SeenHand) -> str:
    """Who speaks before who looks does; empty where that is nobody, or cannot be said."""
    seat, first = seen.seat, seen.view.to_act
    if seat is None or first is None or seat == first or seen.view.phase == "decide":
        return ""
    names = []
    while first != seat:
        names.append(seen.names[first])
        first = (first + 1) % seen.seats
    if len(names) > _NAMED + 1:
        return f"{names[0]} and {number_word(len(names) - 1).lower()} more speak before you."
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{listed} {'speaks' if len(names) == 1 else 'speak'} before you."
