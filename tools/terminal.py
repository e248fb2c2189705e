#!/usr/bin/env python3
"""A program on a terminal of its own: keys go in, and what it draws can be read, or drawn as a picture.

    tools/terminal.py -o screen.svg --size 80x24 --keys 'e4\\r' --until 'White to move' -- target/release/tabia play

Keys are typed one group after the other, each `--keys` after the `--until` before it was seen; `\\r` is Enter, `\\t` Tab,
`\\e[A` an arrow. The picture is the screen as it is at the end.
"""

from __future__ import annotations

import argparse
import fcntl
import html
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable

import pyte

PATIENCE_S = 60.0
LEAVE_SCREEN, ENTER_SCREEN = b"\x1b[?1049l", b"\x1b[?1049h"
CHARACTER_WIDTH, CHARACTER_HEIGHT, FONT_SIZE = 9.6, 20, 16
PAPER, INK = "1c1c1c", "d0d0d0"
NAMED = {
    "black": "000000", "red": "cd3131", "green": "0dbc79", "brown": "e5e510", "blue": "2472c8", "magenta": "bc3fbc",
    "cyan": "11a8cd", "white": "e5e5e5", "default": None,
}  # fmt: skip


class Silence(Exception):
    """What was waited for did not come."""


class Terminal:
    """A pseudo terminal with a program on it, and an emulator that shows what it drew."""

    def __init__(self, command: list[str], folder: str | None = None, size=(80, 24), environment: dict | None = None):
        self.raw = b""
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": os.environ.get("HOME", "/"),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            **(environment or {}),
        }
        # The size is set before the program looks at it.
        ready_read, ready_write = os.pipe()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.close(ready_write)
            os.read(ready_read, 1)
            os.chdir(folder or ".")
            os.execve(command[0], command, environment)
        os.close(ready_read)
        self._set_size(size)
        self.settings = termios.tcgetattr(self.fd)
        os.write(ready_write, b"x")
        os.close(ready_write)
        self.status: int | None = None

    def _set_size(self, size: tuple[int, int]):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def resize(self, columns: int, rows: int):
        self.screen.resize(rows, columns)
        self._set_size((columns, rows))

    def type(self, keys: str):
        os.write(self.fd, keys.encode())

    def text(self) -> str:
        return "\n".join(self.screen.display)

    def cell(self, column: int, row: int) -> pyte.screens.Char:
        return self.screen.buffer[row][column]

    def _read(self, timeout_s: float) -> bool:
        """Takes in what came; false when nothing did, or nothing will."""
        readable, _, _ = select.select([self.fd], [], [], timeout_s)
        if not readable:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the program is gone
            data = b""
        self.raw += data
        self._stream.feed(data)
        return bool(data)

    def until(self, sign: str | Callable[[], bool], timeout_s: float = PATIENCE_S):
        """Waits until the screen shows something. It may be in the middle of drawing what stands below."""
        deadline = time.monotonic() + timeout_s
        while not (sign() if callable(sign) else re.search(sign, self.text())):
            if time.monotonic() > deadline or not self._read(max(0.0, deadline - time.monotonic())):
                raise Silence(f"{sign!r} was not shown; this was:\n{self.text()}")

    def until_not(self, pattern: str, timeout_s: float = PATIENCE_S):
        """Waits until the screen shows something no more."""
        deadline = time.monotonic() + timeout_s
        while re.search(pattern, self.text()):
            if time.monotonic() > deadline or not self._read(max(0.0, deadline - time.monotonic())):
                raise Silence(f"{pattern!r} is still shown:\n{self.text()}")

    def wait(self, timeout_s: float = PATIENCE_S) -> int:
        """Waits for the program to end, and gives its exit status."""
        deadline = time.monotonic() + timeout_s
        while self.status is None:
            self._read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > deadline:
                raise Silence(f"it did not end; this was shown:\n{self.text()}")
        while self._read(0):
            pass
        return self.status

    def is_restored(self) -> bool:
        """Whether the terminal is as it was found: cooked, on its first screen, with a cursor."""
        left = self.raw.rfind(LEAVE_SCREEN) > self.raw.rfind(ENTER_SCREEN)
        return termios.tcgetattr(self.fd) == self.settings and left and not self.screen.cursor.hidden

    def after(self) -> str:
        """What was printed since the program left its screen."""
        return self.raw.rpartition(LEAVE_SCREEN)[2].decode()

    def close(self):
        if self.status is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        os.close(self.fd)

    def svg(self) -> str:
        """The screen as a picture."""
        columns, rows = self.screen.columns, self.screen.lines
        width, height = columns * CHARACTER_WIDTH + 16, rows * CHARACTER_HEIGHT + 16
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
            f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{FONT_SIZE}">',
            f'<rect width="100%" height="100%" rx="8" fill="#{PAPER}"/>',
        ]
        for row in range(rows):
            for column in range(columns):
                parts += self._cell_svg(column, row)
        return "\n".join(parts) + "\n</svg>\n"

    def _cell_svg(self, column: int, row: int) -> list[str]:
        cell = self.cell(column, row)
        paper, ink = (NAMED.get(color, color) for color in (cell.bg, cell.fg))
        ink = ink or INK
        if cell.reverse:
            paper, ink = ink, paper or PAPER
        x, y = 8 + column * CHARACTER_WIDTH, 8 + row * CHARACTER_HEIGHT
        parts = []
        if paper:
            # A hair wider, so that no seam is seen between neighbours.
            parts.append(f'<rect x="{x:g}" y="{y:g}" width="{CHARACTER_WIDTH + 0.3:g}" height="{CHARACTER_HEIGHT + 0.3:g}" fill="#{paper}"/>')
        halves = {"▄": (0, 0.5, 1, 0.5), "▌": (0, 0, 0.5, 1), "▐": (0.5, 0, 0.5, 1)}
        if cell.data in halves:
            left, top, across, down = halves[cell.data]
            parts.append(
                f'<rect x="{x + left * CHARACTER_WIDTH:g}" y="{y + top * CHARACTER_HEIGHT:g}" '
                f'width="{across * CHARACTER_WIDTH:g}" height="{down * CHARACTER_HEIGHT:g}" fill="#{ink}"/>'
            )
        elif cell.data.strip():
            weight = ' font-weight="bold"' if cell.bold else ""
            middle = x + CHARACTER_WIDTH / 2
            parts.append(
                f'<text x="{middle:g}" y="{y + 15:g}" text-anchor="middle" fill="#{ink}"{weight}>{html.escape(cell.data)}</text>'
            )
        return parts


class Step(argparse.Action):
    """Keeps `--keys` and `--until` in the order in which they were given."""

    def __call__(self, parser, namespace, value, option=None):
        namespace.steps.append((self.dest, value))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", required=True, help="where the picture goes (.svg)")
    parser.add_argument("--size", default="80x24", help="columns and rows (80x24)")
    parser.add_argument("--keys", action=Step, help="type this")
    parser.add_argument("--until", action=Step, help="wait until this pattern is shown")
    parser.add_argument("command", nargs="+")
    parser.set_defaults(steps=[])
    options = parser.parse_args()
    columns, rows = map(int, options.size.split("x"))
    terminal = Terminal([os.path.abspath(options.command[0]), *options.command[1:]], size=(columns, rows))
    try:
        for kind, value in options.steps:
            if kind == "until":
                terminal.until(value)
            else:
                keys = value.replace("\\r", "\r").replace("\\t", "\t").replace("\\e", "\x1b")
                terminal.type(keys)
        with open(options.output, "w") as file:
            file.write(terminal.svg())
    finally:
        terminal.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
