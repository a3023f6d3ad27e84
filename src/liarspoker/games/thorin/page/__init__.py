"""A round of Thorin's game as somebody sees it: the hand that goes around, and what was declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import card_text, read_cards
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.cards.record_words import value_in_ranks
from liarspoker.games.thorin.messages import ThorinLegal
from liarspoker.games.thorin.page import odds, replay, rules
from liarspoker.games.thorin.page.builder import Builder, builder_of, least_told
from liarspoker.games.thorin.page.passing import (
    Memory,
    Step,
    acts_of,
    changed,
    marks_of,
    memory_of,
    passed_on,
    said_of,
    since_then,
    steps_of,
)
from liarspoker.games.thorin.page.promises import Promise, Proof, promise_of, proof_of, value_told
from liarspoker.games.thorin.page.seen import SeenRound, in_effect, naming_of, seen_round
from liarspoker.games.thorin.page.throwing import Throwing, throwing_of
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.web.view_models.family import FamilyPages, OddsPage, RoundScene

__all__ = ["PAGES", "ThorinScene", "scene"]


@dataclass(frozen=True, slots=True)
class Pass:
    """Somebody's pass, and whether it is left."""

    name: str
    left: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ThorinScene(RoundScene):
    """A round as somebody sees it. The attributes of `RoundScene` are explained there.

    Attributes:
        phase: `declare`, `respond`, `discard` or `over`.
        doing: what he who looks is to do: `answer`, `discard`, `declare`; empty for nothing.
        waits: who is waited for and what he is to do, in a sentence; empty after the round.
        passes: of the living; empty where no passes are played.
        mine: your pass; `None` where you have none to speak of.
        hand: the cards, from high to low; empty for who does not see them.
        truth: what the hand is; `None` for who does not see it.
        truth_words: the same, and what it means for a declaration, in a sentence.
        memory: each time you had the hand, the last first.
        passed_on: the hand as you passed it on; empty if it is not out of your hands.
        since: what has happened to it since.
        changed: what you threw and drew when you had it last, in a sentence; empty for nothing.
        answers: what may be answered, as it is sent: `take`, `challenge`, `pass`.
        not_offered: why the hand cannot be taken, or why you cannot pass.
        least: the least that may be declared now; `None` if nothing beats what stands.
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
    throwing: Throwing | None
    builder: Builder | None
    least: Promise | None
    proof: Proof | None


def scene(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> ThorinScene:
    """The round of a view, for who looks."""
    seen = seen_round(public, you, draft)
    view, legal = seen.view, seen.hand.legal
    hand = tuple(sorted(read_cards(seen.hand.hand), reverse=True)) if seen.hand.hand is not None else ()
    value = hand_value(hand, bool(seen.rules.double_any)) if hand else None
    proof = proof_of(seen)
    answers = _answers(legal)
    memory = memory_of(seen)
    since = since_then(seen)
    return ThorinScene(
        kind="thorin",
        heading=f"Round {view.round + 1}",
        said=said_of(seen) if proof is None else _proved(said_of(seen), proof),
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
        mine=Pass("You", bool(view.passes[seen.seat])) if seen.rules.passes and seen.seat is not None else None,
        in_effect=tuple(in_effect(seen.options, view.named)),
        hand=tuple(map(card_text, hand)),
        truth=None if value is None else value_told(value),
        truth_words="" if value is None else _truth(value, seen),
        memory=memory,
        passed_on=passed_on(memory[0]) if since else (),
        since=since,
        changed=changed(memory[0]) if memory else "",
        answers=answers,
        not_offered=_not_offered(seen, answers),
        throwing=throwing_of(seen, hand) if legal is not None and legal.discard and hand else None,
        builder=builder_of(seen, value) if legal is not None and legal.declare and value is not None else None,
        least=least_told(seen),
        proof=proof,
        acts=acts_of(seen),
        marked=marks_of(seen),
    )


def _answers(legal: ThorinLegal | None) -> tuple[str, ...]:
    return () if legal is None else tuple(filter(None, (legal.take, legal.challenge, legal.pass_)))


def _doing(legal: ThorinLegal | None, answers: tuple[str, ...]) -> str:
    """What there is to do, in a word."""
    if legal is None:
        return ""
    return "declare" if legal.declare else "discard" if legal.discard else "answer" if answers else ""


def _proved(said: str, proof: Proof) -> str:
    hand = "" if proof.truth is None else f" The hand is {proof.truth.said}."
    return f"{said}{hand} {proof.fate} {proof.after}".rstrip()


def _waits(seen: SeenRound) -> str:
    """Who is waited for, and for what; empty after the round."""
    seat = seen.view.to_act
    if seat is None:
        return ""
    who = "You are" if seen.names[seat] == "You" else f"{seen.names[seat]} is"
    stands = "" if seen.claim == NO_CLAIM else f" better than {value_in_ranks(seen.floor)}"
    what = {"respond": "under the gun", "discard": "to throw cards, or none", "declare": f"to declare a hand{stands}"}
    return f"{who} {what.get(seen.view.phase, 'to act')}."


def _passes(seen: SeenRound) -> tuple[Pass, ...]:
    if not seen.rules.passes:
        return ()
    return tuple(Pass(seen.names[seat], bool(seen.view.passes[seat])) for seat in seen.view.alive)


def _truth(value: int, seen: SeenRound) -> str:
    truth = value_told(value).words
    truth = truth[:1].lower() + truth[1:] if truth[1:2].islower() else truth
    stands = value_in_ranks(seen.floor)
    if seen.view.phase == "discard":
        return f"{truth}. It {'beats' if value > seen.floor else 'does not beat'} {stands} as it is."
    if value > seen.floor:
        return f"{truth}. It beats {stands}, so you can tell the truth."
    return f"{truth}. Anything you may say now is a bluff."


def _not_offered(seen: SeenRound, answers: tuple[str, ...]) -> str:
    if not answers:
        return ""
    view = []
    if "take" not in answers:
        view.append("Nothing beats what was declared, so the hand cannot be taken.")
    if seen.rules.passes and "pass" not in answers:
        view.append("Your pass is spent.")
    return " ".join(view)


PAGES = FamilyPages(
    round=scene,
    replay=replay,
    rules=rules,
    naming=naming_of,
    odds=(OddsPage(odds.PATH, "A draw", 2, "odds/thorin.html", odds.scene),),
)
"""The pages of Thorin's game."""
