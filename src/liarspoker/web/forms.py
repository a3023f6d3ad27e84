"""A table's forms, converted to commands.

Every button of a table is a form with the command's keys as its fields, so that it works without JavaScript; the client
sends the same fields over the WebSocket.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

_INTEGERS = ("turn", "chair", "choice", "proposal", "version")
_FLAGS = ("yes", "on")
_NAMED = "option."
"""Prefix of fields that set an option for one round."""
_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,3})?", re.ASCII)
_PART = "action."
"""Prefix of fields that are parts of the action, such as the cards of a discard."""
_NO_PART = f"{_PART}none"
"""Field with the text to use if no part is given."""


def command_of(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the command as in the public protocol; it isn't validated here.

    Args:
        fields: the form's fields. Empty fields and the form's id are ignored.

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
    command: dict[str, Any] = {}
    parts = [text for name, text in fields.items() if name.startswith(_PART) and name != _NO_PART and text]
    for name, text in fields.items():
        if text == "" or name == "id" or name.startswith(_PART):
            continue
        if name.startswith(_NAMED):
            command.setdefault("options", {})[name.removeprefix(_NAMED)] = option_value(text)
        elif name in _INTEGERS or (name == "value" and fields.get("kind") == "stake"):
            command[name] = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else text
        elif name in _FLAGS:
            command[name] = {"true": True, "false": False}.get(text, text)
        else:
            command[name] = text
    if "action" in command and (parts or _NO_PART in fields):
        command["action"] = " ".join([command["action"], *(parts or [fields[_NO_PART]])])
    return command


def command_id_of(form_id: str, fields: Mapping[str, str]) -> str:
    """Return the id of a form's command; the same form with the same fields always has the same id.

    >>> command_id_of("7", {"do": "say", "text": "hm"}) == command_id_of("7", {"text": "hm", "do": "say"})
    True
    >>> command_id_of("7", {"do": "say", "text": "hm"}) == command_id_of("8", {"do": "say", "text": "hm"})
    False
    """
    return sha256(json.dumps([form_id, sorted(fields.items())]).encode()).hexdigest()[:32]


def option_value(text: str) -> object:
    """Parse an option's value from a form: a flag, a number or a word.

    >>> option_value("true"), option_value("12"), option_value("7.5"), option_value("anyone")
    (True, 12, 7.5, 'anyone')
    """
    if text in ("true", "false"):
        return text == "true"
    if not _NUMBER.fullmatch(text):
        return text
    return float(text) if "." in text else int(text)
