"""Quantum chess as a PettingZoo environment (AEC), for the agents `white` and `black`.

An observation is `{"observation": 28×8×8 planes, "action_mask": 9344 zeros and ones}`. White is White whoever observes.
Measurements are drawn from the seed of `reset`: the same seed and actions give the same game.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ..arguments import MAX, integer
from . import ACTIONS, SHAPE, Game

AGENTS = ("white", "black")


def env(**options: Any) -> AECEnv:
    """The environment with PettingZoo's usual wrappers: an illegal action loses the game."""
    environment: AECEnv = raw_env(**options)
    environment = wrappers.TerminateIllegalWrapper(environment, illegal_reward=-1)
    environment = wrappers.AssertOutOfBoundsWrapper(environment)
    return wrappers.OrderEnforcingWrapper(environment)


class raw_env(AECEnv):  # noqa: N801 -- PettingZoo's own name for it
    """The environment without wrappers: an illegal action raises a ValueError."""

    metadata: dict[str, Any] = {
        "name": "tabia_quantum_chess_v0",
        "render_modes": ["ansi", "svg"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, *, ply_limit: int | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f'there is no render mode "{render_mode}"; there are ansi and svg')
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        self._ply_limit = ply_limit
        self._game: Game | None = None
        observed = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, SHAPE, dtype=np.float32),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), dtype=np.int8),
            }
        )
        self.observation_spaces = {agent: observed for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in AGENTS}
        # `last` asks for it, and then for an observation, which says that nothing has begun.
        self.agent_selection = "white"
        self._closed = False
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._refuse_closed()
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._game = Game(seed=int(self._random.integers(2**63)), ply_limit=self._ply_limit)
        self.agents = list(AGENTS)
        self.agent_selection = "white"
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}

    def observe(self, agent: str) -> dict[str, Any]:
        game = self._playing()
        if agent not in AGENTS:
            raise ValueError(f"no agent is called {agent!r}; there are white and black")
        mask = np.zeros(ACTIONS, dtype=np.int8)
        if agent == self.agent_selection and game.result is None:
            game.mask(mask)
        return {"observation": game.planes(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        game = self._playing()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move; None is an action only after the game has ended")
        self._cumulative_rewards[agent] = 0
        game.push(integer(action, "an action", -MAX, MAX))
        self._clear_rewards()
        if game.result is not None:
            # A limit of plies is no end by the rules.
            over = self.truncations if game.reason == "move limit" else self.terminations
            for player in AGENTS:
                over[player] = True
                self.infos[player] = {"reason": game.reason}
            self.rewards = {"white": game.result, "black": -game.result}
        self.agent_selection = "black" if agent == "white" else "white"
        self._accumulate_rewards()

    def render(self) -> str | None:
        if self.render_mode is None:
            gymnasium.logger.warn("render_mode is not set; make the environment with render_mode='ansi' or 'svg'")
            return None
        game = self._playing()
        return game.position if self.render_mode == "ansi" else game._repr_svg_()

    def close(self) -> None:
        self._closed = True

    def _refuse_closed(self) -> None:
        if self._closed:
            raise RuntimeError("the environment is closed; make a new one")

    def _playing(self) -> Game:
        self._refuse_closed()
        if self._game is None:
            raise RuntimeError("reset the environment before the first step")
        return self._game
