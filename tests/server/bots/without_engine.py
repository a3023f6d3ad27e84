"""A server without the extra `engine`, whose tables have no bots that think."""

import asyncio
from pathlib import Path
from random import Random

from liarspoker.bots import catalogue as bots
from liarspoker.extras import has_engine
from liarspoker.server.bots.table_bots import NO_ENGINE, TableBots
from liarspoker.server.bots.workers import BotWorkers
from liarspoker.web.app import mount_pages
from tests.server.bots.sessions import opened, view_of
from tests.server.inprocess import running

THINKER = "champion:500ms"


def check_server(folder: Path) -> None:
    """Check that a server doesn't offer the bot, and says why where it is asked for."""
    with running(folder, mount_pages) as server:
        ann, table = server.hosted(game="salomon-1986")
        assert THINKER not in {bot["name"] for bot in ann.http.get("/api/bots").json()}
        assert "Champion, thinking" not in ann.http.get("/bots").text
        assert THINKER not in ann.http.get("/new?game=salomon-1986").text
        assert THINKER not in ann.http.get(f"/t/{table}").text
        answer = ann.ask(table, do="seat_bot", bot=THINKER)
        assert not answer["ok"]
        assert answer["code"] == "unknown-bot"
        assert "the packages for it aren't installed" in answer["message"], answer
        refused = ann.post("/api/tables", {"settings": {"game": "slips"}, "bots": [THINKER]})
        assert refused.status_code == 422
        assert "the packages for it aren't installed" in refused.text


async def check_action() -> None:
    """Check that a bot that was seated elsewhere plays without thinking."""
    view = view_of(opened("salomon-1986"))
    both = TableBots(BotWorkers(seconds=60, timeout=60))
    try:
        plain = bots.load("champion", "digits")(view, Random(b"1"))
        assert await both.action(THINKER, "digits", view, b"1") == plain
        assert both.unthought[NO_ENGINE] == 1
        assert both.thinking.pids == ()
    finally:
        await both.close()


def main(folder: Path) -> None:
    """Check everything."""
    assert not has_engine()
    check_server(folder)
    asyncio.run(check_action())
