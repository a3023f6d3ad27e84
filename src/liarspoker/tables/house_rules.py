"""The rules of a table as a short code, which links and saved house rules contain.

`salomon-1986,hand_size=7,rebid=false,1-d760e668e41b` is a game, what differs from its baseline, the version of this
format and a checksum. Names with the prefix `table.` are settings of the table.

A code keeps its meaning when defaults change, because it is relative to the baselines below and not to the defaults.
Baselines never change; a new option or setting is added with the value that older codes must keep.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import quote, unquote

from msgspec import structs, to_builtins

from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import Game
from liarspoker.language import _
from liarspoker.protocol.settings import Clock, Settings
from liarspoker.tables.settings import load_game, read_settings

FORMAT = "1"
"""The version of the format."""

RULES = ("from_slips", "clock", "days", "rounds", "spectators", "audit", "choose", "chat", "help")
"""The settings of a table that belong to its rules, in addition to the game and its options."""

_CLOCK_PARTS = tuple(field.name for field in structs.fields(Clock))
_MOST = 4000
"""The maximum length of a code."""
_PREFIX = "table."
_WORDS: Mapping[str, object] = {"true": True, "false": False, "null": None}
_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,3})?", re.ASCII)


class NoSuchRules(LiarsPokerError):
    """A code of rules is damaged, or this server can't play the rules."""

    code = "no-such-rules"


def code_of(settings: Settings) -> str:
    """Return the code of a table's rules: its game, its options and its settings in `RULES`.

    Tables with the same rules have the same code. Times are rounded to milliseconds.

    >>> code_of(read_settings({"game": "salomon-1986", "options": {"rebid": False, "hand_size": 7}, "title": "Friday"}))
    'salomon-1986,hand_size=7,rebid=false,1-d760e668e41b'
    """
    game = load_game(settings.game)
    options = game.options(dict(settings.options))
    values = {info.name: getattr(options, info.name) for info in game.option_infos}
    table = to_builtins(settings)
    table |= table["clock"] or {}
    values |= {_PREFIX + name: table[name] for name in (*RULES, *_CLOCK_PARTS) if name in table and name != "clock"}
    baseline = _baseline(settings.game)
    texts = {name: _text(value) for name, value in values.items()}
    parts = sorted(f"{name}={text}" for name, text in texts.items() if baseline.get(name) != text)
    return ",".join([settings.game, *parts, _mark(settings.game, parts)])


def read_code(code: str) -> Settings:
    """Return the rules with this code as settings of a table; those that aren't rules have their defaults.

    Raises:
        NoSuchRules: the code is damaged, or this server can't play the rules.

    >>> read_code("salomon-1986,hand_size=7,rebid=false,1-d760e668e41b").options
    {'rebid': False, 'hand_size': 7}
    """
    game_id, *parts = code.split(",")
    mark = parts.pop() if parts else ""
    if len(code) > _MOST or not re.fullmatch(r"\d+-[0-9a-f]{12}", mark, re.ASCII):
        raise _damaged()
    if not mark.startswith(f"{FORMAT}-"):
        raise NoSuchRules(
            _(
                "these rules were saved by a newer version of Liar's Poker than this server has; ask its "
                "operator to update"
            )
        )
    if mark != _mark(game_id, sorted(parts)):
        raise _damaged()
    named = dict(part.split("=", 1) for part in parts if "=" in part)
    try:
        return _settings(load_game(game_id), {**_baseline(game_id), **named})
    except (LiarsPokerError, ValueError) as error:
        raise NoSuchRules(_("this server can't play these rules: {error}", error=error)) from error


def _settings(game: Game, texts: Mapping[str, str]) -> Settings:
    preset = game.options()
    options: dict[str, object] = {}
    table: dict[str, Any] = {}
    for name, text in texts.items():
        if name.startswith(_PREFIX):
            table[name.removeprefix(_PREFIX)] = _value(text)
        else:
            options[name] = _unescaped(text) if isinstance(getattr(preset, name, None), str) else _value(text)
    clock = {part: table.pop(part) for part in _CLOCK_PARTS if part in table}
    table["clock"] = clock if clock.get("turn") is not None else None
    if unknown := table.keys() - RULES:
        raise NoSuchRules(_("{name} isn't a setting of a table's rules", name=min(unknown)))
    changes = game.options(options).changes_from(preset)
    return read_settings({"game": game.preset.id, "options": changes, **table})


def _damaged() -> NoSuchRules:
    return NoSuchRules(_("this link is damaged: a part of it is missing or was changed; ask for it again"))


def _mark(game: str, parts: Iterable[str]) -> str:
    """Return the version and the checksum that end a code."""
    return f"{FORMAT}-{sha256(','.join([FORMAT, game, *parts]).encode()).hexdigest()[:12]}"


def _text(value: object) -> str:
    """Return a value without characters that have a meaning in codes or URLs."""
    if isinstance(value, str):
        return quote(value, safe="").replace("~", "%7E").replace("%", "~")
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return next((word for word, meaning in _WORDS.items() if meaning is value), str(value))


def _value(text: str) -> object:
    """Return the value that `_text` wrote, if it isn't a string that looks like another value."""
    if text in _WORDS:
        return _WORDS[text]
    if not _NUMBER.fullmatch(text):
        return _unescaped(text)
    return float(text) if "." in text else int(text)


def _unescaped(text: str) -> str:
    return unquote(text.replace("~", "%"))


def _baseline(game: str) -> dict[str, str]:
    """Return the values that the codes of a game leave out; a game of another package has none for its options."""
    options = BASELINES.get(game, "")
    return dict(part.split("=", 1) for part in f"{TABLE_BASELINE} {options}".split())


TABLE_BASELINE = (
    "table.from_slips=null table.turn=null table.bank=0 table.ready=60 table.rounds=null table.spectators=live "
    "table.audit=full table.choose=false table.chat=true table.help=true"
)
_DIGITS = (
    "cap_level=true carry_across_slips=true loose_order=false compound_carry=false none_carry=double "
    "next_opener=final_bidder row_letters=skip_IO first_opener_tie=lowest_seat hand_size=8 symbols=10 "
)
_1986 = (
    "order=zero_high rebid=true level_bonus=true sixes=true hero=true none_wins=true progressive=true "
    "tenth_double=true "
)
_QUEEN_ANNES = (
    "jokers=0 wild_ranks= next_opener=loser who_may_challenge=next flush_order=ranks_first wheel=true "
    "flush_of_straight=false "
)
BASELINES: Mapping[str, str] = {
    "dollar-bill": _DIGITS
    + "order=zero_low rebid=false level_bonus=false sixes=false hero=false none_wins=false progressive=false "
    "tenth_double=false two_player_none=loses reveal=full",
    "salomon-1986": _DIGITS + _1986 + "two_player_none=loses reveal=counts",
    "slips": _DIGITS + _1986 + "two_player_none=push reveal=full",
    "thorin": "jokers=0 passes=0 dealers_choice=false duplicate=five_only or_better=worst take_top=false",
    "queen-annes": _QUEEN_ANNES,
    "queen-annes-indian": _QUEEN_ANNES,
    "queen-annes-stud": _QUEEN_ANNES + "stud_everyone_lost=skip_slot stud_exit_losses=6 stud_deal_to=to_act",
}
"""The option values that the codes of a game leave out. They are not the game's defaults, which may change."""
