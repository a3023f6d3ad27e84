"""The cards that a seat knows to be in the discard pile, so that they can't be drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.games.thorin.actions import cards_of, is_discard
from liarspoker.games.thorin.result import ThorinView
from liarspoker.games.thorin.round import Stint


def known_discards(stints: Sequence[Stint], discarded: int, pile: int) -> tuple[int, ...]:
    """Return the cards in the discard pile that a seat knows, in ascending order.

    They are the cards that the seat has discarded, and those that it passed on and no longer found when it took the
    hand again. Once discards have been shuffled into the stock, none are known.

    Args:
        stints: the seat's stints in this round, in order.
        discarded: the number of cards that all seats have discarded in this round.
        pile: the number of discards not shuffled into the stock.

    >>> from liarspoker.core.cards.deck import cards_text, read_joined_cards
    >>> first, second, taken = map(read_joined_cards, ("KsKdJh8d6s", "AcTh4s", "KsKdAcTh3c"))
    >>> stints = [Stint(0, first, discarded=first[2:], drawn=second), Stint(0, taken)]
    >>> cards_text(known_discards(stints, discarded=4, pile=4)), known_discards(stints, discarded=4, pile=1)
    ('4s6s8dJh', ())
    """
    if discarded != pile:
        return ()
    found = Counter(card for stint in stints for card in stint.discarded)
    for before, later in pairwise(stints):
        found += Counter(before.held) - Counter(later.taken)
    del found[UNKNOWN]
    return tuple(sorted(found.elements()))


def discards_known_in(view: ThorinView) -> tuple[int, ...]:
    """Return the cards in the discard pile that the viewing seat knows; see `known_discards`."""
    discarded = sum(len(cards_of(action)) for _seat, action in view.moves if is_discard(action))
    return known_discards(view.stints, discarded, view.discards)
