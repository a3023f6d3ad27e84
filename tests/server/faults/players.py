"""Players on unreliable servers, who record everything that they send and receive.

Written from docs/reference/live-protocol.md alone: nothing is imported from the server.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.tables.choices import some_action

Json = dict[str, Any]

PATIENCE = 180.0
"""Seconds after which an expected message counts as missing."""
SILENCE = 1.0
"""Seconds after which a player pings a silent socket; after the same time without an answer they reconnect."""
PROMPT = 1.0
"""A player who acts this many seconds before the deadline is in time, whatever happens to the server."""
BROKEN = (ConnectionClosed, OSError, InvalidHandshake, EOFError, TimeoutError)


@dataclass
class Books:
    """What the players of one table received, and the errors they found.

    Attributes:
        table: the id of the table.
        clock: its clock setting, if any.
        shown: the digest of the received public view, by version.
        made: the user and command id that were acknowledged with each version.
        frames: a sample of the received states: the user and the text.
        fresh: when the last acknowledged command was sent, on the monotonic clock.
        wrong: descriptions of violations of the protocol.
    """

    table: str
    game: str
    clock: Json | None
    shown: dict[int, bytes] = field(default_factory=dict)
    made: dict[int, tuple[str, str]] = field(default_factory=dict)
    frames: list[tuple[str, str]] = field(default_factory=list)
    fresh: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def note_state(self, state: Json) -> None:
        """Check that a state equals what others received for the same version."""
        public, version = state["public"], state["version"]
        digest = sha256(json.dumps(public, sort_keys=True).encode()).digest()
        if self.shown.setdefault(version, digest) != digest:
            self.wrong.append(f"version {version} was shown in two ways")
        deadline, clock = public["deadline"], self.clock
        if clock is not None and deadline is not None and not public["paused"]:
            most = max(clock["turn"] + clock["bank"], clock["ready"], 20.0)
            if deadline - state["now"] > most + 1.0:
                self.wrong.append(f"version {version}: {deadline - state['now']:.1f} s left, of {most} at most")

    def note_made(self, version: int, user: str, command_id: str) -> None:
        """Check that no other command was acknowledged with the same version."""
        if self.made.setdefault(version, (user, command_id)) != (user, command_id):
            self.wrong.append(f"version {version} was acknowledged to two commands")


@dataclass
class Player:
    """A player at a table.

    Attributes:
        asleep: whether they let their time run out instead of acting.
        acknowledged: the versions of acknowledged commands, by id.
        refused: the error codes of rejected commands, by id.
        unanswered: the commands without an answer, by id, with the time of sending.
        left: the seconds that were left when an action was first sent, by turn.
    """

    crowd: Crowd
    books: Books
    user: str
    cookie: str
    chance: Random
    asleep: bool = False
    acknowledged: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    unanswered: dict[str, tuple[Json, float]] = field(default_factory=dict)
    left: dict[int, float] = field(default_factory=dict)
    newest: int = 0
    sent: int = 0

    async def play(self) -> None:
        """Play, and reconnect to another server, if there is one, when a connection ends, until the crowd is over."""
        port: int | None = None
        while not self.crowd.over:
            if self.crowd.resting:
                await asyncio.sleep(0.05)
                continue
            port = self.chance.choice([other for other in self.crowd.ports if other != port] or self.crowd.ports)
            uri = f"ws://127.0.0.1:{port}/api/tables/{self.books.table}/socket?protocol=1"
            with suppress(*BROKEN):
                async with connect(
                    uri,
                    additional_headers={"cookie": self.cookie},
                    compression=None,
                    open_timeout=SILENCE,
                    close_timeout=0.1,
                    ping_interval=None,
                ) as socket:
                    self.crowd.connected += 1
                    try:
                        await self._converse(socket)
                    finally:
                        self.crowd.connected -= 1
            await asyncio.sleep(self.chance.uniform(0.02, 0.2))

    async def _converse(self, socket: ClientConnection) -> None:
        for command_id, (command, _) in list(self.unanswered.items()):
            await _send(socket, command_id, command)
        state: Json | None = None
        pinged = False
        while not (self.crowd.over or self.crowd.resting):
            try:
                async with asyncio.timeout(SILENCE):
                    text = await socket.recv()
            except TimeoutError:
                if pinged or any(time.monotonic() - since > 10 for _, since in self.unanswered.values()):
                    return
                pinged = True
                await socket.send('{"kind": "ping"}')
                continue
            pinged = False
            message = json.loads(text)
            if message["kind"] == "answer":
                self._note_answer(message)
            elif message["kind"] == "state":
                if state is not None and message["version"] < state["version"]:
                    self.books.wrong.append(f"version {message['version']} came after {state['version']}")
                state = message
                self.books.note_state(message)
                if self.chance.random() < self.crowd.sample:
                    self.books.frames.append((self.user, str(text)))
            if state is not None and state["version"] >= self.newest:
                self.newest = state["version"]
                if not self.unanswered and not self.crowd.paused:
                    await self._react(socket, state)

    async def _react(self, socket: ClientConnection, state: Json) -> None:
        public, you = state["public"], state["you"]
        if public["stage"] == "gathering" and you["gathering"]["wanted"]:
            await self._ask(socket, {"do": "ready"})
        elif public["to_act"] == self.user and not self.asleep:
            seen = time.monotonic()
            await asyncio.sleep(self.chance.uniform(0, 2 * self.crowd.pause))
            if self.crowd.paused:
                return
            if public["deadline"] is not None:
                left = public["deadline"] - state["now"] - (time.monotonic() - seen)
                self.left.setdefault(public["turn"], left)
            action = some_action(you["hand"], self.chance)
            await self._ask(socket, {"do": "act", "turn": public["turn"], "action": action})
        elif self.chance.random() < 0.05:
            await self._ask(socket, {"do": "say", "text": f"this is my line {self.sent}"})

    async def _ask(self, socket: ClientConnection, command: Json) -> None:
        self.sent += 1
        command_id = f"c{self.sent}"
        self.unanswered[command_id] = command, time.monotonic()
        await _send(socket, command_id, command)

    def _note_answer(self, message: Json) -> None:
        command_id, version = message["id"], message["version"]
        _, since = self.unanswered.pop(command_id, (None, 0.0))
        self.newest = max(self.newest, version)
        if not message["ok"]:
            self.refused[command_id] = message["code"]
            if command_id in self.acknowledged:
                self.books.wrong.append(
                    f"{command_id} of {self.user} was acknowledged, then refused: {message['code']}"
                )
            return
        if command_id in self.refused:
            self.books.wrong.append(f"{command_id} of {self.user} was refused, then acknowledged")
        if self.acknowledged.setdefault(command_id, version) != version:
            self.books.wrong.append(f"{command_id} of {self.user} was acknowledged with two versions")
        self.books.note_made(version, self.user, command_id)
        self.books.fresh = max(self.books.fresh, since)


async def _send(socket: ClientConnection, command_id: str, command: Json) -> None:
    await socket.send(json.dumps({"kind": "command", "id": command_id, "command": command}))


@dataclass
class Crowd:
    """All players.

    Attributes:
        ports: the ports of the servers; each player connects to any of them.
        pause: the average seconds that a player thinks.
        sample: the share of received states that are saved for the audit.
        paused: whether players start nothing new.
        resting: whether players don't connect.
        connected: the number of open sockets.
        over: whether the players stop.
        players: all of them.
        playing: what each of them is doing.
    """

    ports: Sequence[int]
    chance: Random
    pause: float = 0.15
    sample: float = 0.2
    paused: bool = False
    resting: bool = False
    connected: int = 0
    over: bool = False
    players: list[Player] = field(default_factory=list)
    playing: list[asyncio.Task[None]] = field(default_factory=list)

    def begin(self) -> None:
        """Let all players connect and play."""
        self.playing = [asyncio.create_task(player.play()) for player in self.players]

    async def leave(self) -> None:
        """Let all players disconnect; raise what went wrong with one of them."""
        self.over = True
        for task in self.playing:
            task.cancel()
        for ended in await asyncio.gather(*self.playing, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended

    async def _wait(self) -> None:
        """Wait for a moment; raise what went wrong with a player in the meantime."""
        await asyncio.sleep(0.02)
        for task in self.playing:
            if task.done():
                task.result()

    @property
    def books(self) -> list[Books]:
        """The records of every table."""
        return list({player.books.table: player.books for player in self.players}.values())

    @property
    def acknowledged(self) -> int:
        """The number of acknowledged commands."""
        return sum(len(player.acknowledged) for player in self.players)

    async def ask(self, cookie: str, path: str, body: object = None) -> Any:
        """Send a request to any server until one answers; return the answer."""
        until = time.monotonic() + PATIENCE
        while True:
            port = self.chance.choice(self.ports)
            with suppress(httpx2.HTTPError):
                async with httpx2.AsyncClient(timeout=5, verify=False, headers={"cookie": cookie}) as client:
                    url = f"http://127.0.0.1:{port}{path}"
                    answer = await (client.get(url) if body is None else client.post(url, json=body))
                if answer.status_code < 300:
                    made = answer.json()
                    return made if cookie else (made, answer.headers["set-cookie"].partition(";")[0])
                assert answer.status_code in (429, 503), answer.text
            assert time.monotonic() < until, f"{path}: nobody answers"
            await asyncio.sleep(0.1)

    async def sit_down(self, game: str, people: int, bots: int, clock: Json | None, sleepers: int = 0) -> None:
        """Create and start a table with these numbers of players and bots; the last players let their time run out."""
        guests = [await self.ask("", "/api/guest", {"name": f"Player {number}"}) for number in range(people)]
        owner = guests[0][1]
        settings = {"game": game, "seats": people + bots, "clock": clock}
        made = await self.ask(owner, "/api/tables", {"settings": settings, "bots": ["bluffer"] * bots})
        books = Books(made["table"], game, clock and {"bank": 0.0, **clock})
        for number, (_, cookie) in enumerate(guests[1:]):
            await self.command(books.table, cookie, f"join-{number}", do="join")
        await self.command(books.table, owner, "start", do="start")
        for number, (message, cookie) in enumerate(guests):
            asleep = number >= people - sleepers
            self.players.append(Player(self, books, message["user"], cookie, Random(self.chance.random()), asleep))

    async def command(self, table: str, cookie: str, command_id: str, **command: object) -> None:
        """Send a command over HTTP, which must be accepted."""
        body = {"id": command_id, "command": command}
        answer = await self.ask(cookie, f"/api/tables/{table}/commands", body)
        assert answer["ok"], answer

    async def moved_on(self, since: float, patience: float = PATIENCE) -> float | None:
        """Wait until a command that was sent after `since` is acknowledged at every table.

        Args:
            since: a time of the monotonic clock.
            patience: the maximum seconds to wait.

        Returns:
            The seconds from `since` until then; `None` after a timeout.
        """
        waited_for = [books for books in self.books if books.clock is None]
        while not all(books.fresh > since for books in waited_for):
            if time.monotonic() > since + patience:
                return None
            await self._wait()
        return time.monotonic() - since

    async def quiet(self) -> None:
        """Let players start nothing new, and wait until everything is answered."""
        self.paused = True
        until = time.monotonic() + PATIENCE
        while waiting := [player for player in self.players if player.unanswered]:
            requests = [(player.books.table, player.user, player.unanswered) for player in waiting]
            assert time.monotonic() < until, f"never answered: {requests}"
            await self._wait()

    async def rest(self) -> None:
        """Let all players finish and disconnect."""
        await self.quiet()
        self.resting = True
        until = time.monotonic() + PATIENCE
        while self.connected:
            assert time.monotonic() < until, f"{self.connected} players never disconnect"
            await self._wait()

    async def ask_again(self, count: int) -> list[str]:
        """Repeat a sample of acknowledged command ids with another command; return different answers."""
        known = [
            (player, command_id, version)
            for player in self.players
            for command_id, version in list(player.acknowledged.items())[-10:]
        ]
        wrong = []
        for player, command_id, version in self.chance.sample(known, min(count, len(known))):
            body = {"id": command_id, "command": {"do": "say", "text": "another command under an old id"}}
            answer = await self.ask(player.cookie, f"/api/tables/{player.books.table}/commands", body)
            if (answer["ok"], answer["version"]) != (True, version):
                wrong.append(f"{command_id} of {player.user} was made in {version}, and now: {answer}")
        return wrong

    async def end(self) -> dict[str, Any]:
        """Let the owners end all tables; return the audit of each."""
        audits = {}
        for books in self.books:
            owner = next(player for player in self.players if player.books is books)
            await self.command(books.table, owner.cookie, "end", do="end")
            audits[books.table] = await self.ask(owner.cookie, f"/api/tables/{books.table}/audit")
        return audits
