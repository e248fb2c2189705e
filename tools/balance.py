#!/usr/bin/env python3
"""What the engine thinks of Tabia's own openings: names those that give one side too much.

    tools/balance.py --tabia target/release/tabia --nodes 200000 --most 60
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import chess

from uci import Engine, last

LIST = Path(__file__).resolve().parents[1] / "crates" / "arena" / "src" / "openings" / "balanced.txt"


def white_cp(engine: Engine, board: chess.Board, nodes: int) -> int:
    """White's view in centipawns; each position is searched as if it were the first."""
    engine.new_game(board.fen())
    said = engine.go(f"nodes {nodes}")
    # No score in centipawns is a mate.
    cp = last(said, "score cp")
    cp = 10_000 if cp is None else cp
    return cp if board.turn == chess.WHITE else -cp


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tabia", default="target/release/tabia", help="the binary")
    arguments.add_argument("--nodes", type=int, default=200_000, help="nodes for each opening")
    arguments.add_argument("--most", type=int, default=60, help="the most that one side may have, in centipawns")
    options = arguments.parse_args()
    engine = Engine("tabia", [options.tabia, "uci"])
    count = outside = 0
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, moves = line.split(":")
        board = chess.Board()
        for move in moves.split():
            board.push_san(move)
        cp = white_cp(engine, board, options.nodes)
        count += 1
        if abs(cp) > options.most:
            outside += 1
            print(f"line {number}: {cp:+} {name}", flush=True)
    engine.quit()
    print(f"{count} openings, {outside} beyond {options.most} centipawns after {options.nodes} nodes")
    sys.exit(1 if outside else 0)


if __name__ == "__main__":
    main()
