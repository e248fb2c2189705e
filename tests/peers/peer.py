"""What the tests against the binary share: which command to run, and talking to it over raw pipes.

The command is `$TABIA uci` (`target/release/tabia` by default). `TABIA_CMD` replaces all of it, for trying the tests
themselves on another engine (`TABIA_CMD=stockfish`); what only Tabia promises is skipped then.
"""

import os
import re
import shlex
import shutil
import sys
import unittest
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from pipes import EngineFault, UciEngine
from built import GAMES_DIR, tabia_binary

__all__ = ["GUARD_S", "EngineFault", "RawEngine", "RawTest", "command", "only_tabia", "spare_the_proxy"]

# No answer takes this long unless something hangs; nothing is asserted about speed.
GUARD_S = 60.0
STAND_IN = os.environ.get("TABIA_CMD")

only_tabia = unittest.skipIf(STAND_IN, "promised by Tabia alone")


def spare_the_proxy():
    """What is on this machine is reached without a proxy, in this process and those it starts."""
    for name in ("no_proxy", "NO_PROXY"):
        os.environ[name] = ",".join(filter(None, [os.environ.get(name), "127.0.0.1"]))


def command() -> list[str]:
    if not STAND_IN:
        return [tabia_binary(), "uci"]
    program, *arguments = shlex.split(STAND_IN)
    path = os.pathsep.join([os.environ.get("PATH", ""), GAMES_DIR])
    return [shutil.which(program, path=path) or program, *arguments]


class RawEngine(UciEngine):
    """An engine through pipes, with a reader for whatever it says."""

    def __init__(self, arguments: list[str] | None = None):
        super().__init__(arguments or command())

    def until_like(self, pattern: str, timeout_s: float = GUARD_S) -> list[str]:
        """Lines up to and including the first in which `pattern` is found."""
        deadline = perf_counter() + timeout_s
        lines: list[str] = []
        while not lines or not re.search(pattern, lines[-1]):
            lines.append(self.line(deadline)[0].decode(errors="replace").strip())
        return lines

    def ask(self, text: str, pattern: str) -> list[str]:
        self.send(text)
        return self.until_like(pattern)

    def settled(self) -> list[str]:
        """What it says before it is ready: everything it had to say about earlier lines, when it is not searching."""
        return self.ask("isready", r"^readyok$")

    def best_move(self, text: str) -> str:
        return self.ask(text, r"^bestmove ")[-1].split()[1]

    def fen(self) -> str:
        """The position it holds, as `d` shows it."""
        line = self.ask("d", r"(?i)\bfen\b")[-1]
        return re.search(r"[pnbrqkPNBRQK1-8/]{15,} [wb] \S+ \S+ \d+ \d+", line)[0]


class RawTest(unittest.TestCase):
    def start(self, *arguments: str) -> RawEngine:
        """A fresh engine, not yet spoken to; it is gone when the test is."""
        engine = RawEngine(list(arguments) or None)
        self.addCleanup(engine.close, politely=False)
        return engine

    def introduced(self) -> RawEngine:
        engine = self.start()
        engine.handshake()
        return engine
