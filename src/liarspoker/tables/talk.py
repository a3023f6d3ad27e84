"""What people say to each other."""

from __future__ import annotations

from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.tables.draft import Draft
from liarspoker.tables.refused import Refused


def say(draft: Draft, command: c.Say) -> None:
    """Say something to the table."""
    chair = draft.chair
    if not draft.table.chat:
        raise Refused("chat-off", "the chat is off at this table")
    text = command.text.strip()
    if not text:
        raise Refused("bad-command", "text: there is nothing in it")
    draft.emit(e.Said(chair.user, chair.name, text, draft.asker.now))


def mute(draft: Draft, command: c.Mute) -> None:
    """Hear somebody no longer, or again."""
    user = draft.chair.user
    if command.user not in draft.table.names or command.user == user:
        raise Refused("no-such-player", "user: nobody else of this id has sat here")
    draft.emit(e.Muted(user, command.user, command.on))


def set_chat(draft: Draft, command: c.SetChat) -> None:
    """Turn the chat off or on."""
    draft.only_owner("turn the chat off or on")
    draft.emit(e.ChatSet(command.on))
