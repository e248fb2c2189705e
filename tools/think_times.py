#!/usr/bin/env python3
"""How long agents think: nodes and time a move over fixed middlegame positions, each at its own limits.

    tools/think_times.py axiomx-speed axiomx 'alphabeta(depth=4)' 'alphabeta(depth=4,ordering=off)'
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

POSITIONS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/3P1B2/2P1PN2/PP3PPP/RN1QKB1R b KQkq - 0 5",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1P1P1/PP2BP1P/R1BQ1RK1 w - - 1 12",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1bq1r1k/b1p1npp1/p2p3p/1p6/3PP3/1B2NN2/PP3PPP/R2Q1RK1 w - - 1 16",
    "4r1k1/r1q2ppp/ppp2n2/4P3/5Rb1/1N1BQ3/PPP3PP/R5K1 w - - 1 17",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 15",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - - 0 35",
]


def measure(tabia: str, agent: str) -> tuple[float, float]:
    """Average nodes and milliseconds a move."""
    engine = subprocess.Popen(
        [tabia, "uci", "--agent", agent], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )

    def say(line: str):
        engine.stdin.write(line + "\n")
        engine.stdin.flush()

    def hear(word: str) -> str:
        nodes = "0"
        while line := engine.stdout.readline():
            if found := re.search(r"\bnodes (\d+)", line):
                nodes = found[1]
            if line.startswith(word):
                return nodes
        sys.exit(f"think_times: {agent} stopped talking")

    nodes = elapsed = 0.0
    for fen in POSITIONS:
        say("ucinewgame")
        say(f"position fen {fen}")
        say("isready")
        hear("readyok")
        started = time.perf_counter()
        say("go movetime 600000")
        nodes += int(hear("bestmove"))
        elapsed += time.perf_counter() - started
    say("quit")
    engine.wait()
    return nodes / len(POSITIONS), 1000 * elapsed / len(POSITIONS)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tabia = os.environ.get("TABIA", "target/release/tabia")
    print("| agent | nodes a move | ms a move |")
    print("| --- | --- | --- |")
    for agent in sys.argv[1:]:
        nodes, elapsed = measure(tabia, agent)
        print(f"| `{agent}` | {nodes:,.0f} | {elapsed:.2f} |", flush=True)


if __name__ == "__main__":
    main()
