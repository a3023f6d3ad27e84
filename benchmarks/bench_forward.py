"""The cost of forwarding a frame to another node, compared with a frame that goes to its node directly.

Two servers run in processes of their own: an echo, as in `bare_echo.py`, behind the protocol that forwards connections;
and a gateway, which forwards all connections to it. Each frame of a client is answered by one of the same size. Rounds
of frames through the gateway and directly to the echo alternate. The gateway's processor time per frame is the cost of
forwarding; the peer is the echo's own, Starlette and uvicorn without any game.
"""

import argparse
import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import uvicorn
from provenance import provenance
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import connect

from liarspoker.server.cluster.forward import Forwarding, ForwardingProtocol, Preface
from liarspoker.server.listening import listen, written_address


class To:
    """An owner that is the same for every table."""

    key = b"key"

    def __init__(self, owner: str | None) -> None:
        self._owner = owner

    def owner(self, table_id: str) -> str | None:
        return self._owner


async def echo(websocket: WebSocket) -> None:
    await websocket.accept()
    try:
        while True:
            await websocket.send_text(await websocket.receive_text())
    except WebSocketDisconnect:
        pass


def serve(owner: str | None) -> None:
    """Serve an echo, or forward all connections to `owner`; the two ports are printed."""
    with listen("127.0.0.1", 0) as outside, listen("127.0.0.1", 0) as inside:
        forwarding = Forwarding(written_address(*inside.getsockname()))
        forwarding.routes = To(owner)
        app, make = Starlette(routes=[WebSocketRoute("/t/{room}", echo)]), partial(ForwardingProtocol, forwarding)
        config = uvicorn.Config(
            app,
            http=make,  # type: ignore[arg-type]
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            log_level="warning",
            lifespan="off",
        )
        server = uvicorn.Server(config)

        async def run() -> None:
            state = server.server_state
            accept: Callable[[], Preface] = partial(
                Preface, forwarding, state.connections, lambda: make(config=config, server_state=state, app_state={})
            )
            await asyncio.get_running_loop().create_server(accept, sock=inside)
            print(outside.getsockname()[1], inside.getsockname()[1], flush=True)
            await server.serve(sockets=[outside])

        config.load()
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(run())


@contextmanager
def process(*words: str) -> Iterator[tuple[int, int, str]]:
    """Yield a server process: its port for clients, its address for other nodes, and its id."""
    started = subprocess.Popen([sys.executable, __file__, "--serve", *words], stdout=subprocess.PIPE, text=True)
    try:
        assert started.stdout is not None
        port, inside = started.stdout.readline().split()
        yield started.pid, int(port), f"127.0.0.1:{inside}"
    finally:
        started.terminate()
        started.wait()


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def frames(port: int, sockets: int, each: int, size: int) -> None:
    """Send frames on many sockets at once, and wait for each answer."""

    async def one() -> None:
        async with connect(f"ws://127.0.0.1:{port}/t/room", compression=None) as socket:
            for _ in range(each):
                await socket.send("x" * size)
                await socket.recv()

    await asyncio.gather(*(one() for _ in range(sockets)))


async def compare(args: argparse.Namespace) -> None:
    with ExitStack() as held:
        echo_pid, echo_port, inside = held.enter_context(process(""))
        door_pid, door_port, _ = held.enter_context(process(inside))
        count = args.sockets * args.each
        rows: list[tuple[float, float, float]] = []
        for _ in range(args.rounds + 1):
            times = []
            for port in (echo_port, door_port):
                before = cpu_seconds(echo_pid), cpu_seconds(door_pid)
                await frames(port, args.sockets, args.each, args.size)
                times.append((cpu_seconds(echo_pid) - before[0], cpu_seconds(door_pid) - before[1]))
            rows.append((times[0][0] / count, times[1][0] / count, times[1][1] / count))
        direct, owner, gateway = (median(column) for column in zip(*rows[1:], strict=True))
    print(f"{args.sockets} sockets, frames of {args.size} bytes, each answered by one of the same size")
    print(f"  directly     {direct * 1e6:5.1f} us of processor time at the echo")
    print(f"  forwarded    {owner * 1e6:5.1f} us at the echo, {gateway * 1e6:5.1f} us at the gateway")
    print(f"forwarding / echo: {gateway / direct:.2f}; in total {(owner + gateway) / direct:.2f} times a direct frame")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--serve", metavar="OWNER", help=argparse.SUPPRESS)
    parser.add_argument("--sockets", type=int, default=20)
    parser.add_argument("--each", type=int, default=500, help="frames per socket and round")
    parser.add_argument("--size", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    if args.serve is not None:
        serve(args.serve or None)
        return
    print(provenance())
    asyncio.run(compare(args))


if __name__ == "__main__":
    main()
