"""What a declaration says, the weakest hand that it promises, and how a round came out against it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from liarspoker.core.cards.claims import OPEN_RANK, Spelling
from liarspoker.core.cards.deck import JOKER, card_text, rank_of, read_cards, suit_of
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, hand_value
from liarspoker.games.cards.record_words import SUIT_SIGNS, bare, claim_in_words, rank_sign, value_in_ranks
from liarspoker.games.thorin.ladder import fit, floor_of, full_claim, keeps_promise, spelling_of
from liarspoker.games.thorin.notation import write_claim
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.page.seen import SeenRound
from liarspoker.games.thorin.record_text import REASONS
from liarspoker.records.words import capital, subject
from liarspoker.web.words import sentence

KIND_NAMES = {
    "high": "High card",
    "pair": "Pair",
    "color-flush": "Color flush",
    "two-pair": "Two pair",
    "three": "Three of a kind",
    "straight": "Straight",
    "flush": "Flush",
    "full-house": "Full house",
    "color-straight-flush": "Color straight flush",
    "four": "Four of a kind",
    "straight-flush": "Straight flush",
    "five": "Five of a kind",
}
"""Every category of the game as a heading, lowest first."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A declaration: its words, the action, and the weakest hand that fits it, rank by rank and as `7-7-3-3-2`."""

    words: str
    said: str
    action: str
    ranks: tuple[str, ...]
    at_least: str


def promise_of(claim: int) -> Promise:
    """A claim of the ladder, told.

    >>> from liarspoker.core.cards.hand_values import PAIR, STARTS
    >>> promise_of(STARTS[PAIR] << 5)
    ... # doctest: +NORMALIZE_WHITESPACE
    Promise(words='Pair', said='a pair', action='declare pair', ranks=('2', '2', '5', '4', '3'), at_least='2-2-5-4-3')
    """
    said = said_so(spelling_of(claim))
    at_least = value_in_ranks(floor_of(claim))
    return Promise(
        words=capital(bare(said)),
        said=said,
        action=f"declare {write_claim(claim)}",
        ranks=tuple(sign.replace("10", "T") for sign in at_least.split("-")),
        at_least=at_least,
    )


def value_told(value: int) -> Promise:
    """What a hand is worth, told as the declaration that names every rank of it."""
    return promise_of(full_claim(value))


def said_so(spelt: Spelling) -> str:
    """A declaration in words; ranks that are left open between others are `any`.

    >>> said_so(Spelling("two-pair", (5, 1))), said_so(Spelling("color-flush", (10, -1, 7)))
    ('two pair, sevens over threes', 'a color flush, Q-any-9')
    """
    ranks = spelt.ranks
    while ranks and ranks[-1] == OPEN_RANK:
        ranks = ranks[:-1]
    said = claim_in_words(spelt)
    if "_" not in said:
        return said
    listed = "-".join("any" if rank == OPEN_RANK else rank_sign(rank) for rank in ranks)
    return f"{claim_in_words(Spelling(spelt.word))}, {listed}"


def cards_told(cards: Iterable[int]) -> str:
    """Cards in signs, as they are.

    >>> cards_told((51, 34, 52))
    'A♠ 10♥ joker'
    """
    return " ".join(
        "joker" if card == JOKER else f"{rank_sign(rank_of(card))}{SUIT_SIGNS[suit_of(card)]}" for card in cards
    )


_COUNTS = {"pair": 2, "two-pair": 4, "three": 3, "four": 4}


@dataclass(frozen=True, slots=True)
class Shown:
    """A card of the hand that is shown, lit if it is part of what the hand is."""

    text: str
    lit: bool


@dataclass(frozen=True, slots=True)
class Proof:
    """How a round came out.

    Attributes:
        challenger: who challenged; empty if nobody did.
        cards: the hand, the cards that make it first; empty if it was not shown.
        truth: what it is; `None` if it was not shown.
        truthful: it is what was said, or better; `None` if it was not shown.
        verdict: in two words or three: `It holds`.
        fate: who is out, or that nobody is.
        after: who won the match, or who begins the next round; empty where none follows.
    """

    declared: Promise
    claimant: str
    challenger: str
    cards: tuple[Shown, ...]
    truth: Promise | None
    truthful: bool | None
    verdict: str
    why: str
    fate: str
    after: str


def proof_of(seen: SeenRound) -> Proof | None:
    """How the round came out; `None` while it is played."""
    result, names = seen.result, seen.names
    if result is None:
        return None
    hand = None if result.hand is None else read_cards(result.hand)
    value = None if hand is None else hand_value(hand, bool(seen.rules.double_any))
    loser, challenger = result.loser, result.challenger
    won = result.next_opener is None
    stays = names[result.alive[0] if result.next_opener is None else result.next_opener]
    return Proof(
        declared=promise_of(seen.claim),
        claimant=names[result.claimant],
        challenger="" if challenger is None else names[challenger],
        cards=() if hand is None or value is None else _shown(hand, value),
        truth=None if value is None else value_told(value),
        truthful=result.truthful,
        verdict={True: "It holds", False: "A bluff", None: "Thrown in" if loser is None else "Lost"}[result.truthful],
        why=sentence(REASONS[_rule(value, seen.claim, seen.rules, loser)]),
        fate="Nobody is out." if loser is None else f"{subject(names[loser], 'is')} out.",
        after=f"{subject(stays, 'wins')} the match."
        if won
        else f"{subject(stays, 'begins')} the next round."
        if seen.goes_on
        else "",
    )


def _rule(value: int | None, claim: int, rules: ThorinRules, loser: int | None) -> str:
    """By which rule the round came out so, as `REASONS` calls it."""
    if value is None:
        return "thrown-in" if loser is None else "took-the-top"
    kept = keeps_promise(value, claim, rules)
    if not rules.by_words:
        return "holds" if kept else "falls-short"
    if fit(value, claim, rules)[0]:
        return "fits-the-words"
    return "beats-the-words" if kept else "fails-the-words"


def _shown(hand: tuple[int, ...], value: int) -> tuple[Shown, ...]:
    """The cards in the order in which they decide, those that make the hand lit."""
    category, keys = KEYS[value]
    ranks = [card_text(card)[0] for card in hand]

    def weight(card: int) -> tuple[int, int]:
        return ranks.count(card_text(card)[0]), card

    word = CATEGORIES[category]
    ordered = sorted(hand, key=(lambda card: (0, card)) if word not in _COUNTS else weight, reverse=True)
    lit = 1 if word == "high" else _COUNTS.get(word, len(hand))
    made = set(keys[: 2 if word == "two-pair" else 1])
    if word in _COUNTS:  # a joker is part of what it makes
        ordered.sort(key=lambda card: card >> 2 not in made and card_text(card) != "Jk")
    return tuple(Shown(card_text(card), place < lit) for place, card in enumerate(ordered))
