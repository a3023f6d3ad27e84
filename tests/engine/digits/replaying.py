"""What the engine has played, played again by the Python rules; every number that came out is compared."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from liarspoker.core import catalogue
from liarspoker.engine.digits.play import Rounds
from liarspoker.engine.digits.table import Table
from liarspoker.engine.digits.texts import number_text
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.options import OPTIONS, Rules
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.slips import HANDS_PER_SLIP, ROWS

GAMES = ("dollar-bill", "salomon-1986", "slips")


@dataclass(frozen=True)
class Setting:
    """A table of the engine's and the session of the Python rules that it stands for."""

    table: Table
    session: DigitSession


def setting(game: str, seats: int, options: dict[str, object], from_slips: bool) -> Setting:
    found: Any = catalogue.load(game)
    session = found.session(seats, found.options(options), from_slips)
    return Setting(Table.of(game, seats, options, from_slips), session)


def random_setting(chance: random.Random) -> Setting:
    """Any table that the engine plays; half of them with hands of eight digits of ten, which slips need."""
    options: dict[str, object] = {info.name: chance.choice(info.choices) for info in OPTIONS}
    if chance.random() < 0.5:
        options |= {"hand_size": 8, "symbols": 10}
    if options["loose_order"]:
        options["cap_level"] = True
    game = chance.choice(GAMES)
    from_slips = game != "dollar-bill" and (options["hand_size"], options["symbols"]) == (8, 10)
    seats = chance.randint(2, 5) if chance.random() < 0.7 else chance.randint(2, 16)
    return setting(game, seats, options, from_slips and chance.random() < 0.6)


def deal_of(rounds: Rounds, session: int, hand: int, rules: Rules, from_slips: bool) -> DigitDeal:
    """The deal of a hand as the Python rules take it; rows of a slip that were not played are made up."""
    if not from_slips:
        return DigitDeal(numbers=tuple(number_text(number, rules) for number in rounds.numbers[session, hand]))
    if hand % HANDS_PER_SLIP:
        return DigitDeal()
    columns = [["1" * rules.hand_size] * ROWS for _ in range(rules.seats)]
    for later in range(hand, min(hand + HANDS_PER_SLIP, rounds.rows.shape[1])):
        for seat, number in enumerate(rounds.numbers[session, later]):
            columns[seat][rounds.rows[session, later]] = number_text(number, rules)
    return DigitDeal(slips=tuple(map(tuple, columns)))


def replay(rounds: Rounds, number: int, of: Setting) -> int:
    """Play session `number` of the rounds again and compare all of it; how many hands it had."""
    session, rules = of.session, of.session.setup.rules
    for hand in range(rounds.claims.shape[1]):
        opener = int(rounds.openers[number, 0]) if hand == 0 else None
        session = session.deal(deal_of(rounds, number, hand, rules, of.session.setup.from_slips), opener=opener)
        assert session.round is not None
        dealt = session.round
        for place in range(rounds.decisions[number, hand]):
            seat, action = rounds.moves[number, hand, place].tolist()
            assert session.to_act == seat
            session = session.apply(action)
        result = session.round_result
        assert result is not None, "the engine's hand ended before its count"
        assert result.payoffs == tuple(rounds.payoffs[number, hand].tolist())
        mine = (
            *(result.stake, result.opener, -1 if dealt.terms.row is None else dealt.terms.row),
            *(result.final_claim, result.bidder, result.counts[result.bidder], result.total),
            *(result.settlement.outcome, result.settlement.multiplier),
        )
        assert mine == tuple(
            int(array[number, hand])
            for array in (
                *(rounds.stakes, rounds.openers, rounds.rows),
                *(rounds.claims, rounds.bidders, rounds.owns, rounds.totals),
                *(rounds.outcomes, rounds.multipliers),
            )
        )
    assert session.score == tuple(rounds.scores[number].tolist())
    return int(rounds.claims.shape[1])
