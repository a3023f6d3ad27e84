"""A package as somebody else would write it, following the guide alone, and how it is installed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

GAME = "tiny-bills"
DICE = "liars-dice"
BEADS = "beads"
GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "add-a-game.md"
"""Whose code is the package's: what the guide says is all that a package needs."""
ENTRY_POINTS = """
[liarspoker.games]
tiny = tiny_bills:TINY
dice = liars_dice:FAMILY
beads = beads:FAMILY
[liarspoker.bots]
timid = toy_bot:TIMID
"""


def install(folder: Path) -> Path:
    """Install the package in a folder, as pip would do it."""
    for module in ("toy_bot.py", "beads.py"):
        shutil.copy(Path(__file__).with_name(module), folder)
    preset, family = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    (folder / "tiny_bills.py").write_text(preset)
    (folder / "liars_dice").mkdir()
    (folder / "liars_dice" / "__init__.py").write_text(family)
    information = folder / "toy_games-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-games\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder
