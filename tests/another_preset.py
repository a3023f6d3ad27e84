"""A preset that joins the catalogue while a test runs, with no sample rounds, prose or rules page of its own."""

from __future__ import annotations

from importlib import import_module

import pytest

from liarspoker.core import catalogue

FAMILIES = {"digits": "dollar-bill", "thorin": "thorin", "queen_annes": "queen-annes-stud"}
"""For each family, the game whose preset the new one copies."""


PRESETS = {
    "digits": "liarspoker.games.digits.presets",
    "thorin": "liarspoker.games.thorin",
    "queen_annes": "liarspoker.games.queen_annes.presets",
}
"""Where each family has its presets."""


def add_preset(monkeypatch: pytest.MonkeyPatch, family: str) -> catalogue.GameRow:
    """A new game of `family` for two to four players, as if somebody had just added it to the catalogue."""
    row = catalogue.GameRow(f"new-{family}", "Somebody's New Game", family, (2, 4), "nowhere", "It is played at home.")
    presets = import_module(PRESETS[family]).PRESETS
    monkeypatch.setitem(presets, row.id, presets[FAMILIES[family]])
    monkeypatch.setattr(catalogue, "GAMES", (*catalogue.GAMES, row))
    return row
