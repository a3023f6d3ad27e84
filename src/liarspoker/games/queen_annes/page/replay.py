"""A round of Queen Anne's games at a ply."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from liarspoker.core.cards.deck import UNKNOWN, card_text
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.record_text import hand_in_words, said_of, tell_challenge, tell_proof
from liarspoker.games.queen_annes.result import QueenAnnesRoundResult
from liarspoker.games.queen_annes.round import QueenAnnesRound
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.odds.pools import half_known_pool
from liarspoker.records.words import object_of, subject
from liarspoker.web.view_models.odds_fields import per_cent
from liarspoker.web.view_models.replay_course import ALL, Course, Player, Ply, Stage, marks_of, player_of
from liarspoker.web.words import sentence


def heading(course: Course) -> str:
    """How many cards are out at the start."""
    dealt = _round(course.sessions[0])
    return f"{sum(map(len, dealt.hands))} cards dealt"


def stage(course: Course, at: int) -> Stage:
    """The table after `at` actions."""
    session = cast(QueenAnnesSession, course.sessions[at])
    dealt, result = _round(session), session.round_result
    players = tuple(_player(course, session, seat) for seat in range(len(course.names)))
    said = _said(course, at)
    if dealt.standing.claim < 0:
        return Stage(
            "Nothing named yet", None, f"{course.names[dealt.terms.opener]} to name", (), (), players, (), said
        )
    words = hand_in_words(named_hand(dealt.standing.claim, dealt.rules))
    over = f"Named by {object_of(course.names[dealt.standing.claimant])}"
    outcome = () if result is None else _outcome(course, dealt, result)
    under = () if result is None else ("it is there" if result.exists else "it is not there",)
    return Stage(over, None, words, under, (), players, outcome, said)


def _outcome(course: Course, dealt: QueenAnnesRound, result: QueenAnnesRoundResult) -> tuple[str, ...]:
    """Who has lost, then the proof and what it costs."""
    lines = tell_challenge(result, dealt.rules, course.names)[1:]
    place = len(tell_proof(named_hand(result.final_claim, dealt.rules), result.proof))
    return (lines[place], *lines[:place], *lines[place + 1 :])


def plies(course: Course) -> tuple[Ply, ...]:
    """The deal, and every action with what the viewpoint makes of it."""
    opener = _round(course.sessions[0]).terms.opener
    listed = [Ply(0, "", sentence(subject(course.names[opener], "opens")), "deal")]
    for number, session in enumerate(course.sessions[1:], 1):
        dealt = _round(session)
        seat, action = dealt.moves[-1]
        words = said_of(action, dealt.rules) if action >= 0 else "challenge"
        figure = f"{per_cent(_chance(course, session))} %" if course.odds else ""
        listed.append(Ply(number, course.names[seat], words, "claim" if action >= 0 else "challenge", figure))
    return tuple(listed)


def _round(session: QueenAnnesSession) -> QueenAnnesRound:
    assert session.round is not None
    return session.round


def _player(course: Course, session: QueenAnnesSession, seat: int) -> Player:
    dealt, result = _round(session), session.round_result
    own = [action for by, action in dealt.moves if by == seat]
    act = "" if not own else said_of(own[-1], dealt.rules) if own[-1] >= 0 else "challenges"
    losses = dealt.terms.losses[seat] if result is None else result.losses[seat]
    marks = marks_of(
        seat,
        seat not in dealt.terms.alive,
        bidder=dealt.standing.claimant,
        challenged=dealt.standing.challenger,
        turn=session.to_act,
        lost=None if result is None else result.loser,
    )
    return player_of(
        course,
        seat,
        act if seat in dealt.terms.alive else "out",
        marks,
        losses=losses,
        cards=_cards(course, session, seat),
    )


def _cards(course: Course, session: QueenAnnesSession, seat: int) -> tuple[tuple[str, bool], ...]:
    """His cards as the viewpoint sees them; at the end those that make the hand are lit."""
    dealt, view, result = _round(session), course.seen(session), session.round_result
    everything = course.view == ALL or result is not None
    hand = dealt.hands[seat] if everything else view.seen[seat]
    hand = hand or (UNKNOWN,) * len(dealt.hands[seat])
    extras = [one.card for one in (dealt.extras if everything else view.extras) if one.seat == seat]
    proof = () if result is None else (*result.proof.cards, *result.proof.wilds)
    return tuple((card_text(card), card in proof) for card in (*hand, *extras))


def _said(course: Course, at: int) -> str:
    dealt = _round(course.sessions[at])
    if not at:
        return sentence(subject(course.names[dealt.terms.opener], "opens"))
    seat, action = dealt.moves[-1]
    if action >= 0:
        return sentence(f"{subject(course.names[seat], 'names')} {said_of(action, dealt.rules)}")
    return sentence(subject(course.names[seat], "challenges"))


def _chance(course: Course, session: QueenAnnesSession) -> Fraction:
    """The chance that the named hand is in the pool, as far as the viewpoint knows the cards."""
    dealt, view = _round(session), course.seen(session)
    named = named_hand(dealt.standing.claim, dealt.rules)
    if course.view == ALL:
        return half_known_pool(dealt.pool, 0, dealt.rules).chance(named)
    known = tuple(card for hand in view.seen for card in hand)
    known += tuple(one.card for one in view.extras if one.card != UNKNOWN)
    unknown = sum(view.hand_sizes) + len(view.extras) - len(known)
    return half_known_pool(known, unknown, dealt.rules).chance(named)
