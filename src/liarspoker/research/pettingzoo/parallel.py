"""The parallel environment: every seat submits an action in every cycle, and only that of the seat to act is played."""

from __future__ import annotations

from typing import Any, ClassVar

from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped,unused-ignore]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped,unused-ignore]
from pettingzoo.utils.conversions import parallel_to_aec  # type: ignore[import-untyped,unused-ignore]

from liarspoker.research.errors import BadEnvironment
from liarspoker.research.pettingzoo.base import RENDER_MODES, BaseEnvironment, Observation
from liarspoker.research.pettingzoo.sequential import raw_env
from liarspoker.research.spec import EnvironmentSpec

PerAgent = dict[str, Any]
"""A value for each agent."""


class ParallelEnvironment(BaseEnvironment, ParallelEnv):  # type: ignore[misc,unused-ignore]
    """A game in cycles: every agent submits an action, and only that of the seat to act is played.

    There is one action more than in the AEC environment, the last one, to wait; it is the only legal action of the
    other seats. If the seat to act waits or submits an illegal action, nothing happens in that cycle.

    Args:
        spec: the game.
        max_cycles: play game after game for this number of cycles, and then truncate; `None`: an episode is one game.
        render_mode: `human` prints after every cycle, `ansi` returns text, `None` renders nothing.

    Raises:
        BadEnvironment: `max_cycles` is below 1.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "liarspoker_parallel_v1",
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(self, spec: EnvironmentSpec, max_cycles: int | None = None, render_mode: str | None = None) -> None:
        if max_cycles is not None and max_cycles < 1:
            raise BadEnvironment(f"max_cycles: {max_cycles}; it must be 1 or more")
        super().__init__(spec, spec.wait + 1, render_mode)
        self.max_cycles = max_cycles

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], PerAgent]:
        """Start a new episode.

        Args:
            seed: of all random numbers from now on; without it, the current stream continues.
            options: ignored.
        """
        self._seed(seed)
        self.agents = list(self.possible_agents)
        self._cycles = 0
        self._begin()
        return self._observed(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], PerAgent]:
        """Play one cycle.

        Returns:
            The observations, rewards, terminations, truncations and infos of all agents that took part in it.
        """
        self._cycles += 1
        before = self.game_state.units
        action = int(actions[self.possible_agents[self.game_state.player]])
        if action in self.game_state.legal:
            self._play(action)
        units, still_in = self.game_state.units, self.game_state.session.alive
        over, truncated = self.game_state.is_over, self._cycles == self.max_cycles
        if over and self.max_cycles is not None and not truncated:
            self._begin()
        seats = {agent: self.possible_agents.index(agent) for agent in self.agents}
        ends = {agent: self.max_cycles is None and (over or seat not in still_in) for agent, seat in seats.items()}
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
        """Return every agent's observation; agents that aren't to act may wait."""
        seen = {}
        for agent in self.agents:
            seat = self.possible_agents.index(agent)
            seen[agent] = self.observe(agent)
            if self.game_state.player != seat:
                seen[agent]["action_mask"][self.spec.wait] = 1
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
) -> ParallelEnvironment:
    """Return the parallel environment.

    Args:
        game: the catalogue id, such as `salomon-1986`.
        players: the number of players.
        rounds: the number of rounds in a game, as for :func:`.raw_env`.
        options: options that differ from the game's defaults, by name, as in a record.
        opener: the seat that opens the first round.
        from_slips: deal from slips, as for :func:`.raw_env`.
        max_cycles: play game after game for this number of cycles, and then truncate; `None`: an episode is one game.
        render_mode: `human`, `ansi` or `None`.

    Raises:
        LiarsPokerError: the game, an option or the number of players isn't valid, or a round may never end.
    """
    spec = EnvironmentSpec.of(game, players, rounds=rounds, options=options, opener=opener, from_slips=from_slips)
    return ParallelEnvironment(spec, max_cycles, render_mode)


def env(game: str, players: int = 2, *, max_cycles: int | None = None, **how: Any) -> AECEnv:
    """Return the AEC environment with PettingZoo's usual wrappers, which check order, bounds and legality.

    Args:
        game: the catalogue id, such as `salomon-1986`.
        players: the number of players.
        max_cycles: ask every agent in every cycle, for this number of cycles, as :func:`parallel_env` does; `None`:
            agents act in turn until the game is over.
        how: further arguments of :func:`.raw_env`.

    Returns:
        The environment. An illegal action ends the episode, with the largest possible loss as its reward.

    Raises:
        LiarsPokerError: the game, an option or the number of players isn't valid, or a round may never end.
    """
    if max_cycles is not None:
        return wrappers.OrderEnforcingWrapper(
            parallel_to_aec(parallel_env(game, players, max_cycles=max_cycles, **how))
        )
    table = raw_env(game, players, **how)
    checked = wrappers.TerminateIllegalWrapper(table, illegal_reward=-float(table.spec.most_units))
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))
