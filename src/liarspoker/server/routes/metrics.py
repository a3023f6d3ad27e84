"""`/metrics`, for Prometheus on the same machine."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException

from liarspoker.server.metrics import LOCAL, is_local
from liarspoker.server.routes.accounts import ServiceDep

router = APIRouter(include_in_schema=False)

FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip")
"""Headers added by proxies. A request with one of them comes from another machine, even if its peer is local."""


@router.get("/metrics")
async def metrics(request: Request, service: ServiceDep) -> Response:
    """Return the server's metrics, if the setting `metrics` allows access from this machine."""
    peer = request.client.host if request.client else ""
    forwarded = any(name in request.headers for name in FORWARDED)
    if service.config.metrics != LOCAL or forwarded or not is_local(peer):
        raise HTTPException(404)  # the same as for an unknown path
    return Response(await asyncio.to_thread(service.metrics.text), headers={"Content-Type": CONTENT_TYPE_LATEST})
