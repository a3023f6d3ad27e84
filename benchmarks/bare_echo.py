"""The peers of `bench_live_tables.py`: Starlette and uvicorn alone, which send each message to all sockets of a path.

With a file as the second argument, a message is first stored durably there with the bare `sqlite3` module: all messages
that arrived since the last commit are stored in one commit, on a separate thread. This is the minimum that a server
must do to lose nothing.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from collections import defaultdict
from queue import Empty, SimpleQueue
from threading import Thread

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

ROOMS: dict[str, list[WebSocket]] = defaultdict(list)
WAITING: SimpleQueue[tuple[str, asyncio.Future[None]]] = SimpleQueue()


async def echo(websocket: WebSocket) -> None:
    await websocket.accept()
    room = ROOMS[websocket.url.path]
    room.append(websocket)
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            room.remove(websocket)
            return
        if len(sys.argv) > 2:
            stored = asyncio.get_running_loop().create_future()
            WAITING.put((message["text"], stored))
            await stored
        text = json.dumps("x" * json.loads(message["text"])["size"])
        for other in room:
            await other.send_text(text)


def store(file: str) -> None:
    """Store whatever is waiting, commit after commit."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE messages (number INTEGER PRIMARY KEY, text TEXT)")
    while True:
        batch = [WAITING.get()]
        try:
            while True:
                batch.append(WAITING.get_nowait())
        except Empty:
            pass
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO messages (text) VALUES (?)", [(text,) for text, _ in batch])
        connection.execute("COMMIT")
        for _, stored in batch:
            stored.get_loop().call_soon_threadsafe(stored.set_result, None)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        Thread(target=store, args=sys.argv[2:3], daemon=True).start()
    uvicorn.run(
        Starlette(routes=[WebSocketRoute("/{room}", echo)]),
        port=int(sys.argv[1]),
        log_level="warning",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )
