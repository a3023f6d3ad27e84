"""People who play at a server that may die at any moment, and who write down what was acknowledged."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from liarspoker.server.storage.sealing import Sealer, find_key
from liarspoker.server.storage.storage import Storage
from liarspoker.server.tables.actor import read_log
from liarspoker.tables import view
from tests.tables.play import some_action

PLAYERS = 3


@dataclass
class Player:
    """Somebody at a table, outside the server: all that he knows was sent to him."""

    table: str
    user: str
    cookie: str
    chance: Random
    sent: int = 0
    acknowledged: dict[str, int] = field(default_factory=dict)
    unanswered: dict[str, dict[str, Any]] = field(default_factory=dict)
    newest: int = 0

    async def play(self, port: int, enough: Any) -> None:
        """Play until the server has gone, or there is enough."""
        uri = f"ws://127.0.0.1:{port}/api/tables/{self.table}/socket"
        with suppress(ConnectionClosed, OSError, InvalidHandshake, EOFError, TimeoutError):
            async with connect(uri, additional_headers={"cookie": self.cookie}, compression=None) as socket:
                for command_id, command in list(self.unanswered.items()):
                    await self._send(socket, command_id, command)
                state: dict[str, Any] | None = None
                async for text in socket:
                    told = json.loads(text)
                    if told["kind"] == "answer":
                        self._note(told)
                        enough()
                    elif told["kind"] == "state":
                        assert told["version"] >= self.newest, "a state older than one that was shown"
                        self.newest = told["version"]
                        state = told
                    if state is not None and state["version"] >= self.newest:
                        await self._react(socket, state)

    async def _react(self, socket: ClientConnection, told: dict[str, Any]) -> None:
        public, you = told["public"], told["you"]
        if self.unanswered:
            return
        if public["stage"] == "gathering" and you["gathering"]["wanted"]:
            await self._ask(socket, {"do": "ready"})
        elif public["to_act"] == you["user"]:
            action = some_action(you["hand"], self.chance)
            await self._ask(socket, {"do": "act", "turn": public["turn"], "action": action})

    async def _ask(self, socket: ClientConnection, command: dict[str, Any]) -> None:
        self.sent += 1
        command_id = f"c{self.sent}"
        self.unanswered[command_id] = command
        await self._send(socket, command_id, command)

    async def _send(self, socket: ClientConnection, command_id: str, command: dict[str, Any]) -> None:
        await socket.send(json.dumps({"kind": "command", "id": command_id, "command": command}))

    def _note(self, told: dict[str, Any]) -> None:
        self.unanswered.pop(told["id"], None)
        self.newest = max(self.newest, told["version"])
        if told["ok"]:
            known = self.acknowledged.setdefault(told["id"], told["version"])
            assert known == told["version"], "the same command was answered differently"


@dataclass
class Server:
    """A server process, which may die."""

    process: subprocess.Popen[str]
    port: int

    def kill(self) -> None:
        self.process.kill()

    def wait(self) -> int:
        """How the process ended."""
        ending = self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        return ending


def start(database: str, folder: Path, point: str = "never", count: int = 0) -> Server:
    """A server on any port, once it listens."""
    command = [sys.executable, "-m", "tests.server.crash.dying", database, str(folder), point, str(count)]
    with (folder / "server.log").open("a") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, f"the server did not start: {(folder / 'server.log').read_text()[-2000:]}"
    return Server(process, int(line))


async def seat(port: int, games: list[str], chance: Random) -> list[Player]:
    """A started table of each game with its players."""
    players = []
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        for game in games:
            cookies, users = [], []
            for number in range(PLAYERS):
                client.cookies.clear()
                guest = await client.post("/api/guest", json={"name": f"Player {number}"})
                cookies.append(guest.headers["set-cookie"].split(";")[0])
                users.append(guest.json()["user"])
            client.cookies.clear()
            settings = {"game": game, "seats": PLAYERS}
            headers = {"cookie": cookies[0]}
            table = (await client.post("/api/tables", json={"settings": settings}, headers=headers)).json()["table"]
            for number, cookie in enumerate(cookies[1:]):
                join = {"id": f"join-{number}", "command": {"do": "join"}}
                await client.post(f"/api/tables/{table}/commands", json=join, headers={"cookie": cookie})
            start_it = {"id": "start", "command": {"do": "start"}}
            await client.post(f"/api/tables/{table}/commands", json=start_it, headers=headers)
            for user, cookie in zip(users, cookies, strict=True):
                players.append(Player(table, user, cookie, Random(chance.random())))
    return players


async def check_acknowledged(port: int, players: list[Player]) -> int:
    """Ask again for everything that was acknowledged: the same id must get the same answer. How many there were."""
    asked = 0
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        for player in players:
            client.cookies.clear()
            for command_id, version in list(player.acknowledged.items())[-40:]:
                body = {"id": command_id, "command": {"do": "say", "text": "another command under an old id"}}
                path = f"/api/tables/{player.table}/commands"
                answer = (await client.post(path, json=body, headers={"cookie": player.cookie})).json()
                assert answer["ok"], f"{command_id}: {answer}"
                assert answer["version"] == version
                asked += 1
    return asked


async def play_until(port: int, players: list[Player], answers: int, end: Any) -> None:
    """Let everybody play; after so many answers, `end` is called. Returns when all sockets have gone."""
    left = answers

    def enough() -> None:
        nonlocal left
        left -= 1
        if not left:
            end()

    await asyncio.gather(*(player.play(port, enough) for player in players))


async def check_logs(url: str, folder: Path, players: list[Player]) -> None:
    """No gap, no command twice; and whoever acknowledged what, the log has it in the very version."""
    async with await Storage.open(url, Sealer(find_key(folder))) as storage:
        for table_id in {player.table for player in players}:
            stored = await storage.log(table_id)
            assert [entry.version for entry in stored.entries] == list(range(1, len(stored.entries) + 1))
            made = {entry.command_id: entry.version for entry in stored.entries if entry.command_id}
            assert len(made) == sum(entry.command_id is not None for entry in stored.entries)
            table, _ = read_log(stored)
            for player in (player for player in players if player.table == table_id):
                assert player.newest <= table.version, "a state was shown that was not stored"
                there = {command_id: made.get(f"{player.user}/{command_id}") for command_id in player.acknowledged}
                assert there == player.acknowledged
            assert sum(table.units.values()) == 0
            assert view.public(table).version == len(stored.entries)
