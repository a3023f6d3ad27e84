"""Declarations with the weakest hand that they promise, and the result of a round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from liarspoker.core.cards.claims import OPEN_RANK, Spelling
from liarspoker.core.cards.deck import JOKER, card_text, rank_of, read_cards, suit_of
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, hand_value
from liarspoker.games.cards.wording import SUIT_SIGNS, describe_claim, format_rank, format_value_ranks
from liarspoker.games.thorin.ladder import fit, floor_of, full_claim, keeps_promise, spelling_of
from liarspoker.games.thorin.notation import write_claim
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.page.seen import SeenRound
from liarspoker.games.thorin.record_text import REASONS
from liarspoker.language import N_, _, pgettext
from liarspoker.records.words import capital, said_of
from liarspoker.web.words import sentence


@dataclass(frozen=True, slots=True)
class Promise:
    """A declaration: heading, words, action, and the weakest hand that fits it as ranks and as `7-7-3-3-2`."""

    words: str
    said: str
    action: str
    ranks: tuple[str, ...]
    at_least: str


def promise_of(claim: int) -> Promise:
    """Return the promise of a claim.

    >>> from liarspoker.core.cards.hand_values import PAIR, STARTS
    >>> promise_of(STARTS[PAIR] << 5)
    ... # doctest: +NORMALIZE_WHITESPACE
    Promise(words='Pair', said='a pair', action='declare pair', ranks=('2', '2', '5', '4', '3'), at_least='2-2-5-4-3')
    """
    spelt = spelling_of(claim)
    at_least = format_value_ranks(floor_of(claim))
    return Promise(
        words=capital(describe_spelling(spelt, label=True)),
        said=describe_spelling(spelt),
        action=f"declare {write_claim(claim)}",
        ranks=tuple(sign.replace("10", "T") for sign in at_least.split("-")),
        at_least=at_least,
    )


def promise_of_value(value: int) -> Promise:
    """Return the promise of the declaration that names every rank of a hand rank."""
    return promise_of(full_claim(value))


def describe_spelling(spelt: Spelling, *, label: bool = False) -> str:
    """Describe a declaration as `describe_claim` does; open ranks between named ones are `any`.

    >>> describe_spelling(Spelling("two-pair", (5, 1))), describe_spelling(Spelling("color-flush", (10, -1, 7)))
    ('two pair, sevens over threes', 'a color flush, Q-any-9')
    """
    ranks = spelt.ranks
    while ranks and ranks[-1] == OPEN_RANK:
        ranks = ranks[:-1]
    text = describe_claim(spelt, label=label)
    if "_" not in text:
        return text
    any_rank = pgettext("a rank", "any")
    named = "-".join(any_rank if rank == OPEN_RANK else format_rank(rank) for rank in ranks)
    return f"{describe_claim(Spelling(spelt.word), label=label)}, {named}"


def format_card_symbols(cards: Iterable[int]) -> str:
    """Return cards with suit symbols.

    >>> format_card_symbols((51, 34, 52))
    'A♠ 10♥ joker'
    """
    return " ".join(
        pgettext("a card", "joker") if card == JOKER else f"{format_rank(rank_of(card))}{SUIT_SIGNS[suit_of(card)]}"
        for card in cards
    )


_COUNTS = {"pair": 2, "two-pair": 4, "three": 3, "four": 4}


@dataclass(frozen=True, slots=True)
class Shown:
    """A card of the shown hand, highlighted if it is part of the category."""

    text: str
    lit: bool


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of a round.

    Attributes:
        challenger: the player who challenged; empty if no one did.
        cards: the hand, most significant cards first; empty if it wasn't shown.
        truth: the hand as a declaration; `None` if it wasn't shown.
        truthful: whether the declaration was true; `None` if the hand wasn't shown.
        verdict: a heading of two or three words.
        fate: who is out, if anyone, as a sentence.
        after: who won the match or begins the next round; empty if there is none.
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
    """Return the result of the round; `None` while it is in progress."""
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
        truth=None if value is None else promise_of_value(value),
        truthful=result.truthful,
        verdict=_verdict(result.truthful, loser),
        why=sentence(_(REASONS[_rule(value, seen.claim, seen.rules, loser)])),
        fate=_("Nobody is out.") if loser is None else said_of(names[loser], N_("You are out."), N_("{name} is out.")),
        after=said_of(stays, N_("You win the match."), N_("{name} wins the match."))
        if won
        else said_of(stays, N_("You begin the next round."), N_("{name} begins the next round."))
        if seen.goes_on
        else "",
    )


def _verdict(truthful: bool | None, loser: int | None) -> str:
    if truthful is None:
        # Translators: a heading of the result: a hand that can't be beaten was taken, so the player who took it is out.
        return _("All passed") if loser is None else pgettext("a result", "Lost")
    return _("It was true") if truthful else _("A bluff")


def _rule(value: int | None, claim: int, rules: ThorinRules, loser: int | None) -> str:
    """Return the rule that decided the round, as a key of `REASONS`."""
    if value is None:
        return "thrown-in" if loser is None else "took-the-top"
    kept = keeps_promise(value, claim, rules)
    if not rules.by_words:
        return "holds" if kept else "falls-short"
    if fit(value, claim, rules)[0]:
        return "fits-the-words"
    return "beats-the-words" if kept else "fails-the-words"


def _shown(hand: tuple[int, ...], value: int) -> tuple[Shown, ...]:
    """Return the cards, most significant first, with those of the category highlighted."""
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
