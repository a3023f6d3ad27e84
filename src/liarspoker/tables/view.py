"""What anybody may know of a table. This is the one way from a state to a socket, a page, a log line or an error.

A view is made of three parts, each listed here field by field: what everybody may know, what one seat alone may know,
and the chat. What the game shows comes from `session.view`, which has no field that could hold another's hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from msgspec import UNSET
from msgspec.structs import asdict

from liarspoker.protocol.frames import ChatLine
from liarspoker.protocol.views import (
    ChairView,
    ChoosingView,
    DealView,
    GatheringView,
    HandView,
    PassingView,
    PaymentView,
    PrivateView,
    ProposalView,
    PublicView,
    RoundView,
    Stage,
    UnitsView,
    WantedView,
)
from liarspoker.tables.agreements import UNDO
from liarspoker.tables.rounds import chosen_face_down, everybody_ready, free_picks, may_ask, may_name, next_to_pick
from liarspoker.tables.settings import table_rules
from liarspoker.tables.state import ENDED, GATHERING, ROUND, Chair, Deal, Proposal, Table, due

CHAT_SHOWN = 50
"""How many lines of chat a view has."""


def public(table: Table, behind: bool = False) -> PublicView:
    """What everybody may know.

    Args:
        table: the state.
        behind: for somebody who watches one round behind: of the round in play they learn nothing, not even how far
            it has come.
    """
    return PublicView(
        table=table.id,
        settings=table.settings,
        owner=table.owner,
        stage=cast(Stage, table.stage),
        chairs=tuple(None if chair is None else _chair(table, chair, behind) for chair in table.chairs),
        chat=table.chat,
        stake=table.stake,
        proposals=tuple(_proposal(one) for one in table.proposals if not (behind and one.kind == UNDO)),
        units=tuple(UnitsView(user=user, name=table.names[user], units=units) for user, units in table.units.items()),
        sheet=table.sheet,
        deal=_deal(table.deals[-1]) if table.deals else None,
        gathering=_gathering(table),
        **asdict(passing(table, behind)),
        settle_up=settle_up(table.units) if table.stage == ENDED else None,
        end_reason=table.end_reason or UNSET,
    )


def passing(table: Table, behind: bool = False) -> PassingView:
    """What an action changes of the public view."""
    return PassingView(
        version=table.version,
        turn=None if behind else table.turn,
        rounds_played=table.rounds_played,
        paused=table.paused is not None,
        deadline=None if behind else due(table),
        to_act=None if behind else table.to_act,
        round=round_of(table, behind),
    )


def lasts(before: Table, after: Table) -> bool:
    """Whether nothing but `passing` has changed in the public view; it may say no where that is so."""
    return (
        after.stage == before.stage == ROUND
        and after.chairs is before.chairs
        and after.units is before.units
        and after.deals is before.deals
        and after.proposals is before.proposals
        and after.owner == before.owner
        and after.chat == before.chat
        and after.stake == before.stake
    )


def private(table: Table, user: str) -> PrivateView:
    """What `user` alone may know: where they sit, what they hold, what they may do."""
    number = table.place_of(user)
    sitting = table.sitting
    seat = None if sitting is None else sitting.seat_of(user)
    hand: HandView | None = None
    if sitting is not None and seat is not None and table.stage in (ROUND, GATHERING):
        hand = table_rules(table.settings.game).private(sitting.session.view(seat))
    return PrivateView(
        user=user,
        chair=number,
        owner=table.owner == user,
        votes=tuple(
            proposal.number
            for proposal in table.proposals
            if user in proposal.voters and user not in proposal.yes | proposal.no and _has_a_say(table, user)
        ),
        muted=tuple(sorted(table.muted.get(user, ()))),
        seat=seat,
        hand=hand,
        gathering=None if number is None else _wanted(table, user),
    )


def _wanted(table: Table, user: str) -> WantedView | None:
    gathering = table.gathering
    if gathering is None:
        return None
    return WantedView(
        ready=user in gathering.ready,
        wanted=may_ask(table, user),
        open_nonce=bool(gathering.opening) and user in gathering.nonce_commitments and user not in gathering.nonces,
        name=may_name(table) == user,
        pick=everybody_ready(table) and next_to_pick(table) == user,
    )


def _has_a_say(table: Table, user: str) -> bool:
    chair = table.chair_of(user)
    return chair is not None and not chair.leaving


def standings(table: Table) -> Callable[[str], object]:
    """What `private` follows from while others act: as long as it is equal, a user has nothing new to know.

    Returns:
        Answers with it for a user; `None` where that cannot be said; then look.
    """
    sitting = table.sitting
    if sitting is None or table.stage not in (ROUND, GATHERING):
        return lambda user: None
    session, to_act, in_round = sitting.session, table.to_act, table.stage == ROUND
    places = tuple(None if chair is None else chair.user for chair in table.chairs)
    known = session.undo_point() if in_round else sitting
    for_all = (in_round, len(table.deals), known, table.owner, table.proposals, places)
    anyone_challenges = in_round and session.anyone_challenges

    def standing(user: str) -> object:
        if in_round and user == to_act:
            return None
        now: object = None if in_round else _wanted(table, user)
        if anyone_challenges and (seat := sitting.seat_of(user)) is not None:
            now = session.out_of_turn_challenge(seat)
        return for_all, now, table.proposals and _has_a_say(table, user), table.muted.get(user)

    return standing


def chat(table: Table, user: str | None) -> tuple[ChatLine, ...]:
    """The last lines of the chat, without those that `user` does not want to hear.

    Who watches one round behind does not hear what is said about the round in play.
    """
    muted, behind = hearing(table, user)
    heard = [line for line in table.lines if line.user not in muted]
    if behind:
        heard = [line for line in heard if line.at < table.deals[-1].at]
    return tuple(heard[-CHAT_SHOWN:])


def hearing(table: Table, user: str | None) -> tuple[frozenset[str], bool]:
    """What decides which lines `user` gets: who is muted, and whether the lines of the round in play are left out.

    Users for whom it is equal get the same chat.
    """
    muted = table.muted.get(user, frozenset()) if user is not None else frozenset()
    return muted, table.stage == ROUND and watches_behind(table, user)


def may_watch(table: Table, user: str | None) -> bool:
    """Whether somebody may see this table at all: who has sat here, others as it is set.

    Who was removed has won or lost units here, and may look at the deals as anybody who has left.
    """
    sat_here = user in table.names
    return table.settings.spectators != "none" or user == table.owner or sat_here or table.chair_of(user) is not None


def watches_behind(table: Table, user: str | None) -> bool:
    """Whether somebody sees the last round instead of the one in play."""
    return table.settings.spectators == "behind" and table.chair_of(user) is None


def _chair(table: Table, chair: Chair, behind: bool) -> ChairView:
    return ChairView(
        user=chair.user,
        name=chair.name,
        bot=chair.bot or None,
        away=chair.away,
        leaving=chair.leaving,
        units=table.units.get(chair.user, 0),
        bank=None if behind else chair.bank,
        ready=table.gathering is not None and (bool(chair.bot) or chair.user in table.gathering.ready),
    )


def _proposal(proposal: Proposal) -> ProposalView:
    return ProposalView(
        proposal=proposal.number,
        kind=proposal.kind,
        by=proposal.by,
        value=proposal.value,
        voters=proposal.voters,
        yes=tuple(sorted(proposal.yes)),
        no=tuple(sorted(proposal.no)),
    )


def settle_up(units: Mapping[str, int]) -> tuple[PaymentView, ...]:
    """Payments after which nobody owes anything: the greatest loser pays the greatest winner, again and again.

    Args:
        units: won or lost by each user; they sum to zero.

    Returns:
        At most one payment fewer than there are users.

    >>> settle_up({"ann": 5, "bob": -2, "cyd": -3})
    (PaymentView(payer='cyd', payee='ann', units=3), PaymentView(payer='bob', payee='ann', units=2))
    """
    left = {user: won for user, won in units.items() if won}
    payments = []
    while left:
        payer = min(left, key=lambda user: left[user])
        payee = max(left, key=lambda user: left[user])
        paid = min(-left[payer], left[payee])
        payments.append(PaymentView(payer=payer, payee=payee, units=paid))
        for user, change in ((payer, paid), (payee, -paid)):
            left[user] += change
            if not left[user]:
                del left[user]
    return tuple(payments)


def _deal(deal: Deal) -> DealView:
    """The promises behind a deal; its seed stays where it is."""
    return DealView(
        deal=deal.number,
        users=deal.users,
        commitment=deal.commitment,
        nonce_commitments=deal.nonce_commitments,
        nonces=deal.nonces,
        picks=deal.picks,
        root=deal.root,
    )


def promises(table: Table) -> tuple[tuple[DealView, tuple[str, ...]], ...]:
    """What was promised and opened of every deal so far, in order, with the names of those who were dealt to."""
    return tuple((_deal(deal), tuple(table.names.get(user, "somebody") for user in deal.users)) for deal in table.deals)


def _gathering(table: Table) -> GatheringView | None:
    """What is waited for before the next deal; nonces and picks stay covered until it is made."""
    gathering = table.gathering
    if gathering is None:
        return None
    choice = chosen_face_down(table) if not gathering.opening and everybody_ready(table) else None
    return GatheringView(
        deal=gathering.deal,
        commitment=gathering.commitment,
        users=table.users_of_next,
        opening=bool(gathering.opening),
        nonce_commitments=dict(gathering.nonce_commitments),
        named=gathering.named,
        choosing=None
        if choice is None
        else ChoosingView(what=choice.what, count=choice.count, free=free_picks(table), user=next_to_pick(table)),
    )


def round_of(table: Table, behind: bool) -> RoundView | None:
    """The round on the table as a spectator sees it, with who sits in which seat of it."""
    sitting = table.shown if behind else table.sitting
    if sitting is None:
        return None
    return table_rules(table.settings.game).public(sitting.session.view(None), sitting.users, sitting.names)
