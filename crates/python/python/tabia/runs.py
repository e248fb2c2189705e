"""Run directories as data frames."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

MANIFEST = "manifest.toml"


@dataclass(frozen=True)
class Run:
    """The directory of a match, a training, an evolution or any other long job."""

    path: Path
    kind: str
    """`match`, `evolve`, `tune`, …"""
    version: str
    settings: dict[str, Any] = field(repr=False)
    """Everything that decides what is done."""

    @property
    def tables(self) -> list[str]:
        """The names of the tables that `table` reads."""
        return sorted(str(path.relative_to(self.path)) for path in self.path.rglob("*.jsonl"))

    def table(self, name: str) -> pandas.DataFrame:
        """A table of the run: a file of JSON lines, a row a line."""
        import pandas

        path = self.path / name
        if not path.is_file():
            raise FileNotFoundError(f"{self.path} has no table {name} (there are: {', '.join(self.tables) or 'none'})")
        rows = []
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                # A run that is being written may end in the middle of a line.
                if not line.endswith("\n"):
                    break
                try:
                    rows.append(json.loads(line))
                except json.JSONDecodeError as error:
                    raise ValueError(f"{path}:{number}: {error}") from error
        return pandas.DataFrame(rows)

    @property
    def games(self) -> pandas.DataFrame:
        """The games of a match, in their order: players, result, reason, moves, scores. A game taken back is left out."""
        frame = self.table("games.jsonl")
        if "retracted" in frame:
            # What was taken back and played again counts as it was played last.
            taken_back = set()
            keep = []
            for row in reversed(frame.to_dict("records")):
                if row["retracted"] == row["retracted"]:
                    taken_back.add(int(row["retracted"]))
                elif row["game"] in taken_back:
                    taken_back.discard(row["game"])
                else:
                    keep.append(row)
            import pandas

            frame = pandas.DataFrame(keep).drop(columns="retracted", errors="ignore")
        return frame.astype({"game": int}).set_index("game").sort_index() if "game" in frame else frame

    @property
    def metrics(self) -> pandas.DataFrame:
        """What a training or an evolution measured, a row a step."""
        return self.table("metrics.jsonl")

    @property
    def result(self) -> dict[str, Any]:
        """The result so far."""
        path = self.path / "result.json"
        if not path.is_file():
            raise FileNotFoundError(f"{self.path} has no result yet")
        result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return result


def read_run(path: str | os.PathLike[str]) -> Run:
    """Open a run directory, finished or not."""
    folder = Path(path)
    manifest = folder / MANIFEST
    if not manifest.is_file():
        raise FileNotFoundError(f"{folder} is no run: it has no {MANIFEST}")
    try:
        document = tomllib.loads(manifest.read_text(encoding="utf-8"))
        return Run(folder, document["kind"], document["version"], document["settings"])
    except (tomllib.TOMLDecodeError, KeyError, UnicodeDecodeError) as error:
        raise ValueError(f"{manifest} cannot be read: {error}") from error
