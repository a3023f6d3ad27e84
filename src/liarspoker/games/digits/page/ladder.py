"""The bidding as it went: the ladder, and what each seat has said last."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.games.digits.page.seen import SeenHand
from liarspoker.games.digits.settlement import bid_multiplier
from liarspoker.records.words import bid_in_words

CHALLENGE, COUNT = "challenge", "count"


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the ladder.

    Attributes:
        name: who.
        words: what he bid, or what he said.
        is_bid: a bid, and not an answer.
        rebid: a bid of somebody who was challenged all around.
        multiplier: what the bid is worth, in stakes; 0 for an answer.
        standing: it is the standing bid.
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
