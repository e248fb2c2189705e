#!/usr/bin/env python3
"""Measures the Python package beside its peers, in one run: python_speed.py [POSITIONS]

Batch evaluation beside python-chess asking Stockfish for the same through UCI (one node a position), and steps of quantum chess,
single and vectorised, beside PettingZoo's classic games where they are installed (`pip install 'pettingzoo[classic]'`). One run
is an anecdote: what else runs on the machine counts.
"""

import sys
import time

import chess
import chess.engine
import numpy as np

import tabia
from tabia import quantum


def positions(count: int) -> list[chess.Board]:
    random, board, found = np.random.default_rng(1), chess.Board(), []
    while len(found) < count:
        moves = list(board.legal_moves)
        if not moves or board.ply() > 80:
            board = chess.Board()
            continue
        board.push(moves[random.integers(len(moves))])
        found.append(board.copy(stack=False))
    return found


def timed(name: str, count: int, work) -> None:
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    print(f"{name:<52} {count / seconds:>12,.0f} a second   ({count} in {seconds:.2f} s)")


def evaluations(count: int) -> None:
    boards = positions(count)
    fens = [board.fen() for board in boards]
    for name in ("field", "nnue"):
        timed(f"evaluate_many, {name}, FENs", count, lambda name=name: tabia.evaluate_many(fens, name))
        timed(f"evaluate_many, {name}, FENs, one thread", count, lambda name=name: tabia.evaluate_many(fens, name, threads=1))
    timed("evaluate_many, field, boards of python-chess", count, lambda: tabia.evaluate_many(boards))
    few = boards[: max(count // 10, 1)]
    with chess.engine.SimpleEngine.popen_uci("stockfish") as engine:
        engine.configure({"Threads": 1})
        limit = chess.engine.Limit(nodes=1)
        timed("python-chess + Stockfish, one node", len(few), lambda: [engine.analyse(board, limit) for board in few])


def steps() -> None:
    random = np.random.default_rng(1)

    def single(count: int) -> None:
        game = quantum.Game(seed=1)
        for _ in range(count):
            if game.result is not None:
                game = quantum.Game(seed=int(random.integers(1 << 60)))
            game.push(int(random.choice(game.actions)))
            game.planes()
            game.mask()

    timed("quantum.Game with planes and mask", 3000, lambda: single(3000))
    for games in (64, 1024):
        env = quantum.VectorEnv(games, seed=1)
        env.reset()
        count = 60

        def vectorised(env=env, count=count) -> None:
            for _ in range(count):
                env.step(env.sample(random))

        timed(f"quantum.VectorEnv of {games}", games * count, vectorised)
    try:
        from pettingzoo.classic import chess_v6, connect_four_v3, tictactoe_v3

        from tabia.quantum import aec
    except ImportError as error:
        print(f"PettingZoo's classic games are not installed: {error}")
        return
    games = {"quantum chess of Tabia": aec, "chess_v6": chess_v6, "connect_four_v3": connect_four_v3, "tictactoe_v3": tictactoe_v3}
    for name, module in games.items():
        timed(f"PettingZoo: {name}", 1000, lambda module=module: played(module.env(), 1000, random))


def played(env, count: int, random: np.random.Generator) -> None:
    env.reset(seed=1)
    for _ in range(count):
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.reset(seed=1)
            continue
        env.step(int(random.choice(np.flatnonzero(observation["action_mask"]))))


if __name__ == "__main__":
    evaluations(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
    steps()
