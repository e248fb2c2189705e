#!/usr/bin/env python3
"""Makes the positions that `tabia reproduce axiomx` measures tactics with: mates in two and three, pieces won within three and five plies.

    tools/positions.py --count 24 -o crates/reproduce/src/positions

They come from games that the engine plays weakly against itself. A quick look by the engine says what is worth a proof; the proof is a full-width
search by material alone, the one that `positions/tests.rs` repeats.
"""

import argparse
import random
import sys
from pathlib import Path

import chess
import chess.engine

from built import tabia_binary

MEN = 14  # of a middlegame
PIECE = 200  # centipawns that count as a piece
MARGIN = 100  # other moves, and two plies fewer, win so much less
CAPTURES = 6  # plies of captures beyond the depth
PROOF = "alphabeta(eval=material,ordering=mvv-lva,killers=on,table=500000,quiescence={quiescence})"


class Judge:
    """Values by material at some depth, every move looked at."""

    def __init__(self, quiescence: int):
        agent = PROOF.format(quiescence=quiescence)
        self.engine = chess.engine.SimpleEngine.popen_uci([tabia_binary(), "uci", "--agent", agent])
        self.game = 0

    def value(self, board: chess.Board, depth: int, moves=None) -> tuple[chess.engine.Score, chess.Move]:
        self.game += 1  # a new game: nothing is remembered
        info = self.engine.analyse(board, chess.engine.Limit(depth=depth), root_moves=moves, game=self.game)
        return info["score"].relative, info["pv"][0]


def mates_in(board: chess.Board, moves: int, judge: Judge) -> list[chess.Move]:
    """Moves after which the other side is mated within `moves` moves of ours."""
    found = []
    for move in board.legal_moves:
        board.push(move)
        if board.is_checkmate():
            found.append(move)
        elif moves > 1 and not board.is_game_over():
            score, _ = judge.value(board, 2 * (moves - 1))
            if score.is_mate() and score.mate() < 0:
                found.append(move)
        board.pop()
    return found


def gain(board: chess.Board, plies: int, judge: Judge) -> tuple[int, chess.Move] | None:
    still, _ = judge.value(board, 1)
    ahead, best = judge.value(board, plies)
    if still.is_mate() or ahead.is_mate():
        return None
    return ahead.score() - still.score(), best


def forced(board: chess.Board, plies: int, best: chess.Move, judge: Judge) -> bool:
    others = [move for move in board.legal_moves if move != best]
    if not others:
        return False
    first, _ = judge.value(board, plies)
    second, _ = judge.value(board, plies, others)
    return not second.is_mate() and first.score() - second.score() >= MARGIN


def line(board: chess.Board, best: list[chess.Move], rest: str) -> str:
    moves = " ".join(board.san(move).rstrip("+#") for move in best)
    return f"{board.epd()} bm {moves}; {rest}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("-o", "--output", type=Path, default=Path("."))
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    random.seed(args.seed)
    scout = chess.engine.SimpleEngine.popen_uci([tabia_binary(), "uci"])
    material, mating = Judge(CAPTURES), Judge(0)
    found: dict[str, list[str]] = {"mate2": [], "mate3": [], "win3": [], "win5": []}
    while any(len(kind) < args.count for kind in found.values()):
        board, taken = chess.Board(), set()
        while not board.is_game_over() and board.ply() < 110:
            weak = random.random() < 0.25
            seen = scout.analyse(board, chess.engine.Limit(nodes=600))
            board.push(random.choice(list(board.legal_moves)) if weak else seen["pv"][0])
            if board.is_game_over() or board.is_check() or board.ply() < 12 or len(board.piece_map()) < MEN:
                continue
            seen = scout.analyse(board, chess.engine.Limit(nodes=4000))["score"].relative
            for name in found:
                if len(found[name]) >= args.count or name in taken:
                    continue
                text = proven(board, name, len(found[name]) + 1, seen, material, mating)
                if text:
                    found[name].append(text)
                    taken.add(name)
                    print({name: len(kind) for name, kind in found.items()}, file=sys.stderr)
    for file, names in [("mates.epd", ("mate2", "mate3")), ("wins.epd", ("win3", "win5"))]:
        lines = [text for name in names for text in found[name]]
        (args.output / file).write_text("\n".join(lines) + "\n")
    for engine in (scout, material.engine, mating.engine):
        engine.quit()


def proven(board: chess.Board, name: str, number: int, seen: chess.engine.Score, material: Judge, mating: Judge) -> str | None:
    """The position as a line, if it is what its name says."""
    size = int(name[-1])
    if name.startswith("mate"):
        if seen.mate() != size or mates_in(board, size - 1, mating):
            return None
        best = mates_in(board, size, mating)
        return line(board, best, f'dm {size}; id "{name}.{number:02}";') if 0 < len(best) <= 2 else None
    if seen.is_mate() or seen.score() < PIECE / 2:
        return None
    now = gain(board, size, material)
    if now is None or not PIECE <= now[0] <= 1000:
        return None
    sooner = gain(board, size - 2, material)
    if (sooner is not None and sooner[0] >= MARGIN) or not forced(board, size, now[1], material):
        return None
    return line(board, [now[1]], f'id "{name}.{number:02}";')


if __name__ == "__main__":
    main()
