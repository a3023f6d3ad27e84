"""Pairs of random games that differ only in hidden cards must look the same to the first seat."""

from __future__ import annotations

import io
import pickle
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
from tests.server.leaks.server_walks import WATCHER, ServerWalk, walk
from tests.server.leaks.server_world import BOT, METRICS, World
from tests.untyped import untyped

Change = Callable[[Any, Any], Any]
"""Returns the deal to use, given a session and its next deal."""

_HASH = re.compile(r"\b(?:[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{16})\b")
"""Hash roots depend on the deal, and ids of forms and requests are random; they reveal nothing."""
_PRESENCE = '"kind":"presence"'
_SPECTATORS = re.compile(r'<p class="small muted spectators">[^<]*</p>')
"""The number of spectators on a page depends on timing: closed connections are removed with a delay."""
_TIME = re.compile(r'"at": "[^"]*"')


def other_hands(session: Any, deal: Any) -> Any:
    """Return a deal that looks the same to the first seat and differs in everything hidden from it."""
    family = catalogue.preset(session.setup.preset.id).family
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
    """Replace every digit by another dealt digit, and reverse the order."""
    digits = sorted(set("".join([*deal.numbers, *(row for rows in deal.slips for row in rows)])))
    return "".join(digits[(digits.index(digit) + 1) % len(digits)] for digit in reversed(number))


def random_game(world: World, change: Change | None, **how: Any) -> ServerWalk:
    """Play a random game with changed deals, or with the original ones."""

    def dealt(session: Any, key: bytes, named: Any = None) -> Any:
        deal, opener = really_dealt(session, key, named)
        return (deal if change is None else change(session, deal)), opener

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deals, "dealt", dealt)
        return world.run(walk(world, bots=False, **how))


Outputs = dict[tuple[str | None, str], set[str]]
"""All texts by receiver and channel; their order depends on the event loop."""


def outputs_for(world: World, user: str, condition: Callable[[Table], bool]) -> Outputs:
    """Return everything sent to one player and to users who hold nothing.

    Presence updates are left out, because simultaneous changes can be sent in one message or in two.
    """
    outputs: Outputs = {}
    for one in world.outputs:
        if one.channel == METRICS or _PRESENCE in one.text:
            continue
        if one.user in (user, world.users[WATCHER], None) and condition(one.table):
            text = _without_sharing(one.text) if one.channel == BOT else one.text
            text = _SPECTATORS.sub("", _TIME.sub("", _HASH.sub("#", text)))
            outputs.setdefault((one.user, one.channel), set()).add(text)
    return outputs


def _without_sharing(text: str) -> str:
    """Return what a bot receives, with objects that occur twice written twice: which are shared depends on caches."""
    written = io.BytesIO()
    pickler = pickle.Pickler(written)
    pickler.fast = True
    pickler.dump(pickle.loads(text.encode("latin-1")))
    return written.getvalue().decode("latin-1")


def agree(world: World, condition: Callable[[Table], bool], change: Change, **how: Any) -> bool:
    """Check that two paired runs look the same to the first seat; return whether the hidden cards differed."""
    random_game(world, None, **how)
    if not world.table.deals:
        return False
    user = world.table.deals[0].users[0]

    def while_first(table: Table) -> bool:
        """Whether the user has been first at every deal; the other seats have changed hands."""
        return condition(table) and all(deal.users[0] == user for deal in table.deals)

    one, sessions = outputs_for(world, user, while_first), _first_session(world)
    random_game(world, change, **how)
    other = outputs_for(world, user, while_first)
    difference = _difference(one, other)
    assert not difference, difference
    return bool(sessions != _first_session(world))


def _difference(one: Outputs, other: Outputs) -> str:
    """Return an excerpt from where two outputs differ; empty if they are equal."""
    for place in sorted(one.keys() | other.keys(), key=str):
        here, there = one.get(place, set()), other.get(place, set())
        if here != there:
            left, right = min(here - there, default=""), min(there - here, default="")
            differs = (at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
            at = max(0, next(differs, 0) - 100)
            return f"{place}: {left[at : at + 300]} and {right[at : at + 300]}"
    return ""


def _first_session(world: World) -> Any:
    first = (*world.table.closed, world.table.sitting)[0]
    assert first is not None
    return first.session


def before_the_count(settings: Settings) -> Callable[[Table], bool]:
    """Return a condition: nothing has been shown and, in Thorin's game, the first seat hasn't held the hand."""
    passed = catalogue.preset(settings.game).family == "thorin"

    def so(table: Table) -> bool:
        if table.rounds_played or (table.sitting is not None and not table.sitting.session.in_play):
            return False
        return (
            not passed
            or table.sitting is None
            or all(stint.seat for stint in untyped(table.sitting.session).round.stints)
        )

    return so
