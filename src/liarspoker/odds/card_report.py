"""One question about cards, in figures and in words: a named hand in a pool, all of them, or a draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from liarspoker.core.cards.claims import Spelling, write_spelling
from liarspoker.core.cards.deck import RANKS, card_text
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.queen_annes.ladder import Proof, ladder_length, named_hand, prove
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.thorin.ladder import floor_of
from liarspoker.games.thorin.notation import write_claim, write_value
from liarspoker.odds.draws import Choice, chance_of_fresh_hand, choices, reach
from liarspoker.odds.figures import exact, one_in, percent, rounded
from liarspoker.odds.pools import half_known_pool
from liarspoker.odds.tables import PLACES


class Alike(NamedTuple):
    """Named hands of one category that are equally likely: the highest, how many there are, and the chance of each."""

    named: Spelling
    hands: int
    chance: Fraction


@dataclass(frozen=True, slots=True)
class PoolReport:
    """A pool of known cards and so many unknown ones.

    Attributes:
        known: the known cards.
        unknown: how many more are in the pool.
        rules: jokers and wild ranks are those of these rules.
        named: the hand in question; `None` for a table of all.
    """

    known: tuple[int, ...]
    unknown: int
    rules: QueenAnnesRules
    named: Spelling | None = None

    @property
    def wild_ranks(self) -> str:
        """The wild ranks as the option has them, from the lowest."""
        return "".join(rank for place, rank in enumerate(RANKS) if self.rules.wild_ranks >> place & 1)

    def proof(self, named: Spelling) -> Proof:
        """How far the known cards make a hand."""
        return prove(named, self.known, self.rules)

    def chance(self, named: Spelling) -> Fraction:
        """The chance that the pool holds a hand."""
        return half_known_pool(self.known, self.unknown, self.rules).chance(named)

    def table(self) -> tuple[Alike, ...]:
        """Every hand that can be named: a row for those of a category that are alike, the likeliest first.

        >>> from liarspoker.odds.questions import pooled_rules
        >>> [(row.named.word, row.hands) for row in PoolReport((), 15, pooled_rules(jokers=0)).table()][:3]
        [('high', 13), ('pair', 13), ('two-pair', 78)]
        """
        pool = half_known_pool(self.known, self.unknown, self.rules)
        every = [named_hand(claim, self.rules) for claim in range(ladder_length(self.rules))]
        chances = {named: pool.chance(named) for named in every}
        hands = Counter((named.word, chance) for named, chance in chances.items())
        highest = {(named.word, chance): named for named, chance in chances.items()}
        words = list(dict.fromkeys(named.word for named in every))
        rows = (Alike(highest[kind], count, kind[1]) for kind, count in hands.items())
        return tuple(sorted(rows, key=lambda row: (words.index(row.named.word), -row.chance)))

    def as_json(self) -> dict[str, object]:
        """The report as JSON has it; every chance as a float and as an exact fraction."""
        pool: dict[str, object] = {
            "known": _texts(self.known),
            "unknown": self.unknown,
            "jokers": self.rules.jokers,
            "wild_ranks": self.wild_ranks,
        }
        if self.named is None:
            return {**pool, "hands": [_alike_as_json(row) for row in self.table()]}
        return {"hand": write_spelling(self.named), **pool, "chance": exact(self.chance(self.named))}


@dataclass(frozen=True, slots=True)
class DrawReport:
    """A declaration of Thorin's game, and a hand that is to reach it.

    Attributes:
        claim: the declaration.
        jokers: in the deck.
        hand: five cards; `None` for five that are yet to be drawn.
        discard: those that are thrown; `None` for every choice of them.
    """

    claim: int
    jokers: int
    hand: tuple[int, ...] | None = None
    discard: tuple[int, ...] | None = None

    @property
    def floor(self) -> int:
        """The weakest value that makes the declaration true."""
        return floor_of(self.claim)

    @property
    def chances(self) -> list[Choice]:
        """What may be thrown, with its chance, the best first: one discard, every discard, or none of no hand."""
        if self.hand is None:
            return [Choice((), chance_of_fresh_hand(self.floor, self.jokers))]
        if self.discard is None:
            return choices(self.hand, self.floor, self.jokers)
        return [Choice(self.discard, reach(self.hand, self.discard, self.floor, self.jokers))]

    def as_json(self) -> dict[str, object]:
        """The report as JSON has it; every chance as a float and as an exact fraction."""
        found = [{"discard": _texts(thrown), "chance": exact(chance)} for thrown, chance in self.chances]
        return {
            "claim": write_claim(self.claim),
            "floor": write_value(self.floor),
            "hand": None if self.hand is None else _texts(self.hand),
            "hand_value": None if self.hand is None else write_value(hand_value(self.hand)),
            "jokers": self.jokers,
            "discards": found,
        }


def _texts(cards: Sequence[int]) -> list[str]:
    return [card_text(card) for card in cards]


def _alike_as_json(row: Alike) -> dict[str, object]:
    return {
        "category": row.named.word,
        "highest": write_spelling(row.named),
        "hands": row.hands,
        "chance": exact(row.chance),
    }


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
