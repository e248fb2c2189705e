"""Quantum chess as a game of OpenSpiel, with measurements as explicit chance nodes.

Importing this module registers `python_tabia_quantum_chess`:

    import pyspiel, tabia.quantum.openspiel
    game = pyspiel.load_game("python_tabia_quantum_chess")
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from . import ACTIONS, PLANES, SHAPE, Game

NAME = "python_tabia_quantum_chess"
# Plies, and two measurements a ply at most.
LONGEST = 512

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Quantum chess (Tabia)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={},
)
_INFO = pyspiel.GameInfo(
    num_distinct_actions=ACTIONS,
    max_chance_outcomes=2,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=LONGEST,
)


class QuantumChessGame(pyspiel.Game):
    """The rules, as OpenSpiel asks for them."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(_TYPE, _INFO, params or {})

    def new_initial_state(self) -> QuantumChessState:
        return QuantumChessState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> QuantumChessObserver:
        return QuantumChessObserver()


class QuantumChessState(pyspiel.State):
    """A state; White is player 0."""

    def __init__(self, game: QuantumChessGame) -> None:
        super().__init__(game)
        self._quantum = Game(ply_limit=LONGEST)

    def current_player(self) -> int:
        if self._quantum.result is not None:
            return pyspiel.PlayerId.TERMINAL
        if self._quantum.chance is not None:
            return pyspiel.PlayerId.CHANCE
        return 0 if self._quantum.turn == "white" else 1

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._quantum.actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """0 is no, 1 is yes."""
        yes = self._quantum.chance or 0.0
        return [(0, 1.0 - yes), (1, yes)]

    def _apply_action(self, action: int) -> None:
        if self._quantum.chance is not None:
            self._quantum.answer(action == 1)
        else:
            self._quantum.begin(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return "+" if action == 1 else "-"
        return Game.action_text(action)

    def is_terminal(self) -> bool:
        return self._quantum.result is not None

    def returns(self) -> list[float]:
        result = float(self._quantum.result or 0)
        return [result, -result]

    def __str__(self) -> str:
        return self._quantum.position


class QuantumChessObserver:
    """The 28 planes as OpenSpiel's tensor."""

    def __init__(self) -> None:
        self.tensor = np.zeros(PLANES * 64, dtype=np.float32)
        self.dict = {"observation": self.tensor.reshape(SHAPE)}

    def set_from(self, state: QuantumChessState, player: int) -> None:
        state._quantum.planes(self.dict["observation"])

    def string_from(self, state: QuantumChessState, player: int) -> str:
        return str(state)


pyspiel.register_game(_TYPE, QuantumChessGame)
