"""`tabia play` and `tabia replay` on a real terminal: keys, colours, resizing, and the terminal given back as it was."""

import json
import os
import re
import signal
import tempfile
import unittest
from pathlib import Path

import chess
from peer import only_tabia  # noqa: F401  (it also makes tools importable)

from built import tabia_binary
from terminal import Terminal

UP, DOWN, ESCAPE, INTERRUPT = "\x1b[A", "\x1b[B", "\x1b", "\x03"
# Columns and rows of the board at 80 by 24: the bar and the ranks' names are left of it, one line is above it.
LEFT, TOP, ACROSS, DEEP = 5, 1, 5, 2


@only_tabia
class ScreenTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tabia-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, *arguments: str, **options) -> Terminal:
        terminal = Terminal([os.path.abspath(tabia_binary()), *arguments], folder=str(self.folder), **options)
        self.addCleanup(terminal.close)
        return terminal

    def play(self, *arguments: str, **options) -> Terminal:
        terminal = self.start("play", *arguments, **options)
        terminal.until(r"q quit")
        return terminal

    def replay(self) -> dict:
        (path,) = (self.folder / "replays").iterdir()
        return json.loads(path.read_text())

    def square(self, terminal: Terminal, name: str):
        """The middle of a square, White below."""
        column, rank = "abcdefgh".index(name[0]), int(name[1])
        return terminal.cell(LEFT + column * ACROSS + 2, TOP + (8 - rank) * DEEP)

    def moves(self, terminal: Terminal) -> list[str]:
        """The moves that are listed, by their numbers."""
        return re.findall(r" (\d+\. \S+ +\S*)", terminal.text())

    def leave(self, terminal: Terminal, keys: str):
        terminal.type(keys)
        self.assertEqual(terminal.wait(), 0)
        self.assertTrue(terminal.is_restored())


class Playing(ScreenTest):
    def test_a_typed_move_is_answered_and_the_game_kept(self):
        terminal = self.play("--black", "random(seed=3)")
        self.assertEqual(self.square(terminal, "e2").data, "♟")
        terminal.type("e4\r")
        terminal.until(lambda: (self.square(terminal, "e2").data, self.square(terminal, "e4").data) == (" ", "♟"))
        terminal.until(r" 1\. e4 +\S")
        self.leave(terminal, "qy")
        board = chess.Board()
        moves = self.replay()["moves"]
        self.assertEqual(moves[0], "e2e4")
        board.push_uci(moves[0])
        reply = board.san(chess.Move.from_uci(moves[1]))
        self.assertRegex(terminal.text(), rf" 1\. e4 +{re.escape(reply)} ")
        self.assertIn("The game is in replays/", terminal.after())

    def test_a_move_is_made_with_the_cursor(self):
        terminal = self.play("--black", "human")
        terminal.type(UP + "\r")
        terminal.until("•")
        terminal.type(UP + UP + "\r")
        terminal.until(r"1\. e4 ")
        self.leave(terminal, "qy")
        self.assertEqual(self.replay()["moves"], ["e2e4"])

    def test_a_refusal_says_what_would_be_right(self):
        terminal = self.play("--black", "human")
        terminal.type("e2e5\r")
        terminal.until("the pawn on e2 cannot go to e5; it can play e3 e4")
        self.leave(terminal, "q")

    def test_a_field_is_shown_in_colour_and_gone_again(self):
        terminal = self.play("--black", "human")
        plain = self.square(terminal, "e4").bg
        terminal.type("v")
        terminal.until("axiomx: control")
        white, black = self.square(terminal, "e3").bg, self.square(terminal, "e6").bg
        red, blue = (lambda color: int(color[:2], 16)), (lambda color: int(color[4:], 16))
        self.assertGreater(red(white), blue(white), "orange is White's")
        self.assertGreater(blue(black), red(black), "blue is Black's")
        terminal.type("\t")
        terminal.until(r"axiomx: white attack")
        terminal.type("w")
        terminal.until_not("axiomx: ")
        terminal.type("v")
        terminal.until("v field")
        self.assertEqual(self.square(terminal, "e4").bg, plain)
        self.leave(terminal, "q")

    def test_undo_and_flip(self):
        terminal = self.play("--black", "random(seed=3)")
        terminal.type("d4\r")
        terminal.until(r"1\. d4 +\S+.*(.|\n)*White to move")
        terminal.type("u")
        terminal.until("Taken back")
        self.assertNotIn("1. d4", terminal.text())
        terminal.type("t")
        terminal.until(r" h    g    f")
        self.assertEqual(terminal.cell(LEFT + 2, TOP).data, "♜")
        self.assertIn(" 1 ", terminal.screen.display[TOP])
        self.leave(terminal, "q")

    def test_ctrl_c_leaves_while_an_agent_thinks(self):
        terminal = self.play("--black", "engine", "--movetime", "600000")
        terminal.type("e4\r")
        terminal.until("> AI THINKING...  engine")
        self.leave(terminal, INTERRUPT)
        self.assertEqual(self.replay()["moves"], ["e2e4"])
        self.assertIn("Interrupted after 1 half-move.", terminal.after())

    def test_an_agent_is_made_to_move_now(self):
        for key in ("m", ESCAPE):
            with self.subTest(key):
                terminal = self.play("--black", "engine", "--movetime", "600000", "--no-save")
                terminal.type("e4\r")
                terminal.until(r"engine, depth \d+")
                terminal.type(key)
                terminal.until(r"1\. e4 +\S+.*(.|\n)*White to move")
                self.leave(terminal, "qy")

    def test_the_screen_lives_while_an_agent_thinks(self):
        terminal = self.play("--black", "engine", "--movetime", "600000", "--no-save")
        terminal.type("e4\r")
        terminal.until("AI THINKING")
        terminal.type("v")
        terminal.until("axiomx: control")
        terminal.type("u")
        terminal.until("Taken back")
        self.leave(terminal, "q")

    def test_the_window_is_resized(self):
        terminal = self.play("--black", "human")
        terminal.resize(60, 20)
        terminal.until("The board needs 80 columns and 24")
        terminal.resize(110, 40)
        terminal.until("White to move")
        # Squares are three rows high, then two.
        terminal.until(lambda: [terminal.cell(LEFT + 3, row).data for row in (2, 5)] == ["♜", "♟"])
        terminal.resize(80, 24)
        terminal.until(lambda: [terminal.cell(LEFT + 2, row).data for row in (1, 3)] == ["♜", "♟"])
        self.leave(terminal, "q")

    def test_a_signal_gives_the_terminal_back_and_keeps_the_game(self):
        for sent in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(sent.name):
                terminal = self.play("--black", "human", "--replay", f"{sent.name}.json")
                terminal.type("e4\r")
                terminal.until(r"1\. e4 ")
                os.kill(terminal.pid, sent)
                self.assertEqual(terminal.wait(), 0)
                self.assertTrue(terminal.is_restored())
                kept = json.loads((self.folder / f"{sent.name}.json").read_text())
                self.assertEqual(kept["moves"], ["e2e4"])

    def test_two_agents_are_watched_and_paused(self):
        terminal = self.play("--white", "random(seed=1)", "--black", "random(seed=2)")
        terminal.type("+++")
        # Earlier moves may be out of sight by the time that somebody looks.
        terminal.until(r" (?:[3-9]|\d\d+)\. ")
        terminal.type("p")
        # It says so when no agent thinks any more, and draws the moves above it first.
        terminal.until("Paused; (White|Black) is to move")
        shown = self.moves(terminal)
        self.assertGreater(len(shown), 2)
        terminal.type("t")
        terminal.until(r" h    g    f")
        self.assertEqual(shown, self.moves(terminal), "nothing is played meanwhile")
        terminal.type("p")
        terminal.until_not("Paused")
        # Again: a move that comes between the two keys takes the question back whether to leave.
        terminal.type("p")
        terminal.until("Paused")
        self.leave(terminal, "qy")
        self.assertGreaterEqual(len(self.replay()["moves"]), 5)

    def test_a_game_is_saved_and_another_begun(self):
        terminal = self.play("--black", "human", "--replay", "game.json")
        terminal.type("e4\r")
        terminal.until(r"1\. e4 ")
        terminal.type("s")
        terminal.until("The game is in game.json")
        self.assertEqual(json.loads((self.folder / "game.json").read_text())["moves"], ["e2e4"])
        terminal.type("ny")
        terminal.until("A new game. The last one is in game.json")
        terminal.type("d4\r")
        terminal.until(r"1\. d4 ")
        self.leave(terminal, "qy")
        self.assertEqual(json.loads((self.folder / "game-2.json").read_text())["moves"], ["d2d4"])

    def test_without_colour_nothing_is_coloured(self):
        terminal = self.play("--black", "human", environment={"NO_COLOR": "1"})
        terminal.type("v")
        terminal.until("axiomx: control")
        self.assertFalse(re.search(rb"\x1b\[[0-9;]*(?:38|48);[25]", terminal.raw))
        self.leave(terminal, "q")


class Plain(ScreenTest):
    def test_a_plain_game_shows_a_field_in_colour(self):
        terminal = self.start("play", "--plain", "--black", "human", size=(90, 60))
        terminal.until("White> ")
        terminal.type("field\n")
        terminal.until("axiomx: control(.|\n)*White> ")
        self.assertIn(b"\x1b[48;2;", terminal.raw)
        terminal.type("field axon mobility\nquit\n")
        terminal.until("axon: mobility")
        self.assertEqual(terminal.wait(), 0)
        self.assertNotIn(b"\x1b[?1049h", terminal.raw)


class Replaying(ScreenTest):
    def test_a_kept_game_is_gone_through(self):
        (self.folder / "game.pgn").write_text("1. e4 e5 2. Nf3 Nc6 *\n")
        terminal = self.start("replay", "game.pgn")
        terminal.until("Before the first move")
        terminal.type("n")
        terminal.until(r"1\. e4\b")
        terminal.resize(120, 40)
        terminal.until(lambda: terminal.cell(3 + 3, 3).data == "♜")
        self.leave(terminal, "q")


if __name__ == "__main__":
    unittest.main()
