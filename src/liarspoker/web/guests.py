"""Somebody who comes in through a page: whoever has no name here yet is made a guest when he needs one."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from fastapi import Request
from starlette.responses import Response

from liarspoker.server.accounts.credentials import Session, User
from liarspoker.server.routes.accounts import begun
from liarspoker.server.service import Service, address_of, check, service_of
from liarspoker.web.once import once_of
from liarspoker.web.pages import user_of


@dataclass(frozen=True, slots=True)
class Guest:
    """Who sends a form.

    Attributes:
        user: he.
        session: where he has just been made; its cookie goes with the response.
    """

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
