"""Reviews of card games in words: the reasons behind a verdict, and whether a bluff was believed."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.coach.cards.review import RoundReview
from liarspoker.coach.decisions import Appraisal, Decision
from liarspoker.coach.verdicts import BEST, FINE, INACCURACY, THRESHOLDS
from liarspoker.coach.wording import EVEN, NOTABLE, percent
from liarspoker.core.session import Session
from liarspoker.games.cards.wording import format_cards, high_to_low
from liarspoker.games.queen_annes import record_text as queen_annes
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.thorin import record_text as thorin
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.state import RESPOND
from liarspoker.language import N_, _, number, pgettext
from liarspoker.records.words import capital


@dataclass(frozen=True, slots=True)
class CardWording:
    """How a reviewed round of a card game is worded; see :class:`~liarspoker.coach.wording.Wording`."""

    hand: RoundReview

    def shown(self) -> list[tuple[int, str]]:
        """Return the seats with their cards, extra cards last; none in Thorin's game, where one hand is passed on."""
        session = self.hand.sessions[-1]
        if not isinstance(session, QueenAnnesSession) or session.round is None:
            return []
        extras = {seat: [one.card for one in session.round.extras if one.seat == seat] for seat in session.alive}
        return [
            (seat, " + ".join(map(format_cards, filter(None, (high_to_low(cards), extras.get(seat))))))
            for seat, cards in enumerate(session.round.hands)
            if cards
        ]

    def said(self, place: int, action: int) -> str:
        """Return an action in words, in Thorin's game with the hand if it is known."""
        session = self.hand.sessions[place]
        words = action_in_words(action, session)
        if not isinstance(session, ThorinSession) or session.round is None or self.hand.decisions[place] is None:
            return words
        if session.round.state.phase == RESPOND:
            return words
        # Translators: what a player does, and the cards that they have: "two pair (7s 7d 3d 3c Jc)"
        return _("{action} ({cards})", action=words, cards=format_cards(high_to_low(session.round.hand)))

    def write(self, place: int, action: int) -> str:
        """Return an action in the notation."""
        return self.hand.sessions[place].write(action)

    def reasons(self, place: int) -> list[str]:
        """Return why the decision at a place was good or bad."""
        decision, session = self.hand.decisions[place], self.hand.sessions[place]
        assert decision is not None
        assert decision.appraisal is not None
        values = {
            "claim": "" if decision.truth is None else action_in_words(_standing(session), session),
            "truth": "" if decision.truth is None else percent(decision.truth),
            "mine": action_in_words(decision.action, session),
            "chance": percent(decision.chances.get(decision.action, 0.0)),
            "better": _as_subject(decision.appraisal.best, session),
            "other": percent(decision.chances.get(decision.appraisal.best, 0.0)),
            "loss": number(f"{decision.appraisal.loss:.2f}"),
        }
        is_pool = isinstance(session, QueenAnnesSession)
        message = _of_the_pool(decision, decision.appraisal) if is_pool else _of_the_hand(decision, decision.appraisal)
        found = [capital(_(message, **values))]
        if "{truth}" in message and _is_notable(decision):
            odds = "" if decision.odds is None else percent(decision.odds)
            by_cards = N_("By the cards alone, the chance of {claim} was {odds}.")
            by_draws = N_("By the draws alone, it would have been true with a probability of {odds}.")
            found.append(_(by_cards if is_pool else by_draws, odds=odds, claim=values["claim"]))
        return found

    def about_bluff(self, place: int) -> str:
        """Return whether a bluff was believed; empty if the action at a place isn't one."""
        heard = self.hand.heard[place]
        if heard.bluff is None or heard.chance is None:
            return ""
        if heard.chance == 0.0 and not isinstance(self.hand.sessions[place], QueenAnnesSession):
            # The reason already says that it was a lie.
            if heard.was_believed is None:
                return ""
            return _("The next player believed it.") if heard.was_believed else _("The next player challenged.")
        message = {
            True: N_("A bluff, with a chance of {chance}. The next player believed it."),
            False: N_("A bluff, with a chance of {chance}. The next player challenged."),
            None: N_("A bluff, with a chance of {chance}."),
        }[heard.was_believed]
        return _(message, chance=percent(heard.chance))


def action_in_words(action: int, session: Session) -> str:
    """Return an action of a card game in words."""
    if isinstance(session, QueenAnnesSession):
        return queen_annes.describe_action(action, session.setup.rules)
    return thorin.describe_action(action)


def _standing(session: Session) -> int:
    """Return the last claim of a round in play."""
    found: int = session.round.state.claim  # type: ignore[attr-defined]  # of both families
    return found


def _is_notable(decision: Decision) -> bool:
    return decision.odds is not None and decision.truth is not None and abs(decision.truth - decision.odds) >= NOTABLE


def _as_subject(action: int, session: Session) -> str:
    """Return an action as the subject of a sentence."""
    if action >= 0:
        # Translators: the subject of a sentence such as "naming a pair of kings was worth 0.42 more"
        return _("naming {hand}", hand=action_in_words(action, session))
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


def _rest(appraisal: Appraisal) -> str:
    """Return how the rest of a message compares the best action: `better`, `as-good` or `worth-more`."""
    if appraisal.verdict == FINE:
        return "may-be-better" if appraisal.loss >= THRESHOLDS[INACCURACY] else "as-good"
    return "best" if appraisal.verdict == BEST else "worse"


def _of_the_pool(decision: Decision, appraisal: Appraisal) -> str:
    """Return the message for a decision where a claim is about all cards dealt."""
    rest = _rest(appraisal)
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


def _of_the_hand(decision: Decision, appraisal: Appraisal) -> str:
    """Return the message for a decision where a claim is about the hand that is passed on."""
    rest = _rest(appraisal)
    if decision.truth is not None:
        return {
            "best": N_("The declaration was true with a probability of {truth}; nothing else was worth more."),
            "as-good": N_("The declaration was true with a probability of {truth}; {better} was about as good."),
            "may-be-better": N_(
                "The declaration was true with a probability of {truth}; {better} may have been better."
            ),
            "worse": N_("The declaration was true with a probability of {truth}; {better} was worth {loss} more."),
        }[rest]
    if decision.action >= 0 and decision.chances.get(decision.action, 0.0) > EVEN:
        return {
            "best": N_("It was true, and nothing else was worth more."),
            "as-good": N_("It was true; {better} was about as good."),
            "may-be-better": N_("It was true; {better} may have been better."),
            "worse": N_("It was true, but {better} was worth {loss} more."),
        }[rest]
    if decision.action >= 0 and rest == "worse" and decision.chances.get(appraisal.best, 0.0) > EVEN:
        return N_("It was a lie; {better}, which was true, was worth {loss} more.")
    if decision.action >= 0:
        return {
            "best": N_("It was a lie, and nothing else was worth more."),
            "as-good": N_("It was a lie; {better} was about as good."),
            "may-be-better": N_("It was a lie; {better} may have been better."),
            "worse": N_("It was a lie; {better} was worth {loss} more."),
        }[rest]
    return {
        "best": N_("Nothing else was worth more."),
        "as-good": N_("{better} was about as good."),
        "may-be-better": N_("{better} may have been better."),
        "worse": N_("{better} was worth {loss} more."),
    }[rest]
