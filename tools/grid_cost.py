#!/usr/bin/env python3
"""What a grid costs: the same work on two threads, and on two workers at a NATS server on this machine, in one run.

    tools/grid_cost.py [--games N] [--rounds N]

Rounds alternate, so that whatever else the machine does hits both alike; the ratio is of the medians. `overhead` is the price of a task that takes no
time: games of two half-moves. Prints JSON.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "peers"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from built import tabia_binary
from nats import NatsServer, said, until

WORK = ["--agent", "engine(hash=1)", "--agent", "other=engine(hash=1,eval=pst)", "--nodes", "5000", "--max-moves", "60"]
NOTHING = ["--agent", "random", "--agent", "other=random", "--max-moves", "1", "--openings", "startpos"]


def seconds(arguments: list[str]) -> float:
    began = time.monotonic()
    done = subprocess.run([tabia_binary(), "match", "--json", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tasks", type=int, default=4000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = NatsServer(Path(folder) / "nats")
        workers = []
        for number in range(2):
            log = Path(folder) / f"worker-{number}"
            with log.open("wb") as file:
                command = [tabia_binary(), "worker", "--grid", server.url, "--threads", "1"]
                worker = subprocess.Popen(command, stderr=file, stdout=file)
            worker.log = log
            workers.append(worker)
        try:
            for worker in workers:
                until(lambda worker=worker: "waiting for tasks" in said(worker), "a worker")
            local, grid = ["--concurrency", "2"], ["--grid", server.url]
            work, nothing = [*WORK, "--games", str(asked.games)], [*NOTHING, "--games", str(asked.tasks)]
            few = [*NOTHING, "--games", "2"]
            times = {"local": [], "grid": [], "none_local": [], "none_grid": [], "few_grid": []}
            for _ in range(asked.rounds):
                times["local"].append(seconds([*work, *local]))
                times["grid"].append(seconds([*work, *grid]))
                times["none_local"].append(seconds([*nothing, *local]))
                times["none_grid"].append(seconds([*nothing, *grid]))
                times["few_grid"].append(seconds([*few, *grid]))
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()
            server.stop()
    median = {name: statistics.median(values) for name, values in times.items()}
    each = (median["none_grid"] - median["few_grid"]) / (asked.tasks - 2)
    document = {
        "games": asked.games,
        "seconds": {name: [round(value, 3) for value in values] for name, values in times.items()},
        "efficiency": round(median["local"] / median["grid"], 3),
        # The benchmark that a build is known by, connecting, and the end: once a run, however long.
        "start_seconds": round(median["few_grid"], 3),
        "efficiency_without_start": round(median["local"] / (median["grid"] - median["few_grid"]), 3),
        "overhead_ms_a_task": round(1000 * each, 3),
        "tasks_a_second": round(1 / each, 1),
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
