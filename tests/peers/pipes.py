"""A UCI engine as a child process, spoken to over raw pipes.

The thread that plays a game reads the engine's output itself: no reader thread and no event loop stand between
`bestmove` and the clock. A child never outlives whoever started it: it is killed when it is closed and, on Linux,
by the kernel when its parent dies.
"""

from __future__ import annotations

import ctypes
import difflib
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from time import perf_counter

HANDSHAKE_S = 20.0
QUIT_S = 0.5
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None


class EngineFault(Exception):
    """What an engine must not do: `kind` is one of crash, stall, illegal."""

    def __init__(self, kind: str, detail: str):
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


class OptionError(Exception):
    """An option that the engine does not have."""


@dataclass
class Answer:
    """What came back from one `go`."""

    move: str
    elapsed_s: float
    score_cp: int | None = None
    mate: int | None = None
    depth: int = 0
    nodes: int = 0


def die_with_parent(how: int):
    """Makes the kernel send `how` to this process when its parent dies; a no-op where there is no prctl."""
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, how, 0, 0, 0)


class UciEngine:
    """One engine process, through its handshake."""

    def __init__(self, command: list[str], name: str | None = None):
        self.name = name or os.path.basename(command[0])
        self.buffer = b""
        self.errors = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for us, not for the children
                preexec_fn=lambda: die_with_parent(signal.SIGKILL),
            )
        except OSError as error:
            raise EngineFault("crash", f"cannot start {command[0]}: {error.strerror}") from error
        self.output = self.process.stdout.fileno()
        os.set_blocking(self.process.stdin.fileno(), False)
        self.poll = select.poll()
        self.poll.register(self.output, select.POLLIN | select.POLLHUP)
        self.options: dict[str, str] = {}
        self.id_name = ""

    def handshake(self, options: dict[str, str], wanted: dict[str, str] | None = None):
        """Sends `uci`, then `options` (each must exist) and `wanted` (set where the engine has them)."""
        self.send("uci")
        for line in self.until("uciok", HANDSHAKE_S):
            if line.startswith("id name "):
                self.id_name = line[len("id name ") :].strip()
            found = re.match(r"option\s+name\s+(.*?)\s+type\s+(.*)", line)
            if found:
                self.options[found[1]] = found[2]
        known = {name.lower(): name for name in self.options}
        for name, value in {**(wanted or {}), **options}.items():
            if name.lower() in known:
                self.send(f"setoption name {known[name.lower()]} value {value}")
            elif name in options:
                near = difflib.get_close_matches(name, self.options, 1)
                hint = f'; did you mean "{near[0]}"?' if near else ""
                raise OptionError(f'{self.name} has no option "{name}"{hint}')
        self.ready()

    def new_game(self):
        self.send("ucinewgame")
        self.ready()

    def ready(self, timeout_s: float = HANDSHAKE_S):
        self.send("isready")
        for _ in self.until("readyok", timeout_s):
            pass

    def send(self, text: str | bytes, timeout_s: float = HANDSHAKE_S):
        """Writes lines, in one system call unless the engine has stopped reading."""
        rest = (text.encode() if isinstance(text, str) else text) + b"\n"
        deadline = perf_counter() + timeout_s
        while rest:
            try:
                written = self.process.stdin.write(rest)
            except (OSError, ValueError):
                raise self.crash() from None
            rest = rest[written or 0 :]
            if rest and not select.select([], [self.process.stdin], [], max(0, deadline - perf_counter()))[1]:
                raise EngineFault("stall", "it does not read its input")

    def think(self, position: str, go: str, timeout_s: float) -> Answer:
        """Plays one `go`; the clock runs from the write to the arrival of `bestmove`."""
        self.drop_stale_output()
        start = perf_counter()
        self.send(f"{position}\n{go}")
        best_info = b""
        while True:
            line, arrived = self.line(start + timeout_s)
            if line.startswith(b"info"):
                if b" score " in line and b"bound" not in line and not _other_line(line):
                    best_info = line
            elif line.startswith(b"bestmove"):
                words = line.split()
                answer = _read_info(best_info)
                answer.move = words[1].decode(errors="replace") if len(words) > 1 else ""
                answer.elapsed_s = arrived - start
                return answer

    def until(self, last: str, timeout_s: float) -> list[str]:
        """Lines up to and including the one that is `last`."""
        deadline = perf_counter() + timeout_s
        lines = []
        while not lines or lines[-1] != last:
            lines.append(self.line(deadline)[0].decode(errors="replace").strip())
        return lines

    def line(self, deadline: float) -> tuple[bytes, float]:
        """The next line without its end, and when it arrived."""
        arrived = perf_counter()
        while True:
            line, newline, rest = self.buffer.partition(b"\n")
            if newline:
                self.buffer = rest
                return line.rstrip(b"\r"), arrived
            left_ms = (deadline - perf_counter()) * 1000
            if left_ms <= 0 or not self.poll.poll(left_ms):
                raise EngineFault("stall", "no answer in time")
            chunk = os.read(self.output, 1 << 16)
            arrived = perf_counter()
            if not chunk:
                raise self.crash()
            self.buffer += chunk

    def drop_stale_output(self):
        while self.poll.poll(0):
            chunk = os.read(self.output, 1 << 16)
            if not chunk:
                raise self.crash()
            self.buffer += chunk
        if re.search(rb"^bestmove", self.buffer, re.MULTILINE):
            raise EngineFault("illegal", "a bestmove that nobody asked for")
        self.buffer = b""

    def crash(self) -> EngineFault:
        try:
            code = self.process.wait(QUIT_S)
        except subprocess.TimeoutExpired:
            return EngineFault("crash", "it closed its output but still runs")
        how = f"exit status {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
        said = self.last_words()
        return EngineFault("crash", how + (f"; stderr ends: {said}" if said else ""))

    def last_words(self, most: int = 400) -> str:
        size = self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, size - most))
        return " | ".join(self.errors.read().decode(errors="replace").split("\n")).strip(" |")

    def kill(self):
        """Kills the process and whatever it started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass

    def close(self, politely: bool = True):
        """Ends the process, whatever state it is in. How it dies no longer matters."""
        if politely and self.process.poll() is None:
            try:
                self.process.stdin.write(b"quit\n")
                self.process.stdin.close()
                self.process.wait(QUIT_S)
            except (OSError, subprocess.TimeoutExpired):
                pass
        self.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            try:
                stream.close()
            except OSError:
                pass


def _other_line(info: bytes) -> bool:
    """Whether this is a second or later line of a MultiPV search."""
    found = re.search(rb"\bmultipv\s+(\d+)", info)
    return found is not None and found[1] != b"1"


def _read_info(info: bytes) -> Answer:
    """Engines order their fields as they like and space them oddly, so each is looked for on its own."""
    answer = Answer("", 0.0)
    info = info.split(b" pv ")[0]
    if found := re.search(rb"\bscore\s+(cp|mate)\s+(-?\d+)", info):
        if found[1] == b"cp":
            answer.score_cp = int(found[2])
        else:
            answer.mate = int(found[2])
    if found := re.search(rb"\bdepth\s+(\d+)", info):
        answer.depth = int(found[1])
    if found := re.search(rb"\bnodes\s+(\d+)", info):
        answer.nodes = int(found[1])
    return answer
