"""What the others must agree to: a stake, an action taken back, somebody's removal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.tables.refused import Refused
from liarspoker.tables.seating import get_up
from liarspoker.tables.settings import game_of
from liarspoker.tables.state import ROUND, Proposal, Table

if TYPE_CHECKING:
    from liarspoker.tables.decide import Draft

STAKE, UNDO, REMOVE = "stake", "undo", "remove"


def propose(draft: Draft, command: c.Propose) -> None:
    """Put something to those who have a say in it; where nobody has, it is agreed at once."""
    kind, value, table = command.kind, command.value, draft.table
    user = draft.chair.user
    if draft.chair.leaving:
        raise Refused("leaving", "you have left; what is agreed on is no longer yours to propose")
    if any(proposal.kind == kind for proposal in table.proposals):
        raise Refused("pending", f"there is a proposal already ({kind}); wait until it is answered")
    _CHECKS[kind](table, user, value)
    others = (chair.user for chair in table.people if chair.user not in (user, value))
    draft.emit(
        e.Proposed(table.asked, kind, user, value, tuple(other for other in others if _concerns(kind, table, other)))
    )


def _concerns(kind: str, table: Table, user: str) -> bool:
    """Whether it is about a hand that `user` plays; a removal concerns everybody."""
    if kind == UNDO:
        return table.sitting is not None and user in table.sitting.users
    return kind == REMOVE or user in table.users_of_next


def _check_stake(table: Table, user: str, value: Any) -> None:
    if type(value) is not int:
        raise Refused("bad-command", "value: a stake is a number of units")
    if user not in table.users_of_next:
        raise Refused("away", "you sit out; who plays the next hand proposes its stake")
    if game_of(table).row.has_winner:
        raise Refused("wrong-phase", "stake: a match is played for one unit from each player")


def _check_undo(table: Table, user: str, value: Any) -> None:
    sitting = table.sitting
    if value is not None:
        raise Refused("bad-command", "value: to take back your last action needs none")
    if table.stage != ROUND or sitting is None or sitting.before is None or not sitting.session.in_play:
        raise Refused("not-now", "there is nothing that can be taken back")
    if sitting.mover is None or sitting.users[sitting.mover] != user:
        raise Refused("not-your-turn", "only who acted last can ask to take it back")
    if sitting.before.undo_point() != sitting.session.undo_point():
        raise Refused("seen", "somebody has seen something new since; it cannot be taken back")


def _check_remove(table: Table, user: str, value: Any) -> None:
    chair = table.chair_of(value if type(value) is str else None)
    if chair is None or chair.bot or chair.user == user:
        raise Refused("no-such-player", "value: name another player who sits here; the owner sends bots away")
    if len(table.people) < 3:
        raise Refused("too-few", "it takes three at the table to remove somebody; you can leave")


_CHECKS = {STAKE: _check_stake, UNDO: _check_undo, REMOVE: _check_remove}


def answer(draft: Draft, command: c.AnswerProposal) -> None:
    """Agree to a proposal, or not; who has made it can take it back."""
    number, user = command.proposal, draft.asker.user
    proposal = next((one for one in draft.table.proposals if one.number == number), None)
    if proposal is None:
        raise Refused("no-such-proposal", f"proposal {number}: it is not on the table")
    if user == proposal.by and not command.yes:
        draft.emit(e.Settled(number, agreed=False))
        return
    if user not in proposal.voters or draft.chair.leaving:
        raise Refused("no-say", "you have no say in this proposal")
    draft.emit(e.Answered(number, user, command.yes))


def concluded(table: Table) -> tuple[Proposal, bool] | None:
    """A proposal that no answer can change any more, and whether it is agreed to; `None` where all are open."""
    for proposal in table.proposals:
        agreed = _agreed(table, proposal)
        if agreed is not None:
            return proposal, agreed
    return None


def conclude(draft: Draft, proposal: Proposal, agreed: bool) -> None:
    """Settle a proposal, and let happen what was agreed on."""
    if agreed and proposal.kind == UNDO:
        draft.emit(e.Undone(proposal.by, draft.asker.now))
    draft.emit(e.Settled(proposal.number, agreed))
    if agreed and proposal.kind == REMOVE:
        get_up(draft, str(proposal.value))


def _agreed(table: Table, proposal: Proposal) -> bool | None:
    """Whether a proposal is agreed to; `None` while that is open. Who has left has no say any more."""
    people = {chair.user for chair in table.people}
    voters, yes, no = people.intersection(proposal.voters), people & proposal.yes, people & proposal.no
    if proposal.kind == REMOVE:
        return _removal_agreed(len(people), 1 + len(yes), len(voters) - len(yes) - len(no))
    if no or (proposal.kind == UNDO and (table.stage != ROUND or table.turn != proposal.turn)):
        return False
    return True if yes >= voters else None


def _removal_agreed(people: int, yes: int, undecided: int) -> bool | None:
    """A removal takes more than half of all people at the table; whom it is about counts among them."""
    if 2 * yes > people:
        return True
    return None if 2 * (yes + undecided) > people else False
