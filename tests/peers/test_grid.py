"""Many machines: coordinators and workers at a real nats-server, and everything that can go wrong between them."""

import json
import random
import secrets
import signal
import subprocess
import sys
import threading
import unittest
from pathlib import Path

import chess
import chess.pgn
from nats import PROTOCOL, GUARD_S, GridTest, NatsClient, NatsServer, accounts_config, login, said, task_queue, until

EVOLVE = ["--population", "8", "--generations", "3", "--depth", "1", "--opening-plies", "6", "--opening-depth", "1",
          "--max-plies", "30", "--games", "1", "--rivals", "1", "--seed", "5"]  # fmt: skip
MATCH = ["--agent", "alphabeta(depth=1)", "--agent", "other=alphabeta(depth=1,eval=material)", "--games", "24",
         "--max-moves", "25", "--seed", "3"]  # fmt: skip
DATAGEN = ["--games", "192", "--nodes", "40", "--eval", "material", "--seed", "4"]

# A short lease, so that what a killed worker held is soon handed on.
LEASE = ["--lease", "2"]


def evolution_files(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.iterdir() if not path.name.startswith(("grid.", ".grid"))}


def signature(worker: subprocess.Popen) -> str:
    line = until(lambda: [line for line in said(worker).splitlines() if "signature" in line], "a worker that is ready")
    return line[0].split("signature ")[1].split(";")[0]


class SameBytes(GridTest):
    """Threads, one worker and four workers do the same."""

    def test_an_evolution_a_match_and_self_play_give_the_same_bytes_everywhere(self):
        server = self.server()
        expected = None
        for count in (0, 1, 4):
            grid = ["--grid", server.url] if count else []
            workers = [self.worker(server) for _ in range(count)]
            run = self.folder / f"with-{count}"
            run.mkdir()
            self.run_tabia("evolve", "--run", str(run / "evolve"), *EVOLVE, *grid)
            self.run_tabia("match", "--run", str(run / "match"), *MATCH, *grid)
            self.run_tabia("datagen", "--run", str(run / "datagen"), *DATAGEN, *grid)
            pgn = (run / "match" / "games.pgn").read_bytes()
            found = {
                "pgn": pgn,
                "result": (run / "match" / "result.json").read_bytes(),
                "positions": (run / "datagen" / "positions.samples").read_bytes(),
                **evolution_files(run / "evolve"),
            }
            self.assertEqual(pgn.count(b"[Result "), 24)
            expected = expected or found
            self.assertEqual(found.keys(), expected.keys())
            for name, content in found.items():
                self.assertEqual(content, expected[name], f"{name} with {count} workers")
            if count:
                status = json.loads((run / "match" / "grid.json").read_text())
                self.assertEqual((status["done"], status["tasks"], status["running"]), (24, 24, False))
            for worker in workers:
                worker.send_signal(signal.SIGTERM)
            total = sum(int(self.finished(worker).splitlines()[-1].split()[0]) for worker in workers)
            # 3 generations of 16 tasks, 24 games, 3 shards.
            self.assertEqual(total, 75 if count else 0)

    def test_files_of_agents_travel_with_a_run(self):
        self.run_tabia("evolve", "--run", str(self.folder / "first"), *EVOLVE)
        champion = self.folder / "first" / "champion.json"
        numbers = self.folder / "numbers.json"
        numbers.write_text('{"lmr_base": 1600}')
        agents = ["--agent", f"chromosome(weights={champion},depth=1)", "--agent", f"engine(params={numbers},nodes=200)"]
        agents += ["--games", "4"]
        local, far = self.folder / "local.pgn", self.folder / "far.pgn"
        self.run_tabia("match", *agents, "--pgn", str(local))
        server = self.server()
        # The coordinator has the files; to the worker they come through the server.
        self.worker(server)
        coordinator = self.start("match", *agents, "--pgn", str(far), "--grid", server.url)
        self.finished(coordinator)
        self.assertEqual(far.read_bytes(), local.read_bytes())


class Chaos(GridTest):
    """Everything that can happen at once, a dishonest account included."""

    GAMES = 2000
    # Tasks that the dishonest account takes before it stops, and the share of results that are compared.
    LIES, COMPARED = 90, 0.25

    def test_two_thousand_tasks_survive_everything(self):
        match = ["--agent", "alphabeta(depth=1)", "--agent", "random", "--games", str(self.GAMES), "--max-moves", "24"]
        quiet = self.folder / "quiet"
        self.run_tabia("match", "--run", str(quiet), *match)
        truth = {line["game"]: line for line in map(json.loads, (quiet / "games.jsonl").read_text().splitlines())}
        for line in truth.values():
            # A journal's checksum is no part of a result.
            del line["crc32"]
        server = self.server(accounts_config("bob", "carol", "mallory"))
        run = self.folder / "loud"
        # Workers are killed at random, and some task may be hit again and again: that is not its fault.
        grid = ["--grid", server.url, *login("coordinator"), "--tries", "100", "--double-check", str(self.COMPARED), *LEASE]
        coordinator = self.start("match", "--run", str(run), *match, *grid)
        stop = threading.Event()
        accounts = ["bob", "carol", "bob"]
        workers = [self.worker(server, *login(account)) for account in accounts]
        known = signature(workers[0])
        choice = random.Random(1)
        journal = run / "games.jsonl"

        def played() -> int:
            return journal.read_bytes().count(b"\n") if journal.exists() else 0

        def kill_workers():
            """One a second, but none before a game was played since the last: a busy machine may need that time to start one."""
            last = 0
            while not stop.wait(1.0):
                place = choice.randrange(len(workers))
                if workers[place].poll() is None and played() <= last:
                    continue
                last = played()
                workers[place].kill()
                workers[place].wait(GUARD_S)
                if not stop.is_set():
                    workers[place] = self.worker(server, *login(accounts[place]))

        def repeat_results():
            """Every result is sent again, and in another order."""
            while not stop.is_set():
                try:
                    client = NatsClient(server.url, user="coordinator", **{"pass": "coordinator"})
                except OSError:
                    stop.wait(0.2)
                    continue
                client.subscribe("tabia.result.>")
                seen = []
                while not stop.is_set():
                    message = client.next(0.2)
                    if message is None:
                        if client.reader.closed or not client.messages.empty():
                            break
                        try:
                            client.send("PING\r\n")
                        except OSError:
                            break
                        continue
                    subject, _, body = message
                    if body.startswith(b"{") and b'"again"' not in body:
                        seen.append((subject, body[:-1] + b',"again":1}'))
                    if len(seen) >= 20:
                        choice.shuffle(seen)
                        try:
                            for again in seen:
                                client.publish(*again)
                        except OSError:
                            break
                        seen = []
                client.close()

        def cheat():
            """Mallory forges results, confirms them under a second name, and says that tasks kill their workers."""
            luck, taken, client = random.Random(2), 0, None
            while taken < self.LIES and not stop.is_set():
                try:
                    client = client or NatsClient(server.url, inbox="_INBOX.mallory", user="mallory", **{"pass": "mallory"})
                    answer = client.ask(task_queue(known), {"batch": 1, "expires": 500_000_000}, 1)
                    if not answer or not answer[2].startswith(b"{"):
                        client.send("PING\r\n")
                        continue
                    order, taken = json.loads(answer[2]), taken + 1
                    line = truth[order["task"]["game"]]
                    lie = forged(line) or line
                    outcome = {"dead": 3} if luck.random() < 0.2 else {"done": lie}
                    for name in ("liar", "friend"):
                        report = {"key": order["key"], "attempt": order["attempt"], "worker": name, "deliveries": 1, "outcome": outcome}
                        client.publish(f"tabia.result.mallory.{order['run']}", json.dumps(report).encode())
                    client.publish(answer[1], b"+ACK")
                except OSError:
                    client = None
                    stop.wait(0.2)

        threads = [threading.Thread(target=work, daemon=True) for work in (kill_workers, repeat_results, cheat)]
        for thread in threads:
            thread.start()
        try:
            for share, event in [(0.15, "coordinator"), (0.3, "server"), (0.5, "coordinator"), (0.65, "server")]:
                until(lambda: played() >= share * self.GAMES or coordinator.poll() is not None, f"{share:.0%} of the games")
                self.assertIsNone(coordinator.poll(), said(coordinator)[-2000:])
                if event == "server":
                    server.restart(signal.SIGKILL if share < 0.5 else signal.SIGTERM, away_s=1.0)
                else:
                    coordinator.kill()
                    coordinator.wait(GUARD_S)
                    coordinator = self.start("match", "--resume", str(run), *grid)
            self.finished(coordinator)
        finally:
            stop.set()
            for thread in threads:
                thread.join(GUARD_S)
        for name in ("games.pgn", "result.json"):
            self.assertEqual((run / name).read_bytes(), (quiet / name).read_bytes(), name)
        counted: list[int] = []
        for line in map(json.loads, (run / "games.jsonl").read_text().splitlines()):
            if "retracted" in line:
                counted.remove(line["retracted"])
            else:
                counted.append(line["game"])
        self.assertEqual(sorted(counted), list(range(self.GAMES)))
        status = json.loads((run / "grid.json").read_text())
        self.assertGreater(status["duplicates"], 0)
        self.assertEqual((status["set_aside"], status["distrusted"]), ([], ["mallory"]))


def forged(line: dict) -> dict | None:
    """The game with another last move, after which it ends as it did: one that was cut off by its length. None where it cannot be done."""
    if line["reason"] != "move limit":
        return None
    board = chess.Board()
    moves = line["moves"].split()
    for move in moves[:-1]:
        board.push_uci(move)
    for move in board.legal_moves:
        board.push(move)
        if move.uci() != moves[-1] and not board.is_game_over(claim_draw=True):
            return line | {"moves": " ".join([*moves[:-1], move.uci()])}
        board.pop()
    return None


class Poison(GridTest):
    def test_a_task_that_kills_its_workers_is_set_aside_by_name_and_all_others_are_done(self):
        server = self.server()
        openings = self.folder / "openings.epd"
        fens = [chess.Board().fen() for _ in range(4)]
        poisoned = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        fens[2] = poisoned.fen()
        openings.write_text("".join(" ".join(fen.split()[:4]) + ";\n" for fen in fens))
        engine = self.folder / "killer.py"
        engine.write_text(KILLER)
        run = self.folder / "run"
        match = ["--agent", f"killer=uci(cmd={sys.executable} {engine})", "--agent", "random", "--games", "8", "--depth", "1",
                 "--openings", str(openings), "--order", "sequential", "--max-moves", "4"]  # fmt: skip
        coordinator = self.start("match", "--run", str(run), *match, "--grid", server.url, *LEASE)
        stop = threading.Event()

        def keep_working():
            while not stop.is_set():
                worker = self.worker(server, "--engines")
                while worker.poll() is None and not stop.wait(0.1):
                    pass

        thread = threading.Thread(target=keep_working, daemon=True)
        thread.start()
        try:
            text = self.finished(coordinator, 1)
        finally:
            stop.set()
            thread.join(GUARD_S)
        self.assertIn("2 of the tasks were set aside after 3 attempts each", text)
        for game in ("game 5", "game 6"):
            self.assertIn(f"{game} (handed out 3 times", text)
        done = {json.loads(line)["game"] for line in (run / "games.jsonl").read_text().splitlines()}
        self.assertEqual(done, {0, 1, 2, 3, 6, 7})

    def test_programs_are_started_by_workers_that_let_them_in_alone(self):
        server = self.server()
        self.worker(server)
        text = self.run_tabia("match", "--agent", "uci(cmd=stockfish)", "--agent", "random", "--games", "2", "--depth", "1",
                              "--grid", server.url, code=1)  # fmt: skip
        self.assertIn("this worker starts no programs", text)


KILLER = """
import os, signal, sys
board = ""
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name killer\\nuciok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        if "fen" in words and words[words.index("fen") + 1].startswith("4k3"):
            # Its parent is the supervisor of engines; the worker is the parent of that.
            with open(f"/proc/{os.getppid()}/stat") as stat:
                worker = int(stat.read().rsplit(")", 1)[1].split()[1])
            os.kill(worker, signal.SIGKILL)
        board = line
    elif words[:1] == ["go"]:
        import chess
        moves = board.split(" moves ")[1].split() if " moves " in board else []
        position = chess.Board()
        for move in moves:
            position.push_uci(move)
        print("bestmove", next(iter(position.legal_moves)), flush=True)
    elif words[:1] == ["quit"]:
        break
"""


class Liar(GridTest):
    def test_illegal_and_impossible_results_are_rejected_and_the_tasks_done_again(self):
        quiet = self.folder / "quiet.pgn"
        self.run_tabia("match", *MATCH, "--pgn", str(quiet))
        server = self.server()
        run = self.folder / "run"
        honest = self.worker(server)
        known = signature(honest)
        honest.terminate()
        self.finished(honest)
        # Results that are compared are not rejected but discarded, with everything else of their account.
        coordinator = self.start("match", "--run", str(run), *MATCH, "--grid", server.url, "--double-check", "0")
        client = NatsClient(server.url)
        self.addCleanup(client.close)
        subject = task_queue(known)

        def task():
            answer = client.ask(subject, {"batch": 1, "expires": 2_000_000_000}, 5)
            return answer if answer and answer[2].startswith(b"{") else None

        lies = [
            lambda line: line | {"moves": line["moves"] + " e2e9"},
            lambda line: line | {"moves": "a1a8"},
            lambda line: line | {"result": "0-1", "reason": "checkmate"},
            lambda line: line | {"game": line["game"] + 1},
            lambda line: line | {"white": "somebody else"},
            lambda line: "nonsense",
        ]
        for lie in lies:
            _, ack, body = until(task, "a task")
            order = json.loads(body)
            line = {"game": order["task"]["game"], "white": "alphabeta(depth=1)", "black": "other", "result": "1-0",
                    "reason": "checkmate", "opening": 0, "moves": "f2f3 e7e5 g2g4 d8h4", "tags": []}  # fmt: skip
            report = {"key": order["key"], "attempt": order["attempt"], "worker": "liar", "deliveries": 1,
                      "outcome": {"done": lie(line)}}  # fmt: skip
            client.publish(f"tabia.result.shared.{order['run']}", json.dumps(report).encode())
            client.publish(ack, b"+ACK")
        until(lambda: said(coordinator).count("of worker liar was rejected") >= len(lies), "rejections")
        self.worker(server)
        self.finished(coordinator)
        self.assertEqual((run / "games.pgn").read_bytes(), quiet.read_bytes())
        self.assertEqual(json.loads((run / "grid.json").read_text())["rejected"], len(lies))


class SeveralHosts(GridTest):
    """Workers in network namespaces of their own, as on other machines, with a cable that can be cut."""

    def namespace(self, number: int) -> list[str]:
        name, link, peer = f"tabia{number}-{self.tag}", f"tg{number}{self.tag}", f"tp{number}{self.tag}"
        ip("netns", "add", name)
        self.addCleanup(ip, "netns", "del", name, check=False)
        ip("link", "add", link, "type", "veth", "peer", "name", peer)
        self.addCleanup(ip, "link", "del", link, check=False)
        ip("link", "set", peer, "netns", name)
        ip("addr", "add", f"10.213.{number}.1/24", "dev", link)
        ip("link", "set", link, "up")
        inside = ["ip", "netns", "exec", name]
        ip("addr", "add", f"10.213.{number}.2/24", "dev", peer, prefix=inside)
        ip("link", "set", peer, "up", prefix=inside)
        ip("link", "set", "lo", "up", prefix=inside)
        self.links[number] = link
        return inside

    def test_a_cable_that_is_cut_and_mended_changes_nothing(self):
        self.tag, self.links = secrets.token_hex(2), {}
        try:
            hosts = [self.namespace(number) for number in (81, 82)]
        except (OSError, subprocess.CalledProcessError) as error:
            self.skipTest(f"network namespaces cannot be used here: {error}")
        server = self.server(address="0.0.0.0")
        games = 400
        match = ["--agent", "alphabeta(depth=1)", "--agent", "random", "--games", str(games), "--max-moves", "24"]
        self.run_tabia("match", "--run", str(self.folder / "here"), *match)
        run = self.folder / "there"
        url = f"nats://127.0.0.1:{server.port}"
        for number, host in zip((81, 82), hosts, strict=True):
            self.start("worker", "--grid", f"nats://10.213.{number}.1:{server.port}", "--threads", "1", prefix=host)
        coordinator = self.start("match", "--run", str(run), *match, "--grid", url, *LEASE)
        journal = run / "games.jsonl"

        def played() -> int:
            return journal.read_bytes().count(b"\n") if journal.exists() else 0

        until(lambda: played() >= 40, "some games")
        ip("link", "set", self.links[81], "down")
        before = played()
        until(lambda: played() >= min(before + 40, games), "games of the other host")
        ip("link", "set", self.links[81], "up")
        self.finished(coordinator)
        self.assertEqual((run / "games.pgn").read_bytes(), (self.folder / "here" / "games.pgn").read_bytes())


def ip(*arguments: str, prefix: list[str] | None = None, check: bool = True):
    subprocess.run([*(prefix or []), "ip", *arguments], check=check, capture_output=True)


class Accounts(GridTest):
    """The configuration of docs/grid.md, as it stands there."""

    def test_a_worker_may_work_and_nothing_else(self):
        server = self.server(accounts_config("alice", "bob"))
        quiet, loud = self.folder / "quiet.pgn", self.folder / "loud.pgn"
        self.run_tabia("match", *MATCH, "--pgn", str(quiet))
        for account in ("alice", "bob"):
            self.worker(server, *login(account))
        coordinator = ["--grid", server.url, *login("coordinator"), "--double-check", "1"]
        text = self.run_tabia("match", *MATCH, "--pgn", str(loud), *coordinator)
        self.assertEqual(loud.read_bytes(), quiet.read_bytes())
        self.assertNotIn("trusted", text)
        # A worker's word is not enough to coordinate anything.
        text = self.run_tabia("match", *MATCH, "--grid", server.url, *login("alice"), code=1)
        self.assertIn("tabia: error:", text)
        client = NatsClient(server.url, user="alice", **{"pass": "alice"})
        self.addCleanup(client.close)
        for subject in ("tabia.task.x.y", "$JS.API.STREAM.DELETE.TABIA_TASKS", "$JS.API.STREAM.PURGE.TABIA_RESULTS"):
            client.publish(subject, b"{}")
        client.send("SUB tabia.result.> 77\r\n")
        until(lambda: len(client.errors) >= 4, "four refusals")


class Strangers(GridTest):
    def test_a_worker_of_another_signature_is_refused_with_the_reason(self):
        server = self.server()
        coordinator = self.start("match", *MATCH, "--grid", server.url)
        client = NatsClient(server.url)
        self.addCleanup(client.close)
        hello = {"protocol": PROTOCOL, "id": "stranger", "host": "h", "cores": 1, "version": "9.9", "signature": "9.9-1", "busy": 0, "done": 0,
                 "failed": 0, "draining": False}  # fmt: skip

        def answer():
            message = client.ask("tabia.worker.shared.stranger", hello, 2)
            return message and json.loads(message[2])

        refusal = until(answer, "an answer")
        self.assertFalse(refusal["welcome"])
        self.assertIn("9.9-1", refusal["reason"])
        self.assertIsNone(coordinator.poll())

    def test_a_worker_of_an_older_version_is_refused_with_the_reason(self):
        server = self.server()
        self.start("match", *MATCH, "--grid", server.url)
        client = NatsClient(server.url)
        self.addCleanup(client.close)
        # What workers said of themselves before there were accounts, and where.
        hello = {"id": "old", "host": "h", "cores": 1, "version": "0.1.0", "signature": "0.1.0-1", "busy": 0, "done": 0, "failed": 0,
                 "draining": False}  # fmt: skip

        def answer():
            message = client.ask("tabia.worker.old", hello, 2)
            return message and json.loads(message[2])

        refusal = until(answer, "an answer")
        self.assertEqual((refusal["welcome"], refusal["leave"]), (False, True))
        self.assertIn(f"this worker speaks version 1 of the grid's protocol, the coordinator version {PROTOCOL}", refusal["reason"])

    def test_a_worker_that_is_refused_says_why_and_ends(self):
        server = self.server()
        client = NatsClient(server.url)
        self.addCleanup(client.close)
        client.subscribe("tabia.worker.>")
        worker = self.worker(server)
        refusal = json.dumps({"protocol": PROTOCOL, "welcome": False, "reason": "the run needs another one"}).encode()

        def refused() -> bool:
            if message := client.next(0.2):
                _, reply, body = message
                self.assertEqual(json.loads(body)["cores"], 1)
                if reply:
                    client.publish(reply, refusal)
            return worker.poll() is not None

        until(refused, "a worker that ends")
        self.assertIn("this worker was refused: the run needs another one", self.finished(worker, 1))


class BadInput(GridTest):
    def refused(self, *arguments: str) -> str:
        text = self.run_tabia(*arguments, code=1)
        errors = [line for line in text.splitlines() if line.startswith("tabia: error:")]
        self.assertEqual(len(errors), 1, text)
        return errors[0]

    def test_no_server(self):
        for command in (["worker"], ["match", *MATCH], ["evolve", "--run", str(self.folder / "e"), *EVOLVE],
                        ["datagen", "--run", str(self.folder / "d"), *DATAGEN]):  # fmt: skip
            error = self.refused(*command, "--grid", "nats://127.0.0.1:1")
            self.assertIn("no NATS server answers at nats://127.0.0.1:1", error)

    def test_wrong_credentials(self):
        server = self.server('authorization { token: "right" }')
        for login in ([], ["--nats-token", "wrong"], ["--nats-user", "a", "--nats-password", "b"]):
            error = self.refused("worker", "--grid", server.url, *login)
            self.assertIn("refuses these credentials", error)
        missing = self.refused("worker", "--grid", server.url, "--nats-creds", str(self.folder / "no.creds"))
        self.assertIn("no.creds", missing)
        worker = self.worker(server, "--nats-token", "right")
        signature(worker)
        worker.terminate()
        self.finished(worker)

    def test_a_server_without_jetstream(self):
        folder = self.folder / "plain"
        server = NatsServer(folder, "# no jetstream")
        self.addCleanup(server.stop, signal.SIGKILL)
        self.assertIn("JetStream", self.refused("match", *MATCH, "--grid", server.url))

    def test_a_full_server_says_so_and_nothing_is_lost(self):
        folder = self.folder / "small"
        small = f'jetstream {{ store_dir: "{folder}/store", max_file_store: 200000 }}'
        server = NatsServer(folder, small)
        self.addCleanup(server.stop, signal.SIGKILL)
        run = self.folder / "run"
        many = [word.replace("24", "4000") for word in MATCH]
        error = self.refused("match", "--run", str(run), *many, "--grid", server.url)
        self.assertIn("no space", error)
        server.stop()
        roomy = self.server()
        self.start("match", "--resume", str(run), "--grid", roomy.url)

        def handed_out() -> bool:
            status = run / "grid.json"
            return status.exists() and json.loads(status.read_text())["waiting"] == 4000

        until(handed_out, "all tasks on a server with room")

    def test_addresses_that_are_none(self):
        for address in ("somewhere", "http://localhost", "nats://"):
            self.assertIn("nats://localhost:4222", self.run_tabia("worker", "--grid", address, code=2))


if __name__ == "__main__":
    unittest.main()
