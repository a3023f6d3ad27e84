"""The rules page of Queen Anne's games: the ladder of named hands, who gets which card, and sample rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import cast

from liarspoker.core.cards.claims import write_spelling
from liarspoker.core.cards.deck import card_text
from liarspoker.core.catalogue import GameRow
from liarspoker.games.cards.record_words import claim_in_words
from liarspoker.games.queen_annes import record_text
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand
from liarspoker.games.queen_annes.options import packed
from liarspoker.games.queen_annes.presets import presets
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import NO_SLOT, cards_at_once, extra_slot, face_up
from liarspoker.records.reader import Replay
from liarspoker.web.view_models.family import Difference, Holder, PlayedSample


@dataclass(frozen=True, slots=True)
class Named:
    """One category of Queen Anne's ladder: how many hands can be named, the lowest and the highest of them."""

    name: str
    hands: int
    lowest: str
    highest: str
    written: str


@dataclass(frozen=True, slots=True)
class Turns:
    """Who has lost so often gets these cards in Stud: before the round, and on his turns; `up`, `down` or nothing."""

    losses: int
    at_once: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """The ladder of names, and in Stud who gets which card on a turn."""

    named: tuple[Named, ...]
    turns: tuple[Turns, ...]


def tables(game: str, players: int) -> Tables:
    """The tables of a game; they are the same for any number of players."""
    return Tables(named_hands(game), turns(game) if presets()[game].dealing.faces else ())


@cache
def named_hands(game: str) -> tuple[Named, ...]:
    """The categories of Queen Anne's ladder, the lowest first."""
    preset = presets()[game]
    rules = packed(preset.options, preset.dealing, seats=2)
    every = [named_hand(claim, rules) for claim in range(ladder_length(rules))]
    rows = []
    for word, group in groupby(every, key=lambda one: one.word):
        hands = list(group)
        rows.append(
            Named(
                word.replace("-", " "),
                len(hands),
                claim_in_words(hands[0]),
                claim_in_words(hands[-1]),
                write_spelling(hands[-1]),
            )
        )
    return tuple(rows)


@cache
def turns(game: str) -> tuple[Turns, ...]:
    """Which cards a player gets, by how often he has lost, while somebody else has not lost yet."""
    preset = presets()[game]
    rules = packed(preset.options, preset.dealing, seats=2)
    rows = []
    for losses in range(rules.exit_losses):
        slots = [extra_slot(turn, losses, 0, rules) for turn in range(1, rules.extras + 1)]
        cards = tuple("" if slot == NO_SLOT else "up" if face_up(slot, rules) else "down" for slot in slots)
        rows.append(Turns(losses, cards_at_once(losses, rules), cards))
    return tuple(rows)


def differences(relatives: Sequence[GameRow]) -> list[Difference]:
    """How the games are dealt."""
    dealings = [presets()[one.id].dealing for one in relatives]
    blind = ("all cards but your own" if one.blind else "your own cards, and what lies open" for one in dealings)
    cost = ("one card less to begin with" if one.loss_costs_card else "one further card less" for one in dealings)
    return [
        Difference("Cards at once", tuple(str(one.hand_cards) for one in dealings)),
        Difference("Further cards", tuple(str(len(one.faces)) if one.faces else "none" for one in dealings)),
        Difference("You see", tuple(blind)),
        Difference("A loss costs", tuple(cost)),
    ]


def sample(played: Replay) -> PlayedSample:
    """A sample round, played."""
    session, names = cast(QueenAnnesSession, played.session), played.players
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
    lines = [line.strip() for line in record_text.tell_round(session, names)[1 + len(names) :]]
    cut = next(place for place, line in enumerate(lines) if " challenges " in line) + 1
    return PlayedSample(tuple(lines[:cut]), holders, tuple(lines[cut:-1]), pool=True)
