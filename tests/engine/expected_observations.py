"""What an observation should contain, computed from the view of a person at the table."""

from __future__ import annotations

from typing import Any

from liarspoker.core.cards.deck import card_text
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, hand_value
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.queen_annes.ladder import named_hand, required_cards
from liarspoker.games.thorin.actions import cards_of, is_discard
from liarspoker.games.thorin.ladder import floor_of


def observed(session: Any, family: str, names: list[str]) -> dict[str, float]:
    """Return the expected value of each feature of the seat to act."""
    found = dict.fromkeys(names, 0.0)
    found[session.phase] = 1
    {"digits": _digits, "queen_annes": _queen_annes, "thorin": _thorin}[family](session, found)
    return {name: found[name] for name in names}


def _digits(session: Any, found: dict[str, float]) -> None:
    view, seats = session.view(session.to_act), session.seats
    rules, auction = view.rules, view.auction
    for digit in view.number:
        found[f"own {digit}"] += 1
    found |= {"bidder": -1, "challenges": auction.challenges, "is rebid": auction.is_rebid, "stake": view.terms.stake}
    found["hand of ten"] = view.terms.hand % 10
    if auction.claim >= 0:
        found["level"] = level_of(auction.claim, rules)
        found[f"standing {digit_of(auction.claim, rules)}"] = 1
        found["bidder"] = (auction.bidder - session.to_act) % seats
    for mover, action in view.moves:
        if action >= 0:
            name = f"bid {digit_of(action, rules)} by {(mover - session.to_act) % seats}"
            found[name] = max(found[name], level_of(action, rules))


def _queen_annes(session: Any, found: dict[str, float]) -> None:
    view = session.view(session.to_act)
    rules, standing, seats = view.rules, view.state, session.seats
    for card in view.known:
        found[f"sees {card_text(card)}"] += 1
    found |= {"hidden": view.hidden, "standing": standing.claim, "made": standing.made, "claimant": -1}
    if standing.claim >= 0:
        found["claimant"] = (standing.claimant - session.to_act) % seats
        for rank, suit, count in required_cards(named_hand(standing.claim, rules)):
            found[f"needs {'23456789TJQKA'[rank]}"] = count
            if suit >= 0:
                found[f"needs {'cdhs'[suit]}"] = 1
    for other in range(seats):
        seat = (session.to_act + other) % seats
        named = [action for mover, action in view.moves if mover == seat]
        found[f"cards {other}"] = view.hand_sizes[seat]
        found[f"losses {other}"] = session.losses[seat]
        found[f"last {other}"] = named[-1] if named else -1


def _thorin(session: Any, found: dict[str, float]) -> None:
    me = session.to_act
    view = session.view(me)
    standing, seats = view.state, session.seats
    for card in view.hand or ():
        found[f"has {card_text(card)}"] += 1
    declared = [stint for stint in view.stints if stint is not view.stints[-1] or standing.active != me]
    if declared:
        left = list(declared[-1].taken)
        for card in declared[-1].discarded:
            left.remove(card)
        for card in (*left, *declared[-1].drawn):
            found[f"had {card_text(card)}"] += 1
    if view.hand is not None:
        found["hand rank"] = hand_value(view.hand, bool(view.rules.double_any))
    found |= {"floor": view.floor, "claimant": -1, "holder": (standing.active - me) % seats}
    found |= {"stock": view.stock_left, "discards": view.discards}
    if standing.claim >= 0:
        found["claimant"] = (standing.claimant - me) % seats
        category, keys = KEYS[view.floor]
        found[CATEGORIES[category]] = 1
        for place, rank in enumerate(keys):
            found[f"key {place + 1}"] = rank + 1 if standing.claim >> 4 - place & 1 else 0
    for other in range(seats):
        seat = (me + other) % seats
        actions = [action for mover, action in view.moves if mover == seat]
        claims, discards = [a for a in actions if a >= 0], [a for a in actions if is_discard(a)]
        found[f"alive {other}"] = seat in view.terms.alive
        found[f"passes {other}"] = view.passes[seat]
        found[f"last {other}"] = floor_of(claims[-1]) if claims else -1
        found[f"discarded {other}"] = len(cards_of(discards[-1])) if discards else -1
