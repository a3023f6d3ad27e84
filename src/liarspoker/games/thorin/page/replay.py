"""A round of Thorin's game at a ply."""

from __future__ import annotations

from typing import cast

from liarspoker.core.cards.deck import UNKNOWN, card_text
from liarspoker.games.cards.record_words import claim_in_words, high_to_low, value_in_ranks
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of, face_down, is_discard, is_show
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import floor_of, spelling_of
from liarspoker.games.thorin.record_text import said_of, tell_end
from liarspoker.games.thorin.round import ThorinRound
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.records.words import object_of, plural, subject
from liarspoker.web.view_models.replay_course import ALL, Course, Player, Ply, Stage, marks_of, player_of
from liarspoker.web.words import sentence

_ACTS = {CHALLENGE: "challenges", TAKE: "takes the hand", PASS: "passes"}


def heading(course: Course) -> str:
    """Who is in at the start."""
    return f"{plural(len(_round(course.sessions[0]).terms.alive), 'player')} still in"


def stage(course: Course, at: int) -> Stage:
    """The table after `at` actions."""
    session = cast(ThorinSession, course.sessions[at])
    dealt, result = _round(session), session.round_result
    players = tuple(_player(course, session, seat) for seat in range(len(course.names)))
    said, cards = _said(course, at), _cards(course, session)
    if dealt.standing.claim < 0:
        words = f"{course.names[dealt.standing.active]} to declare"
        return Stage("Nothing declared yet", None, words, (), cards, players, (), said)
    over = f"Declared by {object_of(course.names[dealt.standing.claimant])}"
    words = claim_in_words(spelling_of(dealt.standing.claim))
    under = (f"promises {value_in_ranks(floor_of(dealt.standing.claim))} or better",)
    outcome = () if result is None else tuple(tell_end(result, course.names))
    return Stage(over, None, words, under, cards, players, outcome, said)


def plies(course: Course) -> tuple[Ply, ...]:
    """The deal, and every action."""
    opener = _round(course.sessions[0]).terms.opener
    listed = [Ply(0, "", sentence(f"{subject(course.names[opener], 'draws')} five cards"), "deal")]
    for number, session in enumerate(course.sessions[1:], 1):
        seat, action = _round(session).moves[-1]
        kind = "claim" if action >= 0 else "challenge" if action == CHALLENGE else "other"
        listed.append(Ply(number, course.names[seat], _act_words(course, seat, action), kind))
    return tuple(listed)


def _round(session: ThorinSession) -> ThorinRound:
    assert session.round is not None
    return session.round


def _act_words(course: Course, seat: int, action: int) -> str:
    """What is done, with no more of a discard than the viewpoint may know."""
    if is_discard(action):
        return said_of(action if course.view == ALL or course.seat == seat else face_down(action))
    return "shows the hand" if is_show(action) else said_of(action)


def _player(course: Course, session: ThorinSession, seat: int) -> Player:
    dealt, result = _round(session), session.round_result
    own = [action for by, action in dealt.moves if by == seat]
    act = "" if not own else _ACTS.get(own[-1]) or _act_words(course, seat, own[-1])
    alive = dealt.terms.alive
    told = "out" if seat not in alive else act or ("has the hand" if dealt.standing.active == seat else "")
    marks = marks_of(
        seat,
        seat not in dealt.terms.alive,
        bidder=dealt.standing.claimant,
        challenged=dealt.standing.challenger,
        turn=session.to_act,
        lost=None if result is None else result.loser,
    )
    return player_of(course, seat, told, marks)


def _cards(course: Course, session: ThorinSession) -> tuple[tuple[str, bool], ...]:
    """The hand that goes around, as far as the viewpoint sees it."""
    dealt, view, result = _round(session), course.seen(session), session.round_result
    hand: tuple[int, ...] = (UNKNOWN,) * HAND_CARDS
    if result is not None and result.hand is not None:
        hand = result.hand
    elif course.view == ALL:
        hand = dealt.hand
    elif view.hand is not None:
        hand = view.hand
    truthful = result is not None and bool(result.truthful)
    return tuple((card_text(card), truthful) for card in high_to_low(hand))


def _said(course: Course, at: int) -> str:
    dealt = _round(course.sessions[at])
    if not at:
        return sentence(f"{subject(course.names[dealt.terms.opener], 'draws')} five cards")
    seat, action = dealt.moves[-1]
    if action >= 0:
        return sentence(f"{subject(course.names[seat], 'declares')} {said_of(action)}")
    verb = {CHALLENGE: "challenges", TAKE: "takes", PASS: "passes"}.get(action)
    if verb is not None:
        return sentence(subject(course.names[seat], verb))
    thrown = len(cards_of(action))
    if is_show(action):
        return sentence(subject(course.names[seat], "shows") + " the hand")
    return sentence(f"{subject(course.names[seat], 'throws')} {plural(thrown, 'card') if thrown else 'nothing'}")
