#!/usr/bin/env python3
"""Scores training positions with another engine: a teacher for `tabia tune`, as an experiment.

    tabia samples data/shard-*.games -o positions.txt
    tools/label.py positions.txt -o labelled.txt --engine stockfish --go 'depth 1'
    tabia samples labelled.txt -o labelled.samples

Both files are in bullet's text format, `FEN | score | result`, with scores in White's view. Results are kept. Positions
whose best move captures or promotes, and mates, are left out: a static evaluation cannot learn them. Commands are sent
ahead of the answers, so that the engine never waits.
"""

import argparse
import os
import subprocess
import sys
import threading



def occupied(placement, square):
    """Whether a piece stands on a square, such as "e4", of a FEN's first field."""
    rank = placement.split("/")[8 - int(square[1])]
    column = ord(square[0]) - ord("a")
    for symbol in rank:
        if column <= 0:
            return not symbol.isdigit() and column == 0
        column -= int(symbol) if symbol.isdigit() else 1
        if column < 0:
            return False
    return False


def is_quiet(fen, move):
    placement, _, _, en_passant = fen.split()[:4]
    if len(move) > 4 or occupied(placement, move[2:4]):
        return False
    return move[2:4] != en_passant or not pawn_on(placement, move[:2])


def pawn_on(placement, square):
    rank = placement.split("/")[8 - int(square[1])]
    expanded = "".join("." * int(symbol) if symbol.isdigit() else symbol for symbol in rank)
    return expanded[ord(square[0]) - ord("a")] in "Pp"


def label(lines, engine, go, scale):
    """Yields a labelled line for each position that is kept."""
    process = subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1 << 16)
    lines = list(lines)

    def write():
        with process.stdin as pipe:
            for line in lines:
                pipe.write(f"position fen {line.split('|')[0].strip()}\ngo {go}\n")
            # The engine ends after its last search.
            pipe.write("isready\nquit\n")

    writer = threading.Thread(target=write)
    writer.start()
    score = None
    waiting = iter(lines)
    for answer in process.stdout:
        if answer.startswith("info ") and " score " in answer:
            words = answer.split()
            at = words.index("score")
            score = round(int(words[at + 2]) * scale) if words[at + 1] == "cp" else None
        elif answer.startswith("bestmove"):
            line = next(waiting)
            fen, _, result = (part.strip() for part in line.split("|"))
            if score is not None and is_quiet(fen, answer.split()[1]):
                white = score if fen.split()[1] == "w" else -score
                yield f"{fen} | {white} | {result}\n"
            score = None
    writer.join()
    if process.wait() != 0 or next(waiting, None) is not None:
        sys.exit(f"{engine} ended before it had answered for every position")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--go", default="depth 1", help="the limit of a search, as after UCI's `go`")
    parser.add_argument("--scale", type=float, default=1.0, help="scores are multiplied by this")
    options = parser.parse_args()
    part = options.output + ".part"
    read = kept = 0
    with open(options.positions) as positions, open(part, "w") as output:
        lines = [line for line in positions if line.strip()]
        read = len(lines)
        for line in label(lines, options.engine, options.go, options.scale):
            output.write(line)
            kept += 1
    os.replace(part, options.output)
    print(f"{kept} of {read} positions labelled in {options.output}")


if __name__ == "__main__":
    main()
