"""Where a game is shown and where its player types: lines, wrapped to the window, with colours where possible."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self, TextIO

from liarspoker.language import _, per_language
from liarspoker.records.words import UNBROKEN, name_shown, signed_units
from liarspoker.terminal.line_editor import Completions, LineEditor, is_supported

NARROWEST = 40
USUAL = 80
"""Columns where the width of the window is unknown."""

_BOLD = "\033[1m"
_RED = "\033[31m"
_NO_RED = "\033[39m"
_PLAIN = "\033[0m"
_STRONG = re.compile(re.escape(_BOLD) + "(.*?)" + re.escape(_PLAIN))
_CARD = re.compile(r"(?:(?<![\w#])|(?<=\033\[1m))(10|[2-9JQKA])([shdc])(?!\w)")
_TEN = re.compile(r"(?:(?<![\w#])|(?<=\033\[1m))T(?=[shdc](?!\w))")
_ENTRY = re.compile(r" +(?:\S+ )*\S+ {2,}(?=\S)")
"""The first column of an indented line with two, as in the help; the second is wrapped at its own margin."""
_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


class InputEnded(Exception):
    """Standard input is at its end."""


class Screen:
    """A terminal, or a pipe in and out.

    Args:
        source: what the player types, standard input by default.
        target: what they read, standard output by default.
        plain: plain lines even in a terminal, for screen readers: no line editor, no frames, no suit symbols.

    Attributes:
        boxes: whether bills are drawn with lines around them.
        suits: whether cards are shown with suit symbols.
    """

    def __init__(self, source: TextIO | None = None, target: TextIO | None = None, *, plain: bool = False) -> None:
        self.source: TextIO | None = sys.stdin if source is None else source
        self.target: TextIO = sys.stdout if target is None else target
        self.is_terminal = self.target.isatty() and os.environ.get("TERM") != "dumb"
        self.boxes = self.is_terminal and not plain
        self.suits = self.boxes and _can_show("♠♥♦♣", self.target)
        self.completions: Completions = tuple
        self._bold = self.is_terminal and not os.environ.get("NO_COLOR")
        edits = not plain and is_supported(self.source, self.target)
        self._editor = LineEditor(lambda: self.completions()) if edits else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Release the terminal; nothing is asked afterwards."""

    @property
    def is_interactive(self) -> bool:
        """Whether somebody types at a terminal, who can be asked whether Ctrl-C was meant."""
        return self.is_terminal and self.source is not None and self.source.isatty()

    @property
    def width(self) -> int:
        """Columns to write in: those of the window, 40 or more."""
        return max(NARROWEST, shutil.get_terminal_size((USUAL, 24)).columns)

    def say(self, text: str = "", indent: str = "") -> None:
        """Write a paragraph, wrapped; a line that begins with a space keeps its indent, and links aren't broken."""
        self._write(text, indent, cards=False)

    def draw(self, lines: Iterable[str]) -> None:
        """Write lines as they are."""
        print("\n".join(lines), file=self.target)

    def strong(self, text: str) -> str:
        """Return `text` in bold, in a terminal with colours."""
        return f"{_BOLD}{text}{_PLAIN}" if self._bold else text

    def for_cards(self) -> Screen:
        """Return this screen as card games write to it: with suit symbols, if it can show them."""
        return CardScreen(self) if self.suits else self

    def ask(self, prompt: str = "> ") -> str:
        """Return what the player types next, without surrounding white space.

        Raises:
            InputEnded: the input is at its end.
        """
        if self._editor is not None:
            self.target.flush()
            try:
                return self._editor.read(prompt).strip()
            except EOFError:
                raise InputEnded from None
        print(prompt, end="", flush=True, file=self.target)
        line = self.source.readline() if self.source is not None else ""
        if not line:
            print(file=self.target)
            raise InputEnded
        if not (self.source is not None and self.source.isatty() and self.target.isatty()):
            print(line.rstrip("\n"), file=self.target)
        return line.strip()

    def _write(self, text: str, indent: str, cards: bool) -> None:
        if cards:
            text = _TEN.sub("10", text)
        strong = iter(_STRONG.findall(text))
        for line in _STRONG.sub(r"\1", text).splitlines() or [""]:
            margin = indent + line[: len(line) - len(line.lstrip())]
            entry = _ENTRY.match(margin + line.lstrip())
            column = len(entry[0]) if entry and 2 * len(entry[0]) <= self.width else len(margin) + 2
            wrapped = textwrap.wrap(
                line.strip(),
                self.width,
                initial_indent=margin,
                subsequent_indent=" " * column,
                break_on_hyphens=False,
                break_long_words="://" not in line,
            )
            shown = self._strengthened("\n".join(wrapped), strong).replace(UNBROKEN, " ")
            shown = _heading().sub(lambda heading: self.strong(heading[0]), shown)
            print(_CARD.sub(self._card, shown) if cards else shown, file=self.target)

    def _strengthened(self, wrapped: str, words: Iterator[str]) -> str:
        """Return the wrapped lines with their strong words in bold; codes have no width, so they are added last."""
        strengthened, rest = "", wrapped
        for word in words:
            before, found, rest = rest.partition(word)
            strengthened += before + (self.strong(found) if found else "")
        return strengthened + rest

    def _card(self, card: re.Match[str]) -> str:
        """Return a card with its suit symbol, in red for hearts and diamonds."""
        shown = card[1] + _SUITS[card[2]]
        return f"{_RED}{shown}{_NO_RED}" if self._bold and card[2] in "hd" else shown


class CardScreen(Screen):
    """A screen that shows cards with suit symbols: `As` as `A♠`, `Td` as `10♦`."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self.source, self.target = screen.source, screen.target
        self.is_terminal, self.boxes, self.suits = screen.is_terminal, screen.boxes, screen.suits
        self._bold = screen._bold

    def say(self, text: str = "", indent: str = "") -> None:
        """Write a paragraph."""
        self._screen._write(text, indent, cards=True)

    def draw(self, lines: Iterable[str]) -> None:
        """Write lines as they are."""
        self._screen.draw(lines)

    def ask(self, prompt: str = "> ") -> str:
        """Return what the player types next."""
        return self._screen.ask(prompt)


def show_units(screen: Screen, names: Sequence[str], units: Sequence[int], of: str = "") -> None:
    """Show how much each player has won or lost; `of` names the unit."""
    names = [name_shown(name) for name in names]
    width = max(map(len, names))
    screen.say(_("Score in units of {unit}:", unit=of) if of else _("Score in units:"))
    for name, number in zip(names, units, strict=True):
        screen.say(f"{name:<{width}}  {signed_units(number)}", indent="  ")


@per_language()
def _heading() -> re.Pattern[str]:
    """Return the pattern of the headings that are strong: those of hands, rounds and turns."""
    numbered = {_("Hand {number}: You open.").split()[0], _("Round {number}: You open.").split()[0]}
    turn = _("Your turn: {actions}.").partition(":")[0]
    return re.compile(rf"^(?:(?:{'|'.join(map(re.escape, sorted(numbered)))}) \d+:|{re.escape(turn)}:)")


def next_question(round_word: str) -> str:
    """Return the prompt between rounds, which are called `hand` or `round`."""
    return _("Enter for the next hand > ") if round_word == "hand" else _("Enter for the next round > ")


def _can_show(text: str, target: TextIO) -> bool:
    try:
        text.encode(target.encoding or "utf-8")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
