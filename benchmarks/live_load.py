"""The load of `bench_live_tables.py`: tables of four players each, who send command after command at a given rate."""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect

SEATS = 4
STATE = '{"kind":"state","version":'


@dataclass
class Measured:
    """What a load has measured.

    Attributes:
        commands: the number of commands that took effect.
        latencies: the seconds from sending a command to the sender's next state.
        bytes: the bytes received by all sockets.
    """

    commands: int = 0
    latencies: list[float] = field(default_factory=list)
    bytes: int = 0

    def quantile(self, share: float) -> float:
        """Return a quantile of the latency, in seconds."""
        return sorted(self.latencies)[int(share * (len(self.latencies) - 1))]


class LiveTable:
    """One live table with its four sockets, and four pages if they are opened."""

    def __init__(self, sockets: list[ClientConnection], chance: random.Random, uri: str, cookies: list[str]) -> None:
        self.sockets = sockets
        self.uri = uri
        self.cookies = cookies
        self.pages: list[asyncio.Task[None]] = []
        self.texts = ["" for _ in sockets]
        self.versions = [-1 for _ in sockets]
        self.chance = chance
        self.sent = 0

    async def step(self, measured: Measured) -> None:
        """Send the command that the table waits for, and wait until all seats have received its result."""
        mover, command = self._next()
        version = self.versions[mover]
        began = time.perf_counter()
        self.sent += 1
        await self.sockets[mover].send(json.dumps({"kind": "command", "id": f"c{self.sent}", "command": command}))
        await self.read(mover, version + 1, measured)
        measured.latencies.append(time.perf_counter() - began)
        for other in range(SEATS):
            if other != mover:
                await self.read(other, version + 1, measured)
        measured.commands += 1

    async def read(self, seat: int, version: int, measured: Measured) -> None:
        """Read until the state has reached a version; other messages aren't parsed, to keep the load light."""
        while self.versions[seat] < version:
            text = str(await self.sockets[seat].recv())
            measured.bytes += len(text)
            if text.startswith(STATE):
                self.texts[seat] = text
                self.versions[seat] = int(text[len(STATE) : text.index(",", len(STATE))])
            else:
                assert json.loads(text).get("ok", True), text

    async def open_pages(self) -> None:
        """Open a page beside each socket; its content is read and ignored."""
        uri = self.uri.replace("/api/tables/", "/t/").replace("/socket", "/live?parts")
        for cookie in self.cookies:
            page = await connect(uri, additional_headers={"cookie": cookie}, compression=None, max_queue=None)
            await page.recv()
            self.pages.append(asyncio.create_task(_drain(page)))

    def _next(self) -> tuple[int, dict[str, Any]]:
        public = json.loads(self.texts[0])["public"]
        if public["to_act"] is None:
            chairs = public["chairs"]
            return next(seat for seat in range(SEATS) if not chairs[seat]["ready"]), {"do": "ready"}
        seat = public["round"]["to_act"]
        legal = json.loads(self.texts[seat])["you"]["hand"]["legal"]
        return seat, {"do": "act", "turn": public["turn"], "action": self._action(legal)}

    def _action(self, legal: dict[str, Any]) -> str:
        answers = [answer for answer in (legal["challenge"], legal["count"]) if answer]
        if legal["claims"] and (not answers or self.chance.random() < 0.5):
            return str(legal["claims"][min(int(self.chance.expovariate(0.2)), len(legal["claims"]) - 1)])
        return str(self.chance.choice(answers))


async def _drain(page: ClientConnection) -> None:
    async for _ in page:
        pass


async def live_tables(port: int, tables: int) -> list[LiveTable]:
    """Return this number of started tables with four sockets each."""
    made = []
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        for number in range(tables):
            tokens = []
            for seat in range(SEATS):
                client.cookies.clear()
                guest = await client.post("/api/guest", json={"name": f"Player {seat}"})
                tokens.append(guest.headers["set-cookie"].split(";")[0])
            settings = {"game": "salomon-1986", "seats": SEATS}
            table = None
            for seat, cookie in enumerate(tokens):
                client.cookies.clear()
                headers = {"cookie": cookie}
                if table is None:
                    response = await client.post("/api/tables", json={"settings": settings}, headers=headers)
                    table = response.json()["table"]
                else:
                    join = {"id": f"join-{seat}", "command": {"do": "join"}}
                    await client.post(f"/api/tables/{table}/commands", json=join, headers=headers)
            start = {"id": "start", "command": {"do": "start"}}
            await client.post(f"/api/tables/{table}/commands", json=start, headers={"cookie": tokens[0]})
            uri = f"ws://127.0.0.1:{port}/api/tables/{table}/socket"
            sockets = [
                await connect(uri, additional_headers={"cookie": cookie}, compression=None, max_queue=None)
                for cookie in tokens
            ]
            live = LiveTable(sockets, random.Random(number), uri, tokens)
            for seat in range(SEATS):
                await live.read(seat, 0, Measured())
            made.append(live)
    return made


class EchoTable:
    """Four sockets at the bare echo, which sends every message to all of them."""

    def __init__(self, sockets: list[ClientConnection], size: int) -> None:
        self.sockets = sockets
        self.request = json.dumps({"size": size, "padding": "x" * 60})
        self.mover = 0

    async def step(self, measured: Measured) -> None:
        """Send from one socket, and wait until all sockets have received it."""
        self.mover = (self.mover + 1) % SEATS
        began = time.perf_counter()
        await self.sockets[self.mover].send(self.request)
        json.loads(await self.sockets[self.mover].recv())
        measured.latencies.append(time.perf_counter() - began)
        for seat, socket in enumerate(self.sockets):
            if seat != self.mover:
                measured.bytes += len(await socket.recv())
        measured.commands += 1


async def echo_tables(port: int, tables: int, size: int) -> list[EchoTable]:
    """Return this number of groups of four sockets at the bare echo."""
    made = []
    for number in range(tables):
        uri = f"ws://127.0.0.1:{port}/{number}"
        sockets = [await connect(uri, compression=None, max_queue=None) for _ in range(SEATS)]
        made.append(EchoTable(sockets, size))
    return made


async def run(tables: list[Any], rate: float | None, seconds: float) -> Measured:
    """Run all tables for a time, at a total rate of commands a second; `None`: each as fast as it is answered."""
    measured = Measured()
    step = 0.0 if rate is None else len(tables) / rate
    end = time.perf_counter() + seconds

    async def keep_going(number: int, table: Any) -> None:
        due = time.perf_counter() + step * number / len(tables)
        while due < end:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await table.step(measured)
            due = time.perf_counter() if rate is None else due + step

    await asyncio.gather(*(keep_going(number, table) for number, table in enumerate(tables)))
    return measured
