"""Replay of a round of Queen Anne's games."""

from __future__ import annotations

from collections import Counter
from typing import cast

from liarspoker.core.cards.deck import UNKNOWN, card_text
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.page.board import taken
from liarspoker.games.queen_annes.probability import chance
from liarspoker.games.queen_annes.probability import probability as probability
from liarspoker.games.queen_annes.record_text import describe_action, describe_challenge, describe_hand, describe_proof
from liarspoker.games.queen_annes.result import QueenAnnesRoundResult
from liarspoker.games.queen_annes.round import QueenAnnesRound
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.language import N_, _, ngettext, pgettext
from liarspoker.records.words import said_of
from liarspoker.web.view_models.odds_fields import percent
from liarspoker.web.view_models.round_replay import ALL, Player, Ply, Position, RoundReplay, marks_of, player_of
from liarspoker.web.words import suited

_OPENS = N_("You open."), N_("{name} opens.")


def heading(replay: RoundReplay) -> str:
    """Return how many cards are dealt at the start."""
    dealt = _round(replay.sessions[0])
    return ngettext("{count} card dealt", "{count} cards dealt", sum(map(len, dealt.hands)))


def position(replay: RoundReplay, at: int) -> Position:
    """Return the table after `at` actions."""
    session = cast(QueenAnnesSession, replay.sessions[at])
    dealt, result = _round(session), session.round_result
    proof = Counter(() if result is None else map(card_text, (*result.proof.cards, *result.proof.wilds)))
    players = tuple(_player(replay, session, seat, proof) for seat in range(len(replay.names)))
    said = _message(replay, at)
    if dealt.state.claim < 0:
        opener = said_of(replay.names[dealt.terms.opener], N_("You to name"), N_("{name} to name"))
        return Position(_("No hand named yet"), None, opener, (), (), players, (), said)
    words = describe_hand(named_hand(dealt.state.claim, dealt.rules))
    over = said_of(replay.names[dealt.state.claimant], N_("Named by you"), N_("Named by {name}"))
    outcome = () if result is None else _outcome(replay, dealt, result)
    under = () if result is None else (_("The hand exists") if result.exists else _("The hand does not exist"),)
    return Position(over, None, words, under, (), players, outcome, said)


def _outcome(replay: RoundReplay, dealt: QueenAnnesRound, result: QueenAnnesRoundResult) -> tuple[str, ...]:
    """Return the loser, then the proof and the consequences."""
    lines = describe_challenge(result, dealt.rules, replay.names)[1:]
    place = len(describe_proof(named_hand(result.final_claim, dealt.rules), result.proof))
    return (lines[place], *map(suited, lines[:place]), *lines[place + 1 :])


def plies(replay: RoundReplay) -> tuple[Ply, ...]:
    """Return the deal and every action, with the probability from the chosen point of view."""
    opener = _round(replay.sessions[0]).terms.opener
    listed = [Ply(0, "", said_of(replay.names[opener], *_OPENS), "deal")]
    for number, session in enumerate(replay.sessions[1:], 1):
        dealt = _round(session)
        seat, action = dealt.moves[-1]
        words = describe_action(action, dealt.rules)
        figure = _("{number}%", number=percent(chance(replay, session))) if replay.odds else ""
        listed.append(Ply(number, replay.names[seat], words, "claim" if action >= 0 else "challenge", figure))
    return tuple(listed)


def _round(session: QueenAnnesSession) -> QueenAnnesRound:
    assert session.round is not None
    return session.round


def _player(replay: RoundReplay, session: QueenAnnesSession, seat: int, proof: Counter[str]) -> Player:
    dealt, result = _round(session), session.round_result
    own = [action for by, action in dealt.moves if by == seat]
    act = (
        "" if not own else describe_action(own[-1], dealt.rules) if own[-1] >= 0 else pgettext("a player", "challenges")
    )
    losses = dealt.terms.losses[seat] if result is None else result.losses[seat]
    marks = marks_of(
        seat,
        seat not in dealt.terms.alive,
        bidder=dealt.state.claimant,
        challenged=dealt.state.challenger,
        turn=session.to_act,
        lost=None if result is None else result.loser,
    )
    return player_of(
        replay,
        seat,
        act if seat in dealt.terms.alive else pgettext("a player", "out"),
        marks,
        losses=losses,
        cards=_cards(replay, session, seat, proof),
    )


def _cards(
    replay: RoundReplay, session: QueenAnnesSession, seat: int, proof: Counter[str]
) -> tuple[tuple[str, bool], ...]:
    """Return a seat's cards from the chosen point of view, and highlight those that it takes from `proof`."""
    dealt, view, result = _round(session), replay.seen(session), session.round_result
    everything = replay.view == ALL or result is not None
    hand = dealt.hands[seat] if everything else view.seen[seat]
    hand = hand or (UNKNOWN,) * len(dealt.hands[seat])
    extras = [one.card for one in (dealt.extras if everything else view.extras) if one.seat == seat]
    return tuple((text, taken(text, proof)) for text in map(card_text, (*hand, *extras)))


def _message(replay: RoundReplay, at: int) -> str:
    dealt = _round(replay.sessions[at])
    if not at:
        return said_of(replay.names[dealt.terms.opener], *_OPENS)
    seat, action = dealt.moves[-1]
    if action >= 0:
        hand = describe_action(action, dealt.rules)
        return said_of(replay.names[seat], N_("You name {hand}."), N_("{name} names {hand}."), hand=hand)
    return said_of(replay.names[seat], N_("You challenge."), N_("{name} challenges."))
