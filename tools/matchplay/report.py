"""Results as people read them, and as programs do."""

from __future__ import annotations

from dataclasses import dataclass, field

import chess
import chess.pgn

from .game import MATE_CP, Limits, Record
from .players import Player
from .rating import SPRT_BOUND, estimate, log_likelihood_ratio, performance, sprt_verdict, written
from .workers import Task

FAULTS = ("illegal", "time", "crash", "stall")


@dataclass
class Side:
    """What one player did over its games."""

    faults: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FAULTS, 0))
    moves: int = 0
    depth: int = 0
    nodes: int = 0
    elapsed_s: float = 0.0

    def add(self, record: Record, color: bool):
        if record.faulty == color and record.fault:
            self.faults[record.fault] += 1
        first = record.opening.board().turn
        for index in range(0 if color == first else 1, len(record.moves), 2):
            self.moves += 1
            self.depth += record.depths[index]
            self.nodes += record.nodes[index]
            self.elapsed_s += record.elapsed_s[index]

    def pace(self) -> str:
        moves = max(1, self.moves)
        speed = self.nodes / self.elapsed_s / 1000 if self.elapsed_s else 0
        return f"depth {self.depth / moves:.1f}, {speed:.0f} knps, {1000 * self.elapsed_s / moves:.1f} ms a move"


@dataclass
class Tally:
    """Games against one opponent, from the engine's view."""

    opponent: Player
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pentanomial: list[int] = field(default_factory=lambda: [0] * 5)
    half_pairs: dict[int, float] = field(default_factory=dict)
    ours: Side = field(default_factory=Side)
    theirs: Side = field(default_factory=Side)

    def add(self, task: Task, record: Record):
        color = task.engine_is_white
        points = record.points(color)
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        pair = task.number // 2
        if pair in self.half_pairs:
            self.pentanomial[round(2 * (points + self.half_pairs.pop(pair)))] += 1
        else:
            self.half_pairs[pair] = points
        self.ours.add(record, color)
        self.theirs.add(record, not color)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def performance(self) -> float | None:
        if self.opponent.rating is None:
            return None
        return performance([(self.opponent.rating, self.points, self.games)])


def text(engine: Player, limits: Limits, tallies: list[Tally], sprt: tuple[float, float] | None) -> str:
    tallies = [tally for tally in tallies if tally.games]
    if not tallies:
        return "no game was finished"
    width = max(10, *(len(tally.opponent.label) for tally in tallies))
    lines = [f"{engine.label} at {limits}; Elo is {engine.label}'s view (positive: it is stronger)"]
    lines.append(f"{'opponent':{width}}  games    W    D    L   score   Elo ± 95%          LOS  performance")
    for tally in tallies:
        result = estimate(tally.pentanomial)
        los = "—" if result.los is None else f"{result.los:.0%}"
        rating = "—" if tally.performance() is None else f"about {tally.performance():.0f}"
        lines.append(
            f"{tally.opponent.label:{width}}  {tally.games:5} {tally.wins:4} {tally.draws:4} {tally.losses:4}"
            f"  {tally.points / tally.games:6.1%}   {written(result):16} {los:>5}  {rating}"
        )
    for tally in tallies:
        lines.append(f"{tally.opponent.label}: pairs lost to won (0, ½, 1, 1½, 2 points) {tally.pentanomial}")
        lines.append(f"  {engine.label}: {tally.ours.pace()}; {tally.opponent.label}: {tally.theirs.pace()}")
        for who, side in ((engine.label, tally.ours), (tally.opponent.label, tally.theirs)):
            faults = ", ".join(f"{count} {kind}" for kind, count in side.faults.items() if count)
            if faults:
                lines.append(f"  faults of {who}: {faults}")
        if sprt:
            llr = log_likelihood_ratio(tally.pentanomial, *sprt)
            verdict = sprt_verdict(llr) or "open"
            lines.append(f"  SPRT [{sprt[0]:g}, {sprt[1]:g}]: LLR {llr:+.2f} of ±{SPRT_BOUND:.2f}, {verdict}")
    rated = [(tally.opponent.rating, tally.points, tally.games) for tally in tallies if tally.opponent.rating]
    if len(rated) > 1:
        overall = performance(rated)
        if overall is not None:
            lines.append(f"performance over all rated opponents: about {overall:.0f}")
    if rated:
        lines.append("(ratings on the CCRL blitz scale, within 100 or so; faster play stretches them)")
    return "\n".join(lines)


def as_json(engine: Player, limits: Limits, tallies: list[Tally], sprt: tuple[float, float] | None) -> dict:
    """The same names as `tabia match --json` uses, once for each opponent."""
    matches = []
    for tally in tallies:
        result = estimate(tally.pentanomial)
        entry = {
            "agents": [engine.label, tally.opponent.label],
            "games": tally.games,
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "pentanomial": tally.pentanomial,
            "elo": result.elo,
            "elo_error_95": result.error,
            "los": result.los,
            "illegal_moves": tally.ours.faults["illegal"],
            "time_losses": tally.ours.faults["time"],
            "crashes": tally.ours.faults["crash"],
            "stalls": tally.ours.faults["stall"],
            "opponent_faults": tally.theirs.faults,
            "opponent_rating": tally.opponent.rating,
            "performance": tally.performance(),
        }
        if sprt:
            llr = log_likelihood_ratio(tally.pentanomial, *sprt)
            bounds = {"elo0": sprt[0], "elo1": sprt[1], "lower": -SPRT_BOUND, "upper": SPRT_BOUND}
            entry["sprt"] = bounds | {"llr": llr, "verdict": sprt_verdict(llr)}
        matches.append(entry)
    rated = [(tally.opponent.rating, tally.points, tally.games) for tally in tallies if tally.opponent.rating]
    return {"engine": engine.label, "limits": str(limits), "matches": matches, "performance": performance(rated)}


def as_pgn(engine: Player, opponent: Player, limits: Limits, task: Task, record: Record, chess960: bool) -> str:
    board = record.opening.board(chess960)
    book_plies = len(board.move_stack)
    for move in record.moves:
        board.push_uci(move)
    game = chess.pgn.Game.from_board(board)
    names = {task.engine_is_white: engine.label, not task.engine_is_white: opponent.label}
    game.headers["Event"] = f"{engine.label} against {opponent.label}"
    game.headers["Round"] = f"{task.number // 2 + 1}.{task.number % 2 + 1}"
    game.headers["White"], game.headers["Black"] = names[chess.WHITE], names[chess.BLACK]
    game.headers["Result"] = record.result
    game.headers["Opening"] = record.opening.name
    game.headers["TimeControl"] = str(limits)
    game.headers["Termination"] = record.reason
    for index, node in enumerate(list(game.mainline())[book_plies:]):
        node.comment = _comment(record, index)
    return str(game)


def _comment(record: Record, index: int) -> str:
    score = record.scores_cp[index]
    if score is None:
        shown = ""
    elif abs(score) > MATE_CP - 1000:
        shown = f"[%eval #{'-' if score < 0 else ''}{MATE_CP - abs(score)}] "
    else:
        shown = f"[%eval {score / 100:.2f}] "
    return f"{shown}depth {record.depths[index]}, {record.elapsed_s[index]:.3f} s"
