"""Routes of house rules: the page of a shared link, and saving and deleting rules."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from liarspoker.server.accounts.credentials import AccountError
from liarspoker.server.problems import status_of
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.service import Service
from liarspoker.tables.house_rules import read_code
from liarspoker.web.guests import with_session
from liarspoker.web.invitation import address_here
from liarspoker.web.pages import page, user_of
from liarspoker.web.routes.lobby import sender_of
from liarspoker.web.view_models.new_table import USE_RULES, new_table
from liarspoker.web.view_models.terms import pace_words
from liarspoker.web.words import sentence

router = APIRouter(prefix="/house-rules/{code}")

Text = Annotated[str, Form()]


@router.get("")
async def shared(code: str, request: Request, service: ServiceDep) -> Response:
    """Show the rules with a code."""
    return await _page(code, request, service)


@router.post("/save")
async def save(code: str, request: Request, service: ServiceDep, name: Text = "") -> Response:
    """Save the rules under a name; an unknown user becomes a guest."""
    rules = new_table({USE_RULES: code}).rules
    guest = await sender_of(request, "")
    service.check_commands(guest.user.user_id)
    try:
        await service.saved_rules.save(guest.user.user_id, name, rules)
    except AccountError as error:
        response = await _page(code, request, service, status_of(error.code), name, sentence(str(error)))
    else:
        response = RedirectResponse(f"/house-rules/{code}", 303)
    return with_session(guest, response, service)


@router.post("/delete")
async def delete(code: str, request: Request, service: ServiceDep, name: Text = "") -> Response:
    """Delete saved rules."""
    user = await service.user(request)
    service.check_commands(user.user_id)
    await service.saved_rules.delete(user.user_id, name)
    return RedirectResponse(f"/house-rules/{code}", 303)


async def _page(
    code: str, request: Request, service: Service, status: int = 200, name: str = "", error: str = ""
) -> Response:
    user = await user_of(request)
    asked, rules = new_table({USE_RULES: code}), read_code(code)
    saved = [] if user is None else await service.saved_rules.of(user.user_id)
    return await page(
        request,
        "house_rules.html",
        status,
        user=user,
        new=asked,
        pace=pace_words(rules.clock, rules.days),
        link=f"{address_here(request)}/house-rules/{asked.rules}",
        saved=[one.name for one in saved if one.rules == asked.rules],
        name=name,
        error=error,
    )
