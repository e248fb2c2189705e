#!/usr/bin/env python3
"""What the engine thinks of Tabia's own openings: names those that give one side too much.

    tools/balance.py --tabia target/release/tabia --nodes 200000 --most 60
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

import chess

LIST = Path(__file__).resolve().parents[1] / "crates" / "arena" / "src" / "openings" / "balanced.txt"


class Engine:
    """A UCI engine that is asked for scores."""

    def __init__(self, command: str):
        self.process = subprocess.Popen([command, "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say("uci")
        self.hear("uciok")

    def say(self, line: str):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, word: str) -> list[str]:
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(word):
                return lines
        sys.exit(f"the engine ended without {word}")

    def white_cp(self, board: chess.Board, nodes: int) -> int:
        """White's view in centipawns; each position is searched as if it were the first."""
        self.say("ucinewgame")
        self.say(f"position fen {board.fen()}")
        self.say(f"go nodes {nodes}")
        found = re.findall(r"score cp (-?\d+)", "".join(self.hear("bestmove")))
        cp = int(found[-1]) if found else 10_000
        return cp if board.turn == chess.WHITE else -cp


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tabia", default="target/release/tabia", help="the binary")
    arguments.add_argument("--nodes", type=int, default=200_000, help="nodes for each opening")
    arguments.add_argument("--most", type=int, default=60, help="the most that one side may have, in centipawns")
    options = arguments.parse_args()
    engine = Engine(options.tabia)
    count = outside = 0
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, moves = line.split(":")
        board = chess.Board()
        for move in moves.split():
            board.push_san(move)
        cp = engine.white_cp(board, options.nodes)
        count += 1
        if abs(cp) > options.most:
            outside += 1
            print(f"line {number}: {cp:+} {name}", flush=True)
    engine.say("quit")
    print(f"{count} openings, {outside} beyond {options.most} centipawns after {options.nodes} nodes")
    sys.exit(1 if outside else 0)


if __name__ == "__main__":
    main()
