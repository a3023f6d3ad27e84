"""Guests, created when an unknown user needs a name, and forms that create something only once."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import Request
from starlette.requests import HTTPConnection
from starlette.responses import Response

from liarspoker.language import _
from liarspoker.server.accounts.credentials import Session, User
from liarspoker.server.config import check
from liarspoker.server.routes.accounts import session_response
from liarspoker.server.service import Service, address_of, service_of
from liarspoker.web.pages import user_of

_REMEMBERED = 2_000
"""The number of recent forms whose results are remembered."""

Made = TypeVar("Made")


class Once:
    """Results of forms that create something, such as a guest or a table, by form."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[Hashable, asyncio.Task[Any]] = OrderedDict()

    async def of(self, form: Hashable, make: Callable[[], Awaitable[Made]]) -> Made:
        """Return the result of `make()` for a form; repeated and concurrent calls share one result.

        Failures are forgotten, so that the form can be sent again. Cancelling one caller doesn't cancel `make()`.
        """
        task: asyncio.Task[Made] | None = self._tasks.get(form)
        if task is None:
            task = self._tasks[form] = asyncio.create_task(_made(make))
            task.add_done_callback(lambda done: self._forget_failed(form, done))
            if len(self._tasks) > _REMEMBERED:
                self._tasks.popitem(last=False)
        return await asyncio.shield(task)

    def _forget_failed(self, form: Hashable, done: asyncio.Task[Any]) -> None:
        if (done.cancelled() or done.exception() is not None) and self._tasks.get(form) is done:
            del self._tasks[form]


async def _made(make: Callable[[], Awaitable[Made]]) -> Made:
    return await make()


def once_of(connection: HTTPConnection) -> Once:
    """Return the `Once` of the application behind a request."""
    once: Once = connection.app.state.once
    return once


@dataclass(frozen=True, slots=True)
class Guest:
    """The user who sent a form; `session` if they were just created, since the response must set its cookie."""

    user: User
    session: Session | None = None


async def guest_here(request: Request, name: str, make: bool = True, form_id: str = "") -> Guest | None:
    """Return the user who sent `request`, or a new guest if they are unknown.

    Args:
        request: a request from a page.
        name: the user's name. A known user with another name is renamed; an unnamed guest gets “Guest” and a number.
        make: create a guest for an unknown user; otherwise return `None`.
        form_id: unguessable id of the form; a form that is sent twice creates one guest.

    Raises:
        LiarsPokerError: the name isn't valid, or too many guests were created from this address.
    """
    service = service_of(request)
    user, name = await user_of(request), name.strip()
    if user is not None:
        if name and name != user.name:
            user = await service.accounts.rename(user.user_id, name)
        return Guest(user)
    if not make:
        return None

    async def new() -> Session:
        check(service.guests, address_of(request), "new guests")
        return await service.accounts.create_guest(name or _("Guest {number}", number=secrets.randbelow(900) + 100))

    session = await (once_of(request).of(("guest", form_id, name), new) if form_id else new())
    return Guest(session.user, session)


def with_session(guest: Guest, response: Response, service: Service) -> Response:
    """Return `response`, with the session cookie if the guest is new."""
    if guest.session is not None:
        session_response(service, response, guest.session)
    return response
