"""Two evenings, alike but for what others hold, and whether they tell the first seat the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import full_deck
from liarspoker.protocol.settings import Settings
from liarspoker.tables import deals
from liarspoker.tables.fair.deal import dealt as really_dealt
from liarspoker.tables.state import Table
from tests.inside import inside
from tests.server.leaks.walks import WATCHER, Walk, walk
from tests.server.leaks.world import METRICS, World

Change = Callable[[Any, Any], Any]
"""From a session and its next deal to the deal that is made instead."""

_HASH = re.compile(r"\b(?:[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{16})\b")
"""The root of a deal changes with the deal, and the ids of a form and of a request are drawn; nobody can tell anything
from them."""
_PRESENCE = '"kind":"presence"'
_LOOKERS = re.compile(r'<p class="small muted lookers">[^<]*</p>')
"""How many spectators a page counts depends on when it is drawn: connections that are closed take a moment to go."""
_TIME = re.compile(r'"at": "[^"]*"')


def other_hands(session: Any, deal: Any) -> Any:
    """The deal in which the first seat sees what it saw, and all that it does not see is otherwise."""
    family = catalogue.row(session.setup.preset.id).family
    if family == "digits":
        return _with_numbers(deal, lambda number: _turned(number, deal))
    if family == "thorin":
        return replace(deal, deck=tuple(reversed(deal.deck)))
    blind = bool(session.setup.rules.blind)
    held = {card for hand in deal.hands for card in hand} | set(deal.extras)
    hidden = [0] if blind else range(1, len(deal.hands))
    cards = [card for seat in hidden for card in deal.hands[seat]]
    free = [card for card in full_deck(session.setup.rules.jokers) if card not in held]
    cards = (free + cards[::-1])[: len(cards)]
    hands = list(deal.hands)
    for seat in hidden:
        count = len(hands[seat])
        hands[seat], cards = tuple(cards[:count]), cards[count:]
    return replace(deal, hands=tuple(hands))


def _with_numbers(deal: Any, changed: Callable[[str], str]) -> Any:
    numbers = tuple(number if seat == 0 else changed(number) for seat, number in enumerate(deal.numbers))
    slips = tuple(rows if seat == 0 else tuple(map(changed, rows)) for seat, rows in enumerate(deal.slips))
    return replace(deal, numbers=numbers, slips=slips)


def _turned(number: str, deal: Any) -> str:
    """Every digit is another one that was dealt, and they stand in the opposite order."""
    digits = sorted(set("".join([*deal.numbers, *(row for rows in deal.slips for row in rows)])))
    return "".join(digits[(digits.index(digit) + 1) % len(digits)] for digit in reversed(number))


def evening(somewhere: World, change: Change | None, **how: Any) -> Walk:
    """An evening at a table that deals otherwise, or as it is."""

    def dealt(session: Any, key: bytes, named: Any = None) -> Any:
        deal, opener = really_dealt(session, key, named)
        return (deal if change is None else change(session, deal)), opener

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deals, "dealt", dealt)
        return somewhere.run(walk(somewhere, bots=False, **how))


Told = dict[tuple[str | None, str], set[str]]
"""Every text by who was told it, and where; when exactly is the event loop's business."""


def told_to(somewhere: World, user: str, while_: Callable[[Table], bool]) -> Told:
    """Every byte that one player was told, and that was told to those who hold nothing.

    Who is there is left out: who comes and goes at once may be told of in one message or in two.
    """
    told: Told = {}
    for one in somewhere.told:
        if one.channel == METRICS or _PRESENCE in one.text:
            continue
        if one.user in (user, somewhere.users[WATCHER], None) and while_(one.table):
            text = _LOOKERS.sub("", _TIME.sub("", _HASH.sub("#", one.text)))
            told.setdefault((one.user, one.channel), set()).add(text)
    return told


def agree(somewhere: World, while_: Callable[[Table], bool], change: Change, **how: Any) -> bool:
    """See that an evening and its double tell the first seat the same; whether there was anything to compare."""
    evening(somewhere, None, **how)
    if not somewhere.table.deals:
        return False
    user = somewhere.table.deals[0].users[0]

    def while_first(table: Table) -> bool:
        """While he has sat first at every deal: the others' seats are those with other hands."""
        return while_(table) and all(deal.users[0] == user for deal in table.deals)

    one, sessions = told_to(somewhere, user, while_first), _first_session(somewhere)
    evening(somewhere, change, **how)
    other = told_to(somewhere, user, while_first)
    difference = _difference(one, other)
    assert not difference, difference
    return bool(sessions != _first_session(somewhere))


def _difference(one: Told, other: Told) -> str:
    """The first text that stands on one side only, from where it differs; empty where there is none."""
    for place in sorted(one.keys() | other.keys(), key=str):
        here, there = one.get(place, set()), other.get(place, set())
        if here != there:
            left, right = min(here - there, default=""), min(there - here, default="")
            differs = (at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
            at = max(0, next(differs, 0) - 100)
            return f"{place}: {left[at : at + 300]} and {right[at : at + 300]}"
    return ""


def _first_session(somewhere: World) -> Any:
    first = (*somewhere.table.closed, somewhere.table.sitting)[0]
    assert first is not None
    return first.session


def before_the_count(settings: Settings) -> Callable[[Table], bool]:
    """Nothing is shown yet, and in Thorin's game the first seat has not had the hand."""
    passed = catalogue.row(settings.game).family == "thorin"

    def so(table: Table) -> bool:
        if table.rounds_played or (table.sitting is not None and not table.sitting.session.in_play):
            return False
        return (
            not passed
            or table.sitting is None
            or all(stint.seat for stint in inside(table.sitting.session).round.stints)
        )

    return so
