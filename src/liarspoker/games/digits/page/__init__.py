"""View model of a hand of a digit game: the standing bid, the bids so far, your number, the bid pad and the count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liarspoker.games.digits.page import odds, odds_chart, replay, rules
from liarspoker.games.digits.page.context import HandContext, StandingBid, hand_context, stake_words, standing_bid
from liarspoker.games.digits.page.count import Count, Held, count_of_hand
from liarspoker.games.digits.page.hints import hint
from liarspoker.games.digits.page.ladder import Step, acts_of, before_me, describe_last_action, ladder_of, marks_of
from liarspoker.games.digits.page.own import Paper, Slip, paper_of, slip_of
from liarspoker.games.digits.page.pad import Pad, pad_of
from liarspoker.games.digits.page.profile import PROFILE
from liarspoker.games.digits.page.review import REVIEW
from liarspoker.games.digits.page.what_if import completed
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import HERO, NONE
from liarspoker.language import N_, _
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.records.words import said_of
from liarspoker.web.view_models.family import FamilyPages, OddsPage, RoundViewModel, Tally

__all__ = ["PAGES", "DigitViewModel", "view_model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DigitViewModel(RoundViewModel):
    """A hand as one viewer sees it.

    `liarspoker.web.view_models.family.RoundViewModel` documents the inherited attributes.

    Attributes:
        number: the number of the hand, from 1.
        stake_words: the stake and the rules behind it.
        standing: the standing bid; `None` before the first.
        paper: the viewer's number; `None` for a viewer without one.
        slip: the viewer's slip; `None` where bills are dealt.
        ladder: the actions so far, newest first.
        pad: the bids that the viewer may make; `None` if they may not bid now.
        may_challenge: the action to send for a challenge; empty if the viewer may not challenge now.
        may_count: the action to send for a count; empty if the viewer may not count now.
        after_challenge: what happens after a challenge by the seat to act, in a few words.
        playing: the viewer has a seat in this hand.
        to_come: who acts before the viewer, as a sentence; empty if nobody does or it isn't known.
        count: the count; `None` before it.
    """

    number: int
    stake_words: str
    standing: StandingBid | None
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
        """Return what `user` held at the count; `None` before the count and for a user who did not play."""
        return None if self.count is None else self.count.held(user)


def view_model(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> DigitViewModel:
    """Return the view model of the hand in `public`, for the viewer of `you`."""
    context = hand_context(public, you)
    legal = context.hand.legal
    may_count = "" if legal is None else legal.count or ""
    hand, letter = public.round_number, context.view.letter
    return DigitViewModel(
        kind="digits",
        heading=_("Hand {number}", number=hand)
        if letter is None
        else _("Hand {number}, row {row}", number=hand, row=letter),
        said=describe_last_action(context),
        over=context.result is not None,
        number=hand,
        stake=context.view.stake,
        stake_words=stake_words(context),
        standing=standing_bid(context),
        paper=paper_of(context),
        slip=slip_of(context),
        ladder=ladder_of(context),
        pad=pad_of(context, draft.get("action", "")),
        may_challenge="" if legal is None else legal.challenge or "",
        may_count=may_count,
        after_challenge=_after_challenge(context),
        playing=context.seat is not None,
        to_come=before_me(context),
        count=count_of_hand(context),
        acts=acts_of(context),
        marked=marks_of(context),
    )


def _after_challenge(context: HandContext) -> str:
    """Return what happens after a challenge by the seat to act, in a few words."""
    if context.view.phase != "respond":
        return ""
    names = context.names
    left = len(names) - 2 - (context.view.challenges or 0)
    if left > 0:
        following = names[(context.to_act + 1) % len(names)]
        if left == 1:
            return said_of(following, N_("then you"), N_("then {name}"))
        return said_of(following, N_("then you and {count} more"), N_("then {name} and {count} more"), count=left - 1)
    if context.options.rebid and not context.view.is_rebid:
        return said_of(names[context.bidder], N_("then you count or rebid"), N_("then {name} counts or rebids"))
    return _("then the count")


def tally(session: DigitSession, seat: int) -> Tally:
    """Return a seat's statistics for a hand that has ended.

    Everybody but the bidder has challenged. In a push, nobody pays and no challenge counts as right or wrong.
    """
    result = session.round_result
    assert result is not None
    won, lost = int(result.payoffs[seat] > 0), int(result.payoffs[seat] < 0)
    if result.bidder != seat:
        return Tally(rounds=1, right=won, wrong=lost)
    outcome = result.settlement.outcome
    heroes, skunks = won * (outcome == HERO), won * (outcome == NONE)
    return Tally(rounds=1, bids_won=won, bids_lost=lost, heroes=heroes, skunks=skunks)


PAGES = FamilyPages(
    round=view_model,
    replay=replay,
    rules=rules,
    tally=tally,
    hint=hint,
    review=REVIEW,
    completed=completed,
    profile=PROFILE,
    odds=(
        OddsPage(odds.PATH, N_("Digit bid"), 0, "odds/bid.html", odds.view_model),
        OddsPage(odds_chart.TABLES_PATH, N_("All tables"), 9, "odds/tables.html", odds_chart.tables_view_model),
    ),
)
"""The pages of the digit games; see `liarspoker.web.view_models.family.FamilyPages`."""
