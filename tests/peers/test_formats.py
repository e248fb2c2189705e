"""Files of other programs: lichess studies, games of fastchess and cutechess, samples of bullet and Stockfish."""

import subprocess
import tempfile
import unittest
from pathlib import Path

import chess
import chess.pgn
from peer import GUARD_S, only_tabia

from built import tabia_binary

STUDY = """\
[Event "Rook endings: the bridge"]
[Site "https://lichess.org/study/abcd1234/efgh5678"]
[Result "*"]
[StudyName "Rook endings"]
[ChapterName "The bridge"]
[FEN "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1"]
[SetUp "1"]

{ The bridge. [%csl Gc4,Rd8][%cal Gc1c4] }
1. Rd1+ { [%eval 5.2] } 1... Ke7 (1... Ke8 { stays far away }) 2. Rd4! { builds it [%cal Yd4b4] } 2... Ra1 *
"""

FASTCHESS = """\
[Event "Fastchess Tournament"]
[White "new"]
[Black "old"]
[Result "1-0"]
[GameDuration "00:00:10"]
[TimeControl "8+0.08"]

1. e4 {+0.35/12 0.512s} e5 {-0.30/11 0.4s} 2. Nf3 {+0.40/13 0.6s} Nc6 {-0.20/12 0.1s} 3. Bb5 {+0.41/9 0.2s} a6 {-0.3/9 0.2s}
4. Ba4 {+0.3/9 0.2s} Nf6 {-0.3/9 0.2s} 5. O-O {+0.3/9 0.2s} Be7 {-0.3/9 0.2s} 6. Re1 {+0.3/9 0.2s} b5 {-0.3/9 0.2s}
7. Bb3 {+0.3/9 0.2s} d6 {-0.3/9 0.2s} 8. c3 {+0.3/9 0.2s} O-O {-0.3/9 0.2s} 9. h3 {+0.25/9 0.2s} Nb8 {-0.15/9 0.2s}
10. d4 {+0.37/9 0.2s, Black resigns} 1-0
"""


@only_tabia
class Formats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tabia-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def tabia(self, *words: str) -> str:
        done = subprocess.run([tabia_binary(), *words], capture_output=True, text=True, timeout=GUARD_S, cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_study_of_lichess_keeps_its_chapter_shapes_and_variations(self):
        (self.folder / "study.pgn").write_text(STUDY)
        self.tabia("analyze", "study.pgn", "--nodes", "50", "--annotate", "out.pgn")
        with (self.folder / "out.pgn").open() as file:
            game = chess.pgn.read_game(file)
        self.assertEqual((game.headers["StudyName"], game.headers["ChapterName"]), ("Rook endings", "The bridge"))
        self.assertEqual({(arrow.tail, arrow.head) for arrow in game.arrows()}, {(chess.C4, chess.C4), (chess.D8, chess.D8), (chess.C1, chess.C4)})
        after = game.next()
        self.assertEqual({node.san() for node in after.variations}, {"Ke7", "Ke8"})
        self.assertIn("far away", after.variations[1].comment)

    def test_games_of_fastchess_give_samples_for_bullet_and_stockfish_and_back(self):
        (self.folder / "games.pgn").write_text(FASTCHESS)
        self.tabia("samples", "games.pgn", "-o", "bullet.txt")
        lines = (self.folder / "bullet.txt").read_text().splitlines()
        self.assertGreaterEqual(len(lines), 3)
        parts = [line.split(" | ") for line in lines]
        for fen, score, result in parts:
            self.assertTrue(chess.Board(fen).is_valid())
            self.assertEqual(result, "1.0")
            int(score)
        # White's view in bullet's text, the mover's in Stockfish's.
        self.assertEqual([score for _, score, _ in parts][:3], ["25", "15", "37"])
        self.tabia("samples", "bullet.txt", "-o", "stockfish.plain")
        plain = (self.folder / "stockfish.plain").read_text()
        self.assertIn("score 25\nply 16\nresult 1\ne\n", plain)
        self.assertIn("score -15\nply 17\nresult -1\ne\n", plain)
        self.tabia("samples", "stockfish.plain", "-o", "again.txt")
        self.assertEqual((self.folder / "again.txt").read_text().splitlines(), lines)

    def test_lines_that_are_no_samples_are_named_and_left_out(self):
        (self.folder / "bad.txt").write_text("hello\n8/8/8/8/8/8/8/8 w - - 0 1 | 1 | 1.0\n")
        done = subprocess.run([tabia_binary(), "samples", "bad.txt", "-o", "out.samples"], capture_output=True, text=True, timeout=GUARD_S, cwd=self.folder, check=False)
        self.assertIn("bad.txt:1: 1 parts separated by |, expected 3", done.stderr)
        self.assertIn("bad.txt:2: White has no king", done.stderr.replace("Black has no king", "White has no king"))
