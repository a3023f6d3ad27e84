"""Display preferences, stored in a cookie so that the first response already applies them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from urllib.parse import parse_qsl, urlencode

from starlette.requests import HTTPConnection
from starlette.responses import Response

from liarspoker.language import LANGUAGES, N_, preferred

COOKIE = "liarspoker-looks"
HOST_COOKIE = f"__Host-{COOKIE}"
"""Name of the cookie over HTTPS. `COOKIE` is still read, since it may have been set before the server used HTTPS."""
MAX_AGE = 5 * 365 * 86_400
"""Lifetime of the cookie, in seconds."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """Display preferences.

    Attributes:
        theme: `system`, `light` or `dark`.
        colours: `standard`, or `safe` for colours and patterns that don't need full colour vision.
        text: `normal` or `large`.
        deck: `four` or `two` suit colours.
        motion: `system`, or `still` for no animations.
        sound: the volume of sounds: `on` for a normal one, `off`, `quiet` or `loud`.
        hand: `shown`, or `hidden` until tapped.
        language: `browser` for the one that the browser asks for, or a key of `LANGUAGES`.
        guide: the id of the table that shows hints; empty for none.
    """

    theme: str = "system"
    colours: str = "standard"
    text: str = "normal"
    deck: str = "four"
    motion: str = "system"
    sound: str = "on"
    hand: str = "shown"
    language: str = "browser"
    guide: str = ""

    @classmethod
    def read(cls, cookies: Mapping[str, str]) -> Preferences:
        """Read the preferences from cookies; invalid values are replaced by the defaults."""
        return cls().changed(dict(parse_qsl(cookies.get(HOST_COOKIE, cookies.get(COOKIE, ""))[:500])))

    def changed(self, given: Mapping[str, str]) -> Preferences:
        """Return a copy with the values of `given`; unknown names and values are ignored."""
        now = {field.name: getattr(self, field.name) for field in fields(self)}
        return Preferences(**{name: given[name] if _is_valid(name, given.get(name)) else now[name] for name in now})

    def save(self, response: Response, secure: bool) -> None:
        """Set the cookie on a response; `secure` if the server uses HTTPS."""
        value = urlencode({field.name: getattr(self, field.name) for field in fields(self)})
        name = HOST_COOKIE if secure else COOKIE
        response.set_cookie(name, value, MAX_AGE, path="/", secure=secure, httponly=True, samesite="lax")


CHOICES: Mapping[str, tuple[str, ...]] = {
    "theme": ("system", "light", "dark"),
    "colours": ("standard", "safe"),
    "text": ("normal", "large"),
    "deck": ("four", "two"),
    "motion": ("system", "still"),
    "sound": ("on", "off", "quiet", "loud"),
    "hand": ("shown", "hidden"),
    "language": ("browser", *LANGUAGES),
}
"""The values of each preference except `guide`, the default first."""


def language_of(connection: HTTPConnection) -> str:
    """Return the language of a request's or a socket's page: the chosen one, else the one its browser asks for."""
    chosen = Preferences.read(connection.cookies).language
    return preferred(connection.headers.get("accept-language", "")) if chosen == "browser" else chosen


_GUIDE = re.compile(r"[A-Za-z0-9_-]{0,100}")


def _is_valid(name: str, value: str | None) -> bool:
    if name == "guide":
        return value is not None and _GUIDE.fullmatch(value) is not None
    return value in CHOICES[name]


@dataclass(frozen=True, slots=True)
class Setting:
    """A preference on the settings page: its label, a note, and each value with its label, as messages."""

    name: str
    label: str
    note: str
    values: tuple[tuple[str, str], ...]


SETTINGS = (
    Setting(
        "language",
        N_("Language"),
        N_("The language of all pages."),
        (("browser", N_("Like the browser")), *LANGUAGES.items()),
    ),
    Setting(
        "theme",
        N_("Theme"),
        N_("Light or dark colours."),
        (("system", N_("System")), ("light", N_("Light")), ("dark", N_("Dark"))),
    ),
    Setting(
        "colours",
        N_("Colours"),
        N_("Suits, units and players that differ in lightness and pattern too."),
        (("standard", N_("Standard")), ("safe", N_("Colour-blind safe"))),
    ),
    Setting("text", N_("Text"), N_("Larger text on every page."), (("normal", N_("Normal")), ("large", N_("Large")))),
    Setting(
        "deck",
        N_("Suits"),
        N_("Four-colour decks make suits easier to tell apart."),
        (("four", N_("Four colours")), ("two", N_("Two colours"))),
    ),
    Setting(
        "motion",
        N_("Motion"),
        N_("Animations such as the count."),
        (("system", N_("System")), ("still", N_("Off"))),
    ),
    Setting(
        "sound",
        N_("Sound"),
        N_("Volume of the sounds for deals, bids, challenges, your turn and results."),
        (("off", N_("Off")), ("quiet", N_("Quiet")), ("on", N_("Normal")), ("loud", N_("Loud"))),
    ),
    Setting(
        "hand",
        N_("Your hand"),
        N_("Hide your hand until you tap it."),
        (("shown", N_("Always shown")), ("hidden", N_("Hidden until tapped"))),
    ),
)
"""The preferences on the settings page."""
