"""A package written only from the guides, and its installation."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

GAME = "tiny-bills"
DICE = "liars-dice"
BEADS = "beads"
GUIDES = Path(__file__).parents[2] / "docs" / "how-to"
"""The guides with the code of the package."""
ENTRY_POINTS = """
[liarspoker.games]
tiny = tiny_bills:TINY
dice = liars_dice:FAMILY
beads = beads:FAMILY
[liarspoker.bots]
timid = toy_bot:TIMID
"""


def install(folder: Path) -> Path:
    """Install the package in a folder as pip does."""
    for module in ("toy_bot.py", "beads.py"):
        shutil.copy(Path(__file__).with_name(module), folder)
    (folder / "tiny_bills.py").write_text(program_of("add-a-variant.md"))
    (folder / "liars_dice").mkdir()
    (folder / "liars_dice" / "__init__.py").write_text(program_of("add-a-game-family.md"))
    information = folder / "toy_games-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-games\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder


def program_of(guide: str) -> str:
    """Return the Python program of a guide."""
    [program] = re.findall(r"```python\n(.*?)```", (GUIDES / guide).read_text(encoding="utf-8"), re.DOTALL)
    return str(program)
