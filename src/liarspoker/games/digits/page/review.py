"""What each seat may hold at a ply of a reviewed hand of a digit game; the review is a report of `liarspoker.coach`."""

from __future__ import annotations

from typing import cast

from liarspoker.coach.document import ReviewDocument
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.page.replay import _hand
from liarspoker.games.digits.record_text import action_in_words
from liarspoker.games.digits.session import DigitSession
from liarspoker.language import _, number
from liarspoker.records.words import digit_name, name_shown
from liarspoker.web.view_models.review import Belief, Beliefs, Coaching
from liarspoker.web.view_models.round_replay import ALL, RoundReplay

MOST_COUNTS = 5
"""The number of columns of a belief: none of a digit, one, two, three, and four or more."""


def _in_words(session: DigitSession, action: int) -> str:
    return action_in_words(action, _hand(session).rules)


def _beliefs(review: ReviewDocument, replay: RoundReplay, at: int) -> Beliefs:
    """Return how likely each seat holds how many of the standing bid's digit, by the bids up to a ply."""
    hand = _hand(cast(DigitSession, replay.sessions[at]))
    if hand.auction.claim < 0:
        return Beliefs()
    digit = digit_of(hand.auction.claim, hand.rules)
    rank, actions = review["digits"].index(str(digit)), review["hands"][0]["actions"]
    prior = actions[0]["before"]
    found = []
    for seat, name in enumerate(replay.names):
        heard = [action["after"] for action in actions[:at] if action["seat"] == seat]
        chances = (heard[-1] if heard else prior)[rank]
        most = min(MOST_COUNTS, len(chances))
        columns = (*chances[: most - 1], sum(chances[most - 1 :]))
        held = hand.numbers[seat] if replay.view == ALL or seat == replay.seat else HIDDEN
        known = None if HIDDEN in held else held.count(str(digit))
        mean = sum(count * chance for count, chance in enumerate(chances))
        found.append(Belief(name_shown(name), number(f"{mean:.1f}"), columns, known))
    title = _("How many {digits} each may hold", digits=digit_name(digit, 2, hand.rules))
    return Beliefs(title, tuple(found))


REVIEW = Coaching(_in_words, _beliefs)
