"""A table's forms: what a page sends, as the command that it means.

Every button of a table is a form with the command's keys as its fields, so that it works without a script; the script
sends the same fields over the socket.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

_WHOLE = ("turn", "chair", "choice", "proposal", "version")
_FLAGS = ("yes", "on")
_NAMED = "option."
"""Before the name of an option that is named for a round."""
_PART = "action."
"""Before the names of fields that are parts of the action, such as the cards of a discard."""
_NO_PART = f"{_PART}none"
"""What stands for the parts if there are none."""


def command_of(fields: Mapping[str, str]) -> dict[str, Any]:
    """The command, as the public protocol writes it; whether it is one is judged where every command is.

    Args:
        fields: the form's, all texts. An empty one is left out, as if it were not there; so is the form's own id.

    >>> command_of({"do": "act", "turn": "7", "action": "5x7"})
    {'do': 'act', 'turn': 7, 'action': '5x7'}
    >>> command_of({"do": "propose", "kind": "stake", "value": "4"})
    {'do': 'propose', 'kind': 'stake', 'value': 4}
    >>> command_of({"do": "name", "option.one_pass": "true"})
    {'do': 'name', 'options': {'one_pass': True}}
    >>> command_of({"action": "discard", "action.none": "-", "action.2": "7h", "action.5": "2s"})
    {'action': 'discard 7h 2s'}
    >>> command_of({"action": "discard", "action.none": "-"})
    {'action': 'discard -'}
    """
    told: dict[str, Any] = {}
    parts = [text for name, text in fields.items() if name.startswith(_PART) and name != _NO_PART and text]
    for name, text in fields.items():
        if text == "" or name == "id" or name.startswith(_PART):
            continue
        if name.startswith(_NAMED):
            told.setdefault("options", {})[name.removeprefix(_NAMED)] = option_value(text)
        elif name in _WHOLE or (name == "value" and fields.get("kind") == "stake"):
            told[name] = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else text
        elif name in _FLAGS:
            told[name] = {"true": True, "false": False}.get(text, text)
        else:
            told[name] = text
    if "action" in told and (parts or _NO_PART in fields):
        told["action"] = " ".join([told["action"], *(parts or [fields[_NO_PART]])])
    return told


def command_id_of(form_id: str, fields: Mapping[str, str]) -> str:
    """The id of a form's command: the same form, filled in the same way, is the same command however often it comes.

    >>> command_id_of("7", {"do": "say", "text": "hm"}) == command_id_of("7", {"text": "hm", "do": "say"})
    True
    >>> command_id_of("7", {"do": "say", "text": "hm"}) == command_id_of("8", {"do": "say", "text": "hm"})
    False
    """
    return sha256(json.dumps([form_id, sorted(fields.items())]).encode()).hexdigest()[:32]


def option_value(text: str) -> object:
    """The value of a game's option that a form writes: a flag, a number, or a word.

    >>> option_value("true"), option_value("12"), option_value("anyone")
    (True, 12, 'anyone')
    """
    if text in ("true", "false"):
        return text == "true"
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 16 else text
