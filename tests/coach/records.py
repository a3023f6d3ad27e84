"""A record that is reviewed fast."""

from __future__ import annotations

from typing import Any

SMALL: dict[str, Any] = {
    "lpn": 1,
    "game": "salomon-1986",
    "players": ["Ann", "Bob", "Cy"],
    "options": {"hand_size": 3, "symbols": 3, "rebid": True},
    "rounds": [
        {"deal": ["112", "233", "131"], "actions": ["2x1", "3x3", "4x1", "challenge", "challenge", "count"]},
        {"deal": ["222", "333", "112"], "actions": ["2x3", "challenge", "challenge", "count"]},
    ],
}
