"""How somebody likes the pages: kept in a cookie, so that the first byte already looks right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from urllib.parse import parse_qsl, urlencode

COOKIE = "liarspoker-looks"
HOST_COOKIE = f"__Host-{COOKIE}"
"""Its name over HTTPS; what was chosen before a server had HTTPS holds until something else is chosen."""
LASTS = 5 * 365 * 86_400


@dataclass(frozen=True, slots=True)
class Preferences:
    """How somebody likes the pages.

    Attributes:
        theme: `system`, `light` or `dark`.
        deck: suits in `four` colours or in `two`.
        motion: `system`, or `still` for none.
        sound: `off` or `on`.
        hand: `shown`, or `hidden` until it is tapped.
    """

    theme: str = "system"
    deck: str = "four"
    motion: str = "system"
    sound: str = "off"
    hand: str = "shown"

    @classmethod
    def read(cls, cookies: Mapping[str, str]) -> Preferences:
        """Those that a browser has kept; whatever cannot be read is as it usually is."""
        return cls().changed(dict(parse_qsl(cookies.get(HOST_COOKIE, cookies.get(COOKIE, ""))[:500])))

    def changed(self, given: Mapping[str, str]) -> Preferences:
        """These with what `given` says of them; values that there are not are passed over."""
        now = {field.name: getattr(self, field.name) for field in fields(self)}
        return Preferences(**{name: given[name] if given.get(name) in CHOICES[name] else now[name] for name in now})

    def written(self) -> str:
        """The cookie's text."""
        return urlencode({field.name: getattr(self, field.name) for field in fields(self)})


CHOICES: Mapping[str, tuple[str, ...]] = {
    "theme": ("system", "light", "dark"),
    "deck": ("four", "two"),
    "motion": ("system", "still"),
    "sound": ("off", "on"),
    "hand": ("shown", "hidden"),
}
"""The values of each preference, the usual one first."""


@dataclass(frozen=True, slots=True)
class Look:
    """Something that can be chosen: what it does, and each value with its words."""

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
