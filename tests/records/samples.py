"""Records in one line, for tests that read as the notation does."""

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
    """A record and the fault that it should be told; `says` stands in the message."""

    name: str
    code: str
    document: Any
    round: int | None = None
    action: int | None = None
    says: str = ""


def hand(actions: str = "", deal: Sequence[str] = BILLS, **more: object) -> Record:
    """One hand; the actions apart by commas, `around` a challenge from everybody else."""
    texts: list[str] = []
    for text in filter(None, actions.split(", ")):
        texts += ["challenge"] * (len(deal) - 1) if text == "around" else [text]
    return {**more, "deal": list(deal), "actions": texts}


def record(*rounds: object, game: str = "salomon-1986", **top: object) -> Record:
    """One session, of three players unless `top` names others."""
    return {"lpn": 1, "game": game, "players": NAMES[:3], **top, "rounds": list(rounds)}


def slips(*rounds: object, rows: Sequence[str] = ("06742081",) * 15, seats: int = 2, **top: object) -> Record:
    """A session from slips on which every seat has the same numbers."""
    top = {"players": NAMES[:seats], "slips": [list(rows)] * seats, **top}
    return record(*rounds, game="slips", **top)


def bid_by_bid(actions: str, **options: object) -> Replay:
    """One hand over the bills of source 003, which has no fault."""
    played = replay(record(hand(actions), options=options))
    assert played.fault is None, played.fault.message
    return played
