"""Reviews of card games in words: what all families say alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from liarspoker.coach.decisions import Appraisal, Decision
from liarspoker.coach.verdicts import BEST, FINE, INACCURACY, THRESHOLDS
from liarspoker.coach.wording import NOTABLE, percent
from liarspoker.language import N_, _, number
from liarspoker.records.words import capital

if TYPE_CHECKING:
    from liarspoker.coach.cards.review import RoundReview


@dataclass(frozen=True, slots=True)
class CardWording(ABC):
    """How a family words a reviewed round; see :class:`~liarspoker.coach.wording.Wording`."""

    by_odds: ClassVar[str]
    """The message of how likely the standing claim was without anything heard."""

    hand: RoundReview

    @abstractmethod
    def in_words(self, place: int, action: int) -> str:
        """Return an action that was possible at a place, in words."""

    @abstractmethod
    def as_subject(self, place: int, action: int) -> str:
        """Return an action that was possible at a place, as the subject of a sentence."""

    @abstractmethod
    def message(self, decision: Decision, appraisal: Appraisal) -> str:
        """Return the message of why a decision was good or bad."""

    def shown(self) -> list[tuple[int, str]]:
        """Return the seats with the cards that they were dealt."""
        return []

    def said(self, place: int, action: int) -> str:
        """Return an action in words."""
        return self.in_words(place, action)

    def write(self, place: int, action: int) -> str:
        """Return an action in the notation."""
        return self.hand.sessions[place].write(action)

    def reasons(self, place: int) -> list[str]:
        """Return why the decision at a place was good or bad."""
        decision, session = self.hand.decisions[place], self._session(place)
        assert decision is not None
        assert decision.appraisal is not None
        best, odds, truth = decision.appraisal.best, decision.odds, decision.truth
        values = {
            "claim": "" if truth is None else self.in_words(place, session.round.state.claim),
            "truth": "" if truth is None else percent(truth),
            "mine": self.in_words(place, decision.action),
            "chance": percent(decision.chances.get(decision.action, 0.0)),
            "better": self.as_subject(place, best),
            "other": percent(decision.chances.get(best, 0.0)),
            "loss": number(f"{decision.appraisal.loss:.2f}"),
        }
        message = self.message(decision, decision.appraisal)
        found = [capital(_(message, **values))]
        if "{truth}" in message and odds is not None and truth is not None and abs(truth - odds) >= NOTABLE:
            found.append(_(self.by_odds, odds=percent(odds), claim=values["claim"]))
        return found

    def about_bluff(self, place: int) -> str:
        """Return whether a bluff was believed; empty if the action at a place isn't one."""
        heard = self.hand.heard[place]
        if heard.bluff is None or heard.chance is None:
            return ""
        message = {
            True: N_("A bluff, with a chance of {chance}. The next player believed it."),
            False: N_("A bluff, with a chance of {chance}. The next player challenged."),
            None: N_("A bluff, with a chance of {chance}."),
        }[heard.was_believed]
        return _(message, chance=percent(heard.chance))

    def _session(self, place: int) -> Any:
        """Return the session before an action, of the family's class."""
        return self.hand.sessions[place]


def rest_of(appraisal: Appraisal) -> str:
    """Return how the rest of a message compares the best action: `best`, `as-good`, `may-be-better` or `worse`."""
    if appraisal.verdict == FINE:
        return "may-be-better" if appraisal.loss >= THRESHOLDS[INACCURACY] else "as-good"
    return "best" if appraisal.verdict == BEST else "worse"
