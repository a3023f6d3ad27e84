"""View model of a review: the verdicts on a hand, and what the coach says of a ply."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.language import number
from liarspoker.web.words import MINUS


@dataclass(frozen=True, slots=True)
class Mark:
    """The verdict on a ply.

    Attributes:
        verdict: its key.
        words: its name.
        loss_words: the loss in words; empty if it is small.
        loss: the loss in units.
        better: the best action, in notation and in words, if the loss isn't small.
    """

    verdict: str
    words: str
    loss_words: str
    loss: float
    better: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Considered:
    """An action with its value.

    Attributes:
        words: the action.
        mean: its value in words.
        half_width: the width of its interval in words; empty if it is exact.
        value: its value in units.
        chosen: whether it was played.
    """

    words: str
    mean: str
    half_width: str
    value: float
    chosen: bool

    @classmethod
    def of(cls, words: str, value: float, half_width: float, chosen: bool) -> Considered:
        """Return an action with its value and half its 95% interval, 0 for an exact value, in units."""
        mean = number(f"{value:+.2f}").replace("-", MINUS)
        return cls(words, mean, number(f"±{half_width:.2f}") if half_width else "", value, chosen)


@dataclass(frozen=True, slots=True)
class Belief:
    """What a seat may hold of a digit.

    Attributes:
        name: the player's name.
        mean: how many on average, in words.
        chances: the probability of none, one, two, ...; the last one is of all higher counts.
        held: how many they hold; `None` if the reader can't know.
    """

    name: str
    mean: str
    chances: tuple[float, ...]
    held: int | None


@dataclass(frozen=True, slots=True)
class CoachViewModel:
    """What the coach says of a ply.

    Attributes:
        mark: the verdict; `None` if the decision isn't judged.
        said: the action in words, with the player's name.
        reasons: the reasons, as sentences.
        values: the best actions and the chosen one, the best first.
        bluff: what is said of a bluff; empty if it isn't one.
        model: the name of the bot that everybody is assumed to play like.
        beliefs_title: what the beliefs are about.
        beliefs: what each seat may hold.
        lesson: the ply before the reader's own mistake, from which they can try again; `None` elsewhere.
        choices: where they try again, the actions to choose from, in notation and in words.
    """

    mark: Mark | None
    said: str
    reasons: tuple[str, ...]
    values: tuple[Considered, ...]
    bluff: str
    model: str
    beliefs_title: str
    beliefs: tuple[Belief, ...]
    lesson: int | None = None
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest value, for the bars."""
        values = [one.value for one in self.values]
        return min([0.0, *values]), max([0.0, *values])
