"""Thorin's game as an environment: declarations, then the answers, then discards by their places, then namings.

The hand is told and thrown in the order of its cards: discard number m throws the cards at those places, the lowest
card's being 0, whose bits are set in m.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product
from typing import Any

import numpy as np

from liarspoker.core.cards.claims import NO_CLAIM, OPEN_RANK
from liarspoker.core.cards.deck import cards_text
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS
from liarspoker.core.session import RoundSetup
from liarspoker.games.cards.environment_matches import KINDS, MatchStudy, from_seat, left, mark
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of, discard_of, face_down, is_discard
from liarspoker.games.thorin.deal import HAND_CARDS, ThorinDeal, after_drawing
from liarspoker.games.thorin.ladder import ClaimsAbove, category_of, floor_of, spelling_of
from liarspoker.games.thorin.options import NAMED_OPTIONS, ThorinRules, packed
from liarspoker.games.thorin.result import ThorinView
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.state import NOBODY, OVER
from liarspoker.research.blocks import Block, Vector
from liarspoker.research.family import Indices, Weights

_ANSWERS = (TAKE, CHALLENGE, PASS)
_DISCARDS = 1 << HAND_CARDS
_KEYS_NAMED = 5


class ThorinStudy(MatchStudy[ThorinSession, ThorinView]):
    """Thorin's game as an environment: declarations, then the answers, then discards by their places, then namings."""

    answers = len(_ANSWERS) + _DISCARDS

    def claims(self, session: ThorinSession) -> Indices:
        """Every declaration that a round of this match may have, weakest first."""
        return _claims(_widest(session.setup))

    def index(self, session: ThorinSession, action: int) -> int:
        """The number of an action that is legal now."""
        if action >= 0:
            return super().index(session, action)
        first = len(self.claims(session))
        if action in _ANSWERS:
            return first + _ANSWERS.index(action)
        thrown, mask = Counter(cards_of(action)), 0
        for place, card in enumerate(_hand(session)):
            if thrown[card]:
                thrown[card] -= 1
                mask |= 1 << place
        return first + len(_ANSWERS) + mask

    def action(self, session: ThorinSession, index: int) -> int:
        """The action of a number that is legal now."""
        beyond = index - len(self.claims(session))
        if beyond < 0:
            return super().action(session, index)
        if beyond < len(_ANSWERS):
            return _ANSWERS[beyond]
        mask = beyond - len(_ANSWERS)
        return discard_of([card for place, card in enumerate(_hand(session)) if mask >> place & 1])

    def namings(self, session: ThorinSession) -> Sequence[Mapping[str, object]]:
        """Every way to name the options that are named before a round, where the dealer has the choice."""
        return _namings() if session.setup.options.dealers_choice else ()

    def awaited(
        self, session: ThorinSession, drawn: Sequence[int], action: int | None, named: Mapping[str, object]
    ) -> Weights:
        """The next card of the opening hand, or of those drawn for a discard."""
        if not session.in_play:
            return left(drawn, session.chance_spec(named).jokers) if len(drawn) < HAND_CARDS else {}
        if action is None or not is_discard(action) or len(drawn) == len(cards_of(action)):
            return {}
        dealt = session.round
        assert dealt is not None
        stock = dealt.stock
        if after_drawing(len(drawn) + 1, stock.piles).end == stock.end:
            return left((*dealt.hand, *stock.thrown, *drawn), stock.jokers)
        return dict(sorted((Counter(stock.thrown) - Counter(drawn[stock.left :])).items()))

    def dealt(
        self, session: ThorinSession, drawn: Sequence[int], opener: int | None, named: Mapping[str, object]
    ) -> ThorinSession:
        """The session with the next round dealt; of its stock no card is known before it is drawn."""
        return session.deal(ThorinDeal(tuple(sorted(drawn))), RoundSetup(opener, options=named))

    def applied(self, session: ThorinSession, drawn: Sequence[int], action: int) -> ThorinSession:
        """The session after `action`, with the cards drawn next in the stock."""
        if drawn:
            dealt = session.round
            assert dealt is not None
            assert dealt.stock.deck is not None
            stock = replace(dealt.stock, deck=(*dealt.stock.deck, *drawn))
            session = replace(session, round=replace(dealt, stock=stock))
        return session.apply(action)

    def most_moves(self, session: ThorinSession, rounds: int | None) -> int:
        """Every value promised once, each time taken and improved, passes, and what is named.

        Each round puts one player out, or costs all others a pass.
        """
        rules = _widest(session.setup)
        seats, passes = rules.seats, rules.passes
        a_round = 3 * len(KEYS) + 2 + seats * passes
        most = seats - 1 + seats * passes
        return a_round * min(rounds or most, most)

    def layout(self, session: ThorinSession, rounds: int | None) -> tuple[Block, ...]:
        """What a seat holds or has held, what was declared, and what is left."""
        seats, jokers = session.seats, _widest(session.setup).jokers
        deck = KINDS - 1 + jokers
        return (
            Block("hand", (HAND_CARDS, KINDS), 0, 1, "1 at the card in each place of the hand, while the seat has it"),
            Block(
                "left behind", (KINDS,), 0, 2, "the hand as this seat handed it on when it last had it in this round"
            ),
            Block("thrown", (KINDS,), 0, 2, "how often this seat has thrown each card in this round; 2 for more"),
            Block(
                "discarded", (seats,), -1, HAND_CARDS, "how many cards each seat threw last; -1 if it had no hand yet"
            ),
            Block("category", (len(CATEGORIES),), 0, 1, "1 at the category declared last"),
            Block("keys", (_KEYS_NAMED, 13), 0, 1, "1 at each rank that it names, in the order in which they decide"),
            Block("floor", (1,), 0, 1, "the value that it promises, from 0 to 1"),
            Block("declared", (seats,), 0, 1, "the value that each seat promised last in this round, from 0 to 1"),
            Block("phase", (3,), 0, 1, "1 at the phase: declare, respond, discard"),
            Block("to act", (seats,), 0, 1, "1 at the seat whose turn it is"),
            Block("active", (seats,), 0, 1, "1 at the seat that has the hand"),
            Block("claimant", (seats,), 0, 1, "1 at the seat that declared last"),
            Block("passes", (seats,), 0, 1, "passes that each seat has left"),
            Block("living", (seats,), 0, 1, "1 for each seat that is in the match"),
            Block("stock", (2,), 0, deck, "cards in the stock, and cards thrown that are not yet shuffled into it"),
            Block("rules", (5,), 0, 2, "of the round: jokers, passes, duplicate = any, or_better = words, take_top"),
        )

    def observe(self, view: ThorinView, parts: Mapping[str, Vector]) -> None:
        """Write what a seat may know; seats are counted from it, clockwise, itself 0."""
        seat, seats, rules = view.seat, view.rules.seats, view.rules
        assert seat is not None
        parts["living"][:] = from_seat((other in view.alive for other in range(seats)), seat)
        parts["passes"][:] = from_seat(view.passes, seat)
        parts["rules"][:] = (rules.jokers, rules.passes, rules.double_any, rules.by_words, rules.take_top)
        parts["discarded"][:] = -1
        standing = view.standing
        if standing is None:
            return
        if view.hand is not None:
            for place, card in enumerate(sorted(view.hand)):
                parts["hand"][place, card] = 1
        for stint in view.stints:
            mark(parts["thrown"], stint.thrown)
        np.minimum(parts["thrown"], 2, out=parts["thrown"])
        handed_on = view.stints if view.hand is None else view.stints[:-1]
        if handed_on:
            last = handed_on[-1]
            mark(parts["left behind"], (*(Counter(last.taken) - Counter(last.thrown)).elements(), *last.drawn))
        parts["stock"][:] = view.stock_left, view.discards
        _observe_standing(standing, seat, seats, parts)
        for mover, action in view.moves:
            place = (mover - seat) % seats
            if action >= 0:
                parts["declared"][place] = _share(action)
                parts["discarded"][place] = max(0, parts["discarded"][place])
            elif is_discard(action):
                parts["discarded"][place] = len(cards_of(action))

    def account(self, view: ThorinView, session: ThorinSession) -> list[str]:
        """What the seat has held, thrown and drawn, the moves, and the hand once it is shown."""
        assert view.terms is not None
        named = [f"{name} = {value}" for name, value in view.terms.named]
        held = [
            f"took {_text(stint.taken)} threw {_text(stint.thrown)} drew {_text(stint.drawn)}" for stint in view.stints
        ]
        # Its own discards are told above, and everybody's how many cards they threw.
        moves = [f"{seat}: {session.write(face_down(action))}" for seat, action in view.moves]
        shown = [f"shown {_text(view.result.hand)}"] if view.result is not None and view.result.hand else []
        return [f"opener {view.terms.opener}, passes {' '.join(map(str, view.passes))}", *named, *held, *moves, *shown]


@cache
def _namings() -> tuple[Mapping[str, object], ...]:
    names = [info.name for info in NAMED_OPTIONS]
    return tuple(dict(zip(names, values, strict=True)) for values in product(*(info.choices for info in NAMED_OPTIONS)))


def _widest(setup: Any) -> ThorinRules:
    """The rules under which there are the most declarations, of those that a round of this match may have."""
    if not setup.options.dealers_choice:
        rules: ThorinRules = setup.rules
        return rules
    most: dict[str, Any] = {info.name: info.choices[-1] for info in NAMED_OPTIONS}
    return packed(replace(setup.options, **most), setup.rules.seats)


def _hand(session: ThorinSession) -> list[int]:
    """The hand that goes around, in the order of its cards."""
    assert session.round is not None
    return sorted(session.round.hand)


@lru_cache(maxsize=8)
def _claims(rules: ThorinRules) -> Indices:
    return np.array(ClaimsAbove(floor_of(NO_CLAIM), rules)[:], np.int64)


def _observe_standing(standing: Any, seat: int, seats: int, parts: Mapping[str, Vector]) -> None:
    """Write where the round stands; all of it public."""
    if standing.phase != OVER:
        parts["phase"][standing.phase] = 1
        parts["to act"][(standing.to_act - seat) % seats] = 1
    parts["active"][(standing.active - seat) % seats] = 1
    if standing.claimant != NOBODY:
        parts["claimant"][(standing.claimant - seat) % seats] = 1
        parts["category"][category_of(standing.claim)] = 1
        parts["floor"][0] = _share(standing.claim)
        for place, rank in enumerate(spelling_of(standing.claim).ranks):
            if rank != OPEN_RANK:
                parts["keys"][place, rank] = 1


def _share(claim: int) -> float:
    """What a declaration promises, as a share of the best value that there is."""
    return floor_of(claim) / (len(KEYS) - 1)


def _text(cards: Sequence[int]) -> str:
    return cards_text(sorted(cards)) or "-"


STUDY = ThorinStudy()
