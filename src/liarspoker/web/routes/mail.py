"""Routes of e-mail: a user's address, and the links in e-mails, which work without a login."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from liarspoker.language import _, pgettext
from liarspoker.server.notices.mail import BadAddress, BadLink, Mail
from liarspoker.server.problems import Problem
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.service import Service
from liarspoker.web.pages import page
from liarspoker.web.routes.correspondence import PAGE, settings_page
from liarspoker.web.words import sentence

router = APIRouter()

Part = Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,100}$")]


def _mail(service: Service) -> Mail:
    if service.mail is None:
        raise Problem("not-found", _("this server sends no e-mail"))
    return service.mail


@router.post(f"{PAGE}/mail")
async def set_address(request: Request, service: ServiceDep, email: Annotated[str, Form()] = "") -> Response:
    """Store an address, and send it the link that confirms it."""
    mail, user = _mail(service), await service.session_user(request)
    service.check_commands(user.user_id)
    try:
        await mail.set_address(user.user_id, email)
    except (BadAddress, Problem) as error:
        status = 429 if error.code == "too-many" else 422
        return await settings_page(request, service, status, mail_error=sentence(str(error)), email=email)
    return RedirectResponse(f"{PAGE}#mail", 303)


@router.post(f"{PAGE}/mail/remove")
async def remove_address(request: Request, service: ServiceDep) -> Response:
    """Delete the address."""
    mail, user = _mail(service), await service.session_user(request)
    await mail.remove(user.user_id)
    return RedirectResponse(f"{PAGE}#mail", 303)


@router.get("/mail/confirm")
async def look_at_confirmation(
    request: Request, service: ServiceDep, user: Part = "", until: Part = "", sign: Part = ""
) -> Response:
    """Ask whether to confirm an address; programs that follow links in e-mails confirm nothing."""
    try:
        address = await _mail(service).check_link("confirm", user, sign, until)
    except BadLink as error:
        return await _shown(request, _("This link isn’t valid"), sentence(str(error)), status=404)
    text = _("{address} gets mail when it’s your turn.", address=address)
    return await _shown(request, _("Confirm your address"), text, _("Confirm"))


@router.post("/mail/confirm")
async def confirm(
    request: Request, service: ServiceDep, user: Part = "", until: Part = "", sign: Part = ""
) -> Response:
    """Confirm an address."""
    try:
        await _mail(service).confirm(user, sign, until)
    except BadLink as error:
        return await _shown(request, _("This link isn’t valid"), sentence(str(error)), status=404)
    text = _("You get mail when it’s your turn and you have no page open.")
    return await _shown(request, _("Address confirmed"), text)


@router.get("/mail/stop")
async def look_at_end(request: Request, service: ServiceDep, user: Part = "", sign: Part = "") -> Response:
    """Ask whether to end all mail to an address."""
    try:
        address = await _mail(service).check_link("stop", user, sign)
    except BadLink as error:
        return await _shown(request, _("No more mail"), sentence(str(error)), status=404)
    text = _("{address} gets mail when it’s your turn.", address=address)
    return await _shown(request, _("No more mail?"), text, pgettext("sending mail", "Stop"))


@router.post("/mail/stop")
async def stop(request: Request, service: ServiceDep, user: Part = "", sign: Part = "") -> Response:
    """End all mail to an address; mail programs send this with one click (RFC 8058)."""
    try:
        await _mail(service).stop(user, sign)
    except BadLink as error:
        return await _shown(request, _("No more mail"), sentence(str(error)), status=404)
    return await _shown(request, _("No more mail"), _("The address was deleted."))


async def _shown(request: Request, heading: str, text: str, button: str = "", status: int = 200) -> Response:
    return await page(request, "mail_link.html", status, user=None, heading=heading, text=text, button=button)
