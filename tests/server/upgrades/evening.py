"""Unfinished tables of every game, stored by one release and continued by a later one.

Before a release, run `python -m tests.server.upgrades.evening` with it. It adds to this folder a backup of the
database, the key, the players' tokens, and their views of their tables.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from liarspoker import __version__
from liarspoker.server.storage.archive import back_up
from liarspoker.server.storage.location import address
from liarspoker.server.storage.sealing import VARIABLE, new_key
from tests.server.running import running_server
from tests.tables.choices import some_action

FOLDER = Path(__file__).parent
NAMES = ("Ann", "Bob")
CLOCK = {"turn": 3600, "ready": 3600}


class Asked(Protocol):
    """A server that accepts HTTP requests."""

    def ask(self, path: str, body: object = None, **headers: str) -> Any:
        """Get `path`, or post `body` to it, and return the response."""


class Table:
    """A table, played over HTTP.

    Args:
        server: its server.
        table: its id.
        tokens: the tokens of its players, by name.
        chance: the random generator for their actions.
    """

    def __init__(self, server: Asked, table: str, tokens: dict[str, str], chance: Random) -> None:
        self.server = server
        self.table = table
        self.tokens = tokens
        self.chance = chance

    def command(self, name: str, **command: object) -> dict[str, Any]:
        """Send a command and return the answer."""
        sent = {"id": self.chance.randbytes(8).hex(), "command": command}
        answer: dict[str, Any] = self.server.ask(f"/api/tables/{self.table}/commands", sent, **self._shown(name))
        return answer

    def view(self, name: str) -> dict[str, Any]:
        """Return a player's view."""
        seen: dict[str, Any] = self.server.ask(f"/api/tables/{self.table}", **self._shown(name))
        return seen

    def _shown(self, name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[name]}"}

    def step(self) -> str:
        """Let the next player act, or all get ready; return the previous stage."""
        views = {name: self.view(name) for name in NAMES}
        public = views[NAMES[0]]["public"]
        for name, seen in views.items():
            hand = seen["you"].get("hand") or {}
            if public["stage"] == "round" and hand.get("legal") and public["to_act"] == seen["you"]["user"]:
                assert self.command(name, do="act", turn=public["turn"], action=some_action(hand, self.chance))["ok"]
                break
            if public["stage"] == "gathering":
                self.command(name, do="ready")
        return str(public["stage"])


def seen(view: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a view that don't change while the server is down."""
    hand = view["you"].get("hand") or {}
    held = {name: hand[name] for name in ("number", "slip", "seen", "hand") if name in hand}
    return {"version": view["version"], "stage": view["public"]["stage"], "held": held}


def main() -> None:
    """Play, kill the server in the middle of a round, and save its database."""
    key = os.environ[VARIABLE] = new_key()
    chance = Random(12)
    with TemporaryDirectory() as folder:
        with running_server(Path(folder)) as server:
            tokens = {name: server.token(name) for name in NAMES}
            tables = dict[str, str]()
            for game in (row["game"] for row in server.ask("/api/games")):
                shown = {"Authorization": f"Bearer {tokens['Ann']}"}
                made = {"settings": {"game": game, "seats": 3, "audit": "full", "clock": CLOCK}, "bots": ["uniform"]}
                tables[game] = server.ask("/api/tables", made, **shown)["table"]
                table = Table(server, tables[game], tokens, chance)
                assert table.command("Bob", do="join")["ok"]
                assert table.command("Ann", do="start")["ok"]
                for _ in range(12):
                    table.step()
                while table.view("Ann")["public"]["stage"] != "round":
                    table.step()
            views = {
                game: {name: seen(Table(server, table, tokens, chance).view(name)) for name in NAMES}
                for game, table in tables.items()
            }
        back_up(address(Path(folder)), FOLDER / f"{__version__}.zip", overwrite=True)
    kept = {"key": key, "tokens": tokens, "tables": tables, "views": views}
    (FOLDER / f"{__version__}.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
