"""A review as JSON, as `liarspoker review --json` prints it and the server keeps it.

Values and losses are in units per hand at stake 1, or per round of a match; actions are in the notation.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict, final


class ValueDocument(TypedDict):
    """What an action wins on average: see :class:`~liarspoker.coach.decisions.Value`."""

    action: str
    mean: float
    half_width: float


class AppraisalDocument(TypedDict):
    """The values of a decision by one model: see :class:`~liarspoker.coach.decisions.Appraisal`."""

    model: str
    verdict: str
    best: str
    loss: float
    half_width: float
    values: list[ValueDocument]


class DecisionDocument(TypedDict):
    """A decision: see :class:`~liarspoker.coach.decisions.Decision`; `reasons` are sentences."""

    verdict: str | None
    odds: float | None
    truth: float | None
    appraisal: AppraisalDocument | None
    other: AppraisalDocument | None
    chances: dict[str, float]
    reasons: list[str]


class ActionDocument(TypedDict):
    """An action and what it revealed.

    Digit games have the fields of :class:`~liarspoker.coach.review.Heard`, card games those of
    :class:`~liarspoker.coach.cards.review.Claimed`. `about_bluff` is a sentence, or empty.
    """

    seat: int
    action: str
    before: NotRequired[list[list[float]]]
    after: NotRequired[list[list[float]]]
    expected: NotRequired[float | None]
    held: NotRequired[int | None]
    chance: NotRequired[float | None]
    hands: NotRequired[dict[str, float] | None]
    bluff: float | None
    was_believed: bool | None
    about_bluff: str
    decision: DecisionDocument | None


class HandDocument(TypedDict):
    """The review of a hand, or of a round of a match."""

    hand: int
    stake: int
    actions: list[ActionDocument]


@final
class ReviewDocument(TypedDict):
    """The review of a record; the digits in play, and how careless they are, only in digit games."""

    game: str
    players: list[str]
    seat: int | None
    digits: NotRequired[str]
    model: str
    careless: NotRequired[float]
    other_model: str | None
    thresholds: dict[str, float]
    hands: list[HandDocument]


@final
class Refusal(TypedDict):
    """The answer of the server's process if a hand can't be reviewed: a code, and the reason in words or empty."""

    refused: str
    why: str


def appraisal_of(action: ActionDocument) -> AppraisalDocument | None:
    """Return the values of the decision behind an action; `None` if it isn't judged."""
    return None if action["decision"] is None else action["decision"]["appraisal"]
