"""A UCI engine as a child process, spoken to over raw pipes.

No reader thread and no event loop stand between its answer and the test. A child never outlives whoever started it:
it is killed when it is closed and, on Linux, by the kernel when its parent dies.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import tempfile
from time import perf_counter

# Longer than any engine takes unless it hangs.
HANDSHAKE_S = 60.0
QUIT_S = 0.5
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None


class EngineFault(Exception):
    """What an engine must not do: `kind` is one of crash, stall, illegal."""

    def __init__(self, kind: str, detail: str):
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


def die_with_parent(how: int):
    """Makes the kernel send `how` to this process when its parent dies; a no-op where there is no prctl."""
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, how, 0, 0, 0)


class UciEngine:
    """One engine process, through its handshake."""

    def __init__(self, command: list[str]):
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

    def handshake(self):
        """Sends `uci` and reads the answer, then waits until it is ready."""
        self.send("uci")
        self.until("uciok", HANDSHAKE_S)
        self.ready()

    def ready(self, timeout_s: float = HANDSHAKE_S):
        self.send("isready")
        self.until("readyok", timeout_s)

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
