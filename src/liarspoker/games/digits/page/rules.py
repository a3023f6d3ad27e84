"""The rules page of a digit game: payoffs by level, how the games of the family are dealt, and sample hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from liarspoker.core.catalogue import GamePreset
from liarspoker.games.digits.ladder import claim_of
from liarspoker.games.digits.options import packed
from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.record_text import action_in_words, describe_outcome
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import bid_multiplier, none_multiplier
from liarspoker.language import _, ngettext
from liarspoker.records.reader import Replay
from liarspoker.records.words import bid_in_words, reason_in_words
from liarspoker.web.view_models.family import Difference, Holder, PlayedSample
from liarspoker.web.words import sentence


@dataclass(frozen=True, slots=True)
class Bonus:
    """The multipliers of a range of levels.

    Attributes:
        levels: the range, such as `8 to 9`.
        plain: the multiplier for all digits but sixes.
        sixes: the multiplier for sixes.
    """

    levels: str
    plain: int
    sixes: int


@dataclass(frozen=True, slots=True)
class Levels:
    """The multipliers of a game for one number of players.

    Attributes:
        players: the number of players.
        counts: the numbers of players to choose from.
        bonuses: the multipliers by level; empty if all levels pay the same.
        skunk: the multiplier of a skunk.
    """

    players: int
    counts: range
    bonuses: tuple[Bonus, ...]
    skunk: int


def tables(game: str, players: int) -> Levels:
    """Return the multipliers of a game for `players` players."""
    paid = bonuses(game, players)
    fewest, most = presets()[game].seats
    differ = len({(one.plain, one.sixes) for one in paid}) > 1
    return Levels(players, range(fewest, most + 1), paid if differ else (), none_multiplier(players))


def bonuses(game: str, players: int) -> tuple[Bonus, ...]:
    """Return the multipliers of a digit game for `players` players, by level.

    >>> [(row.levels, row.plain, row.sixes) for row in bonuses("salomon-1986", 5)][:3]
    [('1 to 7', 1, 2), ('8 to 9', 2, 4), ('10 to 11', 3, 6)]
    """
    rules = packed(presets()[game].options, players)
    multipliers = [
        (level, bid_multiplier(claim_of(level, 5, rules), rules), bid_multiplier(claim_of(level, 6, rules), rules))
        for level in range(1, rules.hand_size * players + 1)
    ]
    rows = []
    for (plain, sixes), levels in groupby(multipliers, key=lambda one: one[1:]):
        span = [level for level, *_ in levels]
        rows.append(Bonus(_span(span), plain, sixes))
    return tuple(rows)


def _span(levels: Sequence[int]) -> str:
    return _("{first} to {last}", first=levels[0], last=levels[-1]) if len(levels) > 1 else str(levels[0])


def differences(relatives: Sequence[GamePreset]) -> list[Difference]:
    """Return how the dealing of these games differs."""
    rows = [presets()[one.id] for one in relatives]
    return [
        Difference(_("Dealt from"), tuple(_("slips") if one.deals_slips else _("bills") for one in rows)),
        Difference(_("Slips"), tuple(_("yes") if one.slips else _("no") for one in rows)),
        Difference(
            _("First opener"), tuple(_("lowest letters") if one.letters else _("drawn at random") for one in rows)
        ),
    ]


def sample(played: Replay) -> PlayedSample:
    """Return a sample hand that has been played through."""
    session, names = cast(DigitSession, played.session), played.players
    hand, result = session.round, session.round_result
    assert hand is not None
    assert result is not None
    rules = hand.rules
    moves = tuple(f"{names[seat]}: {action_in_words(action, rules)}" for seat, action in hand.moves)
    holders = tuple(
        Holder(names[seat], hand.numbers[seat], (), result.counts[seat], result.payoffs[seat])
        for seat in range(rules.seats)
    )
    bid = bid_in_words(result.final_claim, rules)
    found = (
        ngettext("The bid was {bid}; there is {count}.", "The bid was {bid}; there are {count}.", result.total, bid=bid)
        if result.total
        else _("The bid was {bid}; there are none.", bid=bid)
    )
    outcome = describe_outcome(result.bidder, result.settlement, result.stake, rules, names)
    why = tuple(sentence(reason_in_words(one, rules)) for one in result.why if one != ("made", 1))
    carried = _("The next stake is {stake}.", stake=result.next_stake) if rules.progressive else ""
    return PlayedSample(moves, holders, tuple(filter(None, (found, outcome, *why, carried))))
