"""Queen Anne's games at live tables: views of a round, and finished rounds for a record."""

from __future__ import annotations

from collections.abc import Iterable

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import UNKNOWN, card_text, card_texts, mask_of
from liarspoker.games.queen_annes.ladder import missing, named_hand, packed_requirement
from liarspoker.games.queen_annes.messages import (
    ExtraCard,
    QueenAnnesHand,
    QueenAnnesLegal,
    QueenAnnesResult,
    QueenAnnesRound,
)
from liarspoker.games.queen_annes.notation import write, write_claim
from liarspoker.games.queen_annes.record import RECORDS
from liarspoker.games.queen_annes.record_text import describe_hand, describe_proof
from liarspoker.games.queen_annes.result import QueenAnnesRoundResult, QueenAnnesView
from liarspoker.games.queen_annes.round import Extra
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import CHALLENGE, NOBODY, PHASES, challenger_of
from liarspoker.language import ngettext
from liarspoker.records.family import round_tables
from liarspoker.tables.bluffs import Bluff, best_bluff, outbid_claims
from liarspoker.tables.settings import Json, ShownHands


def public(view: QueenAnnesView, users: tuple[str, ...], names: tuple[str, ...]) -> QueenAnnesRound:
    """Return the public part of a view."""
    terms, state, rules = view.terms, view.state, view.rules
    assert terms is not None
    assert state is not None
    claim = None if state.claim == NO_CLAIM else state.claim
    return QueenAnnesRound(
        users=users,
        names=names,
        round=terms.number,
        opener=terms.opener,
        phase=PHASES[state.phase],
        to_act=None if state.to_act == NOBODY else state.to_act,
        moves=tuple((seat, write(action, rules)) for seat, action in view.moves),
        score=view.score,
        losses=view.losses,
        alive=view.alive,
        winner=view.winner,
        hand_sizes=view.hand_sizes,
        blind=bool(rules.blind),
        extras=_extras(view.extras),
        claim=None if claim is None else write_claim(claim, rules),
        claim_words=None if claim is None else describe_hand(named_hand(claim, rules)),
        claimant=None if claim is None else state.claimant,
        result=None if view.result is None else _result(view.result, view),
    )


def private(view: QueenAnnesView) -> QueenAnnesHand:
    """Return the private part of a view: the cards that the seat sees, and its legal actions."""
    own = [extra for extra in view.extras if not extra.face_up and extra.card != UNKNOWN]
    return QueenAnnesHand(
        seen=tuple(map(card_texts, view.seen)) if any(view.seen) else (),
        extras=_extras(own) if view.result is None else (),
        legal=_legal(view),
    )


def _legal(view: QueenAnnesView) -> QueenAnnesLegal | None:
    if view.seat is None or view.state is None:
        return None
    legal, rules = view.legal, view.rules
    if view.my_turn:
        least = legal.min_claim
        return QueenAnnesLegal(
            min_claim=None if least is None else write_claim(least, rules),
            min_claim_words=None if least is None else describe_hand(named_hand(least, rules)),
            claim=least is not None,
            challenge="challenge" if CHALLENGE in legal.answers else None,
        )
    own = [answer for answer in legal.answers if challenger_of(answer, view.state.to_act) == view.seat]
    if not own:
        return None
    return QueenAnnesLegal(min_claim=None, min_claim_words=None, claim=False, challenge=write(own[0], rules))


def _extras(extras: Iterable[Extra]) -> tuple[ExtraCard, ...]:
    return tuple(
        ExtraCard(seat=extra.seat, turn=extra.turn, card=card_text(extra.card), face="up" if extra.face_up else "down")
        for extra in extras
    )


def _result(result: QueenAnnesRoundResult, view: QueenAnnesView) -> QueenAnnesResult:
    named = named_hand(result.final_claim, view.rules)
    return QueenAnnesResult(
        final_claim=write_claim(result.final_claim, view.rules),
        final_claim_words=describe_hand(named),
        claimant=result.claimant,
        challenger=result.challenger,
        exists=result.exists,
        loser=result.loser,
        losses=result.losses,
        alive=result.alive,
        next_opener=result.next_opener,
        hands=tuple(map(card_texts, result.hands)),
        extras=_extras(result.extras),
        proof=card_texts((*result.proof.cards, *result.proof.wilds)),
        missing=result.proof.missing,
        proof_words=tuple(describe_proof(named, result.proof)),
    )


def hidden_hand(session: QueenAnnesSession, seat: int) -> tuple[str, ...]:
    """Return nothing: a challenge shows all hands."""
    return ()


def recorded(session: QueenAnnesSession, seat: int | None, shown: ShownHands) -> Json:
    """Return the rounds of a record; extra cards that weren't dealt are left out."""
    rounds = round_tables(session)[: len(session.rounds)]
    for table, (dealt, _) in zip(rounds, session.rounds, strict=True):
        if "extras" in table:
            table["extras"] = table["extras"][: len(dealt.extras)]
    return {**RECORDS.record_parts(session), "rounds": rounds}


def bluff(session: QueenAnnesSession, revealed: bool) -> Bluff | None:
    """Return the claim with the most missing cards, of those that another player outbid.

    A challenge shows all cards. In Stud, these include the extra cards that were dealt after the claim.
    """
    dealt, _ = session.rounds[-1]
    pool, bluffs = mask_of(dealt.pool), []
    for seat, claim in outbid_claims(dealt.moves):
        named = named_hand(claim, dealt.rules)
        lacks = missing(packed_requirement(named), pool, dealt.rules)
        if lacks > 0:
            truth = ngettext("{count} card was missing", "{count} cards were missing", lacks)
            bluffs.append(Bluff(seat, lacks, describe_hand(named), truth))
    return best_bluff(bluffs)
