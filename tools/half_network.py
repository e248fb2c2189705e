#!/usr/bin/env python3
"""Networks in half precision, which Tabia reads as they are: half the bytes, and in parts of a given size if need be.

    tools/half_network.py training/final.safetensors final-half.safetensors
    tools/half_network.py --tensors averaged. training/checkpoint-0300.safetensors network-300.safetensors
    tools/half_network.py --parts 16000000 training/final.safetensors final-half.safetensors
    cat final-half.safetensors.* > final-half.safetensors

With --parts N the output is OUTPUT.001, OUTPUT.002 and so on, of N bytes at most, instead of earlier parts; `cat` joins them. A checkpoint holds several
sets of tensors, and no architecture: its network takes that of another file, final.safetensors beside it if not --like FILE.
A number that half precision cannot hold is refused. Needs numpy.
"""

import argparse
import glob
import hashlib
import json
import struct
import sys
from pathlib import Path

import numpy


def read(path: Path) -> tuple[dict, bytes]:
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    return json.loads(data[8 : 8 + length]), data[8 + length :]


def half(header: dict, data: bytes, prefix: str, metadata: dict) -> bytes:
    tensors, parts, at = {}, [], 0
    for name, entry in sorted(header.items()):
        if name == "__metadata__" or not name.startswith(prefix):
            continue
        if entry["dtype"] != "F32":
            sys.exit(f'half_network: tensor "{name}" holds {entry["dtype"]}, expected F32')
        start, end = entry["data_offsets"]
        values = numpy.frombuffer(data[start:end], "<f4")
        if not (numpy.abs(values) <= 65504).all():
            sys.exit(f'half_network: tensor "{name}" has a number that half precision cannot hold')
        part = values.astype("<f2").tobytes()
        tensors[name.removeprefix(prefix)] = {"dtype": "F16", "shape": entry["shape"], "data_offsets": [at, at + len(part)]}
        parts.append(part)
        at += len(part)
    if not tensors:
        sys.exit(f'half_network: no tensor begins with "{prefix}"')
    body = b"".join(parts)
    tensors["__metadata__"] = {**metadata, "sha256": hashlib.sha256(body).hexdigest()}
    text = json.dumps(tensors).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--tensors", default="", metavar="PREFIX", help="of a checkpoint: weights., averaged. or player.")
    parser.add_argument("--like", type=Path, metavar="FILE", help="a network with the checkpoint's architecture")
    parser.add_argument("--parts", type=int, default=0, metavar="BYTES")
    args = parser.parse_args()
    header, data = read(args.network)
    metadata = header.get("__metadata__", {})
    if args.tensors:
        metadata = read(args.like or args.network.with_name("final.safetensors"))[0]["__metadata__"]
    if "architecture" not in metadata:
        sys.exit(f"half_network: {args.network} names no architecture; of a checkpoint give --tensors averaged.")
    out = half(header, data, args.tensors, {"architecture": metadata["architecture"]})
    if args.parts <= 0:
        args.output.write_bytes(out)
        return
    for old in args.output.parent.glob(f"{glob.escape(args.output.name)}.[0-9]*"):
        old.unlink()
    for number, start in enumerate(range(0, len(out), args.parts), 1):
        Path(f"{args.output}.{number:03}").write_bytes(out[start : start + args.parts])


if __name__ == "__main__":
    main()
