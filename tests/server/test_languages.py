"""Texts that several users wait for: each gets them in their own language."""

from __future__ import annotations

import asyncio

from liarspoker.language import speaking
from liarspoker.server.storage.errors import Unavailable
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.terminal.server import Server
from liarspoker.web.routes.verify import _findings
from liarspoker.web.view_models.events import points_text
from tests.server.registries import opened, say


async def test_commands_that_fail_together_fail_in_the_language_of_their_senders(registry: TableRegistry) -> None:
    actor = await opened(registry)
    asked = []
    for number, code in enumerate(("de", "en")):
        with speaking(code):
            asked.append(asyncio.create_task(say(actor, f"user-{number}", "1", do="say", text="hello")))
    await asyncio.sleep(0)  # both commands are waiting
    with speaking("es"):
        actor.fail_pending()
    german, english = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(german, Unavailable)
    assert isinstance(english, Unavailable)
    assert str(english).startswith("the table is moving")
    assert str(german).startswith("der Tisch ")
    await actor.idle()


async def test_findings_of_an_audit_are_in_the_language_of_each_reader(registry: TableRegistry) -> None:
    actor = await opened(registry)
    for _ in range(2):
        texts = []
        for code in ("en", "de"):
            with speaking(code):
                texts.append((await _findings(actor, {"fair": 2}))[0].what)
        assert texts[0] != texts[1]


def test_the_terminal_asks_for_errors_in_the_players_language() -> None:
    with speaking("es"):
        assert Server("http://localhost", token="secret").headers["Accept-Language"] == "es"


def test_points_have_the_decimal_point_of_the_language() -> None:
    with speaking("de"):
        assert points_text(-1.5) == "−1,50"
