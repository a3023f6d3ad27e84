"""The round of a view: names, rules, moves; and its options, in words and as the opener may name them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from liarspoker.core import catalogue
from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.match import next_living
from liarspoker.games.thorin.ladder import floor_of
from liarspoker.games.thorin.messages import ThorinHand, ThorinResult, ThorinRound
from liarspoker.games.thorin.notation import read_claim
from liarspoker.games.thorin.options import NAMED_OPTIONS, ThorinOptions, ThorinRules, packed
from liarspoker.protocol.codec import Options
from liarspoker.protocol.settings import Settings
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.web.view_models.family import NamedOption, NamedValue, SeenView, options_key, seen_parts


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
    options: ThorinOptions = catalogue.load(game).options(dict(changes))
    return options


_LABELS = {
    "jokers": "Jokers",
    "passes": "Passes",
    "duplicate": "A joker may double a card",
    "or_better": "“Or better” means",
    "take_top": "The best hand of all may be taken",
}
_VALUES: dict[str, dict[object, str]] = {
    "jokers": {0: "none", 1: "one", 2: "two"},
    "passes": {0: "none", 1: "one each"},
    "duplicate": {"five_only": "for five of a kind", "any": "always"},
    "or_better": {"worst": "the weakest hand", "words": "the words"},
    "take_top": {False: "no", True: "yes, and lost"},
}


def naming_of(settings: Settings, named: Options) -> tuple[NamedOption, ...]:
    """What who begins may name for the next round."""
    usual = options_of(settings)
    found = []
    for info in NAMED_OPTIONS:
        name, standard = info.name, getattr(usual, info.name)
        now = named.get(name, standard)
        values = tuple(
            NamedValue(str(value).lower(), _VALUES[name][value], value == now, value == standard)
            for value in info.choices
        )
        found.append(NamedOption(f"option.{name}", _LABELS[name], info.meaning, values))
    return tuple(found)


def in_effect(options: ThorinOptions, named: Options) -> Iterator[str]:
    """What is played in a round, as far as it is not the plainest game; what was named for it says so."""
    if options.jokers:
        yield f"{options.jokers} joker{'s' if options.jokers > 1 else ''}, wild" + _named("jokers", named)
    if options.passes:
        yield "One pass each in the match" + _named("passes", named)
    if options.jokers and options.duplicate == "any":
        yield "A joker may double a card" + _named("duplicate", named)
    if options.or_better == "words":
        yield "The words of a declaration count" + _named("or_better", named)
    if options.take_top:
        yield "The best hand of all may be taken" + _named("take_top", named)
    if options.dealers_choice:
        yield "Who begins names the options"


def _named(name: str, named: Options) -> str:
    return ", named for this round" if name in named else ""
