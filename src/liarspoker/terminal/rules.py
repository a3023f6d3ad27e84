"""The rules of a table in the terminal: what differs from the game's own rules, and its rules text by section."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping

from liarspoker.core.catalogue import rules_page
from liarspoker.core.option_info import OptionInfo
from liarspoker.core.session import Game
from liarspoker.language import N_, _
from liarspoker.terminal.screen import Screen

HELP = N_("""\
  rules        show the rules of this table in short
  rules all    show them in full; rules and a heading: one section""")
"""The help on the command; a message."""

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)


def show_rules(screen: Screen, game: Game, changes: Mapping[str, object], wanted: str) -> None:
    """Show the rules in force at a table.

    Args:
        screen: where the player reads.
        game: the game.
        changes: the options that are set at the table; those with their usual value aren't shown.
        wanted: empty for the introduction, `all`, or the beginning of a section's heading.
    """
    introduction, *rest = _SECTION.split(rules_page(game.preset.id))
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    titles = "; ".join(sections)
    found = [title for title in sections if title.casefold().startswith(wanted.casefold())]
    if wanted.lower() == "all":
        parts = [introduction, *map(_section, sections.items())]
    elif not wanted or not sections:
        parts = [introduction]
    elif found:
        parts = [_section((found[0], sections[found[0]]))]
    else:
        screen.say(
            _("{wanted}: type rules, rules all, or rules and a heading: {titles}", wanted=repr(wanted), titles=titles)
        )
        return
    for part in parts:
        _show(screen, part)
        screen.say()
    for line in _differences(game, changes):
        screen.say(line)
    if sections and not wanted:
        screen.say(_("To read on, type rules all, or rules and a heading: {titles}.", titles=titles))


def option_line(info: OptionInfo, usual: object, value: str) -> str:
    """Return an option on a line: its value or values, what is usual, and what it decides."""
    about = _("{value}, usually {usual}: {meaning}", value=value, usual=written(usual), meaning=_(info.meaning))
    return f"  {about}"


def written(value: object) -> str:
    """Return the value of an option as players type it."""
    return str(value).lower() if isinstance(value, bool) else str(value) or '""'


def _section(section: tuple[str, str]) -> str:
    title, text = section
    return f"## {title}\n\n{text.strip()}"


def _differences(game: Game, changes: Mapping[str, object]) -> Iterator[str]:
    usual = game.options()
    lines = [
        option_line(info, getattr(usual, info.name), f"{info.name}={written(changes[info.name])}")
        for info in game.option_infos
        if info.name in changes and changes[info.name] != getattr(usual, info.name)
    ]
    yield _("This table differs from these rules:") if lines else _("This table plays by these rules.")
    yield from lines


def _show(screen: Screen, text: str) -> None:
    """Show Markdown: paragraphs are wrapped to the window, the lines of lists and tables stay lines."""
    for place, block in enumerate(text.strip().split("\n\n")):
        if place:
            screen.say()
        is_prose = not block.startswith(("#", "|", "-"))
        for line in textwrap.wrap(block, screen.width, break_on_hyphens=False) if is_prose else block.splitlines():
            screen.say(screen.strong(line.lstrip("# ")) if line.startswith("#") else line)
