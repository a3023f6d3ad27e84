"""Reviews of Queen Anne's games in words."""

from __future__ import annotations

from typing import ClassVar

from liarspoker.coach.cards.words import CardWording, rest_of
from liarspoker.coach.decisions import Appraisal, Decision
from liarspoker.coach.wording import EVEN
from liarspoker.games.cards.wording import format_cards, high_to_low
from liarspoker.games.queen_annes.record_text import describe_action
from liarspoker.language import N_, _, pgettext


class PoolWording(CardWording):
    """How a reviewed round is worded, in which claims are about all cards dealt."""

    __slots__ = ()

    by_odds: ClassVar[str] = N_("By the cards alone, the chance of {claim} was {odds}.")

    def shown(self) -> list[tuple[int, str]]:
        """Return the seats with their cards, extra cards last."""
        session = self._session(-1)
        extras = {seat: [one.card for one in session.round.extras if one.seat == seat] for seat in session.alive}
        return [
            (seat, " + ".join(map(format_cards, filter(None, (high_to_low(cards), extras.get(seat))))))
            for seat, cards in enumerate(session.round.hands)
            if cards
        ]

    def in_words(self, place: int, action: int) -> str:
        """Return an action in words."""
        return describe_action(action, self._session(place).setup.rules)

    def as_subject(self, place: int, action: int) -> str:
        """Return an action as the subject of a sentence."""
        if action < 0:
            return pgettext("subject", "a challenge")
        # Translators: the subject of a sentence such as "naming a pair of kings was worth 0.42 more"
        return _("naming {hand}", hand=self.in_words(place, action))

    def message(self, decision: Decision, appraisal: Appraisal) -> str:
        """Return the message of why a decision was good or bad."""
        rest = rest_of(appraisal)
        if decision.action < 0:
            return {
                "best": N_("The chance of {claim} was {truth}; no claim was worth more."),
                "as-good": N_("The chance of {claim} was {truth}; {better} was about as good."),
                "may-be-better": N_("The chance of {claim} was {truth}; {better} may have been better."),
                "worse": N_("The chance of {claim} was {truth}; {better} was worth {loss} more."),
            }[rest]
        if rest == "worse" and appraisal.best < 0:
            if decision.truth is not None and decision.truth < EVEN:
                return N_("The chance of {claim} was only {truth}: a challenge was worth {loss} more.")
            return N_("The chance of {mine} was {chance}; a challenge was worth {loss} more.")
        return {
            "best": N_("The chance of {mine} was {chance}; no other opening was worth more.")
            if decision.truth is None
            else N_("The chance of {mine} was {chance}; nothing else was worth more."),
            "as-good": N_("The chance of {mine} was {chance}; {better} was about as good."),
            "may-be-better": N_("The chance of {mine} was {chance}; {better} may have been better."),
            "worse": N_("{better} was worth {loss} more: its chance was {other}, and that of {mine} {chance}."),
        }[rest]
