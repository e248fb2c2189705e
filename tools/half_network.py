#!/usr/bin/env python3
"""Networks in half precision, which Tabia reads as they are: half the bytes, and in parts of a given size if need be.

    tools/half_network.py training/final.safetensors final-half.safetensors
    tools/half_network.py --tensors averaged. training/checkpoint-0300.safetensors network-300.safetensors
    tools/half_network.py --parts 16000000 training/final.safetensors final-half.safetensors
    cat final-half.safetensors.* > final-half.safetensors

With --parts N the output is OUTPUT.001, OUTPUT.002 and so on, of N bytes at most, instead of earlier parts; `cat` joins them. A checkpoint
holds several sets of tensors, and no architecture: its network takes that of another file, final.safetensors beside it if not
--like FILE. A damaged file is refused, and so is a number that half precision cannot hold. Needs numpy.
"""

import argparse
import glob
import hashlib
import json
import os
import re
import struct
import sys
from pathlib import Path

import numpy


def read(path: Path) -> tuple[dict, bytes]:
    """The header and the data of a file, if it is as it was written."""
    content = path.read_bytes()
    (length,) = struct.unpack_from("<Q", content) if len(content) >= 8 else (0,)
    try:
        header = json.loads(content[8 : 8 + length])
        data = content[8 + length :]
        ends = {name: entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"}
    except (ValueError, LookupError, AttributeError, TypeError):
        sys.exit(f"half_network: {path} is truncated, or not a safetensors file")
    for name, end in ends.items():
        if end > len(data):
            sys.exit(f'half_network: {path} is truncated: tensor "{name}" ends at byte {end}, the data at {len(data)}')
    recorded = header.get("__metadata__", {}).get("sha256")
    if recorded not in (None, hashlib.sha256(data).hexdigest()):
        sys.exit(f"half_network: {path} is damaged: its data does not have the SHA-256 in its metadata")
    return header, data


def earlier_parts(output: Path) -> list[Path]:
    """OUTPUT.001 and so on, but not OUTPUT.bak."""
    beside = output.parent.glob(f"{glob.escape(output.name)}.*")
    return [path for path in beside if path.is_file() and re.fullmatch("[0-9]+", path.name[len(output.name) + 1 :])]


def write(files: dict[Path, bytes]):
    """Writes all files under temporary names before the first one replaces an old one."""
    temporary = {path: path.with_name(f"{path.name}.{os.getpid()}.tmp") for path in files}
    try:
        for path, content in files.items():
            temporary[path].write_bytes(content)
        for path in files:
            temporary[path].replace(path)
    finally:
        for path in temporary.values():
            path.unlink(missing_ok=True)


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
    sources = [args.network]
    if args.tensors:
        sources.append(args.like or args.network.with_name("final.safetensors"))
    earlier = earlier_parts(args.output) if args.parts > 0 else [args.output]
    for source in sources:
        if any(path.exists() and path.samefile(source) for path in earlier):
            sys.exit(f"half_network: the output would replace {source}, which it is made from; choose another name")
    header, data = read(args.network)
    metadata = (read(sources[1])[0] if args.tensors else header).get("__metadata__", {})
    if "architecture" not in metadata:
        sys.exit(f"half_network: {sources[-1]} names no architecture; of a checkpoint give --tensors averaged.")
    out = half(header, data, args.tensors, {"architecture": metadata["architecture"]})
    if args.parts <= 0:
        write({args.output: out})
        return
    starts = enumerate(range(0, len(out), args.parts), 1)
    parts = {Path(f"{args.output}.{number:03}"): out[start : start + args.parts] for number, start in starts}
    write(parts)
    written = {path.name for path in parts}
    for path in earlier:
        if path.name not in written:
            path.unlink()


if __name__ == "__main__":
    main()
