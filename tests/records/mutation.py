"""Valid records with a few edits, of the text or of the parsed document."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.digits.options import OPTIONS
from tests.records.sessions import random_session

Node = Any
Place = tuple[Any, Any]
"""A dict or a list, and a key or an index in it."""


class Again(str):
    """A key that never equals another, for JSON text with duplicate keys."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def nested(depth: int) -> Node:
    """Return nested lists."""
    value: Node = []
    for _ in range(depth):
        value = [value]
    return value


ODD_VALUES: list[Node] = [
    *[None, True, False, 0, 1, 2, -1, 7, 16, 17, 10**18, 10**30, -(10**30), 10**1001, 1.0, 0.5, -0.0, 1e300],
    *[float("nan"), float("inf"), float("-inf")],
    *["", " ", "x", "1", "\0", "\ufeff", "\ud800", "\udfff\ud800", "\x1b[2J", "é", "名前", "\u2028", "A" * 5000],
    *["dollar-bill", "slips", "salomon-1986", "thorin", "zero_low", "????????", "?", "AA", "C*", "00000000"],
    *[[], {}, [[]], [{}], [None], [0], [1, 1], ["a", "b"], ["12345678"] * 2, {"x-a": 1}, {"lpn": 1}],
    *[nested(20), nested(200), {"a": {"b": {"c": []}}}],
]
ODD_ACTIONS: list[Node] = [
    *["challenge", "count", "0x7", "1x1", "1x0", "99x9", f"{10**30}x5", "9" * 101 + "x1", "-3x3", "007x7", "5 sevens"],
    *["an ace", "no sixes", "pass", "take", "", " ", "\0", "\ud800", "5 x 7", "5x77", "x" * 3000, None, 5, ["2x5"], {}],
]
ODD_KEYS = ["lpn", "game", "players", "slips", "letters", "options", "rounds", "opener", "stake", "deal", "actions"]
ODD_KEYS += ["counts", "losses", "deck", "", "x-", "x-a", "X-a", "\0", "\ud800", "hand_size", "wild", "a.b", "\n", "é"]
MARKS = b"{}[]\",:.-+x0123456789eE'#=\\ \n\r\t\0?\xff\xc3\xef\xbb\xbf"


def sound_record(chance: Random) -> Node:
    """Return a small valid record, sometimes with private keys."""
    while True:
        kept = random_session(chance, most_hands=2)
        if kept.session.seats <= 5:
            break
    record = kept.document
    if chance.random() < 0.3:
        record["x-note"] = chance.choice(["é", 1, 0.5, [1, {"a": []}], {"b": True}])
    return record


# --------------------------------------------------------------------------------------------- edits of the tree


def places(node: Node) -> list[Place]:
    """Return the location of every value in a tree."""
    if not isinstance(node, dict | list):
        return []
    inside = list(node.items()) if isinstance(node, dict) else list(enumerate(node))
    found = [(node, key) for key, _ in inside]
    for _, value in inside:
        found += places(value)
    return found


def put(chance: Random, holder: Node, key: Any) -> None:
    """Replace a value."""
    holder[key] = deepcopy(chance.choice(ODD_VALUES))


def drop(chance: Random, holder: Node, key: Any) -> None:
    """Delete a value."""
    del holder[key]


def add(chance: Random, holder: Node, key: Any) -> None:
    """Insert a value next to it."""
    if isinstance(holder, list):
        holder.insert(chance.randint(0, len(holder)), deepcopy(chance.choice(ODD_VALUES)))
    else:
        holder[chance.choice(ODD_KEYS)] = deepcopy(chance.choice(ODD_VALUES))


def repeat(chance: Random, holder: Node, key: Any) -> None:
    """Duplicate an item or a key."""
    if isinstance(holder, list):
        holder.insert(key, deepcopy(holder[key]))
    else:
        holder[Again(key)] = deepcopy(holder[key])


def swap(chance: Random, holder: Node, key: Any) -> None:
    """Swap two values."""
    other = chance.choice(list(holder)) if isinstance(holder, dict) else chance.randrange(len(holder))
    holder[key], holder[other] = holder[other], holder[key]


def nudge(chance: Random, holder: Node, key: Any) -> None:
    """Change a value slightly: a number by one, a string by one character, or the type."""
    value = holder[key]
    if isinstance(value, bool) or value is None:
        holder[key] = int(bool(value))
    elif isinstance(value, int):
        holder[key] = chance.choice([value + 1, value - 1, -value, str(value), float(value % 10**9), bool(value)])
    elif isinstance(value, str) and value:
        at = chance.randrange(len(value))
        holder[key] = value[:at] + chance.choice(["", value[at] * 2, "0", "9", "?", "x", " "]) + value[at + 1 :]
    else:
        put(chance, holder, key)


TREE_EDITS: list[Callable[[Random, Node, Any], None]] = [put, drop, add, repeat, swap, nudge]


def edit_action(chance: Random, record: Node) -> None:
    """Change an action of a round."""
    rounds = [table for table in record["rounds"] if table["actions"]]
    if rounds:
        actions = chance.choice(rounds)["actions"]
        at = chance.randint(0, len(actions))
        actions[at : at + chance.randint(0, 1)] = [chance.choice([*actions, *ODD_ACTIONS])]


def edit_terms(chance: Random, record: Node) -> None:
    """Change the setup of a round."""
    terms: dict[str, list[Node]] = {
        "opener": [-1, 0, 1, 5, 10**30],
        "stake": [0, 1, 2, -1, 10**30],
        "counts": [[0, 0], [9, 9, 9], [-1]],
    }
    key, values = chance.choice(list(terms.items()))
    chance.choice(record["rounds"])[key] = chance.choice(values)


def edit_any_head(chance: Random, record: Node, options: Sequence[OptionInfo]) -> None:
    """Change the version, the game, the players or an option in `options`, or duplicate all rounds."""
    what = chance.randrange(5)
    if what == 0:
        record["lpn"] = chance.choice([0, 2, -1, 10**30])
    elif what == 1:
        record["game"] = chance.choice(["", "dudo", "Slips", *(row.id for row in catalogue.games())])
    elif what == 2:
        record["players"] = ["Ann"] * chance.choice([0, 1, 2, 3, 10, 11, 16, 17])
    elif what == 3:
        record["rounds"] = [*record["rounds"], *deepcopy(record["rounds"])]
    else:
        info = chance.choice(options)
        value = chance.choice([*ODD_VALUES[:20], *info.choices, *info.choices])
        record["options"] = {**record.get("options", {}), info.name: value}


def edit_head(chance: Random, record: Node) -> None:
    """Change the version, the game, the players or an option, or duplicate all rounds."""
    edit_any_head(chance, record, OPTIONS)


def edit_anything(chance: Random, record: Node) -> None:
    """Make a random edit at a random location."""
    holder, key = chance.choice(places(record) or [({"x-a": 1}, "x-a")])
    chance.choice(TREE_EDITS)(chance, holder, key)


def edit_tree(chance: Random, record: Node, edits: int) -> None:
    """Make `edits` random edits of a parsed document."""
    first = chance.choices([edit_action, edit_terms, edit_head, edit_anything], [2, 1, 1, 6])[0]
    for edit in [first, edit_anything, edit_anything][:edits]:
        edit(chance, record)


# --------------------------------------------------------------------------------------------- edits of the text


def edit_text(chance: Random, text: bytes) -> bytes:
    """Delete, insert, duplicate or swap a character, a range or a line of the bytes."""
    lines = text.splitlines(keepends=True)
    if len(lines) > 1 and chance.random() < 0.3:
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        pieces = [b"", lines[at] * 2, lines[other], lines[at].strip(), b"\r\n" + lines[at], lines[at] + lines[other]]
        lines[at] = chance.choice(pieces)
        return b"".join(lines)
    start = chance.randint(0, len(text))
    end = min(len(text), start + chance.choice([0, 1, 1, 1, 2, 5, 40]))
    mark = bytes([chance.choice(MARKS)])
    cut = text[start:end]
    pieces = [b"", mark, cut + mark, mark * 3, cut * 2, cut[::-1], cut.swapcase(), b"9" * 400, cut + b"\0"]
    return text[:start] + chance.choice(pieces) + text[end:]


# ------------------------------------------------------------------------------------------------------- writing


def as_json(record: Node) -> bytes:
    """Return any document as JSON, including duplicate keys and NaN, which JSON lacks."""
    return json.dumps(record, default=str, ensure_ascii=False).encode("utf-8", "surrogatepass")


def as_toml(record: Node) -> bytes:
    """Return any document as TOML, with a table for the options and for each round."""
    if not isinstance(record, dict):
        return inline(record)
    lines, tables = [], []
    for key, value in record.items():
        if key == "options" and isinstance(value, dict):
            tables += [b"[options]", *assignments(value)]
        elif key == "rounds" and isinstance(value, list) and value and all(isinstance(table, dict) for table in value):
            tables += [line for table in value for line in (b"[[rounds]]", *assignments(table))]
        else:
            lines += assignments({key: value})
    return b"\n".join([*lines, *tables, b""])


def assignments(table: Node) -> list[bytes]:
    """Return lines of the form `key = value`."""
    return [key_in_toml(key) + b" = " + inline(value) for key, value in table.items()]


def key_in_toml(key: str) -> bytes:
    """Return a key, quoted if necessary."""
    return key.encode() if re.fullmatch(r"[A-Za-z0-9_-]+", key) else as_json(str(key))


def inline(node: Node) -> bytes:
    """Return a value on one line, including `null`, which TOML lacks."""
    if isinstance(node, dict):
        return b"{" + b", ".join(assignments(node)) + b"}"
    if isinstance(node, list):
        return b"[" + b", ".join(map(inline, node)) + b"]"
    return repr(node).encode() if isinstance(node, float) else as_json(node)


def one_edit_away(chance: Random, record: Node, toml: bool) -> bytes:
    """Return a valid record with one edit, of the text or of the document."""
    if chance.random() < 0.5:
        edit_tree(chance, record, 1)
        return written(record, toml)
    return edit_text(chance, written(record, toml))


def several_edits_away(chance: Random, record: Node, toml: bool) -> bytes:
    """Return a valid record with up to three edits of the document and up to four of the text."""
    edit_tree(chance, record, chance.randint(0, 3))
    text = written(record, toml)
    for _ in range(chance.choice([0, 0, 1, 2, 4])):
        text = edit_text(chance, text)
    return text


def noise(chance: Random) -> bytes:
    """Return random punctuation and words of records."""
    words = [*map(str.encode, [*ODD_KEYS[:12], "true", "null", "nan", "1e5", "[[rounds]]", "challenge"])]
    pieces = [chance.choice(words) if chance.random() < 0.3 else bytes([chance.choice(MARKS)]) for _ in range(30)]
    return b"".join(pieces[: chance.randint(0, 30)])


def written(record: Node, toml: bool) -> bytes:
    """Return a document as TOML or JSON."""
    return as_toml(record) if toml else as_json(record)
