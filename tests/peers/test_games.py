"""Game files that Tabia writes, read by python-chess; and the other way round."""

import io
import json
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import chess.svg
from peer import GUARD_S, command, only_tabia


def tabia(*arguments: str) -> str:
    done = subprocess.run([command()[0], *arguments], capture_output=True, text=True, timeout=GUARD_S, check=True)
    return done.stdout


def random_game(seed: int) -> chess.pgn.Game:
    """Random moves with what lichess writes beside them, and a side line now and then."""
    draw = random.Random(seed)
    game = chess.pgn.Game()
    game.headers["White"], game.headers["Black"] = f"White {seed}", "Ä. Ö."
    node: chess.pgn.GameNode = game
    for _ in range(draw.randrange(20, 80)):
        moves = list(node.board().legal_moves)
        if not moves:
            break
        node = node.add_main_variation(draw.choice(moves))
        if draw.random() < 0.5:
            score = chess.engine.Mate(draw.choice([-3, 2])) if draw.random() < 0.2 else chess.engine.Cp(draw.randrange(-999, 999))
            node.set_eval(chess.engine.PovScore(score, chess.WHITE))
        if draw.random() < 0.5:
            node.set_clock(draw.randrange(0, 7200))
        if draw.random() < 0.2:
            node.nags.add(draw.choice([1, 2, 3, 4, 5, 6]))
        if draw.random() < 0.2:
            node.comment = (node.comment + " Something to say.").strip()
        if len(moves) > 1 and draw.random() < 0.2:
            other = draw.choice([move for move in moves if move != node.move])
            node.parent.add_variation(other)
    game.headers["Result"] = "1/2-1/2"
    return game


def told(game: chess.pgn.Game) -> list:
    """Everything that both must agree on."""
    return [
        (
            node.san(),
            None if node.board().is_checkmate() else node.eval(),
            node.clock(),
            node.nags,
            [side.move for side in node.parent.variations[1:2]],
        )
        for node in game.mainline()
    ]


def random_tree(seed: int) -> chess.pgn.Game:
    """Random moves with variations of variations, comments before and after moves, glyphs, arrows and squares."""
    draw = random.Random(seed)
    words = ["a novelty", "1. e4 is not a move here", "(in brackets)", "$5", "the  gap", "ends; here", "Ä – ß", "[sic]", "%"]

    def say() -> str:
        return " ".join(draw.choices(words, k=draw.randrange(1, 25)))

    game = chess.pgn.Game()
    if draw.random() < 0.3:
        board = chess.Board()
        for _ in range(draw.randrange(1, 30)):
            if moves := list(board.legal_moves):
                board.push(draw.choice(moves))
        game.setup(board)
    # python-chess writes and reads tags as they are: quotes and backslashes are escaped as the standard asks.
    game.headers["White"], game.headers["Annotator"] = f'\\"{seed}\\" \\\\', "nobody"
    if draw.random() < 0.5:
        game.comment = say()
    nodes: list[chess.pgn.GameNode] = [game]
    for _ in range(draw.randrange(1, 120)):
        # Mostly the line at hand goes on; now and then another one begins or goes on.
        node = nodes[-1] if draw.random() < 0.7 else draw.choice(nodes)
        moves = list(node.board().legal_moves)
        known = [child.move for child in node.variations]
        moves = [move for move in moves if move not in known]
        if not moves:
            continue
        first = not node.variations
        child = node.add_variation(draw.choice(moves))
        if not first and draw.random() < 0.3:
            child.starting_comment = say()
        if draw.random() < 0.3:
            child.comment = say()
        if draw.random() < 0.2:
            child.set_arrows([chess.svg.Arrow(draw.randrange(64), draw.randrange(64), color=draw.choice(["green", "red"]))])
        if draw.random() < 0.2:
            child.set_clock(draw.randrange(0, 7200))
        if draw.random() < 0.2:
            child.set_eval(chess.engine.PovScore(chess.engine.Cp(draw.randrange(-999, 999)), chess.WHITE))
        if draw.random() < 0.3:
            child.nags.add(draw.randrange(1, 256))
        nodes.append(child)
    game.headers["Result"] = draw.choice(["1-0", "0-1", "1/2-1/2", "*"])
    return game


def tree(node: chess.pgn.GameNode) -> list:
    """A game with everything that is said of it, without recursion into its depth; lines of a comment are layout."""
    found, work = [], [(0, node)]
    while work:
        depth, node = work.pop()
        start = node.starting_comment.replace("\n", " ") if isinstance(node, chess.pgn.ChildNode) else ""
        move = node.move.uci() if node.move else None
        found.append((depth, move, start, node.comment.replace("\n", " "), sorted(node.nags), len(node.variations)))
        work.extend((depth + 1, child) for child in node.variations)
    return found


@only_tabia
class GameFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_every_variation_and_comment_comes_back(self):
        games = [random_tree(seed) for seed in range(300)]
        self.assertGreater(sum(len(tree(game)) - len(list(game.mainline())) - 1 for game in games), 3_000)
        path = self.folder / "trees.pgn"
        path.write_text("\n\n".join(str(game) for game in games) + "\n")
        # Read by python-chess: how it understands what it wrote.
        expected = io.StringIO(path.read_text())
        written = io.StringIO(tabia("replay", str(path), "--to", "pgn"))
        for number in range(len(games)):
            known, again = chess.pgn.read_game(expected), chess.pgn.read_game(written)
            self.assertEqual(again.errors, [], number)
            self.assertEqual(dict(again.headers), dict(known.headers), number)
            self.assertEqual(tree(again), tree(known), number)
        self.assertIsNone(chess.pgn.read_game(written))

    def test_python_chess_reads_what_tabia_writes_as_it_was(self):
        games = [random_game(seed) for seed in range(20)]
        path = self.folder / "games.pgn"
        path.write_text("\n\n".join(str(game) for game in games) + "\n")
        written = io.StringIO(tabia("replay", str(path), "--to", "pgn"))
        for game in games:
            again = chess.pgn.read_game(written)
            self.assertEqual(again.errors, [])
            self.assertEqual(told(again), told(game))
            self.assertEqual([again.headers[name] for name in ("White", "Black", "Result")],
                             [game.headers[name] for name in ("White", "Black", "Result")])
        self.assertIsNone(chess.pgn.read_game(written))

    def test_replays_have_the_moves_that_python_chess_plays(self):
        game = random_game(7)
        path = self.folder / "game.pgn"
        path.write_text(f"{game}\n")
        replay = json.loads(tabia("replay", str(path), "--to", "json"))
        self.assertEqual(replay["moves"], [move.uci() for move in game.mainline_moves()])
        self.assertEqual(replay["result"], "1/2-1/2")

    def test_an_annotated_game_is_a_game_with_side_lines(self):
        path, annotated = self.folder / "fool.pgn", self.folder / "annotated.pgn"
        path.write_text("1. f3 e5 2. g4 Qh4# 0-1\n")
        tabia("analyze", str(path), "--depth", "5", "--annotate", str(annotated))
        game = chess.pgn.read_game(io.StringIO(annotated.read_text()))
        self.assertEqual(game.errors, [])
        blunder = list(game.mainline())[2]
        self.assertIn(chess.pgn.NAG_BLUNDER, blunder.nags)
        self.assertEqual(blunder.eval().white(), chess.engine.Mate(-1))
        self.assertEqual(len(blunder.parent.variations), 2)


if __name__ == "__main__":
    unittest.main()
