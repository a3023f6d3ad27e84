"""People who come in through a page: a guest is made when one needs a name, and a form that comes twice acts once."""

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

from liarspoker.server.accounts.credentials import Session, User
from liarspoker.server.config import check
from liarspoker.server.routes.accounts import begun
from liarspoker.server.service import Service, address_of, service_of
from liarspoker.web.pages import user_of

_REMEMBERED = 2_000
"""So many forms are remembered, the last ones."""

Made = TypeVar("Made")


class Once:
    """What forms came to that make something new, such as a guest or a table."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[Hashable, asyncio.Task[Any]] = OrderedDict()

    async def of(self, form: Hashable, make: Callable[[], Awaitable[Made]]) -> Made:
        """What `make` makes for a form; the same again where the form has come before, or comes at the same time.

        What fails is forgotten, so that the form may be sent again. Who goes away meanwhile ends nothing but his wait.
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
    """The forms that have come to the application behind a request."""
    once: Once = connection.app.state.once
    return once


@dataclass(frozen=True, slots=True)
class Guest:
    """Who sends a form; `session` if they have just been made, since its cookie goes with the response."""

    user: User
    session: Session | None = None


async def guest_here(request: Request, name: str, make: bool = True, form_id: str = "") -> Guest | None:
    """Who sends `request`; a new guest called `name`, or “Guest” and a number, where that is nobody yet.

    Args:
        request: from a page.
        name: what he wants to be called; where he is known already under another one, he is renamed.
        make: make a guest of nobody; else the answer is `None`.
        form_id: of the form, which nobody else can know; if it comes twice, the second time it is the same guest.

    Raises:
        LiarsPokerError: the name is none, or too many guests have come from there.
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
        return await service.accounts.guest(name or f"Guest {secrets.randbelow(900) + 100}")

    session = await (once_of(request).of(("guest", form_id, name), new) if form_id else new())
    return Guest(session.user, session)


def let_in(guest: Guest, response: Response, service: Service) -> Response:
    """`response`, which lets the browser remember a guest who is new."""
    if guest.session is not None:
        begun(service, response, guest.session)
    return response
