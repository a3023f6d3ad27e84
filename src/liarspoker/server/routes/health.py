"""Whether the server is alive, and whether it can take work."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Response

from liarspoker.protocol.http import ReadyResponse
from liarspoker.server.journal import table_mark
from liarspoker.server.routes.accounts import Here
from liarspoker.server.routes.messages import Told
from liarspoker.server.storage.errors import StorageError

router = APIRouter(tags=["health"])

READY_SECONDS = 0.8
"""So long `/ready` waits for the database; whoever asks wants to know within a second."""


@router.get("/health")
async def health() -> dict[str, str]:
    """The process answers."""
    return {"status": "alive"}


@router.get("/ready")
async def ready(service: Here, response: Response) -> Told[ReadyResponse]:
    """The database answers, and the server is not stopping."""
    storage = service.storage
    status: Literal["ready", "stopping", "no database"] = "ready"
    if service.house.closing:
        status = "stopping"
    else:
        try:
            await storage.read(lambda connection: connection.execute("SELECT 1"), patience=READY_SECONDS)
        except StorageError:
            status = "no database"
        if storage.away:
            status = "no database"
    if status != "ready":
        response.status_code = 503
    marks = tuple(sorted(map(table_mark, storage.damaged)))
    return ReadyResponse(status=status, database=storage.check_result, damaged_tables=marks)
