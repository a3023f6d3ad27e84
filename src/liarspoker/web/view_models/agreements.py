"""Proposals on the table: a stake, an undo, a removal."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.protocol.views import PrivateView, ProposalView, PublicView


@dataclass(frozen=True, slots=True)
class Vote:
    """A proposal.

    Attributes:
        number: of the proposal.
        words: what is proposed, by whom.
        mine: who looks has made it.
        wanted: his vote is waited for.
        tally: how many have agreed, in words.
    """

    number: int
    words: str
    mine: bool
    wanted: bool
    tally: str


def votes_of(public: PublicView, you: PrivateView | None) -> tuple[Vote, ...]:
    """The proposals on the table."""
    names = {entry.user: entry.name for entry in public.units}
    names |= {chair.user: chair.name for chair in public.chairs if chair is not None}
    me = None if you is None else you.user
    wanted = () if you is None else you.votes
    return tuple(
        Vote(
            number=one.proposal,
            words=_words(one, names, me),
            mine=one.by == me,
            wanted=one.proposal in wanted,
            tally=f"{len(one.yes)} of {len(one.voters)} agree",
        )
        for one in public.proposals
    )


def _words(one: ProposalView, names: dict[str, str], me: str | None) -> str:
    who = "You" if one.by == me else names.get(one.by, "Somebody")
    verb = "propose" if who == "You" else "proposes"
    if one.kind == "stake":
        return f"{who} {verb} a stake of {one.value} for the next hand"
    if one.kind == "undo":
        return f"{who} would like to take {'your' if who == 'You' else 'the'} last action back"
    whom = "you" if one.value == me else names.get(str(one.value), "somebody")
    return f"{who} {verb} to remove {whom} from the table"
