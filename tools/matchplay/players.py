"""Who plays: engines by name, with the options that make a fair match, and the ratings that are known.

    tabia                       this repository's binary ($TABIA, or the release build)
    stockfish:elo=2400          Stockfish limited by UCI_Elo
    stockfish:skill=5           Stockfish limited by Skill Level
    stockfish:classical         Stockfish with its hand-written evaluation
    gnuchess  glaurung  toga2  ethereal
    cmd:PATH ARGS:Option=Value  any engine; the command is split as a shell would

Any spec may go on with `:Option=Value`, and `:label=NAME` says what to call the player.
"""

from __future__ import annotations

import itertools
import os
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path

GAMES_DIR = "/usr/games"  # where Debian puts engines; often not in PATH
ROOT = Path(__file__).resolve().parents[2]

# Command and the options it needs to play a fair match, for engines packaged by Debian.
KNOWN_ENGINES = {
    "stockfish": (["stockfish"], {}),
    "gnuchess": (["gnuchess", "-u"], {"OwnBook": "false"}),
    "glaurung": (["glaurung"], {"Ponder": "false", "OwnBook": "false"}),
    "toga2": (["toga2"], {"OwnBook": "false"}),
    "ethereal": (["ethereal-chess"], {}),
}

# What Stockfish 15.1's levels are worth on the CCRL blitz scale, within 100 or so.
STOCKFISH_ELO = [
    (1350, 1320), (1500, 1480), (1800, 1970), (1950, 2355), (2100, 2580),
    (2250, 2770), (2400, 2915), (2550, 3025), (2700, 3115), (2850, 3180),
]  # fmt: skip
STOCKFISH_SKILL = {0: 1320, 1: 1468, 2: 1608, 3: 1742, 4: 1923}
ENGINE_RATINGS = {"gnuchess": 2660, "glaurung": 2793, "toga2": 2800, "ethereal": 3400}

# The standard gauntlet, weakest first.
LADDER = [
    "stockfish:elo=1800",
    "stockfish:elo=2100",
    "gnuchess",
    "glaurung",
    "toga2",
    "stockfish:elo=2400",
    "stockfish:elo=2700",
    "ethereal",
]


class SpecError(Exception):
    """A spec that names no player."""


@dataclass(frozen=True)
class Player:
    label: str
    command: tuple[str, ...]
    options: dict[str, str] = field(default_factory=dict)
    rating: int | None = None


def read_player(spec: str) -> Player:
    name, *parts = spec.split(":")
    if name == "cmd":
        if not parts or not parts[0]:
            raise SpecError("cmd: needs a command, as in cmd:./engine:Hash=64")
        command, options = shlex.split(parts.pop(0)), {}
        command[0] = _find(command[0], spec)
    elif name == "tabia":
        command, options = [tabia_binary(), "uci"], {}
    elif name in KNOWN_ENGINES:
        command, options = list(KNOWN_ENGINES[name][0]), dict(KNOWN_ENGINES[name][1])
        command[0] = _find(command[0], spec)
    else:
        raise SpecError(f'no player is called "{name}" (there are: tabia, {", ".join(KNOWN_ENGINES)}, cmd:…)')

    label, rating = spec, ENGINE_RATINGS.get(name)
    for part in parts:
        key, equals, value = part.partition("=")
        if key == "label" and value:
            label = value
        elif name == "stockfish" and key == "elo":
            level = _number(spec, key, value, STOCKFISH_ELO[0][0], STOCKFISH_ELO[-1][0])
            options |= {"UCI_LimitStrength": "true", "UCI_Elo": str(level)}
            rating = interpolate(STOCKFISH_ELO, level)
        elif name == "stockfish" and key == "skill":
            level = _number(spec, key, value, 0, 20)
            options |= {"Skill Level": str(level)}
            rating = STOCKFISH_SKILL.get(level)
        elif name == "stockfish" and part == "classical":
            options |= {"Use NNUE": "false"}
        elif equals and key:
            options[key] = value
        else:
            raise SpecError(f'"{part}" in "{spec}" is no option; write Option=Value')
    return Player(label, tuple(command), options, rating)


def tabia_binary() -> str:
    default = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "tabia"
    path = os.environ.get("TABIA", str(default))
    if not os.access(path, os.X_OK):
        raise SpecError(f"{path} is not there: run `make build`, or set TABIA to the binary")
    return path


def interpolate(points: list[tuple[int, int]], x: int) -> int:
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if x0 <= x <= x1:
            return round(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
    raise ValueError(x)


def _find(program: str, spec: str) -> str:
    path = os.pathsep.join([os.environ.get("PATH", ""), GAMES_DIR])
    found = shutil.which(program, path=path)
    if found is None:
        raise SpecError(f'"{program}" (for "{spec}") is not installed')
    return os.path.abspath(found)


def _number(spec: str, key: str, value: str, low: int, high: int) -> int:
    if not value.isdigit() or not low <= int(value) <= high:
        raise SpecError(f'{key} in "{spec}" is "{value}"; it takes a whole number from {low} to {high}')
    return int(value)
