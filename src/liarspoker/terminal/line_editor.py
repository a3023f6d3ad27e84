"""Line editing, history and completion at a terminal, by prompt_toolkit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document

Completions = Callable[[], Iterable[str]]
"""Returns the lines, or the beginnings of lines, that the Tab key may complete."""


def is_supported(source: TextIO | None, target: TextIO) -> bool:
    """Return whether lines can be edited: input and output are a terminal that can move its cursor."""
    if source is None or os.environ.get("TERM") == "dumb":
        return False
    try:
        return os.isatty(source.fileno()) and os.isatty(target.fileno())
    except (OSError, ValueError):  # a file without a descriptor, as in tests
        return False


class LineEditor:
    """Reads lines at the terminal of this process.

    Args:
        completions: what the Tab key completes.
    """

    def __init__(self, completions: Completions) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.shortcuts import CompleteStyle

        class LineCompleter(Completer):
            """Completes whole lines."""

            def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
                typed = document.text_before_cursor
                for line in matching(typed, completions()):
                    yield Completion(line, start_position=-len(typed))

        self._closed = False
        self._session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),
            completer=LineCompleter(),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            reserve_space_for_menu=0,
        )

    def read(self, prompt: str | Callable[[], str], *, main_thread: bool = True) -> str:
        """Return the line that the player types.

        Args:
            prompt: the prompt, or a function that returns the current one.
            main_thread: whether this is the main thread, which gets the process's signals.

        Raises:
            EOFError: Ctrl-D was pressed, or the editor was closed.
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        if self._closed:
            raise EOFError
        return self._session.prompt(prompt, handle_sigint=main_thread)

    def redraw(self) -> None:
        """Show the current prompt; any thread may call this."""
        self._session.app.invalidate()

    def close(self) -> None:
        """End the current `read`, from another thread, and all later ones."""
        self._closed = True
        app = self._session.app
        loop = app.loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop was closed just now
                loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        app = self._session.app
        app.erase_when_done = True  # no prompt is left behind
        with suppress(Exception):  # it has ended already
            app.exit(exception=EOFError())


def matching(typed: str, lines: Iterable[str]) -> list[str]:
    """Return the lines that begin with what was typed, without regard to case; with a slash, if that begins with one.

    >>> matching("s", ["score", "help", "stake "]), matching("/H", ["score", "help"])
    (['score', 'stake '], ['/help'])
    """
    slash = typed[:1] == "/"
    wanted = typed.removeprefix("/").lower()
    return sorted({f"{'/' * slash}{line}" for line in lines if line.lower().startswith(wanted)})
