#!/usr/bin/env python3
"""How much the server carries: many games at once, many streams that only listen, and how fast states are read.

    tools/load.py                               200 games against axiomx-speed, 1000 idle streams, then reads
    tools/load.py --games 50 --seconds 10 --streams 100
    tools/load.py --minimal target/release/examples/minimal      reads beside a handler that does nothing (needs wrk)

Only the standard library; reads are measured by `wrk`, where it is installed. The client runs on the same machine and
takes its share of it: figures are of both together.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from built import tabia_binary


class Refused(Exception):
    """An answer that is not what was asked for."""


class Connection:
    """One connection, kept open: requests with JSON, answers with a length."""

    def __init__(self, address: str):
        self.host, port = address.rsplit(":", 1)
        self.port = int(port)

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port, limit=2**20)
        return self

    async def send(self, method: str, path: str, body: dict | None = None):
        data = b"" if body is None else json.dumps(body).encode()
        kind = "Content-Type: application/json\r\n" if data else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n{kind}Content-Length: {len(data)}\r\n\r\n"
        self.writer.write(head.encode() + data)
        await self.writer.drain()

    async def head(self) -> tuple[int, int]:
        """The status and the length of an answer."""
        status, length = int((await self.reader.readline()).split()[1]), 0
        while (line := await self.reader.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return status, length

    async def ask(self, method: str, path: str, body: dict | None = None) -> dict:
        await self.send(method, path, body)
        status, length = await self.head()
        answer = json.loads(await self.reader.readexactly(length)) if length else {}
        if status >= 400:
            raise Refused(f"{status} {answer.get('detail')}")
        return answer

    async def events(self, path: str):
        """Names and data of a stream's events."""
        await self.send("GET", path)
        status, length = await self.head()
        if status != 200:
            raise Refused(f"{status} {await self.reader.readexactly(length)}")
        name = ""
        while line := await self.reader.readline():
            if line.startswith(b"event:"):
                name = line[6:].strip().decode()
            elif line.startswith(b"data:"):
                yield name, json.loads(line[5:])

    def close(self):
        self.writer.close()


class Figures:
    def __init__(self):
        self.moves, self.replies, self.errors, self.finished = [], [], [], 0


async def play(address: str, agent: str, seed: int, until: float, figures: Figures):
    """Plays games at random until the time is over, a move as soon as the agent has answered."""
    chance = random.Random(seed)
    asking, watching = await Connection(address).open(), None
    try:
        while time.monotonic() < until:
            game = await asking.ask("POST", "/api/v1/games", {"black": agent})
            path = f"/api/v1/games/{game['id']}"
            watching = await Connection(address).open()
            sent = None
            async for name, data in watching.events(f"{path}/events"):
                position = data if name == "state" else data.get("position")
                if position is None or position["awaits"] == "agent":
                    continue
                if sent is not None and name == "moved":
                    figures.replies.append(time.monotonic() - sent)
                if position["outcome"] is not None:
                    figures.finished += 1
                    break
                if time.monotonic() >= until:
                    break
                source = chance.choice(sorted(position["legal"]))
                move = source + chance.choice(position["legal"][source])
                if move[3] in "18" and re.search(r"[a-h][27]", move[:2]) and await promotes(asking, path, move):
                    move += "q"
                sent = time.monotonic()
                await asking.ask("POST", f"{path}/moves", {"move": move})
                figures.moves.append(time.monotonic() - sent)
            watching.close()
    except (Refused, OSError, asyncio.IncompleteReadError) as error:
        figures.errors.append(str(error) or type(error).__name__)
    finally:
        asking.close()
        if watching is not None:
            watching.close()


async def promotes(asking: Connection, path: str, move: str) -> bool:
    legal = await asking.ask("GET", f"{path}/legal?from={move[:2]}")
    return any(one["uci"] == f"{move}q" for one in legal["moves"])


async def listen(address: str, path: str, ready: asyncio.Semaphore, figures: Figures):
    try:
        connection = await Connection(address).open()
        async for _ in connection.events(f"{path}/events"):
            ready.release()
    except (Refused, OSError) as error:
        figures.errors.append(f"stream: {error}")
        ready.release()


def memory_mb(pid: int) -> tuple[float, float]:
    """Resident memory now and at its most."""
    status = Path(f"/proc/{pid}/status").read_text()
    return tuple(int(re.search(rf"{key}:\s+(\d+)", status)[1]) / 1024 for key in ("VmRSS", "VmHWM"))


def spread(name: str, seconds: list[float]) -> str:
    if len(seconds) < 2:
        return f"{name}: {len(seconds)}"
    cuts = statistics.quantiles(seconds, n=100)
    middle, high, highest = (1000 * value for value in (cuts[49], cuts[98], max(seconds)))
    return f"{name}: {len(seconds)}, median {middle:.1f} ms, p99 {high:.1f} ms, longest {highest:.1f} ms"


async def load(address: str, pid: int, arguments) -> Figures:
    figures = Figures()
    quiet = await Connection(address).open()
    print(f"resident at the start: {memory_mb(pid)[0]:.0f} MB")
    ready = asyncio.Semaphore(0)
    listeners = []
    for _ in range(arguments.streams):
        game = await quiet.ask("POST", "/api/v1/games", {"black": "human"})
        listeners.append(asyncio.create_task(listen(address, f"/api/v1/games/{game['id']}", ready, figures)))
    for _ in listeners:
        await ready.acquire()
    print(f"with {arguments.streams} idle streams on as many games: {memory_mb(pid)[0]:.0f} MB")
    until = time.monotonic() + arguments.seconds
    games = [play(address, arguments.agent, seed, until, figures) for seed in range(arguments.games)]
    await asyncio.gather(*games)
    now, most = memory_mb(pid)
    print(f"after {arguments.seconds:.0f} s of {arguments.games} games at once against {arguments.agent}:")
    print(f"  {spread('moves acknowledged', figures.moves)}")
    print(f"  {spread('agent replies', figures.replies)}")
    print(f"  {len(figures.moves) / arguments.seconds:.0f} moves a second, {figures.finished} games finished")
    print(f"  resident {now:.0f} MB, at most {most:.0f} MB")
    print(f"  errors: {len(figures.errors)} {sorted(set(figures.errors))[:5]}")
    for listener in listeners:
        listener.cancel()
    return figures


def read_rate(name: str, url: str, seconds: int):
    command = ["wrk", "-t1", "-c32", f"-d{seconds}s", "--latency", url]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rate, high = re.search(r"Requests/sec:\s+(\S+)", text)[1], re.search(r"99%\s+(\S+)", text)[1]
    failed = re.search(r"Non-2xx.*", text)
    print(f"{name}: {rate} a second, p99 {high}{'; ' + failed[0] if failed else ''}")


@contextlib.contextmanager
def running(command: list[str]):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield process, re.search(r"http://([^/ \n]+)", process.stdout.readline())[1]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--agent", default="axiomx-speed")
    parser.add_argument("--minimal", "--bare", help="a program that serves one plain answer, for comparison")
    arguments = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="tabia-load-") as data:
        command = [tabia_binary(), "serve", "--addr", "127.0.0.1:0", "--data", data]
        with running(command) as (server, address):
            print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before")
            figures = asyncio.run(load(address, server.pid, arguments))
            if shutil.which("wrk"):
                asyncio.run(measure_reads(address, arguments))
            else:
                print("wrk is not installed: reads not measured")
    return 1 if figures.errors else 0


async def measure_reads(address: str, arguments):
    quiet = await Connection(address).open()
    moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"]
    game = await quiet.ask("POST", "/api/v1/games", {"black": "human", "moves": moves})
    read_rate("states read (a game of 10 half-moves)", f"http://{address}/api/v1/games/{game['id']}", 5)
    if arguments.minimal:
        with running([arguments.minimal]) as (_, minimal):
            read_rate("a minimal handler beside it", f"http://{minimal}/", 5)


if __name__ == "__main__":
    sys.exit(main())
