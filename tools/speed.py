#!/usr/bin/env python3
"""How fast engines search, side by side: nodes a second, and the time it takes them to a depth.

    tools/speed.py                                                       the default engine beside Stockfish classical
    tools/speed.py 'one=tabia uci' 'two=tabia uci; Threads=2' --depth 18     what a second thread is worth
    tools/speed.py 'old=old/tabia uci' 'new=new/tabia uci' --rounds 5 --cpu 1

An engine is NAME=COMMAND, with UCI options behind it: `; Option=value`. Each position is searched by every engine in
turn, from an empty table, round after round, so that what slows the machine slows all of them; positions are those of
`tabia bench`. Time to depth is the geometric mean over positions of the median over rounds, and so are the ratios to
the first engine. A depth is not the same thing in two engines that prune differently: compare versions of one.

Only the standard library.
"""

import argparse
import math
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import time

from built import GAMES_DIR, tabia_binary

# Of those `tabia bench` searches, the ones that are neither decided nor blocked.
POSITIONS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 11",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbqkb1r/pp3ppp/4pn2/2pp4/3P1B2/2P1PN2/PP3PPP/RN1QKB1R b KQkq - 0 5",
    "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1P1P1/PP2BP1P/R1BQ1RK1 w - - 1 12",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1bq1r1k/b1p1npp1/p2p3p/1p6/3PP3/1B2NN2/PP3PPP/R2Q1RK1 w - - 1 16",
    "3r1rk1/1pp1bpp1/6p1/pP1npqPn/8/4N2P/P2PP3/1B2BRK1 w - - 0 20",
    "4r1k1/r1q2ppp/ppp2n2/4P3/5Rb1/1N1BQ3/PPP3PP/R5K1 w - - 1 17",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 15",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 42",
    "1r3k2/4q3/2Pp3b/3Bp3/2Q2p2/1p1P2P1/1P2KP2/3N4 w - - 0 47",
]


class Engine:
    """A UCI engine that runs until it is told to go."""

    def __init__(self, text: str, hash_mb: int, cpu: str | None):
        self.name, _, rest = text.partition("=")
        command, *options = [part.strip() for part in rest.split(";")]
        if not command:
            sys.exit(f'speed.py: "{text}" is not NAME=COMMAND, as "one=tabia uci; Threads=2"')
        words = shlex.split(command)
        if words[0] == "tabia":
            words[0] = str(tabia_binary())
        path = os.pathsep.join([os.environ.get("PATH", ""), str(GAMES_DIR)])
        program = shutil.which(words[0], path=path)
        if program is None:
            sys.exit(f'speed.py: {self.name}: there is no program "{words[0]}"')
        pinned = ["taskset", "-c", cpu] if cpu is not None else []
        self.process = subprocess.Popen(
            [*pinned, program, *words[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("uci")
        offered = [line for line in self.until("uciok") if line.startswith("option name ")]
        known = [line.removeprefix("option name ").split(" type ")[0] for line in offered]
        for option in [f"Hash={hash_mb}", *options]:
            name, _, value = option.partition("=")
            if name.lower() not in (known_name.lower() for known_name in known):
                sys.exit(f'speed.py: {self.name} has no option "{name}"; it has {", ".join(known)}')
            self.say(f"setoption name {name} value {value}")

    def say(self, text: str):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def until(self, word: str) -> list[str]:
        lines = []
        for line in self.process.stdout:
            if line.startswith(word):
                return lines
            lines.append(line.strip())
        sys.exit(f"speed.py: {self.name} ended before it said {word}")

    def search(self, fen: str, limit: str) -> tuple[float, int, int]:
        """Seconds, nodes and depth of a search from an empty table."""
        self.say("ucinewgame")
        self.say("isready")
        self.until("readyok")
        self.say(f"position fen {fen}")
        start = time.perf_counter()
        self.say(f"go {limit}")
        lines = self.until("bestmove")
        seconds = time.perf_counter() - start
        told = [line.split() for line in lines if line.startswith("info ") and " nodes " in line and " depth " in line]
        words = told[-1]
        value = lambda name: int(words[words.index(name) + 1])  # noqa: E731
        return seconds, value("nodes"), value("depth")

    def quit(self):
        self.say("quit")
        self.process.wait(timeout=10)


def geometric(numbers) -> float:
    return math.exp(statistics.fmean(math.log(number) for number in numbers))


def table(rows: list[list[str]]):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) if at == 0 else text.rjust(width) for at, (text, width) in enumerate(zip(row, widths))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="*", help="NAME=COMMAND; Option=value; … (default: tabia, and Stockfish classical)")
    parser.add_argument("--depth", type=int, default=14, help="depth for the time to depth (default: 14)")
    parser.add_argument("--ms", type=int, default=500, help="milliseconds a search for nodes a second (default: 500)")
    parser.add_argument("--rounds", type=int, default=3, help="how often each search is repeated (default: 3)")
    parser.add_argument("--hash", type=int, default=16, metavar="MB", help="each engine's table (default: 16)")
    parser.add_argument("--cpu", help="processors that engines may use, as taskset names them (default: all)")
    given = parser.parse_args()
    texts = given.engine or ["tabia=tabia uci", "stockfish=stockfish; Use NNUE=false"]
    engines = [Engine(text, given.hash, given.cpu) for text in texts]

    speeds = {engine.name: [] for engine in engines}
    times = {engine.name: [[] for _ in POSITIONS] for engine in engines}
    for number in range(given.rounds):
        for at, fen in enumerate(POSITIONS):
            for engine in engines:
                seconds, nodes, _ = engine.search(fen, f"movetime {given.ms}")
                speeds[engine.name].append(nodes / seconds)
                times[engine.name][at].append(engine.search(fen, f"depth {given.depth}")[0])
        print(f"round {number + 1} of {given.rounds}", file=sys.stderr)
    for engine in engines:
        engine.quit()

    first = engines[0].name
    to_depth = {name: [statistics.median(rounds) for rounds in all_times] for name, all_times in times.items()}
    rows = [["", "nodes a second", "ratio", f"ms to depth {given.depth}", "ratio"]]
    for name, found in speeds.items():
        faster = geometric(mine / theirs for mine, theirs in zip(found, speeds[first]))
        slower = geometric(mine / theirs for mine, theirs in zip(to_depth[name], to_depth[first]))
        milliseconds = 1000 * geometric(to_depth[name])
        rows.append([name, f"{geometric(found):,.0f}", f"{faster:.2f}", f"{milliseconds:,.1f}", f"{slower:.2f}"])
    table(rows)


if __name__ == "__main__":
    main()
