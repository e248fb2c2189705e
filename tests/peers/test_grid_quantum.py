"""Quantum self-play on many machines: the same network wherever its games are played."""

import json
import unittest
from pathlib import Path

from nats import GUARD_S, GridTest, until

SETTINGS = ["blocks=1", "generations=3", "games=24", "games_at_once=4", "simulations=8", "quick_simulations=4", "candidates=4",
            "ply_limit=16", "most_branches=8", "least_samples=10", "batch=32", "passes=1", "rate_every=0", "warm_steps=2",
            "taught_generations=1", "teacher_simulations=8"]  # fmt: skip
TRAIN = [word for setting in SETTINGS for word in ("--set", setting)]


class Quantum(GridTest):
    def network(self, run: Path) -> dict[str, bytes]:
        """What came of a training, but for times and for what this process had to value itself."""
        times = ("time", "seconds", "play_seconds", "learn_seconds", "leaves")
        lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
        metrics = [{key: value for key, value in line.items() if key not in times} for line in lines]
        return {"network": (run / "final.safetensors").read_bytes(), "metrics": json.dumps(metrics).encode()}

    def test_a_training_gives_the_same_network_everywhere(self):
        here = self.folder / "here"
        self.run_tabia("quantum", "train", "--run", str(here), *TRAIN, "--threads", "2")
        expected = self.network(here)
        server = self.server()
        for count in (1, 4):
            workers = [self.worker(server) for _ in range(count)]
            run = self.folder / f"with-{count}"
            self.run_tabia("quantum", "train", "--run", str(run), *TRAIN, "--grid", server.url, "--threads", "1")
            found = self.network(run)
            for name, content in found.items():
                self.assertEqual(content, expected[name], f"{name} with {count} workers")
            for worker in workers:
                worker.terminate()
            total = sum(int(self.finished(worker).splitlines()[-1].split()[0]) for worker in workers)
            # Eight games a task, and three generations of 24.
            self.assertEqual(total, 9)

    def test_a_coordinator_that_is_killed_goes_on(self):
        here, run = self.folder / "here", self.folder / "run"
        self.run_tabia("quantum", "train", "--run", str(here), *TRAIN, "--threads", "2")
        server = self.server()
        grid = ["--grid", server.url, "--threads", "1"]
        coordinator = self.start("quantum", "train", "--run", str(run), *TRAIN, *grid)
        self.worker(server)
        until(lambda: list(run.glob("games-0002.*")) or coordinator.poll() is not None, "the second generation")
        coordinator.kill()
        coordinator.wait(GUARD_S)
        self.run_tabia("quantum", "train", "--resume", str(run), *grid)
        self.assertEqual(self.network(run), self.network(here))

    def test_self_play_gives_the_same_games_everywhere(self):
        server = self.server()
        self.worker(server)
        play = ["--games", "12", "--set", "simulations=8", "--set", "quick_simulations=4", "--set", "ply_limit=16"]
        found = []
        for name, grid in (("here", ["--threads", "1"]), ("there", ["--grid", server.url])):
            self.run_tabia("quantum", "selfplay", "--output", str(self.folder / name), *play, *grid)
            found.append(records((self.folder / name / "games-0001.bin").read_bytes()))
        self.assertEqual(len(found[0]), 12)
        self.assertEqual(found[0], found[1])


def records(data: bytes) -> list[bytes]:
    """Games are written as they end; here they are sorted."""
    games = []
    while data:
        length = 12 + int.from_bytes(data[:4], "little")
        games.append(data[12:length])
        data = data[length:]
    return sorted(games)


if __name__ == "__main__":
    unittest.main()
