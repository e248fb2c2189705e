#!/usr/bin/env python3
"""Scores training positions with the network of Stockfish 15.1: a teacher for `tabia tune --eval nnue`.

    stockfish export_net teacher.nnue                                   # one line; any Stockfish 15.1 with its own network
    tabia samples data/shard-*.games --visited 20 -o visited.samples
    tools/teacher.py teacher.nnue visited.samples -o taught             # a folder, with files of the same names
    tabia tune taught/visited.samples --eval nnue --device cuda --run network

The score is the static evaluation of the network (HalfKAv2_hm, 1024 units a side, "SFNNv5"), computed here in batches with
PyTorch, on a GPU if there is one. It equals Stockfish's own (`eval`, NNUE evaluation) but for rounding. --check compares
both for positions of the first file.
"""

import argparse
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import torch

ROOT = Path(__file__).resolve().parents[1]
HEADER = b"TABIA-SAMPLES/1"
RECORD = 32
VERSION = 0x7AF32F20
UNITS, INPUTS, BUCKETS = 1024, 22528, 8
FIRST, SECOND = 16, 32
# Internal units of Stockfish 15.1 that its "cp" counts as 100 (half of all games are won from there, at move 32).
PAWN = 361
BOUND = 15_000


def trainer():
    """The program that trains: it knows how a record is unpacked."""
    path = ROOT / "crates/tune/src/nnue/trainer.py"
    spec = importlib.util.spec_from_file_location("trainer", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Teacher:
    """Stockfish 15.1's network. Whole numbers are kept in floating point where they are exact."""

    def __init__(self, path, device):
        self.data, self.at = path.read_bytes(), 0
        version, _ = self.numbers("<u4", 2)
        if version != VERSION:
            sys.exit(f"{path} has the version {version:#x}, expected {VERSION:#x}, as Stockfish 15.1 exports it")
        description = int(self.numbers("<u4", 1)[0])
        # Each part begins with a hash.
        self.at += description + 4
        expected = 2 * UNITS * (INPUTS + 1) + 4 * BUCKETS * INPUTS
        expected += BUCKETS * (4 + 4 * FIRST + FIRST * UNITS + 4 * SECOND + SECOND * SECOND + 4 + SECOND)
        if len(self.data) - self.at != expected:
            sys.exit(f"{path} has {len(self.data) - self.at} bytes of numbers, expected {expected}: another architecture")
        tensor = lambda numbers: torch.from_numpy(numbers.astype(np.float32)).to(device)
        self.bias = tensor(self.numbers("<i2", UNITS))
        table = self.numbers("<i2", UNITS * INPUTS).reshape(INPUTS, UNITS)
        # A row of zeros for squares without a piece.
        self.table = tensor(np.pad(table, ((0, 1), (0, 0))))
        self.material = tensor(np.pad(self.numbers("<i4", BUCKETS * INPUTS).reshape(INPUTS, BUCKETS), ((0, 1), (0, 0))))
        layers = [self.layer() for _ in range(BUCKETS)]
        stacked = lambda index: torch.stack([tensor(layer[index]) for layer in layers])
        self.biases = [stacked(0), stacked(2), stacked(4)]
        self.weights = [stacked(1), stacked(3), stacked(5)]

    def numbers(self, kind, count):
        size = np.dtype(kind).itemsize * count
        self.at += size
        return np.frombuffer(self.data[self.at - size : self.at], dtype=kind)

    def layer(self):
        self.at += 4
        parts = []
        for outputs, inputs in ((FIRST, UNITS), (SECOND, SECOND), (1, SECOND)):
            parts += [self.numbers("<i4", outputs), self.numbers("i1", outputs * inputs).reshape(outputs, inputs)]
        return parts

    def affine(self, layer, inputs, bucket):
        """The outputs of the bucket of each position."""
        weights, biases = self.weights[layer], self.biases[layer]
        every = inputs @ weights.reshape(-1, weights.shape[2]).t() + biases.reshape(-1)
        every = every.view(len(inputs), BUCKETS, -1)
        return every[torch.arange(len(inputs), device=inputs.device), bucket]

    def score(self, own, other, own_king, other_king, pieces):
        """Internal units, for the side to move."""
        bucket = (pieces - 1) // 4
        units, materials = [], []
        for features, king in ((own, own_king), (other, other_king)):
            rows = self.rows(features.long(), king.long())
            sums = torch.nn.functional.embedding_bag(rows, self.table, mode="sum") + self.bias
            sums = sums.clamp(0, 127)
            units.append((sums[:, : UNITS // 2] * sums[:, UNITS // 2 :] / 128).floor())
            materials.append(torch.nn.functional.embedding_bag(rows, self.material, mode="sum"))
        first = self.affine(0, torch.cat(units, dim=1), bucket).double()
        signed, direct = first[:, : FIRST - 1], first[:, FIRST - 1]
        squared = (signed * signed / (1 << 19)).floor().clamp(max=127)
        clipped = (signed / 64).floor().clamp(0, 127)
        padding = torch.zeros(len(first), SECOND - 2 * (FIRST - 1), device=first.device)
        second = torch.cat((squared.float(), clipped.float(), padding), dim=1)
        second = (self.affine(1, second, bucket) / 64).floor().clamp(0, 127)
        positional = self.affine(2, second, bucket).squeeze(1) + (direct * 9600 / 8128).trunc().float()
        material = (materials[0] - materials[1]).gather(1, bucket.unsqueeze(1)).squeeze(1) / 2
        return (material.trunc() + positional) / 16

    @staticmethod
    def rows(features, king):
        """Our inputs (own or enemy, kind, square) as Stockfish numbers them, a table for each square of the own king."""
        enemy, kind, square = features // 384, features % 384 // 64, features % 64
        piece = torch.where(kind == 5, 10, 2 * kind + enemy)
        rows = piece * 64 + square + 704 * (31 - king).unsqueeze(1)
        return torch.where(features == 768, INPUTS, rows)


def blocks(path, size):
    with open(path, "rb") as file:
        if file.read(RECORD)[: len(HEADER)] != HEADER:
            sys.exit(f"{path} is no file of samples")
        while block := file.read(size * RECORD):
            whole = len(block) // RECORD * RECORD
            if whole < len(block):
                print(f"{path} is cut short: its last {len(block) - whole} bytes are left out", file=sys.stderr)
            if whole:
                yield np.frombuffer(block[:whole], dtype=np.uint8).reshape(-1, RECORD).copy()


@torch.no_grad()
def scores(teacher, unpack, records, device):
    """Internal units, for the side to move, and whether that is Black."""
    tensor = torch.from_numpy(records).to(device)
    own, other, own_king, other_king, _, _, _ = unpack(tensor, torch.arange(32, device=device))
    pieces = (own != 768).sum(1)
    return teacher.score(own, other, own_king, other_king, pieces), (tensor[:, 24] & 1) == 1


def label(teacher, unpack, source, target, args, device):
    count, part = 0, target.with_name(target.name + ".part")
    with open(part, "wb") as out:
        out.write(HEADER.ljust(RECORD, b"\0"))
        for records in blocks(source, args.batch):
            found, is_black = scores(teacher, unpack, records, device)
            centipawns = (found * (100 / PAWN * args.scale)).round().clamp(-BOUND, BOUND)
            white = torch.where(is_black, -centipawns, centipawns).cpu().numpy().astype("<i2")
            new = white.view(np.uint8).reshape(-1, 2)
            # The check byte is the exclusive or of all others.
            records[:, 29] ^= records[:, 26] ^ records[:, 27] ^ new[:, 0] ^ new[:, 1]
            records[:, 26:28] = new
            out.write(records.tobytes())
            count += len(records)
    # An interruption leaves no file that looks complete.
    os.replace(part, target)
    return count


SYMBOLS = "pnbrqk"


def fen(record):
    occupied = int.from_bytes(record[:8].tobytes(), "little")
    board, index = {}, 0
    for square in range(64):
        if occupied >> square & 1:
            code = record[8 + index // 2] >> 4 * (index % 2) & 15
            board[square] = SYMBOLS[code & 7].upper() if code < 8 else SYMBOLS[code & 7]
            index += 1
    ranks = ["".join(board.get(8 * rank + file, "1") for file in range(8)) for rank in range(7, -1, -1)]
    ranks = [re.sub("1+", lambda run: str(len(run[0])), rank) for rank in ranks]
    return f"{'/'.join(ranks)} {'b' if record[24] & 1 else 'w'} - - 0 1"


def check(teacher, unpack, path, args, device):
    """Compares with what Stockfish says of some positions, in pawns with two decimals."""
    records = next(blocks(path, args.check), None)
    if records is None:
        sys.exit(f"{path} has no positions")
    found, is_black = scores(teacher, unpack, records, device)
    commands = "".join(f"position fen {fen(record)}\neval\n" for record in records) + "quit\n"
    said = subprocess.run([args.engine], input=commands, capture_output=True, text=True, check=True).stdout
    theirs = [float(number) for number in re.findall(r"NNUE evaluation\s+([-+]?[\d.]+) \(white side\)", said)]
    if len(theirs) != len(records):
        sys.exit(f"{args.engine} evaluated {len(theirs)} of {len(records)} positions")
    ours = (torch.where(is_black, -found, found) / PAWN).cpu().numpy()
    worst = np.abs(ours - theirs).max()
    print(f"{len(theirs)} positions: the largest difference to {args.engine} is {worst:.3f} pawns")
    if worst > 0.011:
        sys.exit("that is more than rounding")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=Path, help="the network of Stockfish 15.1, as `export_net` writes it")
    parser.add_argument("samples", type=Path, nargs="+", help="files of training positions (.samples)")
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder of the labelled files")
    parser.add_argument("--scale", type=float, default=1.0, help="factor of the scores (default: 1, Stockfish's centipawns)")
    parser.add_argument("--batch", type=int, default=1 << 16, help="positions at a time (default: 65536)")
    parser.add_argument("--check", type=int, default=0, metavar="N", help="compare N positions with the engine first")
    parser.add_argument("--engine", default="stockfish", help="for --check (default: stockfish)")
    args = parser.parse_args()
    if args.batch < 1 or args.check < 0:
        sys.exit("--batch is at least 1, and --check at least 0")
    for path in [args.network, *args.samples]:
        if not path.is_file():
            sys.exit(f"{path} is no file")
    clashing = [path for path in args.samples if path.resolve() == (args.output / path.name).resolve()]
    if clashing:
        sys.exit(f"{clashing[0]} is read and would be overwritten; name another folder with -o")
    if len({path.name for path in args.samples}) < len(args.samples):
        sys.exit("two files have the same name, and so would what is written: label them one by one, in folders of their own")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    teacher, unpack = Teacher(args.network, device), trainer().unpack
    if args.check:
        check(teacher, unpack, args.samples[0], args, device)
    args.output.mkdir(parents=True, exist_ok=True)
    for source in args.samples:
        count = label(teacher, unpack, source, args.output / source.name, args, device)
        print(f"{args.output / source.name}: {count} positions", flush=True)


if __name__ == "__main__":
    main()
