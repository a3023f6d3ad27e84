"""Whether the server is alive, and whether it can take work."""

from __future__ import annotations

from fastapi import APIRouter, Response

from liarspoker.server.routes.accounts import Here
from liarspoker.server.storage.errors import StorageError

router = APIRouter(tags=["health"])


@router.get("/health")
async def health() -> dict[str, str]:
    """The process answers."""
    return {"status": "alive"}


@router.get("/ready")
async def ready(service: Here, response: Response) -> dict[str, str]:
    """The database answers, and the server is not stopping."""
    if service.house.closing:
        response.status_code = 503
        return {"status": "stopping"}
    try:
        await service.storage.read(lambda connection: connection.execute("SELECT 1", ()))
    except StorageError:
        response.status_code = 503
        return {"status": "no database"}
    return {"status": "ready"}
