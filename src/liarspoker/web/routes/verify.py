"""Checking the deals: what was promised, what was opened, what follows from it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from liarspoker.server.config import check
from liarspoker.server.routes.accounts import Here
from liarspoker.server.service import address_of
from liarspoker.server.tables.actor import TableActor
from liarspoker.tables import view
from liarspoker.tables.fair import audit
from liarspoker.tables.fair.audit import Finding
from liarspoker.tables.state import ENDED
from liarspoker.web.pages import page, user_of
from liarspoker.web.routes.table import TableId
from liarspoker.web.view_models.odds_fields import whole
from liarspoker.web.view_models.verify import DEALS_A_PAGE, ended_scene, running_scene

router = APIRouter()

_MOST_DEALS = 1_000_000

_checks: WeakKeyDictionary[TableActor, asyncio.Task[Sequence[Finding]]] = WeakKeyDictionary()
"""What is found wrong with tables that have ended: checking a long one takes a while, and is done once for all."""


@router.get("/verify")
async def bring(request: Request) -> Response:
    """A place to bring an audit document, which the browser checks by itself."""
    table = request.query_params.get("table", "")
    if is_table_id(table):
        return RedirectResponse(f"/t/{table}/verify", 303)
    return await page(request, "verify/bring.html")


def is_table_id(text: str) -> bool:
    """Whether `text` may be a table's id.

    >>> is_table_id("n3aR_-x"), is_table_id(""), is_table_id("../x")
    (True, False, False)
    """
    return text.isascii() and text.replace("-", "a").replace("_", "a").isalnum() and len(text) <= 100


@router.get("/t/{table}/verify")
async def verify(table: TableId, service: Here, request: Request) -> Response:
    """The deals of a table, each with what was promised, opened and derived."""
    user = await user_of(request)
    actor = await service.table_for(table, None if user is None else user.user_id)
    asked = whole(request.query_params.get("deal", ""), 0, _MOST_DEALS)
    start = whole(request.query_params.get("from", ""), 0, _MOST_DEALS) or 0
    start = start if asked is None else asked // DEALS_A_PAGE * DEALS_A_PAGE
    if actor.table.stage != ENDED:
        scene = running_scene(view.public(actor.table), view.promises(actor.table), start)
        return await page(request, "verify/page.html", user=user, verify=scene, asked=asked)
    check(service.records, address_of(request), "audits")
    document: dict[str, Any] = json.loads(await actor.audit_text())
    scene = ended_scene(document, await _findings(actor, document), actor.table.settings.title, start)
    return await page(request, "verify/page.html", user=user, verify=scene, asked=asked)


async def _findings(actor: TableActor, document: dict[str, Any]) -> Sequence[Finding]:
    """What is wrong with a table that has ended; whoever asks while it is being checked waits for the same check."""
    checking = _checks.get(actor)
    if checking is None or checking.cancelled() or (checking.done() and checking.exception() is not None):
        checking = _checks[actor] = asyncio.create_task(asyncio.to_thread(audit.check, document))
    return await asyncio.shield(checking)


@router.get("/t/{table}/verify/audit.json")
async def document(table: TableId, service: Here, request: Request) -> Response:
    """The audit document of a table that has ended, for the browser's own check and for `liarspoker verify`."""
    user = await user_of(request)
    actor = await service.table_for(table, None if user is None else user.user_id)
    check(service.records, address_of(request), "audits")
    if actor.table.stage != ENDED:
        raise HTTPException(404, "the seeds are opened when the table has ended")
    headers = {"Content-Disposition": f'attachment; filename="{table}-audit.json"', "Cache-Control": "no-store"}
    return Response(await actor.audit_text(), media_type="application/json", headers=headers)
