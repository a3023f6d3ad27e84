"""Worked examples of the rules: sample rounds as records, played through the engine; no outcome is typed in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from liarspoker.core.cards.deck import card_text
from liarspoker.games.digits.record_text import say, verdict
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.queen_annes import record_text as tell_pooled
from liarspoker.games.queen_annes.session import PooledSession
from liarspoker.games.thorin import record_text as tell_passed
from liarspoker.games.thorin.session import PassedSession
from liarspoker.records import replay
from liarspoker.records.reader import Replay
from liarspoker.records.words import bid_in_words, reason_in_words
from liarspoker.web.words import sentence

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Holder:
    """Who takes part in a sample round.

    Attributes:
        name: of the player.
        number: his number; empty in a card game.
        cards: his cards, each with whether it belongs to the hand in question.
        fingers: how many he raises at the count; `None` in a card game.
        units: what he wins or pays; `None` in a card game.
    """

    name: str
    number: str = ""
    cards: tuple[tuple[str, bool], ...] = ()
    fingers: int | None = None
    units: int | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A sample round, played by the rules.

    Attributes:
        name: as an address can point to it.
        title: what it shows.
        moves: what was done, line by line.
        holders: the players with what they held.
        end: how it came out, and by which rules.
        record: the round in the notation, to be stepped through.
    """

    name: str
    title: str
    moves: tuple[str, ...]
    holders: tuple[Holder, ...]
    end: tuple[str, ...]
    record: str


_FOUR = ["Ann", "Ben", "Cleo", "Dan"]
_NUMBERS = ["30661862", "49294146", "08183658", "77205516"]
_NO_NINES = ["30661862", "48284146", "08183658", "77205516"]


def _digit_round(numbers: list[str], actions: list[str], **more: object) -> Json:
    return {"deal": numbers, "actions": actions, **more}


_ALL = ["challenge"] * 3

_BONUS: tuple[tuple[str, str, Json], ...] = (
    (
        "sample",
        "A hand, bid by bid",
        _digit_round(_NUMBERS, ["2x6", "3x1", "challenge", "5x6", *_ALL, "count"]),
    ),
    ("rebid", "Challenged all around, and bid once more", _digit_round(_NUMBERS, ["4x6", *_ALL, "5x8", *_ALL])),
    ("hero", "The hero", _digit_round(_NUMBERS, ["3x4", *_ALL, "count"])),
    ("skunk", "The skunk", _digit_round(_NO_NINES, ["1x9", *_ALL, "count"], opener=2)),
)

_SAMPLES: Mapping[str, tuple[tuple[str, str, Json], ...]] = {
    "dollar-bill": (
        ("sample", "A hand, bid by bid", _digit_round(_NUMBERS, ["2x0", "2x5", "3x6", "challenge", "4x6", *_ALL])),
        ("failed", "One too many", _digit_round(_NUMBERS, ["3x8", "challenge", "5x8", *_ALL])),
    ),
    "salomon-1986": _BONUS,
    "slips": _BONUS,
    "thorin": (
        (
            "sample",
            "A hand goes around",
            {
                "deck": ["7c", "7d", "3h", "3s", "Kc", "Jc", "Qh", "6d", "2d"],
                "actions": [
                    *("declare two-pair", "take", "discard Kc", "declare two-pair 73", "take", "discard -"),
                    *("declare two-pair 73J", "take", "discard 3h3sJc", "declare three", "challenge"),
                ],
            },
        ),
        (
            "truth",
            "The truth, and not believed",
            {
                "deck": ["Ah", "Kd", "9d", "6h", "3d"],
                "actions": ["declare color-flush A", "challenge"],
            },
        ),
    ),
    "queen-annes": (
        (
            "sample",
            "A round, name by name",
            {
                "deal": [
                    ["7h", "7c", "Kd", "9s", "2d"],
                    ["Ah", "Ks", "Kc", "4d", "3s"],
                    ["Jh", "Jd", "8c", "5s", "As"],
                ],
                "actions": ["claim pair 7", "claim pair K", "claim three K", "claim full-house KA", "challenge"],
            },
        ),
        (
            "missing",
            "A better hand does not help",
            {
                "deal": [
                    ["4h", "4c", "4d", "4s", "2d"],
                    ["Ah", "Ks", "Tc", "9d", "3s"],
                    ["Jh", "Qd", "8c", "5s", "6s"],
                ],
                "actions": ["claim high A", "claim pair 3", "challenge"],
            },
        ),
    ),
    "queen-annes-indian": (
        (
            "sample",
            "Everybody’s cards but your own",
            {
                "deal": [
                    ["7h", "7c", "Kd", "9s", "2d"],
                    ["Ah", "Ks", "Kc", "4d", "3s"],
                    ["Jh", "Jd", "8c", "5s", "As"],
                ],
                "actions": ["claim pair A", "claim two-pair J7", "claim three J", "challenge"],
            },
        ),
    ),
    "queen-annes-stud": (
        (
            "sample",
            "A card before each turn",
            {
                "deal": [["7h", "2c"], ["7c", "Qd"], ["Jh", "As"]],
                "extras": ["9h", "Qh", "Td", "Qs", "3c"],
                "actions": ["claim pair 7", "claim pair Q", "claim two-pair Q7", "claim three Q", "challenge"],
            },
        ),
    ),
}
"""What is played: a name, a title, and a round in the notation; everything else follows from the rules."""

_PLAYERS = {
    "thorin": ["Annie", "Bart", "Chrissie", "Dirk", "Ellie"],
    "queen-annes": _FOUR[:3],
    "queen-annes-indian": _FOUR[:3],
    "queen-annes-stud": _FOUR[:3],
}


def samples_of(game: str) -> tuple[tuple[str, str, Json], ...]:
    """The sample rounds of a game: name, title, and the record of each; none for a game that has no samples."""
    players = _PLAYERS.get(game, _FOUR)
    return tuple(
        (name, title, {"lpn": 1, "game": game, "players": players, "rounds": [one]})
        for name, title, one in _SAMPLES.get(game, ())
    )


@cache
def examples_of(game: str) -> tuple[Example, ...]:
    """The sample rounds of a game, played through."""
    return tuple(_played(name, title, record) for name, title, record in samples_of(game))


def _played(name: str, title: str, record: Json) -> Example:
    played = replay(record)
    assert played.fault is None, played.fault
    family = played.game.row.family if played.game is not None else ""
    tell = {"digits": _digits, "queen_annes": _pooled, "thorin": _passed}[family]
    moves, holders, end = tell(played)
    return Example(name, title, moves, holders, end, json.dumps(record, ensure_ascii=False))


Told = tuple[tuple[str, ...], tuple[Holder, ...], tuple[str, ...]]


def _digits(played: Replay) -> Told:
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
    return moves, holders, tuple(filter(None, (found, said, *why, carried)))


def _pooled(played: Replay) -> Told:
    session, names = cast(PooledSession, played.session), played.players
    result = session.round_result
    assert result is not None
    proof = {*result.proof.cards, *result.proof.wilds}
    dealt = [list(hand) for hand in result.hands]
    for extra in result.extras:
        dealt[extra.seat].append(extra.card)
    holders = tuple(
        Holder(names[seat], cards=tuple((card_text(card), card in proof) for card in cards))
        for seat, cards in enumerate(dealt)
    )
    lines = [line.strip() for line in tell_pooled.tell_round(session, names)[1 + len(names) :]]
    cut = next(place for place, line in enumerate(lines) if " challenges " in line) + 1
    return tuple(lines[:cut]), holders, tuple(lines[cut:-1])


def _passed(played: Replay) -> Told:
    session, names = cast(PassedSession, played.session), played.players
    result = session.round_result
    assert result is not None
    assert result.hand is not None
    lines = [line.strip() for line in tell_passed.tell_round(session, names)[1:]]
    cut = next(place for place, line in enumerate(lines) if line.endswith(": challenge")) + 1
    hand = tuple((card_text(card), bool(result.truthful)) for card in sorted(result.hand, reverse=True))
    return tuple(lines[:cut]), (Holder(names[result.claimant], cards=hand),), tuple(lines[cut:-1])
