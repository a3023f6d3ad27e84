"""Sessions of a family that a test knows: it may ask more of them than every session can answer."""

from __future__ import annotations

from typing import Any

from liarspoker.core.session import Session


def inside(session: Session) -> Any:
    """The session itself, with all that its own class has."""
    return session
