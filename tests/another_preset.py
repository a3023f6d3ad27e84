"""A preset that joins the catalogue while a test runs, with no sample rounds, prose or rules page of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liarspoker.core import catalogue

FAMILIES = {"digits": "dollar-bill", "thorin": "thorin", "queen_annes": "queen-annes-stud"}
"""For each family, the game whose preset the new one copies."""


def add_preset(monkeypatch: pytest.MonkeyPatch, family: str) -> catalogue.GameRow:
    """A new game of `family` for two to four players, as if another package had registered it."""
    row = replace(
        catalogue.row(FAMILIES[family]),
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
