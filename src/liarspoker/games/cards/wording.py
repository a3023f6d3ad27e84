"""Cards, claims and hand values in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from liarspoker.core.cards.claims import NO_SUIT, OPEN_RANK, Spelling, write_spelling
from liarspoker.core.cards.deck import RANKS, card_text
from liarspoker.core.cards.hand_values import ACE, CATEGORIES, KEYS, straight_ranks
from liarspoker.language import N_, _, per_language, pgettext
from liarspoker.records.words import YOU

RANK_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
"""The English names of the ranks, which players may type; `rank_names` has those that they read."""
RANK_PLURALS = tuple(name + ("es" if name == "six" else "s") for name in RANK_NAMES)
"""The English names of several cards of each rank, which players may type; `rank_plurals` has those that they read."""
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
"""The English names of the suits, which players may type; `suit_names` has those that they read."""
SUIT_SIGNS = "♣♦♥♠"

_Forms = tuple[str, str]
"""A message as part of a sentence, with an article if it needs one, and as a label."""

# Translators: the names of poker hands, as part of a sentence such as "Ann declares a pair." and as a label.
_NAMES: Mapping[str, _Forms] = {
    "high": (N_("high card"), N_("high card")),
    "pair": (N_("a pair"), N_("pair")),
    "color-flush": (N_("a color flush"), N_("color flush")),
    "two-pair": (N_("two pair"), N_("two pair")),
    "three": (N_("three of a kind"), N_("three of a kind")),
    "straight": (N_("a straight"), N_("straight")),
    "flush": (N_("a flush"), N_("flush")),
    "full-house": (N_("a full house"), N_("full house")),
    "color-straight-flush": (N_("a color straight flush"), N_("color straight flush")),
    "four": (N_("four of a kind"), N_("four of a kind")),
    "straight-flush": (N_("a straight flush"), N_("straight flush")),
    "royal-flush": (N_("a royal flush"), N_("royal flush")),
    "five": (N_("five of a kind"), N_("five of a kind")),
}
# Translators: {ranks} is a message such as "aces".
_OF_RANK: Mapping[str, _Forms] = {
    "pair": (N_("a pair of {ranks}"), N_("pair of {ranks}")),
    "three": (N_("three {ranks}"), N_("three {ranks}")),
    "four": (N_("four {ranks}"), N_("four {ranks}")),
    "five": (N_("five {ranks}"), N_("five {ranks}")),
}


def said_of_two(name: str, second: str, you: str, to_you: str, others: str, /, **values: object) -> str:
    """Return a message about two players, `{name}` and `{second}`; see `said_of`.

    Args:
        name: the first player's name, or `You`.
        second: the second player's name, or `You`.
        you: the message if the player themself is the first, a literal marked with `N_`.
        to_you: the message if the player themself is the second, marked likewise.
        others: the message about other players, marked likewise.
        values: the values of other placeholders.
    """
    return _(you if name == YOU else to_you if second == YOU else others, name=name, second=second, **values)


@per_language(None)
def rank_names() -> tuple[str, ...]:
    """Return the names of the ranks in the current language."""
    return (
        pgettext("a card's rank", "two"),
        pgettext("a card's rank", "three"),
        pgettext("a card's rank", "four"),
        pgettext("a card's rank", "five"),
        pgettext("a card's rank", "six"),
        pgettext("a card's rank", "seven"),
        pgettext("a card's rank", "eight"),
        pgettext("a card's rank", "nine"),
        pgettext("a card's rank", "ten"),
        pgettext("a card's rank", "jack"),
        pgettext("a card's rank", "queen"),
        pgettext("a card's rank", "king"),
        pgettext("a card's rank", "ace"),
    )


@per_language(None)
def rank_plurals() -> tuple[str, ...]:
    """Return the names of several cards of each rank in the current language, as in "aces over tens"."""
    return (
        pgettext("cards of a rank", "twos"),
        pgettext("cards of a rank", "threes"),
        pgettext("cards of a rank", "fours"),
        pgettext("cards of a rank", "fives"),
        pgettext("cards of a rank", "sixes"),
        pgettext("cards of a rank", "sevens"),
        pgettext("cards of a rank", "eights"),
        pgettext("cards of a rank", "nines"),
        pgettext("cards of a rank", "tens"),
        pgettext("cards of a rank", "jacks"),
        pgettext("cards of a rank", "queens"),
        pgettext("cards of a rank", "kings"),
        pgettext("cards of a rank", "aces"),
    )


@per_language(None)
def suit_names() -> tuple[str, ...]:
    """Return the names of the suits in the current language."""
    return (
        pgettext("a suit", "clubs"),
        pgettext("a suit", "diamonds"),
        pgettext("a suit", "hearts"),
        pgettext("a suit", "spades"),
    )


@per_language(None)
def _cards() -> tuple[str, ...]:
    """Return a card of each rank, with its article."""
    return (
        pgettext("a card", "a two"),
        pgettext("a card", "a three"),
        pgettext("a card", "a four"),
        pgettext("a card", "a five"),
        pgettext("a card", "a six"),
        pgettext("a card", "a seven"),
        pgettext("a card", "an eight"),
        pgettext("a card", "a nine"),
        pgettext("a card", "a ten"),
        pgettext("a card", "a jack"),
        pgettext("a card", "a queen"),
        pgettext("a card", "a king"),
        pgettext("a card", "an ace"),
    )


@per_language(None)
def _further_cards() -> tuple[str, ...]:
    """Return one more card of each rank."""
    return (
        pgettext("a card", "another two"),
        pgettext("a card", "another three"),
        pgettext("a card", "another four"),
        pgettext("a card", "another five"),
        pgettext("a card", "another six"),
        pgettext("a card", "another seven"),
        pgettext("a card", "another eight"),
        pgettext("a card", "another nine"),
        pgettext("a card", "another ten"),
        pgettext("a card", "another jack"),
        pgettext("a card", "another queen"),
        pgettext("a card", "another king"),
        pgettext("a card", "another ace"),
    )


@per_language(None)
def _single_cards() -> tuple[str, ...]:
    """Return one card of each rank, as a number of cards."""
    return (
        pgettext("a number of cards", "one two"),
        pgettext("a number of cards", "one three"),
        pgettext("a number of cards", "one four"),
        pgettext("a number of cards", "one five"),
        pgettext("a number of cards", "one six"),
        pgettext("a number of cards", "one seven"),
        pgettext("a number of cards", "one eight"),
        pgettext("a number of cards", "one nine"),
        pgettext("a number of cards", "one ten"),
        pgettext("a number of cards", "one jack"),
        pgettext("a number of cards", "one queen"),
        pgettext("a number of cards", "one king"),
        pgettext("a number of cards", "one ace"),
    )


@per_language(None)
def _kicker_names() -> tuple[str, ...]:
    """Return a kicker of each rank, as in "a pair of sevens with a jack kicker"."""
    return (
        pgettext("after with", "a two kicker"),
        pgettext("after with", "a three kicker"),
        pgettext("after with", "a four kicker"),
        pgettext("after with", "a five kicker"),
        pgettext("after with", "a six kicker"),
        pgettext("after with", "a seven kicker"),
        pgettext("after with", "an eight kicker"),
        pgettext("after with", "a nine kicker"),
        pgettext("after with", "a ten kicker"),
        pgettext("after with", "a jack kicker"),
        pgettext("after with", "a queen kicker"),
        pgettext("after with", "a king kicker"),
        pgettext("after with", "an ace kicker"),
    )


def format_rank(rank: int) -> str:
    """Return a rank as printed on cards: `2` to `10`, `J`, `Q`, `K`, `A`."""
    return "10" if RANKS[rank] == "T" else RANKS[rank]


def format_ranks(ranks: Iterable[int]) -> str:
    """Return ranks joined by hyphens: `10-10-5-5-2`."""
    return "-".join(map(format_rank, ranks))


def format_cards(cards: Iterable[int]) -> str:
    """Return cards in notation, separated by spaces.

    >>> format_cards((44, 52, -1))
    'Kc Jk ??'
    """
    return " ".join(map(card_text, cards))


def high_to_low(cards: Iterable[int]) -> tuple[int, ...]:
    """Sort cards from high to low: jokers first, unknown cards last.

    >>> high_to_low((0, 51, 52, -1, 3))
    (52, 51, 3, 0, -1)
    """
    return tuple(sorted(cards, reverse=True))


def describe_card(rank: int, suit: int) -> str:
    """Return the name of a card: `the eight of clubs`."""
    return _("the {rank} of {suit}", rank=rank_names()[rank], suit=suit_names()[suit])


def describe_required_card(rank: int, suit: int) -> str:
    """Describe a card that a named hand requires: `an eight`, or with a suit `the eight of clubs`."""
    return _cards()[rank] if suit == NO_SUIT else describe_card(rank, suit)


def describe_further_card(rank: int) -> str:
    """Describe a card of a rank after others of it: `another eight`."""
    return _further_cards()[rank]


def describe_cards_of_rank(count: int, rank: int) -> str:
    """Return a number of cards of a rank in words, 1 to 4.

    >>> describe_cards_of_rank(1, 6), describe_cards_of_rank(3, 12)
    ('one eight', 'three aces')
    """
    ranks = rank_plurals()[rank]
    match count:
        case 1:
            return _single_cards()[rank]
        case 2:
            return pgettext("a number of cards", "two {ranks}", ranks=ranks)
        case 3:
            return pgettext("a number of cards", "three {ranks}", ranks=ranks)
    return pgettext("a number of cards", "four {ranks}", ranks=ranks)


def name_category(word: str) -> str:
    """Return the name of a category as a label, from its word in the notation.

    >>> name_category("two-pair"), name_category("royal-flush")
    ('two pair', 'royal flush')
    """
    return _(_NAMES[word][1])


def describe_claim(named: Spelling, *, label: bool = False) -> str:
    """Describe a claim in words; use the notation if it can't be put in words.

    Args:
        named: the claim.
        label: as a label, without an article; otherwise as part of a sentence.

    >>> def words(text): return describe_claim(read_spelling(text))
    >>> from liarspoker.core.cards.claims import read_spelling
    >>> words("two-pair 73J"), words("high KT"), words("pair _A"), words("flush KJ752 c"), words("full-house AT")
    ... # doctest: +NORMALIZE_WHITESPACE
    ('two pair, sevens over threes with a jack kicker', 'king-ten high', 'a pair with an ace kicker',
     'a flush of clubs, K-J-7-5-2', 'a full house, aces over tens')
    >>> describe_claim(read_spelling("pair 7"), label=True)
    'pair of sevens'
    """
    ranks = named.ranks
    while ranks and ranks[-1] == OPEN_RANK:
        ranks = ranks[:-1]
    return _described(named.word, ranks, named.suit, int(label)) or write_spelling(named)


def format_value_ranks(value: int) -> str:
    """Return the five ranks of a hand of rank `value` in Thorin's game, most significant first.

    >>> format_value_ranks(0)
    '7-5-4-3-2'
    """
    category, keys = KEYS[value]
    return format_ranks(_five_ranks(CATEGORIES[category], keys))


def describe_value(value: int) -> str:
    """Describe a hand of rank `value` in Thorin's game: its category and its significant ranks."""
    category, keys = KEYS[value]
    return describe_claim(Spelling(CATEGORIES[category], keys))


def _five_ranks(word: str, keys: Sequence[int]) -> Sequence[int]:
    if word in ("straight", "color-straight-flush", "straight-flush"):
        low_ace = keys[0] < ACE
        return sorted(straight_ranks(keys[0]), key=lambda rank: -1 if low_ace and rank == ACE else rank, reverse=True)
    counts = {"pair": (2,), "two-pair": (2, 2), "three": (3,), "full-house": (3, 2), "four": (4,), "five": (5,)}
    times = counts.get(word, ())
    return [rank for place, rank in enumerate(keys) for _ in range(times[place] if place < len(times) else 1)]


def _described(word: str, ranks: tuple[int, ...], suit: int, form: int) -> str | None:
    """Describe a claim in a form of `_Forms`; return `None` if its open ranks can't be put in words."""
    if word == "straight-flush" and ranks == (ACE,):
        word, ranks = "royal-flush", ()
    if word in _OF_RANK:
        return _of_a_kind(word, ranks, form)
    if word == "two-pair":
        return _two_pair(ranks)
    if OPEN_RANK in ranks:
        return None
    if word == "high":
        return _high(ranks)
    if word == "full-house":
        return _full_house(ranks, form)
    hand = _(_NAMES[word][form])
    if suit != NO_SUIT:
        # Translators: {hand} is a message such as "a flush".
        hand = _("{hand} of {suit}", hand=hand, suit=suit_names()[suit])
    if not ranks or word == "royal-flush":
        return hand
    if len(ranks) == 1:
        # Translators: {hand} is a message such as "a straight" or "a flush of clubs".
        return _("{hand}, {rank} high", hand=hand, rank=rank_names()[ranks[0]])
    return f"{hand}, {format_ranks(ranks)}"


def _high(ranks: tuple[int, ...]) -> str:
    names = [rank_names()[rank] for rank in ranks]
    if not names:
        return _(_NAMES["high"][0])
    if len(names) == 1:
        # Translators: a hand with no pair whose highest card is a {rank}, such as "king high".
        return _("{rank} high", rank=names[0])
    if len(names) == 2:
        return _("{rank}-{second} high", rank=names[0], second=names[1])
    # Translators: {ranks} is such as "K-10-7-5-2".
    return _("{ranks} high", ranks=format_ranks(ranks))


def _full_house(ranks: tuple[int, ...], form: int) -> str:
    names = [rank_plurals()[rank] for rank in ranks]
    if not names:
        return _(_NAMES["full-house"][form])
    if len(names) == 1:
        forms = N_("a full house, {ranks} full"), N_("full house, {ranks} full")
        return _(forms[form], ranks=names[0])
    # Translators: three cards of a rank and a pair, such as "a full house, aces over tens".
    forms = N_("a full house, {three} over {two}"), N_("full house, {three} over {two}")
    return _(forms[form], three=names[0], two=names[1])


def _of_a_kind(word: str, ranks: tuple[int, ...], form: int) -> str | None:
    main, kickers = ranks[:1], ranks[1:]
    if OPEN_RANK in kickers:
        return None
    if main in ((), (OPEN_RANK,)):
        hand = _(_NAMES[word][form])
    else:
        hand = _(_OF_RANK[word][form], ranks=rank_plurals()[main[0]])
    return _with_kickers(hand, kickers)


def _two_pair(ranks: tuple[int, ...]) -> str | None:
    mains, kickers = ranks[:2], ranks[2:]
    if mains[:1] == (OPEN_RANK,) and mains[1] != OPEN_RANK:
        return None
    names = [rank_plurals()[rank] for rank in mains if rank != OPEN_RANK]
    if not names:
        hand = _(_NAMES["two-pair"][0])
    elif len(names) == 1:
        # Translators: the higher pair is of {ranks}, such as "two pair, jacks up"; the lower one is left open.
        hand = _("two pair, {ranks} up", ranks=names[0])
    else:
        hand = _("two pair, {ranks} over {second}", ranks=names[0], second=names[1])
    return _with_kickers(hand, kickers)


def _with_kickers(hand: str, ranks: Sequence[int]) -> str:
    if not ranks:
        return hand
    if len(ranks) == 1:
        # Translators: {hand} is a message such as "a pair of sevens", {kicker} one such as "a jack kicker".
        return _("{hand} with {kicker}", hand=hand, kicker=_kicker_names()[ranks[0]])
    # Translators: {ranks} is such as "A-K".
    return _("{hand} with {ranks} kickers", hand=hand, ranks=format_ranks(ranks))
