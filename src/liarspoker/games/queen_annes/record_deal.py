"""What Queen Anne's games draw and deal, as a record or an audit writes it, and a round of a record played again."""

from __future__ import annotations

from liarspoker.core.cards.deck import card_text, full_deck
from liarspoker.core.errors import BadDeal
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.deal import QueenAnnesChance, QueenAnnesDeal
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.records.shapes import ON_OFF, TEXT, WHOLE, WHOLES, Key, Table, check

MOST_JOKERS = 2

_KEYS = {
    "kind": Key(TEXT, required=True),
    "jokers": Key(WHOLE, required=True),
    "hand_sizes": Key(WHOLES, required=True),
    "extras": Key(ON_OFF, required=True),
}


def draw_parts(needs: QueenAnnesChance) -> Table:
    """What the next round draws: hands off the top of a shuffled deck, and perhaps the rest of it."""
    return {"kind": "hands", "jokers": needs.jokers, "hand_sizes": list(needs.hand_sizes), "extras": needs.extras}


def read_draw(parts: Table, seats: int) -> QueenAnnesChance:
    """What `draw_parts` wrote.

    Raises:
        Fault: `bad-record`: it has not the form of `draw_parts`.
        BadDeal: what no pooled game draws.
    """
    check(parts, _KEYS, "draw")
    sizes, jokers = parts["hand_sizes"], parts["jokers"]
    if parts["kind"] != "hands":
        raise BadDeal("draw: kind should be hands in this game")
    if not 0 <= jokers <= MOST_JOKERS:
        raise BadDeal(f"draw: jokers should be 0 to {MOST_JOKERS}")
    if len(sizes) != seats or min(sizes) < 0 or sum(sizes) > len(full_deck(jokers)):
        raise BadDeal(f"draw: hand_sizes should be {seats}, not below 0, and no more cards than the deck has")
    return QueenAnnesChance(tuple(sizes), jokers, parts["extras"])


def deal_parts(deal: QueenAnnesDeal) -> Table:
    """What was dealt, under the keys of a record."""
    parts: Table = {"deal": [list(map(card_text, hand)) for hand in deal.hands]}
    return {**parts, "extras": list(map(card_text, deal.extras))} if deal.extras else parts


def deal_of(session: QueenAnnesSession) -> QueenAnnesDeal:
    """What was dealt for the round on the table, as far as it is known."""
    dealt = session.round
    assert dealt is not None
    return QueenAnnesDeal(dealt.hands, dealt.deck)


def needs_again(before: QueenAnnesSession, session: QueenAnnesSession) -> QueenAnnesChance:
    """What the round on the table of `session` drew, where the session before it was `before`."""
    return before.chance_spec()


def play_again(
    before: QueenAnnesSession, session: QueenAnnesSession, deal: QueenAnnesDeal, opener: int | None
) -> QueenAnnesSession:
    """The round on the table of `session` once more, move for move, but from `before` with this deal and opener.

    Raises:
        LiarsPokerError: it cannot be played so.
    """
    dealt = session.round
    assert dealt is not None
    again = before.deal(deal, RoundSetup(opener))
    for _, action in dealt.moves:
        again = again.apply(action)
    return again
