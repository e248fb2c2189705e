"""The server as other programs meet it: whole games over its API and over seed 003's protocol, judged by python-chess."""

import io
import subprocess
import time
import unittest

import chess
import chess.pgn
from peer import GUARD_S
from server import ServerTest

from built import tabia_binary
from seed import FOOLS_MATE, Board
from tabia import Problem, Tabia


class Games(ServerTest):
    def test_a_whole_game_agrees_with_python_chess(self):
        tabia = Tabia(self.start().address)
        game = tabia.new_game(black="alphabeta(depth=1,eval=material)")
        board = chess.Board()
        state = game.wait()
        while state["awaits"] == "human":
            legal = {(chess.square_name(m.from_square), chess.square_name(m.to_square)) for m in board.legal_moves}
            self.assertEqual({(a, b) for a, targets in state["legal"].items() for b in targets}, legal)
            move = max(board.legal_moves, key=lambda move: (board.is_capture(move), move.promotion or 0, move.uci()))
            game.play(move.uci(), state["ply"])
            state = game.wait()
            board = chess.Board()
            for played in state["moves"]:
                self.assertEqual(board.san(chess.Move.from_uci(played["uci"])), played["san"])
                board.push_uci(played["uci"])
            self.assertEqual(state["fen"], board.fen(en_passant="legal"))
            self.assertEqual(state["check"], board.is_check())
        self.assertEqual(state["outcome"]["result"], board.result(claim_draw=True))

    def test_events_tell_the_same_game(self):
        tabia = Tabia(self.start().address)
        game = tabia.new_game(white="random(seed=11)", black="random(seed=12)")
        heard: list[str] = []
        for event in game.events(since=0):
            if event.name == "state":
                heard = [move["uci"] for move in event.data["moves"]]
            elif event.name == "moved":
                heard.append(event.data["move"]["uci"])
            elif event.name == "ended":
                break
        state = game.state()
        self.assertEqual(heard, [move["uci"] for move in state["moves"]])
        self.assertEqual(state["awaits"], "nobody")

    def test_a_killed_server_has_lost_nothing_that_it_acknowledged(self):
        server = self.start()
        game = Tabia(server.address).new_game(black="human")
        for move in ["e4", "e5", "Nf3", "Nc6", "Bb5"]:
            before = game.play(move)
        server.kill()
        game.tabia = Tabia(self.start().address)
        after = game.state()
        self.assertEqual(after["moves"], before["moves"])
        self.assertEqual(after["version"], before["version"])
        self.assertEqual(game.play("a6")["ply"], 6)

    def test_a_server_ends_when_it_is_told_even_while_somebody_watches(self):
        server = self.start()
        events = Tabia(server.address).new_game(black="human").events()
        self.assertEqual(next(events).name, "state")
        self.assertEqual(server.close(), 0)
        self.assertEqual(list(events), [])

    def test_errors_are_problems(self):
        tabia = Tabia(self.start().address)
        with self.assertRaises(Problem) as raised:
            tabia.new_game(black="axiomy")
        self.assertEqual(raised.exception.document["status"], 422)
        self.assertIn("axiomx", raised.exception.document["detail"])


class Seed(ServerTest):
    def check_a_whole_game(self, address: str):
        client = Board(address)
        self.addCleanup(client.close)
        client.new()
        board = chess.Board()
        for text in ["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f6e4", "e1g1", "e4f2", "f1f2", "d7d6", "c4f7"]:
            for square in chess.SQUARES:
                expected = {chess.square_name(m.to_square).upper() for m in board.legal_moves if m.from_square == square}
                self.assertEqual(set(client.moves(chess.square_name(square))), expected)
            client.move(text)
            board.push_uci(text)
            rows = [line.split("\t|")[1].rstrip("|").split("|") for line in client.board().splitlines()[:8]]
            shown = "\n".join(" ".join("." if square in "01" else square for square in row) for row in rows)
            self.assertEqual(shown, str(board))
        self.assertEqual(client.status(), "Black is in check")
        with self.assertRaises(ValueError):
            client.move("a7a6")
        client.new()
        for move in FOOLS_MATE:
            client.move(move)
        self.assertEqual(client.status(), "Black wins")

    def test_a_whole_game_over_http(self):
        self.check_a_whole_game(self.start().address)

    def test_a_whole_game_over_the_websocket(self):
        self.check_a_whole_game(self.start().address.replace("http", "ws") + "/ws/legacy")


class Runs(ServerTest):
    def test_a_match_is_started_watched_stopped_and_resumed(self):
        tabia = Tabia(self.start().address)
        match = {"kind": "match", "agents": ["random(seed=1)", "random(seed=2)"], "depth": 1, "concurrency": 1}
        run = tabia.ask("POST", "/runs", {**match, "name": "short", "games": 4})
        self.assertEqual(run["id"], "short")
        self.wait_for(tabia, "short", "finished")
        short = tabia.ask("GET", "/runs/short")
        self.assertEqual((short["kind"], short["result"]["games_played"]), ("match", 4))
        with tabia.open("GET", "/runs/short/artefacts/games.pgn") as file:
            games = io.TextIOWrapper(file)
            self.assertEqual(sum(1 for _ in iter(lambda: chess.pgn.read_game(games), None)), 4)
        steps = [event for event in tabia.events("/runs/short/events") if event.name == "metrics"]
        self.assertEqual([event.id for event in steps], [1, 2, 3, 4])

        tabia.ask("POST", "/runs", {**match, "name": "long", "games": 100_000})
        next(event for event in tabia.events("/runs/long/events") if event.name == "metrics")
        with self.assertRaises(Problem) as raised:
            tabia.ask("POST", "/runs", {**match, "games": 4})
        self.assertEqual(raised.exception.document["status"], 429)
        tabia.ask("POST", "/runs/long/stop")
        self.wait_for(tabia, "long", "stopped")
        played = tabia.ask("GET", "/runs/long")["result"]["games_played"]
        tabia.ask("POST", "/runs/long/resume")
        more = next(e for e in tabia.events("/runs/long/events", since=played) if e.name == "metrics")
        self.assertGreater(more.id, played)
        tabia.ask("POST", "/runs/long/stop")
        self.wait_for(tabia, "long", "stopped")

    def wait_for(self, tabia: Tabia, name: str, state: str):
        self.assertTrue(self.until(lambda: tabia.ask("GET", f"/runs/{name}")["state"] == state), state)

    @staticmethod
    def until(happened) -> bool:
        """Whether it happens before something must be wrong."""
        deadline = time.monotonic() + GUARD_S
        while time.monotonic() < deadline:
            if happened():
                return True
            time.sleep(0.05)
        return False


class Start(unittest.TestCase):
    def test_an_open_address_needs_a_token(self):
        command = [tabia_binary(), "serve", "--addr", "0.0.0.0:0"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S, env={"HOME": "/nonexistent"})
        self.assertEqual(run.returncode, 2)
        self.assertIn("--token", run.stderr)
        self.assertEqual(len(run.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
