"""Searches, and reviews of moves."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _native
from .arguments import count, several, text
from .pictures import board
from .positions import Position, fen_of, game_of

if TYPE_CHECKING:
    import chess


# Deeper than any search goes; what counts plies counts them in 32 bits.
MAX_DEPTH = 2**31 - 1


def _options(lines: int | None, threads: int | None, hash_mb: int | None) -> list[tuple[str, str]]:
    wanted = {
        "lines": count(lines, "lines"),
        "threads": count(threads, "threads"),
        "hash": count(hash_mb, "hash_mb"),
    }
    return [(key, str(value)) for key, value in wanted.items() if value is not None]


@dataclass(frozen=True)
class Line:
    """A line of play and its score, White's view."""

    score: int
    """Centipawns; beyond ±30000 where it is a mate."""
    mate: int | None
    """Moves to mate; negative where Black mates."""
    depth: int
    moves: list[str]
    """UCI."""
    san: list[str]
    wdl: tuple[int, int, int] | None = None
    """Chances of White in thousandths: win, draw, loss."""
    bound: str = "exact"
    """`exact`, or `lower` or `upper` where the search was stopped before it knew more."""

    def __str__(self) -> str:
        worth = f"#{self.mate}" if self.mate is not None else f"{self.score / 100:+.2f}"
        return f"{worth} {' '.join(self.san)}"


@dataclass(frozen=True)
class Analysis:
    """The result of a search."""

    fen: str
    best: str
    """The best move, UCI."""
    lines: list[Line]
    """The best line first; empty for agents that report none."""
    nodes: int
    seconds: float

    @property
    def score(self) -> int | None:
        """The best line's score in centipawns, White's view."""
        return self.lines[0].score if self.lines else None

    @property
    def mate(self) -> int | None:
        """Moves to mate in the best line; negative where Black mates."""
        return self.lines[0].mate if self.lines else None

    def __str__(self) -> str:
        return "\n".join(map(str, self.lines)) or self.best

    def _repr_html_(self) -> str:
        rows = "".join(f"<li>{html.escape(str(line))}</li>" for line in self.lines)
        return f"<div>{board(self.fen).svg}<ol>{rows}</ol></div>"


def analyse(
    position: Position,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    lines: int | None = None,
    threads: int | None = None,
    hash_mb: int | None = None,
    moves: Iterable[str | chess.Move] = (),
    agent: str = "engine",
) -> Analysis:
    """Search a position; without any limit, for a second.

    `agent` is an agent spec: `engine(eval=nnue)`, `uci(cmd=stockfish)`. Bounded by nodes or depth and on one thread the
    same position gives the same result. `moves` restricts the search to some moves.

    >>> analyse("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", depth=4).best
    'd1d8'
    """
    fen, played = game_of(position)
    document = json.loads(
        _native.analyse(
            fen,
            played,
            text(agent, "agent"),
            _options(lines, threads, hash_mb),
            count(depth, "depth", MAX_DEPTH),
            count(nodes, "nodes"),
            seconds,
            [str(move) for move in several(moves, "moves")],
        )
    )
    found = [
        Line(
            score=line["score"],
            mate=line["mate"],
            depth=line["depth"],
            moves=line["moves"],
            san=line["san"],
            wdl=tuple(line["wdl"]) if line["wdl"] else None,
            bound=line["bound"],
        )
        for line in document["lines"]
    ]
    return Analysis(document["fen"], document["best"], found, document["nodes"], document["seconds"])


@dataclass(frozen=True)
class Review:
    """Why a move is good or bad, with reasons that were proved."""

    fen: str
    move: str
    """The move reviewed, UCI."""
    san: str
    verdict: str
    """`best`, `good`, `inaccuracy`, `mistake`, `blunder`, `missed mate`, …"""
    text: str
    """The review in one to three sentences."""
    score: int
    """After the move, in centipawns, White's view."""
    best: str
    """The best move, UCI."""
    best_line: list[str]
    refutation: list[str]
    """What follows a bad move; empty after a good one."""
    reasons: list[dict[str, Any]]
    """Each with `kind`, `motif`, `worth_cp`, `line` and the `evidence` of its proof."""
    document: dict[str, Any] = field(repr=False)
    """The whole review, as `tabia explain --json` writes it."""

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<div>{board(self.fen).svg}<p><b>{html.escape(self.verdict)}</b>: {html.escape(self.text)}</p></div>"


def review(
    position: Position,
    move: str | chess.Move | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    agent: str = "engine",
    language: str = "en",
) -> Review:
    """Review a move, or explain the best one where none is given. Without any limit it takes 400,000 nodes a search.

    A reason is given only if it was proved: material by playing the line, a mate by a full-width search, a motif by
    changing one thing on the board and counting again.

    The text is in `language`: `en` or `de`. Names (`verdict`, `motif`) and moves are the same in both.

    >>> review("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3", "Nf6", nodes=20000).verdict
    'allowed mate'
    """
    document = json.loads(
        _native.review(
            fen_of(position),
            None if move is None else str(move),
            text(agent, "agent"),
            _options(None, threads, None),
            count(depth, "depth", MAX_DEPTH),
            count(nodes, "nodes"),
            seconds,
            text(language, "language"),
        )
    )
    return Review(
        fen=document["fen"],
        move=document["move"],
        san=document["san"],
        verdict=document["verdict"],
        text=document["text"],
        score=document["score"],
        best=document["best"]["move"],
        best_line=document["best"]["line"],
        refutation=document["refutation"]["line"],
        reasons=document["reasons"],
        document=document,
    )
