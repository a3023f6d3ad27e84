"""The round of a view, read: names, rules, moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from liarspoker.core import catalogue
from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.elimination import next_living
from liarspoker.games.thorin.game import PassedGame
from liarspoker.games.thorin.ladder import floor_of
from liarspoker.games.thorin.notation import read_claim
from liarspoker.games.thorin.options import NAMED_OPTIONS, PassedOptions, PassedRules, packed
from liarspoker.protocol.settings import Settings
from liarspoker.protocol.views import PrivateView, PublicView, RoundScoreView
from liarspoker.web.view_models.family import as_json

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody sees of a round.

    Attributes:
        told: the public part, as the protocol tells it.
        own: what he alone is told; empty for who does not play.
        seat: his, or `None`.
        names: of the seats; `You` for his.
        options: those of this round.
        rules: the same, for the rule functions.
        claim: what was declared last, or `NO_CLAIM`.
        turn: the table's; what is chosen on the page holds for it alone.
        help: chances may be told.
        sheet: the table's last rounds, as the protocol tells them.
        draft: what he is about to say or to throw; empty if that was on another turn.
        goes_on: the table has not ended, so another round may follow.
    """

    told: Json
    own: Json
    seat: int | None
    names: tuple[str, ...]
    options: PassedOptions
    rules: PassedRules
    claim: int
    turn: int | None
    help: bool
    sheet: tuple[RoundScoreView, ...]
    draft: Mapping[str, str]
    goes_on: bool = True

    @property
    def floor(self) -> int:
        """The value that the next declaration must promise more than."""
        return floor_of(self.claim)

    @property
    def legal(self) -> Json:
        """What he may do now; empty when it is not his turn."""
        return cast(Json, self.own.get("legal") or {})

    @property
    def result(self) -> Json | None:
        """How the round came out, once it is over."""
        return cast("Json | None", self.told.get("result"))

    @property
    def under_the_gun(self) -> int | None:
        """The seat that answers the declaration, now or once it has been made; `None` after the round."""
        told = self.told
        if self.result is not None:
            return None
        return cast(int, told["to_act"]) if told["phase"] == "respond" else next_living(told["active"], told["alive"])

    def claim_in(self, action: str) -> int | None:
        """The declaration that a move of this round makes; `None` if it is something else."""
        verb, _, spelt = action.partition(" ")
        return read_claim(spelt, self.rules) if verb == "declare" else None


def sight(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> Sight:
    """The round of a view, for who looks."""
    told, settings = as_json(public.round), public.settings
    me = None if you is None else you.user
    pairs = zip(told["users"], told["names"], strict=True)
    usual = options_of(settings)
    options = usual.with_values(told["named"], NAMED_OPTIONS)
    rules = packed(options, len(told["users"]))
    return Sight(
        told=told,
        own={} if you is None or you.hand is None else as_json(you.hand),
        seat=None if you is None else you.seat,
        names=tuple("You" if user == me else name for user, name in pairs),
        options=options,
        rules=rules,
        claim=read_claim(told["claim"], rules) if "claim" in told else NO_CLAIM,
        turn=public.turn,
        help=settings.help,
        sheet=public.sheet,
        draft=draft if draft.get("turn") == str(public.turn) else {},
        goes_on=public.stage != "ended",
    )


def options_of(settings: Settings) -> PassedOptions:
    """The options that are usual at a table."""
    return _options(settings.game, tuple(sorted(settings.options.items())))


@lru_cache(maxsize=256)
def _options(game: str, changes: tuple[tuple[str, object], ...]) -> PassedOptions:
    return cast(PassedGame, catalogue.load(game)).options(dict(changes))
