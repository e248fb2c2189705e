"""A UCI engine as a running program, and the positions that engines are timed on."""

import os
import re
import shlex
import shutil
import subprocess
import sys

from built import GAMES_DIR


class Engine:
    """A program that speaks UCI. What goes wrong ends this one, with the engine's name."""

    def __init__(self, name: str, command: list[str], cpu: str | None = None):
        path = os.pathsep.join([os.environ.get("PATH", ""), str(GAMES_DIR)])
        program = shutil.which(command[0], path=path)
        if program is None:
            sys.exit(f'{name}: there is no program "{command[0]}"')
        pinned = ["taskset", "-c", cpu] if cpu is not None else []
        self.name = name
        self.process = subprocess.Popen(
            [*pinned, program, *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("uci")
        offered = [line for line in self.until("uciok") if line.startswith("option name ")]
        self.options = [line.removeprefix("option name ").split(" type ")[0] for line in offered]

    @classmethod
    def from_text(cls, text: str, tabia: str, cpu: str | None = None, defaults: list[str] | None = None) -> "Engine":
        """Of NAME=COMMAND; Option=value; …, where the command `tabia` stands for a binary; its options come after the default ones."""
        name, _, rest = text.partition("=")
        command, *options = [part.strip() for part in rest.split(";")]
        if not command:
            sys.exit(f'"{text}" is not NAME=COMMAND, as "one=tabia uci; Threads=2"')
        words = shlex.split(command)
        if words[0] == "tabia":
            words[0] = tabia
        engine = cls(name, words, cpu)
        for option in [*(defaults or []), *options]:
            engine.set(*[part.strip() for part in option.partition("=")[::2]])
        return engine

    def set(self, name: str, value: object):
        if name.lower() not in (known.lower() for known in self.options):
            sys.exit(f'{self.name} has no option "{name}"; it has {", ".join(self.options)}')
        self.say(f"setoption name {name} value {value}")

    def say(self, text: str):
        try:
            self.process.stdin.write(text + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            sys.exit(f'{self.name} had ended when it was told "{text}"')

    def until(self, word: str) -> list[str]:
        """What it says before a line that begins with a word."""
        lines = []
        for line in self.process.stdout:
            if line.startswith(word):
                return lines
            lines.append(line.strip())
        sys.exit(f"{self.name} ended before it said {word}")

    def new_game(self, fen: str):
        """A position to search with nothing remembered."""
        self.say("ucinewgame")
        self.say("isready")
        self.until("readyok")
        self.say(f"position fen {fen}")

    def go(self, limit: str) -> list[str]:
        """Searches, and gives what it said meanwhile."""
        self.say(f"go {limit}")
        return self.until("bestmove")

    def quit(self):
        self.say("quit")


def last(lines: list[str], field: str) -> int | None:
    """The last number that an engine told of a field, as `nodes` or `score cp`."""
    found = re.findall(rf"\b{field} (-?\d+)", "\n".join(line for line in lines if line.startswith("info ")))
    return int(found[-1]) if found else None


def bench_positions(tabia: str) -> list[str]:
    """What `tabia bench` searches."""
    bench = subprocess.run([tabia, "bench", "--depth", "1"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, check=True)
    return re.findall(r" nodes  (\S+ [wb] \S+ \S+ \d+ \d+)$", bench.stderr, re.MULTILINE)
