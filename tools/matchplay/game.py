"""One game between two engines: clocks, faults, adjudication."""

from __future__ import annotations

from dataclasses import dataclass, field

import chess

from .engine import Answer, EngineFault, UciEngine
from .openings import Opening

MATE_CP = 30_000
# A search may end a little after its time without having done wrong; only a clock is exact.
MOVETIME_GRACE_MS = 100


@dataclass(frozen=True)
class Limits:
    """How long each side may think: a clock, or one bound a move."""

    base_ms: float | None = None
    increment_ms: float = 0
    movetime_ms: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def go(self, clocks_ms: dict[bool, float]) -> str:
        if self.base_ms is not None:
            white, black = (max(1, int(clocks_ms[color])) for color in (chess.WHITE, chess.BLACK))
            increment = int(self.increment_ms)
            return f"go wtime {white} btime {black} winc {increment} binc {increment}"
        if self.movetime_ms is not None:
            return f"go movetime {self.movetime_ms}"
        if self.nodes is not None:
            return f"go nodes {self.nodes}"
        return f"go depth {self.depth}"

    def __str__(self):
        if self.base_ms is not None:
            return f"{self.base_ms / 1000:g}+{self.increment_ms / 1000:g}"
        if self.movetime_ms is not None:
            return f"{self.movetime_ms} ms a move"
        return f"{self.nodes} nodes a move" if self.nodes is not None else f"depth {self.depth}"


@dataclass(frozen=True)
class Rules:
    """What ends a game besides the rules of chess."""

    draw: tuple[int, int, int] | None = None  # from this move on, so many moves each, within so many centipawns
    resign: tuple[int, int] | None = None  # so many moves each, both see at least so many centipawns
    margin_ms: float = 0  # how far a clock may be overstepped
    stall_s: float = 10  # silence beyond the time that is left
    longest_moves: int = 500
    chess960: bool = False


@dataclass
class Record:
    """A finished game, small enough to send between processes."""

    result: str
    reason: str
    opening: Opening
    moves: list[str] = field(default_factory=list)
    scores_cp: list[int | None] = field(default_factory=list)  # White's view
    depths: list[int] = field(default_factory=list)
    elapsed_s: list[float] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    fault: str | None = None  # time, illegal, crash, stall
    faulty: bool | None = None  # its colour
    detail: str = ""

    def points(self, color: bool) -> float:
        if self.result == "1/2-1/2":
            return 0.5
        return float((self.result == "1-0") == color)


def play_game(engines: dict[bool, UciEngine], opening: Opening, limits: Limits, rules: Rules) -> Record:
    """Plays from an opening to the end; `engines` by colour, through their handshakes."""
    board = opening.board(rules.chess960)
    record = Record("*", "", opening)
    clocks_ms = {color: float(limits.base_ms or 0) for color in chess.COLORS}
    color = board.turn
    position = go = ""
    try:
        for color in chess.COLORS:
            engines[color].new_game()
        while not _over(board, record, rules):
            color = board.turn
            position, go = _position(opening, board), limits.go(clocks_ms)
            answer = engines[color].think(position, go, _patience_s(limits, clocks_ms[color], rules))
            if _overstepped(answer, limits, clocks_ms, color, rules):
                _lost(record, color, "time", f"{answer.elapsed_s * 1000:.0f} ms used; asked: {go}")
                break
            try:
                move = board.parse_uci(answer.move)
                if not move:
                    raise chess.IllegalMoveError("null move")
            except ValueError:
                _lost(record, color, "illegal", f'"{answer.move}"; asked: {position} / {go}')
                break
            board.push(move)
            _note(record, answer, color)
    except EngineFault as fault:
        _lost(record, color, fault.kind, f"{fault.detail}; asked: {position or 'ucinewgame'} / {go}")
    return record


def _position(opening: Opening, board: chess.Board) -> str:
    start = f"fen {opening.fen}" if opening.fen else "startpos"
    moves = " ".join(move.uci() for move in board.move_stack)
    return f"position {start} moves {moves}" if moves else f"position {start}"


def _patience_s(limits: Limits, left_ms: float, rules: Rules) -> float:
    return (left_ms + (limits.movetime_ms or 0)) / 1000 + rules.stall_s


def _overstepped(answer: Answer, limits: Limits, clocks_ms: dict[bool, float], color: bool, rules: Rules) -> bool:
    elapsed_ms = answer.elapsed_s * 1000
    if limits.movetime_ms is not None:
        return elapsed_ms > limits.movetime_ms + MOVETIME_GRACE_MS + rules.margin_ms
    if limits.base_ms is None:
        return False
    clocks_ms[color] -= elapsed_ms
    if clocks_ms[color] < -rules.margin_ms:
        return True
    clocks_ms[color] = max(0.0, clocks_ms[color]) + limits.increment_ms
    return False


def _note(record: Record, answer: Answer, color: bool):
    score = answer.score_cp
    if answer.mate is not None:
        score = MATE_CP - abs(answer.mate) if answer.mate > 0 else abs(answer.mate) - MATE_CP
    record.moves.append(answer.move)
    record.scores_cp.append(score if score is None or color == chess.WHITE else -score)
    record.depths.append(answer.depth)
    record.elapsed_s.append(answer.elapsed_s)
    record.nodes.append(answer.nodes)


def _lost(record: Record, color: bool, fault: str, detail: str):
    record.result = "0-1" if color == chess.WHITE else "1-0"
    record.reason = {"time": "time forfeit", "illegal": "illegal move"}.get(fault, f"engine {fault}")
    record.fault, record.faulty, record.detail = fault, color, detail


def _over(board: chess.Board, record: Record, rules: Rules) -> bool:
    """Whether the game has ended; writes result and reason."""
    ended = _ended_by_rules(board) or _adjudicated(board, record, rules)
    if ended:
        record.result, record.reason = ended
    return ended is not None


def _ended_by_rules(board: chess.Board) -> tuple[str, str] | None:
    if not any(board.generate_legal_moves()):
        if board.is_check():
            return ("0-1" if board.turn == chess.WHITE else "1-0"), "checkmate"
        return "1/2-1/2", "stalemate"
    if board.is_insufficient_material():
        return "1/2-1/2", "insufficient material"
    if board.halfmove_clock >= 100:
        return "1/2-1/2", "fifty-move rule"
    if board.halfmove_clock >= 4 and board.is_repetition(3):
        return "1/2-1/2", "threefold repetition"
    return None


def _adjudicated(board: chess.Board, record: Record, rules: Rules) -> tuple[str, str] | None:
    if rules.resign:
        count, cp = rules.resign
        last = record.scores_cp[-2 * count :]
        if len(last) == 2 * count and None not in last:
            if min(last) >= cp:
                return "1-0", "adjudication"
            if max(last) <= -cp:
                return "0-1", "adjudication"
    if rules.draw and board.fullmove_number >= rules.draw[0]:
        _, count, cp = rules.draw
        last = record.scores_cp[-2 * count :]
        if len(last) == 2 * count and None not in last and max(map(abs, last)) <= cp:
            return "1/2-1/2", "adjudication"
    if len(record.moves) >= 2 * rules.longest_moves:
        return "1/2-1/2", "move limit"
    return None
