"""A round of Thorin's game told to a person: the hand as it goes around, what is declared, and the challenge."""

from __future__ import annotations

from collections.abc import Iterator

from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.core.session import Reason
from liarspoker.games.cards.record_words import (
    cards_in_words,
    claim_in_words,
    high_to_low,
    value_in_ranks,
    value_in_words,
)
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of, is_discard
from liarspoker.games.thorin.ladder import floor_of, full_claim, spelling_of
from liarspoker.games.thorin.result import ThorinRoundResult
from liarspoker.games.thorin.round import Stint, ThorinRound
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.state import NOBODY
from liarspoker.records.words import printable, sentence, subject, whose

REASONS = {
    "holds": "it is as good as declared, or better",
    "falls-short": "it is worse than declared",
    "fits-the-words": "it is what was declared",
    "beats-the-words": "it is better than any hand that was declared",
    "fails-the-words": "it is not what was declared, nor better than every such hand",
    "thrown-in": "all others have passed, so the hand is thrown in and nobody is out",
    "took-the-top": "nothing beats what was declared, and who takes it must beat it",
    "out": "{who_is} out of the match",
    "opens": "{who_begins} the next round",
}
"""Every rule that makes the outcome of a round, in English."""


def said_of(action: int) -> str:
    """What a player says when he does `action`.

    >>> said_of(TAKE), said_of(PASS)
    ('take', 'pass')
    """
    if action >= 0:
        return claim_in_words(spelling_of(action))
    if is_discard(action):
        return thrown_in_words(cards_of(action))
    return {CHALLENGE: "challenge", TAKE: "take", PASS: "pass"}.get(action, "show")


def declared_in_words(claim: int) -> str:
    """A declaration with the weakest hand that fits it, unless its words list the ranks of that hand.

    >>> from liarspoker.core.cards.hand_values import PAIR, STARTS
    >>> a_pair = STARTS[PAIR] << 5
    >>> declared_in_words(a_pair), declared_in_words(full_claim(STARTS[PAIR])), declared_in_words(full_claim(0))
    ('a pair (2-2-5-4-3 at the worst)', 'a pair of twos with 5-4-3 kickers (2-2-5-4-3)', '7-5-4-3-2 high')
    """
    said, ranks = said_of(claim), value_in_ranks(floor_of(claim))
    if claim != full_claim(floor_of(claim)):
        return f"{said} ({ranks} at the worst)"
    return said if ranks in said else f"{said} ({ranks})"


def thrown_in_words(cards: tuple[int, ...]) -> str:
    """A discard: the cards, or how many there are where none is known.

    >>> thrown_in_words(()), thrown_in_words((-1, -1)), thrown_in_words((0, -1))
    ('throws nothing', 'throws 2 cards', 'throws 2c ??')
    """
    if not cards:
        return "throws nothing"
    if set(cards) == {UNKNOWN}:
        return f"throws {len(cards)} card{'' if len(cards) == 1 else 's'}"
    return f"throws {cards_in_words(cards)}"


def tell_round(session: ThorinSession, players: tuple[str, ...]) -> list[str]:
    """The round on the table, line by line: the hand as it goes around, what was said of it, how it came out."""
    dealt = session.round
    assert dealt is not None
    names = tuple(map(printable, players))
    lines = [f"Round {dealt.terms.number + 1}: {subject(names[dealt.terms.opener], 'begins')}."]
    lines += [f"  {option_in_words(*named)}" for named in dealt.terms.named]
    lines += [f"  {line}" for line in _tell_moves(dealt, names)]
    result = session.round_result
    if result is None:
        return [*lines, f"  {_whose_turn(session, names)}"]
    return [*lines, *(f"  {line}" for line in tell_end(result, names))]


def option_in_words(name: str, value: object) -> str:
    """An option that was named for the round, as a record writes it: `passes = 1`."""
    shown = str(value).lower() if isinstance(value, bool) else value
    return f"named for this round: {name} = {shown}"


def _tell_moves(dealt: ThorinRound, names: tuple[str, ...]) -> Iterator[str]:
    stints = iter(dealt.stints)
    stint = next(stints)
    yield f"{subject(names[stint.seat], 'draws')} {_hand_in_words(stint.taken)}"
    for seat, action in dealt.moves:
        if action == TAKE:
            stint = next(stints)
            yield f"{names[seat]}: take ({_hand_in_words(stint.taken)})"
        elif is_discard(action):
            yield f"{names[seat]} {_change_in_words(stint)}"
        else:
            yield f"{names[seat]}: {said_of(action)}"


def _hand_in_words(hand: tuple[int, ...]) -> str:
    return "a hand that is not known" if set(hand) == {UNKNOWN} else cards_in_words(high_to_low(hand))


def _change_in_words(stint: Stint) -> str:
    """What a player threw and drew: `throws 2s, draws 9h`."""
    if not stint.thrown:
        return "throws nothing"
    drawn = "" if set(stint.drawn) == {UNKNOWN} else f", draws {cards_in_words(stint.drawn)}"
    return thrown_in_words(stint.thrown) + drawn


def tell_end(result: ThorinRoundResult, names: tuple[str, ...]) -> list[str]:
    """How a round came out: the hand against what was promised, who is out, who begins the next."""
    lines = [] if result.hand is None else _tell_hand(result)
    lines += [sentence(reason_in_words(reason, names)) for reason in result.why]
    if result.next_opener is not None:
        lines.append(f"Still in: {', '.join(names[seat] for seat in result.alive)}.")
    return lines


def _tell_hand(result: ThorinRoundResult) -> list[str]:
    """The hand that a challenge shows, and what it was to be."""
    assert result.hand is not None
    assert result.hand_value is not None
    return [
        f"The hand is {cards_in_words(high_to_low(result.hand))}: {value_in_words(result.hand_value)}.",
        f"Declared was {declared_in_words(result.final_claim)}.",
    ]


def reason_in_words(reason: Reason, names: tuple[str, ...]) -> str:
    """One rule that made the outcome; the amounts of `out` and `opens` are seats.

    >>> reason_in_words(Reason("out", 1), ("Ann", "Bob")), reason_in_words(Reason("holds", 5000), ("Ann", "Bob"))
    ('Bob is out of the match', 'it is as good as declared, or better')
    """
    seats = {"out": reason.amount, "opens": reason.amount}
    name = names[seats.get(reason.rule, 0)]
    who_is = "You are" if name == "You" else f"{name} is"
    return REASONS[reason.rule].format(who_is=who_is, who_begins=subject(name, "begins"))


def _whose_turn(session: ThorinSession, names: tuple[str, ...]) -> str:
    assert session.to_act is not None
    assert session.round is not None
    legal, standing = session.legal(), session.round.standing
    turn = f"It is {whose(names[session.to_act])} turn: "
    if legal.discard:
        return turn + "discard up to five cards."
    if legal.show:
        return turn + "show the hand."
    if standing.claimant != NOBODY and legal.answers:
        return turn + " or ".join(map(said_of, legal.answers)) + "."
    return f"{turn}declare a hand better than {value_in_ranks(floor_of(standing.claim))}."
