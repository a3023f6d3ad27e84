"""Short records for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from liarspoker.records import Replay, replay

Record = dict[str, Any]

NAMES = [f"Player {number}" for number in range(1, 20)]
BILLS = ["06742088", "92859819", "07202503"]
"""The numbers of the sample game of source 003."""


@dataclass(frozen=True)
class Bad:
    """A record and its expected fault; `says` is part of the message."""

    name: str
    code: str
    document: Any
    round: int | None = None
    action: int | None = None
    says: str = ""


def hand(actions: str = "", deal: Sequence[str] = BILLS, **more: object) -> Record:
    """Return a hand; actions are separated by commas, and `around` is a challenge by each of the others."""
    texts: list[str] = []
    for text in filter(None, actions.split(", ")):
        texts += ["challenge"] * (len(deal) - 1) if text == "around" else [text]
    return {**more, "deal": list(deal), "actions": texts}


def record(*rounds: object, game: str = "salomon-1986", **top: object) -> Record:
    """Return a record, of three players unless `top` has other ones."""
    return {"lpn": 1, "game": game, "players": NAMES[:3], **top, "rounds": list(rounds)}


def slips(*rounds: object, rows: Sequence[str] = ("06742081",) * 15, seats: int = 2, **top: object) -> Record:
    """Return a record dealt from slips, with the same numbers for every seat."""
    top = {"players": NAMES[:seats], "slips": [list(rows)] * seats, **top}
    return record(*rounds, game="slips", **top)


def bid_by_bid(actions: str, **options: object) -> Replay:
    """Return the replay of a valid hand with the bills of source 003."""
    played = replay(record(hand(actions), options=options))
    assert played.fault is None, played.fault.message
    return played
