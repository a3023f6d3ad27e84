"""Reviews of Thorin's game in words."""

from __future__ import annotations

from typing import ClassVar

from liarspoker.coach.cards.words import CardWording, rest_of
from liarspoker.coach.decisions import Appraisal, Decision
from liarspoker.coach.wording import EVEN
from liarspoker.games.cards.wording import format_cards, high_to_low
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of
from liarspoker.games.thorin.record_text import describe_action
from liarspoker.games.thorin.state import RESPOND
from liarspoker.language import N_, _, pgettext


class HandWording(CardWording):
    """How a reviewed round is worded, in which claims are about the hand that is passed on."""

    __slots__ = ()

    by_odds: ClassVar[str] = N_("By the draws alone, it would have been true with a probability of {odds}.")

    def in_words(self, place: int, action: int) -> str:
        """Return an action in words."""
        return describe_action(action)

    def said(self, place: int, action: int) -> str:
        """Return an action in words, with the hand if it is known."""
        words, dealt = self.in_words(place, action), self._session(place).round
        if self.hand.decisions[place] is None or dealt.state.phase == RESPOND:
            return words
        # Translators: what a player does, and the cards that they have: "two pair (7s 7d 3d 3c Jc)"
        return _("{action} ({cards})", action=words, cards=format_cards(high_to_low(dealt.hand)))

    def as_subject(self, place: int, action: int) -> str:
        """Return an action as the subject of a sentence."""
        if action >= 0:
            # Translators: the subject of a sentence such as "declaring a pair of kings was worth 0.42 more"
            return _("declaring {hand}", hand=self.in_words(place, action))
        if action == CHALLENGE:
            return pgettext("subject", "a challenge")
        if action == TAKE:
            return pgettext("subject", "taking the hand")
        if action == PASS:
            return pgettext("subject", "a pass")
        cards = cards_of(action)
        if not cards:
            return pgettext("subject", "keeping all five cards")
        # Translators: the subject of a sentence
        return _("discarding {cards}", cards=format_cards(high_to_low(cards)))

    def message(self, decision: Decision, appraisal: Appraisal) -> str:
        """Return the message of why a decision was good or bad."""
        rest = rest_of(appraisal)
        if decision.truth is not None:
            return {
                "best": N_("The declaration was true with a probability of {truth}; nothing else was worth more."),
                "as-good": N_("The declaration was true with a probability of {truth}; {better} was about as good."),
                "may-be-better": N_(
                    "The declaration was true with a probability of {truth}; {better} may have been better."
                ),
                "worse": N_("The declaration was true with a probability of {truth}; {better} was worth {loss} more."),
            }[rest]
        if decision.action < 0:
            return {
                "best": N_("Nothing else was worth more."),
                "as-good": N_("{better} was about as good."),
                "may-be-better": N_("{better} may have been better."),
                "worse": N_("{better} was worth {loss} more."),
            }[rest]
        is_true, better_is_true = (
            decision.chances.get(action, 0.0) > EVEN for action in (decision.action, appraisal.best)
        )
        if is_true:
            return {
                "best": N_("It was true, and nothing else was worth more."),
                "as-good": N_("It was true; {better} was about as good."),
                "may-be-better": N_("It was true; {better} may have been better."),
                "worse": N_("It was true, but {better} was worth {loss} more.")
                if better_is_true
                else N_("It was true, but {better}, a lie, was worth {loss} more."),
            }[rest]
        return {
            "best": N_("It was a lie, and nothing else was worth more."),
            "as-good": N_("It was a lie; {better} was about as good."),
            "may-be-better": N_("It was a lie; {better} may have been better."),
            "worse": N_("It was a lie; {better}, which was true, was worth {loss} more.")
            if better_is_true
            else N_("It was a lie; {better} was worth {loss} more."),
        }[rest]

    def about_bluff(self, place: int) -> str:
        """Return whether a lie was believed; the reason already says that it was a lie."""
        heard = self.hand.heard[place]
        if heard.bluff is None or heard.was_believed is None:
            return ""
        return _("The next player believed it.") if heard.was_believed else _("The next player challenged.")
