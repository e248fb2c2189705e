"""Tabia over raw pipes: what no library would send, and what must never hang."""

import subprocess
import time
import unittest
from random import Random

import chess
from peer import GUARD_S, EngineFault, RawTest, command, only_tabia

START = chess.STARTING_FEN
AFTER_E4_E5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq"
# Whatever is searched here is done at once: a rook mates on the spot.
MATE_IN_ONE = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


def strings(lines: list[str]) -> str:
    """What was said in words."""
    return "\n".join(line for line in lines if line.startswith("info string"))


class Protocol(RawTest):
    def test_nonsense_is_survived(self):
        engine = self.start()
        engine.send("\n   \nxyzzy\nsetoption\nposition\nsetoption name\nucinewgame now\nstop stop")
        engine.send(b"\xff\xfe\x00\x80 nonsense\n" + b"x" * 100_000)
        engine.handshake()
        self.assertTrue(
            chess.Board().is_legal(chess.Move.from_uci(engine.best_move("position startpos\ngo nodes 500")))
        )

    @only_tabia
    def test_an_unknown_command_or_word_is_named(self):
        engine = self.introduced()
        engine.send("postion startpos")
        self.assertIn("postion", strings(engine.settled()))
        engine.send("go fish")
        self.assertIn("fish", strings(engine.settled()))

    def test_lines_may_end_as_on_windows_and_have_odd_spaces(self):
        engine = self.start()
        engine.send("uci\r")
        engine.until("uciok", GUARD_S)
        engine.send("  isready \r")
        engine.until("readyok", GUARD_S)
        self.assertEqual(engine.best_move("position  startpos   moves f2f3\te7e5 g2g4\r\ngo   depth 3\r"), "d8h4")

    def test_uci_may_be_said_twice(self):
        engine = self.introduced()
        engine.ask("uci", r"^uciok$")
        engine.settled()

    def test_ready_is_answered_while_it_thinks(self):
        engine = self.introduced()
        engine.send("position startpos\ngo infinite")
        before = engine.settled()
        self.assertNotIn("bestmove", " ".join(before))
        engine.best_move("stop")

    def test_stop_without_a_search_says_nothing(self):
        engine = self.introduced()
        engine.send("stop\nstop\nponderhit")
        self.assertNotIn("bestmove", " ".join(engine.settled()))

    @only_tabia
    def test_a_second_go_stops_a_search_without_an_end_and_both_are_answered(self):
        engine = self.introduced()
        engine.send("position startpos\ngo infinite\ngo infinite\nstop")
        engine.until_like(r"^bestmove ")
        engine.until_like(r"^bestmove ")
        # The next search answers for its own position, once.
        engine.ask(f"{MATE_IN_ONE}\ngo depth 2", r"^bestmove a1a8\b")
        self.assertNotIn("bestmove", " ".join(engine.settled()))

    def test_searches_queue_up_and_each_is_answered(self):
        engine = self.introduced()
        for opening in ("", " moves e2e4", " moves d2d4"):
            engine.send(f"position startpos{opening}\ngo depth 5")
        for _ in range(3):
            engine.until_like("^bestmove [a-h]")
        engine.ready()

    @only_tabia
    def test_commands_in_any_order_at_any_time_are_all_answered(self):
        """Nothing waits for a search here: whole bursts are sent, and only then are the answers counted."""
        commands = [
            "go depth 3", "go nodes 500", "go infinite", "go ponder wtime 1000 btime 1000", "go movetime 20",
            "go perft 2", "stop", "ponderhit", "isready", "ucinewgame", "setoption name Hash value 2",
            "position startpos", "position startpos moves e2e4 e7e5", "d", "eval",
            "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        ]  # fmt: skip
        random = Random(20261117)
        engine = self.introduced()
        for burst in range(150):
            chosen = [random.choice(commands) for _ in range(random.randint(2, 25))]
            with self.subTest(burst=burst, commands=chosen):
                # The last searches may have no end; after `stop` every one of them has.
                engine.send("\n".join([*chosen, "stop", "go depth 1 searchmoves h8g8 e2e4 e7e5 d7d5", "isready"]))
                asked = sum(line.startswith("go") and "perft" not in line for line in chosen) + 1
                ready = chosen.count("isready") + 1
                perfts = chosen.count("go perft 2")
                while asked or ready or perfts:
                    line = engine.until_like("^(bestmove|readyok|Nodes searched)")[-1]
                    asked -= line.startswith("bestmove")
                    ready -= line == "readyok"
                    perfts -= line.startswith("Nodes searched")
                    self.assertTrue(asked >= 0 and ready >= 0 and perfts >= 0, line)
                self.assertNotIn("bestmove", " ".join(engine.settled()))

    def test_infinite_means_until_stopped_even_when_there_is_nothing_left_to_search(self):
        engine = self.introduced()
        engine.send(f"{MATE_IN_ONE}\ngo infinite")
        self.assert_silent(engine)
        self.assertEqual(engine.best_move("stop"), "a1a8")

    def test_pondering_holds_the_move_back_until_ponderhit(self):
        engine = self.introduced()
        engine.send(f"{MATE_IN_ONE}\ngo ponder wtime 50 btime 50")
        self.assert_silent(engine)
        self.assertEqual(engine.best_move("ponderhit"), "a1a8")

    def test_pondering_holds_the_move_back_until_stop(self):
        engine = self.introduced()
        engine.send(f"{MATE_IN_ONE}\ngo ponder wtime 50 btime 50")
        self.assert_silent(engine)
        self.assertEqual(engine.best_move("stop"), "a1a8")

    def assert_silent(self, engine):
        """No move comes, though the search has long been done: a while is waited for one that must not come."""
        with self.assertRaisesRegex(EngineFault, "stall"):
            engine.until_like(r"^bestmove", timeout_s=0.5)

    def test_a_finished_game_has_no_move(self):
        engine = self.introduced()
        for fen in ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"):
            self.assertIn(engine.best_move(f"position fen {fen}\ngo depth 3"), ("(none)", "0000"))


class Positions(RawTest):
    def test_every_kind_of_move_is_played(self):
        engine = self.introduced()
        engine.send("position startpos moves e2e4 a7a6 e4e5 d7d5 e5d6 b7b5 d6c7 a8a7 c7b8n")
        board = chess.Board()
        for move in "e2e4 a7a6 e4e5 d7d5 e5d6 b7b5 d6c7 a8a7 c7b8n".split():
            board.push_uci(move)
        self.assertEqual(engine.fen().split()[:3], board.fen().split()[:3])

    @only_tabia
    def test_an_illegal_fen_leaves_the_position_and_says_why(self):
        engine = self.introduced()
        engine.send("position startpos moves e2e4 e7e5")
        for fen, why in [
            ("rnbqkbnr/pppppppp/8/8/7/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 4 has 7 squares"),
            ("8/8/8/8/8/8/8/K7 w - - 0 1", "no king"),
            ("complete nonsense", "rank 8"),
        ]:
            engine.send(f"position fen {fen}")
            self.assertIn(why, strings(engine.settled()))
            self.assertTrue(engine.fen().startswith(AFTER_E4_E5), fen)

    @only_tabia
    def test_moves_are_played_up_to_the_first_illegal_one_which_is_named(self):
        engine = self.introduced()
        engine.send("position startpos moves e2e4 e7e5 e1e3 d2d4")
        self.assertIn("e1e3", strings(engine.settled()))
        self.assertTrue(engine.fen().startswith(AFTER_E4_E5))

    def test_a_long_game_is_read(self):
        engine = self.introduced()
        shuffle = "g1f3 g8f6 f3g1 f6g8 " * 300
        engine.send(f"position startpos moves {shuffle}")
        self.assertTrue(engine.fen().startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"))
        engine.best_move("go nodes 500")


class Options(RawTest):
    @only_tabia
    def test_an_unknown_option_is_named_with_the_nearest(self):
        engine = self.introduced()
        engine.send("setoption name Hahs value 32")
        said = strings(engine.settled())
        self.assertIn("Hahs", said)
        self.assertIn("Hash", said)

    @only_tabia
    def test_a_value_out_of_range_is_named_with_the_range(self):
        engine = self.introduced()
        for name, value in [("Hash", "0"), ("Threads", "99999"), ("MultiPV", "many"), ("Ponder", "perhaps")]:
            engine.send(f"setoption name {name} value {value}")
            said = strings(engine.settled())
            self.assertIn(name, said)
            self.assertIn(value, said)

    @only_tabia
    def test_a_book_or_table_path_that_leads_nowhere_is_named(self):
        engine = self.introduced()
        for name in ("BookFile", "SyzygyPath"):
            engine.send(f"setoption name {name} value /no/such/place")
            self.assertIn("/no/such/place", strings(engine.settled()), name)
        engine.best_move("position startpos\ngo nodes 500")

    def test_options_can_be_set_between_searches(self):
        engine = self.introduced()
        for line in ("name Hash value 1", "name Threads value 2", "name Clear Hash", "name hash value 16"):
            engine.send(f"setoption {line}")
            engine.best_move("position startpos\ngo nodes 2000")


class Extras(RawTest):
    def test_d_shows_the_position(self):
        engine = self.introduced()
        engine.send("position startpos")
        self.assertEqual(engine.fen(), START)

    @only_tabia
    def test_eval_takes_the_position_apart(self):
        engine = self.introduced()
        engine.send("position fen 4k3/8/8/8/8/8/8/Q3K3 w - - 0 1\neval")
        said = engine.settled()
        self.assertGreater(len(said), 2, said)

    def test_perft_counts_as_python_chess_does(self):
        engine = self.introduced()
        for fen in (START, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"):
            board = chess.Board(fen)
            expected = perft(board, 3)
            engine.ask(f"position fen {fen}\ngo perft 3", rf"\b{expected}\b")

    @only_tabia
    def test_perft_is_a_command_too(self):
        engine = self.introduced()
        engine.ask("position startpos\nperft 3", r"\b8902\b")

    @only_tabia
    def test_bench_ends_with_its_signature(self):
        engine = self.introduced()
        engine.ask("bench", r"^\d+ nodes \d+ nps$")
        engine.settled()

    @only_tabia
    def test_without_a_command_a_first_line_of_uci_is_enough(self):
        engine = self.start(command()[0])
        engine.handshake()
        engine.best_move("position startpos\ngo nodes 500")


class Leaving(RawTest):
    """However busy it is, it goes when told. Times are shown, not judged, beyond a guard against hanging."""

    BUSY = {
        "idle": "isready",
        "searching": "position startpos\ngo infinite",
        "pondering": "position startpos\ngo ponder wtime 60000 btime 60000",
        "on four lines": "setoption name MultiPV value 4\nposition startpos\ngo infinite",
        "on two threads": "setoption name Threads value 2\nposition startpos\ngo infinite",
    }

    def leave(self, name: str, busy: str, how):
        engine = self.introduced()
        engine.send(busy)
        if "go" in busy:
            engine.until_like(r"^info .*\bdepth\b")
        start = time.perf_counter()
        how(engine)
        try:
            code = engine.process.wait(GUARD_S)
        except subprocess.TimeoutExpired:
            self.fail(f"{name}: still there")
        print(f"  left while {name} after {1000 * (time.perf_counter() - start):.1f} ms")
        self.assertEqual(code, 0)

    def test_quit_ends_it_at_once(self):
        for name, busy in self.BUSY.items():
            with self.subTest(name):
                self.leave(name, busy, lambda engine: engine.send("quit"))

    @only_tabia
    def test_quit_ends_a_bench(self):
        # So deep that it would not end by itself.
        self.leave("benching", "bench 60", lambda engine: engine.send("quit"))

    def test_the_end_of_input_ends_it(self):
        for name, busy in self.BUSY.items():
            with self.subTest(name):
                self.leave(f"{name} (end of input)", busy, lambda engine: engine.process.stdin.close())


def perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


if __name__ == "__main__":
    unittest.main()
