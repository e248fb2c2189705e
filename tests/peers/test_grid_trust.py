"""Dishonest workers: accounts that give results which keep the rules of chess and are not what was played.

Mallory has the permissions of docs/grid.md and knows the source. Each attack is one that once worked: forging what is not checked, being
confirmed by a second name, and reporting tasks as deadly.
"""

import contextlib
import hashlib
import json
import subprocess
import threading
import unittest

from nats import PROTOCOL, GridTest, NatsClient, accounts_config, login, said, task_queue, until
from test_grid import forged, signature

GAMES = 80
MATCH = ["--agent", "alphabeta(depth=1)", "--agent", "other=alphabeta(depth=1,eval=material)", "--games", str(GAMES),
         "--max-moves", "12", "--seed", "3"]  # fmt: skip


class Mallory:
    """A client with a worker's permissions that takes tasks and says of them what it likes."""

    def __init__(self, test: GridTest, server, known: str, account: str = "mallory"):
        self.client = NatsClient(server.url, inbox=f"_INBOX.{account}", user=account, **{"pass": account})
        test.addCleanup(self.client.close)
        self.known, self.account = known, account

    def tasks(self, count: int) -> list[dict]:
        """Takes so many tasks from the queue, so that nobody else gets them."""
        orders: list[dict] = []

        def enough() -> bool:
            answer = self.client.ask(task_queue(self.known), {"batch": 1, "expires": 1_000_000_000}, 2)
            if answer and answer[2].startswith(b"{"):
                self.client.publish(answer[1], b"+ACK")
                orders.append(json.loads(answer[2]))
            return len(orders) >= count

        until(enough, "tasks")
        return orders

    def report(self, order: dict, outcome: dict, worker: str = "liar", attempt: int | None = None):
        report = {"key": order["key"], "attempt": attempt or order["attempt"], "worker": worker, "deliveries": 1, "outcome": outcome}
        self.client.publish(f"tabia.result.{self.account}.{order['run']}", json.dumps(report).encode())

    def hello(self, worker: str, inbox: str):
        status = {"protocol": PROTOCOL, "id": worker, "host": "h", "cores": 1, "version": self.known.rsplit("-", 1)[0],
                  "signature": self.known, "busy": 0, "done": 0, "failed": 0, "draining": False}  # fmt: skip
        self.client.publish(f"tabia.worker.{self.account}.{worker}", json.dumps(status).encode(), inbox)


class Dishonest(GridTest):
    """A match between an honest coordinator and honest workers, with Mallory among them."""

    def setUp(self):
        super().setUp()
        self.nats = self.server(accounts_config("mallory", "bob", "carol"))
        self.here, self.there = self.folder / "here", self.folder / "there"
        self.run_tabia("match", *MATCH, "--run", str(self.here))
        lines = [json.loads(line) for line in (self.here / "games.jsonl").read_text().splitlines()]
        for line in lines:
            # A journal's checksum is no part of a result.
            del line["crc32"]
        self.truth = {line["game"]: line for line in lines}
        self.lies = {game: lie for game, line in self.truth.items() if (lie := forged(line))}
        self.assertGreater(len(self.lies), GAMES // 2, "games to lie about")
        worker = self.bob()
        self.known = signature(worker)
        worker.terminate()
        self.finished(worker)

    def bob(self) -> subprocess.Popen:
        return self.worker(self.nats, *login("bob"))

    def coordinator(self, share: float, *arguments: str) -> subprocess.Popen:
        arguments = arguments or ("--run", str(self.there), *MATCH)
        grid = ["--grid", self.nats.url, *login("coordinator"), "--double-check", str(share)]
        return self.start("match", *arguments, *grid)

    def lie(self, order: dict) -> dict:
        """A forged result where one can be forged, else the right one."""
        game = order["task"]["game"]
        return {"done": self.lies.get(game, self.truth[game])}

    def status(self) -> dict:
        return json.loads((self.there / "grid.json").read_text())

    def journal(self) -> list[dict]:
        path = self.there / "games.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def assert_same_games(self):
        for name in ("games.pgn", "result.json"):
            self.assertEqual((self.there / name).read_bytes(), (self.here / name).read_bytes(), name)

    def assert_caught(self, text: str):
        self.assertIn("account mallory is not trusted any more: its result of game", text)
        self.assertEqual(text.count("is not trusted any more"), 1, text)
        self.assertEqual(self.status()["distrusted"], ["mallory"])
        self.assert_same_games()

    def test_forging_what_the_public_key_of_a_task_says_is_not_checked(self):
        share = 0.5
        coordinator = self.coordinator(share)
        mallory = Mallory(self, self.nats, self.known)
        for order in mallory.tasks(60):
            # By this rule tasks were chosen once; whoever knows it lied about the others alone.
            is_checked = int(order["key"][:8], 16) < share * 2**32
            game = order["task"]["game"]
            mallory.report(order, {"done": self.truth[game]} if is_checked else self.lie(order))
        self.bob()
        # Some thirty lies, of which half are compared: all go through once in a thousand million runs.
        self.assert_caught(self.finished(coordinator))

    def test_two_names_of_one_account_do_not_confirm_one_another(self):
        coordinator = self.coordinator(1)
        mallory = Mallory(self, self.nats, self.known)
        friend = Mallory(self, self.nats, self.known)
        inbox, stop = "_INBOX.mallory.friend", threading.Event()
        friend.client.subscribe(inbox)

        def confirm():
            """A second name that is always there, has nothing to do, and repeats every lie that it is asked about."""
            with contextlib.suppress(OSError):
                while not stop.is_set():
                    friend.hello("friend", inbox)
                    message = friend.client.next(0.5)
                    answer = json.loads(message[2]) if message and message[2].startswith(b"{") else {}
                    if order := answer.get("check"):
                        friend.report(order, self.lie(order), "friend")

        thread = threading.Thread(target=confirm, daemon=True)
        thread.start()
        try:
            orders = mallory.tasks(6)
            until(lambda: self.there.joinpath("grid.json").exists() and self.status()["workers"], "a friend that is known")
            for order in orders:
                mallory.report(order, self.lie(order), "liar")
                # Nor does it help not to wait to be asked.
                friend.report(order, self.lie(order), "friend")
            self.bob()
            self.assert_caught(self.finished(coordinator))
        finally:
            stop.set()
            thread.join()

    def test_one_account_cannot_set_a_task_aside(self):
        coordinator = self.coordinator(0, "--run", str(self.there), *MATCH, "--tries", "3")
        mallory = Mallory(self, self.nats, self.known)
        dead, failed, repeated = mallory.tasks(3)
        mallory.report(dead, {"dead": 3})
        # Each failure is answered with another attempt; here they are all claimed at once.
        for attempt in (1, 2, 3):
            mallory.report(failed, {"failed": "it cannot be done"}, attempt=attempt)
            mallory.report(repeated, {"done": "nonsense"}, attempt=attempt)
        self.bob()
        text = self.finished(coordinator)
        self.assertIn("handed out 3 times", text)
        self.assertEqual(self.status()["set_aside"], [])
        self.assert_same_games()

    def is_compared(self, order: dict, share: float) -> bool:
        """Whether the coordinator compares this result: only whoever has its secret can tell."""
        secret = (self.there / ".grid-secret").read_bytes()
        digest = hashlib.sha256(secret + b"\0" + order["key"].encode()).digest()
        return (int.from_bytes(digest[:8], "little") >> 11) / 2**53 < share

    def test_everything_of_an_account_that_is_caught_is_computed_again(self):
        share = 0.3
        coordinator = self.coordinator(share)
        mallory = Mallory(self, self.nats, self.known)
        orders = [order for order in mallory.tasks(60) if order["task"]["game"] in self.lies]
        compared = [order for order in orders if self.is_compared(order, share)]
        others = [order for order in orders if not self.is_compared(order, share)]
        self.assertTrue(len(compared) > 1 and len(others) > 10, "games of both kinds")
        self.assertEqual((self.there / ".grid-secret").stat().st_mode & 0o777, 0o600)
        for order in others[:-5]:
            mallory.report(order, self.lie(order))
        until(lambda: len(self.journal()) == len(others) - 5, "lies that are counted")
        # Which account gave which result is known to the next process too.
        coordinator.kill()
        coordinator.wait()
        coordinator = self.coordinator(share, "--resume", str(self.there))
        for order in others[-5:]:
            mallory.report(order, self.lie(order))
        until(lambda: len(self.journal()) == len(others) or coordinator.poll() is not None, "five more")
        mallory.report(compared[0], self.lie(compared[0]))
        self.bob()
        text = self.finished(coordinator)
        self.assertIn(f"{len(others)} results of it that were counted are taken back and computed again", text)
        self.assertEqual(self.status()["retracted"], len(others))
        self.assert_caught(text)
        retracted = [line["retracted"] for line in self.journal() if "retracted" in line]
        self.assertEqual(sorted(retracted), sorted(order["task"]["game"] for order in others))

    def test_what_is_caught_stays_caught_and_its_workers_are_told_to_leave(self):
        coordinator = self.coordinator(1)
        mallory = Mallory(self, self.nats, self.known)
        order = next(order for order in mallory.tasks(10) if order["task"]["game"] in self.lies)
        mallory.report(order, self.lie(order))
        until(lambda: "account mallory is not trusted" in said(coordinator), "a verdict")
        worker = self.worker(self.nats, *login("mallory"))
        self.assertIn("account mallory is not trusted any more", self.finished(worker, 1))
        coordinator.kill()
        coordinator.wait()
        coordinator = self.coordinator(1, "--resume", str(self.there))
        until(lambda: self.status()["running"], "a coordinator")
        worker = self.worker(self.nats, *login("mallory"))
        self.assertIn("account mallory is not trusted any more", self.finished(worker, 1))
        self.bob()
        self.finished(coordinator)
        self.assert_same_games()

    def test_an_account_cannot_speak_for_another(self):
        mallory = Mallory(self, self.nats, self.known)
        for subject in ("tabia.result.bob.run", "tabia.worker.bob.w", "tabia.result.run"):
            mallory.client.publish(subject, b"{}")
        mallory.client.send("SUB _INBOX.bob.> 77\r\n")
        until(lambda: len(mallory.client.errors) >= 4, "four refusals")
        # A worker that is set up wrongly says so.
        text = self.finished(self.worker(self.nats, *login("bob"), "--account", "carol"), 1)
        self.assertIn("account carol: ", text)
        self.assertIn("ermissions Violation", text)


class Trusted(GridTest):
    """A server without users: everybody is one account, and the coordinator compares results with its own."""

    def setUp(self):
        super().setUp()
        self.nats = self.server()
        self.here, self.there = self.folder / "here", self.folder / "there"
        self.match = [*MATCH[:-5], "12", *MATCH[-4:]]
        self.run_tabia("match", *self.match, "--run", str(self.here))

    def test_the_coordinator_computes_some_tasks_itself_and_says_so(self):
        self.worker(self.nats)
        text = self.run_tabia("match", "--run", str(self.there), *self.match, "--grid", self.nats.url, "--double-check", "1")
        self.assertIn("all workers are taken for one account", text)
        self.assertIn("computes 100.000% of the tasks itself", text)
        self.assertEqual(json.loads((self.there / "grid.json").read_text())["checked"], 12)
        for name in ("games.pgn", "result.json"):
            self.assertEqual((self.there / name).read_bytes(), (self.here / name).read_bytes(), name)

    def test_a_wrong_result_ends_the_run_and_nothing_of_it_is_left(self):
        worker = self.worker(self.nats)
        known = signature(worker)
        worker.terminate()
        self.finished(worker)
        lines = [json.loads(line) for line in (self.here / "games.jsonl").read_text().splitlines()]
        for line in lines:
            # A journal's checksum is no part of a result.
            del line["crc32"]
        lies = {line["game"]: lie for line in lines if (lie := forged(line))}
        coordinator = self.start("match", "--run", str(self.there), *self.match, "--grid", self.nats.url, "--double-check", "1")
        mallory = Mallory(self, self.nats, known, "anybody")
        for order in mallory.tasks(12):
            if order["task"]["game"] in lies:
                mallory.report(order, {"done": lies[order["task"]["game"]]}, "broken-machine")
        text = self.finished(coordinator, 1)
        self.assertIn("worker broken-machine gave a wrong result", text)
        self.assertIn("results by workers were discarded", text)
        # The machine is taken out, and the run goes on.
        self.worker(self.nats)
        self.run_tabia("match", "--resume", str(self.there), "--grid", self.nats.url)
        self.assertEqual((self.there / "games.pgn").read_bytes(), (self.here / "games.pgn").read_bytes())


class Told(GridTest):
    def setUp(self):
        super().setUp()
        self.nats = self.server()

    def test_results_that_may_differ_are_not_compared(self):
        timed = ["match", "--agent", "random", "--agent", "other=random", "--games", "2", "--movetime", "10"]
        text = self.run_tabia(*timed, "--grid", self.nats.url, "--double-check", "0.5", code=2)
        self.assertIn("--double-check compares results", text)

    def answered(self, *answers: dict) -> str:
        """A worker that a coordinator answers so, one after the other; what it says when it ends with status 1."""
        client = NatsClient(self.nats.url)
        self.addCleanup(client.close)
        client.subscribe("tabia.worker.>")
        worker = self.worker(self.nats)
        left = iter(answers)

        def ended() -> bool:
            if (message := client.next(0.2)) and message[1] and (answer := next(left, None)):
                client.publish(message[1], json.dumps(answer).encode())
            return worker.poll() is not None

        until(ended, "a worker that ends")
        self.assertNotIn("panicked", said(worker))
        return self.finished(worker, 1)

    def test_a_worker_that_is_told_to_leave_ends(self):
        leave = {"protocol": PROTOCOL, "welcome": False, "leave": True, "reason": "its result of game 7 is wrong"}
        text = self.answered({"protocol": PROTOCOL, "welcome": True}, leave)
        self.assertIn("its result of game 7 is wrong", text)

    def test_a_coordinator_of_another_version_is_refused(self):
        text = self.answered({"welcome": True})
        self.assertIn("the coordinator speaks version 1 of the grid's protocol, this worker version 2", text)


if __name__ == "__main__":
    unittest.main()
