"""A hand of a digit game: the standing bid and its worth, the ladder, your number, the pad, the count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liarspoker.games.digits.page import odds, odds_chart, replay, rules
from liarspoker.games.digits.page.count import Count, Held, count_of_hand
from liarspoker.games.digits.page.ladder import Step, acts_of, before_me, ladder_of, marks_of, said_of
from liarspoker.games.digits.page.own import Paper, Slip, paper_of, slip_of
from liarspoker.games.digits.page.pad import Pad, pad_of
from liarspoker.games.digits.page.seen import SeenHand, Standing, seen_hand, standing_bid
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import HERO, NONE
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.web.view_models.family import FamilyPages, OddsPage, RoundScene, Tally

__all__ = ["PAGES", "DigitScene", "scene"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DigitScene(RoundScene):
    """A hand as somebody sees it. The attributes of `RoundScene` are explained there.

    Attributes:
        slip: the own slip; `None` where bills are dealt.
        pad: the bids that may be made; `None` when it is not his turn to bid.
        may_challenge: the action to send, or empty.
        after_challenge: what follows if he challenges, in a few words.
        playing: he has a number in this hand.
        to_come: who speaks before him; empty for nobody.
    """

    number: int
    stake_words: str
    standing: Standing | None
    paper: Paper | None
    slip: Slip | None
    ladder: tuple[Step, ...]
    pad: Pad | None
    may_challenge: str
    may_count: str
    after_challenge: str
    playing: bool
    to_come: str
    count: Count | None

    def held(self, user: str) -> Held | None:
        """What `user` has shown at the count; `None` before it, and for who did not play."""
        return None if self.count is None else self.count.held(user)


def scene(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> DigitScene:
    """The hand of a view, for who looks."""
    seen = seen_hand(public, you)
    legal = seen.hand.legal
    may_count = "" if legal is None else legal.count or ""
    hand = seen.view.round + 1
    return DigitScene(
        kind="digits",
        heading=f"Hand {hand}" + (f", row {seen.view.letter}" if seen.view.letter is not None else ""),
        said=said_of(seen),
        over=seen.result is not None,
        number=hand,
        stake=seen.view.stake,
        stake_words=seen.view.stake_words,
        standing=standing_bid(seen),
        paper=paper_of(seen),
        slip=slip_of(seen),
        ladder=ladder_of(seen),
        pad=pad_of(seen),
        may_challenge="" if legal is None else legal.challenge or "",
        may_count=may_count,
        after_challenge=_after_challenge(seen),
        playing=seen.seat is not None,
        to_come=before_me(seen),
        count=count_of_hand(seen),
        acts=acts_of(seen),
        marked=marks_of(seen),
    )


def _after_challenge(seen: SeenHand) -> str:
    """What follows if the seat to act challenges."""
    if seen.view.phase != "respond":
        return ""
    names = seen.names
    left = len(names) - 2 - (seen.view.challenges or 0)
    if left > 0:
        following = names[(seen.to_act + 1) % len(names)]
        return f"then {following}" + (f" and {left - 1} more" if left > 1 else "")
    may_rebid = seen.options.rebid and not seen.view.is_rebid
    return f"then {names[seen.bidder]} counts or rebids" if may_rebid else "then the count"


def tally(session: DigitSession, seat: int) -> Tally:
    """A hand that has ended: all but the bidder have challenged. Where nobody pays, nobody is right or wrong."""
    result = session.round_result
    assert result is not None
    won, lost = int(result.payoffs[seat] > 0), int(result.payoffs[seat] < 0)
    if result.bidder != seat:
        return Tally(rounds=1, right=won, wrong=lost)
    outcome = result.settlement.outcome
    heroes, skunks = won * (outcome == HERO), won * (outcome == NONE)
    return Tally(rounds=1, bids_won=won, bids_lost=lost, heroes=heroes, skunks=skunks)


PAGES = FamilyPages(
    round=scene,
    replay=replay,
    rules=rules,
    tally=tally,
    odds=(
        OddsPage(odds.PATH, "A bid of digits", 0, "odds/bid.html", odds.scene),
        OddsPage(odds_chart.TABLES_PATH, "All tables", 9, "odds/tables.html", odds_chart.tables_scene),
    ),
)
"""The pages of the digit games."""
