"""Research environment of Queen Anne's games. Actions: the hands that can be named, then the challenge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from liarspoker.core.cards.claims import NO_CLAIM, NO_SUIT, WORDS
from liarspoker.core.cards.deck import UNKNOWN, card_text, cards_text
from liarspoker.core.session import RoundSetup
from liarspoker.games.cards.match_environment import KINDS, MatchEnvironment, from_seat, left, mark
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand, required_cards
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.result import QueenAnnesView
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import CHALLENGE, NOBODY, OVER, turns_of
from liarspoker.research.blocks import Block, Vector
from liarspoker.research.rules import Indices, Weights

_CLAIM_FEATURES = 1 + len(WORDS) + 13 + 4


class QueenAnnesEnvironment(MatchEnvironment[QueenAnnesSession, QueenAnnesView]):
    """Research environment of Queen Anne's games. Actions: the hands that can be named, then the challenge."""

    answers = 1

    def claims(self, session: QueenAnnesSession) -> range:
        """Return the claims."""
        return range(ladder_length(session.setup.rules))

    def index(self, session: QueenAnnesSession, action: int) -> int:
        """Return the index of an action; challenges in and out of turn share one."""
        return super().index(session, max(action, CHALLENGE))

    def legal(self, session: QueenAnnesSession) -> Indices:
        """Return the indices of the legal actions, ascending."""
        now, length = session.legal(), ladder_length(session.setup.rules)
        return np.arange(now.claims.start, length + (CHALLENGE in now.answers), dtype=np.int64)

    def chance_weights(
        self, session: QueenAnnesSession, drawn: Sequence[int], action: int | None, named: Mapping[str, object]
    ) -> Weights:
        """Return the possible next cards of the deal or of a turn, with their counts."""
        jokers = session.setup.rules.jokers
        if not session.in_play:
            return left(drawn, jokers) if len(drawn) < sum(session.chance_spec().hand_sizes) else {}
        dealt = session.round
        assert dealt is not None
        if action is not None or dealt.state.drawn == len(dealt.deck):
            return {}
        return left(dealt.pool, jokers)

    def dealt(
        self, session: QueenAnnesSession, drawn: Sequence[int], opener: int | None, named: Mapping[str, object]
    ) -> QueenAnnesSession:
        """Return the session with the next round dealt; each hand is sorted."""
        hands, start = [], 0
        for size in session.chance_spec().hand_sizes:
            hands.append(tuple(sorted(drawn[start : start + size])))
            start += size
        return session.deal(QueenAnnesDeal(tuple(hands)), RoundSetup(opener))

    def with_card(self, session: QueenAnnesSession, card: int) -> QueenAnnesSession:
        """Return the session with the next extra card known."""
        dealt = session.round
        assert dealt is not None
        return replace(session, round=replace(dealt, deck=(*dealt.deck, card)))

    def most_moves(self, session: QueenAnnesSession, rounds: int | None) -> int:
        """Return a bound: every hand is named, all others may challenge, and all but the winner lose every card."""
        rules: QueenAnnesRules = session.setup.rules
        asked = rules.seats - 1 if rules.anyone_challenges else 0
        most = rules.exit_losses * rules.seats - 1
        return (ladder_length(rules) * (1 + asked) + 1) * min(rounds or most, most)

    def layout(self, session: QueenAnnesSession, rounds: int | None) -> tuple[Block, ...]:
        """Return the blocks of an observation."""
        rules = session.setup.rules
        seats, extras = rules.seats, rules.extras
        cards = rules.hand_cards + extras
        length = ladder_length(rules)
        return (
            Block("cards", (seats, KINDS), 0, 2, "number of each card (2c, 2d to As, joker) that it sees at each seat"),
            Block("unseen", (seats,), 0, cards, "number of cards in play at each seat that it can't see"),
            Block("losses", (seats,), 0, rules.exit_losses, "losses of each seat in the match"),
            Block("living", (seats,), 0, 1, "1 for each seat still in the match"),
            Block("turns", (seats,), 0, length, "number of turns of each seat in this round"),
            Block("phase", (2,), 0, 1, "1 at the phase: open, respond"),
            Block("to act", (seats,), 0, 1, "1 at the seat to act"),
            Block("claimant", (seats,), 0, 1, "1 at the seat that made the last claim"),
            Block(
                "named",
                (seats, _CLAIM_FEATURES),
                0,
                4,
                "each seat's last claim in this round: its index on the ladder scaled to (0, 1], the category (13), "
                "the required number of each rank (13), the suit (4)",
            ),
        )

    def observe(self, view: QueenAnnesView, parts: Mapping[str, Vector]) -> None:
        """Write the observation of a seat; seats are counted clockwise from it, itself 0."""
        rules, seat, seats = view.rules, view.seat, view.rules.seats
        assert seat is not None
        parts["losses"][:] = from_seat(view.losses, seat)
        parts["living"][:] = from_seat((other in view.alive for other in range(seats)), seat)
        state, terms = view.state, view.terms
        if state is None or terms is None:
            return
        for owner in range(seats):
            place = (owner - seat) % seats
            extras = [extra.card for extra in view.extras if extra.seat == owner]
            mark(parts["cards"][place], (*view.seen[owner], *extras))
            parts["unseen"][place] = view.hand_sizes[owner] - len(view.seen[owner]) + extras.count(UNKNOWN)
        parts["turns"][:] = from_seat(turns_of(state, terms.packed, seats), seat)
        if state.phase != OVER:
            parts["phase"][state.phase] = 1
            parts["to act"][(state.to_act - seat) % seats] = 1
        if state.claimant != NOBODY:
            parts["claimant"][(state.claimant - seat) % seats] = 1
        for mover, action in view.moves:
            if action > NO_CLAIM:
                parts["named"][(mover - seat) % seats] = _features_of(action, rules)

    def information_state(self, view: QueenAnnesView, session: QueenAnnesSession) -> list[str]:
        """Return lines with the cards that the seat sees and the actions; with all cards once they are shown."""
        if view.result is not None:
            hands, extras = view.result.hands, view.result.extras
        else:
            hands, extras = view.seen, view.extras
        seen = [f"{owner} has {cards_text(sorted(cards))}" for owner, cards in enumerate(hands) if cards]
        extra_lines = [f"{extra.seat} got {card_text(extra.card)} on turn {extra.turn}" for extra in extras]
        moves = [f"{seat}: {session.write(action)}" for seat, action in view.moves]
        assert view.terms is not None
        return [
            f"opener {view.terms.opener}, losses {' '.join(map(str, view.terms.losses))}",
            *seen,
            *extra_lines,
            *moves,
        ]


def _features_of(claim: int, rules: QueenAnnesRules) -> Vector:
    """Return the features of a claim."""
    row = np.zeros(_CLAIM_FEATURES, np.float32)
    named = named_hand(claim, rules)
    row[0] = (claim + 1) / ladder_length(rules)
    row[1 + WORDS.index(named.word)] = 1
    for rank, suit, count in required_cards(named):
        row[1 + len(WORDS) + rank] += count
        if suit != NO_SUIT:
            row[1 + len(WORDS) + 13 + suit] = 1
    return row


ENVIRONMENT = QueenAnnesEnvironment()
