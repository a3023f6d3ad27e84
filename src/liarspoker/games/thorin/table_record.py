"""The finished rounds of Thorin's game as one seat, or nobody in particular, may know them, for a record."""

from __future__ import annotations

from liarspoker.core.cards.deck import card_text, full_deck
from liarspoker.games.thorin.actions import cards_of, face_down, is_discard, show_of
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.result import ThorinRoundResult
from liarspoker.games.thorin.round import ThorinRound
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.records.family import round_tables
from liarspoker.tables.settings import Json

_HIDDEN = "??"

Places = tuple[int, ...]
"""Where cards of a hand lay in the deck."""


def recorded(session: ThorinSession, seat: int | None, shown: frozenset[int]) -> Json:
    """The keys of a record that hold what was dealt and done.

    Args:
        session: at any moment; a round in play is left out.
        seat: who is told.
        shown: nothing is asked for in this game.
    """
    rounds = round_tables(session)[: len(session.rounds)]
    for table, (dealt, result) in zip(rounds, session.rounds, strict=True):
        known = _known(dealt, result, seat)
        deck = dealt.stock.deck or ()
        cards = [card_text(card) if place in known else _HIDDEN for place, card in enumerate(deck)]
        if known:
            table["deck"] = cards[: dealt.stock.position]
        else:
            del table["deck"]
        actions = [_seen(action, by == seat) for by, action in dealt.moves]
        if not known and result.hand is not None:
            actions.append(show_of(result.hand))
        table["actions"] = list(map(session.write, actions))
    return {"rounds": rounds}


def _seen(action: int, own: bool) -> int:
    return action if own else face_down(action)


def _known(dealt: ThorinRound, result: ThorinRoundResult, seat: int | None) -> frozenset[int]:
    """The places in the deck whose cards are told to `seat`: what it threw, and the hand at the end if it has seen it.

    Other cards that it has seen may have been thrown since; to tell those that were not would tell those that were.
    Once the discards have been shuffled in, places tell nothing any more, and no card is told.
    """
    deck = dealt.stock.deck or ()
    if dealt.stock.end > len(full_deck(dealt.rules.jokers)):
        return frozenset()
    known: set[int] = set()
    hand: Places = tuple(range(HAND_CARDS))
    drawn, seen = HAND_CARDS, dealt.terms.opener == seat
    for by, action in dealt.moves:
        if not is_discard(action):
            continue
        thrown = _places(hand, deck, cards_of(action))
        if by == seat:
            known.update(thrown)
        seen = by == seat or (seen and not thrown)
        hand = (*(place for place in hand if place not in thrown), *range(drawn, drawn + len(thrown)))
        drawn += len(thrown)
    if seen or result.hand is not None:
        known.update(hand)
    return frozenset(known)


def _places(hand: Places, deck: tuple[int, ...], cards: tuple[int, ...]) -> Places:
    """Where these cards of the hand lay."""
    left = list(hand)
    found = []
    for card in cards:
        place = next(place for place in left if deck[place] == card)
        left.remove(place)
        found.append(place)
    return tuple(found)
