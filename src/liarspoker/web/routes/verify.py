"""Routes to verify deals: their commitments, the revealed values, and what follows from them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from liarspoker.language import language
from liarspoker.server.config import check
from liarspoker.server.routes.accounts import ServiceDep
from liarspoker.server.service import address_of
from liarspoker.server.tables.actor import TableActor
from liarspoker.tables import view
from liarspoker.tables.fair import audit
from liarspoker.tables.fair.audit import Finding
from liarspoker.web.pages import page, user_of
from liarspoker.web.routes.table import TableId
from liarspoker.web.view_models.odds_fields import read_integer
from liarspoker.web.view_models.terms import own_title
from liarspoker.web.view_models.verify import DEALS_A_PAGE, ended_view_model, running_view_model

router = APIRouter()

_MOST_DEALS = 1_000_000

_checks: WeakKeyDictionary[TableActor, dict[str, asyncio.Task[Sequence[Finding]]]] = WeakKeyDictionary()
"""The audit of each closed table, by the language of its findings. It can take seconds, so requests share one."""


@router.get("/verify")
async def verify_document(request: Request) -> Response:
    """Show the page on which a browser verifies an audit document."""
    table = request.query_params.get("table", "")
    if is_table_id(table):
        return RedirectResponse(f"/t/{table}/verify", 303)
    return await page(request, "verify/bring.html")


def is_table_id(text: str) -> bool:
    """Whether `text` can be a table's id.

    >>> is_table_id("n3aR_-x"), is_table_id(""), is_table_id("../x")
    (True, False, False)
    """
    return text.isascii() and text.replace("-", "a").replace("_", "a").isalnum() and len(text) <= 100


@router.get("/t/{table}/verify")
async def verify(table: TableId, service: ServiceDep, request: Request) -> Response:
    """Show the deals of a table with their commitments, revealed values and results."""
    user = await user_of(request)
    actor = await service.table_for(table, None if user is None else user.user_id)
    asked = read_integer(request.query_params.get("deal", ""), 0, _MOST_DEALS)
    start = read_integer(request.query_params.get("from", ""), 0, _MOST_DEALS) or 0
    start = start if asked is None else asked // DEALS_A_PAGE * DEALS_A_PAGE
    if not actor.table.deals_revealed:
        model = running_view_model(view.public(actor.table), view.deal_commitments(actor.table), start)
        return await page(request, "verify/page.html", user=user, verify=model, asked=asked)
    check(service.records, address_of(request), "audits")
    document: dict[str, Any] = json.loads(await actor.audit_text())
    title = own_title(actor.table.settings.title, actor.table.settings.game)
    model = ended_view_model(document, await _findings(actor, document), title, start)
    model = replace(model, table=actor.table.id)
    return await page(request, "verify/page.html", user=user, verify=model, asked=asked)


async def _findings(actor: TableActor, document: dict[str, Any]) -> Sequence[Finding]:
    """Return the findings of a closed table's audit; concurrent requests in one language share an audit."""
    checks = _checks.setdefault(actor, {})
    checking = checks.get(language())
    if checking is None or checking.cancelled() or (checking.done() and checking.exception() is not None):
        checking = checks[language()] = asyncio.create_task(asyncio.to_thread(audit.check, document))
    return await asyncio.shield(checking)


@router.get("/t/{table}/verify/audit.json")
async def document(table: TableId, service: ServiceDep, request: Request) -> Response:
    """Download the audit document of a closed table, for the browser's check and for `liarspoker verify`."""
    user = await user_of(request)
    actor = await service.table_for(table, None if user is None else user.user_id)
    check(service.records, address_of(request), "audits")
    if not actor.table.deals_revealed:
        raise HTTPException(404)
    headers = {"Content-Disposition": f'attachment; filename="{table}-audit.json"', "Cache-Control": "no-store"}
    return Response(await actor.audit_text(), media_type="application/json", headers=headers)
