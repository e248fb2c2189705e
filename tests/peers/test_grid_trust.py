"""Workers that answer wrongly and keep the rules: found out by tasks that two of them do."""

import json
import subprocess
import unittest

import chess
from nats import GridTest, NatsClient, said, until
from test_grid import MATCH, signature, word


class Liar:
    """A worker that gives games that could have been played and were not, when it is let."""

    def __init__(self, test: GridTest, server, known: str, lies: dict[int, dict], truth: dict[int, dict]):
        self.client = NatsClient(server.url)
        test.addCleanup(self.client.close)
        self.known, self.lies, self.truth = known, lies, truth
        self.held: list[dict] = []

    def take(self, count: int):
        """Takes tasks until it has so many to lie about; of others it tells the truth."""
        subject = f"$JS.API.CONSUMER.MSG.NEXT.TABIA_TASKS.workers-{word(self.known)}"

        def enough() -> bool:
            answer = self.client.ask(subject, {"batch": 1, "expires": 1_000_000_000}, 2)
            if answer and answer[2].startswith(b"{"):
                _, ack, body = answer
                order = json.loads(body)
                self.client.publish(ack, b"+ACK")
                if order["task"]["game"] in self.lies:
                    self.held.append(order)
                else:
                    self.tell(order, self.truth)
            return len(self.held) >= count

        until(enough, "tasks to lie about")

    def tell(self, order: dict, lines: dict[int, dict]):
        report = {"key": order["key"], "attempt": order["attempt"], "worker": "liar", "deliveries": 1,
                  "outcome": {"done": lines[order["task"]["game"]]}}  # fmt: skip
        self.client.publish(f"tabia.result.{order['run']}", json.dumps(report).encode())

    def lie(self):
        for order in self.held:
            self.tell(order, self.lies)


def other_game(line: dict) -> dict:
    """The game with another last move, after which it ends as it did."""
    board = chess.Board()
    moves = line["moves"].split()
    for move in moves[:-1]:
        board.push_uci(move)
    for move in board.legal_moves:
        board.push(move)
        if move.uci() != moves[-1] and not board.is_game_over(claim_draw=True):
            return line | {"moves": " ".join([*moves[:-1], move.uci()])}
        board.pop()
    raise AssertionError("there is no other move")


class DoubleCheck(GridTest):
    def setUp(self):
        super().setUp()
        self.nats = self.server()
        self.here, self.there = self.folder / "here", self.folder / "there"
        self.run_tabia("match", *MATCH, "--run", str(self.here))
        lines = [json.loads(line) for line in (self.here / "games.jsonl").read_text().splitlines()]
        self.truth = {line["game"]: line for line in lines}
        # Games that were cut off: the last move may be any other one.
        self.lies = {game: other_game(line) for game, line in self.truth.items() if line["reason"] == "move limit"}
        self.assertGreater(len(self.lies), 6, "games to lie about")

    def contradicted(self, honest: int) -> subprocess.Popen:
        """A match some of whose games a liar has, which lies when so many honest workers are known."""
        first = self.worker(self.nats)
        known = signature(first)
        first.terminate()
        self.finished(first)
        coordinator = self.start("match", "--run", str(self.there), *MATCH, "--grid", self.nats.url, "--double-check", "1")
        liar = Liar(self, self.nats, known, self.lies, self.truth)
        liar.take(3)
        self.honest = [self.worker(self.nats) for _ in range(honest)]

        def are_known() -> bool:
            status = self.there / "grid.json"
            return status.exists() and len(json.loads(status.read_text())["workers"]) == honest

        until(are_known, "honest workers")
        liar.lie()
        return coordinator

    def assert_same_games(self):
        for name in ("games.pgn", "result.json"):
            self.assertEqual((self.there / name).read_bytes(), (self.here / name).read_bytes(), name)

    def test_a_worker_whose_legal_results_are_wrong_is_named_and_not_trusted(self):
        text = self.finished(self.contradicted(2))
        self.assertIn("worker liar is not trusted any more: its result of game", text)
        self.assertEqual(text.count("is not trusted any more"), 1)
        status = json.loads((self.there / "grid.json").read_text())
        self.assertEqual(status["distrusted"], ["liar"])
        self.assertGreater(status["checked"], 0)
        self.assert_same_games()

    def test_two_that_contradict_one_another_are_named_and_the_tasks_set_aside(self):
        text = self.finished(self.contradicted(1), 1)
        self.assertIn("3 of the tasks were set aside", text)
        self.assertRegex(text, r"workers liar and \S+ give different results, and no other is there to tell who is right")
        # With another worker, what is missing is done, and who is wrong is known.
        self.worker(self.nats)
        self.run_tabia("match", "--resume", str(self.there), "--grid", self.nats.url, "--double-check", "1")
        self.assert_same_games()

    def test_results_that_may_differ_are_not_compared(self):
        timed = ["match", "--agent", "random", "--agent", "other=random", "--games", "2", "--movetime", "10"]
        text = self.run_tabia(*timed, "--grid", self.nats.url, "--double-check", "0.5", code=2)
        self.assertIn("--double-check compares results", text)

    def test_a_worker_that_is_told_to_leave_ends(self):
        client = NatsClient(self.nats.url)
        self.addCleanup(client.close)
        client.subscribe("tabia.worker.>")
        worker = self.worker(self.nats)
        answers = iter([{"welcome": True}, {"welcome": False, "leave": True, "reason": "its result of game 7 is wrong"}])

        def ended() -> bool:
            if (message := client.next(0.2)) and message[1] and (answer := next(answers, None)):
                client.publish(message[1], json.dumps(answer).encode())
            return worker.poll() is not None

        until(ended, "a worker that ends")
        self.assertIn("its result of game 7 is wrong", self.finished(worker, 1))
        self.assertNotIn("panicked", said(worker))


if __name__ == "__main__":
    unittest.main()
