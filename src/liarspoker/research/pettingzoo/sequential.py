"""The AEC environment: agents act one at a time, when it is their turn."""

from __future__ import annotations

from typing import Any, ClassVar

from pettingzoo import AECEnv  # type: ignore[import-untyped,unused-ignore]

from liarspoker.research.pettingzoo.board import RENDER_MODES, Board
from liarspoker.research.study import Study


class SequentialTable(Board, AECEnv):  # type: ignore[misc,unused-ignore]
    """A game as PettingZoo's agent environment cycle.

    Rewards are units: of a digit game those won or lost in each hand, when it is counted; of single rounds of a card
    game one from their loser to every other player; of a whole match minus one for who drops out, when he does, and
    for the winner one for each other player. An agent that has dropped out of a match terminates then.

    Args:
        study: what is played.
        render_mode: `human` prints after every step, `ansi` answers text, `None` shows nothing.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "liarspoker_v1",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, study: Study, render_mode: str | None = None) -> None:
        super().__init__(study, study.actions, render_mode)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew.

        Args:
            seed: of all chance from now on; without it, chance goes on where it is.
            options: not looked at.
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
        self.agent_selection = self.possible_agents[self.course.player]

    def step(self, action: int | None) -> None:
        """Play an action for the agent whose turn it is; `None` for one that has terminated.

        Raises:
            CannotStudy: the action is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        before = self.course.units
        self._play(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._settle(before)
        if self.render_mode == "human":
            self.render()

    def _settle(self, before: tuple[int, ...]) -> None:
        """Hand out rewards, terminate who is out, and say whose turn it is."""
        course, seats = self.course, {agent: seat for seat, agent in enumerate(self.possible_agents)}
        units = course.units
        self.rewards = {agent: float(units[seats[agent]] - before[seats[agent]]) for agent in self.agents}
        living = course.session.alive
        self.terminations = {agent: course.is_over or seats[agent] not in living for agent in self.agents}
        if not course.is_over:
            self.agent_selection = self.possible_agents[course.player]
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
) -> SequentialTable:
    """The AEC environment without wrappers: an illegal action raises `CannotStudy`.

    Args:
        game: the catalogue id, such as `salomon-1986`.
        players: how many.
        rounds: how many rounds an episode has; `None` for a whole match of a card game, or ten hands of a digit game.
        options: those that differ from the game's own, as in a record.
        opener: the seat that opens the first round.
        from_slips: deal from slips; by default single hands come as bills, and sessions as the game usually does.
        render_mode: `human`, `ansi` or `None`.

    Raises:
        LiarsPokerError: there is no such game, option or number of players, or the game has no end.

    >>> table = raw_env("dollar-bill", options={"hand_size": 1, "symbols": 2})
    >>> table.reset(seed=3)
    >>> table.observe("player_0")["action_mask"]
    array([1, 1, 1, 1, 0, 0], dtype=int8)
    """
    study = Study.of(game, players, rounds=rounds, options=options, opener=opener, from_slips=from_slips)
    return SequentialTable(study, render_mode)
