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
import statistics
import sys
import time

from built import tabia_binary
from uci import Engine, bench_positions, last

# Of those `tabia bench` searches, the ones that are neither decided nor blocked nor from Chess960.
CHOSEN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 16]


def timed(engine: Engine, fen: str, limit: str) -> tuple[float, int]:
    """Seconds and nodes of a search from an empty table."""
    engine.new_game(fen)
    start = time.perf_counter()
    said = engine.go(limit)
    seconds = time.perf_counter() - start
    nodes = last(said, "nodes")
    if nodes is None:
        sys.exit(f"speed.py: {engine.name} did not say how many nodes it searched")
    return seconds, nodes


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
    tabia = tabia_binary()
    positions = [fen for at, fen in enumerate(bench_positions(tabia)) if at in CHOSEN]
    engines = [Engine.from_text(text, tabia, given.cpu, defaults=[f"Hash={given.hash}"]) for text in texts]

    speeds = {engine.name: [] for engine in engines}
    times = {engine.name: [[] for _ in positions] for engine in engines}
    for number in range(given.rounds):
        for at, fen in enumerate(positions):
            for engine in engines:
                seconds, nodes = timed(engine, fen, f"movetime {given.ms}")
                speeds[engine.name].append(nodes / seconds)
                times[engine.name][at].append(timed(engine, fen, f"depth {given.depth}")[0])
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
