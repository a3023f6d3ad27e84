"""`/metrics`: for Prometheus on this machine."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException

from liarspoker.server.metrics import LOCAL, is_local
from liarspoker.server.routes.accounts import Here

router = APIRouter(include_in_schema=False)

FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip")
"""What a proxy adds: then a request comes from elsewhere, whoever has brought it."""


@router.get("/metrics")
async def metrics(request: Request, service: Here) -> Response:
    """What this server counts, where the setting `metrics` lets this machine ask."""
    peer = request.client.host if request.client else ""
    forwarded = any(name in request.headers for name in FORWARDED)
    if service.config.metrics != LOCAL or forwarded or not is_local(peer):
        raise HTTPException(404)  # as where there is nothing
    return Response(await asyncio.to_thread(service.metrics.text), headers={"Content-Type": CONTENT_TYPE_LATEST})
