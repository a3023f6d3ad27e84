"""Replay of a round of Thorin's game."""

from __future__ import annotations

from typing import cast

from liarspoker.core.cards.deck import UNKNOWN, card_text
from liarspoker.games.cards.wording import describe_claim, format_value_ranks, high_to_low
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of, face_down, is_discard, is_show
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import floor_of, spelling_of
from liarspoker.games.thorin.probability import probability as probability
from liarspoker.games.thorin.record_text import describe_action, describe_outcome
from liarspoker.games.thorin.result import ThorinRoundResult
from liarspoker.games.thorin.round import ThorinRound
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.language import N_, _, ngettext, pgettext
from liarspoker.records.words import YOU, said_of
from liarspoker.web.view_models.round_replay import ALL, Player, Ply, Position, RoundReplay, marks_of, player_of
from liarspoker.web.words import suited

# Translators: what a player does, after their name.
_ACTS = {CHALLENGE: N_("challenges"), TAKE: N_("takes the hand"), PASS: N_("passes")}
_DRAWS = N_("You draw five cards."), N_("{name} draws five cards.")


def heading(replay: RoundReplay) -> str:
    """Return how many players are still in at the start."""
    count = len(_round(replay.sessions[0]).terms.alive)
    return ngettext("{count} player still in", "{count} players still in", count)


def position(replay: RoundReplay, at: int) -> Position:
    """Return the table after `at` actions."""
    session = cast(ThorinSession, replay.sessions[at])
    dealt, result = _round(session), session.round_result
    players = tuple(_player(replay, session, seat) for seat in range(len(replay.names)))
    said, cards = _message(replay, at), _cards(replay, session)
    if dealt.state.claim < 0:
        words = said_of(replay.names[dealt.state.active], N_("You to declare"), N_("{name} to declare"))
        return Position(_("No hand declared yet"), None, words, (), cards, players, (), said)
    over = said_of(replay.names[dealt.state.claimant], N_("Declared by you"), N_("Declared by {name}"))
    words = describe_claim(spelling_of(dealt.state.claim))
    under = (_("promises at least {hand}", hand=format_value_ranks(floor_of(dealt.state.claim))),)
    outcome = () if result is None else _outcome(replay, result)
    return Position(over, None, words, under, cards, players, outcome, said)


def _outcome(replay: RoundReplay, result: ThorinRoundResult) -> tuple[str, ...]:
    """Return the hand if it was shown, then the reasons and consequences."""
    first, *others = describe_outcome(result, replay.names)
    return (first if result.hand is None else suited(first), *others)


def plies(replay: RoundReplay) -> tuple[Ply, ...]:
    """Return the deal and every action."""
    opener = _round(replay.sessions[0]).terms.opener
    claim_table = [Ply(0, "", said_of(replay.names[opener], *_DRAWS), "deal")]
    for number, session in enumerate(replay.sessions[1:], 1):
        seat, action = _round(session).moves[-1]
        kind = "claim" if action >= 0 else "challenge" if action == CHALLENGE else "other"
        claim_table.append(Ply(number, replay.names[seat], _act_words(replay, seat, action), kind))
    return tuple(claim_table)


def _round(session: ThorinSession) -> ThorinRound:
    assert session.round is not None
    return session.round


def _act_words(replay: RoundReplay, seat: int, action: int) -> str:
    """Describe an action, hiding discards that the point of view can't see."""
    if is_discard(action):
        return suited(describe_action(action if replay.view == ALL or replay.seat == seat else face_down(action)))
    return _("shows the hand") if is_show(action) else describe_action(action)


def _player(replay: RoundReplay, session: ThorinSession, seat: int) -> Player:
    dealt, result = _round(session), session.round_result
    own = [action for by, action in dealt.moves if by == seat]
    act = "" if not own else _(_ACTS[own[-1]]) if own[-1] in _ACTS else _act_words(replay, seat, own[-1])
    status = act or (_("has the hand") if dealt.state.active == seat else "")
    if seat not in dealt.terms.alive:
        status = pgettext("a player", "out")
    marks = marks_of(
        seat,
        seat not in dealt.terms.alive,
        bidder=dealt.state.claimant,
        challenged=dealt.state.challenger,
        turn=session.to_act,
        lost=None if result is None else result.loser,
    )
    return player_of(replay, seat, status, marks)


def _cards(replay: RoundReplay, session: ThorinSession) -> tuple[tuple[str, bool], ...]:
    """Return the hand, with cards hidden that the point of view can't see."""
    dealt, view, result = _round(session), replay.seen(session), session.round_result
    hand: tuple[int, ...] = (UNKNOWN,) * HAND_CARDS
    if result is not None and result.hand is not None:
        hand = result.hand
    elif replay.view == ALL or (result is not None and dealt.state.active in replay.shown):
        hand = dealt.hand
    elif view.hand is not None:
        hand = view.hand
    truthful = result is not None and bool(result.truthful)
    return tuple((card_text(card), truthful) for card in high_to_low(hand))


def _message(replay: RoundReplay, at: int) -> str:
    dealt = _round(replay.sessions[at])
    if not at:
        return said_of(replay.names[dealt.terms.opener], *_DRAWS)
    seat, action = dealt.moves[-1]
    name = replay.names[seat]
    if action >= 0:
        return said_of(name, N_("You declare {hand}."), N_("{name} declares {hand}."), hand=describe_action(action))
    if action == CHALLENGE:
        return said_of(name, N_("You challenge."), N_("{name} challenges."))
    if action == TAKE:
        return said_of(name, N_("You take."), N_("{name} takes."))
    if action == PASS:
        return said_of(name, N_("You pass."), N_("{name} passes."))
    if is_show(action):
        return said_of(name, N_("You show the hand."), N_("{name} shows the hand."))
    discarded = len(cards_of(action))
    if not discarded:
        return said_of(name, N_("You discard no cards."), N_("{name} discards no cards."))
    if name == YOU:
        return ngettext("You discard {count} card.", "You discard {count} cards.", discarded)
    return ngettext("{name} discards {count} card.", "{name} discards {count} cards.", discarded, name=name)
