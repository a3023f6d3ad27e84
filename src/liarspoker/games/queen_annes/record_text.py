"""Text for a round of Queen Anne's games: the hands, the claims, and after a challenge the cards that prove it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from liarspoker.core.cards.claims import NO_CLAIM, NO_SUIT, Spelling
from liarspoker.core.cards.deck import JOKER, card_text, rank_of, suit_of
from liarspoker.core.session import Reason
from liarspoker.games.cards.wording import (
    describe_card,
    describe_cards_of_rank,
    describe_claim,
    describe_further_card,
    describe_required_card,
    format_cards,
    high_to_low,
    rank_names,
    rank_plurals,
    said_of_two,
)
from liarspoker.games.queen_annes.ladder import Proof, named_hand, required_cards
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.result import QueenAnnesRoundResult
from liarspoker.games.queen_annes.round import Extra, QueenAnnesRound
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.language import N_, _, ngettext, pgettext
from liarspoker.records.words import YOU, aligned, name_shown, printable, said_of

_WHO_OPENS = {
    "loser-opens": (
        N_("You open the next round as the loser of this one."),
        N_("{name} opens the next round as the loser of this one."),
    ),
    "after-loser-opens": (
        N_("You open the next round; the loser is out."),
        N_("{name} opens the next round; the loser is out."),
    ),
    "winner-opens": (
        N_("You open the next round as the winner of the challenge."),
        N_("{name} opens the next round as the winner of the challenge."),
    ),
    "next-opens": (
        N_("You open the next round as the next player in turn."),
        N_("{name} opens the next round as the next player in turn."),
    ),
}
"""Who opens the next round, by rule: the messages for `said_of`."""

CONSEQUENCES = ("out", "cards-left", "extras-left", *_WHO_OPENS)
"""The rules that state a consequence of a challenge; `describe_proof` covers the proof."""


def describe_hand(named: Spelling, *, label: bool = False) -> str:
    """Describe a named hand as `describe_claim` does; a high card is a single card here.

    >>> describe_hand(Spelling("high", (2,))), describe_hand(Spelling("three", (2,)))
    ('high card four', 'three fours')
    """
    if named.word == "high":
        return _("high card {rank}", rank=rank_names()[named.ranks[0]])
    return describe_claim(named, label=label)


def describe_action(action: int, rules: QueenAnnesRules) -> str:
    """Describe an action: the hand it names, or "challenge"."""
    return describe_hand(named_hand(action, rules)) if action >= 0 else pgettext("an action", "challenge")


def describe_round(session: QueenAnnesSession, players: tuple[str, ...]) -> list[str]:
    """Describe the current round line by line: the deal, the claims and the result."""
    dealt = session.round
    assert dealt is not None
    names = tuple(map(printable, players))
    shown = aligned(tuple(map(name_shown, names)))
    opener = names[dealt.terms.opener]
    lines = [
        said_of(
            opener, N_("Round {number}: You open."), N_("Round {number}: {name} opens."), number=dealt.terms.number + 1
        )
    ]
    hands = ((shown[seat], high_to_low(dealt.hands[seat])) for seat in dealt.terms.alive)
    lines += [f"  {name}  {format_cards(hand)}" for name, hand in hands]
    lines += [f"  {line}" for line in _describe_moves(dealt, names)]
    result = session.round_result
    if result is None:
        return [*lines, f"  {_whose_turn(session, names)}"]
    return [*lines, *(f"  {line}" for line in describe_challenge(result, dealt.rules, names))]


def _describe_moves(dealt: QueenAnnesRound, names: tuple[str, ...]) -> Iterator[str]:
    """Yield the claims, and the extra cards where they were dealt."""
    extras, turns = list(dealt.extras), [0] * len(names)
    claims = [(seat, action) for seat, action in dealt.moves if action >= 0]
    waiting = dealt.state.to_act if dealt.state.to_act >= 0 else _last_to_act(dealt)
    for seat, action in [*claims, (waiting, NO_CLAIM)]:
        turns[seat] += 1
        while extras and extras[0].turn == turns[seat] and (extras[0].seat == seat or dealt.rules.deal_to_everyone):
            yield describe_extra_card(extras.pop(0), names)
        if action >= 0:
            yield f"{name_shown(names[seat])}: {describe_action(action, dealt.rules)}"


def _last_to_act(dealt: QueenAnnesRound) -> int:
    """Return the seat whose turn it was when the hand was challenged, possibly out of turn."""
    alive = dealt.terms.alive
    return alive[(alive.index(dealt.state.claimant) + 1) % len(alive)]


def describe_extra_card(extra: Extra, names: tuple[str, ...], card: str = "") -> str:
    """Describe an extra card: `Ann gets 9h, face up`; `card` is how it is called, by default in notation."""
    if extra.face_up:
        messages = N_("You get {card}, face up"), N_("{name} gets {card}, face up")
    else:
        messages = N_("You get {card}, face down"), N_("{name} gets {card}, face down")
    return said_of(names[extra.seat], *messages, card=card or card_text(extra.card))


def describe_challenge(result: QueenAnnesRoundResult, rules: QueenAnnesRules, names: tuple[str, ...]) -> list[str]:
    """Describe a challenge: the claim, the proof, what the loser loses, and who is still in."""
    named = named_hand(result.final_claim, rules)
    challenged = said_of_two(
        names[result.challenger],
        names[result.claimant],
        # Translators: {hand} is a message such as "pair of sevens".
        N_("You challenge {second}'s {hand}."),
        N_("{name} challenges your {hand}."),
        N_("{name} challenges {second}'s {hand}."),
        hand=describe_hand(named, label=True),
    )
    if result.exists:
        lost = N_("You lose: the hand exists."), N_("{name} loses: the hand exists.")
    else:
        lost = N_("You lose: the hand does not exist."), N_("{name} loses: the hand does not exist.")
    lines = [challenged, *describe_proof(named, result.proof), said_of(names[result.loser], *lost)]
    lines += [describe_reason(reason, result.loser, names) for reason in result.why if reason.rule in CONSEQUENCES]
    if result.next_opener is not None:
        lines.append(_("Still in: {names}.", names=", ".join(name_shown(names[seat]) for seat in result.alive)))
    return lines


def describe_proof(named: Spelling, proof: Proof) -> list[str]:
    """Describe the cards that make a hand, what wild cards substitute for, and what is missing.

    >>> describe_proof(Spelling("two-pair", (9, 6)), Proof((36, 39, 25), (52,), 0))
    ['In the pool: Jc Js 8d, and Jk as another eight.']
    >>> describe_proof(Spelling("two-pair", (9, 6)), Proof((36, 39, 25), (), 1))
    ['In the pool: Jc Js 8d.', 'Missing: another eight.']
    >>> describe_proof(Spelling("three", (5,)), Proof((20,), (), 2))
    ['In the pool: 7c.', 'Missing: two more sevens.']
    """
    lacking = _lacking(named, proof.cards)
    wild = []
    for card in proof.wilds:
        names = [_describe_lacking(one, 1) for one in lacking]
        own = describe_card(rank_of(card), suit_of(card)) if card != JOKER else ""
        place = names.index(own) if own in names else 0
        stands_for = names[place]
        lacking.pop(place)
        # Translators: a wild card in the place of a required one, such as "Jk as another eight".
        both = _("{card} as {required}", card=card_text(card), required=stands_for)
        wild.append(card_text(card) if stands_for == own else both)
    cards, wilds = " ".join(map(card_text, proof.cards)), ", ".join(wild)
    if cards and wilds:
        lines = [_("In the pool: {cards}, and {wilds}.", cards=cards, wilds=wilds)]
    elif cards or wilds:
        lines = [_("In the pool: {cards}.", cards=cards or wilds)]
    else:
        lines = [_("In the pool: none of it.")]
    if not lacking:
        return lines
    # Several cards of a rank are named together, as "two more sevens".
    missing = {(one.rank, one.suit): one for one in reversed(lacking)}
    counts = Counter((one.rank, one.suit) for one in lacking)
    words = [_describe_lacking(missing[kind], count) for kind, count in counts.items()]
    return [*lines, _("Missing: {cards}.", cards=", ".join(words))]


class _Lacking(NamedTuple):
    """A card that a hand requires: its rank, its suit or `NO_SUIT`, and whether another one of the rank precedes it."""

    rank: int
    suit: int
    is_further: bool


def _lacking(named: Spelling, cards: tuple[int, ...]) -> list[_Lacking]:
    """List the cards that a hand requires in addition to `cards`."""
    lacking = []
    for rank, suit, count in required_cards(named):
        found = sum(rank_of(card) == rank and suit in (NO_SUIT, suit_of(card)) for card in cards)
        lacking += [_Lacking(rank, suit, place > 0) for place in range(found, count)]
    return lacking


def _describe_lacking(first: _Lacking, count: int) -> str:
    """Describe a number of cards of the same rank, 1 to 4, of which `first` is the first one."""
    if count == 1:
        return describe_further_card(first.rank) if first.is_further else describe_required_card(first.rank, first.suit)
    if not first.is_further:
        return describe_cards_of_rank(count, first.rank)
    ranks = rank_plurals()[first.rank]
    if count == 2:
        return pgettext("a number of cards", "two more {ranks}", ranks=ranks)
    return pgettext("a number of cards", "three more {ranks}", ranks=ranks)


def describe_reason(reason: Reason, loser: int, names: tuple[str, ...]) -> str:
    """Describe one consequence of a challenge as a sentence.

    >>> describe_reason(Reason("cards-left", 1), 0, ("Ann", "Bob"))
    'Ann gets 1 card in the next round.'
    """
    name, count = names[loser], reason.amount
    if reason.rule in _WHO_OPENS:
        return said_of(names[reason.amount], *_WHO_OPENS[reason.rule])
    if reason.rule == "out" and name == YOU:
        return ngettext(
            "You are out of the match after {count} loss.", "You are out of the match after {count} losses.", count
        )
    if reason.rule == "out":
        return ngettext(
            "{name} is out of the match after {count} loss.",
            "{name} is out of the match after {count} losses.",
            count,
            name=name,
        )
    if reason.rule == "cards-left" and name == YOU:
        return ngettext("You get {count} card in the next round.", "You get {count} cards in the next round.", count)
    if reason.rule == "cards-left":
        return ngettext(
            "{name} gets {count} card in the next round.",
            "{name} gets {count} cards in the next round.",
            count,
            name=name,
        )
    if name == YOU:
        return ngettext(
            "You get at most {count} extra card in the next round.",
            "You get at most {count} extra cards in the next round.",
            count,
        )
    return ngettext(
        "{name} gets at most {count} extra card in the next round.",
        "{name} gets at most {count} extra cards in the next round.",
        count,
        name=name,
    )


def _whose_turn(session: QueenAnnesSession, names: tuple[str, ...]) -> str:
    assert session.to_act is not None
    legal, rules, name = session.legal(), session.setup.rules, names[session.to_act]
    if legal.min_claim is None:
        return said_of(name, N_("It is your turn: challenge."), N_("It is {name}'s turn: challenge."))
    if legal.answers:
        messages = (
            N_("It is your turn: name at least {hand}, or challenge."),
            N_("It is {name}'s turn: name at least {hand}, or challenge."),
        )
    else:
        messages = N_("It is your turn: name at least {hand}."), N_("It is {name}'s turn: name at least {hand}.")
    return said_of(name, *messages, hand=describe_hand(named_hand(legal.min_claim, rules)))


def promise(named: Spelling) -> str:
    """Describe the cards that must be in the pool for a hand to exist.

    >>> promise(Spelling("full-house", (12, 8))), promise(Spelling("high", (4,)))
    ('three aces and two tens', 'one six')
    >>> promise(Spelling("straight", (3,)))
    'five, four, three, two and ace, of any suits'
    """
    requirements = required_cards(named)
    if named.suit != NO_SUIT:
        return format_cards(4 * rank + suit for rank, suit, _count in requirements)
    if len(requirements) == 5:
        ranks = [rank_names()[rank] for rank, _suit, _count in requirements]
        # Translators: {ranks} is a list such as "five, four, three, two".
        return _("{ranks} and {last}, of any suits", ranks=", ".join(ranks[:-1]), last=ranks[-1])
    counts = [describe_cards_of_rank(count, rank) for rank, _suit, count in requirements]
    if len(counts) == 1:
        return counts[0]
    # Translators: numbers of cards, such as "three aces and two tens".
    return _("{cards} and {others}", cards=counts[0], others=counts[1])


def says_promise(named: Spelling) -> bool:
    """Return whether the name of a hand says itself which cards it requires, as `three fours` does."""
    return named.word in ("three", "four")


def by_promise(named: Spelling, one: str, several: str, exactly: str) -> str:
    """Return the message that fits what must be in the pool: at least one card, at least several, or certain ones."""
    return exactly if len(required_cards(named)) == 5 else one if named.word == "high" else several
