"""A form that comes twice, by a double click or sent anew after a break, does once what it is for."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

from starlette.requests import HTTPConnection

_REMEMBERED = 2_000
"""So many forms are remembered, the last ones."""

Made = TypeVar("Made")


class Once:
    """What forms came to that make something new, such as a guest or a table."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[Hashable, asyncio.Task[Any]] = OrderedDict()

    async def of(self, form: Hashable, make: Callable[[], Awaitable[Made]]) -> Made:
        """What `make` makes for a form; the same again where the form has come before, or comes at the same time.

        What fails is forgotten, so that the form may be sent again. Who goes away meanwhile ends nothing but his wait.

        Args:
            form: tells the form from all others, those of other people among them.
            make: called once.
        """
        task: asyncio.Task[Made] | None = self._tasks.get(form)
        if task is None:
            task = self._tasks[form] = asyncio.create_task(_made(make))
            task.add_done_callback(lambda done: self._forget_failed(form, done))
            if len(self._tasks) > _REMEMBERED:
                self._tasks.popitem(last=False)
        return await asyncio.shield(task)

    def _forget_failed(self, form: Hashable, done: asyncio.Task[Any]) -> None:
        if (done.cancelled() or done.exception() is not None) and self._tasks.get(form) is done:
            del self._tasks[form]


async def _made(make: Callable[[], Awaitable[Made]]) -> Made:
    return await make()


def once_of(connection: HTTPConnection) -> Once:
    """The forms that have come to the application behind a request."""
    once: Once = connection.app.state.once
    return once
