#!/usr/bin/env python3
"""One generation of the network: games by the current one, new networks learned from them, and matches against it.

    tools/generation.py runs/g6 --seconds 900 --seed 301 --candidate 'same=' \\
        --candidate 'kings=--king-buckets 4' --candidate 'large=--king-buckets 4 --hidden 512' --device cuda

Self-play stops after so many seconds; games of earlier generations are added with --data. Each candidate is a name and the
options of `tabia tune --eval nnue` that it differs by; on a GPU all are trained at once. Then each plays the network that
the binary carries, at equal nodes and, with --tc, by the clock. The table at the end is also in DIR/report.md.
The same command goes on after an interruption: games, trainings and matches are runs that resume.
"""

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from built import tabia_binary


class Candidate(NamedTuple):
    name: str
    options: list[str]

    @staticmethod
    def read(text: str) -> "Candidate":
        name, equals, options = text.partition("=")
        if not (equals and name.isidentifier() and name not in ("games", "report")):
            raise argparse.ArgumentTypeError(f"{text!r} is no NAME=OPTIONS, as in 'kings=--king-buckets 4'")
        return Candidate(name, shlex.split(options))


def play(tabia: str, run: Path, args: argparse.Namespace) -> None:
    """Self-play for so many seconds. Shards that were finished stay, whenever it is stopped."""
    command = [tabia, "datagen", "--run", str(run), "--games", "100000000"]
    command += ["--nodes", str(args.nodes), "--seed", str(args.seed), "--eval", "nnue"]
    with subprocess.Popen(command, stdout=sys.stderr) as process:
        try:
            if process.wait(args.seconds) != 0:
                sys.exit(f"generation: {shlex.join(command)} failed")
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            process.wait()


def train(tabia: str, args: argparse.Namespace, shards: list[str]) -> None:
    """All at once on a GPU, which has room for them; one after another on processors."""
    running: list[tuple[str, subprocess.Popen]] = []

    def finish() -> None:
        for name, process in running:
            if process.wait() != 0:
                sys.exit(f"generation: the training of {name} failed; see {args.dir / name}.log")
        running.clear()

    for candidate in args.candidate:
        command = [tabia, "tune", *shards, "--eval", "nnue", "--run", str(args.dir / candidate.name), "--device", args.device]
        command += ["--python", args.python, *args.options, *candidate.options]
        with open(args.dir / f"{candidate.name}.log", "a", encoding="utf-8") as log:
            running.append((candidate.name, subprocess.Popen(command, stdout=log, stderr=log)))
        if args.device == "cpu":
            finish()
    finish()


def match(tabia: str, args: argparse.Namespace, name: str, limit: str, value: str) -> dict:
    """The candidate against the network of the binary."""
    run = args.dir / f"{name}-{limit}"
    weights = args.dir / name / "weights.nnue"
    command = [tabia, "match", "--games", str(args.games), "--seed", str(args.seed), f"--{limit}", value]
    command += ["--concurrency", str(args.concurrency), "--resume" if run.exists() else "--run", str(run)]
    command += ["--agent", f"{name}=engine(eval=nnue,weights={weights})", "--agent", "current=engine(eval=nnue)"]
    if subprocess.run(command, stdout=sys.stderr, check=False).returncode != 0:
        sys.exit(f"generation: {shlex.join(command)} failed")
    return json.loads((run / "result.json").read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path, help="directory of everything that is made")
    parser.add_argument("--candidate", type=Candidate.read, action="append", required=True, metavar="NAME=OPTIONS")
    parser.add_argument("--seconds", type=float, default=600, help="of self-play (default: 600; 0 plays no games)")
    parser.add_argument("--nodes", type=int, default=200, help="a move of self-play (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", nargs="*", default=[], metavar="FILE", help="games of earlier generations (.games)")
    parser.add_argument("--options", type=shlex.split, default=[], help="options of `tabia tune` for all candidates")
    parser.add_argument("--device", choices=["cpu", "cuda", "torch"], default="cpu")
    parser.add_argument("--python", default=sys.executable, help="a Python with PyTorch (default: this one)")
    parser.add_argument("--games", type=int, default=1000, help="of each match (default: 1000)")
    parser.add_argument("--match-nodes", default="5000", metavar="N", help="a move of the matches (default: 5000)")
    parser.add_argument("--tc", metavar="CLOCK", help="a second match of each candidate, by the clock")
    parser.add_argument("--concurrency", type=int, default=os.cpu_count(), help="games at the same time (default: all cores)")
    args = parser.parse_args()

    tabia = tabia_binary()
    args.dir.mkdir(parents=True, exist_ok=True)
    games = args.dir / "games"
    if args.seconds > 0 and not all((args.dir / candidate.name).exists() for candidate in args.candidate):
        play(tabia, games, args)
    shards = [str(path) for path in sorted(games.glob("shard-*.games"))] + args.data
    if not shards:
        sys.exit("generation: there are no games: give --seconds for self-play, or --data")
    train(tabia, args, shards)

    lines = ["| candidate | options | match | games | + = - | Elo |", "| --- | --- | --- | --- | --- | --- |"]
    limits = [("nodes", args.match_nodes)] + ([("tc", args.tc)] if args.tc else [])
    for limit, value in limits:
        for candidate in args.candidate:
            result = match(tabia, args, candidate.name, limit, value)
            points = f"{result['wins']} {result['draws']} {result['losses']}"
            elo = f"{result['elo']:+.0f} ± {result['elo_error_95']:.0f}" if result["elo"] is not None else ""
            options = shlex.join(args.options + candidate.options)
            lines.append(f"| {candidate.name} | {options} | {value} {limit} | {result['games']} | {points} | {elo} |")
            (args.dir / "report.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
