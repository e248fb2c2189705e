"""`tabia match` against other programs: engines that exist, games that python-chess reads."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import chess.pgn
from peer import ROOT  # noqa: F401  (puts tools/ on the path)
from matchplay.players import tabia_binary

FAKE = Path(__file__).with_name("fake_engine.py")
GUARD_S = 300


def match(*arguments: str) -> tuple[int, dict, str]:
    """Runs a match; gives its exit status, its JSON and what it said."""
    command = [tabia_binary(), "match", "--json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr


def fake(fault: str) -> str:
    return f"{fault}=uci(cmd={sys.executable} {FAKE} {fault})"


class Matches(unittest.TestCase):
    def test_games_with_stockfish_are_read_by_python_chess(self):
        with tempfile.TemporaryDirectory() as folder:
            pgn = Path(folder) / "games.pgn"
            code, result, said = match(
                "--agent", "engine", "--agent", "sf=uci(cmd=stockfish,option.Hash=1)", "--tc", "1+0.02",
                "--games", "4", "--ponder", "--pgn", str(pgn), "--margin", "200",
            )  # fmt: skip
            self.assertEqual(code, 0, said)
            self.assertEqual((result["games"], result["illegal_moves"], result["crashes"]), (4, 0, 0), said)
            with pgn.open() as file:
                games = list(iter(lambda: chess.pgn.read_game(file), None))
        self.assertEqual(len(games), 4)
        for game in games:
            self.assertEqual(game.errors, [])
            self.assertNotEqual(game.headers["Result"], "*")
            self.assertIsNotNone(game.end().parent.clock())

    def test_a_fixed_number_of_nodes_gives_the_same_games_twice(self):
        arguments = ("--agent", "engine(hash=1)", "--agent", "sf=uci(cmd=stockfish,option.Hash=1)", "--nodes", "500",
                     "--games", "4")  # fmt: skip
        first, second = (match(*arguments, "--concurrency", count)[1] for count in ("1", "2"))
        self.assertEqual(first, second)
        self.assertEqual(first["games"], 4)

    def test_engines_that_misbehave_lose_their_games(self):
        for fault, counter in [("illegal", "illegal_moves"), ("crash", "crashes"), ("stall", "crashes")]:
            with self.subTest(fault):
                code, result, said = match("--agent", fake(fault), "--agent", fake("none"), "--games", "2", "--depth", "1",
                                           "--stall", "2", "--openings", "startpos")  # fmt: skip
                self.assertEqual((code, result["losses"], result[counter]), (0, 2, 2), said)
        code, result, said = match("--agent", fake("slow"), "--agent", fake("none"), "--games", "2", "--tc", "0.4+0.1",
                                   "--openings", "startpos")  # fmt: skip
        self.assertEqual((code, result["time_losses"]), (0, 2), said)

    def test_odd_spaces_and_line_ends_are_read(self):
        code, result, said = match("--agent", fake("odd"), "--agent", fake("none"), "--games", "2", "--depth", "1",
                                   "--openings", "startpos", "--max-moves", "20")  # fmt: skip
        self.assertEqual((code, result["games"], result["crashes"] + result["illegal_moves"]), (0, 2, 0), said)


if __name__ == "__main__":
    unittest.main()
