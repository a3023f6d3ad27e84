"""View model of a review: the verdicts on a hand, and what the coach says of a ply.

A review is what `liarspoker review --json` prints. What it shows of the hands is up to the game's family.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import hypot
from typing import Any

from liarspoker.bots.catalogue import title_of
from liarspoker.coach.document import ActionDocument, AppraisalDocument, ReviewDocument, appraisal_of
from liarspoker.coach.verdicts import BAD, verdict_of
from liarspoker.core.session import Session
from liarspoker.language import _, number
from liarspoker.records.words import YOU, capital, name_shown, signed, verdict_in_words
from liarspoker.web.view_models.round_replay import RoundReplay
from liarspoker.web.words import MINUS

_LISTED = 5
"""The number of actions that are listed with their values."""


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
        return cls(words, signed(value), number(f"±{half_width:.2f}") if half_width else "", value, chosen)


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
class Beliefs:
    """What is believed at a ply: for each seat its count of a digit, or the categories of poker hands.

    Attributes:
        title: what the beliefs are about; empty without any.
        seats: what each seat may hold.
        hands: the categories with their probabilities.
    """

    title: str = ""
    seats: tuple[Belief, ...] = ()
    hands: tuple[tuple[str, float], ...] = ()


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
        hands: the categories of poker hands with their probabilities.
        in_rounds: values are in units per round of a match, not per hand.
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
    hands: tuple[tuple[str, float], ...] = ()
    in_rounds: bool = False

    @property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest value, for the bars."""
        values = [one.value for one in self.values]
        return min([0.0, *values]), max([0.0, *values])


@dataclass(frozen=True, slots=True)
class Coaching:
    """The reviews of a family; see `liarspoker.web.view_models.family.ReviewPage`.

    Attributes:
        in_words: returns an action of a session in words.
        beliefs: returns what is believed at a ply.
        in_rounds: values are in units per round of a match, not per hand.
    """

    in_words: Callable[[Any, int], str]
    beliefs: Callable[[ReviewDocument, RoundReplay, int], Beliefs]
    in_rounds: bool = False

    def marks(self, review: ReviewDocument, replay: RoundReplay) -> dict[int, Mark]:
        """Return the verdict on each ply that was reviewed."""
        found = {}
        for ply, action in enumerate(_actions(review), 1):
            appraisal = appraisal_of(action)
            if appraisal is not None:
                best, mark = appraisal["best"], _mark(appraisal["verdict"], appraisal["loss"])
                better = (best, self._words(replay, ply, best)) if mark.loss_words else None
                found[ply] = replace(mark, better=better)
        return found

    def coach(self, review: ReviewDocument, replay: RoundReplay, at: int) -> CoachViewModel:
        """Return what the coach says of a ply: of the action that led to it, and of what everybody may hold."""
        action = _actions(review)[at - 1] if at else None
        if action is None:
            return self._shown(review, replay, at)
        said = f"{name_shown(replay.names[action['seat']])}: {self._words(replay, at, replay.moves[at - 1][1])}"
        decision, appraisal, bluff = action["decision"], appraisal_of(action), action["about_bluff"]
        if decision is None and action["seat"] != replay.sessions[at - 1].to_act:
            return self._shown(review, replay, at, said=said, reasons=(_("Challenges out of turn aren’t judged."),))
        reasons = () if decision is None else tuple(decision["reasons"])
        if appraisal is None:
            return self._shown(review, replay, at, said=said, reasons=reasons, bluff=bluff)
        mark = self.marks(review, replay)[at]
        return self._shown(
            review,
            replay,
            at,
            mark=mark,
            said=said,
            reasons=reasons,
            values=self._values(appraisal, replay, at, action["action"]),
            bluff=bluff,
            lesson=at - 1 if mark.loss_words and action["seat"] == replay.me else None,
        )

    def lesson(self, review: ReviewDocument, replay: RoundReplay, at: int, guess: str) -> CoachViewModel | None:
        """Return what the coach asks before the reader's decision, or says of their guess.

        Args:
            review: the review.
            replay: the hand.
            at: the ply before the decision.
            guess: the action that they now choose, in notation; anything else than a choice isn't a guess.
        """
        if at + 1 >= len(replay.sessions) or replay.moves[at][0] != replay.me:
            return None
        action = _actions(review)[at]
        decision, appraisal = action["decision"], appraisal_of(action)
        if decision is None or appraisal is None:
            return None
        worth = [value["action"] for value in appraisal["values"]]
        best, session = appraisal["best"], replay.sessions[at]
        if guess not in worth:
            listed = [*worth[:_LISTED], *([] if action["action"] in worth[:_LISTED] else [action["action"]])]
            ordered = sorted(listed, key=session.read)
            choices = tuple((text, capital(self._words(replay, at + 1, text))) for text in ordered)
            return self._shown(review, replay, at, choices=choices)
        return self._shown(
            review,
            replay,
            at,
            mark=_mark_of(guess, appraisal, action["action"], review["thresholds"]),
            said=f"{name_shown(YOU)}: {self._words(replay, at + 1, guess)}",
            reasons=tuple(decision["reasons"])[: None if guess == action["action"] else 1 if guess == best else 0],
            values=self._values(appraisal, replay, at + 1, guess),
        )

    def _shown(
        self,
        review: ReviewDocument,
        replay: RoundReplay,
        at: int,
        *,
        mark: Mark | None = None,
        said: str = "",
        reasons: tuple[str, ...] = (),
        values: tuple[Considered, ...] = (),
        bluff: str = "",
        lesson: int | None = None,
        choices: tuple[tuple[str, str], ...] = (),
    ) -> CoachViewModel:
        """Return what the coach says, together with what is believed."""
        beliefs, model = self.beliefs(review, replay, at), title_of(review["model"])
        return CoachViewModel(
            mark,
            said,
            reasons,
            values,
            bluff,
            model,
            beliefs.title,
            beliefs.seats,
            lesson=lesson,
            choices=choices,
            hands=beliefs.hands,
            in_rounds=self.in_rounds,
        )

    def _values(
        self, appraisal: AppraisalDocument, replay: RoundReplay, at: int, chosen: str
    ) -> tuple[Considered, ...]:
        """Return the best actions before a ply with their values, and the chosen one."""
        values = [
            Considered.of(
                capital(self._words(replay, at, value["action"])),
                value["mean"],
                value["half_width"],
                value["action"] == chosen,
            )
            for value in appraisal["values"]
        ]
        return tuple(value for place, value in enumerate(values) if place < _LISTED or value.chosen)

    def _words(self, replay: RoundReplay, at: int, text: str) -> str:
        """Return an action of the position before a ply in words."""
        before: Session = replay.sessions[at - 1]
        return self.in_words(before, before.read(text))


def _actions(review: ReviewDocument) -> list[ActionDocument]:
    return review["hands"][0]["actions"]


def _mark_of(guess: str, appraisal: AppraisalDocument, played: str, thresholds: dict[str, float]) -> Mark:
    """Return the verdict on a guess, by the loss that is certain."""
    values = {value["action"]: value for value in appraisal["values"]}
    best, mine = values[appraisal["best"]], values[guess]
    loss = best["mean"] - mine["mean"]
    if guess == played:
        verdict, loss = appraisal["verdict"], appraisal["loss"]
    else:
        verdict = verdict_of(loss, hypot(best["half_width"], mine["half_width"]), thresholds)
    return _mark(verdict, loss)


def _mark(verdict: str, loss: float) -> Mark:
    """Return a verdict in words, with its loss if it finds fault."""
    return Mark(verdict, verdict_in_words(verdict), number(f"{MINUS}{loss:.2f}") if verdict in BAD else "", loss)
