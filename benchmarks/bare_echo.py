"""The peer of `bench_live_tables.py`: Starlette and uvicorn alone, which send a text to all sockets of a path."""

from __future__ import annotations

import json
import sys
from collections import defaultdict

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

ROOMS: dict[str, list[WebSocket]] = defaultdict(list)


async def echo(websocket: WebSocket) -> None:
    await websocket.accept()
    room = ROOMS[websocket.url.path]
    room.append(websocket)
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            room.remove(websocket)
            return
        text = json.dumps("x" * json.loads(message["text"])["size"])
        for other in room:
            await other.send_text(text)


if __name__ == "__main__":
    uvicorn.run(
        Starlette(routes=[WebSocketRoute("/{room}", echo)]),
        port=int(sys.argv[1]),
        log_level="warning",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )
