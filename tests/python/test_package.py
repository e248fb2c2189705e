"""The package `tabia` for Python, as a user has it: installed from its wheel."""

import doctest
import importlib
import signal
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

import chess
import chess.pgn
import chess.variant
import numpy as np

import tabia
from tabia import quantum

ITALIAN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


def positions(count: int) -> list[str]:
    """Positions of one game that is played by choosing moves in turn, the same every time."""
    board, fens = chess.Board(), []
    while len(fens) < count:
        moves = sorted(map(str, board.legal_moves))
        if not moves or board.is_game_over():
            board = chess.Board()
            continue
        board.push_uci(moves[len(fens) * 7 % len(moves)])
        fens.append(board.fen())
    return fens


class Documentation(unittest.TestCase):
    def test_examples_in_docstrings_are_true(self):
        for name in ("", ".evaluation", ".analysis", ".strength", ".pictures", ".quantum"):
            module = importlib.import_module(f"tabia{name}")
            found = doctest.testmod(module)
            self.assertEqual(found.failed, 0, module.__name__)

    def test_everything_public_has_a_docstring(self):
        for name in tabia.__all__:
            thing = getattr(tabia, name)
            if callable(thing):
                self.assertTrue((thing.__doc__ or "").strip(), name)

    def test_stubs_name_everything_that_is_compiled(self):
        from tabia import _native

        stubs = Path(tabia.__file__).with_name("_native.pyi").read_text()
        for name in dir(_native):
            if not name.startswith("__") or name == "__version__":
                self.assertIn(name, stubs)
        self.assertTrue(Path(tabia.__file__).with_name("py.typed").exists())


class Evaluation(unittest.TestCase):
    def test_a_board_and_its_fen_have_the_same_score(self):
        board = chess.Board(ITALIAN)
        for name in tabia.evaluations():
            self.assertEqual(tabia.evaluate(board, name), tabia.evaluate(ITALIAN, name), name)

    def test_an_evaluation_takes_the_options_of_its_agent(self):
        code = tabia.evaluate(ITALIAN, "axiomx(kernels=code)")
        self.assertNotEqual(code, tabia.evaluate(ITALIAN, "axiomx"))
        self.assertEqual(tabia.explain(ITALIAN, "axiomx(kernels=code)").score, code)
        self.assertEqual(list(tabia.evaluate_many([ITALIAN], "axiomx(kernels=code)")), [code])

    def test_terms_sum_to_the_score_and_fields_are_arrays(self):
        for name in tabia.evaluations():
            explanation = tabia.explain(ITALIAN, name)
            self.assertEqual(sum(term.centipawns for term in explanation.terms), explanation.score, name)
            self.assertEqual(explanation.score, tabia.evaluate(ITALIAN, name), name)
        control = tabia.explain(ITALIAN, "axiomx").fields["control"]
        self.assertEqual((control.values.shape, control.values.dtype), ((8, 8), np.float64))
        self.assertEqual(control["a8"], control.values[0, 0])
        np.testing.assert_array_equal(np.asarray(control), tabia.fields(ITALIAN, "axiomx")["control"])
        self.assertIn("centipawns", tabia.explain(ITALIAN).frame().columns)

    def test_many_positions_have_the_scores_that_each_has_alone(self):
        fens = positions(300)
        alone = [tabia.evaluate(fen) for fen in fens]
        for threads in (1, 2, 7, None):
            many = tabia.evaluate_many(fens, threads=threads)
            self.assertEqual(many.tolist(), alone)
        self.assertEqual(tabia.evaluate_many([]).tolist(), [])

    def test_chess960_is_understood(self):
        board = chess.Board(CHESS960, chess960=True)
        self.assertEqual(tabia.evaluate(board), tabia.evaluate(CHESS960))

    def test_pictures_are_svg(self):
        for svg in (
            tabia.board(ITALIAN)._repr_svg_(),
            tabia.explain(ITALIAN, "axiomx").fields["control"]._repr_svg_(),
            quantum.Game()._repr_svg_(),
        ):
            self.assertTrue(svg.startswith("<svg") and svg.rstrip().endswith("</svg>"))


class Analysis(unittest.TestCase):
    def test_lines_are_whites_view_and_legal(self):
        analysis = tabia.analyse(ITALIAN, nodes=20_000, lines=3)
        self.assertEqual(len(analysis.lines), 3)
        self.assertEqual(analysis.best, analysis.lines[0].moves[0])
        for line in analysis.lines:
            board = chess.Board(ITALIAN)
            for uci, san in zip(line.moves, line.san, strict=True):
                self.assertEqual(board.san(chess.Move.from_uci(uci)), san)
                board.push_uci(uci)
        self.assertEqual(tabia.analyse("7K/5q2/6k1/8/8/8/8/8 b - - 0 1", depth=4).mate, -1)

    def test_nodes_make_a_search_repeatable(self):
        first, second = (tabia.analyse(ITALIAN, nodes=5_000) for _ in range(2))
        self.assertEqual((first.best, first.lines), (second.best, second.lines))

    def test_the_game_before_counts(self):
        """A rook up, White wins; but a move that repeats the position a third time only draws."""
        board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
        for uci in ["a1b1", "g8f8", "b1a1", "f8g8"] * 2:
            board.push_uci(uci)
        board.push_uci("a1b1")
        board.push_uci("g8f8")
        back = tabia.analyse(board, nodes=3000, moves=["b1a1"])
        alone = tabia.analyse(board.fen(), nodes=3000, moves=["b1a1"])
        self.assertLess(abs(back.score), 50)
        self.assertGreater(alone.score, 200)

    def test_another_engine_analyses(self):
        analysis = tabia.analyse(ITALIAN, depth=4, agent="uci(cmd=stockfish)")
        self.assertIn(chess.Move.from_uci(analysis.best), chess.Board(ITALIAN).legal_moves)

    def test_a_review_gives_reasons_with_evidence(self):
        review = tabia.review(ITALIAN, chess.Move.from_uci("f7f6"), nodes=20_000)
        self.assertEqual(review.move, "f7f6")
        self.assertTrue(review.text)
        for reason in review.reasons:
            self.assertIn("evidence", reason)

    def test_a_review_is_in_the_language_asked_for(self):
        english, german = (tabia.review(ITALIAN, "f7f6", nodes=20_000, language=code) for code in ("en", "de"))
        self.assertEqual(english, tabia.review(ITALIAN, "f7f6", nodes=20_000))
        self.assertNotEqual(english.text, german.text)
        self.assertEqual((english.verdict, english.best_line), (german.verdict, german.best_line))
        with self.assertRaisesRegex(ValueError, "no language of the coach"):
            tabia.review(ITALIAN, "f7f6", nodes=1, language="tlh")

    def test_other_threads_run_while_it_searches(self):
        ticks, over = [], threading.Event()

        def tick():
            while not over.is_set():
                ticks.append(None)
                time.sleep(0.001)

        beside = threading.Thread(target=tick)
        beside.start()
        tabia.analyse(ITALIAN, nodes=300_000)
        over.set()
        beside.join()
        # Held for the whole search, the lock would leave a tick or two.
        self.assertGreater(len(ticks), 5)

    def test_ctrl_c_ends_a_search(self):
        script = (
            "import os, signal, threading, tabia\n"
            "try:\n    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
            "    tabia.analyse('startpos', seconds=600)\n"
            "except KeyboardInterrupt:\n    print('interrupted')\n"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.stdout.strip(), "interrupted", done.stderr)


class Strength(unittest.TestCase):
    def test_a_match_is_repeatable_and_its_run_is_a_frame(self):
        import tempfile

        results = []
        with tempfile.TemporaryDirectory() as folder:
            for number in range(2):
                run = Path(folder) / f"run{number}"
                pgn = Path(folder) / f"games{number}.pgn"
                results.append(
                    tabia.play_match(
                        ("two", "alphabeta(depth=2)"), "random", games=4, limit="own", seed=3, run=run, pgn=pgn
                    )
                )
                with pgn.open() as file:
                    self.assertEqual(sum(1 for _ in iter(lambda: chess.pgn.read_game(file), None)), 4)
            first, second = (tabia.read_run(Path(folder) / f"run{number}") for number in range(2))
            self.assertEqual(first.kind, "match")
            self.assertEqual(first.games["moves"].tolist(), second.games["moves"].tolist())
            self.assertEqual(len(first.games), 4)
            self.assertEqual(first.result["wins"], results[0].wins)
        self.assertEqual(results[0].pentanomial, results[1].pentanomial)
        self.assertEqual(results[0].games, results[0].wins + results[0].draws + results[0].losses)

    def test_statistics_agree_with_published_ones(self):
        # As fastchess printed it.
        estimate = tabia.elo([352, 579, 1264, 743, 464])
        self.assertAlmostEqual(estimate.elo, 19.83, delta=0.005)
        self.assertAlmostEqual(estimate.error_95, 6.77, delta=0.005)
        self.assertIsNone(tabia.elo([0, 0, 0, 0, 3]).error_95)
        test = tabia.sprt([352, 579, 1264, 743, 464], elo0=0, elo1=5)
        self.assertEqual(test.verdict, "H1")
        rows = tabia.ratings(["a", "b", "c"], [("a", "b", [1, 2, 5, 4, 2]), ("b", "c", [1, 2, 5, 4, 2])], {"c": 2000})
        self.assertEqual([row["name"] for row in rows], ["a", "b", "c"])


class Formats(unittest.TestCase):
    def test_results_of_fastchess_come_in_and_go_out(self):
        import json
        import tempfile

        from tabia import formats

        stats = {"wins": 7, "losses": 4, "draws": 9, "penta_WW": 2, "penta_WD": 2, "penta_WL": 1, "penta_DD": 3, "penta_LD": 1, "penta_LL": 1}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "config.json"
            path.write_text(json.dumps({"engines": [], "stats": {"new vs old": stats}}))
            (read,) = formats.read_fastchess(path)
            self.assertEqual((read.first, read.second, read.wins), ("new", "old", 7))
            self.assertEqual(read.pentanomial, [1, 1, 4, 2, 2])
            self.assertEqual(read.estimate, tabia.elo([1, 1, 4, 2, 2]))
            match = tabia.play_match(("a", "alphabeta(depth=1)"), ("b", "random"), games=2, limit="own")
            formats.write_fastchess(match, path)
            (written,) = formats.read_fastchess(path)
            self.assertEqual((written.wins, written.draws, written.losses), (match.wins, match.draws, match.losses))
            self.assertEqual(written.pentanomial, match.pentanomial)
            path.write_text("[]")
            with self.assertRaisesRegex(ValueError, "no configuration of fastchess"):
                formats.read_fastchess(path)

    def test_games_go_out_in_the_form_of_cutechess(self):
        """The comments are those that cutechess writes, and Tabia reads the same scores from both files."""
        import io
        import tempfile

        from tabia import formats

        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = Path(folder) / "ours.pgn", Path(folder) / "theirs.pgn"
            tabia.play_match(("a", "alphabeta(depth=2)"), ("b", "alphabeta(depth=1)"), games=2, limit="own", pgn=ours)
            self.assertEqual(formats.write_cutechess(ours, theirs), 2)
            text = theirs.read_text()
            game, plain = (chess.pgn.read_game(io.StringIO(one)) for one in (ours.read_text(), text))
            self.assertEqual(list(game.mainline_moves()), list(plain.mainline_moves()))
            self.assertEqual(plain.headers["White"], game.headers["White"])
            pairs = [(old, new) for old, new in zip(game.mainline(), plain.mainline(), strict=True) if old.eval() and not old.eval().is_mate()]
            self.assertGreater(len(pairs), 3)
            for old, new in pairs:
                self.assertRegex(new.comment, r"^[+-]\d+\.\d\d/\d+( \d+\.\d{3}s)?")
                self.assertEqual(round(float(new.comment.split("/")[0]) * 100), old.eval().pov(not old.turn()).score())
            self.assertNotIn("[%", text)
            mate = '[Result "1-0"]\n\n1. e4 { [%eval #-4] } e5 { [%eval #4] [%depth 9] [%emt 0:00:01.5] good } 1-0\n'
            ours.write_text(mate)
            formats.write_cutechess(ours, theirs)
            self.assertIn("-M8/0", theirs.read_text())
            self.assertIn("-M8/9 1.500s, good", theirs.read_text())
            ours.write_text("")
            with self.assertRaisesRegex(ValueError, "has no games"):
                formats.write_cutechess(ours, theirs)


class BadInput(unittest.TestCase):
    def refused(self, kind, pattern, call, *arguments, **options):
        with self.assertRaisesRegex(kind, pattern):
            call(*arguments, **options)

    def test_positions(self):
        self.refused(ValueError, "rank 3 has 7 squares", tabia.evaluate, "8/8/8/8/8/7/8/8 w - - 0 1")
        self.refused(ValueError, "Black has no king", tabia.evaluate, "8/8/8/8/8/8/8/K7 w - - 0 1")
        self.refused(TypeError, "a FEN or a python-chess Board, not int", tabia.evaluate, 17)
        self.refused(TypeError, "not NoneType", tabia.evaluate, None)
        self.refused(ValueError, "rules of atomic", tabia.evaluate, chess.variant.AtomicBoard())
        self.refused(ValueError, "rules of antichess", tabia.analyse, chess.variant.AntichessBoard(), depth=2)
        self.refused(ValueError, "position 1: .*empty", tabia.evaluate_many, [tabia.START, ""])
        self.refused(TypeError, "give a list", tabia.evaluate_many, tabia.START)
        self.refused(TypeError, "positions is int; give a list", tabia.evaluate_many, 5)
        self.refused(ValueError, "half of a character", tabia.evaluate, "\ud800")
        self.refused(TypeError, "evaluation is a text, not int", tabia.evaluate, tabia.START, 5)
        for rules in ("Crazyhouse", "ThreeCheck", "KingOfTheHill", "RacingKings", "Horde"):
            self.refused(ValueError, "the board has the rules of", tabia.evaluate, getattr(chess.variant, f"{rules}Board")())

    def test_names_and_limits(self):
        self.refused(ValueError, 'no evaluation is called "feild", did you mean|no evaluation', tabia.evaluate, tabia.START, "feild")
        self.refused(ValueError, "contempt, style", tabia.evaluate, tabia.START, "axon(kernels=code)")
        self.refused(ValueError, "no agent is called", tabia.analyse, tabia.START, depth=2, agent="nobody")
        self.refused(ValueError, "depth is 0", tabia.analyse, tabia.START, depth=0)
        self.refused(TypeError, "whole number", tabia.analyse, tabia.START, depth=2.5)
        self.refused(ValueError, "depth is 1000000000000; give at most", tabia.analyse, tabia.START, depth=10**12)
        self.refused(ValueError, "nodes is -3", tabia.analyse, tabia.START, nodes=-3)
        self.refused(TypeError, "moves is int; give a list", tabia.analyse, tabia.START, depth=1, moves=5)
        self.refused(TypeError, "agent is a text", tabia.analyse, tabia.START, depth=1, agent=None)
        self.refused(ValueError, "no time to think", tabia.analyse, tabia.START, seconds=-1.0)
        self.refused(ValueError, "no time to think", tabia.analyse, tabia.START, seconds=float("nan"))
        self.refused(ValueError, "cannot be \"1000000\"", tabia.analyse, tabia.START, depth=2, lines=1_000_000)
        self.refused(ValueError, "over", tabia.analyse, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", depth=2)
        self.refused(ValueError, "is not legal", tabia.review, tabia.START, "e2e5")
        self.refused(ValueError, "is not a move", tabia.review, tabia.START, "hello")
        self.refused(ValueError, "threads is 0", tabia.evaluate_many, [tabia.START], threads=0)

    def test_statistics_and_matches(self):
        self.refused(ValueError, "expected 5", tabia.elo, [1, 2, 3])
        self.refused(ValueError, "give either", tabia.elo)
        self.refused(TypeError, "pentanomial is str; give a list", tabia.elo, "abcde")
        self.refused(TypeError, "whole number, not float", tabia.elo, [1.5, 0, 0, 0, 1])
        self.refused(ValueError, "give at most", tabia.elo, [2**70, 0, 0, 0, 1])
        self.refused(TypeError, "a player is an agent spec, or a name and a spec, not int", tabia.play_match, 1, 2, games=2)
        self.refused(TypeError, "games is a whole number, not str", tabia.play_match, "random", "random", games="x")
        self.refused(ValueError, "seed is -1", tabia.play_match, "random", "random", games=2, limit="own", seed=-1)
        self.refused(ValueError, "0 or more", tabia.elo, wins=-1)
        self.refused(ValueError, "elo0 must be the smaller", tabia.sprt, [1, 2, 3, 4, 5], elo0=5, elo1=0)
        self.refused(ValueError, "no Elo model", tabia.sprt, [1, 2, 3, 4, 5], model="bayes")
        self.refused(ValueError, "needs two agents", tabia.play_match, "random", games=2)
        self.refused(ValueError, "is no limit", tabia.play_match, "random", "random", games=2, limit="fast")
        self.refused(ValueError, "at least one", tabia.play_match, "random", "random", games=0)
        self.refused(ValueError, "no openings", tabia.play_match, "random", "random", games=2, limit="own", openings="/no.pgn")
        self.refused(FileNotFoundError, "is no run", tabia.read_run, "/nowhere")

    def test_quantum_games(self):
        game = quantum.Game()
        self.refused(ValueError, "is not legal", game.push, "e2e5")
        self.refused(ValueError, "number of no move", game.push, quantum.ACTIONS)
        self.refused(ValueError, "number of no move", game.push, -1)
        self.refused(TypeError, "an action is a whole number, not float", game.push, 1.5)
        self.refused(TypeError, "not NoneType", game.push, None)
        self.refused(ValueError, "give at most", game.push, 2**80)
        self.refused(TypeError, "ply is a text", game.replay, None)
        self.refused(ValueError, "seed is -1", quantum.Game, seed=-1)
        self.refused(ValueError, "ply_limit is 0", quantum.VectorEnv, 2, ply_limit=0)
        read_only = np.zeros(quantum.SHAPE, dtype=np.float32)
        read_only.flags.writeable = False
        self.refused(ValueError, "cannot be written", game.planes, read_only)
        self.refused(ValueError, "contiguous", game.planes, np.zeros(quantum.SHAPE, dtype=np.float32, order="F"))
        self.refused(ValueError, "expected a contiguous array", game.planes, np.zeros((3, 3), dtype=np.float32))
        self.refused(ValueError, "expected a contiguous array", game.mask, np.zeros(quantum.ACTIONS, dtype=np.float64))
        self.refused(ValueError, "no agent is called", game.choose, "nobody")
        self.refused(ValueError, "", quantum.Game, "nonsense")
        self.refused(ValueError, "a batch has 1 to", quantum.VectorEnv, 0)
        env = quantum.VectorEnv(2)
        self.refused(ValueError, r"expected \(2,\) integers", env.step, [0.5, 1.0])
        self.refused(ValueError, "3 actions for 2 games", env.step, [1, 2, 3])
        self.refused(ValueError, "game 1: ", env.step, [env.reset().masks[0].argmax(), 0])
        self.refused(ValueError, "shape", env.step, np.zeros((2, 2), dtype=np.int64))
        self.refused(ValueError, "there is no game 7", env.position, 7)
        self.refused(ValueError, "index is -1", env.position, -1)
        env.close()
        self.refused(RuntimeError, "closed", env.position, 0)
        self.refused(RuntimeError, "closed", env.sample, np.random.default_rng(1))
        self.refused(RuntimeError, "closed", env.step, [0, 0])
        self.refused(RuntimeError, "closed", env.reset)
