"""Tabia as other programs meet it: python-chess drives it through whole games and every way of thinking."""

import contextlib
import logging
import os
import re
import tempfile
import unittest
from pathlib import Path

import chess
import chess.engine
from peer import GUARD_S, command, only_tabia

MANUAL = Path(__file__).parents[2] / "docs/uci.md"

MATES = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1),
    ("3k4/8/3K4/8/8/8/8/6rR b - - 0 1", None),  # no mate: the rook hangs
]

OPTIONS = {
    "Hash": "spin",
    "Threads": "spin",
    "MultiPV": "spin",
    "Ponder": "check",
    "Move Overhead": "spin",
    "UCI_Chess960": "check",
    "UCI_ShowWDL": "check",
    "UCI_LimitStrength": "check",
    "UCI_Elo": "spin",
    "SyzygyPath": "string",
    "Clear Hash": "button",
}
TABIA_OPTIONS = {"BookFile": "string", "OwnBook": "check", "Contempt": "spin", "Evaluation": "combo"}


def processor_s(engine: chess.engine.SimpleEngine) -> float:
    """How long the engine has computed, all its threads together."""
    fields = Path(f"/proc/{engine.transport.get_pid()}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class UciTest(unittest.TestCase):
    def engine(self, *arguments: str) -> chess.engine.SimpleEngine:
        engine = chess.engine.SimpleEngine.popen_uci([*command(), *arguments], timeout=GUARD_S)
        self.addCleanup(engine.close)
        return engine

    def play_on(self, engine, board: chess.Board, limit: chess.engine.Limit, plies: int = 1000) -> chess.Board:
        """Lets the engine play both sides; python-chess refuses an illegal move."""
        for _ in range(plies):
            if board.is_game_over(claim_draw=True):
                break
            board.push(engine.play(board, limit).move)
        return board


class Handshake(UciTest):
    def test_it_says_who_it_is(self):
        engine = self.engine()
        self.assertTrue(engine.id.get("name"))
        self.assertTrue(engine.id.get("author"))

    def test_every_option_is_listed_with_its_type(self):
        options = self.engine().options
        for name, kind in OPTIONS.items():
            self.assertIn(name, options)
            self.assertEqual(options[name].type, kind, name)

    @only_tabia
    def test_tabias_own_options_are_listed_with_their_types(self):
        options = self.engine().options
        for name, kind in TABIA_OPTIONS.items():
            self.assertIn(name, options)
            self.assertEqual(options[name].type, kind, name)

    def test_defaults_lie_within_their_bounds(self):
        for option in self.engine().options.values():
            if option.type == "spin":
                self.assertLessEqual(option.min, option.default, option.name)
                self.assertLessEqual(option.default, option.max, option.name)
            if option.type == "combo":
                self.assertIn(option.default, option.var, option.name)


class Games(UciTest):
    def test_a_whole_game_against_itself_is_legal_to_its_end(self):
        board = self.play_on(self.engine(), chess.Board(), chess.engine.Limit(nodes=2000))
        self.assertTrue(board.is_game_over(claim_draw=True))

    def test_chess960_is_played_from_any_start(self):
        engine = self.engine()
        for number in (0, 259, 518, 700, 959):
            with self.subTest(number):
                board = chess.Board.from_chess960_pos(number)
                self.play_on(engine, board, chess.engine.Limit(nodes=1000), plies=60)
                self.assertGreater(board.ply(), 5)

    def test_chess960_castling_is_written_as_king_takes_rook(self):
        engine = self.engine()
        board = chess.Board("4k3/8/8/8/8/8/8/1R1K3R w HB - 0 1", chess960=True)
        for castle in ("d1h1", "d1b1"):
            move = chess.Move.from_uci(castle)
            played = engine.play(board, chess.engine.Limit(nodes=500), root_moves=[move]).move
            self.assertTrue(board.is_castling(played))
            self.assertEqual(played.uci(), castle)

    def test_castling_is_written_as_a_king_move_otherwise(self):
        board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
        for castle in ("e1g1", "e1c1"):
            move = chess.Move.from_uci(castle)
            played = self.engine().play(board, chess.engine.Limit(nodes=500), root_moves=[move]).move
            self.assertEqual(played, move)

    def test_no_flag_falls_in_a_clocked_game(self):
        """Charged is the time that the engine computes, not the time for which a busy machine keeps it waiting."""
        engine, board = self.engine(), chess.Board()
        clocks = {chess.WHITE: 5.0, chess.BLACK: 5.0}
        increment = 0.05
        while board.ply() < 100 and not board.is_game_over(claim_draw=True):
            limit = chess.engine.Limit(
                white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK],
                white_inc=increment, black_inc=increment,
            )  # fmt: skip
            before = processor_s(engine)
            move = engine.play(board, limit).move
            clocks[board.turn] -= processor_s(engine) - before
            self.assertGreater(clocks[board.turn], 0, f"after {board.ply()} plies")
            clocks[board.turn] += increment
            board.push(move)

    def test_a_game_with_moves_to_go_is_played(self):
        engine, board = self.engine(), chess.Board()
        for moves_left in (3, 2, 1):
            limit = chess.engine.Limit(white_clock=1, black_clock=1, remaining_moves=moves_left)
            board.push(engine.play(board, limit).move)
            board.push(engine.play(board, limit).move)

    def test_limited_strength_plays_legally_and_loses_to_full_strength(self):
        strong, weak = self.engine(), self.engine()
        weak.configure({"UCI_LimitStrength": True, "UCI_Elo": weak.options["UCI_Elo"].min})
        for strong_color in chess.COLORS:
            board = chess.Board()
            while not board.is_game_over(claim_draw=True):
                mover = strong if board.turn == strong_color else weak
                board.push(mover.play(board, chess.engine.Limit(nodes=3000)).move)
            outcome = board.outcome(claim_draw=True)
            self.assertNotEqual(outcome.winner, not strong_color, board.fen())

    def test_pondering_on_the_expected_and_on_another_move(self):
        """python-chess sends `go ponder`, then `ponderhit` if the guess was right, `stop` if not."""
        engine, board = self.engine(), chess.Board()
        limit = chess.engine.Limit(white_clock=3, black_clock=3, white_inc=0.05, black_inc=0.05)
        hits = misses = 0
        while (hits == 0 or misses == 0) and board.ply() < 60:
            result = engine.play(board, limit, ponder=True)
            board.push(result.move)
            replies = list(board.legal_moves)
            guess_right = hits <= misses and result.ponder in replies
            others = [reply for reply in replies if reply != result.ponder]
            if not guess_right and not others:
                break
            hits, misses = hits + guess_right, misses + (not guess_right)
            board.push(result.ponder if guess_right else others[0])
        engine.play(board, limit)
        self.assertGreater(hits, 0)
        self.assertGreater(misses, 0)


class Thinking(UciTest):
    def test_several_lines_are_different_legal_and_in_order(self):
        board = chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
        lines = self.engine().analyse(board, chess.engine.Limit(nodes=50_000), multipv=4)
        self.assertEqual([line["multipv"] for line in lines], [1, 2, 3, 4])
        self.assertEqual(len({line["pv"][0] for line in lines}), 4)
        scores = [line["score"].relative for line in lines]
        self.assertEqual(scores, sorted(scores, reverse=True))
        for line in lines:
            copy = board.copy()
            for move in line["pv"]:
                self.assertIn(move, copy.legal_moves)
                copy.push(move)

    def test_more_lines_than_moves_give_every_move_once(self):
        board = chess.Board("7k/8/8/8/8/8/6q1/K7 w - - 0 1")
        lines = self.engine().analyse(board, chess.engine.Limit(nodes=2000), multipv=10)
        self.assertEqual({line["pv"][0] for line in lines}, set(board.legal_moves))

    def test_infinite_analysis_ends_when_stopped(self):
        with self.engine().analysis(chess.Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 4:
                    break
            analysis.stop()
            best = analysis.wait()
        self.assertIn(best.move, chess.Board().legal_moves)

    def test_only_the_moves_asked_for_are_searched(self):
        board = chess.Board()
        wanted = [chess.Move.from_uci(move) for move in ("a2a3", "h2h3")]
        engine = self.engine()
        self.assertIn(engine.play(board, chess.engine.Limit(nodes=5000), root_moves=wanted).move, wanted)
        lines = engine.analyse(board, chess.engine.Limit(nodes=5000), multipv=4, root_moves=wanted)
        self.assertEqual({line["pv"][0] for line in lines}, set(wanted))

    def test_mates_are_found_with_their_exact_distance(self):
        engine = self.engine()
        for fen, distance in MATES:
            with self.subTest(fen):
                info = engine.analyse(chess.Board(fen), chess.engine.Limit(nodes=300_000), game=fen)
                self.assertEqual(info["score"].relative.mate(), distance)
                if distance:
                    self.assertEqual(len(info["pv"]), 2 * distance - 1 if distance > 0 else -2 * distance)

    @only_tabia
    def test_a_mate_whose_key_is_a_quiet_sacrifice_is_found_too(self):
        board = chess.Board("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
        info = self.engine().analyse(board, chess.engine.Limit(nodes=300_000))
        self.assertEqual((info["score"].relative.mate(), info["pv"][0].uci()), (2, "a1a6"))

    def test_a_search_for_a_mate_ends_when_it_is_found(self):
        fen, distance = MATES[2]
        info = self.engine().analyse(chess.Board(fen), chess.engine.Limit(mate=distance))
        self.assertEqual(info["score"].relative.mate(), distance)

    def test_win_draw_loss_chances_sum_to_a_thousand(self):
        engine = self.engine()
        engine.configure({"UCI_ShowWDL": True})
        wdl = engine.analyse(chess.Board(), chess.engine.Limit(nodes=5000))["wdl"]
        self.assertEqual(sum(wdl.relative), 1000)

    def test_the_same_search_twice_is_the_same_search(self):
        engine = self.engine()
        board = chess.Board("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9")
        found = [engine.analyse(board, chess.engine.Limit(depth=9), game=game) for game in ("one", "another")]
        for key in ("nodes", "score", "pv"):
            self.assertEqual(found[0][key], found[1][key], key)

    def test_two_threads_find_a_legal_move(self):
        engine, board = self.engine(), chess.Board()
        engine.configure({"Threads": 2, "Hash": 32})
        for nodes in (1, 100, 50_000):
            self.assertIn(engine.play(board, chess.engine.Limit(nodes=nodes)).move, board.legal_moves)

    def test_the_least_of_every_limit_still_gives_a_move(self):
        engine, board = self.engine(), chess.Board()
        for limit in (
            chess.engine.Limit(nodes=1),
            chess.engine.Limit(depth=1),
            chess.engine.Limit(time=0.001),
            chess.engine.Limit(white_clock=0.001, black_clock=0.001),
        ):
            with self.subTest(limit):
                self.assertIn(engine.play(board, limit).move, board.legal_moves)

    @only_tabia
    def test_every_evaluation_plays(self):
        engine, board = self.engine(), chess.Board()
        names = engine.options["Evaluation"].var
        self.assertGreater(len(names), 1)
        for name in names:
            with self.subTest(name):
                engine.configure({"Evaluation": name})
                self.play_on(engine, board.copy(), chess.engine.Limit(nodes=500), plies=6)

    @only_tabia
    def test_the_manual_lists_every_option_with_its_default_and_range(self):
        row = re.compile(r"^\| `([^`]+)` \| ([^|]+) \|([^|]*)\|", re.MULTILINE)
        options = MANUAL.read_text().split("## Options")[1].split("\n## ")[0]
        told = {name: (values, default.strip(" `")) for name, values, default in row.findall(options)}
        declared = self.engine().options
        self.assertEqual(set(told), set(declared))
        for name, option in declared.items():
            values, default = told[name]
            with self.subTest(name):
                if option.type == "check":
                    self.assertEqual((values, default), ("true, false", str(option.default).lower()))
                elif option.type != "button":
                    self.assertEqual(default, str(option.default).strip("<>") or "empty")
                if option.type == "spin" and " to " in values:
                    self.assertEqual(values, f"{option.min} to {option.max}")

    @only_tabia
    def test_numbers_of_the_search_come_from_a_file_of_the_agent(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "numbers.json"
            path.write_text('{"lmr_base": 1600, "null_divisor": 8}')
            nodes = [
                self.engine(*agent).analyse(chess.Board(), chess.engine.Limit(depth=9))["nodes"]
                for agent in ([], ["--agent", f"engine(params={path})"])
            ]
        self.assertNotEqual(*nodes)


class Leaving(UciTest):
    def setUp(self):
        # An analysis that is cut short leaves a future that nobody asks; python-chess would log it.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)

    def test_python_chess_can_close_it_at_any_time(self):
        for busy in (False, True):
            with self.subTest(busy=busy):
                engine = chess.engine.SimpleEngine.popen_uci(command(), timeout=GUARD_S)
                if busy:
                    engine.analysis(chess.Board())
                with contextlib.suppress(chess.engine.EngineTerminatedError):
                    engine.quit()
                self.assertEqual(engine.returncode.result(GUARD_S), 0)


if __name__ == "__main__":
    unittest.main()
