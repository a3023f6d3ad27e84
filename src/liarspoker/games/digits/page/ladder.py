"""The bidding as it went: the ladder, what each seat has said last, and one sentence on what has just happened."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.games.digits.page.count import verdict_of
from liarspoker.games.digits.page.seen import SeenHand
from liarspoker.games.digits.settlement import bid_multiplier
from liarspoker.records.words import bid_in_words, subject
from liarspoker.web.view_models.family import YOU

CHALLENGE, COUNT = "challenge", "count"


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the ladder.

    Attributes:
        words: what he bid, or what he said.
        is_bid: a bid, and not an answer.
        rebid: a bid of somebody who was challenged all around.
        multiplier: what the bid is worth, in stakes; 0 for an answer.
        tally: how many have challenged so far, such as `2 of 4`; empty for a bid.
    """

    name: str
    words: str
    is_bid: bool
    rebid: bool
    multiplier: int
    standing: bool
    tally: str


def ladder_of(seen: SeenHand) -> tuple[Step, ...]:
    """Everything that was said, the newest first."""
    steps: list[Step] = []
    challenged, others = 0, seen.seats - 1
    for seat, action in seen.view.moves:
        name = seen.names[seat]
        if action == CHALLENGE:
            challenged += 1
            steps.append(Step(name, _says(name, CHALLENGE), False, False, 0, False, f"{challenged} of {others}"))
        elif action == COUNT:
            steps.append(Step(name, _says(name, COUNT), False, False, 0, False, ""))
        else:
            claim = seen.bid(action)
            worth, stands = bid_multiplier(claim, seen.rules), action == seen.view.claim
            words = bid_in_words(claim, seen.rules)
            steps.append(Step(name, words, True, challenged == others, worth, stands, ""))
            challenged = 0
    return tuple(reversed(steps))


def acts_of(seen: SeenHand) -> dict[str, str]:
    """What each user has done last, in a few words."""
    acts = {}
    for seat, action in seen.view.moves:
        name = seen.names[seat]
        words = _says(name, action) if action in (CHALLENGE, COUNT) else _bid(action, seen)
        acts[seen.view.users[seat]] = words.partition(" ")[2] if action in (CHALLENGE, COUNT) else words
    return acts


def _bid(action: str, seen: SeenHand) -> str:
    return f"bid {bid_in_words(seen.bid(action), seen.rules)}"


def marks_of(seen: SeenHand) -> dict[str, tuple[str, ...]]:
    """How each user's seat is marked: who has bid, who has challenged since."""
    users = seen.view.users
    marks: dict[str, tuple[str, ...]] = {}
    if seen.view.bidder is not None:
        marks[users[seen.view.bidder]] = ("bidder",)
    for seat, action in reversed(seen.view.moves):
        if action == COUNT:
            continue
        if action != CHALLENGE:
            break
        marks[users[seat]] = ("challenged",)
    return marks


def _says(name: str, verb: str) -> str:
    return f"{name} {verb}" if name == "You" else f"{name} {verb}s"


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
