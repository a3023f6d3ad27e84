"""Solving small games, compared with LiteEFG's CFR+ and checked by OpenSpiel, all in the same run.

Times are processor seconds of one thread after everything is compiled and loaded; for this solver, the best of several
runs. LiteEFG gets the game as OpenSpiel deals it, number by number, and a second time with equal hands merged, as this
solver has it. It is evaluated every few iterations, and evaluations aren't counted. OpenSpiel computes the
exploitability and the value of this solver's strategies in its own `python_liars_poker`, from its own tree.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path
from time import process_time
from typing import Any

from provenance import provenance

from liarspoker.games.digits.auction import OVER, after
from liarspoker.games.digits.ladder import digit_of, rank_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import payoff, settle
from liarspoker.solve.hands import all_hands
from liarspoker.solve.runner import Progress, solve, solver_for, strategy_of
from liarspoker.solve.strategy import Strategy
from liarspoker.solve.tree import positions

RUNS = 5
TARGET = 1e-3
LOOK_EVERY = 10
SMALL: dict[str, object] = {"hand_size": 2, "symbols": 2, "rebid": True}
LARGER: dict[str, object] = {"hand_size": 3, "symbols": 3}
JUDGED = ((1, 2), (1, 3), (2, 2))
WANTED = {"2x2 with rebids": 0.03, "3x3 without rebids": 3.0}
WANTED_RATIO = 700
AGREE = 1e-6


def solution(options: dict[str, object], target: float = TARGET) -> tuple[Strategy, Progress, float]:
    """Return a strategy, how it was found, and the processor seconds that it took."""
    solver = solver_for("dollar-bill", options=options)
    begun = process_time()
    progress = solve(solver, target)
    seconds = process_time() - begun
    return strategy_of(solver, progress, "dollar-bill", options), progress, seconds


def numbers_dealt(rules: Rules, equal_as_one: bool) -> dict[str, float]:
    """Return every number that a seat may hold, with its probability."""
    numbers = Counter[str]()
    for digits in product("".join(map(str, range(rules.symbols))), repeat=rules.hand_size):
        numbers["".join(sorted(digits) if equal_as_one else digits)] += 1
    return {number: times / numbers.total() for number, times in numbers.items()}


def game_file(rules: Rules, equal_as_one: bool) -> Iterator[str]:
    """Yield the game in LiteEFG's format: a chance node for the deal, then every position of the auction for every
    deal.
    """
    numbers = numbers_dealt(rules, equal_as_one)
    deals = list(product(numbers, repeat=rules.seats))
    chances = (f"{name('deal', deal, ())}={prod(numbers[one] for one in deal)!r}" for deal in deals)
    yield "# LiteEFG OpenSpiel cache format 2\n# liars_poker instance with parameters:\n#"
    yield f"# Opt {{\n#     openspiel,\n#     players: {rules.seats},\n# }}\n#"
    yield f"node root chance actions {' '.join(chances)}"
    together: list[dict[str, list[str]]] = [{} for _ in range(rules.seats)]
    for position in positions(rules):
        seat, moves = position.auction.to_act, position.moves
        for deal in deals:
            node = name("deal", deal, moves)
            children = " ".join(name("deal", deal, (*moves, action)) for action in position.actions)
            yield f"node {node} player {seat + 1} actions {children}"
            together[seat].setdefault(name("hand", deal[seat], moves), []).append(node)
            for action in position.actions:
                end = after(position.auction, action, rules)
                if end.phase == OVER:
                    paid = (f"{other + 1}={pay}" for other, pay in enumerate(payoffs(end, deal, rules)))
                    yield f"node {name('deal', deal, (*moves, action))} leaf payoffs {' '.join(paid)}"
    for seat, infosets in enumerate(together):
        for number, (infoset, nodes) in enumerate(infosets.items()):
            yield f"infoset pl{seat + 1}_{number}__{infoset} nodes {' '.join(nodes)}"


def name(*parts: object) -> str:
    return "_".join("/".join(map(str, part)) if isinstance(part, tuple) else str(part) for part in parts)


def payoffs(end: Any, deal: tuple[str, ...], rules: Rules) -> list[int]:
    held = [number.count(str(rank_of(digit_of(end.claim, rules), rules))) for number in deal]
    settled = settle(end.claim, held[end.bidder], sum(held), rules)
    return [payoff(seat, end.bidder, settled, 1, rules) for seat in range(rules.seats)]


def peer_seconds(rules: Rules, equal_as_one: bool) -> tuple[float, int, float] | None:
    """Return the seconds and iterations of LiteEFG's CFR+ and the value that it finds; `None` without LiteEFG."""
    try:
        import LiteEFG  # type: ignore[import-not-found,import-untyped,unused-ignore]
        from LiteEFG.baselines.CFRplus import graph  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "liars_poker.game"
        path.write_text("\n".join(game_file(rules, equal_as_one)) + "\n", encoding="utf-8")
        environment = LiteEFG.FileEnv(str(path), traverse_type="Enumerate")
    algorithm = graph()
    environment.set_graph(algorithm)
    seconds, iterations, average = 0.0, 0, "linear-avg-iterate"
    while True:
        begun = process_time()
        for _ in range(LOOK_EVERY):
            algorithm.update_graph(environment)
            environment.update_strategy(algorithm.current_strategy())
        seconds += process_time() - begun
        iterations += LOOK_EVERY
        if sum(environment.exploitability(algorithm.current_strategy(), average)) / 2 <= TARGET:
            return seconds, iterations, environment.utility(algorithm.current_strategy(), average)[0]


def judged(strategy: Strategy) -> tuple[float, float] | None:
    """Return OpenSpiel's exploitability and value of a strategy; `None` without OpenSpiel."""
    try:
        import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
        from open_spiel.python.games import liars_poker  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: F401
    except ImportError:
        return None
    rules = strategy.rules
    game = pyspiel.load_game(f"python_liars_poker(hand_length={rules.hand_size},num_digits={rules.symbols})")
    table = {position.moves: chances for position, chances in strategy.walk()}
    policy: dict[str, list[tuple[int, float]]] = {}

    def fill(state: Any, moves: tuple[int, ...], hand: int) -> None:
        if state.is_terminal():
            return
        legal, actions = state.legal_actions(), strategy.at(moves).actions
        chances = table[moves][:, hand]
        known = state.information_state_string(state.current_player())
        policy[known] = list(zip(legal, map(float, chances), strict=True))
        for theirs, ours in zip(legal, actions, strict=True):
            fill(state.child(theirs), (*moves, ours), hand)

    for number in product(range(1, rules.symbols + 1), repeat=rules.hand_size):
        state = game.new_initial_state()
        for digit in number:  # both seats are dealt it in turn, which covers every hand of every seat
            state.apply_action(digit)
            state.apply_action(digit)
        counts = tuple(number.count(digit) for digit in range(1, rules.symbols + 1))
        fill(state, (), all_hands(rules).vectors.index(counts))
    theirs = pyspiel.TabularPolicy(policy)
    value = pyspiel.expected_returns(game.new_initial_state(), theirs, -1, True)[0]
    return float(pyspiel.exploitability(game, theirs)), float(value)


def main() -> int:
    print(provenance())
    good = True
    times = {}
    for label, options in (("2x2 with rebids", SMALL), ("3x3 without rebids", LARGER)):
        strategy, progress, _ = solution(options)
        times[label] = min(solution(options)[2] for _ in range(RUNS))
        value = strategy.training["value"]
        print(f"{label}: to {TARGET:g} in {progress.iterations} iterations, {times[label]:.4f} s; value {value:+.5f}")
        good &= times[label] <= WANTED[label]
    rules = solver_for("dollar-bill", options=SMALL).rules
    for equal_as_one in (False, True):
        peer = peer_seconds(rules, equal_as_one)
        if peer is None:
            print("the peer, LiteEFG, is not installed (requirements/peers.txt), so there is no ratio")
            break
        seconds, iterations, value = peer
        ratio = seconds / times["2x2 with rebids"]
        dealt = "with equal hands as one" if equal_as_one else "as it is dealt"
        print(f"LiteEFG CFR+, the same game {dealt}: {iterations} iterations, {seconds:.2f} s; value {value:+.5f}")
        print(f"ours is {ratio:,.0f} times as fast")
        good &= equal_as_one or ratio >= WANTED_RATIO
    for size, symbols in JUDGED:
        strategy, progress, _ = solution({"hand_size": size, "symbols": symbols, "rebid": True})
        theirs = judged(strategy)
        if theirs is None:
            print("the judge, OpenSpiel, is not installed (requirements/peers.txt)")
            break
        ours = progress.exploitability, strategy.training["value"]
        apart = max(abs(one - other) for one, other in zip(ours, theirs, strict=True))
        print(f"{size}x{symbols}: exploitability {ours[0]:.7f}, OpenSpiel {theirs[0]:.7f}; ", end="")
        print(f"value {ours[1]:+.7f}, OpenSpiel {theirs[1]:+.7f}")
        good &= apart <= AGREE
    print("all targets met" if good else f"TARGETS MISSED: {WANTED} s, {WANTED_RATIO} times, {AGREE:g} apart")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
