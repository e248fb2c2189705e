#!/usr/bin/env python3
"""Plays everybody against everybody and fits one rating to each (the arena replaces it later).

    tools/roundrobin.py --depth 3 --games 40 axon='alphabeta(eval=axon,depth=3)' pst='alphabeta(eval=pst,depth=3)'
    tools/roundrobin.py --tc 1+0.01 --games 40 axon='engine(eval=axon)' pst='engine(eval=pst)'

Each player is LABEL=AGENT, an agent spec of `tabia uci --agent`. Matches are `ladder.py`'s: colour-swapped pairs
from its openings. Ratings are fitted jointly to all results (Bradley and Terry, a draw is half a win) and have mean
zero; the error is 95%, from the curvature of the likelihood.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from pathlib import Path

LADDER = Path(__file__).with_name("ladder.py")
ELO = 400 / math.log(10)
# A drawn game with an imaginary average player keeps ratings finite where somebody won everything.
PRIOR_GAMES = 1.0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", metavar="LABEL=AGENT")
    parser.add_argument("--games", type=int, default=40, help="games a pairing")
    parser.add_argument("--concurrency", type=int, default=2)
    limit = parser.add_mutually_exclusive_group(required=True)
    for name in ("tc", "nodes", "depth", "movetime"):
        limit.add_argument(f"--{name}")
    options = parser.parse_args()
    if any("=" not in player for player in options.players) or len(options.players) < 2:
        parser.error("give at least two players as LABEL=AGENT")
    return options


def gauntlet(options: argparse.Namespace, first: str, others: list[str]) -> list[dict]:
    """Results of one player against others, from its view."""
    tabia = os.environ.get("TABIA", "target/release/tabia")

    def player(text: str) -> str:
        label, agent = text.split("=", 1)
        return f"cmd:{tabia} uci --agent '{agent}':label={label}"

    limit = next(name for name in ("tc", "nodes", "depth", "movetime") if getattr(options, name))
    command = [sys.executable, str(LADDER), "--json", "--adjudicate", "--games", str(options.games)]
    command += ["--concurrency", str(options.concurrency), f"--{limit}", getattr(options, limit)]
    command += ["--engine", player(first), *map(player, others)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if done.returncode == 2 or not done.stdout:
        sys.exit(f"roundrobin: the ladder failed: {' '.join(command)}")
    return json.loads(done.stdout)["matches"]


def fit(count: int, scores: dict[tuple[int, int], tuple[float, int]]) -> tuple[list[float], list[float]]:
    """Ratings and their 95% errors from (points of the first, games) of each pairing."""
    ratings = [0.0] * count
    for _ in range(500):
        slope = [-PRIOR_GAMES * (1 / (1 + math.exp(-r)) - 0.5) for r in ratings]
        curve = [PRIOR_GAMES * 0.25] * count
        for (a, b), (points, games) in scores.items():
            expected = 1 / (1 + math.exp(ratings[b] - ratings[a]))
            slope[a] += points - games * expected
            slope[b] -= points - games * expected
            for player in (a, b):
                curve[player] += games * expected * (1 - expected)
        ratings = [r + 0.5 * s / c for r, s, c in zip(ratings, slope, curve)]
    mean = sum(ratings) / count
    return [ELO * (r - mean) for r in ratings], [1.96 * ELO / math.sqrt(c) for c in curve]


def main():
    options = arguments()
    labels = [player.split("=", 1)[0] for player in options.players]
    scores: dict[tuple[int, int], tuple[float, int]] = {}
    for index, first in enumerate(options.players[:-1]):
        for offset, result in enumerate(gauntlet(options, first, options.players[index + 1 :])):
            points = result["wins"] + result["draws"] / 2
            games = result["wins"] + result["draws"] + result["losses"]
            scores[index, index + 1 + offset] = (points, games)
            print(f"{labels[index]} - {labels[index + 1 + offset]}: {points:g} of {games}", file=sys.stderr)
    ratings, errors = fit(len(labels), scores)
    order = sorted(range(len(labels)), key=lambda player: -ratings[player])
    print("| | Elo | ± 95% | " + " | ".join(labels[player] for player in order) + " |")
    print("| --- " * (3 + len(order)) + "|")
    for player in order:
        cells = []
        for other in order:
            if player == other:
                cells.append("")
            elif (player, other) in scores:
                points, games = scores[player, other]
                cells.append(f"{100 * points / games:.0f}%")
            else:
                points, games = scores[other, player]
                cells.append(f"{100 - 100 * points / games:.0f}%")
        print(f"| {labels[player]} | {ratings[player]:+.0f} | {errors[player]:.0f} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
