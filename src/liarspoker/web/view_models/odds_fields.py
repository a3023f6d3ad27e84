"""What the pages of the odds have in common: fields with what is wrong with them, addresses, figures in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from urllib.parse import urlencode

from liarspoker.odds.figures import rounded
from liarspoker.web.draw import Bar

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_LONGEST = 9


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a question.

    Attributes:
        name: as the address writes it.
        error: what is wrong with it and what would do; empty where nothing is.
        less: the address with one less; empty where there is none, or where the field has no steps.
        more: the address with one more.
        choices: what may be chosen, each with its label; empty for a field in which one types.
        hint: what stands below it.
    """

    name: str
    label: str
    value: str
    error: str = ""
    less: str = ""
    more: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What stands in each field of a question, and what is wrong with it by field; filled in while it is read."""

    typed: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, given: Mapping[str, str], first: Mapping[str, str]) -> Question:
        """The question of an address; what it leaves out is asked as in `first`."""
        return cls({name: given.get(name, value).strip() for name, value in first.items()})

    def field(
        self,
        name: str,
        label: str,
        less: str = "",
        more: str = "",
        choices: tuple[tuple[str, str], ...] = (),
        hint: str = "",
    ) -> Field:
        """A field as it is filled in, with what is wrong with it; see `Field`."""
        return Field(name, label, self.typed[name], self.errors.get(name, ""), less, more, choices, hint)


@dataclass(frozen=True, slots=True)
class Even:
    """The line on which a chance stands beside the chance from which it pays, both in per cent and in words."""

    chance: float
    needed: float
    chance_words: str
    needed_words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a question of odds; each kind of question adds what it shows beside.

    Attributes:
        lead: what the question takes as given.
        figure: the chance in per cent.
        rarity: ", 1 in 4.7", or empty.
        bars: the chart.
        told: the chart in words.
    """

    question: str
    lead: str
    figure: str
    rarity: str
    fraction: str
    bars: tuple[Bar, ...]
    told: str
    address: str


def whole(text: str, least: int, most: int) -> int | None:
    """The number that `text` writes, if it is one from `least` to `most`.

    >>> whole("7", 2, 100), whole(" 12 ", 2, 100), whole("1", 2, 100), whole("1e1", 2, 100)
    (7, 12, None, None)
    """
    typed = text.strip()
    if not typed.isascii() or not typed.isdigit() or len(typed) > _LONGEST or not least <= int(typed) <= most:
        return None
    return int(typed)


def address(path: str, fields: Mapping[str, object]) -> str:
    """The address of a question; fields without a value are left out.

    >>> address("/odds", {"players": 5, "over": ""})
    '/odds?players=5'
    """
    return f"{path}?{urlencode({name: value for name, value in fields.items() if value != ''})}"


def counted(number: int) -> str:
    """A small number in words, a large one in digits.

    >>> counted(0), counted(5), counted(32)
    ('no', 'five', '32')
    """
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def per_cent(chance: Fraction) -> str:
    """A chance in per cent with one place, as it stands in charts and tables; what is not certain never looks so.

    >>> [per_cent(Fraction(*parts)) for parts in ((1, 3), (0, 1), (1, 10**6), (1, 1), (10**6 - 1, 10**6))]
    ['33.3', '0', '<0.1', '100', '>99.9']
    """
    if chance in (0, 1):
        return str(int(chance) * 100)
    if chance * 2000 < 1:
        return "<0.1"
    return ">99.9" if (1 - chance) * 2000 < 1 else rounded(chance * 100, 1)


_JOKERS = (("0", "no jokers"), ("1", "one joker"), ("2", "two jokers"))


def asked_of_cards(given: Mapping[str, str], first: Mapping[str, str]) -> Question:
    """The question of an address: on the first visit, without a claim, `first`; else what it leaves out is empty."""
    return Question.of(given, first if "claim" not in given else dict.fromkeys(first, "") | {"jokers": "0"})


def jokers_field(asked: Question) -> Field:
    """How many jokers there are."""
    return asked.field("jokers", "Jokers in the deck", choices=_JOKERS)


def jokers_of(asked: Question) -> int:
    """How many jokers there are; none, and why among the errors, where that cannot be read."""
    jokers = whole(asked.typed["jokers"], 0, len(_JOKERS) - 1)
    if jokers is None:
        asked.errors["jokers"] = "There are 0, 1 or 2 jokers in a deck."
    return jokers or 0


def cards_typed(text: str) -> list[str]:
    """The cards that somebody types, together or apart.

    >>> cards_typed("As 10d, 2cJk")
    ['As', 'Td', '2c', 'Jk']
    """
    joined = "".join(text.replace(",", " ").replace("10", "T").split())
    return [joined[start : start + 2] for start in range(0, len(joined), 2)]
