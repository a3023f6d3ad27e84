"""Routes of a user's settings for correspondence play: vacations and e-mail."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from liarspoker.language import _
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.service import Service
from liarspoker.server.vacations import NoVacation
from liarspoker.web.pages import page, user_of
from liarspoker.web.words import sentence

router = APIRouter()

PAGE = "/correspondence"


@router.get(PAGE)
async def look(request: Request, service: ServiceDep) -> Response:
    """Show the settings."""
    return await settings_page(request, service)


@router.post(f"{PAGE}/vacation")
async def take_vacation(request: Request, service: ServiceDep, days: Annotated[str, Form()] = "") -> Response:
    """Begin a vacation now."""
    user = await service.user(request)
    service.check_commands(user.user_id)
    try:
        if not (days.isascii() and days.isdigit() and len(days) < 4):
            raise NoVacation(_("enter a number of days"))
        await service.vacations.take(user.user_id, int(days))
    except NoVacation as error:
        return await settings_page(request, service, 422, wrong=sentence(str(error)), days=days)
    return RedirectResponse(PAGE, 303)


@router.post(f"{PAGE}/vacation/end")
async def end_vacation(request: Request, service: ServiceDep) -> Response:
    """End the current vacation."""
    user = await service.user(request)
    service.check_commands(user.user_id)
    await service.vacations.end(user.user_id)
    return RedirectResponse(PAGE, 303)


async def settings_page(
    request: Request,
    service: Service,
    status: int = 200,
    *,
    wrong: str = "",
    days: str = "",
    mail_error: str = "",
    email: str = "",
) -> Response:
    """Render the settings.

    Args:
        request: the request.
        service: the server.
        status: HTTP status.
        wrong: what is wrong with the days of a vacation; empty for nothing.
        days: the days as filled in.
        mail_error: what is wrong with the e-mail address; empty for nothing.
        email: the address as filled in.
    """
    user = await user_of(request)
    mail = service.mail
    context: dict[str, Any] = {
        "vacation": None if user is None else await service.vacations.of(user.user_id),
        "mailbox": None if user is None or mail is None else await mail.mailbox(user.user_id),
        "mail_on": mail is not None,
        "wrong": wrong,
        "days": days,
        "mail_error": mail_error,
        "email": email,
    }
    return await page(request, "correspondence.html", status, user=user, **context)
