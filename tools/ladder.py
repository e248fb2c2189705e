#!/usr/bin/env python3
"""A rating list: the default engine, every seed's agent, and the engines that Debian packages.

    tools/ladder.py --tc 8+0.08 --games 20 --run runs/ladder      # or go on with it, after an interruption
    tools/ladder.py --levels --tc 1+0.01 --run runs/levels        # the named levels of the page

Everybody plays those who stand next on the ladder, from weak to strong, by `tabia match --neighbours`; ratings are fitted
to all games at once, with known ratings as anchors. The run directory has the games, the result, and
a report with the plot; the list is printed as a table. Engines that are not installed are left out, and named.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from built import GAMES_DIR, tabia_binary


class Rung(NamedTuple):
    name: str
    spec: str
    # On the CCRL blitz scale, within 100 or so; see docs/strength.md.
    known: int | None = None


def stockfish(level: int, known: int) -> Rung:
    return Rung(f"stockfish-{level}", f"uci(cmd=stockfish,option.UCI_LimitStrength=true,option.UCI_Elo={level})", known)


# From weak to strong: near enough for everybody to meet equals.
RUNGS = [
    Rung("random", "random"),
    Rung("material-d3", "alphabeta(eval=material,depth=3)"),
    Rung("alphabeta-d3", "alphabeta(depth=3)"),
    Rung("chromosome", "chromosome"),
    Rung("axiomx", "axiomx"),
    Rung("alphabeta-d4", "alphabeta(depth=4)"),
    Rung("aggressive-d4", "alphabeta(eval=aggressive,depth=4)"),
    stockfish(1350, 1320),
    Rung("axiomx-speed", "axiomx-speed"),
    stockfish(1500, 1480),
    Rung("axon", "axon"),
    Rung("fairymax", "xboard(cmd=fairymax)", 1800),
    stockfish(1800, 1970),
    Rung("hoichess", "xboard(cmd=hoichess)", 2200),
    stockfish(2100, 2580),
    Rung("phalanx", "xboard(cmd=phalanx)", 2520),
    Rung("gnuchess", "uci(cmd=gnuchess -u)", 2660),
    Rung("toga2", "uci(cmd=toga2)", 2800),
    Rung("glaurung", "uci(cmd=glaurung)", 2793),
    stockfish(2400, 2915),
    stockfish(2700, 3115),
    Rung("tabia", "engine"),
    stockfish(2850, 3180),
    Rung("ethereal", "uci(cmd=ethereal-chess)", 3400),
    Rung("stockfish-classical", "uci(cmd=stockfish,option.Use_NNUE=false)"),
    Rung("stockfish", "uci(cmd=stockfish)"),
]
# The levels of the page (web/src/state/levels.ts) between opponents of known rating.
LEVELS = [
    Rung("random", "random"),
    *(Rung(f"level-{elo}", f"engine(elo={elo})") for elo in (600, 900, 1200)),
    stockfish(1350, 1320),
    Rung("level-1500", "engine(elo=1500)"),
    Rung("level-1800", "engine(elo=1800)"),
    stockfish(1800, 1970),
    Rung("level-2100", "engine(elo=2100)"),
    Rung("level-2400", "engine(elo=2400)"),
    stockfish(2100, 2580),
    Rung("tabia", "engine"),
]
# A list needs one zero. A level is measured by the opponents around it, since fast games stretch ratings.
ANCHOR = "stockfish-2100"
LEVEL_ANCHORS = {rung.name for rung in LEVELS if rung.known}


def is_installed(rung: Rung) -> bool:
    if "cmd=" not in rung.spec:
        return True
    program = rung.spec.split("cmd=")[1].split(",")[0].split()[0].rstrip(")")
    return shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", ""), GAMES_DIR])) is not None


def chosen(rungs: list[Rung], names: list[str]) -> list[Rung]:
    unknown = sorted(set(names) - {rung.name for rung in rungs})
    if unknown:
        there = ", ".join(rung.name for rung in rungs)
        sys.exit(f"ladder: nobody is called {', '.join(unknown)}; there are: {there}")
    rungs = [rung for rung in rungs if not names or rung.name in names]
    for rung in rungs:
        if not is_installed(rung):
            print(f"ladder: {rung.name} is not installed and is left out", file=sys.stderr)
    return [rung for rung in rungs if is_installed(rung)]


def table(result: dict) -> str:
    """The list, best first, as Markdown."""
    known = {rung.name: rung.known for rung in RUNGS + LEVELS}
    lines = ["| | rating | ± 95% | games | points | known as |", "| --- | --- | --- | --- | --- | --- |"]
    for row in result["ratings"]["players"]:
        name = result["agents"][row["player"]]
        error = "anchor" if row["anchored"] else f"{row['elo_error_95']:.0f}" if row["elo_error_95"] else ""
        share = f"{100 * row['points'] / row['games']:.0f}%" if row["games"] else ""
        lines.append(f"| {name} | {row['elo']:.0f} | {error} | {row['games']} | {share} | {known.get(name) or ''} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="who takes part (default: everybody)")
    parser.add_argument("--levels", action="store_true", help="the named levels of the page instead")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--tc", metavar="CLOCK", help="a clock for each side (default: 8+0.08)")
    limit.add_argument("--nodes", metavar="N", help="nodes a move instead")
    parser.add_argument("--games", default="20", metavar="N", help="games of each pairing (default: 20)")
    parser.add_argument("--neighbours", default="3", metavar="N", help="how many who follow each one meets (default: 3)")
    parser.add_argument("--concurrency", metavar="N", help="games at the same time")
    parser.add_argument("--run", type=Path, default=Path("runs/ladder"), metavar="DIR", help="default: runs/ladder")
    args = parser.parse_args()

    rungs = chosen(LEVELS if args.levels else RUNGS, args.names)
    command = [tabia_binary(), "match", "--games", args.games, "--neighbours", args.neighbours]
    command += ["--nodes", args.nodes] if args.nodes else ["--tc", args.tc or "8+0.08"]
    command += ["--draw", "40,8,10", "--resign", "3,600"]
    command += ["--concurrency", args.concurrency] if args.concurrency else []
    command += ["--resume" if args.run.exists() else "--run", str(args.run)]
    anchors = LEVEL_ANCHORS if args.levels else {ANCHOR}
    for rung in rungs:
        command += ["--agent", f"{rung.name}={rung.spec}"]
        command += ["--anchor", f"{rung.name}={rung.known}"] if rung.name in anchors else []
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    result = args.run / "result.json"
    if result.exists():
        print(table(json.loads(result.read_text())))
        print(f"\nGames, result and plot: {args.run}", file=sys.stderr)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
