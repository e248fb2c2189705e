"""The coach over HTTP and on the command line: the same documents, byte for byte where text is compared."""

import json
import subprocess
import unittest
import urllib.request

import chess
import chess.pgn
from peer import GUARD_S, spare_the_proxy
from server import ServerTest

from built import tabia_binary

spare_the_proxy()

NODES = 4_000
LEGAL = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 6"
POSITIONS = [
    (LEGAL, "Bxd1"),
    (LEGAL, None),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4", "g6"),
    ("8/8/2K5/4p3/4Pk2/8/8/8 w - - 0 1", "Kd5"),
    ("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "Qh5"),
]
GAME = """[Event "Paris"]
[White "Morphy"]
[Black "Duke and Count"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 { a pin [%cal Gg4f3] } 4. dxe5 Bxf3 (4... dxe5 5. Qxd8+ (5. Nxe5 $4 Qxd1+)) 5. Qxf3 dxe5
6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6
15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


def tabia(*arguments: str) -> str:
    done = subprocess.run([tabia_binary(), *arguments], capture_output=True, text=True, timeout=GUARD_S, check=True)
    return done.stdout


class SameDocuments(ServerTest):
    def setUp(self):
        super().setUp()
        self.api = self.start().address + "/api/v1"

    def ask(self, path: str, body: dict | None = None) -> str:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.api + path, data, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=GUARD_S) as answer:
            return answer.read().decode()

    def test_a_move_has_the_same_review(self):
        for fen, move in POSITIONS:
            asked = {"fen": fen, "nodes": NODES} | ({"move": move} if move else {})
            words = [fen] + ([move] if move else [])
            printed = tabia("explain", *words, "--nodes", str(NODES), "--json")
            self.assertEqual(json.loads(printed), json.loads(self.ask("/analysis/review", asked)), fen)
            self.assertEqual(printed, tabia("explain", *words, "--nodes", str(NODES), "--json"), "the same bytes")

    def test_a_game_has_the_same_reviews_exercises_and_annotations(self):
        path, annotated = self.data / "game.pgn", self.data / "annotated.pgn"
        path.write_text(GAME)
        limit = ["--nodes", str(NODES)]
        printed = json.loads(tabia("analyze", str(path), *limit, "--json", "--annotate", str(annotated)))["games"][0]
        exercises = json.loads(tabia("exercises", str(path), *limit, "--json"))["exercises"]
        job = json.loads(self.ask("/analysis/games", {"pgn": GAME, "nodes": NODES, "exercises": True}))
        events = self.ask(f"/analysis/games/{job['id']}/events")
        self.assertIn("event: done", events)
        served = json.loads(self.ask(f"/analysis/games/{job['id']}"))
        self.assertTrue(any("review" in move for move in printed["moves"]))
        for key, value in printed.items():
            self.assertEqual(served[key], value, key)
        self.assertEqual(self.ask(f"/analysis/games/{job['id']}/pgn"), annotated.read_text())
        self.assertGreater(len(exercises), 0)
        for exercise in exercises:
            for key in ("game", "white", "black"):
                del exercise[key]
        self.assertEqual(json.loads(self.ask(f"/analysis/games/{job['id']}/exercises"))["exercises"], exercises)
        # Streamed reviews are the same once more.
        streamed = [json.loads(line[6:]) for line in events.splitlines() if line.startswith('data: {"ply"')]
        reviews = {one["ply"]: one["review"] for one in streamed if "review" in one}
        self.assertEqual(reviews, {move["ply"]: move["review"] for move in printed["moves"] if "review" in move})

    def test_python_chess_reads_annotated_games_with_everything_that_was_there(self):
        path, annotated = self.data / "game.pgn", self.data / "annotated.pgn"
        path.write_text(GAME)
        tabia("analyze", str(path), "--nodes", str(NODES), "--annotate", str(annotated))
        with annotated.open() as file:
            game = chess.pgn.read_game(file)
        self.assertEqual(game.errors, [])
        moves = list(game.mainline())
        self.assertEqual(len(moves), 33)
        pin = moves[5]
        self.assertIn("a pin", pin.comment)
        self.assertIn((chess.G4, chess.F3), [(arrow.tail, arrow.head) for arrow in pin.arrows()])
        old = [line for line in moves[7].parent.variations[1:] if line.san() == "dxe5"]
        self.assertEqual([child.san() for child in old[0].variations], ["Qxd8+", "Nxe5"])
        self.assertTrue(any(move.arrows() and "?" in move.comment for move in moves))


if __name__ == "__main__":
    unittest.main()
