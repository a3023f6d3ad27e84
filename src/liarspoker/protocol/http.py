"""Requests and responses over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from liarspoker.protocol.codec import MessageId
from liarspoker.protocol.commands import MOST_ACTION

Text = Annotated[str, Meta(max_length=200)]


class Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request; unknown keys are rejected."""


class GuestRequest(Request, frozen=True, kw_only=True):
    """A new guest."""

    name: Annotated[Text, Meta(description="What the others see, 1 to 24 characters.")]


class LoginRequest(Request, frozen=True, kw_only=True):
    """Somebody who has been here before, or a guest who wants to be known."""

    login: Text
    passphrase: Annotated[str, Meta(max_length=1000)]


class PassphraseRequest(Request, frozen=True, kw_only=True):
    """Another passphrase."""

    passphrase: Annotated[str, Meta(max_length=1000, description="The one until now.")]
    new_passphrase: Annotated[str, Meta(max_length=1000)]


class EndSessionsRequest(Request, frozen=True, kw_only=True):
    """All sessions but a new one end."""

    passphrase: Annotated[str, Meta(max_length=1000)]


class RenameRequest(Request, frozen=True, kw_only=True):
    """Another name."""

    name: Text


class TokenRequest(Request, frozen=True, kw_only=True):
    """A token for a program."""

    label: Annotated[Text, Meta(description="What it is for.")]


class TableRequest(Request, frozen=True, kw_only=True):
    """A table to be made."""

    settings: Annotated[dict[str, Any], Meta(description="See the reference of the protocol; `game` must be there.")]
    bots: Annotated[
        tuple[str, ...], Meta(max_length=15, description="Catalogue names of bots that take a chair each.")
    ] = ()
    start: Annotated[bool, Meta(description="Start at once, without a waiting room.")] = False


class CommandRequest(Request, frozen=True, kw_only=True):
    """A command to a table."""

    id: Annotated[MessageId, Meta(description="The same id takes effect once.")]
    command: Annotated[dict[str, Any], Meta(description='Such as {"do": "act", "turn": 7, "action": "5x7"}.')]


class ActRequest(Request, frozen=True, kw_only=True):
    """An action, as a bot posts it."""

    turn: int
    action: Annotated[str, Meta(max_length=MOST_ACTION)]
    id: MessageId | None = None


class CheckRequest(Request, frozen=True, kw_only=True):
    """An action to be judged, and not played."""

    action: Annotated[str, Meta(max_length=MOST_ACTION)]


class ErrorText(Struct, frozen=True):
    """What was wrong."""

    code: str
    message: str
    request: Annotated[str | None, Meta(description="The request's id, where the fault is the server's.")] = None


class ErrorResponse(Struct, frozen=True):
    """The one shape of all errors."""

    error: ErrorText


class UserResponse(Struct, frozen=True, kw_only=True):
    """A user."""

    user: str
    name: str
    login: str | None
    guest: bool


class SessionResponse(Struct, frozen=True, kw_only=True):
    """A session that has not ended."""

    created_at: float
    expires_at: float
    current: Annotated[bool, Meta(description="It is the one that asks.")]


class TokenResponse(Struct, frozen=True, kw_only=True):
    """A token; its secret is told once, when it is made."""

    token: str
    label: str
    created_at: float
    secret: str | None = None


class BackupState(Struct, frozen=True, kw_only=True):
    """How the backups stand that a server makes by itself."""

    outcome: Annotated[
        Literal["waiting", "done", "failed"], Meta(description="What this server's last attempt came to.")
    ]
    last: Annotated[float | None, Meta(description="When the last backup was begun by any server, in seconds.")]


class ReadyResponse(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether the server can take work, and what it knows of its data."""

    status: Literal["ready", "stopping", "no database"]
    database: Annotated[
        Literal["unknown", "sound", "damaged"],
        Meta(
            description="What the check after the start has found; unknown before it ends, and always with PostgreSQL."
        ),
    ]
    damaged_tables: Annotated[
        tuple[str, ...],
        Meta(description="The marks, as in log lines, of tables that are refused since their data is damaged."),
    ]
    backup: Annotated[
        BackupState | None, Meta(description="The backups that this server makes by itself, where it makes any.")
    ] = None


class TableResponse(Struct, frozen=True, kw_only=True):
    """A table that was made."""

    table: str
    version: int


class AnswerResponse(Struct, frozen=True):
    """What a command came to.

    Attributes:
        ok: it took effect.
        version: the version that it made, or that it was refused at.
        code: why it was refused.
        message: the same in words, with the remedy.
    """

    ok: bool
    version: int
    code: str = ""
    message: str = ""


class CheckResponse(Struct, frozen=True, kw_only=True):
    """Whether an action could be played now."""

    legal: bool
    action: Annotated[str | None, Meta(description="As the notation writes it.")]
    code: str = ""
    message: str = ""
