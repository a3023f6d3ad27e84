"""Worked examples of the rules: sample rounds as records, played through the engine; no outcome is typed in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from liarspoker.core import catalogue
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


def samples_of(game: str) -> tuple[tuple[str, str, Json], ...]:
    """The sample rounds of a game: name, title, and the record of each; none for a game that has no samples."""
    return tuple(
        (one.name, one.title, {"lpn": 1, "game": game, "players": list(one.players), "rounds": [dict(one.round)]})
        for one in catalogue.row(game).samples
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
