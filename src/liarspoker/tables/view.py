"""Views of a table: the only path from a state to a socket, page, log line or error message.

A view has three parts, each an explicit list of fields: the public view, the private view of one user, and the chat.
The game's part comes from `session.view`, which has no field for another seat's hand.
"""

from __future__ import annotations

from collections.abc import Callable
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
    PrivateView,
    ProposalView,
    PublicView,
    RoundView,
    ShownHandView,
    Stage,
    TurnView,
    UnitsView,
    WantedView,
)
from liarspoker.tables.agreements import UNDO
from liarspoker.tables.highlights import highlights_view
from liarspoker.tables.rounds import (
    everybody_ready,
    expects_ready,
    face_down_choice,
    free_picks,
    may_show,
    naming_user,
    next_to_pick,
)
from liarspoker.tables.settings import table_rules
from liarspoker.tables.settle_up import settle_up
from liarspoker.tables.state import ENDED, READY_PHASE, ROUND, Chair, Deal, Proposal, Table, next_deadline

CHAT_SHOWN = 50
"""Maximum number of chat messages in a view."""


def public(table: Table, behind: bool = False) -> PublicView:
    """Return the public view.

    Args:
        table: the state.
        behind: for spectators who watch one round behind; the view then reveals nothing about the current round.
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
        hands=_shown_hands(table, behind),
        **asdict(turn_view(table, behind)),
        settle_up=settle_up(table.units) if table.stage == ENDED else None,
        end_reason=table.end_reason or UNSET,
        locked=table.locked,
        reserved=table.reserved,
        rematch=table.rematch,
        highlights=highlights_view(table),
        event=UNSET if table.event is None else table.event.id,
    )


def turn_view(table: Table, behind: bool = False) -> TurnView:
    """Return the part of the public view that an action can change."""
    return TurnView(
        version=table.version,
        turn=None if behind else table.turn,
        rounds_played=table.rounds_played,
        paused=table.paused is not None,
        deadline=None if behind else next_deadline(table),
        to_act=None if behind else table.to_act,
        round=round_of(table, behind),
    )


def same_except_turn(before: Table, after: Table) -> bool:
    """Whether the public views differ only in their `turn_view`. May return `False` for equal views."""
    return (
        after.stage == before.stage == ROUND
        and after.chairs is before.chairs
        and after.units is before.units
        and after.deals is before.deals
        and after.proposals is before.proposals
        and after.owner == before.owner
        and after.chat == before.chat
        and after.locked == before.locked
        and after.reserved is before.reserved
        and after.stake == before.stake
    )


def private(table: Table, user: str) -> PrivateView:
    """Return the private view of `user`: their table seat, hand and legal actions."""
    number = table.chair_number(user)
    sitting = table.sitting
    seat = None if sitting is None else sitting.seat_of(user)
    hand: HandView | None = None
    if sitting is not None and seat is not None and table.stage in (ROUND, READY_PHASE):
        hand = table_rules(table.settings.game).private(sitting.session.view(seat))
    return PrivateView(
        user=user,
        chair=number,
        owner=table.owner == user,
        votes=tuple(
            proposal.number
            for proposal in table.proposals
            if user in proposal.voters and user not in proposal.yes | proposal.no and _can_vote(table, user)
        ),
        muted=tuple(sorted(table.muted.get(user, ()))),
        seat=seat,
        hand=hand,
        gathering=None if number is None else _wanted(table, user),
        removed=tuple(sorted(table.removed)) if table.owner == user else (),
        show=may_show(table, user),
    )


def _wanted(table: Table, user: str) -> WantedView | None:
    ready_phase = table.ready_phase
    if ready_phase is None:
        return None
    return WantedView(
        ready=user in ready_phase.ready,
        wanted=expects_ready(table, user),
        open_nonce=bool(ready_phase.opening)
        and user in ready_phase.nonce_commitments
        and user not in ready_phase.nonces,
        name=naming_user(table) == user,
        pick=everybody_ready(table) and next_to_pick(table) == user,
    )


def _can_vote(table: Table, user: str) -> bool:
    chair = table.chair_of(user)
    return chair is not None and not chair.leaving


def private_view_keys(table: Table) -> Callable[[str], object]:
    """Return a function that gives the cache key of a user's private view.

    While a user's key stays equal, so does their private view. The key `None` means that the view can't be cached.
    """
    sitting = table.sitting
    if sitting is None or table.stage not in (ROUND, READY_PHASE):
        return lambda user: None
    session, to_act, in_round = sitting.session, table.to_act, table.stage == ROUND
    users_by_chair = tuple(None if chair is None else chair.user for chair in table.chairs)
    known = session.undo_point() if in_round else sitting
    common = (in_round, len(table.deals), known, table.owner, table.removed, table.proposals, users_by_chair)
    anyone_challenges = in_round and session.anyone_challenges

    def key(user: str) -> object:
        if in_round and user == to_act:
            return None
        now: object = None if in_round else _wanted(table, user)
        if anyone_challenges and (seat := sitting.seat_of(user)) is not None:
            now = session.out_of_turn_challenge(seat)
        return common, now, table.proposals and _can_vote(table, user), table.muted.get(user)

    return key


def chat(table: Table, user: str | None, hidden: frozenset[str] = frozenset()) -> tuple[ChatLine, ...]:
    """Return the latest chat messages, without those of users whom `user` has muted and of the users in `hidden`.

    Spectators who watch one round behind don't get messages sent during the current round.
    """
    muted, behind = chat_filter(table, user, hidden)
    lines = [line for line in table.lines if line.user not in muted]
    if behind:
        lines = [line for line in lines if line.at < table.deals[-1].at]
    return tuple(lines[-CHAT_SHOWN:])


def chat_filter(table: Table, user: str | None, hidden: frozenset[str]) -> tuple[frozenset[str], bool]:
    """Return the users whose messages are hidden from `user`, and whether those of the current round are.

    Users with equal filters get the same chat.
    """
    muted = table.muted.get(user, frozenset()) if user is not None else frozenset()
    return muted | hidden & table.names.keys(), table.stage == ROUND and watches_behind(table, user)


FORMER_PLAYER_CODES = frozenset({"removed", "leaving"})
"""The codes of refusals that only players and former players of a table get, even if they may not watch it."""


def may_watch(table: Table, user: str | None) -> bool:
    """Whether `user` may see this table: everyone who has played here may, others if the settings allow spectators.

    Removed players may not see an open private table; once it has ended, they may, since they have won or lost units
    here and can verify the deals. Everyone may see an event's tables when all of them have ended.
    """
    if user in table.removed and table.settings.visibility == "private" and table.stage != ENDED:
        return False
    is_player = user in table.names or table.reserved_chair(user) is not None
    return table.settings.spectators != "none" or table.proof is not None or user == table.owner or is_player


def watches_behind(table: Table, user: str | None) -> bool:
    """Whether `user` sees the previous round instead of the current one."""
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
        stand_in=chair.stand_in or None,
        vacation=chair.vacation or None,
        ready=table.ready_phase is not None and (bool(chair.played_by) or chair.user in table.ready_phase.ready),
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


def _deal(deal: Deal) -> DealView:
    """Return the commitments behind a deal, without its seed."""
    return DealView(
        deal=deal.number,
        users=deal.users,
        commitment=deal.commitment,
        nonce_commitments=deal.nonce_commitments,
        nonces=deal.nonces,
        picks=deal.picks,
        root=deal.root,
    )


def deal_commitments(table: Table) -> tuple[tuple[DealView, tuple[str, ...]], ...]:
    """Return the commitments and opened nonces of every deal so far, in order, with the names of its players."""
    return tuple((_deal(deal), tuple(table.names.get(user, "somebody") for user in deal.users)) for deal in table.deals)


def _shown_hands(table: Table, behind: bool) -> tuple[ShownHandView, ...]:
    """Return the hands of the round that just ended that their players showed."""
    sitting = table.delayed_sitting if behind else table.sitting
    if sitting is None or sitting.session.in_play:
        return ()
    last, hidden_hand = sitting.session.rounds_played - 1, table_rules(table.settings.game).hidden_hand
    shown = [(seat, hidden_hand(sitting.session, seat)) for number, seat in sorted(sitting.shown) if number == last]
    return tuple(ShownHandView(seat=seat, hand=hand) for seat, hand in shown if hand)


def _gathering(table: Table) -> GatheringView | None:
    """Return the view of the ready phase. Nonces and picks stay hidden until the deal."""
    ready_phase = table.ready_phase
    if ready_phase is None:
        return None
    choice = face_down_choice(table) if not ready_phase.opening and everybody_ready(table) else None
    return GatheringView(
        deal=ready_phase.deal,
        commitment=ready_phase.commitment,
        users=table.users_of_next,
        opening=bool(ready_phase.opening),
        nonce_commitments=dict(ready_phase.nonce_commitments),
        named=ready_phase.named,
        choosing=None
        if choice is None
        else ChoosingView(what=choice.what, count=choice.count, free=free_picks(table), user=next_to_pick(table)),
    )


def round_of(table: Table, behind: bool) -> RoundView | None:
    """Return the public view of the current round, or of the previous one if `behind`; `None` before the first."""
    sitting = table.delayed_sitting if behind else table.sitting
    if sitting is None:
        return None
    return table_rules(table.settings.game).public(sitting.session.view(None), sitting.users, sitting.names)
