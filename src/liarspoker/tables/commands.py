"""What can be asked of a table, as programs write it: `{"do": "act", "turn": 7, "action": "5x7"}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from liarspoker.core.errors import told
from liarspoker.tables import shapes
from liarspoker.tables.refused import Refused

MOST_NONCE_BYTES = 64


@dataclass(frozen=True, slots=True)
class Form:
    """What a command looks like, and what it is for.

    Attributes:
        meaning: one sentence for the documentation.
        fields: the keys that it has, and what their values must be.
        needed: those that must be there.
    """

    meaning: str
    fields: Mapping[str, shapes.Check]
    needed: tuple[str, ...] = ()


_CHAIR = shapes.whole(0, 15)
_USER = shapes.text(64, 1)
_UNITS = shapes.whole(1, 10**6)
_PROPOSED = shapes.or_nothing(
    shapes.Check(
        lambda value: _UNITS(value) or _USER(value), f"{_UNITS.takes} as a stake, the id of a user who is to be removed"
    )
)
_PROMISE = shapes.or_nothing(shapes.hexadecimal(32, 32))

FORMS: Mapping[str, Form] = {
    "join": Form("Sit down, in a chair of your choice or in the first that is free.", {"chair": _CHAIR}),
    "leave": Form("Get up for good; a round in play is played to its end for you.", {}),
    "sit_out": Form("Sit out from the next round on.", {}),
    "sit_in": Form("Play again from the next round on.", {}),
    "seat_bot": Form("The owner seats a bot.", {"bot": shapes.text(40, 1), "chair": _CHAIR}, ("bot",)),
    "unseat": Form("The owner sends a bot away.", {"chair": _CHAIR}, ("chair",)),
    "start": Form(
        "The owner closes the waiting room, and is ready for the first round.", {"nonce_commitment": _PROMISE}
    ),
    "ready": Form(
        "Ask for the next round; with a commitment to a nonce, where a program takes part in the deal.",
        {"nonce_commitment": _PROMISE},
    ),
    "open_nonce": Form(
        "Open the nonce to which you are committed.", {"nonce": shapes.hexadecimal(MOST_NONCE_BYTES)}, ("nonce",)
    ),
    "pick": Form(
        "Choose your bill, your slip or the cut, face down, by its number.",
        {"choice": shapes.whole(0, 99)},
        ("choice",),
    ),
    "name": Form(
        "Name the options of the next round, where that is left to who begins it.",
        {"options": shapes.table},
        ("options",),
    ),
    "act": Form(
        "Play an action of the notation, in the turn that you have seen.",
        {"turn": shapes.whole(0, 2**53), "action": shapes.text(200, 1)},
        ("turn", "action"),
    ),
    "propose": Form(
        "Propose a stake for the next hand, to take your last action back, or to remove somebody.",
        {
            "kind": shapes.one_of("stake", "undo", "remove"),
            "value": _PROPOSED,
        },
        ("kind",),
    ),
    "answer": Form(
        "Agree to a proposal, or not; who has made it can take it back.",
        {"proposal": shapes.whole(0, 2**53), "yes": shapes.flag},
        ("proposal", "yes"),
    ),
    "ask_numbers": Form("Ask to see the numbers of the hand just counted, where they are shown on request.", {}),
    "pause": Form("The owner stops the clocks.", {}),
    "resume": Form("The owner lets them run again.", {}),
    "say": Form("Say something to the table.", {"text": shapes.text(300, 1)}, ("text",)),
    "mute": Form("Hear somebody no longer, or again.", {"user": _USER, "on": shapes.flag}, ("user", "on")),
    "chat": Form("The owner turns the chat off or on.", {"on": shapes.flag}, ("on",)),
    "end": Form("The owner closes the table; a round in play is worth nothing.", {}),
}
"""Every command that a person or a program can send."""

EXPIRE = "expire"
EXTEND = "extend"
ABANDON = "abandon"
"""What only the server says: time is up; time has been lost while nobody was there to play; nobody comes any more."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command, with everything in it checked but whether it may be done now.

    Attributes:
        do: its name in `FORMS`, or `EXPIRE`, `EXTEND` or `ABANDON`.
        fields: its values by name.
        version: the table's version that the sender had seen, if he says so.
    """

    do: str
    fields: Mapping[str, Any]
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, when, and the fresh chance that may be used up for it.

    Attributes:
        user: his id; empty for the table's own clock.
        name: what he is called.
        now: the time in seconds.
        seed: 32 random bytes which nobody else knows.
    """

    user: str
    name: str
    now: float
    seed: bytes = field(repr=False)


def read_command(given: Any) -> Command:
    """The command that a stranger sends.

    Raises:
        Refused: `bad-command`, naming what is wrong with it.
    """
    if type(given) is not dict:
        raise Refused("bad-command", f"command: {told(given)} should be an object")
    do = given.get("do")
    form = FORMS.get(do) if type(do) is str else None
    if form is None:
        raise Refused("bad-command", f"do: there is no command {told(do)}; there are {', '.join(FORMS)}")
    version = given.get("version")
    if version is not None and not shapes.whole(0, 2**53)(version):
        raise Refused("bad-command", f"version: {told(version)} is none; it takes the number in a state")
    fields = {key: value for key, value in given.items() if key not in ("do", "version")}
    return Command(str(do), shapes.checked(fields, form.fields, str(do), form.needed), version)
