"""A round of Queen Anne's games, built again from what the server tells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from liarspoker.core.cards.deck import UNKNOWN, read_cards
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.round import QueenAnnesRound, Terms
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.terminal.live.sights import Json, Setting, Sight


def sight(setting: Setting, moves: int) -> Sight:
    """The round after so many of its moves; cards that the seat does not see are unknown."""
    told = setting.told
    begun: Any = setting.game.session(setting.seats, setting.options)
    rules: QueenAnnesRules = begun.setup.rules
    losses = _losses_before(told)
    begun = replace(begun, setup=replace(begun.setup, losses=losses))
    shown = moves == setting.moves and "result" in told
    alive = tuple(seat for seat, size in enumerate(told["hand_sizes"]) if size)
    terms = Terms(told["round"], told["opener"], losses, alive, opener_agreed=told["round"] == 0)
    dealt = QueenAnnesRound.begin(rules, terms, _hands(setting, shown), _extras(setting, shown))
    session: QueenAnnesSession = replace(begun, round=dealt)
    for _, action in told["moves"][:moves]:
        session = session.apply(session.read(action))
    return Sight(session, session.view(setting.seat))


def _losses_before(told: Json) -> tuple[int, ...]:
    """Each seat's losses when the round began: the server tells them with those of its end."""
    loser = told["result"]["loser"] if "result" in told else None
    return tuple(lost - (seat == loser) for seat, lost in enumerate(told["losses"]))


def _hands(setting: Setting, shown: bool) -> tuple[tuple[int, ...], ...]:
    if shown:
        return tuple(read_cards(hand) for hand in setting.told["result"]["hands"])
    sizes = setting.told["hand_sizes"]
    seen = setting.hand.get("seen") or [[]] * len(sizes)
    return tuple(read_cards(cards) or (UNKNOWN,) * size for cards, size in zip(seen, sizes, strict=True))


def _extras(setting: Setting, shown: bool) -> tuple[int, ...]:
    """The cards off the deck as they came: the public ones, one's own covered ones, and in the end all."""
    if shown:
        return read_cards([extra["card"] for extra in setting.told["result"]["extras"]])
    own = {(extra["seat"], extra["turn"]): extra["card"] for extra in setting.hand.get("extras", ())}
    return read_cards([own.get((extra["seat"], extra["turn"]), extra["card"]) for extra in setting.told["extras"]])
