"""Pictures for notebooks and files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from . import _native
from .positions import Position, fen_of


@dataclass(frozen=True)
class Picture:
    """An SVG picture. Jupyter shows it; `save` writes it to a file."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file of its own."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg)} bytes of SVG>"


def board(position: Position, title: str = "") -> Picture:
    """A position as a picture.

    >>> board("startpos").svg.startswith("<svg")
    True
    """
    fen = fen_of(position)
    return Picture(_native.board_svg(fen, title or fen))
