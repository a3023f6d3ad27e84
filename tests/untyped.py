"""Access to family-specific attributes of sessions."""

from __future__ import annotations

from typing import Any

from liarspoker.core.session import Session


def untyped(session: Session) -> Any:
    """Return the session, untyped, for attributes that only its own class has."""
    return session
