"""The pad: the bids that may be made, level by digit in the order of the game, and what each wins or costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from liarspoker.games.digits.ladder import beats, claim_of, digit_of, level_of
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.page.seen import SeenHand
from liarspoker.games.digits.settlement import payoff, settle
from liarspoker.odds.bids import chance_to_make
from liarspoker.records.words import bid_in_words, digit_name

LEVELS_SHOWN = 6
"""So many levels stand on the pad; whoever wants another one says it."""


@dataclass(frozen=True, slots=True)
class Key:
    """A bid on the pad.

    Attributes:
        called: what the digit is called, where its sign does not say it.
        chance: that it is there, in whole per cent, from the own number alone; `None` where no help is given.
        own: how many of them the own number has.
        made: units that it wins in all if it is made.
        failed: units that it pays in all if there is one too few; below 0 it costs them.
    """

    action: str
    digit: str
    called: str
    words: str
    legal: bool
    why_not: str
    least: bool
    chance: int | None
    own: int
    made: int
    failed: int


@dataclass(frozen=True, slots=True)
class Level:
    """One row of the pad: a key for each digit in the order of the game, `chosen` if it holds the weakest legal bid."""

    level: int
    keys: tuple[Key, ...]
    chosen: bool


@dataclass(frozen=True, slots=True)
class Pad:
    """The bids that may be made, the weakest of them, and which `higher` levels may be typed, such as `11 to 40`."""

    levels: tuple[Level, ...]
    least: Key
    higher: str
    verb: str
    digits: int
    help: bool


def pad_of(seen: SeenHand) -> Pad | None:
    """The bids that who looks may make; `None` where he may make none."""
    legal = seen.hand.legal
    if legal is None or not legal.claims:
        return None
    texts = legal.claims
    allowed, least, top = set(texts), seen.bid(texts[0]), seen.bid(texts[-1])
    shown = _levels_shown(texts, seen)
    levels = tuple(_level(level, allowed, least, seen) for level in shown)
    key = next(key for level in levels for key in level.keys if key.least)
    last = level_of(top, seen.rules)
    beyond = shown[-1] + 1
    some_left = last >= beyond or legal.endless
    higher = f"{beyond} and more" if legal.endless else f"{beyond} to {last}" if last > beyond else str(last)
    return Pad(levels, key, higher if some_left else "", _verb(seen), seen.rules.symbols, seen.help)


def _verb(seen: SeenHand) -> str:
    return {"open": "Open with", "decide": "Rebid"}.get(seen.view.phase, "Raise to")


def _levels_shown(texts: Iterable[str], seen: SeenHand) -> tuple[int, ...]:
    """The lowest levels that may be bid; where lower ones than the standing bid's may, some of those above it too."""
    levels = tuple(sorted({int(text.partition("x")[0]) for text in texts}))
    standing = seen.claim
    if standing is None or levels[:LEVELS_SHOWN][-1] > level_of(standing, seen.rules) or len(levels) <= LEVELS_SHOWN:
        return levels[:LEVELS_SHOWN]
    half = LEVELS_SHOWN // 2
    above = tuple(level for level in levels if level > level_of(standing, seen.rules))[:half]
    return levels[: LEVELS_SHOWN - len(above)] + above


def _level(level: int, allowed: set[str], least: int, seen: SeenHand) -> Level:
    rules = seen.rules
    first = claim_of(level, rules.lowest_digit, rules)
    claims = range(first, first + rules.symbols)
    return Level(level, tuple(_key(claim, allowed, least, seen) for claim in claims), least in claims)


def _key(claim: int, allowed: set[str], least: int, seen: SeenHand) -> Key:
    rules = seen.rules
    legal = write(claim, rules) in allowed
    own = (seen.hand.number or "").count(str(digit_of(claim, rules)))
    why_not = "" if legal else _why_not(claim, seen)
    return _priced(claim, own, claim == least, why_not, legal and seen.help, seen.to_act, seen.view.stake, rules)


@lru_cache(maxsize=16_384)
def _priced(claim: int, own: int, least: bool, why_not: str, help_: bool, seat: int, stake: int, rules: Rules) -> Key:
    """The key of a bid; one that cannot be made says why not."""
    digit, level = digit_of(claim, rules), level_of(claim, rules)
    made = settle(claim, own, max(level, own), rules)
    failed = settle(claim, min(own, level - 1), level - 1, rules)
    return Key(
        action=write(claim, rules),
        digit=str(digit),
        called=_called(digit, rules),
        words=bid_in_words(claim, rules),
        legal=not why_not,
        why_not=why_not,
        least=least,
        chance=_per_cent(rules, own, level) if help_ else None,
        own=own,
        made=payoff(seat, seat, made, stake, rules),
        failed=payoff(seat, seat, failed, stake, rules),
    )


def _called(digit: int, rules: Rules) -> str:
    """A digit's name where it is not what its sign says: `ten` or `zero`, and `ace`."""
    name = digit_name(digit, 1, rules)
    return name if digit == 0 or (digit == 1 and name != "one") else ""


def _why_not(claim: int, seen: SeenHand) -> str:
    if seen.claim is not None and beats(claim, seen.claim, seen.rules):
        return "was bid before in this hand"
    return f"does not beat {seen.view.claim_words}" if seen.claim is not None else "cannot be bid"


@lru_cache(maxsize=4096)
def _per_cent(rules: Rules, own: int, level: int) -> int:
    return round(100 * chance_to_make(rules, own, level))
