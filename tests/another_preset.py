"""A preset that joins the catalogue while a test runs, with no sample rounds, prose or rules page of its own."""

from __future__ import annotations

from importlib import import_module

import pytest

from liarspoker.core import catalogue

FAMILIES = {"digits": "dollar-bill", "cards.passed": "thorin", "cards.pooled": "queen-annes-stud"}
"""For each family, the game whose preset the new one copies."""


def add_preset(monkeypatch: pytest.MonkeyPatch, family: str) -> catalogue.GameRow:
    """A new game of `family` for two to four players, as if somebody had just added it to the catalogue."""
    row = catalogue.GameRow(f"new-{family}", "Somebody's New Game", family, (2, 4), "nowhere", "It is played at home.")
    presets = import_module(f"liarspoker.core.{family}").PRESETS
    monkeypatch.setitem(presets, row.id, presets[FAMILIES[family]])
    monkeypatch.setattr(catalogue, "GAMES", (*catalogue.GAMES, row))
    return row
