"""Where games begin: a small book of balanced lines, or positions from an EPD or PGN file."""

from __future__ import annotations

import io
import random
import re
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

# Lines that both sides play willingly: Stockfish 15.1 at depth 17 gives none as much as 0.7 of a pawn.
LINES = """
Ruy Lopez                      e2e4 e7e5 g1f3 b8c6 f1b5
Ruy Lopez, Morphy              e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6
Ruy Lopez, Berlin              e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4
Ruy Lopez, exchange            e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6
Italian                        e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6
Italian, two knights           e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3
Scotch                         e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 g8f6
Scotch, classical              e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4 f8c5
Four knights                   e2e4 e7e5 g1f3 b8c6 b1c3 g8f6
Petroff                        e2e4 e7e5 g1f3 g8f6 f3e5 d7d6 e5f3 f6e4
Vienna                         e2e4 e7e5 b1c3 g8f6 g2g3 d7d5
Bishop's opening               e2e4 e7e5 f1c4 g8f6 d2d3 b8c6
Philidor                       e2e4 e7e5 g1f3 d7d6 d2d4 e5d4
Sicilian, Najdorf              e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6
Sicilian, classical            e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 g8f6
Sicilian, Kan                  e2e4 c7c5 g1f3 e7e6 d2d4 c5d4 f3d4 a7a6
Sicilian, Taimanov             e2e4 c7c5 g1f3 e7e6 d2d4 c5d4 f3d4 b8c6
Sicilian, accelerated dragon   e2e4 c7c5 g1f3 b8c6 d2d4 c5d4 f3d4 g7g6
Sicilian, Alapin               e2e4 c7c5 c2c3 g8f6 e4e5 f6d5
Sicilian, Alapin, centre       e2e4 c7c5 c2c3 d7d5 e4d5 d8d5
Sicilian, closed               e2e4 c7c5 b1c3 b8c6 g2g3 g7g6
Sicilian, Rossolimo            e2e4 c7c5 g1f3 b8c6 f1b5 g7g6
Sicilian, Moscow               e2e4 c7c5 g1f3 d7d6 f1b5 c8d7
French, Winawer                e2e4 e7e6 d2d4 d7d5 b1c3 f8b4
French, classical              e2e4 e7e6 d2d4 d7d5 b1c3 g8f6
French, Tarrasch               e2e4 e7e6 d2d4 d7d5 b1d2 g8f6
French, exchange               e2e4 e7e6 d2d4 d7d5 e4d5 e6d5
French, advance                e2e4 e7e6 d2d4 d7d5 e4e5 c7c5
Caro-Kann, classical           e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5
Caro-Kann, advance             e2e4 c7c6 d2d4 d7d5 e4e5 c8f5
Caro-Kann, exchange            e2e4 c7c6 d2d4 d7d5 e4d5 c6d5
Scandinavian                   e2e4 d7d5 e4d5 d8d5 b1c3 d5a5
Alekhine                       e2e4 g8f6 e4e5 f6d5 d2d4 d7d6
Pirc                           e2e4 d7d6 d2d4 g8f6 b1c3 g7g6
Queen's gambit declined        d2d4 d7d5 c2c4 e7e6 b1c3 g8f6
Queen's gambit, exchange       d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c4d5 e6d5
Queen's gambit accepted        d2d4 d7d5 c2c4 d5c4 g1f3 g8f6
Queen's gambit, Tarrasch       d2d4 d7d5 c2c4 e7e6 b1c3 c7c5
Slav                           d2d4 d7d5 c2c4 c7c6 g1f3 g8f6
Slav, exchange                 d2d4 d7d5 c2c4 c7c6 c4d5 c6d5
Semi-Slav                      d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 b1c3 e7e6
Catalan                        d2d4 g8f6 c2c4 e7e6 g2g3 d7d5
London                         d2d4 d7d5 c1f4 g8f6 e2e3 c7c5
London, against the fianchetto d2d4 g8f6 c1f4 g7g6 e2e3 f8g7
Colle                          d2d4 d7d5 g1f3 g8f6 e2e3 e7e6
Torre                          d2d4 g8f6 g1f3 e7e6 c1g5 h7h6
Trompowsky                     d2d4 g8f6 c1g5 e7e6
Nimzo-Indian                   d2d4 g8f6 c2c4 e7e6 b1c3 f8b4
Nimzo-Indian, Rubinstein       d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 e8g8
Nimzo-Indian, classical        d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 d1c2 d7d5
Queen's Indian                 d2d4 g8f6 c2c4 e7e6 g1f3 b7b6
Bogo-Indian                    d2d4 g8f6 c2c4 e7e6 g1f3 f8b4
Grunfeld                       d2d4 g8f6 c2c4 g7g6 b1c3 d7d5
Grunfeld, exchange             d2d4 g8f6 c2c4 g7g6 b1c3 d7d5 c4d5 f6d5
King's Indian                  d2d4 g8f6 c2c4 g7g6 b1c3 f8g7
King's Indian, fianchetto      d2d4 g8f6 c2c4 g7g6 g2g3 f8g7
Dutch, Leningrad               d2d4 f7f5 g2g3 g8f6 f1g2 g7g6
English, symmetrical           c2c4 c7c5 b1c3 b8c6
English, four knights          c2c4 e7e5 b1c3 g8f6 g1f3 b8c6
English, reversed dragon       c2c4 e7e5 b1c3 g8f6 g2g3 d7d5
English, Anglo-Indian          c2c4 g8f6 b1c3 e7e6 g1f3 d7d5
Reti                           g1f3 d7d5 c2c4 e7e6
Reti, Slav                     g1f3 d7d5 c2c4 c7c6 g2g3 g8f6
King's Indian attack           g1f3 d7d5 g2g3 g8f6 f1g2 e7e6
Larsen                         b2b3 e7e5 c1b2 b8c6
Three knights                  e2e4 e7e5 g1f3 b8c6 b1c3 f8b4
"""


@dataclass(frozen=True)
class Opening:
    """A start and the moves played before the engines take over."""

    name: str
    moves: tuple[str, ...] = ()
    fen: str | None = None

    def board(self, chess960: bool = False) -> chess.Board:
        board = chess.Board(self.fen or chess.STARTING_FEN, chess960=chess960)
        for move in self.moves:
            board.push_uci(move)
        return board


class OpeningError(Exception):
    """A file that is no book."""


def built_in() -> list[Opening]:
    openings = []
    for line in LINES.strip().splitlines():
        name, moves = re.fullmatch(r"(.+?)\s+((?:[a-h][1-8][a-h][1-8]\s*)+)", line).groups()
        openings.append(Opening(name, tuple(moves.split())))
    return openings


def choose(count: int, seed: int, file: Path | None = None, plies: int = 16) -> list[Opening]:
    """`count` openings in an order that the seed decides; they repeat when there are not enough."""
    order = random.Random(seed)
    if file is None:
        book = built_in()
        order.shuffle(book)
    elif file.suffix == ".pgn":
        book = _from_pgn(file, count, order, plies)
    else:
        book = _from_epd(file, count, order)
    if not book:
        raise OpeningError(f"{file} has no openings")
    return [book[index % len(book)] for index in range(count)]


def _from_epd(file: Path, count: int, order: random.Random) -> list[Opening]:
    lines = [line.strip() for line in file.read_text(errors="replace").splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    openings = []
    for number, line in enumerate(order.sample(lines, min(count, len(lines))), 1):
        fen = " ".join(line.split(";")[0].split()[:4])
        try:
            board = chess.Board(fen + " 0 1", chess960=True)
        except ValueError as error:
            raise OpeningError(f"{file}: {error}") from error
        if not board.is_valid():
            raise OpeningError(f'{file}: "{fen}" is not a position to play from')
        openings.append(Opening(f"{file.stem} {number}", (), fen + " 0 1"))
    return openings


def _from_pgn(file: Path, count: int, order: random.Random, plies: int) -> list[Opening]:
    """Finds where games begin without parsing them, then parses only those that are wanted."""
    text = file.read_bytes()
    starts = [found.start() for found in re.finditer(rb"^\[Event ", text, re.MULTILINE)]
    ends = dict(zip(starts, [*starts[1:], len(text)]))
    openings = []
    for start in order.sample(starts, min(count, len(starts))):
        game = chess.pgn.read_game(io.StringIO(text[start : ends[start]].decode(errors="replace")))
        if game is None or game.errors:
            raise OpeningError(f"{file}: the game at byte {start} cannot be read")
        moves = tuple(move.uci() for move in game.mainline_moves())[:plies]
        fen = game.headers.get("FEN")
        openings.append(Opening(game.headers.get("Opening", file.stem), moves, fen))
    return openings
