"""Questions about cards answered in words, for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from liarspoker.core.cards.claims import Spelling, write_spelling
from liarspoker.core.cards.deck import card_text
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.thorin.notation import write_claim, write_value
from liarspoker.odds.card_report import DrawReport, PoolReport
from liarspoker.odds.figures import one_in, percent
from liarspoker.odds.tables import PLACES, rounded

SHOWN_DISCARDS = 8


def told_pool(report: PoolReport) -> str:
    """The report as lines of plain text, none wider than 80 columns."""
    return "\n".join(_table(report) if report.named is None else _hand(report, report.named))


def told_draw(report: DrawReport) -> str:
    """The report as lines of plain text, none wider than 80 columns; of many discards the best few."""
    chances = report.chances
    lines = [f"{write_claim(report.claim)}: {write_value(report.floor)} or better", ""]
    if report.hand is not None:
        lines.append(f"  you hold    {_cards(report.hand)}: {write_value(hand_value(report.hand))}")
    if len(chances) > 1:
        return "\n".join([*lines, "", *_discards(report)])
    [(thrown, chance)] = chances
    throw = "five fresh cards" if report.hand is None else f"throw {_cards(thrown)}" if thrown else "keep all"
    label = "you draw" if report.hand is None else "you"
    return "\n".join([*lines, f"  {label:<12}{throw}", f"  chance      {percent(chance)}{one_in(chance)}"])


def _hand(report: PoolReport, named: Spelling) -> Iterator[str]:
    """What is known of one hand, and its chance."""
    proof, chance = report.proof(named), report.chance(named)
    yield f"{write_spelling(named)} in {_pool(report)}"
    yield ""
    yield from _wild(report)
    yield f"  there is    {_there(proof.cards, proof.wilds)}"
    yield f"  missing     {proof.missing or 'nothing'}"
    yield f"  chance      {percent(chance)}{one_in(chance)}"


def _there(cards: tuple[int, ...], wilds: tuple[int, ...]) -> str:
    """`As Ad, wild Jk` for the cards that belong to a hand and the wild ones that fill it up."""
    parts = [_cards(cards)] if cards else []
    if wilds:
        parts.append(f"wild {_cards(wilds)}")
    return ", ".join(parts) or "nothing"


def _pool(report: PoolReport) -> str:
    """`a pool of 14 cards, 2 of them known` for the first line."""
    known = len(report.known)
    return f"a pool of {known + report.unknown} cards, {known or 'none'} of them known"


def _wild(report: PoolReport) -> Iterator[str]:
    """The line that names the wild cards, if there are any."""
    wild = ["Jk"] * report.rules.jokers + list(report.wild_ranks)
    if wild:
        yield f"  {'wild':<12}{' '.join(wild)}"


def _table(report: PoolReport) -> Iterator[str]:
    yield f"The chance of each named hand in {_pool(report)}"
    yield ""
    yield from _wild(report)
    before = ""
    for named, hands, chance in report.table():
        word = "" if named.word == before else named.word
        yield f"  {word:<16}{rounded(chance, PLACES):>10}   {_with_others(named, hands)}"
        before = named.word


def _with_others(named: Spelling, hands: int) -> str:
    return write_spelling(named) + (f" and {hands - 1:,} more" if hands > 1 else "")


def _discards(report: DrawReport) -> Iterator[str]:
    chances = report.chances
    yield f"  {'throw':<17}{'chance':>8}"
    for thrown, chance in chances[:SHOWN_DISCARDS]:
        yield f"  {_cards(thrown) or 'nothing':<17}{percent(chance):>8}"
    yield f"  and {len(chances) - SHOWN_DISCARDS} more, none of them better"


def _cards(cards: Iterable[int]) -> str:
    return " ".join(map(card_text, cards))
