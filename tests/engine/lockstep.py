"""Step a batch and sessions of the rules side by side, dealing the sessions what the batch was dealt."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np

from liarspoker.core.cards.deck import JOKER, UNKNOWN
from liarspoker.engine.batch import Batch
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.kernel import number_text
from liarspoker.games.queen_annes.kernel import split_deal
from liarspoker.games.thorin.actions import CHALLENGE, DISCARD, PASS, TAKE, discard_of
from liarspoker.games.thorin.deal import ThorinDeal
from tests.engine.tables import Setting

CARDS = 2_000


def dealt(batch: Batch, sessions: list[Any], of: Setting) -> list[Any]:
    """Return the sessions with the round that the batch has been dealt; won matches don't change."""
    return [
        session if session.winner is not None else session.deal(_deal(batch, index, session, of))
        for index, session in enumerate(sessions)
    ]


def _deal(batch: Batch, index: int, session: Any, of: Setting) -> Any:
    if of.family == "digits":
        numbers = tuple(number_text(number, of.table.rules) for number in batch.numbers[index])
        if not of.table.extra.from_slips:
            return DigitDeal(numbers=numbers)
        return (
            DigitDeal(slips=tuple((number,) * 15 for number in numbers)) if session.chance_spec().slips else DigitDeal()
        )
    if of.family == "queen_annes":
        cards = batch.decks[index, : batch.dealt[index]].tolist()
        return split_deal(cards, list(session.chance_spec().hand_sizes))
    return ThorinDeal(tuple(batch.cards[index, : batch.drawn[index]].tolist()))


def supplied(batch: Batch, sessions: list[Any], of: Setting) -> list[Any]:
    """Return the sessions with the cards drawn since: the engine draws each card when it is needed."""
    if of.family == "digits":
        return sessions
    found = []
    for index, session in enumerate(sessions):
        if not session.in_play:
            found.append(session)
            continue
        if of.family == "queen_annes":
            cards = batch.decks[index, : batch.dealt[index]].tolist()
            round_ = replace(session.round, deck=tuple(cards[sum(map(len, session.round.hands)) :]))
        else:
            stock = replace(session.round.stock, deck=tuple(batch.cards[index, : batch.drawn[index]].tolist()))
            round_ = replace(session.round, stock=stock)
        found.append(replace(session, round=round_))
    return found


def any_column(legal: Any, of: Setting, claims: int, chance: random.Random) -> int:
    """Return a legal column, chosen so that rounds of every kind occur and end."""
    columns = np.flatnonzero(legal).tolist()
    if of.family == "digits":
        ends = 1 - 0.5 / (of.table.rules.seats - 1)
        return claims if legal[claims] and chance.random() < ends else int(chance.choice(columns))
    if of.family == "queen_annes":
        return int(chance.choice(columns[:30] if chance.random() < 0.6 else columns[-3:]))
    if columns[0] < claims:
        return int(chance.choice(columns[:300] if chance.random() < 0.95 else columns[-1:]))
    onward = [column for column in columns if column != claims + 1]
    return int(chance.choice(onward if onward and chance.random() < 0.9 else columns))


def wild_action(of: Setting, session: Any, chance: random.Random) -> int:
    """Return any action: legal, illegal, or sometimes not an action at all."""
    if of.family != "thorin":
        return chance.choice((chance.randrange(-14, 3), chance.randrange(of.table.actions + 9)))
    hand = session.round.hand
    return chance.choice(
        [
            *(TAKE, CHALLENGE, PASS, -7, DISCARD, DISCARD - (1 << 58)),
            *(chance.randrange(1 << 12), chance.randrange(1 << 19)),
            discard_of(chance.sample(hand, 2)),
            discard_of((hand[0], chance.randrange(JOKER + 1)) if hand[0] == JOKER else (chance.randrange(JOKER),)),
            discard_of((UNKNOWN,)),
        ]
    )
