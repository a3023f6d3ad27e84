"""How a round came out: the hand turned face up, against what was said of it."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.cards.deck import card_text, read_cards
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, hand_value
from liarspoker.games.thorin.ladder import fit, keeps_promise
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.page.promises import Promise, promise_of, value_told
from liarspoker.games.thorin.page.seen import SeenRound
from liarspoker.games.thorin.record_text import REASONS
from liarspoker.records.words import subject
from liarspoker.web.words import sentence

_COUNTS = {"pair": 2, "two-pair": 4, "three": 3, "four": 4}


@dataclass(frozen=True, slots=True)
class Shown:
    """A card of the hand that is shown.

    Attributes:
        text: its notation.
        lit: it is part of what the hand is.
    """

    text: str
    lit: bool


@dataclass(frozen=True, slots=True)
class Proof:
    """How a round came out.

    Attributes:
        declared: what stood at the end.
        claimant: who had said it.
        challenger: who challenged; empty if nobody did.
        cards: the hand, the cards that make it first; empty if it was not shown.
        truth: what it is; `None` if it was not shown.
        truthful: it is what was said, or better; `None` if it was not shown.
        verdict: in two words or three: `It holds`.
        why: in a sentence.
        fate: who is out, or that nobody is.
        after: who won the match, or who begins the next round; empty where none follows.
        won: the match is over.
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
    won: bool


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
        won=won,
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
