"""Tables of every family, the matching sessions of the rules, and replays of rollouts by those rules."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.engine.rollout import Rollout
from liarspoker.engine.table import Table
from liarspoker.games.thorin.state import packed_passes

GAMES = tuple(row.id for row in catalogue.games())
BY_FAMILY = {
    name: tuple(row.id for row in catalogue.games() if row.family == name)
    for name in ("digits", "queen_annes", "thorin")
}


@dataclass(frozen=True)
class Setting:
    """A table of the engine and the matching session of the rules."""

    table: Table
    session: Any

    @property
    def family(self) -> str:
        return self.table.kernel.family


def setting(game: str, seats: int, options: dict[str, object] | None = None, **start: Any) -> Setting:
    loaded: Any = catalogue.load(game)
    return Setting(
        Table.of(game, seats, options, **start), loaded.session(seats, loaded.options(options or {}), **start)
    )


def random_setting(family: str, chance: random.Random) -> Setting:
    """Return a random table of a family."""
    game = chance.choice(BY_FAMILY[family])
    loaded: Any = catalogue.load(game)
    options: dict[str, object] = {info.name: chance.choice(info.choices) for info in loaded.option_infos}
    return _RANDOM[family](game, options, chance)


def _any_digits(game: str, options: dict[str, object], chance: random.Random) -> Setting:
    """Return a random table; half of them have hands of eight digits of ten, which slips need."""
    if chance.random() < 0.5:
        options |= {"hand_size": 8, "symbols": 10}
    if options["loose_order"]:
        options["cap_level"] = True
    can_slip = game != "dollar-bill" and (options["hand_size"], options["symbols"]) == (8, 10)
    seats = chance.randint(2, 5) if chance.random() < 0.7 else chance.randint(2, 16)
    return setting(game, seats, options, from_slips=can_slip and chance.random() < 0.6)


def _any_queen_annes(game: str, options: dict[str, object], chance: random.Random) -> Setting:
    """Return a random table; half of them start in the middle of a match, with losses and maybe eliminated seats."""
    seats = chance.randint(2, 10)
    of = setting(game, seats, options)
    if chance.random() < 0.5:
        return of
    exits = of.table.rules.exit_losses
    losses = [chance.randint(0, exits) for _ in range(seats)]
    for seat in chance.sample(range(seats), k=2):
        losses[seat] = chance.randrange(exits)
    return setting(game, seats, options, losses=tuple(losses))


def _any_thorin(game: str, options: dict[str, object], chance: random.Random) -> Setting:
    return setting(game, chance.randint(2, 10), options)


_RANDOM: dict[str, Callable[[str, dict[str, object], random.Random], Setting]] = {
    "digits": _any_digits,
    "queen_annes": _any_queen_annes,
    "thorin": _any_thorin,
}


def replay(rollout: Rollout, number: int, of: Setting) -> int:
    """Replay match `number`, compare all results, and return its number of rounds."""
    session, rounds = of.session, int(rollout.lengths[number])
    for round_ in range(rounds):
        at = number, round_
        opener = int(rollout.openers[at]) if round_ == 0 else None
        session = session.deal(rollout.deal_of(*at), RoundSetup(opener))
        for seat, action in rollout.moves[number, round_, : rollout.decisions[at]].tolist():
            assert seat == session.to_act or session.out_of_turn_challenge(seat) == action
            session = session.apply(action)
        assert session.round_result is not None, "the engine's round ended before its end"
        expected = _RESULTS[of.family](session)
        mine = {name: int(getattr(rollout, name)[at]) for name in expected}
        assert mine == {name: -1 if value is None else value for name, value in expected.items()}
        assert not session.in_play
    assert session.score == tuple(rollout.units[number].tolist())
    assert (-1 if session.winner is None else session.winner) == rollout.winners[number]
    if of.family == "queen_annes":
        assert session.losses == tuple(rollout.losses[number].tolist())
    elif of.family == "thorin":
        assert session.round.state.spent == packed_passes(rollout.spent[number].tolist())
    return rounds


def _digits_result(session: Any) -> dict[str, Any]:
    result, row = session.round_result, session.round.terms.row
    return {
        "stakes": result.stake,
        "openers": result.opener,
        "rows": row,
        "claims": result.final_claim,
        "bidders": result.bidder,
        "owns": result.counts[result.bidder],
        "totals": result.total,
        "outcomes": result.settlement.outcome,
        "multipliers": result.settlement.multiplier,
    }


def _queen_annes_result(session: Any) -> dict[str, Any]:
    result = session.round_result
    return {
        "openers": result.opener,
        "claims": result.final_claim,
        "claimants": result.claimant,
        "challengers": result.challenger,
        "losers": result.loser,
        "missing": result.proof.missing,
        "dealt": len(session.round.pool),
    }


def _thorin_result(session: Any) -> dict[str, Any]:
    result = session.round_result
    return {
        "openers": result.opener,
        "claims": result.final_claim,
        "claimants": result.claimant,
        "challengers": result.challenger,
        "losers": result.loser,
        "values": result.hand_value,
        "drawn": session.round.stock.position,
    }


_RESULTS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "digits": _digits_result,
    "queen_annes": _queen_annes_result,
    "thorin": _thorin_result,
}
