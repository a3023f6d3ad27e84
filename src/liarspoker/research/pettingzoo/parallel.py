"""The parallel environment: in every cycle every seat hands in an action, and that of the seat to act is played."""

from __future__ import annotations

from typing import Any, ClassVar

from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped,unused-ignore]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped,unused-ignore]
from pettingzoo.utils.conversions import parallel_to_aec  # type: ignore[import-untyped,unused-ignore]

from liarspoker.research.errors import CannotStudy
from liarspoker.research.pettingzoo.board import RENDER_MODES, Board, Observation
from liarspoker.research.pettingzoo.sequential import raw_env
from liarspoker.research.study import Study

PerAgent = dict[str, Any]


class ParallelTable(Board, ParallelEnv):  # type: ignore[misc,unused-ignore]
    """A game in cycles: every agent hands in an action, and only that of the seat to act counts.

    One action more than in the AEC environment, the last, is to wait; it is all that the mask allows to the others.
    If the seat to act waits, or hands in what is not legal, the cycle passes and nothing happens.

    Args:
        study: what is played.
        max_cycles: play on for so many cycles, game after game, and then truncate; `None`: one game is an episode.
        render_mode: `human` prints after every cycle, `ansi` answers text, `None` shows nothing.

    Raises:
        CannotStudy: `max_cycles` is below 1.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "liarspoker_parallel_v1",
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(self, study: Study, max_cycles: int | None = None, render_mode: str | None = None) -> None:
        if max_cycles is not None and max_cycles < 1:
            raise CannotStudy(f"max_cycles: {max_cycles}; it is 1 or more")
        super().__init__(study, study.wait + 1, render_mode)
        self.max_cycles = max_cycles

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], PerAgent]:
        """Deal anew.

        Args:
            seed: of all chance from now on; without it, chance goes on where it is.
            options: not looked at.
        """
        self._seed(seed)
        self.agents = list(self.possible_agents)
        self._cycles = 0
        self._begin()
        return self._observed(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], PerAgent]:
        """Play one cycle: observations, rewards, terminations, truncations and infos of all agents that were in it."""
        self._cycles += 1
        before = self.course.units
        action = int(actions[self.possible_agents[self.course.player]])
        if action in self.course.legal:
            self._play(action)
        units, living = self.course.units, self.course.session.alive
        over, truncated = self.course.is_over, self._cycles == self.max_cycles
        if over and self.max_cycles is not None and not truncated:
            self._begin()
        seats = {agent: self.possible_agents.index(agent) for agent in self.agents}
        ends = {agent: self.max_cycles is None and (over or seat not in living) for agent, seat in seats.items()}
        observed, infos = self._observed(), self._infos()
        rewards = {agent: float(units[seat] - before[seat]) for agent, seat in seats.items()}
        cut = dict.fromkeys(self.agents, truncated)
        self.agents = [] if truncated else [agent for agent in self.agents if not ends[agent]]
        if self.render_mode == "human":
            self.render()
        return observed, rewards, ends, cut, infos

    def _infos(self) -> PerAgent:
        return {agent: {} for agent in self.agents}

    def _observed(self) -> dict[str, Observation]:
        """What every agent sees; those who do not act may wait."""
        seen = {}
        for agent in self.agents:
            seat = self.possible_agents.index(agent)
            seen[agent] = self.observe(agent)
            if self.course.player != seat:
                seen[agent]["action_mask"][self.study.wait] = 1
        return seen


def parallel_env(
    game: str,
    players: int = 2,
    *,
    rounds: int | None = 1,
    options: dict[str, object] | None = None,
    opener: int = 0,
    from_slips: bool | None = None,
    max_cycles: int | None = None,
    render_mode: str | None = None,
) -> ParallelTable:
    """The parallel environment.

    Args:
        game: as for `raw_env`, and so are `players` to `from_slips`.
        players: how many.
        rounds: how many rounds a game has.
        options: those that differ from the game's own.
        opener: the seat that opens the first round.
        from_slips: deal from slips.
        max_cycles: play on for so many cycles, game after game, and then truncate; `None`: one game is an episode.
        render_mode: `human`, `ansi` or `None`.

    Raises:
        LiarsPokerError: there is no such game, option or number of players, or the game has no end.
    """
    study = Study.of(game, players, rounds=rounds, options=options, opener=opener, from_slips=from_slips)
    return ParallelTable(study, max_cycles, render_mode)


def env(game: str, players: int = 2, *, max_cycles: int | None = None, **how: Any) -> AECEnv:
    """The AEC environment, wrapped as PettingZoo wraps its own: order, bounds and legality are checked.

    Args:
        game: as for `raw_env`.
        players: how many.
        max_cycles: ask every agent in every cycle, for so many cycles, as `parallel_env` does; `None`: agents are
            asked when it is their turn, until the game is over.
        how: the other arguments of `raw_env`.

    Returns:
        The environment. An illegal action ends the episode, at the price of the most that could be lost in it.

    Raises:
        LiarsPokerError: there is no such game, option or number of players, or the game has no end.
    """
    if max_cycles is not None:
        return wrappers.OrderEnforcingWrapper(
            parallel_to_aec(parallel_env(game, players, max_cycles=max_cycles, **how))
        )
    table = raw_env(game, players, **how)
    checked = wrappers.TerminateIllegalWrapper(table, illegal_reward=-float(table.study.most_units))
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))
