"""Compare the exploitability of a strategy or a bot with OpenSpiel's, for the same policy in its `python_liars_poker`.

Two players, two digits of two, rebids, flat payoffs: a game that both implement. OpenSpiel isn't part of .venv; see
requirements/peers.in. Fails if the two differ by more than 1e-6.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from typing import Any

from provenance import provenance

from liarspoker.bots import catalogue
from liarspoker.games.digits.auction import OVER, Auction, after, opening
from liarspoker.solve.best_response import certify
from liarspoker.solve.hands import all_hands
from liarspoker.solve.strategy import Strategy
from liarspoker.solve.tabulate import tabulate_bot
from liarspoker.solve.tree import actions_at

GAME, PLAYERS = "dollar-bill", 2
OPTIONS = {"hand_size": 2, "symbols": 2, "rebid": True, "order": "zero_high"}
PEER = "python_liars_poker(hand_length=2,num_digits=2)"
WANTED = 1e-6


def strategy_of(name: str) -> Strategy:
    """Return a bot of the catalogue, or a strategy in a file, as a strategy."""
    if name in {row.name for row in catalogue.bots()}:
        bot: Any = catalogue.load(name, "digits")
        return tabulate_bot(GAME, PLAYERS, OPTIONS, bot.action_probabilities, bot.history_key, name=name)
    strategy = Strategy.load(name)
    strategy.require(GAME, PLAYERS, {**OPTIONS, "order": strategy.options.order})
    return strategy


def policy_of(strategy: Strategy, game: Any) -> dict[str, list[tuple[int, float]]]:
    """Return the strategy under the peer's names of information sets and actions.

    Both players are dealt the same digits, in every order; this covers every information set.
    """
    known = {position.moves: chances for position, chances in strategy.walk()}
    columns = {hand: column for column, hand in enumerate(all_hands(strategy.rules).vectors)}
    policy: dict[str, list[tuple[int, float]]] = {}

    def walk(state: Any, auction: Auction, moves: tuple[int, ...], column: int) -> None:
        actions, theirs = actions_at(auction, strategy.rules), state.legal_actions()
        assert state.current_player() == auction.to_act, "the peer lets another player act"
        assert len(theirs) == len(actions), "the peer has other actions"
        chances = known[moves][:, column].tolist()
        policy[state.information_state_string(auction.to_act)] = list(zip(theirs, chances, strict=True))
        for action, other in zip(actions, theirs, strict=True):
            following, child = after(auction, action, strategy.rules), state.child(other)
            assert child.is_terminal() == (following.phase == OVER), "the peer ends elsewhere"
            if following.phase != OVER:
                walk(child, following, (*moves, action), column)

    for digits in product((1, 2), repeat=2):
        state = game.new_initial_state()
        for digit in (digit for digit in digits for _ in range(PLAYERS)):
            state.apply_action(digit)
        walk(state, opening(0), (), columns[digits.count(1), digits.count(2)])
    return policy


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("strategies", nargs="*", metavar="FILE|BOT", help="the strategies to check (uniform bluffer)")
    args = parser.parse_args()
    try:
        import open_spiel.python.games.liars_poker  # type: ignore[import-not-found,import-untyped,unused-ignore] # noqa: F401
        import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        print("OpenSpiel is not installed here; see requirements/peers.in")
        return 1
    print(f"{provenance()}\n")
    game, worst = pyspiel.load_game(PEER), 0.0
    for name in args.strategies or ["uniform", "bluffer"]:
        strategy = strategy_of(name)
        ours = certify(strategy).exploitability
        theirs = pyspiel.exploitability(game, pyspiel.TabularPolicy(policy_of(strategy, game)))
        assert ours is not None
        print(f"{name}: {ours:.9f}, OpenSpiel {theirs:.9f}, difference {abs(ours - theirs):.1e}", flush=True)
        worst = max(worst, abs(ours - theirs))
    return 0 if worst <= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
