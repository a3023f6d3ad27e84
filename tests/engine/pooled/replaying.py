"""What the engine has played, played again by the Python rules; everything that came out is compared."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from liarspoker.core import catalogue
from liarspoker.engine.pooled.play import Matches
from liarspoker.engine.pooled.table import Table
from liarspoker.engine.pooled.texts import deal_of
from liarspoker.games.queen_annes.session import PooledSession

GAMES = ("queen-annes", "queen-annes-indian", "queen-annes-stud")


@dataclass(frozen=True)
class Setting:
    """A table of the engine's and the session of the Python rules that it stands for."""

    table: Table
    session: PooledSession


def setting(game: str, seats: int, options: dict[str, object], losses: tuple[int, ...] | None = None) -> Setting:
    found: Any = catalogue.load(game)
    session = found.session(seats, found.options(options), losses=losses)
    return Setting(Table.of(game, seats, options, losses), session)


def random_setting(chance: random.Random) -> Setting:
    """Any table that the engine plays; half of them amid a match, where some have lost and some may be out."""
    game = chance.choice(GAMES)
    found: Any = catalogue.load(game)
    options: dict[str, object] = {info.name: chance.choice(info.choices) for info in found.option_infos}
    seats = chance.randint(2, 10)
    of = setting(game, seats, options)
    if chance.random() < 0.5:
        return of
    exits = of.table.rules.exit_losses
    losses = [chance.randint(0, exits) for _ in range(seats)]
    for seat in chance.sample(range(seats), k=2):
        losses[seat] = chance.randrange(exits)
    return setting(game, seats, options, tuple(losses))


def replay(played: Matches, number: int, of: Setting) -> int:
    """Play match `number` again and compare all of it; how many rounds it had."""
    session, rounds = of.session, int(played.lengths[number])
    for round_ in range(rounds):
        at = number, round_
        deck = played.decks[number, round_, : played.dealt[at]].tolist()
        opener = int(played.openers[at]) if round_ == 0 else None
        session = session.deal(deal_of(deck, session.needs().hand_sizes), opener=opener)
        for seat, action in played.moves[number, round_, : played.decisions[at]].tolist():
            assert seat == session.to_act or session.out_of_turn(seat) == action
            session = session.apply(action)
        result = session.round_result
        assert result is not None, "the engine's round ended before its challenge"
        assert session.round is not None
        assert list(session.round.pool) == deck
        mine = (result.opener, result.final_claim, result.claimant, result.challenger, result.loser)
        arrays = (played.openers, played.claims, played.claimants, played.challengers, played.losers)
        assert mine == tuple(int(array[at]) for array in arrays)
        assert result.proof.missing == played.missing[at]
    assert session.losses == tuple(played.losses[number].tolist())
    assert (-1 if session.winner is None else session.winner) == played.winners[number]
    return rounds
