"""How the pages can look, in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """Something that can be chosen.

    Attributes:
        name: as `preferences` calls it.
        label: in words.
        note: what it does.
        values: what can be chosen, each with its words.
    """

    name: str
    label: str
    note: str
    values: tuple[tuple[str, str], ...]


LOOKS = (
    Look(
        "theme",
        "Theme",
        "Paper by day, a lamp over the table by night.",
        (("system", "As the system"), ("light", "Paper"), ("dark", "Night")),
    ),
    Look(
        "deck",
        "Suits",
        "Four colours tell the suits apart faster; their shapes do in any case.",
        (("four", "Four colours"), ("two", "Two colours")),
    ),
    Look(
        "motion",
        "Motion",
        "The count raises hands one by one; without motion everything is there at once.",
        (("system", "As the system"), ("still", "None")),
    ),
    Look("sound", "Sound", "A short sound when it is your turn.", (("off", "Off"), ("on", "On"))),
    Look(
        "hand",
        "Your hand",
        "Hidden, it lies face down until you tap it: for trains and pubs.",
        (("shown", "Shown"), ("hidden", "Hidden until tapped")),
    ),
)
"""Everything that can be chosen."""
