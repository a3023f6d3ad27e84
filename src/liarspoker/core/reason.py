"""Why a round came out as it did: the rules that applied, each with the number it gave."""

from __future__ import annotations

from typing import NamedTuple


class Reason(NamedTuple):
    """One rule that applied, and the number it gave. `REASONS` in `liarspoker.records.words` says each in English."""

    rule: str
    amount: int
