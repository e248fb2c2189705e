"""Tabia: explainable evaluations, analysis, move reviews, matches, statistics and quantum chess.

Positions are FENs or python-chess boards. Scores are centipawns in White's view: positive is good for White, whoever is
to move. Nothing holds Python's interpreter lock while it searches, and Ctrl-C ends a search.

>>> import tabia
>>> tabia.evaluate(tabia.START, "material")
0
>>> tabia.explain(tabia.START).score == sum(term.centipawns for term in tabia.explain(tabia.START).terms)
True
"""

from ._native import __version__
from .analysis import Analysis, Line, Review, analyse, review
from .evaluation import (
    Explanation,
    Field,
    Term,
    evaluate,
    evaluate_many,
    evaluations,
    explain,
    fields,
)
from .pictures import Picture, board
from .positions import START, Position
from .runs import Run, read_run
from .strength import (
    Agent,
    Estimate,
    MatchResult,
    Sprt,
    agents,
    elo,
    play_match,
    ratings,
    sprt,
)

__all__ = [
    "START",
    "Agent",
    "Analysis",
    "Estimate",
    "Explanation",
    "Field",
    "Line",
    "MatchResult",
    "Picture",
    "Position",
    "Review",
    "Run",
    "Sprt",
    "Term",
    "__version__",
    "agents",
    "analyse",
    "board",
    "elo",
    "evaluate",
    "evaluate_many",
    "evaluations",
    "explain",
    "fields",
    "play_match",
    "ratings",
    "read_run",
    "review",
    "sprt",
]
