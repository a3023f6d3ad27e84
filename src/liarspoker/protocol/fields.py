"""Types of fields that several messages share, with their bounds."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

Count = Annotated[int, Meta(ge=0, le=2**53)]
"""A non-negative integer that every JSON library reads exactly."""

ChairNumber = Annotated[int, Meta(ge=0, le=15)]
MessageId = Annotated[str, Meta(pattern=r"\A[!-~]{1,64}\Z")]
"""1 to 64 visible ASCII characters, without blanks."""

UserId = Annotated[str, Meta(min_length=1, max_length=64)]
Units = Annotated[int, Meta(ge=1, le=10**6)]
Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
"""32 bytes as lower-case hexadecimal digits."""

Options = Annotated[dict[str, bool | int | str], Meta(max_length=40)]
"""Options of a game by name, as a record writes them."""


def check_printable(**texts: object) -> None:
    """Reject texts with characters that can't be shown, such as line breaks and half characters.

    Raises:
        ValueError: naming the field.
    """
    for name, text in texts.items():
        if isinstance(text, str) and not text.isprintable():
            raise ValueError(f"{name}: use visible characters only")
