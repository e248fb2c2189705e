#!/usr/bin/env python3
"""Tortures `tabia match`: kills it with signal 9 at random moments and compares bytes; lets engines fail in every way.

    tools/match_torture.py                       200 games killed ten times, 2000 games with faults
    tools/match_torture.py --games 40 --kills 3 --faulty 200

Needs a built binary ($TABIA, or target/release/tabia). Exit status 1 if a byte, a game or a process is out of place.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DANCER = ROOT / "crates" / "arena" / "tests" / "tournaments" / "dancer.sh"
FAULTS = ["crash", "exit", "hang", "illegal", "none", "rubbish", "twice"]


def binary() -> str:
    default = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "tabia"
    return os.environ.get("TABIA", str(default))


def marked(tag: str) -> list[str]:
    """Processes that carry a tag among their arguments or in their environment, zombies not counted."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") + (entry / "environ").read_bytes().split(b"\0")
            if b") Z " in (entry / "stat").read_bytes():
                continue
        except OSError:
            continue
        if any(tag.encode() in word for word in words) and entry.name != str(os.getpid()):
            found.append(entry.name)
    return found


def gone(tag: str, seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while left := marked(tag):
        if time.monotonic() > deadline:
            print(f"left behind: {left}")
            return False
        time.sleep(0.02)
    return True


def killed(arguments: argparse.Namespace, folder: Path) -> bool:
    """A match killed again and again ends with the same bytes as one left alone."""
    tag = f"torture-{os.getpid()}"
    child = f"child=uci(cmd={binary()} uci,option.Hash=1)"
    agents = ["--agent", "engine(hash=1)", "--agent", child, "--nodes", str(arguments.nodes)]
    agents += ["--games", str(arguments.games), "--seed", str(arguments.seed)]
    environment = os.environ | {"DANCER": tag}
    started = time.monotonic()
    whole = subprocess.run([binary(), "match", *agents, "--run", str(folder / "whole"), "--concurrency", "1"],
                           env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    seconds = time.monotonic() - started
    print(f"{arguments.games} games at {arguments.nodes} nodes, left alone, one at a time: {seconds:.1f} s")
    if whole.returncode:
        return False

    luck = random.Random(arguments.seed)
    run = folder / "killed"
    journal = run / "games.jsonl"
    # How many games are to be finished at each kill; the moment within a game is left to chance.
    moments = sorted(luck.randrange(arguments.games) for _ in range(arguments.kills))
    kills = clean = 0
    while True:
        how = ["--resume", str(run)] if (run / "manifest.toml").exists() else [*agents, "--run", str(run)]
        workers = str(luck.randint(1, 4))
        process = subprocess.Popen([binary(), "match", *how, "--concurrency", workers],
                                   env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
        if kills == arguments.kills:
            said = process.communicate()[1].decode()
            break
        while not journal.exists() or journal.read_bytes().count(b"\n") < moments[kills]:
            time.sleep(0.001)
        time.sleep(luck.uniform(0, seconds / arguments.games))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += 1
        clean += gone(tag)
    if process.returncode:
        print(said)
    same = {name: (folder / "whole" / name).read_bytes() == (run / name).read_bytes()
            for name in ("games.pgn", "result.json", "report.html")}  # fmt: skip
    print(f"killed {kills} times, no process left after {clean} of them; bytes the same: {same}")
    return process.returncode == 0 and clean == kills and kills == arguments.kills and all(same.values())


def faulty(arguments: argparse.Namespace) -> bool:
    """Games between engines that fail in every way are all accounted for."""
    tag = f"faulty-{os.getpid()}"
    pairings = len(FAULTS) * (len(FAULTS) - 1) // 2
    games = -(-arguments.faulty // (2 * pairings)) * 2
    agents = [word for fault in FAULTS for word in ("--agent", f"{fault}=uci(cmd=sh {DANCER} {fault} 2 {tag})")]
    started = time.monotonic()
    done = subprocess.run([binary(), "match", *agents, "--nodes", "1", "--games", str(games), "--openings", "startpos",
                           "--stall", "0.5", "--json"], capture_output=True, text=True)  # fmt: skip
    seconds = time.monotonic() - started
    result = json.loads(done.stdout)
    played, planned = result["games_played"], result["games_planned"]
    lost = {player["name"]: player["illegal_moves"] + player["crashes"] for player in result["players"]}
    print(f"{played} of {planned} games with faults in {seconds:.1f} s; lost by fault: {lost}")
    # In every game somebody fails, and it is never the one without a fault.
    return played == planned and sum(lost.values()) == played and lost["none"] == 0 and gone(tag)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--faulty", type=int, default=2000)
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        good = killed(arguments, Path(folder))
    good &= not arguments.faulty or faulty(arguments)
    print("all in order" if good else "NOT in order")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
