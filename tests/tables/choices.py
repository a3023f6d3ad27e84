"""Choosing actions like a client that knows a table only through the live protocol."""

from __future__ import annotations

from random import Random
from typing import Any


def some_action(hand: dict[str, Any], chance: Random) -> str:
    """Return a random legal action, given a private view."""
    legal = hand["legal"]
    answers: list[str] = [word for word in ("challenge", "count", "take", "pass") if legal.get(word)]
    answers += legal.get("answers", ())
    if legal.get("discard"):
        return "discard " + ("".join(chance.sample(hand["hand"], chance.randrange(4))) or "-")
    if legal.get("declare"):
        return f"declare {legal['min_claim']}"
    if legal.get("claim") and (not answers or chance.random() < 0.5):
        return f"claim {legal['min_claim']}"
    claims = legal.get("claims", ())
    if claims and (not answers or chance.random() < 0.5):
        claim: str = claims[min(int(chance.expovariate(0.2)), len(claims) - 1)]
        return claim
    return chance.choice(answers)
