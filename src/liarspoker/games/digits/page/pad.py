"""The bid pad: the legal bids by level and digit, with what each wins and costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from liarspoker.games.digits.ladder import beats, digit_of, level_of
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import LOWEST_DIGIT, Rules
from liarspoker.games.digits.page.context import HandContext
from liarspoker.games.digits.settlement import payoff, settle
from liarspoker.language import _, per_language, pgettext
from liarspoker.odds.bids import probability_made
from liarspoker.records.words import bid_in_words, digit_name

LEVELS_SHOWN = 6
"""The number of levels on the pad; other levels can be typed."""


@dataclass(frozen=True, slots=True, eq=False)  # equal keys are the same object, so caches need not compare them
class Key:
    """A bid on the pad.

    Attributes:
        action: the action to send.
        digit: the digit.
        called: `ace` for a 1 where aces are high; else empty.
        words: the bid in words.
        legal: the bid is legal.
        why_not: why it isn't; empty for a legal bid.
        chosen: it is preselected.
        chance: the probability that it is good, in percent, given the viewer's number; `None` if odds are hidden.
        own: how many of the digit the viewer holds.
        made: the bidder's total payoff in units if it is made.
        failed: the bidder's total payoff in units if it is one short; negative for a loss.
    """

    action: str
    digit: str
    called: str
    words: str
    legal: bool
    why_not: str
    chosen: bool
    chance: int | None
    own: int
    made: int
    failed: int


@dataclass(frozen=True, slots=True)
class Level:
    """One level of the pad.

    Attributes:
        level: the level.
        keys: a key for each digit, lowest first.
        chosen: the level of the preselected bid.
    """

    level: int
    keys: tuple[Key, ...]
    chosen: bool


@dataclass(frozen=True, slots=True)
class Pad:
    """The legal bids.

    Attributes:
        levels: the levels shown.
        chosen: the preselected bid.
        higher: higher levels that can be typed, such as `11 to 40`; empty if there are none.
        verb: the label of the bid button, such as `Raise to`.
        digits: the number of digits in play.
        help: the keys show probabilities.
    """

    levels: tuple[Level, ...]
    chosen: Key
    higher: str
    verb: str
    digits: int
    help: bool


def pad_of(context: HandContext, wanted: str = "") -> Pad | None:
    """Return the bids that the viewer may make; `None` if there are none.

    Args:
        context: the hand.
        wanted: the bid to preselect, if the pad has it; otherwise the weakest legal bid is preselected.
    """
    legal = context.hand.legal
    if legal is None or not legal.claims:
        return None
    texts, rules = legal.claims, context.rules
    allowed = _claims(texts, context)
    shown = _levels_shown(allowed, context)
    chosen = context.bid(wanted) if wanted and wanted in texts else allowed[0]
    if level_of(chosen, rules) not in shown:
        chosen = allowed[0]
    levels = tuple(_level(level, allowed, chosen, context) for level in shown)
    key = next(key for level in levels if level.chosen for key in level.keys if key.chosen)
    last = level_of(allowed[-1], rules)
    beyond = shown[-1] + 1
    some_left = last >= beyond or legal.endless
    higher = str(last)
    if legal.endless:
        higher = _("{level} or more", level=beyond)
    elif last > beyond:
        higher = _("{first} to {last}", first=beyond, last=last)
    return Pad(levels, key, higher if some_left else "", _verb(context), rules.symbols, context.help)


def _claims(texts: Sequence[str], context: HandContext) -> Sequence[int]:
    """Return the bids in `texts`, which are in ascending order; usually these are all from the first to the last."""
    first, last = context.bid(texts[0]), context.bid(texts[-1])
    return range(first, last + 1) if last - first == len(texts) - 1 else tuple(map(context.bid, texts))


def _verb(context: HandContext) -> str:
    # Translators: above a bid, on the button that makes it
    if context.view.phase == "open":
        return pgettext("bid", "Open with")
    return pgettext("bid", "Rebid") if context.view.phase == "decide" else pgettext("bid", "Raise to")


def _levels_shown(allowed: Sequence[int], context: HandContext) -> tuple[int, ...]:
    """Return the lowest legal levels; if they are below the standing bid's, also some above it (loose order)."""
    symbols, standing = context.rules.symbols, context.claim
    levels = tuple(sorted({claim // symbols + 1 for claim in allowed}))
    if standing is None or levels[:LEVELS_SHOWN][-1] > level_of(standing, context.rules) or len(levels) <= LEVELS_SHOWN:
        return levels[:LEVELS_SHOWN]
    half = LEVELS_SHOWN // 2
    above = tuple(level for level in levels if level > level_of(standing, context.rules))[:half]
    return levels[: LEVELS_SHOWN - len(above)] + above


def _level(level: int, allowed: Sequence[int], chosen: int, context: HandContext) -> Level:
    rules, stake, standing = context.rules, context.view.stake, context.claim
    first, held = (level - 1) * rules.symbols, _held(context.hand.number or "", rules)
    claims = range(first, first + rules.symbols)
    if chosen not in claims and all(map(allowed.__contains__, claims)):
        return _legal_level(level, held, context.help, stake, rules)
    keys = tuple(
        [
            _key(claim, own, claim == chosen, True, None, context.help, stake, rules)
            if claim in allowed
            else _key(claim, own, False, False, standing, False, stake, rules)
            for claim, own in zip(claims, held, strict=True)
        ]
    )
    return Level(level, keys, chosen in claims)


@per_language(8192)
def _legal_level(level: int, held: tuple[int, ...], help_: bool, stake: int, rules: Rules) -> Level:
    """Return a level of which all bids are legal and none is chosen, given how many of each digit the viewer holds."""
    first = (level - 1) * rules.symbols
    keys = [_key(claim, own, False, True, None, help_, stake, rules) for claim, own in enumerate(held, first)]
    return Level(level, tuple(keys), False)


@lru_cache(maxsize=4096)
def _held(number: str, rules: Rules) -> tuple[int, ...]:
    """Return how many of each digit a number has, the lowest digit first."""
    return tuple(number.count(str(digit_of(claim, rules))) for claim in range(rules.symbols))


@per_language(16_384)
def _key(
    claim: int, own: int, chosen: bool, legal: bool, standing: int | None, help_: bool, stake: int, rules: Rules
) -> Key:
    """Return the key of a bid, with its payoffs; `standing` is the standing bid if it isn't legal."""
    digit, level = digit_of(claim, rules), level_of(claim, rules)
    made = settle(claim, own, max(level, own), rules)
    failed = settle(claim, min(own, level - 1), level - 1, rules)
    return Key(
        action=write(claim, rules),
        digit=str(digit),
        called=digit_name(digit, 1, rules) if digit == 1 and rules.lowest_digit == LOWEST_DIGIT["ace_high"] else "",
        words=bid_in_words(claim, rules),
        legal=legal,
        why_not="" if legal else _why_not(claim, standing, rules),
        chosen=chosen,
        chance=_per_cent(rules, own, level) if help_ else None,
        own=own,
        made=payoff(0, 0, made, stake, rules),
        failed=payoff(0, 0, failed, stake, rules),
    )


def _why_not(claim: int, standing: int | None, rules: Rules) -> str:
    if standing is None:
        return _("isn't a legal bid")
    if beats(claim, standing, rules):
        return _("already bid in this hand")
    return _("does not beat {bid}", bid=bid_in_words(standing, rules))


@lru_cache(maxsize=4096)
def _per_cent(rules: Rules, own: int, level: int) -> int:
    return round(100 * probability_made(rules, own, level))
