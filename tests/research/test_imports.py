"""Using one library for research doesn't import the others."""

from __future__ import annotations

import subprocess
import sys

import pytest

LIBRARIES = {"pettingzoo", "gymnasium", "pyspiel", "open_spiel", "ray", "numba"}


@pytest.mark.parametrize(
    ("modules", "allowed"),
    [
        (("liarspoker.research.game_state", "liarspoker.research.cluster"), set()),
        (("liarspoker.research.pettingzoo",), {"pettingzoo", "gymnasium"}),
        (("liarspoker.research.openspiel",), {"pyspiel"}),
    ],
)
def test_a_module_imports_only_its_own_library(modules: tuple[str, ...], allowed: set[str]) -> None:
    asked = f"import sys, {', '.join(modules)}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True).stdout.split()
    assert LIBRARIES & set(loaded) <= allowed
