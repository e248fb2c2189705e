#!/usr/bin/env python3
"""Measures what the named levels of the page play like.

    tools/levels.py                                  # every level against its neighbours and against known opponents
    tools/levels.py --games 200 --runs runs/levels   # with less error; the matches are kept, and gone on with

Every level plays its neighbours, and those near an opponent of known rating play that one, too. All matches are at fixed
nodes, so that nothing else that the machine does decides anything. One rating for each level is then fitted to all
results at once, with the known ones held fixed. The table is Markdown.

The levels are read from the page (web/src/state/levels.ts).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEVELS = ROOT / "web" / "src" / "state" / "levels.ts"
# What Stockfish 15.1's UCI_Elo means on the CCRL blitz scale (docs/strength.md), and which levels meet it.
ANCHORS = {1350: (1320, (900, 1200, 1500)), 1800: (1970, (1500, 1800, 2100)), 2100: (2580, (2100, 2400, None))}
STOCKFISH = "uci(cmd={cmd},option.UCI_LimitStrength=true,option.UCI_Elo={elo})"
# Nodes of an opponent; enough for the depth at which it picks its move. And those of full strength.
OPPONENT_NODES = 20_000
FULL_NODES = 100_000
# A player's whole score is never taken for certain: so many draws are added to every match.
PRIOR_DRAWS = 1.0
ELO = 400 / math.log(10)


def levels() -> list[tuple[str, int | None]]:
    found = re.findall(r"name: '([^']+)', elo: (\d+|undefined)", LEVELS.read_text())
    return [(name, None if elo == "undefined" else int(elo)) for name, elo in found]


def spec(elo: int | None) -> str:
    return "engine" if elo is None else f"engine(elo={elo})"


def play(arguments, name: str, first: str, second: str, nodes: int) -> dict:
    """One match, gone on with where a run is there already."""
    run = arguments.runs / name
    command = [arguments.tabia, "match", "--json"]
    if (run / "manifest.toml").exists():
        command += ["--resume", str(run)]
    else:
        command += ["--run", str(run), f"--agent=first={first}", f"--agent=second={second}"]
        command += [f"--games={arguments.games}", f"--nodes={FULL_NODES}", f"--odds=second=nodes={nodes}"]
        command += [f"--seed={arguments.seed}"]
    command += [f"--concurrency={arguments.concurrency}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if done.returncode != 0:
        sys.exit(f"the match {name} failed: {' '.join(command)}")
    result = json.loads(done.stdout)
    faults = result["illegal_moves"] + result["time_losses"] + result["crashes"]
    if faults:
        print(f"{name}: {faults} games were lost otherwise than on the board", file=sys.stderr)
    return result


def expected(difference: float) -> float:
    return 1 / (1 + math.exp(-difference / ELO))


def fit(results: list[tuple[str, str, float, float]], known: dict[str, float]) -> tuple[dict, dict]:
    """Ratings that explain the scores best, by Newton's method a player at a time; and their errors at 95 percent."""
    names = {name for first, second, _, _ in results for name in (first, second)}
    ratings = {name: known.get(name, 1500.0) for name in names}
    slopes = {}
    for _ in range(2000):
        moved = 0.0
        for name in sorted(names - known.keys()):
            gain = slope = 0.0
            for first, second, points, games in results:
                if name not in (first, second):
                    continue
                other, own = (second, points) if name == first else (first, games - points)
                chance = expected(ratings[name] - ratings[other])
                gain += own - games * chance
                slope += games * chance * (1 - chance)
            step = max(-200.0, min(200.0, ELO * gain / slope))
            ratings[name] += step
            slopes[name] = slope
            moved = max(moved, abs(step))
        if moved < 0.01:
            break
    return ratings, {name: 1.96 * ELO / math.sqrt(slope) for name, slope in slopes.items()}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=60, help="games of each match (default: 60)")
    parser.add_argument("--concurrency", type=int, default=1, help="games at the same time (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=Path, help="where matches are kept (default: a folder that is gone afterwards)")
    parser.add_argument("--tabia", default=os.environ.get("TABIA", "tabia"), help="the program (default: TABIA, or tabia)")
    parser.add_argument("--stockfish", default="stockfish", help="Stockfish 15.1, whose ratings are known")
    return parser.parse_args()


def main() -> None:
    asked = arguments()
    kept = tempfile.TemporaryDirectory(prefix="tabia-levels-") if asked.runs is None else None
    asked.runs = asked.runs or Path(kept.name)
    asked.runs.mkdir(parents=True, exist_ok=True)
    ladder = levels()
    pairs = [
        (first, second, f"{first[1] or 'full'}-{second[1] or 'full'}", spec(second[1]), FULL_NODES)
        for first, second in zip(ladder, ladder[1:])
    ]
    known = {}
    for elo, (rating, near) in ANCHORS.items():
        name = f"Stockfish {elo}"
        known[name] = float(rating)
        for level in ladder:
            if level[1] in near:
                opponent = STOCKFISH.format(cmd=asked.stockfish, elo=elo)
                pairs.append((level, (name, elo), f"{level[1] or 'full'}-stockfish-{elo}", opponent, OPPONENT_NODES))
    results = []
    for first, second, name, opponent, nodes in pairs:
        result = play(asked, name, spec(first[1]), opponent, nodes)
        wins, draws, losses = result["wins"], result["draws"], result["losses"]
        print(f"{first[0]} – {second[0]}: +{wins} ={draws} −{losses}", file=sys.stderr, flush=True)
        results.append((first[0], second[0], wins + draws / 2 + PRIOR_DRAWS / 2, result["games"] + PRIOR_DRAWS))
    ratings, errors = fit(results, known)
    print("| level | `elo` | plays like |\n| --- | --- | --- |")
    for name, elo in ladder:
        print(f"| {name} | {elo or 'not set'} | {ratings[name]:.0f} ± {errors[name]:.0f} |")


if __name__ == "__main__":
    main()
