"""Questions about odds: the parsing of cards and claims, and errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from liarspoker.core.cards.claims import Spelling, read_spelling
from liarspoker.core.cards.deck import cards_text, check_cards, full_deck, read_cards
from liarspoker.core.errors import BadDeal, BadOption, LiarsPokerError
from liarspoker.games.cards.spoken_claims import as_thorin_claim, parse_spoken_claim
from liarspoker.games.queen_annes.ladder import claim_of, named_hand
from liarspoker.games.queen_annes.options import QueenAnnesRules, packed
from liarspoker.games.queen_annes.presets import presets
from liarspoker.games.thorin import ladder as declarations
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.options import OPTIONS as THORIN_OPTIONS
from liarspoker.games.thorin.options import ThorinOptions, ThorinRules
from liarspoker.games.thorin.options import packed as packed_passed
from liarspoker.language import _
from liarspoker.odds.draws import cards_left


class NotJson(LiarsPokerError):
    """The line isn't JSON in UTF-8."""

    code = "not-json"


class UnknownKind(LiarsPokerError):
    """There is no such kind of question."""

    code = "unknown-kind"


class BadQuestion(LiarsPokerError):
    """A field is missing, unknown, of the wrong type or out of range."""

    code = "bad-question"


class NoSuchClaim(LiarsPokerError):
    """The bid or the named hand doesn't exist in its game."""

    code = "no-such-claim"


class Answer(NamedTuple):
    """The answer to a question.

    Attributes:
        value: the exact value.
        extras: further figures by name.
    """

    value: Fraction
    extras: Mapping[str, float] = {}


def quoted(text: str) -> str:
    """Return `text` as messages show it: quoted, in ASCII, and shortened if it is long.

    >>> quoted("n"), quoted("x" * 100)
    ("'n'", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'")
    """
    return ascii(text if len(text) <= 33 else text[:30] + "...")


_QUEEN_ANNES = presets()["queen-annes"]


def pooled_rules(jokers: int, wild_ranks: str = "") -> QueenAnnesRules:
    """Return the rules of Queen Anne's game with the given jokers and wild ranks.

    Raises:
        BadQuestion: `wild_ranks` contains other characters than ranks, or a rank twice.
    """
    try:
        options = _QUEEN_ANNES.options.with_values({"wild_ranks": wild_ranks}, _QUEEN_ANNES.option_infos)
    except BadOption:
        raise BadQuestion(_('wild_ranks: it must be ranks, each once, such as "2" or "29"')) from None
    return packed(replace(options, jokers=jokers), _QUEEN_ANNES.dealing, seats=2)


def named_in_pool(text: str, rules: QueenAnnesRules) -> Spelling:
    """Return the hand that a claim of Queen Anne's games names, in the notation or as a spoken phrase.

    Raises:
        NoSuchClaim: the text isn't a claim, or there is no such hand.

    >>> named_in_pool("full-house A T", pooled_rules(0)) == named_in_pool("full house A over 10", pooled_rules(0))
    True
    """
    spelt = read_spelling(text) or parse_spoken_claim(text)
    claim = None if spelt is None else claim_of(spelt, rules)
    if claim is None:
        raise NoSuchClaim(
            _("{text} isn't a hand; write one as pair 7, full-house AT or flush KJ752 c", text=quoted(text))
        )
    return named_hand(claim, rules)


def draw_option(name: str) -> tuple[str, ...]:
    """Return the values of an option of Thorin's game that matters for odds, the default first.

    >>> draw_option("or_better"), draw_option("duplicate")
    (('worst', 'words'), ('five_only', 'any'))
    """
    return next(tuple(map(str, info.choices)) for info in THORIN_OPTIONS if info.name == name)


@lru_cache(maxsize=64)
def draw_rules(jokers: int, or_better: str = "worst", duplicate: str = "five_only") -> ThorinRules:
    """Return the rules of Thorin's game with these options, as far as they matter for odds."""
    return packed_passed(ThorinOptions(jokers=jokers, or_better=or_better, duplicate=duplicate), seats=2)


def declaration(text: str, jokers: int, duplicate: str = "five_only") -> int:
    """Return a claim of Thorin's game, in the notation or as a spoken phrase.

    Args:
        text: the claim.
        jokers: the number of jokers in the deck.
        duplicate: the option of this name.

    Raises:
        NoSuchClaim: the text isn't a claim, or no hand from the deck fits it.

    >>> from liarspoker.core.cards.hand_values import KEYS
    >>> KEYS[declarations.floor_of(declaration("pair _A", jokers=0))]
    (1, (0, 12, 2, 1))
    """
    spelt = read_spelling(text)
    if spelt is None and (said := parse_spoken_claim(text)) is not None:
        spelt = as_thorin_claim(said)
    rules = draw_rules(jokers, duplicate=duplicate)
    claim = None if spelt is None else declarations.claim_of(spelt, rules)
    if claim is None:
        raise NoSuchClaim(_("{text} isn't a hand; write one as two-pair 73, pair _A or straight", text=quoted(text)))
    return claim


def cards_in_deck(texts: Sequence[str], jokers: int, place: str) -> tuple[int, ...]:
    """Return the cards with the given texts, from a deck with `jokers` jokers.

    Raises:
        BadQuestion: a text isn't a card, a card occurs twice, or there are too many jokers.
    """
    try:
        cards = read_cards(texts, place)
        if min(cards, default=0) < 0:
            raise BadQuestion(_("{place}: every card must be known", place=place))
        check_cards(cards, jokers, place)
    except BadDeal as error:
        raise BadQuestion(str(error)) from None
    return cards


def pool_cards(known: Sequence[str], unknown: int, jokers: int) -> tuple[int, ...]:
    """Return the known cards of a pool.

    Raises:
        BadQuestion: invalid cards, or more unknown cards than the deck has left.
    """
    cards = cards_in_deck(known, jokers, "known")
    left = len(full_deck(jokers)) - len(cards)
    if unknown > left:
        raise BadQuestion(
            _("unknown: {unknown} cards; the deck has only {left} unknown cards", unknown=unknown, left=left)
        )
    return cards


def hand_and_discard(
    hand: Sequence[str], discard: Sequence[str], jokers: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a hand of Thorin's game and the cards discarded from it.

    Raises:
        BadQuestion: invalid cards, not five of them, or discarded cards that the hand doesn't hold.
    """
    held = cards_in_deck(hand, jokers, "hand")
    if len(held) != HAND_CARDS:
        raise BadQuestion(_("hand: {count} cards; a hand must have five", count=len(held)))
    discarded = cards_in_deck(discard, jokers, "discard")
    missing = cards_left(discarded, held)
    if missing:
        raise BadQuestion(_("discard: the hand doesn't hold {cards}", cards=cards_text(missing)))
    return held, discarded


def gone_cards(gone: Sequence[str], hand: Sequence[int], jokers: int) -> tuple[int, ...]:
    """Return the earlier discards that a player of Thorin's game knows.

    Raises:
        BadQuestion: invalid cards, cards that the hand holds, or more than leave five to draw.
    """
    cards = cards_in_deck(gone, jokers, "gone")
    deck = full_deck(jokers)
    twice = cards_left((*cards, *hand), deck)
    if twice:
        raise BadQuestion(_("gone: the hand holds {cards}", cards=cards_text(twice)))
    most = len(deck) - 2 * HAND_CARDS
    if len(cards) > most:
        raise BadQuestion(_("gone: {count} cards; at most {most} can be gone", count=len(cards), most=most))
    return cards
