#!/usr/bin/env python3
"""Repeats the attacks of docs/threat-model.md against the binary, and prints one table.

    tools/torture.py                     some minutes
    tools/torture.py --scale 10          ten times as many kills, flips, lines, games
    tools/torture.py --only "bit flips"  one step

Needs a built binary ($TABIA, or target/release/tabia). All traffic is to this machine. Exit status 1 if an attack succeeds.
"""

import argparse
import contextlib
import io
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import match_torture
from match_torture import ROOT, binary

sys.path.insert(0, str(ROOT / "tests" / "peers"))

from pipes import EngineFault, UciEngine

GUARD_S = 120
MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


class Failed(Exception):
    """The attack succeeded."""


def require(condition, why: str):
    if not condition:
        raise Failed(why)


class Server:
    def __init__(self, data: Path, *arguments: str, limit=None, tracer=()):
        command = [*tracer, binary(), "serve", "--addr", "127.0.0.1:0", "--data", str(data), *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=limit)
        line = self.process.stdout.readline()
        require("http://" in line, "the server does not start")
        self.port = int(line.split("http://127.0.0.1:")[1].split("/")[0])
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def ask(self, path: str, body=None, timeout: float = GUARD_S):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        with self.opener.open(request, timeout=timeout) as response:
            text = response.read()
        return json.loads(text) if text[:1] in b"{[" else text

    def status(self, path: str, body=None) -> int:
        try:
            self.ask(path, body)
            return 200
        except urllib.error.HTTPError as error:
            error.close()
            return error.code

    def memory_kb(self) -> int:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

    def files(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def run_match(arguments: list[str], limit=None, tracer=()) -> subprocess.CompletedProcess:
    command = [*tracer, binary(), "match", *arguments]
    return subprocess.run(command, capture_output=True, text=True, preexec_fn=limit, timeout=GUARD_S * 5)


AGENTS = ["--agent", "a=random(seed=1)", "--agent", "b=random(seed=2)", "--seed", "7", "--concurrency", "1"]


def kills(scale: float, folder: Path) -> str:
    options = argparse.Namespace(games=40, kills=max(3, int(5 * scale)), nodes=200, seed=1)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        good = match_torture.killed(options, folder)
    require(good, said.getvalue())
    return f"{options.kills} kills, the same bytes, no process left"


def failing_engines(scale: float, folder: Path) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        good = match_torture.faulty(argparse.Namespace(faulty=int(84 * scale)))
    require(good, said.getvalue())
    return said.getvalue().split(";")[0].strip()


def killed_server(scale: float, folder: Path) -> str:
    """Every move that was acknowledged is there after the server was killed."""
    luck = random.Random(3)
    acknowledged = 0
    count = max(3, int(5 * scale))
    for _ in range(count):
        server = Server(folder / "data")
        games = [server.ask("/api/v1/games", {"black": "human"})["id"] for _ in range(3)]
        moves = {game: 0 for game in games}
        for _ in range(luck.randrange(3, 12)):
            game = luck.choice(games)
            legal = server.ask(f"/api/v1/games/{game}")["legal"]
            start = luck.choice(sorted(legal))
            answer = server.ask(f"/api/v1/games/{game}/moves", {"move": start + luck.choice(legal[start])[:2]})
            moves[game] = len(answer["moves"])
        server.kill()
        server = Server(folder / "data")
        for game, plies in moves.items():
            require(len(server.ask(f"/api/v1/games/{game}")["moves"]) == plies, "an acknowledged move is lost")
            acknowledged += plies
        server.kill()
    return f"{count} kills, {acknowledged} acknowledged moves, none lost"


def lies(scale: float, folder: Path) -> str:
    if not shutil.which("nats-server"):
        return "skipped: no nats-server"
    command = [sys.executable, "-m", "pytest", "-q", "-x", str(ROOT / "tests" / "peers" / "test_grid_trust.py")]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"TABIA": binary()})
    require(done.returncode == 0, done.stdout[-2000:])
    return done.stdout.strip().splitlines()[-1]


def slow_clients(scale: float, folder: Path) -> str:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(int(2000 * max(1, scale)), hard - 500, 4000)
    server = Server(folder / "data", limit=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, hard), hard)))
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    held = []
    try:
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            held.append(connection)
        begun = time.monotonic()
        require(server.ask("/healthz", timeout=20) == b"ok\n", "no answer")
        took = time.monotonic() - begun
        return f"{count} half-sent requests held, /healthz answers in {took * 1000:.0f} ms"
    except OSError as error:
        raise Failed(f"after {len(held)} half-sent requests: {error}") from error
    finally:
        for connection in held:
            connection.close()
        server.kill()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def greedy_requests(scale: float, folder: Path) -> str:
    server = Server(folder / "data")
    try:
        agents = ["a=engine(hash=64,threads=2)", "b=engine(hash=64,threads=2)"]
        body = {"kind": "match", "agents": agents, "nodes": 1000, "games": 128, "concurrency": 64}
        status = server.status("/api/v1/runs", body)
        require(status == 422, f"a match of 64 games at once with two threads each: {status}")
        return "a match of 128 threads is refused with the numbers (422)"
    finally:
        server.kill()


def full_disk(scale: float, folder: Path) -> str:
    """A match and a server that cannot write say so; what was acknowledged stays, and the match is finished later."""
    games = ["--games", "200"]
    whole = run_match([*AGENTS, *games, "--run", str(folder / "whole")])
    require(whole.returncode == 0, whole.stderr)
    size = (folder / "whole" / "games.jsonl").stat().st_size

    def limited(most: int):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        return limit

    run = folder / "run"
    stops = 0
    for part in range(1, 4):
        how = ["--resume", str(run)] if (run / "manifest.toml").exists() else [*AGENTS, *games, "--run", str(run)]
        done = run_match([*how, "--concurrency", "1"] if "--resume" in how else how, limited(size * part // 4))
        require(done.returncode == 1 and "cannot write" in done.stderr, f"{done.returncode}: {done.stderr}")
        stops += 1
    done = run_match(["--resume", str(run), "--concurrency", "1"])
    require(done.returncode == 0, done.stderr)
    for name in ("games.pgn", "result.json"):
        require((run / name).read_bytes() == (folder / "whole" / name).read_bytes(), f"{name} differs")

    server = Server(folder / "data", limit=limited(400 * 1024))
    kept = []
    refused = 0
    for _ in range(400):
        try:
            kept.append(server.ask("/api/v1/games", {"black": "human", "moves": MATE[:2]})["id"])
        except urllib.error.HTTPError as error:
            require(error.code in (500, 503, 507), str(error))
            error.close()
            refused += 1
            if refused > 5:
                break
    alive = server.process.poll() is None
    server.kill()
    require(alive, "the server died")
    server = Server(folder / "data")
    lost = sum(server.status(f"/api/v1/games/{game}") != 200 for game in kept)
    server.kill()
    require(refused and not lost, f"{refused} refused, {lost} of {len(kept)} acknowledged games lost")
    return f"match: {stops} full disks, the same bytes; server: {len(kept)} games kept, none lost"


# System calls that say what is on disk: -D keeps the process id of the program, -y prints paths of descriptors.
TRACED = "fsync,fdatasync,write,pwrite64,rename,mkdir,sendto,writev"
SYNCS = ("fsync", "fdatasync")


class Calls:
    """The finished system calls of a program, in order, as strace wrote them: (name, path of the first argument, line)."""

    def __init__(self, log: Path):
        self.log = log

    def tracer(self) -> list[str]:
        return ["strace", "-D", "-f", "-y", "-qq", "-s", "64", "-e", f"trace={TRACED}", "-o", str(self.log)]

    def read(self):
        begun = {}
        for line in self.log.read_text(errors="replace").splitlines():
            process, _, call = line.partition(" ")
            call = call.strip()
            if call.endswith("<unfinished ...>"):
                begun[process] = call
                continue
            if call.startswith("<... "):
                call = begun.pop(process, "") + call.partition("resumed>")[2]
            name, _, rest = call.partition("(")
            if ") = -1" in call or not call.count("="):
                continue
            first = rest.split(",")[0].split(")")[0]
            path = first.partition("<")[2].rstrip(">") if "<" in first else first.strip('"')
            yield name, path, call

    def settled(self):
        """Waits until the tracer has written everything: it ends after the program."""
        size = -1
        while size != (size := self.log.stat().st_size):
            time.sleep(0.2)


def power_cut(scale: float, folder: Path) -> str:
    """What a match or the server relies on after a power cut was synced before: files, then their directory.

    A cut is made up from the trace of system calls: of the journal, what was synced is there; of the rest, a part, or zeros.
    """
    if not shutil.which("strace"):
        return "skipped: no strace"
    run = folder / "whole"
    calls = Calls(folder / "match.strace")
    whole = run_match([*AGENTS, "--games", "200", "--run", str(run)], tracer=calls.tracer())
    require(whole.returncode == 0, whole.stderr)
    calls.settled()
    journal = (run / "games.jsonl").read_bytes()
    written, synced, cuts, unsynced_names = 0, 0, [], set()
    clean, syncs = set(), 0
    for name, path, call in calls.read():
        if name in SYNCS:
            syncs += 1
            clean.add(path)
            unsynced_names = {file for file in unsynced_names if os.path.dirname(file) != path}
            if path == str(run / "games.jsonl"):
                synced = written
        elif name == "mkdir":
            unsynced_names.add(path)
        elif name == "rename":
            old, new = call.split('"')[1], call.split('"')[3]
            # What goes on at the moment is for those who watch; nothing is read from it later.
            if os.path.basename(new) != "live.json":
                require(old in clean, f"{new} is put in place before its content is synced")
                unsynced_names.add(new)
        elif path == str(run / "games.jsonl"):
            require(str(run) in clean, "the journal is written before its name is synced")
            require(not unsynced_names, f"the journal is written before {unsynced_names} is synced")
            written += int(call.rsplit("=", 1)[1])
            cuts.append((synced, written))
        else:
            clean.discard(path)
    require(not unsynced_names, f"names are not synced: {unsynced_names}")
    require(written == len(journal), f"{written} bytes of the journal were traced, it has {len(journal)}")

    luck = random.Random(13)
    count = max(5, int(10 * scale))
    again = 0
    for number in range(count):
        safe, end = luck.choice(cuts)
        left = journal[: luck.randint(safe, end)]
        left = left + bytes(end - len(left)) if number % 2 else left
        cut = folder / "cut"
        shutil.rmtree(cut, ignore_errors=True)
        cut.mkdir()
        shutil.copy(run / "manifest.toml", cut)
        (cut / "games.jsonl").write_bytes(left)
        again += 200 - journal[:safe].count(b"\n")
        done = run_match(["--resume", str(cut), "--concurrency", "1"])
        require(done.returncode == 0, done.stderr)
        for name in ("games.pgn", "result.json"):
            require((cut / name).read_bytes() == (run / name).read_bytes(), f"{name} differs")

    calls = Calls(folder / "server.strace")
    server = Server(folder / "data", tracer=calls.tracer())
    moves = ["g1f3", "g8f6", "f3g1", "f6g8", *MATE]
    try:
        game = server.ask("/api/v1/games", {"black": "human"})["id"]
        for move in moves:
            server.ask(f"/api/v1/games/{game}/moves", {"move": move})
    finally:
        server.kill()
    calls.settled()
    acknowledged, is_synced = 0, False
    for name, path, call in calls.read():
        if name in SYNCS and "sqlite3" in path:
            is_synced = True
        elif name in ("write", "sendto", "writev") and '"HTTP/1.1 2' in call:
            require(is_synced, f"answer {acknowledged} was sent before anything was synced")
            acknowledged, is_synced = acknowledged + 1, False
    require(acknowledged == len(moves) + 1, f"{acknowledged} answers were traced, {len(moves) + 1} were sent")
    return f"match: {syncs} syncs, {count} cuts, the same bytes; server: {acknowledged} of {acknowledged} answers after a sync"


def bit_flips(scale: float, folder: Path) -> str:
    """A flipped bit in a journal is reported, or changes nothing."""
    # Scores, depths and nodes of searches, which no rule of chess checks.
    agents = ["--agent", "a=engine(hash=1)", "--agent", "b=engine(hash=1,eval=pst)", "--nodes", "50", "--seed", "7"]
    whole = run_match([*agents, "--games", "4", "--run", str(folder / "whole")])
    require(whole.returncode == 0, whole.stderr)
    journal = (folder / "whole" / "games.jsonl").read_bytes()
    expected = (folder / "whole" / "games.pgn").read_bytes()
    luck = random.Random(5)
    noticed = harmless = 0
    for _ in range(int(62 * scale)):
        run = folder / "flipped"
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(folder / "whole", run)
        bit = luck.randrange(len(journal) * 8)
        flipped = bytearray(journal)
        flipped[bit // 8] ^= 1 << bit % 8
        (run / "games.jsonl").write_bytes(flipped)
        done = run_match(["--resume", str(run)])
        require(done.returncode in (0, 1), f"bit {bit}: status {done.returncode}: {done.stderr}")
        if done.returncode == 1:
            noticed += 1
        else:
            require((run / "games.pgn").read_bytes() == expected, f"bit {bit} changed games.pgn silently")
            harmless += 1
    return f"{noticed} of {noticed + harmless} flips reported, {harmless} harmless, none silent"


COMMANDS = ["uci", "isready", "ucinewgame", "position startpos", "position startpos moves e2e4 e7e5", "go depth 3",
            "go nodes 500", "go movetime 5", "go infinite", "go ponder", "ponderhit", "stop", "stop", "d", "eval",
            "setoption name Hash value 2", "setoption name Threads value 512", "setoption name Hash value 65536",
            "setoption name MultiPV value 3", "setoption name BookFile value /dev/zero", "debug on", "perft 1",
            "position fen 8/8/8/8/8/4k3/8/R3K3 w - - 0 1", "go wtime 10 btime 10", "go mate 1"]  # fmt: skip


def fuzzed_uci(scale: float, folder: Path) -> str:
    """Lines of all kinds, sent without waiting; then it must still answer and end."""
    luck = random.Random(11)
    lines = sessions = 0
    for _ in range(max(2, int(10 * scale))):
        engine = UciEngine([binary(), "uci"])
        try:
            for _ in range(200):
                line = luck.choice(COMMANDS).encode()
                if luck.random() < 0.4:
                    mutated = bytearray(line)
                    for _ in range(luck.randrange(1, 4)):
                        at = luck.randrange(len(mutated))
                        mutated[at : at + luck.randrange(2)] = luck.randbytes(luck.randrange(3))
                        mutated = mutated or bytearray(b" ")
                    line = bytes(mutated).replace(b"\n", b" ")
                if line.split()[:1] == [b"quit"] or b"bench" in line or line.split()[:1] == [b"perft"] and len(line) > 7:
                    continue
                engine.send(line, GUARD_S)
                lines += 1
            engine.send("stop\nisready", GUARD_S)
            engine.until("readyok", GUARD_S)
            engine.send("quit")
            require(engine.process.wait(GUARD_S) == 0, f"it ended with {engine.process.returncode}")
            sessions += 1
        except EngineFault as fault:
            raise Failed(str(fault)) from fault
        finally:
            engine.close(politely=False)
    return f"{lines} lines in {sessions} sessions, every one answered and ended"


def too_many_threads(scale: float, folder: Path) -> str:
    took = {}
    for threads in (256, 512):
        engine = UciEngine([binary(), "uci"])
        try:
            engine.handshake()
            engine.send(f"setoption name Threads value {threads}")
            engine.ready(GUARD_S)
            begun = time.monotonic()
            engine.send("position startpos\ngo movetime 500")
            while not engine.line(time.perf_counter() + GUARD_S)[0].startswith(b"bestmove"):
                pass
            took[threads] = time.monotonic() - begun
        except EngineFault as fault:
            raise Failed(str(fault)) from fault
        finally:
            engine.close(politely=False)
    said = ", ".join(f"{threads} threads {seconds:.2f} s" for threads, seconds in took.items())
    # Measured on a machine that may be busy: what was mended took 6 and 47 seconds.
    require(max(took.values()) < 2, said)
    return f"movetime 500: {said}"


def many_games(scale: float, folder: Path) -> str:
    """Memory and file descriptors stay flat, however many games are played."""
    count = max(200, int(1000 * scale))
    server = Server(folder / "data")
    try:
        figures = []
        for number in range(count):
            game = server.ask("/api/v1/games", {"black": "human", "moves": MATE[:3]})["id"]
            require(server.ask(f"/api/v1/games/{game}/moves", {"move": MATE[3]})["outcome"], "the game goes on")
            if (number + 1) % (count // 4) == 0:
                figures.append((server.memory_kb(), server.files()))
        said = f"{count} games: " + " → ".join(f"{memory // 1024} MiB, {files} files" for memory, files in figures)
        require(figures[-1][1] <= figures[0][1] + 8, said)
        # What is kept in memory is bounded; from the middle on nothing is added. Allocators breathe a little.
        bounded = count >= 8000
        require(not bounded or figures[-1][0] < figures[1][0] * 1.15 + 4096, said)
        return said
    finally:
        server.kill()


def used(arguments: list[str]) -> resource.struct_rusage:
    process = subprocess.Popen([binary(), *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    require(process.returncode == 0, f"{arguments}: {process.returncode}")
    return usage


def large_files(scale: float, folder: Path) -> str:
    """One game of a large file is read without the others, and a long game in a time that grows as its length does."""
    game = f'[Event "x"]\n[Result "0-1"]\n\n1. f3 {{ {"a comment " * 200} }} e5 2. g4 Qh4# 0-1\n\n'
    large = folder / "large.pgn"
    with large.open("w") as file:
        # Piece by piece: the peak of a child process counts from before it became another program.
        for _ in range(int(50_000 * max(1, scale))):
            file.write(game)
    size = large.stat().st_size >> 20
    peak = max(used([*command, "--game", "1", str(large)]).ru_maxrss >> 10
               for command in (["replay", "--plain"], ["analyze", "--nodes", "100"]))  # fmt: skip
    require(peak < 100, f"game 1 of {size} MiB takes {peak} MiB")
    took = []
    for plies in (4_000, 16_000):
        moves = " ".join(f"{2 * n + 1}. Nf3 Nf6 {2 * n + 2}. Ng1 Ng8" for n in range(plies // 4))
        long = folder / "long.pgn"
        long.write_text(f'[Event "x"]\n[Result "*"]\n\n{moves} *\n')
        took.append(used(["replay", "--plain", str(long)]).ru_utime)
    # Processor time, which other programs hardly change. Four times the moves took sixteen times as long.
    require(took[1] < 8 * took[0] + 0.1, f"4,000 half-moves take {took[0]:.2f} s, 16,000 take {took[1]:.2f} s")
    return f"game 1 of {size} MiB: at most {peak} MiB; 4,000 half-moves {took[0]:.2f} s, 16,000 {took[1]:.2f} s"


def made_up_inputs(scale: float, folder: Path) -> str:
    found = sorted((Path(binary()).parent / "examples").glob("mutate"))
    if not found:
        return "skipped: `cargo build --release -p tabia-fuzzing --example mutate` makes the program"
    seconds = max(1, int(2 * scale))
    done = subprocess.run([found[0], "--inputs", "1000000000", "--seconds", str(seconds)], capture_output=True, text=True)
    require(done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:])
    return done.stdout.strip().splitlines()[-1]


def attacks(scale: float, folder: Path) -> str:
    command = [sys.executable, "-m", "pytest", "-q", str(ROOT / "tests" / "peers" / "test_hardening.py")]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"TABIA": binary()})
    require(done.returncode == 0, done.stdout[-3000:])
    return done.stdout.strip().splitlines()[-1]


STEPS = {
    "kills with resume": kills,
    "killed server": killed_server,
    "failing engines": failing_engines,
    "lying workers": lies,
    "slow clients": slow_clients,
    "greedy requests": greedy_requests,
    "full disk": full_disk,
    "power cut": power_cut,
    "bit flips": bit_flips,
    "fuzzed UCI": fuzzed_uci,
    "too many threads": too_many_threads,
    "many games": many_games,
    "large files": large_files,
    "made-up inputs": made_up_inputs,
    "other attacks": attacks,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--only", action="append", choices=list(STEPS))
    arguments = parser.parse_args()
    rows = []
    for name in arguments.only or STEPS:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="tabia-torture-") as folder:
            try:
                verdict, said = "held", STEPS[name](arguments.scale, Path(folder))
            except (Failed, OSError, subprocess.TimeoutExpired, urllib.error.URLError) as fault:
                verdict, said = "BROKE", f"{type(fault).__name__}: {fault}"
        if said.startswith("skipped"):
            verdict = "skipped"
        rows.append((name, verdict, f"{time.monotonic() - begun:.0f} s", said))
        print(f"{name}: {verdict}", file=sys.stderr, flush=True)
    print(f"\n| attack | verdict | took | what was seen |\n| {'-' * 17} | ------- | ---- | --- |")
    for name, verdict, took, said in rows:
        print(f"| {name:17} | {verdict:7} | {took:>4} | {' '.join(said.split())} |")
    return 1 if any(verdict == "BROKE" for _, verdict, _, _ in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
