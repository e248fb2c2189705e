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
import time

from uci import Engine, bench_positions, last

# Openings and middlegames of those `tabia bench` searches.
CHOSEN = [0, 3, 4, 5, 6, 7, 8, 10, 11, 20]


class Player:
    """An agent over UCI, and the shortest time it took for each position."""

    def __init__(self, tabia: str, agent: str):
        self.engine = Engine(agent, [tabia, "uci", "--agent", agent])
        self.positions = [fen for at, fen in enumerate(bench_positions(tabia)) if at in CHOSEN]
        self.nodes = [0] * len(self.positions)
        self.seconds = [float("inf")] * len(self.positions)

    def play_round(self):
        for index, fen in enumerate(self.positions):
            self.engine.new_game(fen)
            started = time.perf_counter()
            said = self.engine.go("movetime 600000")
            self.seconds[index] = min(self.seconds[index], time.perf_counter() - started)
            self.nodes[index] = last(said, "nodes") or 0

    def quit(self):
        self.engine.quit()
        _, status, usage = os.wait4(self.engine.process.pid, 0)
        self.engine.process.returncode = os.waitstatus_to_exitcode(status)
        self.cpu_seconds = usage.ru_utime + usage.ru_stime

    def nodes_a_move(self) -> float:
        return sum(self.nodes) / len(self.positions)

    def milliseconds(self, rounds: int | None) -> float:
        """A move, on average: by the clock, or of the processor where its rounds are given."""
        seconds = self.cpu_seconds / rounds if rounds else sum(self.seconds)
        return 1000 * seconds / len(self.positions)


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
        averages = [(player.nodes_a_move(), player.milliseconds(rounds)) for player in players]
        print(f"| `{agent}` |" + "".join(f" {nodes:,.0f} | {ms:.2f} |" for nodes, ms in averages), flush=True)


if __name__ == "__main__":
    main()
