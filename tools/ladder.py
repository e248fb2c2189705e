#!/usr/bin/env python3
"""Plays an engine against others and says how strong it is.

    tools/ladder.py --games 100 --tc 8+0.08 stockfish:elo=2100 gnuchess
    tools/ladder.py --ladder --games 40 --tc 1+0.01
    tools/ladder.py --engine 'cmd:new/tabia uci:label=new' 'cmd:old/tabia uci:label=old' --nodes 20000 --sprt 0,5

Games come in pairs: the same opening with colours swapped. Ctrl-C ends the match and reports what is finished.
Exit status: 0 done; 1 the engine under test crashed, stalled, overstepped its time or played an illegal move;
2 wrong usage.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path

from matchplay import openings, players, report
from matchplay.engine import OptionError
from matchplay.game import Limits, Rules
from matchplay.rating import estimate, log_likelihood_ratio, sprt_verdict, written
from matchplay.workers import Task, WorkerDied, Workers

DRAW = (40, 8, 8)
RESIGN = (3, 600)


def numbers(count: int, kind: type):
    def read(text: str):
        parts = text.split(",")
        if len(parts) != count:
            raise argparse.ArgumentTypeError(f"{text!r} is not {count} numbers with commas between")
        return tuple(kind(part) for part in parts)

    return read


def time_control(text: str) -> Limits:
    base, _, increment = text.partition("+")
    try:
        limits = Limits(base_ms=float(base) * 1000, increment_ms=float(increment or 0) * 1000)
    except ValueError:
        limits = None
    if limits is None or limits.base_ms <= 0 or limits.increment_ms < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no time control; write seconds as in 8+0.08")
    return limits


def positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def arguments() -> argparse.Namespace:
    players_help = players.__doc__.split("\n\n", 1)[1]
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=f"players:\n\n{players_help}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("opponents", nargs="*", metavar="OPPONENT", help="whom to play against (see below)")
    parser.add_argument("--ladder", action="store_true", help=f"the standard gauntlet: {', '.join(players.LADDER)}")
    parser.add_argument("--engine", default="tabia", metavar="PLAYER", help="the engine under test (default: tabia)")
    parser.add_argument("--games", type=positive, default=100, metavar="N", help="games against each opponent")
    parser.add_argument("--concurrency", type=positive, default=2, metavar="N", help="games at a time (default: 2)")

    limits = parser.add_argument_group("time (default: --tc 8+0.08)").add_mutually_exclusive_group()
    limits.add_argument("--tc", type=time_control, metavar="SECONDS+INCREMENT", help="a clock for each side")
    limits.add_argument("--movetime", type=positive, metavar="MS", help="milliseconds a move")
    limits.add_argument("--nodes", type=positive, metavar="N", help="nodes a move")
    limits.add_argument("--depth", type=positive, metavar="N", help="plies a move")

    book = parser.add_argument_group("openings (default: a built-in set)")
    book.add_argument("--openings", type=Path, metavar="FILE", help="positions of an EPD, or lines of a PGN file")
    book.add_argument("--plies", type=positive, default=16, metavar="N", help="half-moves from a PGN (default: 16)")
    book.add_argument("--seed", type=int, default=1, metavar="N", help="decides which openings, in which order")
    book.add_argument("--chess960", action="store_true", help="castling as in Chess960, for openings that need it")

    ends = parser.add_argument_group("ending games early")
    ends.add_argument("--adjudicate", action="store_true", help="--draw 40,8,8 and --resign 3,600")
    ends.add_argument("--draw", type=numbers(3, int), metavar="MOVE,COUNT,CP",
                      help="from MOVE on, drawn when both saw at most CP centipawns for COUNT moves")  # fmt: skip
    ends.add_argument("--resign", type=numbers(2, int), metavar="COUNT,CP",
                      help="won when both saw at least CP centipawns for COUNT moves")  # fmt: skip
    ends.add_argument("--margin", type=float, default=0, metavar="MS",
                      help="how far a clock may be overstepped (default: 0)")  # fmt: skip
    ends.add_argument("--stall", type=float, default=10, metavar="S",
                      help="silence beyond its time that ends a game (default: 10)")  # fmt: skip
    ends.add_argument("--sprt", type=numbers(2, float), metavar="ELO0,ELO1", help="stop when one is clearly true")

    parser.add_argument("--pgn", type=Path, metavar="FILE", help="append the games to FILE")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout, the report on stderr")
    options = parser.parse_args()
    if not options.opponents and not options.ladder:
        parser.error("name an opponent, or --ladder; see --help")
    if options.sprt and (len(options.opponents) != 1 or options.ladder or options.sprt[0] >= options.sprt[1]):
        parser.error("--sprt needs exactly one opponent, and ELO0 below ELO1")
    return options


def limits_of(options: argparse.Namespace) -> Limits:
    if options.tc:
        return options.tc
    if options.movetime or options.nodes or options.depth:
        return Limits(movetime_ms=options.movetime, nodes=options.nodes, depth=options.depth)
    return time_control("8+0.08")


def schedule(book: list[openings.Opening], opponents: int):
    """Pair after pair, each against all opponents, so that an interrupted gauntlet is still a fair sample."""
    for pair, opening in enumerate(book):
        for opponent in range(opponents):
            for half in (0, 1):
                yield Task(opponent, 2 * pair + half, opening, engine_is_white=half == pair % 2)


class Progress:
    """Says how a match stands: in place on a terminal, now and then elsewhere."""

    def __init__(self, total: int):
        self.total = total
        self.done = 0
        self.terminal = sys.stderr.isatty()

    def show(self, current: report.Tally):
        self.done += 1
        if not self.terminal and self.done % max(10, self.total // 20):
            return
        elo = written(estimate(current.pentanomial))
        score = f"+{current.wins} ={current.draws} -{current.losses}"
        line = f"{self.done}/{self.total}; {current.opponent.label}: {score}, Elo {elo}"
        self.say(line, last=False)

    def say(self, line: str, last: bool = True):
        if self.terminal:
            print(f"\r\033[K{line}", end="\n" if last else "", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)


def interrupt(*_):
    raise KeyboardInterrupt


def main() -> int:
    options = arguments()
    limits = limits_of(options)
    draw = options.draw or (DRAW if options.adjudicate else None)
    resign = options.resign or (RESIGN if options.adjudicate else None)
    rules = Rules(draw, resign, options.margin, options.stall, chess960=options.chess960)
    try:
        engine = players.read_player(options.engine)
        specs = (players.LADDER if options.ladder else []) + options.opponents
        opponents = [players.read_player(spec) for spec in specs]
        book = openings.choose((options.games + 1) // 2, options.seed, options.openings, options.plies)
    except (players.SpecError, openings.OpeningError, OSError) as error:
        print(f"ladder: {error}", file=sys.stderr)
        return 2

    tallies = [report.Tally(opponent) for opponent in opponents]
    progress = Progress(2 * len(book) * len(opponents))
    pgn = options.pgn.open("a") if options.pgn else None
    signal.signal(signal.SIGTERM, interrupt)
    status = 0
    try:
        with Workers(min(options.concurrency, progress.total), engine, opponents, limits, rules) as workers:
            for task, record in workers.play(schedule(book, len(opponents))):
                tally = tallies[task.opponent]
                tally.add(task, record)
                if record.fault:
                    who = engine if record.faulty == task.engine_is_white else tally.opponent
                    progress.say(f"fault: {who.label}, game {task.number + 1}: {record.reason}: {record.detail}")
                if pgn:
                    game = report.as_pgn(engine, tally.opponent, limits, task, record, rules.chess960)
                    print(game, end="\n\n", file=pgn, flush=True)
                progress.show(tally)
                if options.sprt and sprt_verdict(log_likelihood_ratio(tally.pentanomial, *options.sprt)):
                    break
    except KeyboardInterrupt:
        progress.say("interrupted; what is finished counts")
    except (OptionError, WorkerDied) as error:
        progress.say(f"ladder: {error}")
        status = 2
    if progress.terminal:
        print(file=sys.stderr)

    print(report.text(engine, limits, tallies, options.sprt), file=sys.stderr if options.json else sys.stdout)
    if options.json:
        print(json.dumps(report.as_json(engine, limits, tallies, options.sprt)))
    faults = sum(sum(tally.ours.faults.values()) for tally in tallies)
    return status or int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
