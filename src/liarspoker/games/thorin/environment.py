"""Research environment of Thorin's game.

Actions are the declarations, the answers, the discards by position, and the options for a round. Discard m discards the
cards whose positions are set bits of m; the hand is sorted, and the lowest card has position 0.
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
from liarspoker.games.cards.match_environment import KINDS, MatchEnvironment, from_seat, left, mark
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of, discard_of, face_down, is_discard
from liarspoker.games.thorin.deal import HAND_CARDS, ThorinDeal, after_drawing
from liarspoker.games.thorin.ladder import ClaimsAbove, category_of, floor_of, spelling_of
from liarspoker.games.thorin.options import NAMED_OPTIONS, ThorinRules, packed
from liarspoker.games.thorin.result import ThorinView
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.state import NOBODY, OVER
from liarspoker.research.blocks import Block, Vector
from liarspoker.research.rules import Indices, Weights

_ANSWERS = (TAKE, CHALLENGE, PASS)
_DISCARDS = 1 << HAND_CARDS
_KEYS_NAMED = 5


class ThorinEnvironment(MatchEnvironment[ThorinSession, ThorinView]):
    """Environment rules of Thorin's game. Actions: declarations, answers, discards by position, options."""

    answers = len(_ANSWERS) + _DISCARDS

    def claims(self, session: ThorinSession) -> Indices:
        """Return all declarations that can occur in this match, weakest first."""
        return _claims(_widest(session.setup))

    def index(self, session: ThorinSession, action: int) -> int:
        """Return the index of a legal action."""
        if action >= 0:
            return super().index(session, action)
        first = len(self.claims(session))
        if action in _ANSWERS:
            return first + _ANSWERS.index(action)
        discarded, mask = Counter(cards_of(action)), 0
        for place, card in enumerate(_hand(session)):
            if discarded[card]:
                discarded[card] -= 1
                mask |= 1 << place
        return first + len(_ANSWERS) + mask

    def action(self, session: ThorinSession, index: int) -> int:
        """Return the legal action at an index."""
        beyond = index - len(self.claims(session))
        if beyond < 0:
            return super().action(session, index)
        if beyond < len(_ANSWERS):
            return _ANSWERS[beyond]
        mask = beyond - len(_ANSWERS)
        return discard_of([card for place, card in enumerate(_hand(session)) if mask >> place & 1])

    def namings(self, session: ThorinSession) -> Sequence[Mapping[str, object]]:
        """Return all choices of options for a round, under `dealers_choice`."""
        return _namings() if session.setup.options.dealers_choice else ()

    def chance_weights(
        self, session: ThorinSession, drawn: Sequence[int], action: int | None, named: Mapping[str, object]
    ) -> Weights:
        """Return the possible next cards of the opening hand or of a draw, with their counts."""
        if not session.in_play:
            return left(drawn, session.chance_spec(named).jokers) if len(drawn) < HAND_CARDS else {}
        if action is None or not is_discard(action) or len(drawn) == len(cards_of(action)):
            return {}
        dealt = session.round
        assert dealt is not None
        stock = dealt.stock
        if after_drawing(len(drawn) + 1, stock.piles).end == stock.end:
            return left((*dealt.hand, *stock.discards, *drawn), stock.jokers)
        return dict(sorted((Counter(stock.discards) - Counter(drawn[stock.left :])).items()))

    def dealt(
        self, session: ThorinSession, drawn: Sequence[int], opener: int | None, named: Mapping[str, object]
    ) -> ThorinSession:
        """Return the session with the next round dealt; cards of the stock are unknown until drawn."""
        return session.deal(ThorinDeal(tuple(sorted(drawn))), RoundSetup(opener, options=named))

    def applied(self, session: ThorinSession, drawn: Sequence[int], action: int) -> ThorinSession:
        """Return the session after `action`, with the drawn cards next in the stock."""
        if drawn:
            dealt = session.round
            assert dealt is not None
            assert dealt.stock.deck is not None
            stock = replace(dealt.stock, deck=(*dealt.stock.deck, *drawn))
            session = replace(session, round=replace(dealt, stock=stock))
        return session.apply(action)

    def most_moves(self, session: ThorinSession, rounds: int | None) -> int:
        """Return a bound: every hand rank is promised and taken once, with discards, passes and options.

        Each round eliminates a player, or uses a pass of every other player.
        """
        rules = _widest(session.setup)
        seats, passes = rules.seats, rules.passes
        a_round = 3 * len(KEYS) + 2 + seats * passes
        most = seats - 1 + seats * passes
        return a_round * min(rounds or most, most)

    def layout(self, session: ThorinSession, rounds: int | None) -> tuple[Block, ...]:
        """Return the blocks of an observation."""
        seats, jokers = session.seats, _widest(session.setup).jokers
        deck = KINDS - 1 + jokers
        return (
            Block("hand", (HAND_CARDS, KINDS), 0, 1, "1 at the card in each position of the hand, if the seat has it"),
            Block("left behind", (KINDS,), 0, 2, "the hand as this seat last passed it on in this round"),
            Block("thrown", (KINDS,), 0, 2, "how often this seat has discarded each card in this round, at most 2"),
            Block(
                "discarded",
                (seats,),
                -1,
                HAND_CARDS,
                "size of each seat's last discard in this round; -1 if it hasn't had the hand",
            ),
            Block("category", (len(CATEGORIES),), 0, 1, "1 at the category of the last declaration"),
            Block("keys", (_KEYS_NAMED, 13), 0, 1, "1 at each rank that it names, most significant first"),
            Block("floor", (1,), 0, 1, "the hand rank that it promises, from 0 to 1"),
            Block("declared", (seats,), 0, 1, "the hand rank that each seat last promised in this round, from 0 to 1"),
            Block("phase", (3,), 0, 1, "1 at the phase: declare, respond, discard"),
            Block("to act", (seats,), 0, 1, "1 at the seat to act"),
            Block("active", (seats,), 0, 1, "1 at the seat that has the hand"),
            Block("claimant", (seats,), 0, 1, "1 at the seat that declared last"),
            Block("passes", (seats,), 0, 1, "number of passes that each seat has left"),
            Block("living", (seats,), 0, 1, "1 for each seat still in the match"),
            Block("stock", (2,), 0, deck, "number of cards in the stock, and of discards not yet shuffled into it"),
            Block("rules", (5,), 0, 2, "of the round: jokers, passes, duplicate = any, or_better = words, take_top"),
        )

    def observe(self, view: ThorinView, parts: Mapping[str, Vector]) -> None:
        """Write the observation of a seat; seats are counted clockwise from it, itself 0."""
        seat, seats, rules = view.seat, view.rules.seats, view.rules
        assert seat is not None
        parts["living"][:] = from_seat((other in view.alive for other in range(seats)), seat)
        parts["passes"][:] = from_seat(view.passes, seat)
        parts["rules"][:] = (rules.jokers, rules.passes, rules.double_any, rules.by_words, rules.take_top)
        parts["discarded"][:] = -1
        state = view.state
        if state is None:
            return
        if view.hand is not None:
            for place, card in enumerate(sorted(view.hand)):
                parts["hand"][place, card] = 1
        for stint in view.stints:
            mark(parts["thrown"], stint.discarded)
        np.minimum(parts["thrown"], 2, out=parts["thrown"])
        handed_on = view.stints if view.hand is None else view.stints[:-1]
        if handed_on:
            last = handed_on[-1]
            mark(parts["left behind"], (*(Counter(last.taken) - Counter(last.discarded)).elements(), *last.drawn))
        parts["stock"][:] = view.stock_left, view.discards
        _observe_state(state, seat, seats, parts)
        for mover, action in view.moves:
            place = (mover - seat) % seats
            if action >= 0:
                parts["declared"][place] = _share(action)
                parts["discarded"][place] = max(0, parts["discarded"][place])
            elif is_discard(action):
                parts["discarded"][place] = len(cards_of(action))

    def information_state(self, view: ThorinView, session: ThorinSession) -> list[str]:
        """Return lines with the seat's cards, discards and draws, the actions, and the hand if it is shown."""
        assert view.terms is not None
        named = [f"{name} = {value}" for name, value in view.terms.named]
        held = [
            f"took {_text(stint.taken)} threw {_text(stint.discarded)} drew {_text(stint.drawn)}"
            for stint in view.stints
        ]
        # The seat's own discards are listed above; other seats' discards show only their size.
        moves = [f"{seat}: {session.write(face_down(action))}" for seat, action in view.moves]
        shown = [f"shown {_text(view.result.hand)}"] if view.result is not None and view.result.hand else []
        return [f"opener {view.terms.opener}, passes {' '.join(map(str, view.passes))}", *named, *held, *moves, *shown]


@cache
def _namings() -> tuple[Mapping[str, object], ...]:
    names = [info.name for info in NAMED_OPTIONS]
    return tuple(dict(zip(names, values, strict=True)) for values in product(*(info.choices for info in NAMED_OPTIONS)))


def _widest(setup: Any) -> ThorinRules:
    """Return the rules with the most declarations that a round of this match can have."""
    if not setup.options.dealers_choice:
        rules: ThorinRules = setup.rules
        return rules
    most: dict[str, Any] = {info.name: info.choices[-1] for info in NAMED_OPTIONS}
    return packed(replace(setup.options, **most), setup.rules.seats)


def _hand(session: ThorinSession) -> list[int]:
    """Return the hand, sorted."""
    assert session.round is not None
    return sorted(session.round.hand)


@lru_cache(maxsize=8)
def _claims(rules: ThorinRules) -> Indices:
    return np.array(ClaimsAbove(floor_of(NO_CLAIM), rules)[:], np.int64)


def _observe_state(state: Any, seat: int, seats: int, parts: Mapping[str, Vector]) -> None:
    """Write the public state of the round."""
    if state.phase != OVER:
        parts["phase"][state.phase] = 1
        parts["to act"][(state.to_act - seat) % seats] = 1
    parts["active"][(state.active - seat) % seats] = 1
    if state.claimant != NOBODY:
        parts["claimant"][(state.claimant - seat) % seats] = 1
        parts["category"][category_of(state.claim)] = 1
        parts["floor"][0] = _share(state.claim)
        for place, rank in enumerate(spelling_of(state.claim).ranks):
            if rank != OPEN_RANK:
                parts["keys"][place, rank] = 1


def _share(claim: int) -> float:
    """Return the hand rank that a declaration promises, scaled to [0, 1]."""
    return floor_of(claim) / (len(KEYS) - 1)


def _text(cards: Sequence[int]) -> str:
    return cards_text(sorted(cards)) or "-"


ENVIRONMENT = ThorinEnvironment()
