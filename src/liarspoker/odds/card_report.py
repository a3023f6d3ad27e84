"""The odds of card games, in figures and in words: named hands in a pool, and draws."""

from __future__ import annotations

import textwrap
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
from liarspoker.games.thorin.ladder import floor_of, keeps_promise
from liarspoker.games.thorin.notation import write_claim, write_value
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.language import N_, _, number
from liarspoker.odds.draws import DiscardChoice, Gone, Outcomes, choices_of_size, draw_outcomes
from liarspoker.odds.figures import exact, one_in, percent, rounded
from liarspoker.odds.pools import partial_pool
from liarspoker.odds.questions import draw_rules
from liarspoker.odds.tables import PLACES


class HandGroup(NamedTuple):
    """Named hands of one category that are equally likely.

    Attributes:
        named: the highest of them.
        hands: the number of hands.
        probability: the probability of each.
    """

    named: Spelling
    hands: int
    probability: Fraction


@dataclass(frozen=True, slots=True)
class PoolReport:
    """The odds of named hands in a pool of cards (Queen Anne's games).

    Attributes:
        known: the known cards.
        unknown: the number of further random cards in the pool.
        rules: the rules, of which only jokers and wild ranks matter.
        named: the hand in question; `None` for a table of all hands.
    """

    known: tuple[int, ...]
    unknown: int
    rules: QueenAnnesRules
    named: Spelling | None = None

    @property
    def wild_ranks(self) -> str:
        """The wild ranks as in the option, lowest first."""
        return "".join(rank for place, rank in enumerate(RANKS) if self.rules.wild_ranks >> place & 1)

    def proof(self, named: Spelling) -> Proof:
        """Return which known cards belong to a hand, and how many are missing."""
        return prove(named, self.known, self.rules)

    def probability(self, named: Spelling) -> Fraction:
        """Return the probability that a hand exists in the pool."""
        return partial_pool(self.known, self.unknown, self.rules).probability(named)

    def table(self) -> tuple[HandGroup, ...]:
        """Return all hands that can be named, grouped by category and probability, the most likely first.

        >>> from liarspoker.odds.questions import pooled_rules
        >>> [(row.named.word, row.hands) for row in PoolReport((), 15, pooled_rules(jokers=0)).table()][:3]
        [('high', 13), ('pair', 13), ('two-pair', 78)]
        """
        pool = partial_pool(self.known, self.unknown, self.rules)
        every = [named_hand(claim, self.rules) for claim in range(ladder_length(self.rules))]
        found = {named: pool.probability(named) for named in every}
        hands = Counter((named.word, probability) for named, probability in found.items())
        highest = {(named.word, probability): named for named, probability in found.items()}
        words = list(dict.fromkeys(named.word for named in every))
        rows = (HandGroup(highest[kind], count, kind[1]) for kind, count in hands.items())
        return tuple(sorted(rows, key=lambda row: (words.index(row.named.word), -row.probability)))

    def as_json(self) -> dict[str, object]:
        """Return the report for JSON, with each probability as a float and as an exact fraction."""
        pool: dict[str, object] = {
            "known": _texts(self.known),
            "unknown": self.unknown,
            "jokers": self.rules.jokers,
            "wild_ranks": self.wild_ranks,
        }
        if self.named is None:
            return {**pool, "hands": [_group_as_json(row) for row in self.table()]}
        return {"hand": write_spelling(self.named), **pool, "chance": exact(self.probability(self.named))}


@dataclass(frozen=True, slots=True)
class DrawReport:
    """The odds of reaching a declaration by a draw (Thorin's game).

    Attributes:
        claim: the declaration.
        jokers: the number of jokers in the deck.
        hand: five cards; `None` for a new hand of five cards.
        discard: the cards to discard; `None` for a table of all discards.
        gone: earlier discards, which aren't drawn.
        or_better: the option of this name.
        duplicate: the option of this name.
    """

    claim: int
    jokers: int
    hand: tuple[int, ...] | None = None
    discard: tuple[int, ...] | None = None
    gone: tuple[int, ...] = ()
    or_better: str = "worst"
    duplicate: str = "five_only"

    @property
    def by_words(self) -> bool:
        """Whether a hand must fit the words of the declaration, or beat every hand that does."""
        return self.or_better == "words"

    @property
    def hand_value(self) -> int | None:
        """The value of the hand as it stands; `None` for a new hand."""
        return None if self.hand is None else hand_value(self.hand, self.duplicate == "any")

    @property
    def floor(self) -> int:
        """The weakest value that makes the declaration true."""
        return floor_of(self.claim)

    @property
    def rules(self) -> ThorinRules:
        """The rules, as far as they matter for odds."""
        return draw_rules(self.jokers, self.or_better, self.duplicate)

    def holds(self, value: int) -> bool:
        """Return whether a hand of this value makes the declaration true."""
        return keeps_promise(value, self.claim, self.rules)

    def outcomes(self, discard: Sequence[int]) -> Outcomes:
        """Return the distribution of the hand's value after a discard."""
        return draw_outcomes(self.hand or (), discard, self.jokers, bool(self.rules.double_any), Gone(self.gone))

    @property
    def choices(self) -> list[DiscardChoice]:
        """The discards in question with their probabilities, the best first."""
        if self.hand is not None and self.discard is None:
            double_any, drawn = bool(self.rules.double_any), Gone(self.gone)
            return choices_of_size(self.hand, None, self.holds, self.jokers, double_any, drawn)
        discard = self.discard or ()
        return [DiscardChoice(discard, self.outcomes(discard).probability_of(self.holds))]

    def as_json(self) -> dict[str, object]:
        """Return the report for JSON, with each probability as a float and as an exact fraction."""
        found = [
            {"discard": _texts(discarded), "chance": exact(probability)} for discarded, probability in self.choices
        ]
        return {
            "claim": write_claim(self.claim),
            "floor": write_value(self.floor),
            "hand": None if self.hand is None else _texts(self.hand),
            "hand_value": None if self.hand_value is None else write_value(self.hand_value),
            "jokers": self.jokers,
            "gone": _texts(self.gone),
            "or_better": self.or_better,
            "duplicate": self.duplicate,
            "discards": found,
        }


def _texts(cards: Sequence[int]) -> list[str]:
    return [card_text(card) for card in cards]


def _group_as_json(row: HandGroup) -> dict[str, object]:
    return {
        "category": row.named.word,
        "highest": write_spelling(row.named),
        "hands": row.hands,
        "chance": exact(row.probability),
    }


SHOWN_DISCARDS = 8
"""The number of discards in the text of a report."""


def format_pool(report: PoolReport) -> str:
    """Return the report as plain text, at most 80 columns wide."""
    return "\n".join(_table(report) if report.named is None else _hand(report, report.named))


def format_draw(report: DrawReport) -> str:
    """Return the report as plain text, at most 80 columns wide, with the best discards."""
    found = report.choices
    promised = (
        N_("{claim}: a hand that fits it, or beats every hand that does")
        if report.by_words
        else N_("{claim}: {hand} or better")
    )
    lines = [_(promised, claim=write_claim(report.claim), hand=write_value(report.floor)), ""]
    if report.hand is not None and report.hand_value is not None:
        lines.append(_line(_("you hold"), f"{_cards(report.hand)}: {write_value(report.hand_value)}"))
    if report.gone:
        lines += textwrap.wrap(_line(_("gone"), _cards(report.gone)), 80, subsequent_indent=_line("", ""))
    if len(found) > 1:
        return "\n".join([*lines, "", *_discards(report)])
    [(discarded, probability)] = found
    if report.hand is None:
        draw = _line(_("you draw"), _("five new cards"))
    elif discarded:
        draw = _line(_("you"), _("discard {cards}", cards=_cards(discarded)))
    else:
        draw = _line(_("you"), _("keep all"))
    return "\n".join([*lines, draw, _chance(probability)])


def _line(label: str, text: str) -> str:
    return f"  {label:<11} {text}"


def _chance(probability: Fraction) -> str:
    return _line(_("chance"), f"{percent(probability)}{one_in(probability)}")


def _hand(report: PoolReport, named: Spelling) -> Iterator[str]:
    """Yield the known cards of one hand, and its probability."""
    proof, probability = report.proof(named), report.probability(named)
    yield _("{hand} in {pool}", hand=write_spelling(named), pool=_pool(report))
    yield ""
    yield from _wild(report)
    yield _line(_("known"), _known(proof.cards, proof.wilds))
    yield _line(_("missing"), str(proof.missing) if proof.missing else _("nothing"))
    yield _chance(probability)


def _known(cards: tuple[int, ...], wilds: tuple[int, ...]) -> str:
    """Return the known cards of a hand and the wild cards that complete it, as in `As Ad, wild Jk`."""
    parts = [_cards(cards)] if cards else []
    if wilds:
        parts.append(_("wild {cards}", cards=_cards(wilds)))
    return ", ".join(parts) or _("nothing")


def _pool(report: PoolReport) -> str:
    """Return `a pool of 14 cards, 2 of them known`."""
    known = len(report.known)
    cards = known + report.unknown
    if cards == 1:
        return _("a pool of one card, which is known") if known else _("a pool of one card, which is unknown")
    if known:
        return _("a pool of {count} cards, {known} of them known", count=cards, known=known)
    return _("a pool of {count} cards, none of them known", count=cards)


def _wild(report: PoolReport) -> Iterator[str]:
    """Yield a line with the wild cards, if there are any."""
    wild = ["Jk"] * report.rules.jokers + list(report.wild_ranks)
    if wild:
        yield _line(_("wild"), " ".join(wild))


def _table(report: PoolReport) -> Iterator[str]:
    yield _("Probability of each named hand in {pool}", pool=_pool(report))
    yield ""
    yield from _wild(report)
    before = ""
    for named, hands, probability in report.table():
        word = "" if named.word == before else named.word
        yield f"  {word:<16}{number(rounded(probability, PLACES)):>10}   {_with_others(named, hands)}"
        before = named.word


def _with_others(named: Spelling, hands: int) -> str:
    hand = write_spelling(named)
    return _("{hand} and {count} more", hand=hand, count=number(f"{hands - 1:,}")) if hands > 1 else hand


def _discards(report: DrawReport) -> Iterator[str]:
    found = report.choices
    discard, chance, nothing = _("discard"), _("chance"), _("nothing")
    yield f"  {discard:<17}{chance:>8}"
    for discarded, probability in found[:SHOWN_DISCARDS]:
        yield f"  {_cards(discarded) or nothing:<17}{percent(probability):>8}"
    yield "  " + _("and {count} more, none of them better", count=len(found) - SHOWN_DISCARDS)


def _cards(cards: Iterable[int]) -> str:
    return " ".join(map(card_text, cards))
