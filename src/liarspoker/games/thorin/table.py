"""Thorin's game at a live table, and its finished rounds for a record as one seat, or a spectator, knows them."""

from __future__ import annotations

from typing import cast

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import card_text, card_texts, full_deck
from liarspoker.games.cards.record_words import claim_in_words, value_in_ranks
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of, face_down, is_discard, show_of
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import full_claim, spelling_of
from liarspoker.games.thorin.messages import Memory, ThorinHand, ThorinLegal, ThorinResult, ThorinRound
from liarspoker.games.thorin.notation import write, write_claim, write_value
from liarspoker.games.thorin.record_text import said_of
from liarspoker.games.thorin.result import ThorinRoundResult, ThorinView
from liarspoker.games.thorin.round import Legal
from liarspoker.games.thorin.round import ThorinRound as DealtRound
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.state import NOBODY, PHASES
from liarspoker.protocol.codec import Options
from liarspoker.records.family import round_tables
from liarspoker.tables.settings import Json


def public(view: ThorinView, users: tuple[str, ...], names: tuple[str, ...]) -> ThorinRound:
    """What was declared and who has the hand; after a challenge, the hand."""
    terms, standing = view.terms, view.standing
    assert terms is not None
    assert standing is not None
    claim = None if standing.claim == NO_CLAIM else standing.claim
    return ThorinRound(
        users=users,
        names=names,
        round=terms.number,
        opener=terms.opener,
        phase=PHASES[standing.phase],
        to_act=None if standing.to_act == NOBODY else standing.to_act,
        moves=tuple((seat, write(action)) for seat, action in view.moves),
        score=view.score,
        alive=view.alive,
        winner=view.winner,
        passes=view.passes,
        named=cast(Options, dict(terms.named)),
        active=standing.active,
        stock=view.stock_left,
        discards=view.discards,
        claim=None if claim is None else write_claim(claim),
        claim_words=None if claim is None else said_of(claim),
        claimant=None if claim is None else standing.claimant,
        floor=None if claim is None else write_value(view.floor),
        floor_words=None if claim is None else value_in_ranks(view.floor),
        result=None if view.result is None else _result(view.result),
    )


def private(view: ThorinView) -> ThorinHand:
    """The hand while the seat has it, what it remembers, and what it may do."""
    return ThorinHand(
        hand=None if view.hand is None else card_texts(view.hand),
        memory=tuple(
            Memory(taken=card_texts(stint.taken), thrown=card_texts(stint.thrown), drawn=card_texts(stint.drawn))
            for stint in view.stints
        ),
        legal=_legal(view.legal) if view.my_turn else None,
    )


def _legal(legal: Legal) -> ThorinLegal:
    return ThorinLegal(
        min_claim=None if legal.min_claim is None else write_claim(legal.min_claim),
        min_claim_words=None if legal.min_claim is None else claim_in_words(spelling_of(legal.min_claim)),
        declare=legal.min_claim is not None,
        take="take" if TAKE in legal.answers else None,
        challenge="challenge" if CHALLENGE in legal.answers else None,
        pass_="pass" if PASS in legal.answers else None,
        discard=legal.discard,
    )


def _result(result: ThorinRoundResult) -> ThorinResult:
    value = result.hand_value
    return ThorinResult(
        final_claim=write_claim(result.final_claim),
        final_claim_words=said_of(result.final_claim),
        claimant=result.claimant,
        challenger=result.challenger,
        truthful=result.truthful,
        loser=result.loser,
        alive=result.alive,
        next_opener=result.next_opener,
        floor=write_value(result.floor),
        hand=None if result.hand is None else card_texts(result.hand),
        hand_value=None if value is None else write_value(value),
        hand_words=None if value is None else claim_in_words(spelling_of(full_claim(value))),
        passes=result.passes,
        thrown_in=result.thrown_in,
    )


_HIDDEN = "??"

Places = tuple[int, ...]
"""Where cards of a hand lay in the deck."""


def recorded(session: ThorinSession, seat: int | None, shown: frozenset[int]) -> Json:
    """The keys of a record that hold what was dealt and done."""
    rounds = round_tables(session)[: len(session.rounds)]
    for table, (dealt, result) in zip(rounds, session.rounds, strict=True):
        known = _known(dealt, result, seat)
        deck = dealt.stock.deck or ()
        cards = [card_text(card) if place in known else _HIDDEN for place, card in enumerate(deck)]
        if known:
            table["deck"] = cards[: dealt.stock.position]
        else:
            del table["deck"]
        actions = [_seen(action, by == seat) for by, action in dealt.moves]
        if not known and result.hand is not None:
            actions.append(show_of(result.hand))
        table["actions"] = list(map(session.write, actions))
    return {"rounds": rounds}


def _seen(action: int, own: bool) -> int:
    return action if own else face_down(action)


def _known(dealt: DealtRound, result: ThorinRoundResult, seat: int | None) -> frozenset[int]:
    """The places in the deck whose cards are told to `seat`: what it threw, and the hand at the end if it has seen it.

    Other cards that it has seen may have been thrown since; to tell those that were not would tell those that were.
    Once the discards have been shuffled in, places tell nothing any more, and no card is told.
    """
    deck = dealt.stock.deck or ()
    if dealt.stock.end > len(full_deck(dealt.rules.jokers)):
        return frozenset()
    known: set[int] = set()
    hand: Places = tuple(range(HAND_CARDS))
    drawn, seen = HAND_CARDS, dealt.terms.opener == seat
    for by, action in dealt.moves:
        if not is_discard(action):
            continue
        thrown = _places(hand, deck, cards_of(action))
        if by == seat:
            known.update(thrown)
        seen = by == seat or (seen and not thrown)
        hand = (*(place for place in hand if place not in thrown), *range(drawn, drawn + len(thrown)))
        drawn += len(thrown)
    if seen or result.hand is not None:
        known.update(hand)
    return frozenset(known)


def _places(hand: Places, deck: tuple[int, ...], cards: tuple[int, ...]) -> Places:
    left = list(hand)
    found = []
    for card in cards:
        place = next(place for place in left if deck[place] == card)
        left.remove(place)
        found.append(place)
    return tuple(found)
