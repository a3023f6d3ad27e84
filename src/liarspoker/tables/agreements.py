"""Proposals that other players must agree to: a stake, an undo, or the removal of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from liarspoker.language import _
from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.tables.refused import Refused
from liarspoker.tables.seating import vacate
from liarspoker.tables.settings import game_of
from liarspoker.tables.state import ROUND, Proposal, Table

if TYPE_CHECKING:
    from liarspoker.tables.decide import Draft

STAKE, UNDO, REMOVE = "stake", "undo", "remove"


def propose(draft: Draft, command: c.Propose) -> None:
    """Make a proposal to the users it concerns. If it concerns nobody else, it is accepted immediately."""
    kind, value, table = command.kind, command.value, draft.table
    user = draft.chair.user
    if draft.chair.leaving:
        raise Refused("leaving", _("you have left this table, so you can't make proposals"))
    if table.event is not None and kind != UNDO:
        reason = _("all tables of an event play the same hands in the same seats for the same stake")
        raise Refused("not-in-event", reason)
    if any(proposal.kind == kind for proposal in table.proposals):
        raise Refused("pending", _("there is already an open proposal ({kind}); wait until it is settled", kind=kind))
    _CHECKS[kind](table, user, value)
    others = (chair.user for chair in table.people if chair.user not in (user, value))
    draft.emit(
        e.Proposed(
            table.proposal_count, kind, user, value, tuple(other for other in others if _concerns(kind, table, other))
        )
    )


def _concerns(kind: str, table: Table, user: str) -> bool:
    """Whether `user` may vote: on an undo or stake only if they play in that hand, on a removal always."""
    if kind == UNDO:
        return table.sitting is not None and user in table.sitting.users
    return kind == REMOVE or user in table.users_of_next


def _check_stake(table: Table, user: str, value: Any) -> None:
    if type(value) is not int:
        raise Refused("bad-command", _("value: the stake must be an integer number of units"))
    if user not in table.users_of_next:
        raise Refused("away", _("you are sitting out; only players of the next hand can propose its stake"))
    if game_of(table).preset.has_winner:
        raise Refused(
            "wrong-phase", _("stake: can't be changed; a match is always played for one unit from each player")
        )


def _check_undo(table: Table, user: str, value: Any) -> None:
    sitting = table.sitting
    if value is not None:
        raise Refused("bad-command", _("value: leave it out when you propose an undo"))
    if table.stage != ROUND or sitting is None or sitting.before is None or not sitting.session.in_play:
        raise Refused("not-now", _("no action can be taken back"))
    if sitting.mover is None or sitting.users[sitting.mover] != user:
        raise Refused("not-your-turn", _("only the player who acted last can take that action back"))
    if sitting.before.undo_point() != sitting.session.undo_point():
        raise Refused("seen", _("your action can't be taken back, because a player has seen new information since"))


def _check_remove(table: Table, user: str, value: Any) -> None:
    chair = table.chair_of(value if type(value) is str else None)
    if chair is None or chair.bot or chair.user == user:
        raise Refused(
            "no-such-player", _("value: must be another player at this table; only the owner can remove a bot")
        )
    if len(table.people) < 3:
        raise Refused("too-few", _("removing a player takes at least three people at the table; you can leave instead"))


_CHECKS = {STAKE: _check_stake, UNDO: _check_undo, REMOVE: _check_remove}


def answer(draft: Draft, command: c.AnswerProposal) -> None:
    """Vote on a proposal, or withdraw one's own."""
    number, user = command.proposal, draft.context.user
    proposal = next((one for one in draft.table.proposals if one.number == number), None)
    if proposal is None:
        raise Refused("no-such-proposal", _("proposal {number}: no such open proposal", number=number))
    if user == proposal.by and not command.yes:
        draft.emit(e.Settled(number, agreed=False))
        return
    if user not in proposal.voters or draft.chair.leaving:
        raise Refused("no-say", _("you can't vote on this proposal"))
    draft.emit(e.Answered(number, user, command.yes))


def concluded(table: Table) -> tuple[Proposal, bool] | None:
    """Return a proposal that further votes can't change and whether it is accepted; `None` if all are open."""
    for proposal in table.proposals:
        agreed = _agreed(table, proposal)
        if agreed is not None:
            return proposal, agreed
    return None


def conclude(draft: Draft, proposal: Proposal, agreed: bool) -> None:
    """Settle a proposal and carry it out if it was accepted."""
    if agreed and proposal.kind == UNDO:
        draft.emit(e.Undone(proposal.by, draft.context.now))
    draft.emit(e.Settled(proposal.number, agreed))
    if agreed and proposal.kind == REMOVE:
        vacate(draft, str(proposal.value))


def _agreed(table: Table, proposal: Proposal) -> bool | None:
    """Whether a proposal is accepted; `None` while the vote is open. Votes of users who have left don't count."""
    people = {chair.user for chair in table.people}
    voters, yes, no = people.intersection(proposal.voters), people & proposal.yes, people & proposal.no
    if proposal.kind == REMOVE:
        return _removal_agreed(len(people), 1 + len(yes), len(voters) - len(yes) - len(no))
    if no or (proposal.kind == UNDO and (table.stage != ROUND or table.turn != proposal.turn)):
        return False
    return True if yes >= voters else None


def _removal_agreed(people: int, yes: int, undecided: int) -> bool | None:
    """Whether a removal is accepted: it takes more than half of all people at the table, including its target."""
    if 2 * yes > people:
        return True
    return None if 2 * (yes + undecided) > people else False
