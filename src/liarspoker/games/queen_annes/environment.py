"""Queen Anne's games as environments: the hands that can be named, then the challenge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from liarspoker.core.cards.claims import NO_CLAIM, NO_SUIT, WORDS
from liarspoker.core.cards.deck import UNKNOWN, card_text, cards_text
from liarspoker.core.session import RoundSetup
from liarspoker.games.cards.environment_matches import KINDS, MatchStudy, from_seat, left, mark
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand, wanted
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.result import QueenAnnesView
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import CHALLENGE, NOBODY, OVER, turns_of
from liarspoker.research.blocks import Block, Vector
from liarspoker.research.family import Indices, Weights

_FEATURES_OF_A_NAME = 1 + len(WORDS) + 13 + 4


class QueenAnnesStudy(MatchStudy[QueenAnnesSession, QueenAnnesView]):
    """Queen Anne's games as environments: the hands that can be named, then the challenge."""

    answers = 1

    def claims(self, session: QueenAnnesSession) -> range:
        """The hands that can be named."""
        return range(ladder_length(session.setup.rules))

    def index(self, session: QueenAnnesSession, action: int) -> int:
        """The number of an action; a challenge out of turn has that of any challenge."""
        return super().index(session, max(action, CHALLENGE))

    def legal(self, session: QueenAnnesSession) -> Indices:
        """The numbers of what the seat to act may do, ascending."""
        now, length = session.legal(), ladder_length(session.setup.rules)
        return np.arange(now.claims.start, length + (CHALLENGE in now.answers), dtype=np.int64)

    def awaited(
        self, session: QueenAnnesSession, drawn: Sequence[int], action: int | None, named: Mapping[str, object]
    ) -> Weights:
        """The next card of a hand, or the next one that comes with a turn."""
        jokers = session.setup.rules.jokers
        if not session.in_play:
            return left(drawn, jokers) if len(drawn) < sum(session.chance_spec().hand_sizes) else {}
        dealt = session.round
        assert dealt is not None
        if action is not None or dealt.standing.drawn == len(dealt.deck):
            return {}
        return left(dealt.pool, jokers)

    def dealt(
        self, session: QueenAnnesSession, drawn: Sequence[int], opener: int | None, named: Mapping[str, object]
    ) -> QueenAnnesSession:
        """The session with the next round dealt: each hand in turn, in the order of the cards."""
        hands, start = [], 0
        for size in session.chance_spec().hand_sizes:
            hands.append(tuple(sorted(drawn[start : start + size])))
            start += size
        return session.deal(QueenAnnesDeal(tuple(hands)), RoundSetup(opener))

    def supplied(self, session: QueenAnnesSession, card: int) -> QueenAnnesSession:
        """The session with the next card off the deck."""
        dealt = session.round
        assert dealt is not None
        return replace(session, round=replace(dealt, deck=(*dealt.deck, card)))

    def most_moves(self, session: QueenAnnesSession, rounds: int | None) -> int:
        """Every hand is named, all others are asked about each, and in a match everybody but the winner loses all."""
        rules: QueenAnnesRules = session.setup.rules
        asked = rules.seats - 1 if rules.anyone_challenges else 0
        most = rules.exit_losses * rules.seats - 1
        return (ladder_length(rules) * (1 + asked) + 1) * min(rounds or most, most)

    def layout(self, session: QueenAnnesSession, rounds: int | None) -> tuple[Block, ...]:
        """What a seat sees on the table, and what each seat has named last."""
        rules = session.setup.rules
        seats, extras = rules.seats, rules.extras
        cards = rules.hand_cards + extras
        length = ladder_length(rules)
        return (
            Block("cards", (seats, KINDS), 0, 2, "how many of each card (2c, 2d to As, joker) it sees with each seat"),
            Block("unseen", (seats,), 0, cards, "cards in play with each seat that it does not see"),
            Block("losses", (seats,), 0, rules.exit_losses, "of each seat in the match"),
            Block("living", (seats,), 0, 1, "1 for each seat that is in the match"),
            Block("turns", (seats,), 0, length, "how often each seat has been to act in this round"),
            Block("phase", (2,), 0, 1, "1 at the phase: open, respond"),
            Block("to act", (seats,), 0, 1, "1 at the seat whose turn it is"),
            Block("claimant", (seats,), 0, 1, "1 at the seat that named what stands"),
            Block(
                "named",
                (seats, _FEATURES_OF_A_NAME),
                0,
                4,
                "what each seat named last in this round: its place on the ladder, above 0 to 1, and the category "
                "(13), how many of each rank it asks for (13), the suit (4)",
            ),
        )

    def observe(self, view: QueenAnnesView, parts: Mapping[str, Vector]) -> None:
        """Write what a seat may know; seats are counted from it, clockwise, itself 0."""
        rules, seat, seats = view.rules, view.seat, view.rules.seats
        assert seat is not None
        parts["losses"][:] = from_seat(view.losses, seat)
        parts["living"][:] = from_seat((other in view.alive for other in range(seats)), seat)
        standing, terms = view.standing, view.terms
        if standing is None or terms is None:
            return
        for owner in range(seats):
            place = (owner - seat) % seats
            extras = [extra.card for extra in view.extras if extra.seat == owner]
            mark(parts["cards"][place], (*view.seen[owner], *extras))
            parts["unseen"][place] = view.hand_sizes[owner] - len(view.seen[owner]) + extras.count(UNKNOWN)
        parts["turns"][:] = from_seat(turns_of(standing, terms.ground, seats), seat)
        if standing.phase != OVER:
            parts["phase"][standing.phase] = 1
            parts["to act"][(standing.to_act - seat) % seats] = 1
        if standing.claimant != NOBODY:
            parts["claimant"][(standing.claimant - seat) % seats] = 1
        for mover, action in view.moves:
            if action > NO_CLAIM:
                parts["named"][(mover - seat) % seats] = _features_of(action, rules)

    def account(self, view: QueenAnnesView, session: QueenAnnesSession) -> list[str]:
        """The cards that the seat sees, the moves, and all cards once they are shown."""
        if view.result is not None:
            hands, extras = view.result.hands, view.result.extras
        else:
            hands, extras = view.seen, view.extras
        seen = [f"{owner} has {cards_text(sorted(cards))}" for owner, cards in enumerate(hands) if cards]
        came = [f"{extra.seat} got {card_text(extra.card)} on turn {extra.turn}" for extra in extras]
        moves = [f"{seat}: {session.write(action)}" for seat, action in view.moves]
        assert view.terms is not None
        return [f"opener {view.terms.opener}, losses {' '.join(map(str, view.terms.losses))}", *seen, *came, *moves]


def _features_of(claim: int, rules: QueenAnnesRules) -> Vector:
    """A named hand as numbers."""
    row = np.zeros(_FEATURES_OF_A_NAME, np.float32)
    named = named_hand(claim, rules)
    row[0] = (claim + 1) / ladder_length(rules)
    row[1 + WORDS.index(named.word)] = 1
    for rank, suit, count in wanted(named):
        row[1 + len(WORDS) + rank] += count
        if suit != NO_SUIT:
            row[1 + len(WORDS) + 13 + suit] = 1
    return row


STUDY = QueenAnnesStudy()
