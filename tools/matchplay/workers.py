"""Games side by side: one process plays one game at a time, so that no game's clock waits for another's Python."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

import chess

from .engine import EngineFault, UciEngine, die_with_parent
from .game import Limits, Record, Rules, play_game
from .openings import Opening
from .players import Player

# Every engine plays with these, where it has them.
FAIR_OPTIONS = {"Hash": "16", "Threads": "1", "Ponder": "false"}


@dataclass(frozen=True)
class Task:
    """One game to play. Games `2n` and `2n + 1` of an opponent are a pair."""

    opponent: int
    number: int
    opening: Opening
    engine_is_white: bool


class WorkerDied(Exception):
    """A worker process ended without having been asked to."""


class Workers:
    """Processes that play games; leaving the context ends them and every engine they started."""

    def __init__(self, count: int, engine: Player, opponents: list[Player], limits: Limits, rules: Rules):
        fork = multiprocessing.get_context("fork")
        self.processes, self.connections = [], []
        for _ in range(count):
            ours, theirs = fork.Pipe()
            arguments = (theirs, os.getpid(), engine, opponents, limits, rules)
            process = fork.Process(target=_work, args=arguments, daemon=True)
            process.start()
            theirs.close()
            self.processes.append(process)
            self.connections.append(ours)

    def play(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Record]]:
        """Plays all tasks, yielding games as they finish."""
        tasks = iter(tasks)
        busy: dict[Connection, Task] = {}
        idle = list(self.connections)
        while True:
            while idle and (task := next(tasks, None)) is not None:
                connection = idle.pop()
                connection.send(task)
                busy[connection] = task
            if not busy:
                return
            for connection in wait(list(busy)):
                try:
                    answer = connection.recv()
                except EOFError:
                    raise WorkerDied("a worker process died") from None
                if isinstance(answer, Exception):
                    raise answer
                yield busy.pop(connection), answer
                idle.append(connection)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.join(5)
            if process.is_alive():
                process.kill()


def _work(tasks: Connection, parent: int, engine: Player, opponents: list[Player], limits: Limits, rules: Rules):
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    running: dict[int, UciEngine] = {}
    signal.signal(signal.SIGTERM, lambda *_: _leave_at_once(running))
    die_with_parent(signal.SIGTERM)
    if os.getppid() != parent:
        return
    try:
        while True:
            task = tasks.recv()
            tasks.send(_play(task, running, engine, opponents[task.opponent], limits, rules))
    except (EOFError, BrokenPipeError):
        pass  # the parent is gone
    except Exception as error:
        tasks.send(error)
    finally:
        for process in running.values():
            process.close()


def _play(
    task: Task,
    running: dict[int, UciEngine],
    engine: Player,
    opponent: Player,
    limits: Limits,
    rules: Rules,
) -> Record:
    """Engines stay between games; one that failed is started anew for the next."""
    seats = {task.engine_is_white: (-1, engine), not task.engine_is_white: (task.opponent, opponent)}
    for color, (seat, player) in seats.items():
        if seat not in running:
            running[seat] = UciEngine(list(player.command), player.label)
            wanted = FAIR_OPTIONS | ({"UCI_Chess960": "true"} if rules.chess960 else {})
            try:
                running[seat].handshake(player.options, wanted)
            except EngineFault as fault:
                running.pop(seat).close()
                result = "0-1" if color == chess.WHITE else "1-0"
                record = Record(result, f"engine {fault.kind}", task.opening)
                record.fault, record.faulty, record.detail = fault.kind, color, f"{fault.detail}; in its handshake"
                return record
    engines = {color: running[seat] for color, (seat, _) in seats.items()}
    record = play_game(engines, task.opening, limits, rules)
    if record.fault in ("crash", "stall", "illegal"):
        running.pop(seats[record.faulty][0]).close(politely=False)
    return record


def _leave_at_once(running: dict[int, UciEngine]):
    """In a signal handler: whatever was going on may hold locks, so nothing is waited for."""
    for engine in list(running.values()):
        engine.kill()
    os._exit(0)
