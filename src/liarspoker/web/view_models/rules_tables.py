"""Tables of the rules' pages, row by row from the engine: what levels pay, which hand beats which, who gets a card."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import groupby, product

from liarspoker.core.cards.claims import write_spelling
from liarspoker.core.cards.deck import JOKER, RANKS, SUITS, card_text
from liarspoker.core.cards.hand_values import CATEGORIES, FIVE, STARTS, hand_value
from liarspoker.games.cards.record_words import claim_in_words, value_in_ranks, value_in_words
from liarspoker.games.digits.ladder import claim_of
from liarspoker.games.digits.options import packed
from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.settlement import bid_multiplier, none_multiplier
from liarspoker.games.queen_annes.dealing import NO_SLOT, cards_at_once, extra_slot, face_up
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand
from liarspoker.games.queen_annes.options import packed as packed_pooled
from liarspoker.games.queen_annes.presets import presets as pooled_presets
from liarspoker.odds.draws import chance_of_fresh_hand
from liarspoker.odds.figures import percent


@dataclass(frozen=True, slots=True)
class Bonus:
    """What a range of levels pays, as multiples of the stake: `levels` in figures, `plain` and `sixes`."""

    levels: str
    plain: int
    sixes: int


@dataclass(frozen=True, slots=True)
class Category:
    """One category of Thorin's game.

    Attributes:
        name: in words.
        weakest: its weakest hand in words.
        ranks: the ranks of that hand.
        cards: five cards that make it.
        chance: that five fresh cards are of this category.
    """

    name: str
    weakest: str
    ranks: str
    cards: tuple[str, ...]
    chance: str


@dataclass(frozen=True, slots=True)
class Named:
    """One category of Queen Anne's ladder: how many hands can be named, the lowest and the highest of them."""

    name: str
    hands: int
    lowest: str
    highest: str
    written: str


@dataclass(frozen=True, slots=True)
class Turns:
    """Who has lost so often gets these cards in Stud: before the round, and on his turns; `up`, `down` or nothing."""

    losses: int
    at_once: int
    cards: tuple[str, ...]


def bonuses(game: str, players: int) -> tuple[Bonus, ...]:
    """What the levels of a digit game pay among so many players.

    >>> [(row.levels, row.plain, row.sixes) for row in bonuses("salomon-1986", 5)][:3]
    [('1 to 7', 1, 2), ('8 to 9', 2, 4), ('10 to 11', 3, 6)]
    """
    rules = packed(presets()[game].options, players)
    worth = [
        (level, bid_multiplier(claim_of(level, 5, rules), rules), bid_multiplier(claim_of(level, 6, rules), rules))
        for level in range(1, rules.hand_size * players + 1)
    ]
    rows = []
    for (plain, sixes), levels in groupby(worth, key=lambda one: one[1:]):
        span = [level for level, *_ in levels]
        rows.append(Bonus(f"{span[0]} to {span[-1]}" if len(span) > 1 else str(span[0]), plain, sixes))
    return tuple(rows)


def skunk(players: int) -> int:
    """How many stakes each pays if nobody holds one."""
    return none_multiplier(players)


@cache
def categories() -> tuple[Category, ...]:
    """The categories of Thorin's game, the lowest first, each with its weakest hand."""
    return tuple(_category(place) for place in range(len(CATEGORIES)))


def _category(place: int) -> Category:
    weakest, jokers = STARTS[place], 1 if place == FIVE else 0
    return Category(
        name=CATEGORIES[place].replace("-", " "),
        weakest=value_in_words(weakest),
        ranks=value_in_ranks(weakest),
        cards=_cards_worth(weakest),
        chance=percent(_dealt(place, jokers)) if not jokers else "with a joker only",
    )


def _dealt(place: int, jokers: int) -> Fraction:
    return chance_of_fresh_hand(STARTS[place], jokers) - chance_of_fresh_hand(STARTS[place + 1], jokers)


def _cards_worth(value: int) -> tuple[str, ...]:
    """Five cards that are worth `value`, found by trying suits; four and a joker where no natural hand is."""
    ranks = value_in_ranks(value).replace("10", "T").split("-")
    for suits in product(range(len(SUITS)), repeat=len(ranks)):
        cards = tuple(4 * RANKS.index(rank) + suit for rank, suit in zip(ranks, suits, strict=True))
        if len(set(cards)) == len(cards) and hand_value(cards) == value:
            return tuple(map(card_text, cards))
    four = tuple(4 * RANKS.index(ranks[0]) + suit for suit in range(len(SUITS)))
    return tuple(map(card_text, (*four, JOKER)))


@cache
def named_hands(game: str) -> tuple[Named, ...]:
    """The categories of Queen Anne's ladder, the lowest first."""
    preset = pooled_presets()[game]
    rules = packed_pooled(preset.options, preset.dealing, seats=2)
    every = [named_hand(claim, rules) for claim in range(ladder_length(rules))]
    rows = []
    for word, group in groupby(every, key=lambda one: one.word):
        hands = list(group)
        rows.append(
            Named(
                word.replace("-", " "),
                len(hands),
                claim_in_words(hands[0]),
                claim_in_words(hands[-1]),
                write_spelling(hands[-1]),
            )
        )
    return tuple(rows)


@cache
def turns(game: str) -> tuple[Turns, ...]:
    """Which cards a player gets, by how often he has lost, while somebody else has not lost yet."""
    preset = pooled_presets()[game]
    rules = packed_pooled(preset.options, preset.dealing, seats=2)
    rows = []
    for losses in range(rules.exit_losses):
        slots = [extra_slot(turn, losses, 0, rules) for turn in range(1, rules.extras + 1)]
        cards = tuple("" if slot == NO_SLOT else "up" if face_up(slot, rules) else "down" for slot in slots)
        rows.append(Turns(losses, cards_at_once(losses, rules), cards))
    return tuple(rows)
