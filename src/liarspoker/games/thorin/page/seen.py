"""The round of a view, read: names, rules, moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from liarspoker.core import catalogue
from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.elimination import next_living
from liarspoker.games.thorin.game import ThorinGame
from liarspoker.games.thorin.ladder import floor_of
from liarspoker.games.thorin.messages import ThorinHand, ThorinResult, ThorinRound
from liarspoker.games.thorin.notation import read_claim
from liarspoker.games.thorin.options import NAMED_OPTIONS, ThorinOptions, ThorinRules, packed
from liarspoker.protocol.settings import Settings
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.web.view_models.family import SeenView, options_key, seen_parts


@dataclass(frozen=True, kw_only=True)
class SeenRound(SeenView[ThorinRound, ThorinHand]):
    """A round as somebody sees it.

    Attributes:
        options: those of this round.
        rules: the same, for the rule functions.
        claim: what was declared last, or `NO_CLAIM`.
        draft: what who looks is about to say or to discard; empty if that was on another turn.
    """

    options: ThorinOptions
    rules: ThorinRules
    claim: int
    draft: Mapping[str, str]

    @property
    def floor(self) -> int:
        """The value that the next declaration must promise more than."""
        return floor_of(self.claim)

    @property
    def result(self) -> ThorinResult | None:
        """How the round came out, once it is over."""
        return self.view.result

    @property
    def under_the_gun(self) -> int | None:
        """The seat that answers the declaration, now or once it has been made; `None` after the round."""
        view = self.view
        if self.result is not None:
            return None
        return view.to_act if view.phase == "respond" else next_living(view.active, view.alive)

    def claim_in(self, action: str) -> int | None:
        """The declaration that a move of this round makes; `None` if it is something else."""
        verb, _, spelt = action.partition(" ")
        return read_claim(spelt, self.rules) if verb == "declare" else None


def seen_round(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> SeenRound:
    """The round of a view, for who looks."""
    view, hand, me, seat = seen_parts(public, you, ThorinRound, ThorinHand)
    options = options_of(public.settings).with_values(view.named, NAMED_OPTIONS)
    rules = packed(options, len(view.users))
    return SeenRound(
        public=public,
        view=view,
        hand=hand,
        me=me,
        seat=seat,
        options=options,
        rules=rules,
        claim=NO_CLAIM if view.claim is None else read_claim(view.claim, rules),
        draft=draft if draft.get("turn") == str(public.turn) else {},
    )


def options_of(settings: Settings) -> ThorinOptions:
    """The options that are usual at a table."""
    return _options(settings.game, options_key(settings))


@lru_cache(maxsize=256)
def _options(game: str, changes: tuple[tuple[str, object], ...]) -> ThorinOptions:
    return cast(ThorinGame, catalogue.load(game)).options(dict(changes))
