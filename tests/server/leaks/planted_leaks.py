"""Deliberate leaks, each made by replacing one function, which the search must find."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from liarspoker.core.cards.deck import card_text
from liarspoker.server.bots.workers import BotWorkers
from liarspoker.server.routes import tables as routes
from liarspoker.server.tables.actor import TableActor
from liarspoker.server.tables.registry import TableRegistry
from liarspoker.tables import decide, export, view
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import Deal, Table
from tests.server.leaks.hidden import hidden_hands, hidden_numbers, plays_digits
from tests.server.leaks.server_world import World
from tests.tables.play import with_more

Plant = Callable[[pytest.MonkeyPatch, World], None]


def a_secret(table: Table) -> Any:
    """Return something hidden: a number, or a hand of cards."""
    if plays_digits(table):
        return next(iter(sorted(hidden_numbers(table, None))), None)
    return next((list(map(card_text, hand)) for hand in sorted(hidden_hands(table, None))), None)


def _session(table: Table) -> str:
    return "" if table.sitting is None else repr(table.sitting.session)


def into_the_view(patch: pytest.MonkeyPatch, world: World) -> None:
    """The public view contains a number."""
    _into_all_views(patch, a_secret)


def into_the_view_as_counts(patch: pytest.MonkeyPatch, world: World) -> None:
    """The public view contains the digit counts of a number, or sorted cards."""

    def counted(table: Table) -> object:
        secret = a_secret(table)
        return {digit: secret.count(digit) for digit in secret} if isinstance(secret, str) else sorted(secret or ())

    _into_all_views(patch, counted)


def _into_all_views(patch: pytest.MonkeyPatch, peek: Callable[[Table], object]) -> None:
    really = view.public
    patch.setattr(view, "public", lambda table, behind=False: with_more(really(table, behind), peek=peek(table)))
    patch.setattr(view, "same_except_turn", lambda before, after: False)


def seed_into_the_view(patch: pytest.MonkeyPatch, world: World) -> None:
    """The commitments behind a deal contain its seed."""
    really = view._deal

    def deal(made: Deal) -> Any:
        return with_more(really(made), seed=made.seed.hex())

    patch.setattr(view, "_deal", deal)


def into_the_log(patch: pytest.MonkeyPatch, world: World) -> None:
    """A log line contains an exception's text with the session."""
    really = TableActor.schedule

    def schedule(one: TableActor) -> None:
        logging.getLogger("liarspoker.server").warning(f"lost: {RuntimeError(_session(one.table))}")
        really(one)

    patch.setattr(TableActor, "schedule", schedule)


def into_an_error(patch: pytest.MonkeyPatch, world: World) -> None:
    """A refusal out of turn contains the hand of the seat to act."""
    patch.setattr(decide, "_not_their_turn", lambda table: Refused("not-your-turn", f"they hold {a_secret(table)}"))


def into_the_records(patch: pytest.MonkeyPatch, world: World) -> None:
    """Everyone gets complete records."""
    patch.setattr(
        routes,
        "records_of",
        lambda table, user: [export._full_record(table, one) for one in export.sittings_of(table)],
    )


class _Payload(int):
    secret: str

    def __repr__(self) -> str:
        return self.secret


def onto_the_bus(patch: pytest.MonkeyPatch, world: World) -> None:
    """Bus messages contain the state."""

    def publish(registry: TableRegistry, table_id: str, version: int) -> None:
        payload = _Payload(version)
        payload.secret = _session(world.registry._actors[table_id].table)
        for listener in registry.listeners:
            listener(table_id, payload)

    patch.setattr(TableRegistry, "publish", publish)


def to_a_bot(patch: pytest.MonkeyPatch, world: World) -> None:
    """A bot gets the session instead of its seat's view."""
    really = BotWorkers.action

    async def action(workers: BotWorkers, bot: str, family: str, seen: Any, seed: bytes) -> int:
        assert world.table.sitting is not None
        return await really(workers, bot, family, world.table.sitting.session, seed)

    patch.setattr(BotWorkers, "action", action)


def into_storage(patch: pytest.MonkeyPatch, world: World) -> None:
    """The stored log contains the seed."""
    really = TableActor._entry

    def entry(one: TableActor, *args: Any) -> Any:
        made = really(one, *args)
        return replace(made, body=f'{made.body[:-1]},"seeds":"{[seed.hex() for _, seed in made.seeds]}"}}')

    patch.setattr(TableActor, "_entry", entry)


def into_a_metric(patch: pytest.MonkeyPatch, world: World) -> None:
    """A metric label contains a hand."""
    really = TableActor.schedule
    patch.setattr(world.service.metrics, "commands", world.service.metrics.commands.copy())

    def schedule(one: TableActor) -> None:
        world.service.metrics.commands[str(a_secret(one.table))] += 1
        really(one)

    patch.setattr(TableActor, "schedule", schedule)


PLANTS: dict[str, tuple[Plant, str]] = {
    "a number in the view": (into_the_view, "socket"),
    "its digits counted in the view": (into_the_view_as_counts, "socket"),
    "a seed in the view": (seed_into_the_view, "socket"),
    "a session in the log": (into_the_log, "log"),
    "a hand in a refusal": (into_an_error, "act"),
    "full records for everybody": (into_the_records, "records"),
    "a session on the bus": (onto_the_bus, "bus"),
    "a session for a bot": (to_a_bot, "bot"),
    "a hand in a metric": (into_a_metric, "/metrics"),
    "a seed in the stored log": (into_storage, "stored"),
}
"""The leaks, and the channel in which each must be found."""
