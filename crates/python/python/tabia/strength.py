"""Matches, and what results say about strength."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _native
from .arguments import count, integer, several, text

if TYPE_CHECKING:
    import pandas


# Statistics count in 32 bits.
MAX_GAMES = 2**32 - 1


@dataclass(frozen=True)
class Agent:
    """A kind of player."""

    name: str
    summary: str
    options: dict[str, tuple[str, str]]
    """Default and meaning of each option."""


def agents() -> dict[str, Agent]:
    """All agents that play chess, by name.

    >>> "engine" in agents()
    True
    """
    return {
        name: Agent(name, summary, {key: (default, meaning) for key, default, meaning in options})
        for name, summary, options in _native.agents()
    }


@dataclass(frozen=True)
class Estimate:
    """How much stronger a player is, from that player's view; None where results do not determine it."""

    elo: float | None
    error_95: float | None
    interval_95: tuple[float, float] | None
    nelo: float | None
    """Normalised Elo."""
    nelo_error_95: float | None
    los: float | None
    """Likelihood of superiority."""
    basis: str
    """`pentanomial` (pairs of games) or `trinomial` (single games)."""

    def __str__(self) -> str:
        if self.elo is None:
            return "no games"
        error = "unknown" if self.error_95 is None else f"{self.error_95:.1f}"
        return f"{self.elo:+.1f} ± {error} Elo"


def _counts(
    pentanomial: Sequence[int] | None, wins: int | None, draws: int | None, losses: int | None
) -> list[int]:
    games = (losses, draws, wins)
    if (pentanomial is None) == (games == (None, None, None)):
        raise ValueError("give either pentanomial=[LL, LD, DD+WL, WD, WW] or wins=, draws= and losses=")
    given = [0 if one is None else one for one in games] if pentanomial is None else several(pentanomial, "pentanomial")
    counts = [integer(one, "a count of games", -MAX_GAMES, MAX_GAMES) for one in given]
    if pentanomial is not None and len(counts) != 5:
        raise ValueError(f"pentanomial has {len(counts)} counts, expected 5: LL, LD, DD+WL, WD, WW")
    if any(one < 0 for one in counts):
        raise ValueError(f"{min(counts)} games; a count is 0 or more")
    return counts


def elo(
    pentanomial: Sequence[int] | None = None,
    *,
    wins: int | None = None,
    draws: int | None = None,
    losses: int | None = None,
) -> Estimate:
    """Elo with its error from pairs of games (better) or from single games.

    >>> str(elo([1, 10, 78, 48, 13]))
    '+72.9 ± 22.3 Elo'
    """
    value, error, interval, nelo, nelo_error, los, basis = _native.elo(_counts(pentanomial, wins, draws, losses))
    ends = (interval[0], interval[1]) if interval else None
    return Estimate(value, error, ends, nelo, nelo_error, los, basis)


@dataclass(frozen=True)
class Sprt:
    """Where a sequential probability ratio test stands."""

    llr: float
    lower: float
    upper: float
    verdict: str
    """`H0`, `H1` or `continue`."""
    elo0: float
    elo1: float
    alpha: float
    beta: float
    model: str

    def __str__(self) -> str:
        return f"LLR {self.llr:.2f} ({self.lower:.2f}, {self.upper:.2f}): {self.verdict}"


def sprt(
    pentanomial: Sequence[int] | None = None,
    *,
    wins: int | None = None,
    draws: int | None = None,
    losses: int | None = None,
    elo0: float = 0.0,
    elo1: float = 5.0,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "logistic",
) -> Sprt:
    """The test of `elo0` against `elo1` after these results.

    >>> sprt([10, 30, 100, 80, 40], elo0=0, elo1=10).verdict
    'H1'
    """
    counts = _counts(pentanomial, wins, draws, losses)
    document = json.loads(_native.sprt(counts, elo0, elo1, alpha, beta, model))
    return Sprt(**{name: document[name] for name in Sprt.__dataclass_fields__})


def ratings(
    players: Sequence[str],
    results: Iterable[tuple[str, str, Sequence[int]]],
    anchors: Mapping[str, float] | None = None,
) -> list[dict[str, Any]]:
    """Ratings fitted jointly to all results, the strongest first.

    A result is `(first, second, [LL, LD, DD+WL, WD, WW])`, pairs of games from the first player's view.

    >>> [row["name"] for row in ratings(["a", "b"], [("a", "b", [0, 1, 5, 3, 1])])]
    ['a', 'b']
    """
    numbers = {name: number for number, name in enumerate(players)}
    if len(numbers) != len(players):
        raise ValueError("two players have the same name")

    def number(name: str) -> int:
        if name not in numbers:
            raise ValueError(f'no player is called "{name}" (there are: {", ".join(numbers)})')
        return numbers[name]

    pairs = [(number(first), number(second), list(counts)) for first, second, counts in results]
    known = [(number(name), float(rating)) for name, rating in (anchors or {}).items()]
    document = json.loads(_native.fitted_ratings(len(players), pairs, known))
    return [{"name": players[row["player"]], **row} for row in document["players"]]


@dataclass(frozen=True)
class MatchResult:
    """A match, from the first agent's view."""

    agents: list[str]
    games: int
    wins: int
    draws: int
    losses: int
    pentanomial: list[int]
    ending: str
    """`complete`, `decided` by the test, or `interrupted`."""
    document: dict[str, Any] = field(repr=False)
    """The whole result, as `tabia match --json` writes it."""

    @property
    def estimate(self) -> Estimate:
        """Elo of the first agent with its error, from pairs where there are some."""
        if any(self.pentanomial):
            return elo(self.pentanomial)
        return elo(wins=self.wins, draws=self.draws, losses=self.losses)

    @property
    def sprt(self) -> dict[str, Any] | None:
        """The sequential test, if there was one."""
        test: dict[str, Any] | None = self.document["sprt"]
        return test

    def frame(self) -> pandas.DataFrame:
        """Every pairing as a row."""
        import pandas

        return pandas.DataFrame(self.document["crosstable"])

    def __str__(self) -> str:
        return f"{self.agents[0]}: +{self.wins} ={self.draws} -{self.losses}, {self.estimate}"


def _entrant(player: str | tuple[str, str]) -> tuple[str, str]:
    if isinstance(player, str):
        return player, player
    if not isinstance(player, tuple | list) or len(player) != 2:
        raise TypeError(f"a player is an agent spec, or a name and a spec, not {type(player).__name__}")
    return text(player[0], "the name of a player"), text(player[1], "an agent spec")


def play_match(
    *players: str | tuple[str, str],
    games: int = 100,
    limit: str = "nodes=5000",
    openings: str = "built-in",
    seed: int = 1,
    sprt: tuple[float, float] | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "logistic",
    workers: int | None = None,
    pgn: str | os.PathLike[str] | None = None,
    run: str | os.PathLike[str] | None = None,
) -> MatchResult:
    """Play a match between agents, in pairs of games with colours swapped.

    A player is an agent spec, or a name and a spec. `limit` is a clock (`8+0.08`), `nodes=5000`, `depth=6`, `movetime=100`
    or `own`. With nodes or depth the same seed gives the same games. `run` is a new directory for the run, which
    `read_run` reads and `tabia match --resume` goes on with.

    >>> play_match("alphabeta(depth=2)", "random", games=2, limit="own").games
    2
    """
    entrants = [_entrant(player) for player in players]
    seen: dict[str, int] = {}
    for index, (name, spec) in enumerate(entrants):
        seen[name] = seen.get(name, 0) + 1
        entrants[index] = (name if seen[name] == 1 else f"{name}#{seen[name]}", spec)
    if integer(games, "games", -MAX_GAMES, MAX_GAMES) < 1:
        raise ValueError(f"{games} games; a match has at least one")
    test = None if sprt is None else (float(sprt[0]), float(sprt[1]), alpha, beta, model)
    document = json.loads(
        _native.play_match(
            entrants,
            games,
            text(limit, "limit"),
            text(openings, "openings"),
            integer(seed, "seed", 0, 2**64 - 1),
            test,
            count(workers, "workers"),
            None if pgn is None else os.fspath(pgn),
            None if run is None else os.fspath(run),
            datetime.date.today().strftime("%Y.%m.%d"),
        )
    )
    return MatchResult(
        agents=document["agents"],
        games=document["games_played"],
        wins=document["wins"],
        draws=document["draws"],
        losses=document["losses"],
        pentanomial=document["pentanomial"],
        ending=document["ending"],
        document=document,
    )
