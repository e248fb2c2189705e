"""The match script: its arithmetic, its openings, and that no fault of an engine goes unseen or leaves a process."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import chess
import chess.pgn

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from matchplay import openings, players, rating

LADDER = [sys.executable, str(ROOT / "tools" / "ladder.py")]
TAG = f"--tag=test-{os.getpid()}"
FAKE = f"cmd:{sys.executable} {Path(__file__).with_name('fake_engine.py')} {TAG}"
GUARD_S = 120


def ladder(*arguments: str) -> tuple[int, dict, str]:
    """Runs the script; gives its exit status, its JSON and what it said."""
    command = [*LADDER, "--json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr


def fake(fault: str) -> str:
    return f"{FAKE} {fault}:label={fault}"


def fakes_running() -> int:
    """How many of this test run's fake engines are alive."""
    listing = subprocess.run(["ps", "-eo", "stat,args"], capture_output=True, text=True, check=True).stdout
    mine = [line for line in listing.splitlines() if TAG in line and "ladder.py" not in line]
    return sum(not line.startswith("Z") for line in mine)


class Openings(unittest.TestCase):
    def test_built_in_lines_are_legal_distinct_and_of_four_to_eight_plies(self):
        book = openings.built_in()
        self.assertGreaterEqual(len(book), 50)
        self.assertEqual(len({opening.board().fen() for opening in book}), len(book))
        self.assertEqual(len({opening.name for opening in book}), len(book))
        for opening in book:
            self.assertIn(len(opening.moves), range(4, 9), opening.name)

    def test_a_seed_decides_the_order_and_openings_repeat_when_they_run_out(self):
        self.assertEqual(openings.choose(200, 7), openings.choose(200, 7))
        self.assertNotEqual(openings.choose(20, 7), openings.choose(20, 8))
        self.assertEqual(len(openings.choose(200, 7)), 200)


class Players(unittest.TestCase):
    def test_stockfish_levels_have_options_and_ratings(self):
        player = players.read_player("stockfish:elo=2325:Move Overhead=30:label=sf")
        self.assertEqual(player.label, "sf")
        self.assertEqual(player.options["UCI_Elo"], "2325")
        self.assertEqual(player.options["Move Overhead"], "30")
        self.assertEqual(player.rating, round((2770 + 2915) / 2))
        self.assertEqual(players.read_player("stockfish:skill=2").rating, 1608)
        self.assertIsNone(players.read_player("stockfish:skill=20").rating)

    def test_wrong_specs_are_named(self):
        for spec, expected in [
            ("stokfish", 'no player is called "stokfish"'),
            ("stockfish:elo=9000", "from 1350 to 2850"),
            ("stockfish:fast", "write Option=Value"),
            ("cmd:", "needs a command"),
            ("cmd:/no/such/engine", "is not installed"),
        ]:
            with self.assertRaisesRegex(players.SpecError, expected):
                players.read_player(spec)


class Ratings(unittest.TestCase):
    def test_elo_and_its_error_come_from_pairs(self):
        even = rating.estimate([5, 10, 20, 10, 5])
        self.assertAlmostEqual(even.elo, 0)
        self.assertAlmostEqual(even.los, 0.5)
        # By hand: mean 0.6, variance 0.115 over 100 pairs; 400·log10(1.5), and 1.96·0.03391·(400/ln 10)/0.24.
        better = rating.estimate([10, 20, 20, 20, 30])
        self.assertAlmostEqual(better.elo, 70.44, places=2)
        self.assertAlmostEqual(better.error, 48.11, delta=0.05)

    def test_nothing_is_claimed_where_nothing_can_be(self):
        self.assertIsNone(rating.estimate([0, 0, 0, 0, 9]).elo)
        self.assertIsNone(rating.estimate([0, 0, 9, 0, 0]).error)
        self.assertIsNone(rating.estimate([0, 0, 0, 0, 0]).elo)

    def test_sprt_accepts_the_better_hypothesis(self):
        self.assertEqual(rating.sprt_verdict(rating.log_likelihood_ratio([10, 80, 200, 180, 60], 0, 10)), "accepted")
        self.assertEqual(rating.sprt_verdict(rating.log_likelihood_ratio([60, 180, 200, 80, 10], 0, 10)), "rejected")
        self.assertIsNone(rating.sprt_verdict(rating.log_likelihood_ratio([1, 2, 5, 2, 1], 0, 10)))
        self.assertIsNone(rating.sprt_verdict(rating.log_likelihood_ratio([0, 0, 0, 0, 3], 0, 10)), "three pairs")

    def test_with_many_pairs_the_likelihood_ratio_is_the_normal_one(self):
        pairs = [300, 900, 2000, 1000, 350]
        mean, variance = rating.mean_and_variance(pairs)
        score0, score1 = rating.expected(0), rating.expected(5)
        normal = sum(pairs) * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
        self.assertAlmostEqual(rating.log_likelihood_ratio(pairs, 0, 5), normal, delta=0.02)

    def test_a_performance_is_the_rating_that_expects_the_points(self):
        self.assertAlmostEqual(rating.performance([(2000, 5, 10)]), 2000, delta=0.1)
        self.assertAlmostEqual(rating.performance([(1800, 10, 10), (2200, 0, 10)]), 2000, delta=0.1)
        self.assertIsNone(rating.performance([(1800, 10, 10)]))


class Faults(unittest.TestCase):
    """Each fault is seen, blamed on whoever committed it, and played on from."""

    def check(self, fault: str, counter: str, *arguments: str):
        code, result, said = ladder("--engine", fake(fault), fake("none"), "--games", "2", "--stall", "1", *arguments)
        self.assertEqual(code, 1, said)
        match = result["matches"][0]
        self.assertEqual((match["games"], match["losses"], match[counter]), (2, 2, 2), said)
        self.assertEqual(sum(match["opponent_faults"].values()), 0)
        self.assertIn("fault: ", said)
        return said

    def test_an_illegal_move_loses(self):
        self.assertIn('"a1a1"', self.check("illegal", "illegal_moves", "--depth", "1"))

    def test_a_crash_loses_and_its_last_words_are_kept(self):
        self.assertIn("it hurts", self.check("crash", "crashes", "--depth", "1"))

    def test_a_stall_ends_the_game(self):
        self.check("stall", "stalls", "--depth", "1")

    def test_an_engine_that_never_answers_uci_crashes_nothing(self):
        code, result, said = ladder("--engine", "cmd:true", fake("none"), "--games", "2", "--depth", "1")
        self.assertEqual((code, result["matches"][0]["crashes"]), (1, 2), said)

    def test_overstepping_the_clock_loses(self):
        self.check("slow", "time_losses", "--tc", "0.3+0")

    def test_a_second_bestmove_is_a_fault(self):
        self.check("double", "illegal_moves", "--depth", "1")

    def test_the_other_sides_fault_is_a_win(self):
        code, result, said = ladder("--engine", fake("none"), fake("crash"), "--games", "2", "--depth", "1")
        match = result["matches"][0]
        self.assertEqual((code, match["wins"], match["opponent_faults"]["crash"]), (0, 2, 2), said)

    def test_an_unknown_option_is_named_with_the_nearest(self):
        code, _, said = ladder("--engine", fake("none") + ":Hahs=3", fake("none"), "--games", "2", "--depth", "1")
        self.assertEqual(code, 2)
        self.assertIn('no option "Hahs"; did you mean "Hash"?', said)


class Matches(unittest.TestCase):
    def test_a_stronger_engine_wins_and_every_game_is_in_the_pgn(self):
        pgn = Path(self.enterContext(tempfile.TemporaryDirectory())) / "games.pgn"
        code, result, said = ladder(
            "--engine", "stockfish:skill=10", "stockfish:skill=0", "--nodes", "3000", "--games", "8",
            "--adjudicate", "--pgn", str(pgn),
        )  # fmt: skip
        match = result["matches"][0]
        self.assertEqual(code, 0, said)
        self.assertEqual(match["games"], 8)
        self.assertEqual(sum(match["pentanomial"]), 4)
        self.assertGreater(match["wins"], match["losses"])
        with pgn.open() as file:
            games = []
            while game := chess.pgn.read_game(file):
                games.append(game)
        self.assertEqual(len(games), 8)
        self.assertFalse(any(game.errors for game in games))
        rounds = sorted(game.headers["Round"] for game in games)
        self.assertEqual(rounds, sorted(f"{pair}.{half}" for pair in range(1, 5) for half in (1, 2)))

    def test_odd_spaces_and_line_ends_are_read(self):
        code, result, said = ladder("--engine", fake("odd"), fake("none"), "--games", "2", "--depth", "1")
        self.assertEqual((code, result["matches"][0]["games"]), (0, 2), said)

    def test_an_interrupted_match_reports_and_leaves_no_process(self):
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(how.name):
                script = subprocess.Popen(
                    [*LADDER, "--engine", fake("stall"), fake("stall"), "--depth", "1", "--stall", "600"],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
                self.wait_for(lambda: fakes_running() == 4)
                os.kill(script.pid, how)
                said, _ = script.communicate(timeout=GUARD_S)
                if how != signal.SIGKILL:
                    self.assertIn("no game was finished", said)
                    self.assertEqual(script.returncode, 0)
                self.wait_for(lambda: fakes_running() == 0)

    def wait_for(self, condition):
        deadline = time.monotonic() + GUARD_S
        while not condition():
            self.assertLess(time.monotonic(), deadline, "it never came to pass")
            time.sleep(0.05)


if __name__ == "__main__":
    unittest.main()
