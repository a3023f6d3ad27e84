"""A round of Queen Anne's games as somebody sees it, in the rules' terms: what stands, what he sees, what may be."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, cast

from liarspoker.core import catalogue
from liarspoker.core.cards.claims import NO_CLAIM, Spelling
from liarspoker.core.cards.deck import UNKNOWN, UNKNOWN_TEXT, read_cards
from liarspoker.games.queen_annes.game import PooledGame
from liarspoker.games.queen_annes.notation import read_claim
from liarspoker.games.queen_annes.options import PooledOptions, PooledRules, packed
from liarspoker.games.queen_annes.round import NOBODY, PHASES, Standing, Terms, refusal
from liarspoker.odds.pools import HalfKnownPool, half_known_pool
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.web.view_models.family import as_json

Json = dict[str, Any]


@dataclass(frozen=True)
class Sight:
    """A round from one seat, or from none.

    Attributes:
        told: `public.round` of the view.
        hand: `you.hand` of the view; empty for who holds nothing.
        me: the user who looks; `None` for somebody not known.
        seat: his seat in the match; `None` for who does not play it.
        options: the options in force.
        rules: the same for the rule functions.
        help: odds may be told at this table.
        goes_on: the table has not ended, so another round may follow.
    """

    told: Json
    hand: Json
    me: str | None
    seat: int | None
    options: PooledOptions
    rules: PooledRules
    help: bool
    goes_on: bool

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each seat is called; `You` for who looks."""
        pairs = zip(self.told["users"], self.told["names"], strict=True)
        return tuple("You" if user == self.me else name for user, name in pairs)

    @property
    def seats(self) -> int:
        """How many play the match, those who are out included."""
        return len(self.told["users"])

    @property
    def result(self) -> Json | None:
        """How the challenge came out; `None` before it."""
        return self.told.get("result")

    @cached_property
    def losses_before(self) -> tuple[int, ...]:
        """Each seat's losses when the round began; after a challenge the view tells those of its end."""
        loser = None if self.result is None else self.result["loser"]
        return tuple(lost - (seat == loser) for seat, lost in enumerate(self.told["losses"]))

    @cached_property
    def playing(self) -> tuple[int, ...]:
        """The seats that hold cards in this round."""
        return tuple(seat for seat, size in enumerate(self.told["hand_sizes"]) if size)

    @property
    def holds(self) -> bool:
        """Whether who looks holds cards in this round."""
        return self.seat is not None and self.seat in self.playing

    @cached_property
    def claim(self) -> int:
        """The hand named last; `NO_CLAIM` before the first."""
        return read_claim(self.told["claim"], self.rules) if "claim" in self.told else NO_CLAIM

    def cards_of(self, seat: int) -> tuple[str, ...]:
        """The cards that a seat was dealt at once, as far as they are seen."""
        if self.result is not None:
            return tuple(self.result["hands"][seat])
        seen = self.hand.get("seen")
        known = tuple(seen[seat]) if seen else ()
        return known or (UNKNOWN_TEXT,) * self.told["hand_sizes"][seat]

    @cached_property
    def extras(self) -> tuple[Json, ...]:
        """The cards that came off the deck, as far as they are seen."""
        if self.result is not None:
            return tuple(self.result["extras"])
        own = {(extra["seat"], extra["turn"]): extra for extra in self.hand.get("extras", ())}
        return tuple(own.get((extra["seat"], extra["turn"]), extra) for extra in self.told["extras"])

    @cached_property
    def known(self) -> tuple[int, ...]:
        """All cards in play that are seen."""
        dealt = [card for seat in self.playing for card in self.cards_of(seat)]
        cards = read_cards([*dealt, *(extra["card"] for extra in self.extras)])
        return tuple(card for card in cards if card != UNKNOWN)

    @property
    def in_play(self) -> int:
        """How many cards are in play, seen or not."""
        return sum(self.told["hand_sizes"]) + len(self.extras)

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
        told, alive = self.told, self.playing
        standing = Standing(
            self.claim,
            told.get("claimant", NOBODY),
            NOBODY,
            NOBODY if told["to_act"] is None else told["to_act"],
            PHASES.index(told["phase"]),
            (),
            (),
        )
        return refusal(standing, claim, Terms(told["round"], told["opener"], self.losses_before, alive), self.rules)


@lru_cache(maxsize=256)
def _rules(game: str, options: tuple[tuple[str, object], ...], seats: int) -> tuple[PooledOptions, PooledRules]:
    pooled = cast(PooledGame, catalogue.load(game))
    chosen = pooled.options(dict(options))
    return chosen, packed(chosen, pooled.row.dealing, seats)


def sight_of(public: PublicView, you: PrivateView | None) -> Sight:
    """The round of a view, for who looks."""
    told, settings = as_json(public.round), public.settings
    options, rules = _rules(settings.game, tuple(sorted(settings.options.items())), len(told["users"]))
    return Sight(
        told=told,
        hand={} if you is None or you.hand is None else as_json(you.hand),
        me=None if you is None else you.user,
        seat=None if you is None else you.seat,
        options=options,
        rules=rules,
        help=settings.help,
        goes_on=public.stage != "ended",
    )
