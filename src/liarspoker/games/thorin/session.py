"""A match of Thorin's game: rounds until one player is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.core.cards.match import (
    CardMatch,
    MatchSetup,
    check_new_round,
    check_no_slips,
    check_seat,
)
from liarspoker.core.errors import BadDeal, BadOption
from liarspoker.core.session import Deal, PresetGame, RoundSetup
from liarspoker.games.thorin.actions import CHALLENGE, discard_of, face_down
from liarspoker.games.thorin.deal import ThorinChance, ThorinDeal
from liarspoker.games.thorin.notation import read, write
from liarspoker.games.thorin.options import NAMED_OPTIONS, ThorinOptions, ThorinRules, packed
from liarspoker.games.thorin.presets import ThorinPreset
from liarspoker.games.thorin.result import ThorinRoundResult, ThorinView, conclude
from liarspoker.games.thorin.round import NOTHING_LEGAL, Legal, ThorinRound
from liarspoker.games.thorin.state import OVER, PHASES, Terms, holds_hand
from liarspoker.language import _


@dataclass(frozen=True, slots=True)
class ThorinSession(CardMatch[ThorinPreset, ThorinOptions, ThorinRules, ThorinRound, ThorinRoundResult]):
    """An immutable match; `deal` and `apply` return the next session.

    >>> from liarspoker.core import catalogue
    >>> from liarspoker.core.cards.deck import read_joined_cards
    >>> session = catalogue.load("thorin").session(seats=3)
    >>> session = session.deal(ThorinDeal(deck=read_joined_cards("KcKd7h5s2s9h")))
    >>> for text in ("declare pair", "take", "discard 2s", "declare two-pair", "challenge"):
    ...     session = session.apply(session.read(text))
    >>> session.alive, session.next_opener, session.round_result.truthful
    ((0, 2), 2, False)
    """

    phases: ClassVar[tuple[str, ...]] = PHASES

    @property
    def alive(self) -> tuple[int, ...]:
        """The seats still in, ascending."""
        return self.rounds[-1][1].alive if self.rounds else tuple(range(self.seats))

    @property
    def passes(self) -> tuple[int, ...]:
        """The passes that each seat has left, under the rules of the current round."""
        rules = self.setup.rules
        return (rules.passes,) * self.seats if self.round is None else self.round.passes_left()

    def read(self, text: str) -> int:
        """Parse an action such as `declare pair 7`, `take` or `discard -`."""
        phase = OVER if self.round is None else self.round.state.phase
        return read(text, phase, self.setup.rules if self.round is None else self.round.rules)

    def write(self, action: int) -> str:
        """Return `action` in notation."""
        return write(action)

    def chance_spec(self, options: Mapping[str, object] | None = None) -> ThorinChance:
        """Return the specification of the next round's random draw, with the options chosen for the round.

        Raises:
            NotNow: a round is in progress, or the match is won.
            BadOption: options that can't be chosen for a round, or bad values.
        """
        check_new_round(self.in_play, self.alive)
        return ThorinChance(self._options_with(options or {}).jokers, opener=not self.rounds)

    def begin_round(self, deal: Deal, opener: int, setup: RoundSetup) -> ThorinRound:
        """Return the next round as it begins."""
        if not isinstance(deal, ThorinDeal):
            raise BadDeal(_("deal: {name} isn't a deal of Thorin's game", name=type(deal).__name__))
        drawn = self.chance_spec(setup.options)
        drawn.check(deal)
        terms = Terms(len(self.rounds), opener, self.alive, tuple(setup.options.items()), setup.opener is not None)
        spent = self.rounds[-1][0].state.spent if self.rounds else 0
        return ThorinRound.begin(packed(self._options_with(setup.options), self.seats), terms, drawn.stock(deal), spent)

    def conclude(self, played: ThorinRound) -> ThorinRoundResult:
        """Return the result of a round that is over."""
        return conclude(played)

    def legal(self) -> Legal:
        """Return the legal actions; none between rounds. They reveal the hand: use `view` for other seats."""
        return NOTHING_LEGAL if self.round is None else self.round.legal()

    @property
    def all_known(self) -> bool:
        """Whether the hand, the discards and the stock of the round in progress are known."""
        dealt = self.round
        if dealt is None or not self.in_play:
            return True
        deck, end = dealt.stock.deck, dealt.stock.end
        return deck is not None and len(deck) >= end and UNKNOWN not in (*deck, *dealt.hand, *dealt.stock.discards)

    def check_end(self) -> None:
        """Check that the deck doesn't continue after its last card."""
        assert self.round is not None
        self.round.stock.check_end()

    def default_action(self) -> int:
        """Return a challenge under the gun; otherwise keep all cards, or declare the weakest legal hand."""
        legal = self.legal()
        if CHALLENGE in legal.answers:
            return CHALLENGE
        if legal.discard:
            return discard_of(())
        assert legal.min_claim is not None  # a hand that can't be beaten can't be taken
        return legal.min_claim

    def undo_point(self) -> object:
        """Return whether the hand is still hidden, and who has seen which cards."""
        return self.round_result is None, () if self.round is None else self.round.stints

    def with_new_chance(self, random_bytes: Callable[[int], bytes]) -> ThorinSession:
        """Return the session with a new seed for shuffling the discards; a record keeps only the deck."""
        dealt = self.round
        if dealt is None or dealt.stock.deck is None:
            return self
        return replace(self, round=replace(dealt, stock=replace(dealt.stock, seed=random_bytes(32))))

    def check_round_options(self, options: Mapping[str, object]) -> None:
        """Check options chosen for the next round."""
        self.chance_spec(options)

    def view(self, seat: int | None) -> ThorinView:
        """Return the view of `seat`, or of a spectator for `None`.

        This is the only place where secrets reach a seat: of the secret fields, only the active seat's hand, the seat's
        own stints and what a challenge has shown are included.
        """
        check_seat(seat, self.seats)
        setup, dealt = self.setup, self.round
        state = None if dealt is None else dealt.state
        holds = state is not None and seat is not None and holds_hand(seat, state)
        return ThorinView(
            game=setup.preset.id,
            options=setup.options,
            rules=setup.rules if dealt is None else dealt.rules,
            seat=seat,
            terms=None if dealt is None else dealt.terms,
            state=state,
            moves=_moves_seen(dealt, seat),
            hand=dealt.hand if dealt is not None and holds else None,
            stints=() if dealt is None else tuple(stint for stint in dealt.stints if stint.seat == seat),
            stock_left=0 if dealt is None else dealt.stock.left,
            discards=0 if dealt is None else len(dealt.stock.discards),
            floor=0 if dealt is None else dealt.floor,
            passes=self.passes,
            legal=self._legal_seen(seat),
            alive=self.alive,
            score=self.score,
            winner=self.winner,
            result=self.round_result,
        )

    def _legal_seen(self, seat: int | None) -> Legal:
        """Return the legal actions, without discards for other seats, since they would reveal the hand."""
        legal = self.legal()
        return replace(legal, answers=()) if legal.discard and seat != self.to_act else legal

    def _options_with(self, named: Mapping[str, object]) -> ThorinOptions:
        if not named:
            return self.setup.options
        if not self.setup.options.dealers_choice:
            raise BadOption(_("options: only games with the option dealers_choice have options for each round"))
        return self.setup.options.with_values(named, NAMED_OPTIONS)


def _moves_seen(dealt: ThorinRound | None, seat: int | None) -> tuple[tuple[int, int], ...]:
    """Return the actions as `seat` sees them: other seats' discards are face down."""
    if dealt is None:
        return ()
    return tuple((mover, action if mover == seat else face_down(action)) for mover, action in dealt.moves)


class ThorinGame(PresetGame[ThorinPreset, ThorinSession]):
    """A game of the catalogue."""

    def _new_session(
        self, seats: int, options: ThorinOptions, from_slips: bool | None, losses: Sequence[int] | None
    ) -> ThorinSession:
        check_no_slips(from_slips, self.preset.id)
        return ThorinSession(MatchSetup(self.preset, options, packed(options, seats)), (), None)


GAME = ThorinGame
