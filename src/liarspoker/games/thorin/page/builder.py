"""A declaration, put together piece by piece: the kind of hand, then as many of its ranks as one likes to name.

The ranks are judged from the first to the last. A rank is open as long as some declaration with it, and with those
named before it, would be legal; so every legal declaration can be put together, and nothing else can be said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from liarspoker.core.cards.claims import OPEN_RANK, Spelling, read_spelling, write_spelling
from liarspoker.core.cards.deck import RANKS
from liarspoker.core.cards.hand_values import CATEGORIES, KEY_LENGTHS, KEYS, STARTS
from liarspoker.games.cards.record_spoken import in_thorins_words, spoken_claim
from liarspoker.games.cards.record_words import RANK_NAMES, rank_sign
from liarspoker.games.thorin.ladder import claim_of, fit, floor_of, full_claim, next_value
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.page.promises import KIND_NAMES, Promise, promise_of, value_told
from liarspoker.games.thorin.page.seen import SeenRound

ANY = "_"
"""The value of the key that leaves a rank open."""

_RANKED = ("Highest", "Second", "Third", "Fourth", "Lowest")
_PLACES: Mapping[str, tuple[str, ...]] = {
    "high": _RANKED,
    "pair": ("Pair of", "Highest kicker", "Middle kicker", "Lowest kicker"),
    "color-flush": _RANKED,
    "two-pair": ("High pair", "Low pair", "Kicker"),
    "three": ("Three", "Higher kicker", "Lower kicker"),
    "straight": ("Up to",),
    "flush": _RANKED,
    "full-house": ("Three", "Pair"),
    "color-straight-flush": ("Up to",),
    "four": ("Four", "Kicker"),
    "straight-flush": ("Up to",),
    "five": ("Five",),
}
_KIND, _RANKS = "kind", "ranks"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of hand: its word in records, its heading, and why it can't be declared, such as `too low`."""

    word: str
    name: str
    chosen: bool
    closed: str


@dataclass(frozen=True, slots=True)
class RankKey:
    """A rank that may be named in a place, `_` for any: its sign, its name, and why it can't be; empty if it can."""

    value: str
    sign: str
    words: str
    chosen: bool
    closed: str


@dataclass(frozen=True, slots=True)
class Place:
    """One of the ranks that decide within a kind; `at` if it is asked for where there is room for one place only."""

    field: str
    name: str
    keys: tuple[RankKey, ...]
    chosen: str
    at: bool


@dataclass(frozen=True, slots=True)
class Start:
    """A declaration from which one may begin: why one would, what the form sends, and the promise."""

    label: str
    spelt: str
    promise: Promise


@dataclass(frozen=True, slots=True)
class Builder:
    """A declaration as far as it has been put together.

    Attributes:
        kind: the heading of the kind that is chosen; empty before that.
        step: what a small screen shows: `kind` or `ranks`.
        was: the declaration as the page shows it, for the next draft.
        promise: it; `None` before a kind is chosen.
        verdict: why, or why not, in a sentence.
        to: who would have to answer it.
        unheard: why that was not understood; empty if it was.
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
    unheard: str


def builder_of(seen: SeenRound, held: int) -> Builder:
    """What can be declared now."""
    spoken = seen.draft.get("action.1", "").strip()
    heard = _heard(spoken, seen.rules) if spoken else None
    chosen, at, step = _drafted(seen) if not spoken else (heard, 0, _RANKS if heard else _KIND)
    ranks = () if chosen is None else _settled(chosen, seen)
    claim = None if chosen is None else claim_of(Spelling(chosen.word, ranks), seen.rules)
    following = seen.under_the_gun
    return Builder(
        kinds=tuple(_kinds(seen, "" if claim is None or chosen is None else chosen.word)),
        kind="" if claim is None or chosen is None else KIND_NAMES[chosen.word],
        places=() if claim is None or chosen is None else tuple(_places(chosen.word, ranks, at, seen)),
        step=step if claim is not None else _KIND,
        was="" if claim is None or chosen is None else write_spelling(Spelling(chosen.word, ranks)),
        promise=None if claim is None else promise_of(claim),
        legal=claim is not None and floor_of(claim) > seen.floor,
        verdict="" if claim is None else _verdict(claim, seen),
        to="" if following is None else seen.names[following],
        starts=tuple(_starts(seen, held)),
        spoken=spoken,
        unheard=f"“{spoken}” names no hand. Say it like two pair, sevens over threes." if spoken and not heard else "",
    )


def _drafted(seen: SeenRound) -> tuple[Spelling | None, int, str]:
    """What is chosen, the place that is asked for next, and what a small screen shows."""
    draft = seen.draft
    start = read_spelling(draft.get("start", ""))
    if start is not None and start.word in KIND_NAMES:
        return start, 0, _RANKS
    was, word = read_spelling(draft.get("was", "")), draft.get("kind", "")
    if word not in KIND_NAMES:
        return None, 0, _KIND
    places = range(KEY_LENGTHS[CATEGORIES.index(word)])
    if was is None or was.word != word:
        return Spelling(word), 0, _RANKS
    ranks = tuple(RANKS.find(draft.get(f"rank.{place}", ANY) or ANY) for place in places)
    before = was.ranks + (OPEN_RANK,) * (len(places) - len(was.ranks))
    changed = [place for place in places if ranks[place] != before[place]]
    at = _whole(draft.get("at", ""), len(places))
    if draft.get("step", "").isdecimal():
        at = _whole(draft["step"], len(places))
    elif changed:
        at = min(changed[-1] + 1, len(places) - 1)
    return Spelling(word, ranks), at, _KIND if draft.get("step") == _KIND else _RANKS


def _whole(text: str, stop: int) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) == 1 and int(text) < stop else 0


def _heard(text: str, rules: ThorinRules) -> Spelling | None:
    """The declaration that somebody has typed; `None` if no hand is that."""
    spelt = read_spelling(text) or spoken_claim(text)
    if spelt is None:
        return None
    named = in_thorins_words(spelt)
    return named if claim_of(named, rules) is not None else None


def _settled(chosen: Spelling, seen: SeenRound) -> tuple[int, ...]:
    """The ranks that are named, each as long as it can stand after those before it; the others are open."""
    ranks: tuple[int, ...] = ()
    length = KEY_LENGTHS[CATEGORIES.index(chosen.word)]
    for place in range(length):
        rank = chosen.ranks[place] if place < len(chosen.ranks) else OPEN_RANK
        ranks += (rank if not _closed(chosen.word, (*ranks, rank), seen) else OPEN_RANK,)
    return ranks


def _closed(word: str, ranks: tuple[int, ...], seen: SeenRound) -> str:
    """Why no legal declaration begins with these ranks; empty if one does."""
    claim = claim_of(Spelling(word, ranks), seen.rules)
    if claim is None:
        return "no such hand"
    return "" if fit(floor_of(claim), claim, seen.rules)[1] > seen.floor else "too low"


def _kinds(seen: SeenRound, chosen: str) -> Iterator[Kind]:
    for category, word in enumerate(CATEGORIES):
        exists = claim_of(Spelling(word), seen.rules) is not None
        best = next_value(max(seen.floor, STARTS[category] - 1), seen.rules)
        closed = "" if best is not None and KEYS[best][0] == category else "too low" if exists else "needs a joker"
        yield Kind(word, KIND_NAMES[word], word == chosen, closed)


def _places(word: str, ranks: tuple[int, ...], at: int, seen: SeenRound) -> Iterator[Place]:
    for place, name in enumerate(_PLACES[word]):
        keys = tuple(_key(word, ranks[:place], rank, ranks[place], seen) for rank in range(OPEN_RANK, len(RANKS)))
        chosen = "any" if ranks[place] == OPEN_RANK else rank_sign(ranks[place])
        yield Place(f"rank.{place}", name, keys, chosen, place == at)


def _key(word: str, before: tuple[int, ...], rank: int, chosen: int, seen: SeenRound) -> RankKey:
    closed = _closed(word, (*before, rank), seen)
    if rank == OPEN_RANK:
        return RankKey(ANY, "any", "any rank", rank == chosen, closed)
    return RankKey(RANKS[rank], rank_sign(rank), RANK_NAMES[rank], rank == chosen, closed)


def _verdict(claim: int, seen: SeenRound) -> str:
    stands = value_told(seen.floor).at_least
    if floor_of(claim) > seen.floor:
        following = next_value(floor_of(claim), seen.rules)
        return f"Beats {stands}." + ("" if following is not None else " Nothing beats it.")
    least = next(value for value in range(seen.floor + 1, len(KEYS)) if fit(value, claim, seen.rules)[0])
    return f"{promise_of(claim).at_least} does not beat {stands}. Name more: {value_told(least).at_least} would do."


def _starts(seen: SeenRound, held: int) -> Iterator[Start]:
    least = next_value(seen.floor, seen.rules)
    for label, value in (("The least you may say", least), ("The truth", held if held > seen.floor else None)):
        if value is not None:
            view = value_told(value)
            yield Start(label, view.action.removeprefix("declare "), view)


def least_told(seen: SeenRound) -> Promise | None:
    """The weakest value that a declaration may promise now; `None` above the best."""
    least = next_value(seen.floor, seen.rules)
    return None if least is None else promise_of(full_claim(least))
