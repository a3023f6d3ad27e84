"""A preset added to the catalogue for a test, without sample rounds or a rules page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liarspoker.core import catalogue

FAMILIES = {"digits": "dollar-bill", "thorin": "thorin", "queen_annes": "queen-annes-stud"}
"""The game of each family whose preset is copied."""


def add_preset(monkeypatch: pytest.MonkeyPatch, family: str) -> catalogue.GamePreset:
    """Add a new game of `family` for two to four players, as if another package had registered it."""
    row = replace(
        catalogue.preset(FAMILIES[family]),
        id=f"new-{family.replace('_', '-')}",
        title="Somebody's New Game",
        seats=(2, 4),
        source="nowhere",
        summary="It is played at home.",
        badge="",
        rules_text="",
        samples=(),
    )
    monkeypatch.setattr(catalogue, "_registered", lambda: (row,))
    return row
