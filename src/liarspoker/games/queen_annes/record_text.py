"""A round of Queen Anne's games told to a person: the hands, the names, and on a challenge the proof from the pool."""

from __future__ import annotations

from collections.abc import Iterator

from liarspoker.core.cards.claims import NO_CLAIM, NO_SUIT, Spelling
from liarspoker.core.cards.deck import JOKER, card_text, rank_of, suit_of
from liarspoker.core.session import Reason
from liarspoker.games.cards.record_words import (
    RANK_NAMES,
    RANK_PLURALS,
    SUIT_NAMES,
    cards_in_words,
    claim_in_words,
    high_to_low,
    wanted_in_words,
)
from liarspoker.games.queen_annes.ladder import Proof, named_hand, wanted
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.result import QueenAnnesRoundResult
from liarspoker.games.queen_annes.round import Extra, QueenAnnesRound
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.records.words import object_of, printable, subject, whose

REASONS = {
    "out": "{amount} losses put {whom} out of the match",
    "cards-left": "{gets} {amount} card{s} in the next round",
    "extras-left": "{gets} {amount} further card{s} at the most in the next round",
    "loser-opens": "{opens} the next round, as the loser does",
    "after-loser-opens": "{opens} the next round; the loser is out",
    "winner-opens": "{opens} the next round, as the winner of the challenge does",
    "next-opens": "{opens} the next round, whose turn it is",
}
"""What a challenge brings, in English; the proof is told by `tell_proof`."""

_WHO_OPENS = ("loser-opens", "after-loser-opens", "winner-opens", "next-opens")


def hand_in_words(named: Spelling) -> str:
    """A hand as it is named in Queen Anne's games: a high card is no more than one card.

    >>> hand_in_words(Spelling("high", (2,))), hand_in_words(Spelling("three", (2,)))
    ('high card four', 'three fours')
    """
    return f"high card {RANK_NAMES[named.ranks[0]]}" if named.word == "high" else claim_in_words(named)


def said_of(action: int, rules: QueenAnnesRules) -> str:
    """What a player says when he does `action`."""
    return hand_in_words(named_hand(action, rules)) if action >= 0 else "challenge"


def tell_round(session: QueenAnnesSession, players: tuple[str, ...]) -> list[str]:
    """The round on the table, line by line: what was dealt, what was said, how it came out."""
    dealt = session.round
    assert dealt is not None
    names = tuple(map(printable, players))
    lines = [f"Round {dealt.terms.number + 1}: {subject(names[dealt.terms.opener], 'opens')}."]
    width = max(map(len, names))
    hands = ((names[seat], high_to_low(dealt.hands[seat])) for seat in dealt.terms.alive)
    lines += [f"  {name:<{width}}  {cards_in_words(hand)}" for name, hand in hands]
    lines += [f"  {line}" for line in _tell_moves(dealt, names)]
    result = session.round_result
    if result is None:
        return [*lines, f"  {_whose_turn(session, names)}"]
    return [*lines, *(f"  {line}" for line in tell_challenge(result, dealt.rules, names))]


def _tell_moves(dealt: QueenAnnesRound, names: tuple[str, ...]) -> Iterator[str]:
    """What each named, with the further cards as they came."""
    extras, turns = list(dealt.extras), [0] * len(names)
    claims = [(seat, action) for seat, action in dealt.moves if action >= 0]
    waiting = dealt.standing.to_act if dealt.standing.to_act >= 0 else _last_to_act(dealt)
    for seat, action in [*claims, (waiting, NO_CLAIM)]:
        turns[seat] += 1
        while extras and extras[0].turn == turns[seat] and (extras[0].seat == seat or dealt.rules.deal_to_everyone):
            yield extra_in_words(extras.pop(0), names)
        if action >= 0:
            yield f"{names[seat]}: {said_of(action, dealt.rules)}"


def _last_to_act(dealt: QueenAnnesRound) -> int:
    """Whose turn it was when the challenge came; anyone may have challenged."""
    alive = dealt.terms.alive
    return alive[(alive.index(dealt.standing.claimant) + 1) % len(alive)]


def extra_in_words(extra: Extra, names: tuple[str, ...]) -> str:
    """A further card: `Ann gets 9h, face up`."""
    return f"{subject(names[extra.seat], 'gets')} {card_text(extra.card)}, face {'up' if extra.face_up else 'down'}"


def tell_challenge(result: QueenAnnesRoundResult, rules: QueenAnnesRules, names: tuple[str, ...]) -> list[str]:
    """The challenge: whose hand, the proof, who loses what, who is still in."""
    named = named_hand(result.final_claim, rules)
    whose = "your" if names[result.claimant] == "You" else f"{names[result.claimant]}'s"
    lines = [f"{subject(names[result.challenger], 'challenges')} {whose} {hand_in_words(named).removeprefix('a ')}."]
    lines += tell_proof(named, result.proof)
    lines.append(f"{subject(names[result.loser], 'loses')}: the hand {'is' if result.exists else 'is not'} there.")
    lines += [reason_in_words(reason, result.loser, names) for reason in result.why if reason.rule in REASONS]
    if result.next_opener is not None:
        lines.append(f"Still in: {', '.join(names[seat] for seat in result.alive)}.")
    return lines


def tell_proof(named: Spelling, proof: Proof) -> list[str]:
    """The cards that make a hand, wild ones with what they stand for, and what is missing.

    >>> tell_proof(Spelling("two-pair", (9, 6)), Proof((36, 39, 25), (52,), 0))
    ['In the pool: Jc Js 8d, and Jk as another eight.']
    >>> tell_proof(Spelling("two-pair", (9, 6)), Proof((36, 39, 25), (), 1))
    ['In the pool: Jc Js 8d.', 'Missing: another eight.']
    """
    lacking = _lacking(named, proof.cards)
    wild = []
    for card in proof.wilds:
        own = f"the {RANK_NAMES[rank_of(card)]} of {SUIT_NAMES[suit_of(card)]}" if card != JOKER else ""
        stands_for = lacking.pop(lacking.index(own) if own in lacking else 0)
        wild.append(card_text(card) if stands_for == own else f"{card_text(card)} as {stands_for}")
    there = [" ".join(map(card_text, proof.cards))] if proof.cards else []
    lines = [f"In the pool: {', and '.join([*there, *([', '.join(wild)] if wild else [])]) or 'none of it'}."]
    return [*lines, f"Missing: {', '.join(lacking)}."] if lacking else lines


def _lacking(named: Spelling, cards: tuple[int, ...]) -> list[str]:
    """What a hand wants beside `cards`, which belong to it, one by one."""
    lacking = []
    for rank, suit, count in wanted(named):
        found = sum(rank_of(card) == rank and suit in (NO_SUIT, suit_of(card)) for card in cards)
        names = [wanted_in_words(rank, suit), *[f"another {RANK_NAMES[rank]}"] * (count - 1)]
        lacking += names[found:]
    return lacking


def reason_in_words(reason: Reason, loser: int, names: tuple[str, ...]) -> str:
    """One thing that a challenge brings, as a sentence.

    >>> reason_in_words(Reason("cards-left", 1), 0, ("Ann", "Bob"))
    'Ann gets 1 card in the next round.'
    """
    opener = reason.amount if reason.rule in _WHO_OPENS else loser
    words = REASONS[reason.rule].format(
        amount=reason.amount,
        s="" if reason.amount == 1 else "s",
        whom=object_of(names[loser]),
        gets=subject(names[loser], "gets"),
        opens=subject(names[opener], "opens"),
    )
    return f"{words}."


def _whose_turn(session: QueenAnnesSession, names: tuple[str, ...]) -> str:
    assert session.to_act is not None
    legal, rules = session.legal(), session.setup.rules
    may = [] if legal.min_claim is None else [f"name {hand_in_words(named_hand(legal.min_claim, rules))} or higher"]
    may += ["challenge"] if legal.answers else []
    return f"It is {whose(names[session.to_act])} turn: {', or '.join(may)}."


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
