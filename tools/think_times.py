#!/usr/bin/env python3
"""How long agents think: nodes and time a move over fixed middlegame positions, each at its own limits.

    tools/think_times.py axiomx-speed axiomx 'alphabeta(depth=4)' 'alphabeta(depth=4,ordering=off)'
    tools/think_times.py --rounds 20 axiomx

With rounds, the shortest time of each position counts: what the machine does beside it is left out. To compare two
builds, name both: TABIA=old/tabia:new/tabia. They take turns, round by round. With --cpu it is the processor's time,
start included, averaged over the rounds: on a busy machine the better measure of searches too long to go undisturbed.
"""

from __future__ import annotations

import argparse
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


class Player:
    """An agent over UCI, and the shortest time it took for each position."""

    def __init__(self, tabia: str, agent: str):
        self.agent = agent
        self.engine = subprocess.Popen(
            [tabia, "uci", "--agent", agent], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.nodes = [0] * len(POSITIONS)
        self.seconds = [float("inf")] * len(POSITIONS)

    def say(self, line: str):
        self.engine.stdin.write(line + "\n")
        self.engine.stdin.flush()

    def hear(self, word: str) -> int:
        nodes = 0
        while line := self.engine.stdout.readline():
            if found := re.search(r"\bnodes (\d+)", line):
                nodes = int(found[1])
            if line.startswith(word):
                return nodes
        sys.exit(f"think_times: {self.agent} stopped talking")

    def play_round(self):
        for index, fen in enumerate(POSITIONS):
            self.say("ucinewgame")
            self.say(f"position fen {fen}")
            self.say("isready")
            self.hear("readyok")
            started = time.perf_counter()
            self.say("go movetime 600000")
            self.nodes[index] = self.hear("bestmove")
            self.seconds[index] = min(self.seconds[index], time.perf_counter() - started)

    def quit(self):
        self.say("quit")
        _, status, usage = os.wait4(self.engine.pid, 0)
        self.engine.returncode = os.waitstatus_to_exitcode(status)
        self.cpu_seconds = usage.ru_utime + usage.ru_stime

    def milliseconds(self, rounds: int | None) -> float:
        """A move, on average: by the clock, or of the processor where its rounds are given."""
        seconds = self.cpu_seconds / rounds if rounds else sum(self.seconds)
        return 1000 * seconds / len(POSITIONS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="+", metavar="AGENT")
    parser.add_argument("--rounds", type=int, default=1, help="times that each position is asked")
    parser.add_argument("--cpu", action="store_true", help="the processor's time, not the clock's")
    arguments = parser.parse_args()
    builds = os.environ.get("TABIA", "target/release/tabia").split(":")
    print("| agent |" + " nodes a move | ms a move |" * len(builds))
    print("| --- |" + " --- | --- |" * len(builds))
    for agent in arguments.agents:
        players = [Player(build, agent) for build in builds]
        for _ in range(arguments.rounds):
            for player in players:
                player.play_round()
        for player in players:
            player.quit()
        rounds = arguments.rounds if arguments.cpu else None
        averages = [(sum(p.nodes) / len(POSITIONS), p.milliseconds(rounds)) for p in players]
        print(f"| `{agent}` |" + "".join(f" {nodes:,.0f} | {ms:.2f} |" for nodes, ms in averages), flush=True)


if __name__ == "__main__":
    main()
