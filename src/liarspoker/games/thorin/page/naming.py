"""The options of a round: in words, and as who begins it may name them."""

from __future__ import annotations

from collections.abc import Iterator

from liarspoker.games.thorin.options import NAMED_OPTIONS, ThorinOptions
from liarspoker.games.thorin.page.seen import options_of
from liarspoker.protocol.fields import Options
from liarspoker.protocol.settings import Settings
from liarspoker.web.view_models.family import NamedOption, NamedValue

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
    """What who begins may name for the next round.

    Args:
        settings: of the table.
        named: what he has named so far.
    """
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
