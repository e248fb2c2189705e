"""`tabia match` against other programs: engines that exist, games that python-chess reads."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import chess.pgn
from peer import ROOT
from built import tabia_binary

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
            # With a margin that no machine is too slow for: a game lost on time at its first move would have no clocks.
            code, result, said = match(
                "--agent", "engine", "--agent", "sf=uci(cmd=stockfish,option.Hash=1)", "--tc", "1+0.02",
                "--games", "4", "--ponder", "--pgn", str(pgn), "--margin", "10000",
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
                # An engine has as long to introduce itself, and to start Python takes a while on a busy machine.
                stall = ["--stall", "15"] if fault == "stall" else []
                code, result, said = match("--agent", fake(fault), "--agent", fake("none"), "--games", "2", "--depth", "1",
                                           *stall, "--openings", "startpos")  # fmt: skip
                self.assertEqual((code, result["losses"], result[counter]), (0, 2, 2), said)
        # A late answer is waited for a tenth of the stall timeout: long enough to come, so that it is not taken for a crash.
        code, result, said = match("--agent", fake("slow"), "--agent", fake("none"), "--games", "2", "--tc", "0.4+0.1",
                                   "--stall", "300", "--openings", "startpos")  # fmt: skip
        self.assertEqual((code, result["time_losses"]), (0, 2), said)

    def test_odd_spaces_and_line_ends_are_read(self):
        code, result, said = match("--agent", fake("odd"), "--agent", fake("none"), "--games", "2", "--depth", "1",
                                   "--openings", "startpos", "--max-moves", "20")  # fmt: skip
        self.assertEqual((code, result["games"], result["crashes"] + result["illegal_moves"]), (0, 2, 0), said)

    def test_a_ladder_is_played_among_neighbours_and_goes_on_where_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / "ladder"
            command = [sys.executable, str(ROOT / "tools" / "ladder.py"), "random", "alphabeta-d3", "axiomx-speed", "stockfish-2100",
                       "--neighbours", "2", "--nodes", "300", "--games", "2", "--run", str(run)]  # fmt: skip
            first, again = (
                subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S, check=False) for _ in range(2)
            )
            self.assertEqual((first.returncode, again.returncode), (0, 0), first.stderr + again.stderr)
            result = json.loads((run / "result.json").read_text())
        met = [(row["agent"], row["opponent"]) for row in result["crosstable"] if row["games"]]
        self.assertEqual(len(met), 5, met)
        self.assertNotIn(("random", "stockfish-2100"), met)
        self.assertEqual(first.stdout, again.stdout)
        self.assertIn("| stockfish-2100 | 2580 | anchor | 4 |", first.stdout)

    def test_nobody_of_that_name_stands_on_the_ladder(self):
        command = [sys.executable, str(ROOT / "tools" / "ladder.py"), "stokfish"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("nobody is called stokfish; there are: random", done.stderr)


if __name__ == "__main__":
    unittest.main()
