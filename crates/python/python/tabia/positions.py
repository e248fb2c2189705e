"""Positions as FENs, whatever they are given as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from .arguments import text

if TYPE_CHECKING:
    import chess

    Position: TypeAlias = "str | chess.Board"
else:
    Position = Any

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""The start of a game."""

# Boards of python-chess with rules of their own say so here.
STANDARD = ("chess", "standard")


def fen_of(position: Position) -> str:
    """The FEN of a position: a FEN, `startpos`, or a python-chess board."""
    if isinstance(position, str):
        return START if position.strip() == "startpos" else text(position, "position")
    if not hasattr(position, "fen") or not hasattr(position, "move_stack"):
        kind = type(position).__name__
        raise TypeError(f"a position is a FEN or a python-chess Board, not {kind}")
    variant = getattr(position, "uci_variant", "chess")
    if variant not in STANDARD:
        raise ValueError(f"the board has the rules of {variant}; Tabia plays standard chess and Chess960")
    return position.shredder_fen() if position.chess960 else position.fen()


def game_of(position: Position) -> tuple[str, list[str]]:
    """Where a game started and its moves since, so that repetitions are known."""
    fen = fen_of(position)
    if isinstance(position, str) or not position.move_stack:
        return fen, []
    if any(not move for move in position.move_stack):
        # A null move is no move of a game: what was before it is left out.
        return fen, []
    root = position.root()
    start = root.shredder_fen() if position.chess960 else root.fen()
    return start, [move.uci() for move in position.move_stack]
