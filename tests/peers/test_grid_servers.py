"""Servers in trouble: one of a cluster that is killed, and one that has no space left."""

import json
import signal
import time
import unittest
from pathlib import Path

from nats import GridTest, NatsClient, NatsServer, free_port, until

MATCH = ["--agent", "alphabeta(depth=1)", "--agent", "random", "--max-moves", "24", "--seed", "7"]


def played(run: Path) -> int:
    journal = run / "games.jsonl"
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def settled(run: Path) -> bool:
    """Whether no game is counted for a while."""
    before = played(run)
    time.sleep(0.3)
    return played(run) == before


class Cluster(GridTest):
    """Three servers that keep three copies of everything."""

    # More than can be played between a look at the journal and what is done then.
    GAMES = 1000

    def asked(self, servers: list[NatsServer], subject: str) -> dict:
        """What JetStream says, whoever of the cluster answers; empty while nobody does."""
        for server in servers:
            if server.process.poll() is not None:
                continue
            client = NatsClient(server.url)
            try:
                answer = client.ask(subject, {}, 2)
            except OSError:
                answer = None
            finally:
                client.close()
            if answer and answer[2].startswith(b"{"):
                found = json.loads(answer[2])
                if "error" not in found:
                    return found
        return {}

    def stream(self, servers: list[NatsServer], name: str) -> dict:
        """What is said of a stream, as soon as it has a leader."""

        def led() -> dict:
            found = self.asked(servers, f"$JS.API.STREAM.INFO.{name}")
            return found if found.get("cluster", {}).get("leader") else {}

        return until(led, f"the stream {name}")

    def cluster(self) -> list[NatsServer]:
        ports = [free_port() for _ in range(3)]
        routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in ports)
        servers = []
        for name, port in zip("abc", ports, strict=True):
            config = f'server_name: {name}\ncluster {{ name: tabia, listen: "127.0.0.1:{port}", routes: [{routes}] }}'
            servers.append(self.server(config))
        until(lambda: self.asked(servers, "$JS.API.INFO"), "a cluster that has a leader")
        return servers

    def test_the_leader_is_killed_and_nothing_is_lost(self):
        match = [*MATCH, "--games", str(self.GAMES)]
        here, run = self.folder / "here", self.folder / "run"
        self.run_tabia("match", "--run", str(here), *match)
        servers = self.cluster()
        url = ",".join(server.url for server in servers)
        # While nobody leads, tasks may be handed out again and again: that is not their fault.
        grid = ["--grid", url, "--nats-replicas", "3", "--lease", "2", "--tries", "100"]
        coordinator = self.start("match", "--run", str(run), *match, *grid)
        # Before there are workers, so that no game is played meanwhile: all that matters is on three servers, and one leads the results.
        for name in ("TABIA_TASKS", "OBJ_TABIA_BLOBS", "TABIA_RESULTS"):
            found = self.stream(servers, name)
            self.assertEqual(found["config"]["num_replicas"], 3, name)
        leader = servers["abc".index(found["cluster"]["leader"])]
        for _ in range(2):
            self.start("worker", "--grid", url, "--threads", "1")
        until(lambda: played(run) >= 40 or coordinator.poll() is not None, "some games")
        self.assertIsNone(coordinator.poll(), "it has ended too soon")
        before = played(run)
        leader.stop(signal.SIGKILL)
        until(lambda: played(run) >= min(before + 60, self.GAMES) or coordinator.poll() is not None, "games without it")
        leader.restart(signal.SIGKILL)
        self.finished(coordinator)
        for name in ("games.pgn", "result.json"):
            self.assertEqual((run / name).read_bytes(), (here / name).read_bytes(), name)
        numbers = sorted(json.loads(line)["game"] for line in (run / "games.jsonl").read_text().splitlines())
        self.assertEqual(numbers, list(range(self.GAMES)))


class NoRoom(GridTest):
    """A server with room for a few megabytes, which somebody else fills while a match is played."""

    GAMES = 3000

    def test_a_server_that_fills_up_during_a_run(self):
        match = [*MATCH, "--games", str(self.GAMES)]
        here, run = self.folder / "here", self.folder / "run"
        self.run_tabia("match", "--run", str(here), *match)
        server = self.server(f'jetstream {{ store_dir: "{self.folder}/store", max_file_store: 4MB }}')
        client = NatsClient(server.url)
        self.addCleanup(client.close)
        self.assertNotIn(b"error", client.ask("$JS.API.STREAM.CREATE.FILL", {"name": "FILL", "subjects": ["fill"], "storage": "file"})[2])
        worker = self.worker(server)
        coordinator = self.start("match", "--run", str(run), *match, "--grid", server.url)
        until(lambda: played(run) >= 50 or coordinator.poll() is not None, "some games")
        # The worker waits until there is no space, however quick it is.
        worker.send_signal(signal.SIGSTOP)
        self.assertIsNone(coordinator.poll(), "it has ended too soon")

        def fill() -> int:
            """Takes all the room there is; how much that was."""
            taken = 0
            for size in (60_000, 500):
                while coordinator.poll() is None and b"error" not in client.ask("fill", {"x": "x" * size})[2]:
                    taken += size
            return taken

        # What was handed in before is still being counted, and makes room.
        until(lambda: fill() == 0 and settled(run), "a server without room")
        worker.send_signal(signal.SIGCONT)

        def ended() -> bool:
            fill()
            return coordinator.poll() is not None

        until(ended, "a coordinator that ends")
        text = self.finished(coordinator, 1)
        errors = [line for line in text.splitlines() if line.startswith("tabia: error:")]
        self.assertEqual(len(errors), 1, text)
        self.assertIn("the NATS server has no space for", errors[0])
        self.assertLess(played(run), self.GAMES)
        client.ask("$JS.API.STREAM.DELETE.FILL", {})
        self.run_tabia("match", "--resume", str(run), "--grid", server.url)
        self.assertEqual((run / "games.pgn").read_bytes(), (here / "games.pgn").read_bytes())


if __name__ == "__main__":
    unittest.main()
