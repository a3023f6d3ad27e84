"""What all odds pages share: form fields with errors, URLs, and numbers in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from urllib.parse import urlencode

from liarspoker.language import _, pgettext
from liarspoker.odds.figures import in_percent
from liarspoker.web.draw import Bar

_LONGEST = 9


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a question.

    Attributes:
        name: its query parameter.
        error: what is wrong and how to fix it; empty if the value is valid.
        less: the URL with the value decreased by 1; empty if there is none.
        more: the URL with the value increased by 1; empty if there is none.
        choices: the values and labels of a selection; empty for a text field.
        hint: a note below the field.
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
    """The text of each field of a question, and the errors by field, which are filled in while it is read."""

    typed: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, given: Mapping[str, str], first: Mapping[str, str]) -> Question:
        """Return the question of a query; missing fields are taken from `first`."""
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
        """Return a field with its text and error; see `Field`."""
        return Field(name, label, self.typed[name], self.errors.get(name, ""), less, more, choices, hint)


@dataclass(frozen=True, slots=True)
class BreakEven:
    """A probability and the break-even probability, both in percent and in words."""

    probability: float
    needed: float
    probability_words: str
    needed_words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to an odds question; each kind of question adds its own fields.

    Attributes:
        question: the question in words.
        lead: the assumptions of the question.
        figure: the probability in percent.
        rarity: such as ", 1 in 4.7"; may be empty.
        fraction: the exact probability.
        bars: the chart.
        chart_text: the chart in words.
        address: the URL of the answer.
    """

    question: str
    lead: str
    figure: str
    rarity: str
    fraction: str
    bars: tuple[Bar, ...]
    chart_text: str
    address: str


def read_integer(text: str, least: int, most: int) -> int | None:
    """Return the integer in `text`, or `None` if it isn't one from `least` to `most`.

    >>> read_integer("7", 2, 100), read_integer(" 12 ", 2, 100), read_integer("1", 2, 100), read_integer("1e1", 2, 100)
    (7, 12, None, None)
    """
    typed = text.strip()
    if not typed.isascii() or not typed.isdigit() or len(typed) > _LONGEST or not least <= int(typed) <= most:
        return None
    return int(typed)


def address(path: str, fields: Mapping[str, object]) -> str:
    """Return the URL of a question; empty fields are left out.

    >>> address("/odds", {"players": 5, "over": ""})
    '/odds?players=5'
    """
    return f"{path}?{urlencode({name: value for name, value in fields.items() if value != ''})}"


def number_in_words(number: int) -> str:
    """Return a number up to twelve in words, a larger one in digits.

    >>> number_in_words(0), number_in_words(5), number_in_words(32)
    ('no', 'five', '32')
    """
    words = (
        pgettext("a number", "no"),
        pgettext("a number", "one"),
        pgettext("a number", "two"),
        pgettext("a number", "three"),
        pgettext("a number", "four"),
        pgettext("a number", "five"),
        pgettext("a number", "six"),
        pgettext("a number", "seven"),
        pgettext("a number", "eight"),
        pgettext("a number", "nine"),
        pgettext("a number", "ten"),
        pgettext("a number", "eleven"),
        pgettext("a number", "twelve"),
    )
    return words[number] if number < len(words) else str(number)


def percent(probability: Fraction) -> str:
    """Return a probability in percent with one decimal; only certain events are written as 0 or 100."""
    return in_percent(probability, 1)


_MOST_JOKERS = 2


def card_question(
    given: Mapping[str, str], first: Mapping[str, str], options: Mapping[str, str] = MappingProxyType({})
) -> Question:
    """Return the question of a query: `first` if it has no claim, otherwise with missing fields empty.

    Args:
        given: the query parameters.
        first: the question of the first visit.
        options: the defaults of further fields, which are never empty.
    """
    known = first if "claim" not in given else dict.fromkeys(first, "") | {"jokers": "0"}
    return Question.of(given, {**known, **options})


def jokers_field(asked: Question) -> Field:
    """Return the field for the number of jokers."""
    choices = (("0", _("no jokers")), ("1", _("one joker")), ("2", _("two jokers")))
    return asked.field("jokers", _("Jokers in the deck"), choices=choices)


def jokers_of(asked: Question) -> int:
    """Return the number of jokers; if it isn't valid, add an error and return 0."""
    jokers = read_integer(asked.typed["jokers"], 0, _MOST_JOKERS)
    if jokers is None:
        asked.errors["jokers"] = _("Must be 0, 1 or 2.")
    return jokers or 0


def read_cards(text: str) -> list[str]:
    """Split typed text into cards; spaces and commas are optional.

    >>> read_cards("As 10d, 2cJk")
    ['As', 'Td', '2c', 'Jk']
    """
    joined = "".join(text.replace(",", " ").replace("10", "T").split())
    return [joined[start : start + 2] for start in range(0, len(joined), 2)]
