"""View model of a round of Thorin's game: the hand, the declarations and the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import card_text, read_cards
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.cards.wording import format_value_ranks
from liarspoker.games.thorin.ladder import full_claim, spelling_of
from liarspoker.games.thorin.messages import ThorinLegal
from liarspoker.games.thorin.page import odds, replay, rules
from liarspoker.games.thorin.page.builder import Builder, builder_of, least_promise
from liarspoker.games.thorin.page.discarding import DiscardPanel, discard_panel_of
from liarspoker.games.thorin.page.history import (
    Memory,
    Step,
    acts_of,
    changed,
    describe_last_action,
    marks_of,
    memory_of,
    passed_on,
    since_then,
    steps_of,
)
from liarspoker.games.thorin.page.profile import PROFILE
from liarspoker.games.thorin.page.promises import (
    Promise,
    Proof,
    describe_spelling,
    promise_of,
    promise_of_value,
    proof_of,
)
from liarspoker.games.thorin.page.review import REVIEW
from liarspoker.games.thorin.page.seen import SeenRound, in_effect, naming_of, seen_round
from liarspoker.games.thorin.page.what_if import completed
from liarspoker.language import N_, _
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.records.words import YOU, said_of
from liarspoker.web.view_models.family import FamilyPages, OddsPage, RoundViewModel

__all__ = ["PAGES", "ThorinViewModel", "view_model"]


@dataclass(frozen=True, slots=True)
class Pass:
    """A player, and whether they have a pass left."""

    name: str
    left: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ThorinViewModel(RoundViewModel):
    """View model of a round for one viewer; see `RoundViewModel` for the inherited attributes.

    Attributes:
        phase: `declare`, `respond`, `discard` or `over`.
        doing: what the viewer has to do: `answer`, `discard` or `declare`; empty for nothing.
        waits: a sentence that says who is to act, and how; empty after the round.
        passes: the passes of players still in; empty if the game has no passes.
        mine: the viewer's pass; `None` for spectators and in games without passes.
        hand: the cards, from high to low; empty if the viewer can't see them.
        truth: the hand as a declaration; `None` if the viewer can't see it.
        truth_words: the hand in words, and whether the viewer can declare it.
        memory: each time that the viewer had the hand, the latest first.
        passed_on: the hand as the viewer passed it on; empty if they have it or never had it.
        since: the number of cards discarded since then, as a sentence.
        changed: the viewer's last discard and draw, as a sentence; empty if none.
        answers: the legal answers as actions: `take`, `challenge`, `pass`.
        not_offered: why the hand can't be taken, or why the viewer can't pass.
        least: the lowest legal declaration; `None` if nothing beats the last one.
        shown: the cards that the last active player has shown after the round, from high to low; empty if hidden.
        shown_by: who has shown them, as a sentence.
    """

    phase: str
    doing: str
    out: bool
    active: str
    waits: str
    standing: Promise | None
    claimant: str
    steps: tuple[Step, ...]
    stock: int
    discards: int
    passes: tuple[Pass, ...]
    mine: Pass | None
    in_effect: tuple[str, ...]
    hand: tuple[str, ...]
    truth: Promise | None
    truth_words: str
    memory: tuple[Memory, ...]
    passed_on: tuple[str, ...]
    since: str
    changed: str
    answers: tuple[str, ...]
    not_offered: str
    discarding: DiscardPanel | None
    builder: Builder | None
    least: Promise | None
    shown: tuple[str, ...]
    shown_by: str
    proof: Proof | None


def view_model(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> ThorinViewModel:
    """Return the view model of a round for a viewer."""
    seen = seen_round(public, you, draft)
    view, legal = seen.view, seen.hand.legal
    hand = tuple(sorted(read_cards(seen.hand.hand), reverse=True)) if seen.hand.hand is not None else ()
    value = hand_value(hand, bool(seen.rules.double_any)) if hand else None
    proof = proof_of(seen)
    answers = _answers(legal)
    memory = memory_of(seen)
    since = since_then(seen)
    return ThorinViewModel(
        kind="thorin",
        heading=_("Round {number}", number=public.round_number),
        said=describe_last_action(seen) if proof is None else _proved(describe_last_action(seen), proof),
        over=proof is not None,
        phase=view.phase,
        doing=_doing(legal, answers),
        out=seen.seat is not None and seen.seat not in view.alive,
        active=seen.names[view.active],
        waits=_waits(seen),
        standing=None if seen.claim == NO_CLAIM else promise_of(seen.claim),
        claimant="" if view.claimant is None else seen.names[view.claimant],
        steps=steps_of(seen),
        stock=view.stock,
        discards=view.discards,
        passes=_passes(seen),
        mine=Pass(YOU, bool(view.passes[seen.seat])) if seen.rules.passes and seen.seat is not None else None,
        in_effect=tuple(in_effect(seen.options, view.named)),
        hand=tuple(map(card_text, hand)),
        truth=None if value is None else promise_of_value(value),
        truth_words="" if value is None else _truth(value, seen),
        memory=memory,
        passed_on=passed_on(memory[0]) if since else (),
        since=since,
        changed=changed(memory[0]) if memory else "",
        answers=answers,
        not_offered=_not_offered(seen, answers),
        discarding=discard_panel_of(seen, hand) if legal is not None and legal.discard and hand else None,
        builder=builder_of(seen, value) if legal is not None and legal.declare and value is not None else None,
        least=least_promise(seen),
        shown=tuple(card_text(card) for one in public.hands for card in sorted(read_cards(one.hand), reverse=True)),
        shown_by="".join(
            said_of(seen.names[one.seat], N_("You show the hand"), N_("{name} shows the hand")) for one in public.hands
        ),
        proof=proof,
        acts=acts_of(seen),
        marked=marks_of(seen),
    )


def _answers(legal: ThorinLegal | None) -> tuple[str, ...]:
    return () if legal is None else tuple(filter(None, (legal.take, legal.challenge, legal.pass_)))


def _doing(legal: ThorinLegal | None, answers: tuple[str, ...]) -> str:
    """Return what the viewer has to do, in one word."""
    if legal is None:
        return ""
    return "declare" if legal.declare else "discard" if legal.discard else "answer" if answers else ""


def _proved(said: str, proof: Proof) -> str:
    hand = "" if proof.truth is None else _("The hand is {hand}.", hand=proof.truth.said)
    return " ".join(filter(None, (said, hand, proof.fate, proof.after)))


def _waits(seen: SeenRound) -> str:
    """Describe who is to act, and how; empty after the round."""
    seat = seen.view.to_act
    if seat is None:
        return ""
    name = seen.names[seat]
    match seen.view.phase:
        case "respond":
            return said_of(name, N_("You are under the gun."), N_("{name} is under the gun."))
        case "discard":
            return said_of(name, N_("You are to discard."), N_("{name} is to discard."))
        case "declare" if seen.claim == NO_CLAIM:
            return said_of(name, N_("You are to declare a hand."), N_("{name} is to declare a hand."))
        case "declare":
            better = (
                N_("You are to declare a hand better than {hand}."),
                N_("{name} is to declare a hand better than {hand}."),
            )
            return said_of(name, *better, hand=format_value_ranks(seen.floor))
    return said_of(name, N_("You are to act."), N_("{name} is to act."))


def _passes(seen: SeenRound) -> tuple[Pass, ...]:
    if not seen.rules.passes:
        return ()
    return tuple(Pass(seen.names[seat], bool(seen.view.passes[seat])) for seat in seen.view.alive)


def _truth(value: int, seen: SeenRound) -> str:
    if seen.view.phase == "discard" and value > seen.floor:
        message = N_("{hand}. It beats {ranks} as it is.")
    elif seen.view.phase == "discard":
        message = N_("{hand}. It does not beat {ranks} as it is.")
    elif value > seen.floor:
        message = N_("{hand}. It beats {ranks}, so you can tell the truth.")
    else:
        message = N_("{hand}. Any legal declaration is a bluff.")
    truth = describe_spelling(spelling_of(full_claim(value)), label=True)
    return _(message, hand=truth, ranks=format_value_ranks(seen.floor))


def _not_offered(seen: SeenRound, answers: tuple[str, ...]) -> str:
    if not answers:
        return ""
    view = []
    if "take" not in answers:
        view.append(_("Nothing beats the declaration, so the hand can't be taken."))
    if seen.rules.passes and "pass" not in answers:
        view.append(_("Your pass is used."))
    return " ".join(view)


PAGES = FamilyPages(
    round=view_model,
    replay=replay,
    rules=rules,
    naming=naming_of,
    review=REVIEW,
    completed=completed,
    profile=PROFILE,
    odds=(OddsPage(odds.PATH, N_("A draw"), 2, "odds/thorin.html", odds.view_model),),
)
"""The page components of Thorin's game."""
