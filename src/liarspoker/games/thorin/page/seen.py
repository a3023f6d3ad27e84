"""A round of Thorin's game from one viewer's point of view, and its options in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from liarspoker.core import catalogue
from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.match import next_alive
from liarspoker.games.thorin.ladder import floor_of
from liarspoker.games.thorin.messages import ThorinHand, ThorinResult, ThorinRound
from liarspoker.games.thorin.notation import read_claim
from liarspoker.games.thorin.options import NAMED_OPTIONS, ThorinOptions, ThorinRules, packed
from liarspoker.language import N_, _, ngettext, per_language, pgettext
from liarspoker.protocol.codec import Options
from liarspoker.protocol.settings import Settings
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.web.view_models.family import NamedOption, NamedValue, RoundContext, context_parts, options_key


@dataclass(frozen=True, kw_only=True)
class SeenRound(RoundContext[ThorinRound, ThorinHand]):
    """A round from one viewer's point of view.

    Attributes:
        options: the options of this round.
        rules: the same, packed for the rule functions.
        claim: the last declaration, or `NO_CLAIM`.
        draft: the viewer's unsent declaration or discard; empty if it belongs to another turn.
    """

    options: ThorinOptions
    rules: ThorinRules
    claim: int
    draft: Mapping[str, str]

    @property
    def floor(self) -> int:
        """The hand rank that the next declaration must beat."""
        return floor_of(self.claim)

    @property
    def result(self) -> ThorinResult | None:
        """The result of the round; `None` before its end."""
        return self.view.result

    @property
    def under_the_gun(self) -> int | None:
        """The seat that answers the current or next declaration; `None` after the round."""
        view = self.view
        if self.result is not None:
            return None
        return view.to_act if view.phase == "respond" else next_alive(view.active, view.alive)

    def claim_in(self, action: str) -> int | None:
        """Return the declaration made by an action of this round; `None` if it is another kind of action."""
        verb, _space, spelt = action.partition(" ")
        return read_claim(spelt, self.rules) if verb == "declare" else None


def seen_round(public: PublicView, you: PrivateView | None, draft: Mapping[str, str]) -> SeenRound:
    """Return the round of a view for a viewer."""
    view, hand, me, seat = context_parts(public, you, ThorinRound, ThorinHand)
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
    """Return the default options of a table."""
    return _options(settings.game, options_key(settings))


@lru_cache(maxsize=256)
def _options(game: str, changes: tuple[tuple[str, object], ...]) -> ThorinOptions:
    options: ThorinOptions = catalogue.load(game).options(dict(changes))
    return options


OPTION_LABELS = {
    "jokers": N_("Jokers"),
    "passes": N_("Passes"),
    "duplicate": N_("A joker may duplicate a card"),
    "or_better": N_("“Or better” means"),
    "take_top": N_("The best possible hand may be taken"),
}
"""The labels of the options that may be chosen for a round, by name; messages."""


@per_language()
def option_values() -> dict[str, dict[object, str]]:
    """Return the values of each option in words."""
    none = pgettext("jokers or passes", "none")
    return {
        "jokers": {0: none, 1: pgettext("a number of jokers", "one"), 2: pgettext("a number of jokers", "two")},
        "passes": {0: none, 1: _("one each")},
        "duplicate": {"five_only": _("for five of a kind"), "any": _("always")},
        "or_better": {"worst": _("as good as the weakest"), "words": _("fitting the words")},
        "take_top": {False: pgettext("an option", "no"), True: _("yes, and is lost")},
    }


def naming_of(settings: Settings, named: Options) -> tuple[NamedOption, ...]:
    """Return the options that the player who begins the next round may choose."""
    usual = options_of(settings)
    found = []
    for info in NAMED_OPTIONS:
        name, standard = info.name, getattr(usual, info.name)
        now = named.get(name, standard)
        values = tuple(
            NamedValue(str(value).lower(), option_values()[name][value], value == now, value == standard)
            for value in info.choices
        )
        found.append(NamedOption(f"option.{name}", _(OPTION_LABELS[name]), _(info.meaning), values))
    return tuple(found)


def in_effect(options: ThorinOptions, named: Options) -> Iterator[str]:
    """Yield the options of a round that differ from the basic game, marking those chosen for this round."""
    if options.jokers:
        jokers = ngettext("{count} joker, wild", "{count} jokers, wild", options.jokers)
        yield _marked(jokers, "jokers", named)
    if options.passes:
        yield _marked(_("One pass per player and match"), "passes", named)
    if options.jokers and options.duplicate == "any":
        yield _marked(_("A joker may duplicate a card"), "duplicate", named)
    if options.or_better == "words":
        yield _marked(_("A declaration must fit in words"), "or_better", named)
    if options.take_top:
        yield _marked(_("The best possible hand may be taken"), "take_top", named)
    if options.dealers_choice:
        yield _("The player who begins chooses the options")


def _marked(option: str, name: str, named: Options) -> str:
    # Translators: {option} is a message such as "2 jokers, wild".
    return _("{option}, chosen for this round", option=option) if name in named else option
