"""A round of Queen Anne's games as somebody sees it, in the rules' terms: what stands, what he sees, what may be."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import cast

from liarspoker.core import catalogue
from liarspoker.core.cards.claims import NO_CLAIM, Spelling
from liarspoker.core.cards.deck import UNKNOWN, UNKNOWN_TEXT, read_cards
from liarspoker.core.cards.elimination import mask_of
from liarspoker.games.queen_annes.game import QueenAnnesGame
from liarspoker.games.queen_annes.messages import ExtraCard, QueenAnnesHand, QueenAnnesResult, QueenAnnesRound
from liarspoker.games.queen_annes.notation import read_claim
from liarspoker.games.queen_annes.options import QueenAnnesOptions, QueenAnnesRules, packed
from liarspoker.games.queen_annes.state import NOBODY, PHASES, RoundState, refusal
from liarspoker.odds.pools import HalfKnownPool, half_known_pool
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.web.view_models.family import SeenView, options_key, seen_parts


@dataclass(frozen=True, kw_only=True)
class SeenRound(SeenView[QueenAnnesRound, QueenAnnesHand]):
    """A round as somebody sees it.

    Attributes:
        options: the options in force.
        rules: the same for the rule functions.
    """

    options: QueenAnnesOptions
    rules: QueenAnnesRules

    @property
    def result(self) -> QueenAnnesResult | None:
        """How the challenge came out; `None` before it."""
        return self.view.result

    @cached_property
    def losses_before(self) -> tuple[int, ...]:
        """Each seat's losses when the round began; after a challenge the view tells those of its end."""
        loser = None if self.result is None else self.result.loser
        return tuple(lost - (seat == loser) for seat, lost in enumerate(self.view.losses))

    @cached_property
    def playing(self) -> tuple[int, ...]:
        """The seats that hold cards in this round."""
        return tuple(seat for seat, size in enumerate(self.view.hand_sizes) if size)

    @property
    def holds(self) -> bool:
        """Whether who looks holds cards in this round."""
        return self.seat is not None and self.seat in self.playing

    @cached_property
    def claim(self) -> int:
        """The hand named last; `NO_CLAIM` before the first."""
        return NO_CLAIM if self.view.claim is None else read_claim(self.view.claim, self.rules)

    def cards_of(self, seat: int) -> tuple[str, ...]:
        """The cards that a seat was dealt at once, as far as they are seen."""
        if self.result is not None:
            return tuple(self.result.hands[seat])
        known = self.hand.seen[seat] if self.hand.seen else ()
        return known or (UNKNOWN_TEXT,) * self.view.hand_sizes[seat]

    @cached_property
    def extras(self) -> tuple[ExtraCard, ...]:
        """The cards that came off the deck, as far as they are seen."""
        if self.result is not None:
            return tuple(self.result.extras)
        own = {(extra.seat, extra.turn): extra for extra in self.hand.extras}
        return tuple(own.get((extra.seat, extra.turn), extra) for extra in self.view.extras)

    @cached_property
    def known(self) -> tuple[int, ...]:
        """All cards in play that are seen."""
        dealt = [card for seat in self.playing for card in self.cards_of(seat)]
        cards = read_cards([*dealt, *(extra.card for extra in self.extras)])
        return tuple(card for card in cards if card != UNKNOWN)

    @property
    def in_play(self) -> int:
        """How many cards are in play, seen or not."""
        return sum(self.view.hand_sizes) + len(self.extras)

    @cached_property
    def _pool(self) -> HalfKnownPool:
        return half_known_pool(self.known, self.in_play - len(self.known), self.rules)

    def chance(self, named: Spelling) -> Fraction | None:
        """The chance that a hand is there, given what is seen; `None` where no help is given, or he holds nothing."""
        return self._pool.chance(named) if self.help and self.holds and self.result is None else None

    def chance_of_any(self, named: Spelling) -> Fraction:
        """The chance that as many cards as are in play hold it, whatever they are."""
        return half_known_pool((), self.in_play, self.rules).chance(named)

    def refusal(self, claim: int) -> int:
        """Why a claim may not be named now by the seat to act, 0 if it may."""
        view, alive = self.view, self.playing
        claimant = NOBODY if view.claimant is None else view.claimant
        to_act = NOBODY if view.to_act is None else view.to_act
        state = RoundState(self.claim, claimant, NOBODY, to_act, PHASES.index(view.phase), 0, 0, 0)
        return refusal(state, claim, mask_of(alive), self.rules)


@lru_cache(maxsize=256)
def _rules(game: str, options: tuple[tuple[str, object], ...], seats: int) -> tuple[QueenAnnesOptions, QueenAnnesRules]:
    pooled = cast(QueenAnnesGame, catalogue.load(game))
    chosen = pooled.options(dict(options))
    return chosen, packed(chosen, pooled.row.dealing, seats)


def seen_round(public: PublicView, you: PrivateView | None) -> SeenRound:
    """The round of a view, for who looks."""
    view, hand, me, seat = seen_parts(public, you, QueenAnnesRound, QueenAnnesHand)
    options, rules = _rules(public.settings.game, options_key(public.settings), len(view.users))
    return SeenRound(public=public, view=view, hand=hand, me=me, seat=seat, options=options, rules=rules)
