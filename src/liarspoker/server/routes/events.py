"""Duplicate events: creating, joining, leaving and starting them, and their results."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request
from msgspec import to_builtins

from liarspoker.language import _
from liarspoker.protocol.http import (
    ComparisonResponse,
    EventRequest,
    EventResponse,
    EventResultResponse,
    EventSeatResponse,
    EventTableResponse,
    JoinEventRequest,
    StandingResponse,
)
from liarspoker.server.config import check
from liarspoker.server.duplicates.model import Event
from liarspoker.server.duplicates.planning import seats_of
from liarspoker.server.duplicates.play import EVENT_FORM
from liarspoker.server.problems import Problem
from liarspoker.server.routes.accounts import IdentityDep, ServiceDep, UserDep
from liarspoker.server.routes.messages import RequestBody, ResponseBody
from liarspoker.server.service import Service, address_of
from liarspoker.tables.duplicate import TableScore, comparisons, ranking

router = APIRouter(prefix="/api/events", tags=["events"])

EventId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$", description="Id of the event, from its link.")]


@router.get("")
async def events(user: UserDep, service: ServiceDep) -> list[ResponseBody[EventResponse]]:
    """List the events that you have created or joined, newest first."""
    return [response_of(event, user.user_id) for event in await service.duplicates.of(user.user_id)]


@router.post("", status_code=201)
async def make_event(
    body: RequestBody[EventRequest], user: UserDep, service: ServiceDep
) -> ResponseBody[EventResponse]:
    """Create an event. Its id is the invitation: anyone who has it can join."""
    service.check_commands(user.user_id)
    check(service.tables, user.user_id, "tables")
    event = await service.duplicates.create(user, body.name, body.settings, body.hands, body.bots)
    return response_of(event, user.user_id)


@router.get("/{event}")
async def look(event: EventId, service: ServiceDep, known: IdentityDep) -> ResponseBody[EventResponse]:
    """Get an event."""
    user = None if known is None else known.user.user_id
    return response_of(await service.duplicates.settle(event), user)


@router.post("/{event}/join")
async def join(
    event: EventId, body: RequestBody[JoinEventRequest], user: UserDep, service: ServiceDep
) -> ResponseBody[EventResponse]:
    """Join an event that hasn't started."""
    service.check_commands(user.user_id)
    current = await service.accounts.user(user.user_id)  # with the current name
    return response_of(await service.duplicates.join(event, current, body.words), user.user_id)


@router.post("/{event}/leave")
async def leave(event: EventId, user: UserDep, service: ServiceDep) -> ResponseBody[EventResponse]:
    """Leave an event that hasn't started."""
    service.check_commands(user.user_id)
    return response_of(await service.duplicates.leave(event, user.user_id), user.user_id)


@router.post("/{event}/start")
async def start(event: EventId, user: UserDep, service: ServiceDep) -> ResponseBody[EventResponse]:
    """Start an event that you have created: allot the players to tables. Starting it again changes nothing."""
    service.check_commands(user.user_id)
    service.check_form(EVENT_FORM)
    return response_of(await service.duplicates.start(event, user.user_id), user.user_id)


@router.get("/{event}/result")
async def result(event: EventId, service: ServiceDep, request: Request) -> ResponseBody[EventResultResponse]:
    """Get the result of an event, once all its tables have ended."""
    return await result_for(event, service, request)


async def result_for(event_id: str, service: Service, request: Request) -> EventResultResponse:
    """Return the result of an event.

    Raises:
        Problem: `not-ended` or `too-many`.
        EventError: `no-such-event`.
    """
    check(service.records, address_of(request), "results")
    event = await service.duplicates.settle(event_id)
    if event.finished_at is None:
        raise Problem("not-ended", _("the result is published when all tables of the event have ended"))
    return result_of(event)


def response_of(event: Event, user: str | None) -> EventResponse:
    """Return an event as `user` sees it. It contains no score, because others may still play the same hands."""
    return EventResponse(
        event=event.id,
        name=event.name,
        owner=event.owner,
        status=event.status,
        settings=to_builtins(event.settings),
        hands=event.hands,
        bots=event.body.bots,
        commitment=event.body.commitment,
        players=tuple(EventSeatResponse(user=one, name=name, bot=None) for one, name in event.names.items()),
        table=event.table_of(user),
    )


def result_of(event: Event) -> EventResultResponse:
    """Return the result of an event that is over."""
    assert event.plan is not None
    planned = event.plan.tables
    seats = [tuple(seats_of(event, one.users)) for one in planned]
    compared = comparisons([event.scores.get(one.table, TableScore(())) for one in planned])
    places = {
        one.user: (table, seat) for table, taken in enumerate(seats) for seat, one in enumerate(taken) if not one.bot
    }
    return EventResultResponse(
        event=event.id,
        name=event.name,
        game=event.settings.game,
        ranking=tuple(
            StandingResponse(
                rank=one.rank,
                user=one.user,
                name=seats[places[one.user][0]][places[one.user][1]].name,
                points=float(one.points),
                hands=one.hands,
            )
            for one in ranking(compared, places)
        ),
        tables=tuple(
            EventTableResponse(
                table=one.table,
                seats=tuple(
                    EventSeatResponse(user=None if seat.bot else seat.user, name=seat.name, bot=seat.bot or None)
                    for seat in taken
                ),
            )
            for one, taken in zip(planned, seats, strict=True)
        ),
        comparisons=tuple(
            ComparisonResponse(
                hand=one.hand + 1,
                table=one.table,
                seat=one.seat,
                round=one.round,
                units=one.units,
                points=float(one.points),
                counts=one.counts,
            )
            for one in sorted(compared, key=lambda one: (one.hand, one.table, one.seat))
        ),
    )
