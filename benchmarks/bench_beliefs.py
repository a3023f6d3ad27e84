"""How long belief updates take at full size, 24,310 hands per seat, compared with asking the bot for every hand.

An update applies Bayes' rule to all hands of the seat that has just acted. The peer asks the Python bot for the
probability of that action, hand by hand, for a sample of the hands, since all of them would take seconds. A count
computes what the standing bid pays if it is counted, with all bonuses, for all hands of a seat at once; its peer is
NumPy over all hands of the opponent, for each count of the digit in the seat's own hand. Times are processor times,
each the best of several runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from time import process_time
from typing import Any

import numpy as np
from provenance import provenance

from liarspoker.bots import catalogue
from liarspoker.core import catalogue as games
from liarspoker.core.session import RoundSetup
from liarspoker.engine.table import Table
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import payoff, settle
from liarspoker.solve.beliefs.bot_policy import bot_policy
from liarspoker.solve.beliefs.network_policy import NetworkPolicy
from liarspoker.solve.beliefs.policies import MixedPolicy
from liarspoker.solve.beliefs.positions import action_at
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.hands import digit_probabilities
from liarspoker.solve.payoffs import count_standing
from liarspoker.solve.tree import ranks_of_bids

RUNS = 30
ASKED = 300
PLAYERS = 3
WANTED, WANTED_OF_NETWORK = 1e-3, 5e-2
"""The maximum times of an update in seconds."""


def best(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the processor time in seconds, the best of several runs after a warm-up."""
    work()
    times = []
    for _ in range(runs):
        begun = process_time()
        work()
        times.append(process_time() - begun)
    return min(times)


def course(policy: MixedPolicy) -> list[tuple[Beliefs, int]]:
    """Return the first four actions of a hand, drawn from the policy, each with the beliefs before it."""
    chance = Random(1986)
    found: list[tuple[Beliefs, int]] = []
    beliefs = Beliefs.at(Table.of("salomon-1986", PLAYERS), [policy])
    while not beliefs.position.is_over and len(found) < 4:
        seat = beliefs.position.to_act
        chances = policy.split(beliefs.position, beliefs.seats[seat]).probabilities
        action = action_at(chance.choices(range(chances.size), chances.tolist())[0], beliefs.position.rules)
        found.append((beliefs, action))
        beliefs = beliefs.after(action)
    return found


def updated(beliefs: Beliefs, name: str, action: int) -> Beliefs:
    """Return the beliefs after an action by a bot's policy, which is new: networks remember what they computed last."""
    return replace(beliefs, policies=(bot_policy(name),) * PLAYERS).after(action)


def peer_update(bot: Any, beliefs: Beliefs, action: int) -> float:
    """Return the time in seconds for asking the Python bot about every hand, extrapolated from an even sample."""
    game: Any = games.load("salomon-1986")
    rules, hands = beliefs.position.rules, beliefs.hands
    chosen = range(0, hands.size, hands.size // ASKED)
    views = []
    for hand in chosen:
        session = game.session(PLAYERS, from_slips=False)
        session = session.deal(session.chance_spec().draw(Random(1).randrange), RoundSetup(opener=0, stake=1))
        for _, earlier in beliefs.position.moves:
            session = session.apply(earlier)
        views.append(with_number(session.view(session.to_act), hands.counts[hand].tolist(), rules))

    def asked() -> None:
        for view in views:
            dict(bot.action_probabilities(view)).get(action, 0.0)

    return best(asked, runs=3) * hands.size / len(views)


def with_number(view: Any, counts: list[int], rules: Rules) -> Any:
    """Return the view of a seat that holds a given hand."""
    number = "".join(str(digit_of(rank, rules)) * count for rank, count in enumerate(counts))
    return replace(view, number=number)


def peer_count(beliefs: Beliefs) -> Callable[[], object]:
    """Return the peer of a count for two players: what it pays the seat to act, over all hands of the bidder."""
    rules, auction = beliefs.position.rules, beliefs.position.auction
    held = beliefs.hands.counts[:, ranks_of_bids(rules)[auction.claim]].astype(np.int64)
    own = range(rules.hand_size + 1)
    pays = np.array(
        [
            [payoff(1, 0, settle(auction.claim, bidder, bidder + mine, rules), 1, rules) for bidder in own]
            for mine in own
        ],
        np.float64,
    )
    return lambda: [beliefs.seats[0] @ pays[mine, held] for mine in own]


def count_report(players: int) -> str:
    """Return a text that says how long it takes to count a bluffer's most likely opening."""
    policy = bot_policy("bluffer")
    beliefs = Beliefs.at(Table.of("salomon-1986", players), [policy])
    beliefs = beliefs.after(int(policy.split(beliefs.position, beliefs.seats[0]).probabilities.argmax()))
    auction, rules = beliefs.position.auction, beliefs.position.rules
    rank = int(ranks_of_bids(rules)[auction.claim])
    counts = np.array([digit_probabilities(beliefs.hands, belief, rank) for belief in beliefs.seats])
    bare = best(lambda: count_standing(rules, 1, auction.claim, auction.bidder, counts))
    whole = best(lambda: beliefs.count(1))
    text = f"a count, {players} players: {1e6 * bare:.0f} µs, with the digit's probabilities {1e6 * whole:.0f} µs"
    return text + (f"; NumPy over all hands {best(peer_count(beliefs)) / whole:.1f} times" if players == 2 else "")


def main() -> int:
    print(provenance())
    good = True
    for row in catalogue.bots():
        policy = bot_policy(row.name)
        steps = course(policy)
        times = [best(partial(updated, at, row.name, action)) for at, action in steps]
        peer = peer_update(catalogue.load(row.name, "digits"), *steps[1])
        good &= max(times) <= (WANTED_OF_NETWORK if isinstance(policy, NetworkPolicy) else WANTED)
        text = ", ".join(f"{1e3 * seconds:.2f}" for seconds in times)
        print(f"an update by {row.name}: {text} ms; asking the bot for every hand {peer / times[1]:,.0f} times")
    for players in (2, 5):
        print(count_report(players))
    print(
        "all targets met"
        if good
        else f"TOO SLOW: an update may take {1e3 * WANTED:.0f} ms, by a network {1e3 * WANTED_OF_NETWORK:.0f} ms"
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
