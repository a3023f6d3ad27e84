"""What people say to each other."""

from __future__ import annotations

from typing import Any

from liarspoker.tables import events as e
from liarspoker.tables.draft import Draft
from liarspoker.tables.refused import Refused


def say(draft: Draft, fields: dict[str, Any]) -> None:
    """Say something to the table."""
    chair = draft.chair
    if not draft.table.chat:
        raise Refused("chat-off", "the chat is off at this table")
    text = fields["text"].strip()
    if not text:
        raise Refused("bad-command", "text: there is nothing in it")
    draft.emit(e.Said(chair.user, chair.name, text, draft.asker.now))


def mute(draft: Draft, fields: dict[str, Any]) -> None:
    """Hear somebody no longer, or again."""
    user = draft.chair.user
    if fields["user"] not in draft.table.names or fields["user"] == user:
        raise Refused("no-such-player", "user: nobody else of this id has sat here")
    draft.emit(e.Muted(user, fields["user"], fields["on"]))


def set_chat(draft: Draft, fields: dict[str, Any]) -> None:
    """Turn the chat off or on."""
    draft.only_owner("turn the chat off or on")
    draft.emit(e.ChatSet(fields["on"]))
