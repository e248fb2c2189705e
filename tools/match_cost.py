#!/usr/bin/env python3
"""What `tabia match` itself costs: processor seconds for games between two engines that answer at once.

    tools/match_cost.py [--games 1000]

Both engines play one fixed game of 100 half-moves, so that nothing but talking is measured. Beside it, a bare loop
over two pipes that sends the same lines and waits for the same answers. Only the program's own time counts, not its
children's. Needs a built binary ($TABIA, or target/release/tabia).
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# A legal game, as random players made it.
GAME = """
h2h4 g7g5 h1h2 f7f6 f2f4 g5g4 c2c3 c7c6 b2b3 b7b6 d2d4 c8a6 f4f5 d8c8 c1h6 e8f7 e2e3 c8e8 d1g4 d7d5 g4f4 a6b5 f4g5
f8h6 a2a3 a7a5 h2h1 b5d3 e1d2 e8d7 d2d1 e7e6 h1h2 d7a7 d1e1 d3f5 c3c4 f5e4 g1e2 b8d7 g5g8 f7g8 a1a2 g8f8 b3b4 e6e5
a2a1 a7a6 b1c3 f8f7 c3b1 e4d3 e1f2 f7e8 f2g1 c6c5 b4c5 e8e7 e2f4 h6f8 c5b6 d5c4 f4d5 e7f7 h4h5 d7b6 g2g4 f8a3 f1d3
c4d3 d5c3 f6f5 g1g2 f5g4 h2h1 a6b5 c3e4 a3e7 a1a4 e7c5 h1h3 b5b4 e4d2 f7e7 h3h4 a8a7 e3e4 e7d7 h4h3 g4h3 g2f2 b4c4
a4b4 h8b8 b4b3 d7d8 b3b5 b8c8 b1a3 c5a3
""".split()


def engine():
    """Plays the game, whichever side it is on."""
    plies = 0
    for line in sys.stdin:
        word, _, rest = line.partition(" ")
        word = word.strip()
        if word == "uci":
            print("id name Instant\nuciok", flush=True)
        elif word == "isready":
            print("readyok", flush=True)
        elif word == "position":
            plies = len(rest.partition("moves ")[2].split())
        elif word == "go":
            print(f"info depth 1 score cp 0 nodes 1 pv {GAME[plies]}\nbestmove {GAME[plies]}", flush=True)
        elif word == "quit":
            break


def own_seconds(process: subprocess.Popen) -> float:
    """Processor time of a process without its children, as long as it runs."""
    seconds = 0.0
    while process.poll() is None:
        try:
            fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            break
        seconds = max(seconds, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
        time.sleep(0.02)
    return seconds


def bare(games: int) -> float:
    """The same lines over two pipes and nothing else: no clock, no rules, no record."""
    command = [sys.executable, __file__, "--engine"]
    players = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) for _ in range(2)]

    def until(player, word: bytes):
        heard = b""
        while word not in heard or not heard.endswith(b"\n"):
            heard += os.read(player.stdout.fileno(), 65536)

    before = resource.getrusage(resource.RUSAGE_SELF)
    for player in players:
        player.stdin.write(b"uci\n")
        until(player, b"uciok")
    for game in range(games):
        for player in players:
            player.stdin.write(b"ucinewgame\nisready\n")
            until(player, b"readyok")
        for ply in range(len(GAME)):
            player = players[(ply + game) % 2]
            moves = " ".join(GAME[:ply])
            player.stdin.write(f"position startpos moves {moves}\ngo nodes 1\n".encode())
            until(player, b"bestmove")
    after = resource.getrusage(resource.RUSAGE_SELF)
    for player in players:
        player.stdin.close()
        player.wait()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--engine", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.engine:
        engine()
        return 0
    default = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "tabia"
    binary = os.environ.get("TABIA", str(default))
    spec = f"uci(cmd={sys.executable} {__file__} --engine)"
    command = [binary, "match", "--agent", f"a={spec}", "--agent", f"b={spec}", "--games", str(arguments.games)]
    command += ["--nodes", "1", "--openings", "startpos", "--concurrency", "1", "--max-moves", str(len(GAME) // 2)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    ours = own_seconds(process)
    if process.returncode:
        print(f"{' '.join(command)} failed")
        return 1
    plain = bare(arguments.games)
    per = 1000 / arguments.games
    print(f"{arguments.games} games of {len(GAME)} half-moves")
    print(f"tabia match    {ours * per:6.2f} processor seconds per 1000 games")
    print(f"bare pipe loop {plain * per:6.2f} processor seconds per 1000 games (Python)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
