"""The rules page of a digit game: what levels pay, how relatives are dealt, and sample hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from liarspoker.core.catalogue import GameRow
from liarspoker.games.digits.ladder import claim_of
from liarspoker.games.digits.options import packed
from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.record_text import say, verdict
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import bid_multiplier, none_multiplier
from liarspoker.records.reader import Replay
from liarspoker.records.words import bid_in_words, reason_in_words
from liarspoker.web.view_models.family import Difference, Holder, PlayedSample
from liarspoker.web.words import sentence


@dataclass(frozen=True, slots=True)
class Bonus:
    """What a range of levels pays, as multiples of the stake: `levels` in figures, `plain` and `sixes`."""

    levels: str
    plain: int
    sixes: int


@dataclass(frozen=True, slots=True)
class Levels:
    """What bids pay among so many players; no bonuses where all levels pay the same; the skunk in stakes."""

    players: int
    counts: range
    bonuses: tuple[Bonus, ...]
    skunk: int


def tables(game: str, players: int) -> Levels:
    """What levels pay among so many players."""
    paid = bonuses(game, players)
    fewest, most = presets()[game].seats
    differ = len({(one.plain, one.sixes) for one in paid}) > 1
    return Levels(players, range(fewest, most + 1), paid if differ else (), none_multiplier(players))


def bonuses(game: str, players: int) -> tuple[Bonus, ...]:
    """What the levels of a digit game pay among so many players.

    >>> [(row.levels, row.plain, row.sixes) for row in bonuses("salomon-1986", 5)][:3]
    [('1 to 7', 1, 2), ('8 to 9', 2, 4), ('10 to 11', 3, 6)]
    """
    rules = packed(presets()[game].options, players)
    worth = [
        (level, bid_multiplier(claim_of(level, 5, rules), rules), bid_multiplier(claim_of(level, 6, rules), rules))
        for level in range(1, rules.hand_size * players + 1)
    ]
    rows = []
    for (plain, sixes), levels in groupby(worth, key=lambda one: one[1:]):
        span = [level for level, *_ in levels]
        rows.append(Bonus(f"{span[0]} to {span[-1]}" if len(span) > 1 else str(span[0]), plain, sixes))
    return tuple(rows)


def differences(relatives: Sequence[GameRow]) -> list[Difference]:
    """How the games are dealt."""
    rows = [presets()[one.id] for one in relatives]
    return [
        Difference("Dealt from", tuple("slips" if one.deals_slips else "bills" for one in rows)),
        Difference("Slips", tuple("yes" if one.slips else "no" for one in rows)),
        Difference("First opener", tuple("lowest letters" if one.letters else "drawn by lot" for one in rows)),
    ]


def sample(played: Replay) -> PlayedSample:
    """A sample hand, played."""
    session, names = cast(DigitSession, played.session), played.players
    hand, result = session.round, session.round_result
    assert hand is not None
    assert result is not None
    rules = hand.rules
    moves = tuple(f"{names[seat]}: {say(action, rules)}" for seat, action in hand.moves)
    holders = tuple(
        Holder(names[seat], hand.numbers[seat], (), result.counts[seat], result.payoffs[seat])
        for seat in range(rules.seats)
    )
    bid = bid_in_words(result.final_claim, rules)
    found = f"Bid were {bid}; there {'is' if result.total == 1 else 'are'} {result.total or 'none'}."
    said = verdict(result.bidder, result.settlement, result.stake, rules, names)
    why = tuple(sentence(reason_in_words(one, rules)) for one in result.why if one != ("made", 1))
    carried = f"The stake of the next hand is {result.next_stake}." if rules.progressive else ""
    return PlayedSample(moves, holders, tuple(filter(None, (found, said, *why, carried))))
