"""Quantum chess: a game, and many games at once for training.

`tabia.quantum.aec.env()` is the same game as a PettingZoo environment. The rules are told in `docs/quantum.md`.

A move is written `e2e4`, a split `b1~c3`; it has a number from 0 to below `ACTIONS`. What a network sees are `PLANES`
planes of 8×8, rank 1 first; White is White whoever moves.
"""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _native
from ..arguments import MAX, count, integer, text

ACTIONS: int = _native.ACTIONS
"""How many numbers of moves there are; not every one is a move."""
PLANES: int = _native.PLANES
"""How many planes a network sees."""
SHAPE = (PLANES, 8, 8)

__all__ = ["ACTIONS", "PLANES", "SHAPE", "Game", "Step", "VectorEnv"]

PIECES = "PNBRQKpnbrqk"
# Plies are counted in 32 bits.
MAX_PLIES = 2**32 - 1


class Game:
    """One game of quantum chess.

    >>> game = Game(seed=1)
    >>> game.push("b1~c3")
    'b1~c3'
    >>> game.branches, float(game.probability("N", "c3"))
    (2, 0.5)
    """

    def __init__(self, position: str | None = None, *, seed: int = 0, ply_limit: int | None = None) -> None:
        self._game = _native.QuantumGame(
            None if position is None else text(position, "position"), _seed(seed), count(ply_limit, "ply_limit", MAX_PLIES)
        )

    def push(self, move: str | int) -> str:
        """Play a move, written or numbered; measurements are drawn from the seed. The ply as a record writes it."""
        if isinstance(move, str):
            return self._game.push(move)
        return self._game.push_action(_action(move))

    def begin(self, action: int) -> None:
        """Make a move and leave its measurements to `answer`: chance is then explicit, as a tree search wants it."""
        self._game.begin_action(_action(action))

    @property
    def chance(self) -> float | None:
        """How likely the answer to what is being measured is yes; None where nothing is."""
        return self._game.chance

    def answer(self, yes: bool) -> None:
        """Answer what is being measured."""
        self._game.answer(bool(yes))

    def replay(self, ply: str) -> None:
        """Play a ply with its measurements as they are written: `d1d5+`."""
        self._game.replay(text(ply, "ply"))

    @property
    def moves(self) -> list[str]:
        """The legal moves."""
        return self._game.moves()

    @property
    def actions(self) -> list[int]:
        """The numbers of the legal moves."""
        return self._game.actions()

    @staticmethod
    def action(move: str) -> int:
        """The number of a move."""
        return _native.QuantumGame.action_of(text(move, "move"))

    @staticmethod
    def action_text(action: int) -> str:
        """The move of a number."""
        return _native.QuantumGame.action_text(_action(action))

    def planes(self, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """What a network sees: 28×8×8, written into `out` where one is given."""
        array = _array(out, SHAPE, np.float32)
        self._game.planes(array)
        return array

    def mask(self, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """1 for every legal action, 0 for others, written into `out` where one is given."""
        array = _array(out, (ACTIONS,), np.int8)
        self._game.mask(array)
        return array

    def probabilities(self) -> npt.NDArray[np.float64]:
        """How likely each piece stands on each square: 12×8×8, rank 8 first, White's P N B R Q K, then Black's."""
        array = np.empty((12, 8, 8))
        self._game.probabilities(array)
        return array

    def probability(self, piece: str, square: str) -> float:
        """How likely a piece, as FEN writes it, stands on a square."""
        if len(piece) != 1 or piece not in PIECES:
            raise ValueError(f'"{piece}" is no piece; write one of {PIECES}')
        file, rank = "abcdefgh".find(square[:1]), "12345678".find(square[1:2])
        if len(square) != 2 or file < 0 or rank < 0:
            raise ValueError(f'"{square}" is no square; write it like e4')
        return float(self.probabilities()[PIECES.index(piece), 7 - rank, file])

    def choose(self, agent: str = "mcts", *, seconds: float | None = None) -> str:
        """The move that an agent chooses: `random`, `greedy`, `mcts(simulations=200)`."""
        return self._game.choose(agent, seconds)

    @property
    def turn(self) -> str:
        """`white` or `black`."""
        return "white" if self._game.white_to_move else "black"

    @property
    def result(self) -> int | None:
        """1, 0 or -1 in White's view where the game is over."""
        return self._game.result

    @property
    def reason(self) -> str | None:
        """Why the game is over, if it is."""
        return self._game.reason

    @property
    def ply(self) -> int:
        return self._game.ply

    @property
    def branches(self) -> int:
        """How many classical boards the state is made of."""
        return self._game.branches

    @property
    def position(self) -> str:
        """The state as text."""
        return self._game.position

    @property
    def record(self) -> list[str]:
        """The plies played on this object."""
        return self._game.record

    def copy(self) -> Game:
        """The same game, with the same random numbers to come."""
        copied = Game.__new__(Game)
        copied._game = copy.copy(self._game)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    def _repr_svg_(self) -> str:
        over = f", {self.reason}" if self.result is not None else f", {self.turn} to move"
        return self._game.svg(f"ply {self.ply}, {self.branches} branches{over}")

    def __repr__(self) -> str:
        return f"<quantum.Game at ply {self.ply}, {self.branches} branches>"


class Step(NamedTuple):
    """What a step of many games came to. The arrays are used again by the next step: copy what is to be kept."""

    planes: npt.NDArray[np.float32]
    """n×28×8×8."""
    masks: npt.NDArray[np.int8]
    """n×9344: 1 for every legal action."""
    rewards: npt.NDArray[np.float32]
    """1 where the player who moved has won, 0 otherwise."""
    done: npt.NDArray[np.int8]
    """1 where the game ended; planes and masks are already those of the next one."""
    results: npt.NDArray[np.int8]
    """Of games that ended: 1, 0 or -1 in White's view."""
    white_to_move: npt.NDArray[np.int8]


class VectorEnv:
    """Many games that are stepped together on all cores; both sides are played by the caller.

    A game that ends begins anew in the same step (Gymnasium's `SAME_STEP`). The same seed and actions give the same
    games, whatever the number of threads.

    >>> env = VectorEnv(3, seed=1)
    >>> step = env.reset()
    >>> step.planes.shape, step.masks.shape
    ((3, 28, 8, 8), (3, 9344))
    >>> step = env.step(step.masks.argmax(axis=1))
    >>> step.white_to_move.tolist()
    [0, 0, 0]
    """

    def __init__(self, games: int, *, seed: int = 0, ply_limit: int | None = None, threads: int | None = None) -> None:
        self._batch: Any = _native.QuantumBatch(
            integer(games, "games", 0), _seed(seed), count(ply_limit, "ply_limit", MAX_PLIES), count(threads, "threads")
        )
        self._step = Step(
            planes=np.empty((games, *SHAPE), dtype=np.float32),
            masks=np.empty((games, ACTIONS), dtype=np.int8),
            rewards=np.zeros(games, dtype=np.float32),
            done=np.zeros(games, dtype=np.int8),
            results=np.zeros(games, dtype=np.int8),
            white_to_move=np.ones(games, dtype=np.int8),
        )

    def reset(self, seed: int | None = None) -> Step:
        """Begin all games anew."""
        batch = self._open()
        batch.reset(None if seed is None else _seed(seed))
        return self._observed(batch)

    def step(self, actions: npt.ArrayLike) -> Step:
        """Play one action in every game. Where one of them is not legal nothing is played, and a ValueError says which."""
        batch = self._open()
        array = np.asarray(actions)
        if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
            raise ValueError(f"actions have shape {array.shape} and type {array.dtype}; expected ({len(batch)},) integers")
        batch.step(np.ascontiguousarray(array, dtype=np.int64))
        return self._observed(batch)

    def sample(self, random: np.random.Generator) -> npt.NDArray[np.int64]:
        """A legal action for every game, uniformly."""
        self._open()
        games, actions = np.nonzero(self._step.masks)
        starts = np.searchsorted(games, np.arange(len(self)))
        counts = np.diff(np.append(starts, len(games)))
        return actions[starts + (random.random(len(self)) * counts).astype(np.int64)]

    def position(self, index: int) -> str:
        """The state of a game as text."""
        return str(self._open().position(integer(index, "index", 0)))

    def close(self) -> None:
        """Give the games' memory back; nothing can be played afterwards."""
        self._batch = None

    def __len__(self) -> int:
        return len(self._step.rewards)

    def _open(self) -> Any:
        if self._batch is None:
            raise RuntimeError("the environment is closed; make a new one")
        return self._batch

    def _observed(self, batch: Any) -> Step:
        step = self._step
        batch.observation(step.planes, step.masks)
        batch.outcome(step.rewards, step.done, step.results)
        batch.white_to_move(step.white_to_move)
        return step


def _seed(value: int) -> int:
    return integer(value, "seed", 0, 2**64 - 1)


def _action(value: int) -> int:
    """A number that may be that of a move; compiled code says whether it is."""
    return integer(value, "an action", -MAX, MAX)


def _array(out: npt.NDArray[Any] | None, shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    """A new array, or the one given if it is as expected."""
    if out is None:
        return np.empty(shape, dtype=dtype)
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype or not out.flags.c_contiguous:
        given = f"{out.shape} of {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
        raise ValueError(f"out is {given}; expected a contiguous array {shape} of {np.dtype(dtype)}")
    return out
