"""What requests and responses look like, for the OpenAPI document."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Strict(BaseModel):
    """A request in which nothing stands that is not known."""

    model_config = ConfigDict(extra="forbid", strict=True)


class GuestRequest(Strict):
    """Somebody new."""

    name: str = Field(max_length=200, description="What the others see, 1 to 24 characters.")


class LoginRequest(Strict):
    """Somebody who has been here before, or a guest who wants to be known."""

    login: str = Field(max_length=200)
    passphrase: str = Field(max_length=1000)


class RenameRequest(Strict):
    """Another name."""

    name: str = Field(max_length=200)


class TokenRequest(Strict):
    """A token for a program."""

    label: str = Field(max_length=200, description="What it is for.")


class TableRequest(Strict):
    """A table to be made."""

    settings: dict[str, Any] = Field(description="See the reference of the protocol; `game` must be there.")
    bots: list[str] = Field(default=[], max_length=15, description="Catalogue names of bots that take a chair each.")
    start: bool = Field(default=False, description="Start at once, without a waiting room.")


class CommandRequest(Strict):
    """A command to a table."""

    id: str = Field(min_length=1, max_length=64, pattern=r"^[!-~]+$", description="The same id takes effect once.")
    command: dict[str, Any] = Field(description='Such as {"do": "act", "turn": 7, "action": "5x7"}.')


class ActRequest(Strict):
    """An action, as a bot posts it."""

    turn: int
    action: str = Field(max_length=200)
    id: str | None = Field(default=None, min_length=1, max_length=64, pattern=r"^[!-~]+$")


class CheckRequest(Strict):
    """An action to be judged, and not played."""

    action: str = Field(max_length=200)


class Error(BaseModel):
    """What was wrong."""

    code: str
    message: str


class ErrorResponse(BaseModel):
    """The one shape of all errors."""

    error: Error


class UserResponse(BaseModel):
    """Somebody."""

    user: str
    name: str
    login: str | None
    guest: bool


class TokenResponse(BaseModel):
    """A token; its secret is told once, when it is made."""

    token: str
    label: str
    created_at: float
    secret: str | None = None


class ReadyResponse(BaseModel):
    """Whether the server can take work, and what it knows of its data."""

    status: Literal["ready", "stopping", "no database"]
    database: Literal["unknown", "sound", "damaged"] = Field(
        description="What the check after the start has found; unknown before it ends, and always with PostgreSQL."
    )
    damaged_tables: list[str] = Field(
        description="The marks, as in log lines, of tables that are refused since their data is damaged."
    )


class TableResponse(BaseModel):
    """A table that was made."""

    table: str
    version: int


class AnswerResponse(BaseModel):
    """What a command came to."""

    ok: bool
    version: int
    code: str = ""
    message: str = ""


class CheckResponse(BaseModel):
    """Whether an action could be played now."""

    legal: bool
    action: str | None = Field(description="As the notation writes it.")
    code: str = ""
    message: str = ""
