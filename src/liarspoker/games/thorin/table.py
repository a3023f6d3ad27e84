"""Thorin's game at live tables: views of a round, and finished rounds for a record as a seat knows them."""

from __future__ import annotations

from typing import cast

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import card_text, card_texts, full_deck
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.cards.wording import describe_claim, describe_value, format_value_ranks
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of, face_down, is_discard, show_of
from liarspoker.games.thorin.deal import HAND_CARDS
from liarspoker.games.thorin.ladder import floor_of, full_claim, keeps_promise, spelling_of
from liarspoker.games.thorin.messages import Memory, ThorinHand, ThorinLegal, ThorinResult, ThorinRound
from liarspoker.games.thorin.notation import write, write_claim, write_value
from liarspoker.games.thorin.record_text import describe_action
from liarspoker.games.thorin.result import ThorinRoundResult, ThorinView
from liarspoker.games.thorin.round import Legal, Stint
from liarspoker.games.thorin.round import ThorinRound as DealtRound
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.state import NOBODY, PHASES
from liarspoker.language import _
from liarspoker.protocol.codec import Options
from liarspoker.records.family import round_tables
from liarspoker.tables.bluffs import Bluff, best_bluff
from liarspoker.tables.settings import Json, ShownHands


def public(view: ThorinView, users: tuple[str, ...], names: tuple[str, ...]) -> ThorinRound:
    """Return the public part of a view."""
    terms, state = view.terms, view.state
    assert terms is not None
    assert state is not None
    claim = None if state.claim == NO_CLAIM else state.claim
    return ThorinRound(
        users=users,
        names=names,
        round=terms.number,
        opener=terms.opener,
        phase=PHASES[state.phase],
        to_act=None if state.to_act == NOBODY else state.to_act,
        moves=tuple((seat, write(action)) for seat, action in view.moves),
        score=view.score,
        alive=view.alive,
        winner=view.winner,
        passes=view.passes,
        named=cast(Options, dict(terms.named)),
        active=state.active,
        stock=view.stock_left,
        discards=view.discards,
        claim=None if claim is None else write_claim(claim),
        claim_words=None if claim is None else describe_action(claim),
        claimant=None if claim is None else state.claimant,
        floor=None if claim is None else write_value(view.floor),
        floor_words=None if claim is None else format_value_ranks(view.floor),
        result=None if view.result is None else _result(view.result),
    )


def private(view: ThorinView) -> ThorinHand:
    """Return the private part of a view: the hand if the seat has it, its memory, and its legal actions."""
    return ThorinHand(
        hand=None if view.hand is None else card_texts(view.hand),
        memory=tuple(
            Memory(taken=card_texts(stint.taken), discarded=card_texts(stint.discarded), drawn=card_texts(stint.drawn))
            for stint in view.stints
        ),
        legal=_legal(view.legal) if view.my_turn else None,
    )


def _legal(legal: Legal) -> ThorinLegal:
    return ThorinLegal(
        min_claim=None if legal.min_claim is None else write_claim(legal.min_claim),
        min_claim_words=None if legal.min_claim is None else describe_claim(spelling_of(legal.min_claim)),
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
        final_claim_words=describe_action(result.final_claim),
        claimant=result.claimant,
        challenger=result.challenger,
        truthful=result.truthful,
        loser=result.loser,
        alive=result.alive,
        next_opener=result.next_opener,
        floor=write_value(result.floor),
        hand=None if result.hand is None else card_texts(result.hand),
        hand_value=None if value is None else write_value(value),
        hand_words=None if value is None else describe_claim(spelling_of(full_claim(value))),
        passes=result.passes,
        thrown_in=result.thrown_in,
    )


_HIDDEN = "??"

Places = tuple[int, ...]
"""Indices of cards in the deck."""


def hidden_hand(session: ThorinSession, seat: int) -> tuple[str, ...]:
    """Return the cards of the last active seat, if the round just ended without a challenge."""
    dealt, result = session.round, session.round_result
    if dealt is None or result is None or result.hand is not None or dealt.state.active != seat:
        return ()
    return card_texts(dealt.hand)


def recorded(session: ThorinSession, seat: int | None, shown: ShownHands) -> Json:
    """Return the rounds of a record, with only the cards that `seat` may know.

    `x-seen` has all cards of each of its stints, also those that the deck must not reveal.
    """
    rounds = round_tables(session)[: len(session.rounds)]
    for number, (table, (dealt, result)) in enumerate(zip(rounds, session.rounds, strict=True)):
        is_shown = result.hand is not None or (number, dealt.state.active) in shown
        known = _known(dealt, is_shown, seat)
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
        if dealt.stock.deck is not None and (stints := [stint for stint in dealt.stints if stint.seat == seat]):
            table["x-seen"] = [_cards_of(stint) for stint in stints]
    return {"rounds": rounds}


def _cards_of(stint: Stint) -> Json:
    """Return the cards that a seat has seen in one stint. They tell it nothing new, whatever was discarded later."""
    cards = {"taken": stint.taken, "discarded": stint.discarded, "drawn": stint.drawn}
    return {"seat": stint.seat, **{name: list(card_texts(each)) for name, each in cards.items()}}


def _seen(action: int, own: bool) -> int:
    return action if own else face_down(action)


def _known(dealt: DealtRound, is_shown: bool, seat: int | None) -> frozenset[int]:
    """Return the indices of the deck's cards that `seat` may know: its discards, and the final hand if it has seen it.

    `is_shown` says whether everyone has seen the final hand.

    Other cards that it has seen may have been discarded since; revealing those that weren't would reveal those that
    were. After the discards have been shuffled in, indices don't identify cards, and none is revealed.
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
        discarded = _places(hand, deck, cards_of(action))
        if by == seat:
            known.update(discarded)
        seen = by == seat or (seen and not discarded)
        hand = (*(place for place in hand if place not in discarded), *range(drawn, drawn + len(discarded)))
        drawn += len(discarded)
    if seen or is_shown:
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


def bluff(session: ThorinSession, revealed: bool) -> Bluff | None:
    """Return the declaration that was the most hand ranks above the hand, of those that weren't challenged.

    The rules show only a hand that was challenged, so without `revealed` there is none.
    """
    dealt, result = session.rounds[-1]
    if not revealed:
        return None
    claims = [(seat, action) for seat, action in dealt.moves if action >= 0]
    if result.challenger is not None:
        claims.pop()
    bluffs = []
    for (seat, claim), stint in zip(claims, dealt.stints, strict=False):
        kept = list(stint.taken)
        for card in stint.discarded:
            kept.remove(card)
        value = hand_value((*kept, *stint.drawn), bool(dealt.rules.double_any))
        margin = floor_of(claim) - value
        if margin > 0 and not keeps_promise(value, claim, dealt.rules):
            truth = _("the hand was {hand}", hand=describe_value(value))
            bluffs.append(Bluff(seat, margin, describe_action(claim), truth))
    return best_bluff(bluffs)
