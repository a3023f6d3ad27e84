"""What Thorin's game draws and deals, as a record or an audit writes it, and a round of a record played again."""

from __future__ import annotations

from liarspoker.core.cards.deck import card_text
from liarspoker.core.errors import BadDeal
from liarspoker.core.session import RoundSetup
from liarspoker.games.thorin.deal import ThorinChance, ThorinDeal
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.records.shapes import TEXT, WHOLE, Key, Table, check

MOST_JOKERS = 2

_KEYS = {"kind": Key(TEXT, required=True), "jokers": Key(WHOLE, required=True)}


def draw_parts(needs: ThorinChance) -> Table:
    """What the next round draws: a shuffled deck, and what the discards are shuffled by."""
    return {"kind": "deck", "jokers": needs.jokers}


def read_draw(parts: Table, seats: int) -> ThorinChance:
    """What `draw_parts` wrote.

    Raises:
        Fault: `bad-record`: it has not the form of `draw_parts`.
        BadDeal: what this game does not draw.
    """
    check(parts, _KEYS, "draw")
    if parts["kind"] != "deck":
        raise BadDeal("draw: kind should be deck in this game")
    if not 0 <= parts["jokers"] <= MOST_JOKERS:
        raise BadDeal(f"draw: jokers should be 0 to {MOST_JOKERS}")
    return ThorinChance(parts["jokers"])


def deal_parts(deal: ThorinDeal) -> Table:
    """What was dealt: the deck as in a record, and under `shuffle` the seed of the discards, in hexadecimal."""
    parts: Table = {} if deal.deck is None else {"deck": list(map(card_text, deal.deck))}
    return {**parts, "shuffle": deal.seed.hex()} if deal.seed else parts


def deal_of(session: ThorinSession) -> ThorinDeal:
    """What was dealt for the round on the table, as far as it is known, the discards shuffled in at its end."""
    dealt = session.round
    assert dealt is not None
    return ThorinDeal(dealt.stock.deck)


def needs_again(before: ThorinSession, session: ThorinSession) -> ThorinChance:
    """What the round on the table of `session` drew, where the match before it was `before`."""
    dealt = session.round
    assert dealt is not None
    return before.chance_spec(dict(dealt.terms.named))


def play_again(before: ThorinSession, session: ThorinSession, deal: ThorinDeal, opener: int | None) -> ThorinSession:
    """The round on the table of `session` once more, move for move, but from `before` with this deal and opener.

    A hand that had to be shown in `session`, since its record does not tell it, is known here and shown no more.

    Raises:
        LiarsPokerError: it cannot be played so; nor can a round in which cards were thrown unseen.
    """
    dealt = session.round
    assert dealt is not None
    again = before.deal(deal, RoundSetup(opener, options=dict(dealt.terms.named)))
    for _, action in dealt.moves:
        if again.in_play:
            again = again.apply(action)
    return again
