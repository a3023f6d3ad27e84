"""The settings of notices: what a user is notified of over each channel, and the browsers that get push notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from liarspoker.language import N_, _
from liarspoker.server.notices.notices import KINDS, Kind
from liarspoker.server.service import Service
from liarspoker.server.storage.notices import Subscription

CHANNELS: Mapping[str, str] = {"push": N_("Sent to your browsers.")}
"""Where each channel delivers notices, as the settings page says it."""

LABELS: Mapping[Kind, tuple[str, str]] = {
    "turn": (N_("Your turn"), N_("If no page of the table is open.")),
    "invitation": (N_("Invitations"), N_("If someone invites you to a table.")),
}
"""The label of each kind of notices, and a note."""

_BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Chrome": "Chrome",
    "CriOS": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Whether a user gets a kind of notices over a channel.

    Attributes:
        name: the name of the form's field.
        label: the label of the kind.
        note: when such a notice is sent, and where to.
        on: whether the user gets it.
    """

    name: str
    label: str
    note: str
    on: bool


@dataclass(frozen=True, slots=True)
class NoticeSettings:
    """The settings of a user's notices.

    Attributes:
        choices: what the user is notified of.
        devices: the browsers that get push notices, newest first.
        push: whether the server sends push notices.
    """

    choices: Sequence[Choice]
    devices: Sequence[Subscription]
    push: bool


async def notice_settings(service: Service, user: str) -> NoticeSettings | None:
    """Return the settings of a user's notices; `None` if the server sends none."""
    if not service.notices.channels:
        return None
    muted = await service.notices.muted(user)
    choices = [
        Choice(f"{channel.name}-{kind}", _(LABELS[kind][0]), f"{_(LABELS[kind][1])} {_(CHANNELS[channel.name])}", on)
        for channel in service.notices.channels
        for kind in KINDS
        for on in ((channel.name, kind) not in muted,)
    ]
    push = service.push
    return NoticeSettings(choices, [] if push is None else await push.addresses(user), push is not None)


def device_of(agent: str) -> str:
    """Return what the browser and system of a `User-Agent` header are called, in the current language.

    >>> device_of("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36")
    'Chrome on Linux'
    >>> device_of("curl/8.0")
    'Unknown browser'
    """
    browser = next((name for token, name in _BROWSERS.items() if f"{token}/" in agent), _("Unknown browser"))
    system = next((name for token, name in _SYSTEMS.items() if token in agent), "")
    return _("{browser} on {system}", browser=browser, system=system) if system else browser
