"""The peer of `bench_pages.py`: Starlette and uvicorn alone, with a page whose socket sends a text to everyone who has
it open.

The page puts what it receives into `innerHTML`, and reconnects when its socket closes; it does nothing else.
"""

from __future__ import annotations

import sys

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

PAGE = """<!doctype html><html lang="en"><title>bare</title><div id="live" data-version="0"></div>
<form data-do="act"><button>Go on</button></form>
<script type="module">
const live = document.querySelector("#live");
let socket;
function connect() {
    socket = new WebSocket(`ws://${location.host}/live`);
    socket.onmessage = (event) => {
        const message = JSON.parse(event.data);
        live.innerHTML = message.html;
        live.dataset.version = message.version;
        live.dispatchEvent(new CustomEvent("table", { bubbles: true }));
    };
    socket.onclose = connect;
}
connect();
document.addEventListener("submit", (event) => {
    event.preventDefault();
    socket.send("{}");
});
</script></html>"""


class Peer:
    """The connected clients, and what is sent to them."""

    def __init__(self) -> None:
        self.sockets: set[WebSocket] = set()
        self.html = ""
        self.version = 0

    async def page(self, _: Request) -> Response:
        return HTMLResponse(PAGE)

    async def load(self, request: Request) -> Response:
        """Set the text to send."""
        self.html = (await request.body()).decode()
        return Response()

    async def live(self, websocket: WebSocket) -> None:
        await websocket.accept()
        self.sockets.add(websocket)
        await self._send(websocket)
        while (await websocket.receive())["type"] != "websocket.disconnect":
            self.version += 1
            for one in tuple(self.sockets):
                await self._send(one)
        self.sockets.discard(websocket)

    async def _send(self, websocket: WebSocket) -> None:
        await websocket.send_json({"kind": "page", "version": self.version, "html": self.html})


if __name__ == "__main__":
    peer = Peer()
    routes = [
        Route("/", peer.page),
        Route("/load", peer.load, methods=["POST"]),
        WebSocketRoute("/live", peer.live),
    ]
    uvicorn.run(
        Starlette(routes=routes),
        port=int(sys.argv[1]),
        log_level="error",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )
