#!/usr/bin/env python3
"""Compares how Tabia and python-chess understand files of games.

    tools/compare_pgn.py FILE_OR_FOLDER...

Each file is read and written by `tabia replay FILE --to pgn`. What comes out must have, for every game that python-chess
reads without an error, the same tree: moves, variations, comments before and after moves, glyphs, and tags. Games that
python-chess finds faults with may be left out, or kept as far as they go; they are counted apart.
"""

import io
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import chess.pgn

from built import tabia_binary

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def tree(game: chess.pgn.Game) -> tuple:
    """A game with everything that is said of it; without recursion, for variations of any depth."""
    found, work = [], [(0, game)]
    while work:
        depth, node = work.pop()
        start = node.starting_comment if node.parent else ""
        said = (words(start), words(node.comment), tuple(sorted(node.nags)))
        found.append((depth, node.move.uci() if node.move else None, said, len(node.variations)))
        work.extend((depth + 1, child) for child in node.variations)
    return tuple(found)


def words(comment: str) -> tuple:
    """Line breaks within a comment are spaces."""
    return tuple(comment.split())


def games(text: str) -> Iterator[chess.pgn.Game]:
    stream = io.StringIO(text)
    while True:
        try:
            game = chess.pgn.read_game(stream)
        except (IndexError, ValueError):  # python-chess gives the file up
            return
        if game is None:
            return
        yield game


def decoded(path: Path) -> str:
    raw = path.read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def compare(path: Path) -> tuple[int, int, list[str]]:
    """Games that agree, games that python-chess has faults with, and what differs."""
    done = subprocess.run([tabia_binary(), "replay", str(path), "--to", "pgn"], capture_output=True, timeout=600)
    ours = games(done.stdout.decode())
    same, faulty, differ = 0, 0, []
    left: list[tuple] = []
    for number, known in enumerate(games(decoded(path)), 1):
        if known.errors:
            faulty += 1
            continue
        wanted = (tree(known), tags(known))
        while left or (one := next(ours, None)) is not None:
            mine = left.pop() if left else (tree(one), tags(one))
            if mine == wanted:
                same += 1
                break
            if faulty == 0:
                differ.append(f"{path}: game {number} ({known.headers.get('White')} - {known.headers.get('Black')})")
                break
        else:
            differ.append(f"{path}: game {number} is missing")
    return same, faulty, differ


def tags(game: chess.pgn.Game) -> dict:
    """The tags that say something: python-chess fills in the seven of the standard."""
    return {name: value.strip() for name, value in game.headers.items() if value not in ("?", "????.??.??", "*", "")}


def main() -> int:
    paths: list[Path] = []
    for argument in map(Path, sys.argv[1:]):
        paths += sorted(argument.rglob("*.pgn")) if argument.is_dir() else [argument]
    total, faulty, differences = 0, 0, []
    for path in paths:
        same, wrong, differ = compare(path)
        total, faulty = total + same, faulty + wrong
        differences += differ
        print(f"{path}: {same} games agree, {wrong} have faults, {len(differ)} differ", flush=True)
    for line in differences:
        print(line)
    print(f"{len(paths)} files: {total} games agree, {faulty} have faults, {len(differences)} differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
