"""The declaration builder: select a category, then any number of its ranks.

A rank can be selected if some legal declaration contains it and the ranks selected before it. So the builder allows
every legal declaration, and no others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from liarspoker.core.cards.claims import OPEN_RANK, Spelling, read_spelling, write_spelling
from liarspoker.core.cards.deck import RANKS
from liarspoker.core.cards.hand_values import CATEGORIES, KEY_LENGTHS, KEYS, STARTS
from liarspoker.games.cards.spoken_claims import as_thorin_claim, parse_spoken_claim
from liarspoker.games.cards.wording import format_rank, name_category, rank_names
from liarspoker.games.thorin.ladder import claim_of, fit, floor_of, full_claim, next_value
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.page.promises import Promise, promise_of, promise_of_value
from liarspoker.games.thorin.page.seen import SeenRound
from liarspoker.language import N_, _, pgettext
from liarspoker.records.words import capital

ANY = "_"
"""Form value of the key that leaves a rank open."""

# Translators: labels of rows of keys, each with a rank of the hand.
_RANKED = (N_("Highest"), N_("Second"), N_("Third"), N_("Fourth"), N_("Lowest"))
_UP_TO = N_("Up to")
_PLACES: Mapping[str, tuple[str, ...]] = {
    "high": _RANKED,
    "pair": (N_("Pair of"), N_("Highest kicker"), N_("Middle kicker"), N_("Lowest kicker")),
    "color-flush": _RANKED,
    "two-pair": (N_("High pair"), N_("Low pair"), N_("Kicker")),
    "three": (N_("Three"), N_("Higher kicker"), N_("Lower kicker")),
    "straight": (_UP_TO,),
    "flush": _RANKED,
    "full-house": (N_("Three"), N_("Pair")),
    "color-straight-flush": (_UP_TO,),
    "four": (N_("Four"), N_("Kicker")),
    "straight-flush": (_UP_TO,),
    "five": (N_("Five"),),
}
_KIND, _RANKS = "kind", "ranks"


@dataclass(frozen=True, slots=True)
class Kind:
    """A category: its word in notation, its name, and why it can't be declared, such as `too low`."""

    word: str
    name: str
    chosen: bool
    closed: str


@dataclass(frozen=True, slots=True)
class RankKey:
    """A rank, or `_` for any, at one position: its label, its name, and why it can't be selected."""

    value: str
    sign: str
    words: str
    chosen: bool
    closed: str


@dataclass(frozen=True, slots=True)
class Place:
    """One rank of a declaration; `at` if small screens show this one."""

    field: str
    name: str
    keys: tuple[RankKey, ...]
    chosen: str
    at: bool


@dataclass(frozen=True, slots=True)
class Start:
    """A suggested declaration: a label, its notation, and its promise."""

    label: str
    spelt: str
    promise: Promise


@dataclass(frozen=True, slots=True)
class Builder:
    """State of the declaration builder.

    Attributes:
        kind: the name of the selected category; empty before that.
        step: the part shown on small screens: `kind` or `ranks`.
        was: the declaration in notation as the page shows it, for the next draft.
        promise: the declaration; `None` before a category is selected.
        verdict: why the declaration is legal or not, as a sentence.
        to: the player who would answer it.
        spoken: the text that was typed.
        parse_error: why the text isn't a declaration; empty if it is one.
    """

    kinds: tuple[Kind, ...]
    kind: str
    places: tuple[Place, ...]
    step: str
    was: str
    promise: Promise | None
    legal: bool
    verdict: str
    to: str
    starts: tuple[Start, ...]
    spoken: str
    parse_error: str


def builder_of(seen: SeenRound, held: int) -> Builder:
    """Return the declaration builder for the current draft."""
    spoken = seen.draft.get("action.1", "").strip()
    parsed = _parse(spoken, seen.rules) if spoken else None
    chosen, at, step = _selected(seen) if not spoken else (parsed, 0, _RANKS if parsed else _KIND)
    ranks = () if chosen is None else _legal_ranks(chosen, seen)
    claim = None if chosen is None else claim_of(Spelling(chosen.word, ranks), seen.rules)
    following = seen.under_the_gun
    return Builder(
        kinds=tuple(_kinds(seen, "" if claim is None or chosen is None else chosen.word)),
        kind="" if claim is None or chosen is None else capital(name_category(chosen.word)),
        places=() if claim is None or chosen is None else tuple(_places(chosen.word, ranks, at, seen)),
        step=step if claim is not None else _KIND,
        was="" if claim is None or chosen is None else write_spelling(Spelling(chosen.word, ranks)),
        promise=None if claim is None else promise_of(claim),
        legal=claim is not None and floor_of(claim) > seen.floor,
        verdict="" if claim is None else _verdict(claim, seen),
        to="" if following is None else seen.names[following],
        starts=tuple(_starts(seen, held)),
        spoken=spoken,
        parse_error=_("“{typed}” isn’t a hand. Try: two pair, sevens over threes.", typed=spoken)
        if spoken and not parsed
        else "",
    )


def _selected(seen: SeenRound) -> tuple[Spelling | None, int, str]:
    """Return the selection, the position to select next, and the step for small screens."""
    draft = seen.draft
    start = read_spelling(draft.get("start", ""))
    if start is not None and start.word in CATEGORIES:
        return start, 0, _RANKS
    was, word = read_spelling(draft.get("was", "")), draft.get("kind", "")
    if word not in CATEGORIES:
        return None, 0, _KIND
    places = range(KEY_LENGTHS[CATEGORIES.index(word)])
    if was is None or was.word != word:
        return Spelling(word), 0, _RANKS
    ranks = tuple(RANKS.find(draft.get(f"rank.{place}", ANY) or ANY) for place in places)
    before = was.ranks + (OPEN_RANK,) * (len(places) - len(was.ranks))
    changed = [place for place in places if ranks[place] != before[place]]
    at = _read_index(draft.get("at", ""), len(places))
    if draft.get("step", "").isdecimal():
        at = _read_index(draft["step"], len(places))
    elif changed:
        at = min(changed[-1] + 1, len(places) - 1)
    return Spelling(word, ranks), at, _KIND if draft.get("step") == _KIND else _RANKS


def _read_index(text: str, stop: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) == 1 and int(text) < stop else 0


def _parse(text: str, rules: ThorinRules) -> Spelling | None:
    """Parse a typed declaration; return `None` if no hand fits it."""
    spelt = read_spelling(text) or parse_spoken_claim(text)
    if spelt is None:
        return None
    named = as_thorin_claim(spelt)
    return named if claim_of(named, rules) is not None else None


def _legal_ranks(chosen: Spelling, seen: SeenRound) -> tuple[int, ...]:
    """Return the selected ranks, leaving open those that can't follow the ranks before them."""
    ranks: tuple[int, ...] = ()
    length = KEY_LENGTHS[CATEGORIES.index(chosen.word)]
    for place in range(length):
        rank = chosen.ranks[place] if place < len(chosen.ranks) else OPEN_RANK
        ranks += (rank if not _closed(chosen.word, (*ranks, rank), seen) else OPEN_RANK,)
    return ranks


def _closed(word: str, ranks: tuple[int, ...], seen: SeenRound) -> str:
    """Explain why no legal declaration starts with these ranks; empty if one does."""
    claim = claim_of(Spelling(word, ranks), seen.rules)
    if claim is None:
        return _("no such hand")
    return "" if fit(floor_of(claim), claim, seen.rules)[1] > seen.floor else _("too low")


def _kinds(seen: SeenRound, chosen: str) -> Iterator[Kind]:
    for category, word in enumerate(CATEGORIES):
        exists = claim_of(Spelling(word), seen.rules) is not None
        best = next_value(max(seen.floor, STARTS[category] - 1), seen.rules)
        possible = best is not None and KEYS[best][0] == category
        closed = "" if possible else _("too low") if exists else _("needs a joker")
        yield Kind(word, capital(name_category(word)), word == chosen, closed)


def _places(word: str, ranks: tuple[int, ...], at: int, seen: SeenRound) -> Iterator[Place]:
    for place, name in enumerate(_PLACES[word]):
        keys = tuple(_key(word, ranks[:place], rank, ranks[place], seen) for rank in range(OPEN_RANK, len(RANKS)))
        chosen = pgettext("a rank", "any") if ranks[place] == OPEN_RANK else format_rank(ranks[place])
        yield Place(f"rank.{place}", _(name), keys, chosen, place == at)


def _key(word: str, before: tuple[int, ...], rank: int, chosen: int, seen: SeenRound) -> RankKey:
    closed = _closed(word, (*before, rank), seen)
    if rank == OPEN_RANK:
        return RankKey(ANY, pgettext("a rank", "any"), _("any rank"), rank == chosen, closed)
    return RankKey(RANKS[rank], format_rank(rank), rank_names()[rank], rank == chosen, closed)


def _verdict(claim: int, seen: SeenRound) -> str:
    to_beat = promise_of_value(seen.floor).at_least
    if floor_of(claim) > seen.floor:
        following = next_value(floor_of(claim), seen.rules)
        beats = _("Beats {hand}.", hand=to_beat)
        return beats if following is not None else f"{beats} {_('Nothing beats it.')}"
    least = next(value for value in range(seen.floor + 1, len(KEYS)) if fit(value, claim, seen.rules)[0])
    needed = promise_of_value(least).at_least
    return _(
        "{hand} does not beat {standing}. Add ranks to promise at least {needed}.",
        hand=promise_of(claim).at_least,
        standing=to_beat,
        needed=needed,
    )


def _starts(seen: SeenRound, held: int) -> Iterator[Start]:
    least = next_value(seen.floor, seen.rules)
    for label, value in ((_("Lowest legal"), least), (_("The truth"), held if held > seen.floor else None)):
        if value is not None:
            view = promise_of_value(value)
            yield Start(label, view.action.removeprefix("declare "), view)


def least_promise(seen: SeenRound) -> Promise | None:
    """Return the lowest legal declaration; `None` if nothing is higher."""
    least = next_value(seen.floor, seen.rules)
    return None if least is None else promise_of(full_claim(least))
