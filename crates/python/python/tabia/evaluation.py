"""What positions are worth, and why."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _native
from .arguments import count, several, text
from .pictures import Picture
from .positions import Position, fen_of

if TYPE_CHECKING:
    import pandas

STRONGEST = _native.strongest_evaluation()


def evaluations() -> list[str]:
    """The names of all evaluations.

    >>> "field" in evaluations() and "nnue" in evaluations()
    True
    """
    return _native.evaluations()


def evaluate(position: Position, evaluation: str = STRONGEST) -> int:
    """A position's score in centipawns, White's view, without looking ahead.

    >>> evaluate("4k3/8/8/8/8/8/8/QK6 w - - 0 1", "material")
    900
    """
    return _native.evaluate(fen_of(position), text(evaluation, "evaluation"))


def evaluate_many(
    positions: Iterable[Position],
    evaluation: str = STRONGEST,
    *,
    threads: int | None = None,
) -> npt.NDArray[np.int32]:
    """The scores of many positions, computed on all cores.

    >>> evaluate_many(["startpos", "4k3/8/8/8/8/8/8/QK6 w - - 0 1"], "material")
    array([  0, 900], dtype=int32)
    """
    if isinstance(positions, str):
        raise TypeError("positions is one text; give a list of positions, or use evaluate")
    fens = [fen_of(position) for position in several(positions, "positions")]
    scores = np.empty(len(fens), dtype=np.int32)
    _native.evaluate_many(fens, text(evaluation, "evaluation"), count(threads, "threads"), scores)
    return scores


@dataclass(frozen=True)
class Term:
    """One term of an evaluation."""

    name: str
    white: float
    """What White has of it."""
    black: float
    """What Black has of it."""
    weight: float
    """Centipawns a unit."""
    centipawns: int
    """Its share of the score, White's view."""


@dataclass(frozen=True, eq=False)
class Field:
    """Numbers on the 64 squares, as an array and as a picture."""

    name: str
    unit: str
    values: npt.NDArray[np.float64]
    """8×8, rank 8 first, file a first."""
    fen: str

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __getitem__(self, square: str) -> float:
        """The number on a square: `field["e4"]`."""
        file, rank = "abcdefgh".find(square[:1]), "12345678".find(square[1:2])
        if len(square) != 2 or file < 0 or rank < 0:
            raise KeyError(f'"{square}" is no square; write it like e4')
        return float(self.values[7 - rank, file])

    def picture(self, *, title: str | None = None, numbers: bool = False) -> Picture:
        """The board with the field under its pieces; `numbers` writes them on the squares."""
        values = np.ascontiguousarray(self.values, dtype=np.float64).ravel().tolist()
        svg = _native.field_svg(self.fen, self.name, self.unit, values, title or self.name, numbers)
        return Picture(svg)

    def _repr_svg_(self) -> str:
        return self.picture().svg

    def __repr__(self) -> str:
        return f"<Field {self.name!r} in {self.unit}>"


@dataclass(frozen=True, eq=False)
class Explanation:
    """A score taken apart: the terms sum exactly to it."""

    fen: str
    evaluation: str
    score: int
    text: str
    """The reasons in a sentence."""
    terms: list[Term]
    fields: Mapping[str, Field] = field(repr=False)

    def frame(self) -> pandas.DataFrame:
        """The terms as a data frame, indexed by name."""
        import pandas

        columns = ["white", "black", "weight", "centipawns"]
        rows = [[getattr(term, column) for column in columns] for term in self.terms]
        names = pandas.Index([term.name for term in self.terms], name="term")
        return pandas.DataFrame(rows, columns=columns, index=names)

    def _repr_html_(self) -> str:
        head = "<tr><th>term</th><th>White</th><th>Black</th><th>centipawns</th></tr>"
        rows = "".join(
            f"<tr><td>{html.escape(term.name)}</td><td>{term.white:.3g}</td><td>{term.black:.3g}</td>"
            f"<td>{term.centipawns:+d}</td></tr>"
            for term in self.terms
            if term.centipawns
        )
        return f"<p>{html.escape(self.text)}</p><table>{head}{rows}</table>"

    def __str__(self) -> str:
        return self.text


def explain(position: Position, evaluation: str = STRONGEST) -> Explanation:
    """Take an evaluation apart into terms and fields.

    >>> explanation = explain("startpos", "axiomx")
    >>> sum(term.centipawns for term in explanation.terms) == explanation.score
    True
    >>> explanation.fields["control"].values.shape
    (8, 8)
    """
    fen = fen_of(position)
    score, said, terms, found = _native.explain(fen, text(evaluation, "evaluation"))
    named = {
        name: Field(name, unit, np.array(values, dtype=np.float64).reshape(8, 8), fen)
        for name, unit, values in found
    }
    return Explanation(fen, evaluation, score, said, [Term(*term) for term in terms], named)


def fields(position: Position, evaluation: str = STRONGEST) -> dict[str, npt.NDArray[np.float64]]:
    """The fields behind an evaluation as 8×8 arrays, rank 8 first.

    >>> sorted(fields("startpos", "material"))
    []
    """
    return {name: found.values for name, found in explain(position, evaluation).fields.items()}
