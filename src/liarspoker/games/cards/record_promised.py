"""What a hand that is named in Queen Anne's games promises: what must be among all cards."""

from __future__ import annotations

from liarspoker.core.cards.claims import NO_SUIT, Spelling
from liarspoker.games.cards.record_words import RANK_NAMES, RANK_PLURALS, cards_in_words
from liarspoker.games.queen_annes.ladder import wanted
from liarspoker.games.queen_annes.record_text import hand_in_words

_COUNTS = ("", "one", "two", "three", "four")


def promise(named: Spelling) -> str:
    """What must be among all cards for a hand to be there.

    >>> promise(Spelling("full-house", (12, 8))), promise(Spelling("high", (4,)))
    ('three aces and two tens', 'one six')
    >>> promise(Spelling("straight", (3,)))
    'five, four, three, two and ace, of any suits'
    """
    wants = wanted(named)
    if named.suit != NO_SUIT:
        return cards_in_words(4 * rank + suit for rank, suit, _ in wants)
    if len(wants) == 5:
        ranks = [RANK_NAMES[rank] for rank, _, _ in wants]
        return f"{', '.join(ranks[:-1])} and {ranks[-1]}, of any suits"
    return " and ".join(
        f"{_COUNTS[count]} {RANK_NAMES[rank] if count == 1 else RANK_PLURALS[rank]}" for rank, _, count in wants
    )


def there(named: Spelling) -> str:
    """What must be among all cards, as the end of a sentence: `there are two fives, or more`.

    >>> there(Spelling("high", (4,))), there(Spelling("straight-flush", (3,), 2))
    ('there is one six, or more', 'there are 5h 4h 3h 2h Ah')
    """
    more = "" if len(wanted(named)) == 5 else ", or more"
    return f"there {'is' if named.word == 'high' else 'are'} {promise(named)}{more}"


def with_promise(named: Spelling, said: str) -> str:
    """`said` with the promise of the hand in place of `{}`; nothing where the hand's name says it already.

    >>> with_promise(Spelling("pair", (4,)), ": {}"), with_promise(Spelling("three", (4,)), ": {}")
    (': two sixes', '')
    """
    return "" if promise(named) == hand_in_words(named) else said.format(promise(named))
