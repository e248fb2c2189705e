"""Results of other match programs, in and out.

fastchess keeps its results in the `stats` of its configuration (`config.json`): for every `A vs B` the wins, losses and draws of A
and its pairs of games. PGN of fastchess and cutechess, with `{+0.35/12 0.5s}` after moves, is read by everything that
reads PGN here; `write_cutechess` writes it, for tools that want scores in that form.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .strength import Estimate, MatchResult, elo

PAIRS = ("penta_LL", "penta_LD", "penta_DD", "penta_WD", "penta_WW")
BETWEEN = " vs "


@dataclass(frozen=True)
class Encounter:
    """One pairing of a match, from the first player's view."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int
    pentanomial: list[int]
    """Pairs by half points: LL, LD, DD+WL, WD, WW; zeros where games were not paired."""

    @property
    def estimate(self) -> Estimate:
        """Elo of the first player, from pairs where there are some."""
        if any(self.pentanomial):
            return elo(self.pentanomial)
        return elo(wins=self.wins, draws=self.draws, losses=self.losses)


def read_fastchess(path: str | os.PathLike[str]) -> list[Encounter]:
    """The results in a fastchess configuration; `ratings` fits ratings to them."""
    try:
        stats = json.loads(Path(path).read_text(encoding="utf-8"))["stats"]
        return [_encounter(name, counts) for name, counts in stats.items()]
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is no configuration of fastchess with results: {error!r}") from error


def _encounter(name: str, counts: dict[str, Any]) -> Encounter:
    first, between, second = name.partition(BETWEEN)
    if not between:
        raise KeyError(f'"{name}" does not name two players as A{BETWEEN}B')
    pairs = [int(counts.get(key, 0)) for key in PAIRS]
    # A win and a loss are worth two draws.
    pairs[2] += int(counts.get("penta_WL", 0))
    return Encounter(first, second, int(counts["wins"]), int(counts["draws"]), int(counts["losses"]), pairs)


def write_fastchess(result: MatchResult | list[Encounter], path: str | os.PathLike[str]) -> None:
    """Write results as fastchess keeps them. Drawn pairs are all counted as two draws: which they were is not known."""
    if isinstance(result, MatchResult):
        result = [
            Encounter(row["agent"], row["opponent"], row["wins"], row["draws"], row["losses"], row["pentanomial"])
            for row in result.document["crosstable"]
        ]
    stats = {
        f"{entry.first}{BETWEEN}{entry.second}": {
            "wins": entry.wins,
            "losses": entry.losses,
            "draws": entry.draws,
            **dict(zip(PAIRS, entry.pentanomial, strict=True)),
            "penta_WL": 0,
        }
        for entry in result
    }
    Path(path).write_text(json.dumps({"stats": stats}, indent=4) + "\n", encoding="utf-8")


def write_cutechess(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> int:
    """Rewrite a PGN file with scores in the form of cutechess and fastchess; returns the number of games.

    `[%eval]`, `[%depth]` and `[%emt]` after a move become `{+0.35/12 0.5s}`: the mover's view, in pawns, mates in plies (`+M5`).
    Other comments stay. Needs python-chess.
    """
    import chess.pgn

    count = 0
    with open(source, encoding="utf-8", errors="replace") as games, open(target, "w", encoding="utf-8") as out:
        while (game := chess.pgn.read_game(games)) is not None:
            for node in game.mainline():
                _to_cutechess(node)
            print(game, file=out, end="\n\n")
            count += 1
    if count == 0:
        raise ValueError(f"{source} has no games")
    return count


def _to_cutechess(node: Any) -> None:
    score, seconds = node.eval(), node.emt()
    opening = "[%book]" in node.comment
    depth = re.search(r"\[%depth (\d+)\]", node.comment)
    words = " ".join(re.sub(r"\[%(eval|emt|clk|depth|nodes|book)\b[^\]]*\]", " ", node.comment).split())
    if opening:
        words = f"book {words}"
    elif score is not None:
        # The score is of the position after the move, where the other side is to move; the comment is the mover's.
        mine = score.pov(not node.turn())
        mate = mine.mate()
        if mate is None:
            text = f"{mine.score() / 100:+.2f}"
        else:
            text = f"+M{2 * mate + 1}" if mate > 0 else f"-M{-2 * mate}"
        time = "" if seconds is None else f" {seconds:.3f}s"
        words = f"{text}/{depth[1] if depth else 0}{time}{', ' if words else ''}{words}"
    node.comment = words.strip()
