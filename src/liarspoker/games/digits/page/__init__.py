"""A hand of a digit game: the standing bid and its worth, the ladder, your number, the pad, the count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liarspoker.games.digits.page.count import Count, Held, count_of_hand
from liarspoker.games.digits.page.ladder import Step, acts_of, ladder_of, marks_of
from liarspoker.games.digits.page.own import Paper, Slip, paper_of, slip_of
from liarspoker.games.digits.page.pad import Pad, pad_of
from liarspoker.games.digits.page.said import before_me, said_of
from liarspoker.games.digits.page.standing import Standing, standing_bid
from liarspoker.games.digits.page.view import Told, read_view
from liarspoker.protocol.views import PrivateView, PublicView

__all__ = ["DigitScene", "scene"]


@dataclass(frozen=True, slots=True)
class DigitScene:
    """A hand as somebody sees it. The attributes of `RoundScene` are explained there.

    Attributes:
        number: of the hand, from 1.
        stake: units.
        stake_words: the stake with its reasons.
        standing: the bid that stands; `None` before the first.
        paper: the own number; `None` for who has none.
        slip: the own slip; `None` where bills are dealt.
        ladder: newest first.
        pad: the bids that may be made; `None` when it is not his turn to bid.
        may_challenge: the action to send, or empty.
        may_count: the action to send, or empty.
        deciding: he was challenged all around, and bids once more or counts.
        after_challenge: what follows if he challenges, in a few words.
        playing: he has a number in this hand.
        to_come: who speaks before him; empty for nobody.
        count: how it came out; `None` before that.
    """

    kind: str
    heading: str
    said: str
    over: bool
    number: int
    stake: int
    stake_words: str
    standing: Standing | None
    paper: Paper | None
    slip: Slip | None
    ladder: tuple[Step, ...]
    pad: Pad | None
    may_challenge: str
    may_count: str
    deciding: bool
    after_challenge: str
    playing: bool
    to_come: str
    count: Count | None
    acts: Mapping[str, str]
    marked: Mapping[str, tuple[str, ...]]

    def act(self, user: str) -> str:
        """What `user` has done last."""
        return self.acts.get(user, "")

    def marks(self, user: str) -> tuple[str, ...]:
        """How his seat is marked."""
        return self.marked.get(user, ())

    def held(self, user: str) -> Held | None:
        """What `user` has shown at the count; `None` before it, and for who did not play."""
        return None if self.count is None else self.count.held(user)


def scene(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> DigitScene:
    """The hand of a view, for who looks."""
    told = read_view(public, you)
    legal = told.hand.legal
    may_count = "" if legal is None else legal.count or ""
    hand = told.round.round + 1
    return DigitScene(
        kind="digits",
        heading=f"Hand {hand}" + (f", row {told.round.letter}" if told.round.letter is not None else ""),
        said=said_of(told),
        over=told.result is not None,
        number=hand,
        stake=told.round.stake,
        stake_words=told.round.stake_words,
        standing=standing_bid(told),
        paper=paper_of(told),
        slip=slip_of(told),
        ladder=ladder_of(told),
        pad=pad_of(told),
        may_challenge="" if legal is None else legal.challenge or "",
        may_count=may_count,
        deciding=bool(may_count),
        after_challenge=_after_challenge(told),
        playing=told.seat is not None,
        to_come=before_me(told),
        count=count_of_hand(told),
        acts=acts_of(told),
        marked=marks_of(told),
    )


def _after_challenge(told: Told) -> str:
    """What follows if the seat to act challenges."""
    if told.round.phase != "respond":
        return ""
    names = told.names
    left = len(names) - 2 - (told.round.challenges or 0)
    if left > 0:
        following = names[(told.to_act + 1) % len(names)]
        return f"then {following}" + (f" and {left - 1} more" if left > 1 else "")
    may_rebid = told.options.rebid and not told.round.is_rebid
    return f"then {names[told.bidder]} counts or rebids" if may_rebid else "then the count"
