"""What a question is: a kind, its fields and what answers it; cards and claims as questions write them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from liarspoker.core.cards.claims import Spelling, read_spelling
from liarspoker.core.cards.deck import cards_text, check_cards, full_deck, read_cards
from liarspoker.core.errors import BadDeal, BadOption, LiarsPokerError
from liarspoker.games.cards.record_spoken import in_thorins_words, spoken_claim
from liarspoker.games.queen_annes.ladder import claim_of, named_hand
from liarspoker.games.queen_annes.options import QueenAnnesRules, packed
from liarspoker.games.queen_annes.presets import presets
from liarspoker.games.thorin import ladder as declarations
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.options import ThorinOptions
from liarspoker.games.thorin.options import packed as packed_passed
from liarspoker.odds.draws import cards_left


class NotJson(LiarsPokerError):
    """The line is no JSON object in UTF-8."""

    code = "not-json"


class UnknownKind(LiarsPokerError):
    """There is no such kind of question."""

    code = "unknown-kind"


class BadQuestion(LiarsPokerError):
    """A field is missing, unknown, of the wrong type or out of range."""

    code = "bad-question"


class NoSuchClaim(LiarsPokerError):
    """The bid or the named hand that the question is about does not exist in its game."""

    code = "no-such-claim"


class Answer(NamedTuple):
    """What a question is answered with: the exact value, and further figures by name."""

    value: Fraction
    extras: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class Check:
    """What a field takes: the values in words, and whether a value from JSON is one of them."""

    expected: str
    accepts: Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of question: the fields that it must and may have, and what answers it once they are checked."""

    answer: Callable[..., Answer]
    fields: Mapping[str, Check]
    optional: Mapping[str, Check] = field(default_factory=dict)

    def ask(self, given: Mapping[str, object]) -> Answer:
        """The answer to the question with the fields `given`.

        Raises:
            BadQuestion: a field is missing, unknown, of the wrong type or out of range.
            NoSuchClaim: from the kind's own function.
        """
        checks = {**self.fields, **self.optional}
        missing = [name for name in self.fields if name not in given]
        if missing:
            raise BadQuestion(f"{missing[0]}: missing")
        for name, value in given.items():
            check = checks.get(name)
            if check is None:
                raise BadQuestion(f"{quoted(name)}: no such field; this kind has {', '.join(checks)}")
            if not check.accepts(value):
                raise BadQuestion(f"{name}: should be {check.expected}")
        return self.answer(**given)


def whole(low: int | None = None, high: int | None = None) -> Check:
    """Whole numbers from `low` to `high`; true and 2.0 are none.

    >>> whole(2, 16).expected, whole(2, 16).accepts(16), whole().accepts(2.0), whole(0, 1).accepts(True)
    ('a whole number from 2 to 16', True, False, False)
    """
    words = "a whole number"
    if low is not None:
        words += f" from {low} to {high}" if high is not None else f", {low} or more"

    def accepts(value: object) -> bool:
        return type(value) is int and (low is None or low <= value) and (high is None or value <= high)

    return Check(words, accepts)


def one_of(values: Collection[str]) -> Check:
    """One of a few strings.

    >>> one_of(("a", "b")).expected
    '"a" or "b"'
    """
    words = [f'"{value}"' for value in values]
    expected = f"{', '.join(words[:-1])} or {words[-1]}"
    return Check(expected, lambda value: isinstance(value, str) and value in values)


def quoted(text: str) -> str:
    """`text` as a message shows it: in quotes, in plain letters, and not at any length.

    >>> quoted("n"), quoted("x" * 100)
    ("'n'", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'")
    """
    return ascii(text if len(text) <= 33 else text[:30] + "...")


_QUEEN_ANNES = presets()["queen-annes"]


def pooled_rules(jokers: int, wild_ranks: str = "") -> QueenAnnesRules:
    """The rules of Queen Anne's games with these wild cards; all else is as the preset has it.

    Raises:
        BadQuestion: ranks that are none, or one of them twice.
    """
    try:
        options = _QUEEN_ANNES.options.with_values({"wild_ranks": wild_ranks}, _QUEEN_ANNES.option_infos)
    except BadOption:
        raise BadQuestion('wild_ranks: should be ranks, each once, such as "2" or "29"') from None
    return packed(replace(options, jokers=jokers), _QUEEN_ANNES.dealing, seats=2)


def named_in_pool(text: str, rules: QueenAnnesRules) -> Spelling:
    """The hand that a claim of the pooled games names, in the notation or in words that people say.

    Raises:
        NoSuchClaim: the text is no claim, or no hand that can be named.

    >>> named_in_pool("full-house A T", pooled_rules(0)) == named_in_pool("full house A over 10", pooled_rules(0))
    True
    """
    spelt = read_spelling(text) or spoken_claim(text)
    claim = None if spelt is None else claim_of(spelt, rules)
    if claim is None:
        raise NoSuchClaim(f"{quoted(text)} names no hand; write one as pair 7, full-house AT or flush KJ752 c")
    return named_hand(claim, rules)


def declaration(text: str, jokers: int) -> int:
    """The claim of Thorin's game that `text` spells or says; `floor_of` has the weakest value that makes it true.

    Raises:
        NoSuchClaim: the text is no claim, or no hand from a deck with so many jokers fits it.

    >>> from liarspoker.core.cards.hand_values import KEYS
    >>> KEYS[declarations.floor_of(declaration("pair _A", jokers=0))]
    (1, (0, 12, 2, 1))
    """
    spelt = read_spelling(text)
    if spelt is None and (said := spoken_claim(text)) is not None:
        spelt = in_thorins_words(said)
    rules = packed_passed(ThorinOptions(jokers=jokers), seats=2)
    claim = None if spelt is None else declarations.claim_of(spelt, rules)
    if claim is None:
        raise NoSuchClaim(f"{quoted(text)} is no hand; write one as two-pair 73, pair _A or straight")
    return claim


def cards_in_deck(texts: Sequence[str], jokers: int, place: str) -> tuple[int, ...]:
    """Different cards of a deck with so many jokers.

    Raises:
        BadQuestion: a text that is no card, a card twice, or too many jokers.
    """
    try:
        cards = read_cards(texts)
        if min(cards, default=0) < 0:
            raise BadQuestion(f"{place}: every card must be known")
        check_cards(cards, jokers, place)
    except BadDeal as error:
        raise BadQuestion(str(error) if str(error).startswith(place) else f"{place}: {error}") from None
    return cards


def pool_cards(known: Sequence[str], unknown: int, jokers: int) -> tuple[int, ...]:
    """The known cards of a pool.

    Raises:
        BadQuestion: wrong cards, or more unknown cards than the deck has left.
    """
    cards = cards_in_deck(known, jokers, "known")
    left = len(full_deck(jokers)) - len(cards)
    if unknown > left:
        raise BadQuestion(f"unknown: {unknown} cards; the deck has only {left} that are not known")
    return cards


def hand_and_discard(
    hand: Sequence[str], discard: Sequence[str], jokers: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A hand of Thorin's game, and those of its cards that are thrown.

    Raises:
        BadQuestion: wrong cards, not five of them, or thrown cards that the hand does not hold.
    """
    held = cards_in_deck(hand, jokers, "hand")
    if len(held) != HAND_CARDS:
        raise BadQuestion(f"hand: {len(held)} cards; a hand has five")
    thrown = cards_in_deck(discard, jokers, "discard")
    strange = cards_left(thrown, held)
    if strange:
        raise BadQuestion(f"discard: the hand does not hold {cards_text(strange)}")
    return held, thrown
