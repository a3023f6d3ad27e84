"""Friends, blocks, recent players and invitations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, cast

from fastapi import APIRouter, Path
from msgspec import structs

from liarspoker.protocol.http import (
    FriendsResponse,
    InvitationRequest,
    InvitationsResponse,
    PersonResponse,
    RelationResponse,
    SentInvitation,
)
from liarspoker.server.accounts.people import Person
from liarspoker.server.config import check
from liarspoker.server.people_news import invitation_line
from liarspoker.server.routes.accounts import ServiceDep, SessionUserDep, UserDep
from liarspoker.server.routes.messages import RequestBody, ResponseBody
from liarspoker.server.routes.tables import TableId

router = APIRouter(prefix="/api", tags=["people"])

MOST_RECENT = 20
"""The number of recent players that are listed."""

UserId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$", description="Id of the other user.")]


@router.get("/friends")
async def friends(user: UserDep, service: ServiceDep) -> ResponseBody[FriendsResponse]:
    """List your friends, friend requests and blocks."""
    circle = await service.people.circle(user.user_id)
    return FriendsResponse(
        friends=tuple(
            PersonResponse(user=one.user_id, name=one.name, since=one.since, online=service.online.has(one.user_id))
            for one in circle.friends
        ),
        received=_people(circle.received),
        sent=_people(circle.sent),
        blocked=_people(circle.blocked),
    )


@router.put("/friends/{user}")
async def befriend(user: UserId, me: SessionUserDep, service: ServiceDep) -> ResponseBody[RelationResponse]:
    """Ask a user to be friends, or accept their request. A request expires after 30 days."""
    check(service.relations, me.user_id, "friend requests")
    made = await service.people.befriend(me.user_id, user)
    return RelationResponse(relation=cast(Literal["friend", "request"], made))


@router.delete("/friends/{user}", status_code=204)
async def part(user: UserId, me: SessionUserDep, service: ServiceDep) -> None:
    """End a friendship, decline a request, or withdraw one."""
    await service.people.part(me.user_id, user)


@router.put("/blocks/{user}", status_code=204)
async def block(user: UserId, me: SessionUserDep, service: ServiceDep) -> None:
    """Block a user: they can't invite you, and you don't see their requests and chat messages."""
    check(service.relations, me.user_id, "blocks")
    await service.people.block(me.user_id, user)


@router.delete("/blocks/{user}", status_code=204)
async def unblock(user: UserId, me: SessionUserDep, service: ServiceDep) -> None:
    """Stop blocking a user."""
    await service.people.unblock(me.user_id, user)


@router.get("/people")
async def recent(user: UserDep, service: ServiceDep) -> list[ResponseBody[PersonResponse]]:
    """List the 20 people with whom you have played last, without friends and blocked users."""
    return list(_people(await service.people.recent(user.user_id, MOST_RECENT)))


@router.get("/invitations")
async def invitations(user: UserDep, service: ServiceDep) -> ResponseBody[InvitationsResponse]:
    """List your open invitations. To accept one, join its table."""
    inbox = await service.people.inbox(user.user_id)
    return InvitationsResponse(
        received=tuple(map(invitation_line, inbox.received)),
        sent=tuple(SentInvitation(**structs.asdict(invitation_line(one)), declined=one.declined) for one in inbox.sent),
    )


@router.post("/invitations", status_code=204)
async def invite(body: RequestBody[InvitationRequest], user: UserDep, service: ServiceDep) -> None:
    """Invite a friend to a table at which you sit. An invitation expires after a day."""
    await service.invite(user, body.table, body.user)


@router.delete("/invitations/{table}", status_code=204)
async def decline(table: TableId, user: UserDep, service: ServiceDep) -> None:
    """Decline an invitation."""
    await service.people.decline(user.user_id, table)


@router.delete("/invitations/{table}/{user}", status_code=204)
async def withdraw(table: TableId, user: UserId, me: UserDep, service: ServiceDep) -> None:
    """Withdraw an invitation that you have sent."""
    await service.people.withdraw(me.user_id, user, table)


def _people(found: Iterable[Person]) -> tuple[PersonResponse, ...]:
    return tuple(PersonResponse(user=one.user_id, name=one.name, since=one.since) for one in found)
