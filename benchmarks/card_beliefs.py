"""How right the coach's probabilities of claims are in card games, by the numbers with which it weighs deals.

Bots play rounds. Before every answer, the probability of the standing claim is computed from what the seat knows, and
compared with whether the claim was true: the log loss, 0.69 for a coin. A star marks the numbers of the coach.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np
from provenance import provenance

from liarspoker.coach.cards.positions import CardPosition, chance_of
from liarspoker.coach.cards.review import table_at
from liarspoker.core import catalogue
from liarspoker.core.cards.deck import mask_of
from liarspoker.engine.rollout import play
from liarspoker.games.queen_annes import review as queen_annes
from liarspoker.games.queen_annes.ladder import missing
from liarspoker.games.thorin import review as thorin
from liarspoker.games.thorin.claim_table import keeps_promise
from liarspoker.games.thorin.kernel_policies import hand_rank

POOLS = ("queen-annes", "queen-annes-indian", "queen-annes-stud")
SEATS = (2, 4)
BOTS = ("bluffer", "binomial")
CARELESS = (
    (1.0, 1.0),
    (0.02, 1.0),
    (0.1, 1.0),
    (0.02, 2.0),
    (0.1, 2.0),
    (0.1, 3.0),
    (0.2, 4.0),
    (0.3, 4.0),
    (0.4, 6.0),
)
LIES = ((1.0, 1.0), (0.5, 0.3), (0.3, 0.3), (0.2, 0.3), (0.2, 0.1), (0.1, 0.3))
MOST_ACTIONS = 40


def cases(game: str, seats: int, bot: str, rounds: int) -> Iterator[tuple[CardPosition, bool]]:
    """Yield the positions before answers, and whether the standing claim is true."""
    loaded = catalogue.load(game)
    table = table_at(game, loaded.session(seats))
    played = play(table, rounds, 3, [bot], rounds=1, keep_deals=60, keep_moves=MOST_ACTIONS)
    for number in range(rounds):
        sessions: list[Any] = [loaded.session(seats).deal(played.deal_of(number))]
        for _seat, action in played.moves[number, 0][: min(MOST_ACTIONS, played.decisions[number, 0])].tolist():
            position: CardPosition = (thorin if game == "thorin" else queen_annes).POSITION(table, tuple(sessions))
            if position.standing >= 0:
                dealt = sessions[-1].round
                if game == "thorin":
                    ladder, ranks = table.extra
                    rank = hand_rank(mask_of(dealt.hand), ranks)
                    yield position, keeps_promise(rank, position.standing, table.rules.by_words, ladder)
                else:
                    needs = int(table.extra.requirements[position.standing])
                    yield position, missing(needs, mask_of(dealt.pool), table.rules) == 0
            sessions.append(sessions[-1].apply(action))


def log_loss(found: list[tuple[CardPosition, bool]], deals: int) -> float:
    """Return the mean log loss."""
    chance, losses = np.random.default_rng(1), []
    for position, is_true in found:
        share = chance_of(position.standing, position, position.deals(deals, chance))
        share = min(max(share, 0.01), 0.99)
        losses.append(-np.log(share if is_true else 1 - share))
    return float(np.mean(losses))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100, help="rounds of each game, number of players and bot")
    parser.add_argument("--deals", type=int, default=2_000)
    args = parser.parse_args()
    print(provenance())
    chosen = (queen_annes.CARELESS, queen_annes.HONEST), (thorin.LIES, thorin.UNUSUAL)
    for games, grid, mine in ((POOLS, CARELESS, chosen[0]), (("thorin",), LIES, chosen[1])):
        rows = [(game, seats, bot) for game in games for seats in SEATS for bot in BOTS]
        found = [list(cases(*row, args.rounds)) for row in rows]
        print("\n" + ", ".join(f"{game} {seats} {bot}" for game, seats, bot in rows))
        for values in grid:
            if games == POOLS:
                queen_annes.CARELESS, queen_annes.HONEST = values
            else:
                thorin.LIES, thorin.UNUSUAL = values
            losses = [log_loss(one, args.deals) for one in found]
            star = "*" if values == mine else " "
            print(f"{star} {values}: " + " ".join(f"{loss:.2f}" for loss in losses) + f"  mean {np.mean(losses):.3f}")


if __name__ == "__main__":
    main()
