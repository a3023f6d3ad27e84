"""The AEC environment: agents act one at a time, in turn."""

from __future__ import annotations

from typing import Any, ClassVar

from pettingzoo import AECEnv  # type: ignore[import-untyped,unused-ignore]

from liarspoker.research.errors import BadEnvironment
from liarspoker.research.pettingzoo.base import RENDER_MODES, BaseEnvironment
from liarspoker.research.spec import EnvironmentSpec


class SequentialEnvironment(BaseEnvironment, AECEnv):  # type: ignore[misc,unused-ignore]
    """A game as an agent environment cycle (AEC) of PettingZoo.

    Rewards are in units. In a digit game, they are the units won or lost in each hand, when it is counted. In single
    rounds of a card game, the loser pays one unit to every other player. In a whole match, a player who is eliminated
    gets -1 at that moment, and the winner gets one unit for each other player. An eliminated agent terminates at once.

    Args:
        spec: the game.
        render_mode: `human` prints after every step, `ansi` returns text, `None` renders nothing.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "liarspoker_v1",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, spec: EnvironmentSpec, render_mode: str | None = None) -> None:
        super().__init__(spec, spec.actions, render_mode)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new episode.

        Args:
            seed: of all random numbers from now on; without it, the current stream continues.
            options: ignored.
        """
        self._seed(seed)
        self._begin()
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self.agent_selection = self.possible_agents[self.game_state.player]

    def step(self, action: int | None) -> None:
        """Play an action for the agent whose turn it is; `None` for an agent that has terminated.

        Raises:
            BadEnvironment: the action isn't legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise BadEnvironment(f"action: None isn't legal now, since {agent} is still in the game")
        before = self.game_state.units
        self._play(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._settle(before)
        if self.render_mode == "human":
            self.render()

    def _settle(self, before: tuple[int, ...]) -> None:
        """Assign rewards, terminate eliminated agents, and select the next agent."""
        state, seats = self.game_state, {agent: seat for seat, agent in enumerate(self.possible_agents)}
        units = state.units
        self.rewards = {agent: float(units[seats[agent]] - before[seats[agent]]) for agent in self.agents}
        still_in = state.session.alive
        self.terminations = {agent: state.is_over or seats[agent] not in still_in for agent in self.agents}
        if not state.is_over:
            self.agent_selection = self.possible_agents[state.player]
        self._accumulate_rewards()
        self._deads_step_first()


def raw_env(
    game: str,
    players: int = 2,
    *,
    rounds: int | None = 1,
    options: dict[str, object] | None = None,
    opener: int = 0,
    from_slips: bool | None = None,
    render_mode: str | None = None,
) -> SequentialEnvironment:
    """Return the AEC environment without wrappers: an illegal action raises an error.

    Args:
        game: the catalogue id, such as `salomon-1986`.
        players: the number of players.
        rounds: the number of rounds in an episode; `None` for a whole match of a card game, or ten hands of a digit
            game.
        options: options that differ from the game's defaults, by name, as in a record.
        opener: the seat that opens the first round.
        from_slips: deal from slips. By default, single hands are dealt as bills, and sessions as is usual in the game.
        render_mode: `human`, `ansi` or `None`.

    Raises:
        LiarsPokerError: the game, an option or the number of players isn't valid, or a round may never end.

    >>> table = raw_env("dollar-bill", options={"hand_size": 1, "symbols": 2})
    >>> table.reset(seed=3)
    >>> table.observe("player_0")["action_mask"]
    array([1, 1, 1, 1, 0, 0], dtype=int8)
    """
    spec = EnvironmentSpec.of(game, players, rounds=rounds, options=options, opener=opener, from_slips=from_slips)
    return SequentialEnvironment(spec, render_mode)
