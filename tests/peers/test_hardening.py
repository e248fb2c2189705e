"""Attacks that once succeeded against the binary: each must fail, with a word that says why.

Threads and memory beyond the machine, pipes for files, terminal escapes, half-sent requests, killed servers.
"""

import json
import os
import re
import resource
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from peer import GUARD_S, RawTest, only_tabia, spare_the_proxy
from server import Server, ServerTest

from built import tabia_binary

ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31mMallory\u202e"
spare_the_proxy()


def until(condition, what: str):
    deadline = time.monotonic() + GUARD_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"never: {what}")
        time.sleep(0.02)


def is_obeyed(data: bytes) -> bool:
    """Whether a terminal would obey something in the text beside line ends."""
    text = data.decode(errors="replace")
    return any(ord(c) < 32 and c not in "\n\r\t" or 127 <= ord(c) < 160 or 0x202A <= ord(c) <= 0x202E for c in text)


@only_tabia
class Uci(RawTest):
    def test_every_search_that_waits_behind_another_is_answered(self):
        games = ["startpos", "startpos moves e2e4", "startpos moves d2d4"]
        lines = "".join(f"position {game}\ngo depth 9\n" for game in games)
        done = subprocess.run([tabia_binary(), "uci"], input=lines.encode(), capture_output=True, timeout=GUARD_S * 5)
        self.assertEqual(done.stdout.count(b"bestmove"), 3)

    def test_no_more_threads_search_than_there_are_processors(self):
        engine = self.introduced()
        before = len(os.listdir(f"/proc/{engine.process.pid}/task"))
        engine.send("setoption name Threads value 512")
        self.assertTrue(any("processors" in line for line in engine.settled()))
        engine.send("go infinite")
        engine.until_like(r"^info depth [2-9]")
        searching = len(os.listdir(f"/proc/{engine.process.pid}/task")) - before
        self.assertLessEqual(searching, len(os.sched_getaffinity(0)) + 1)
        engine.best_move("stop")

    def test_a_table_beyond_memory_leaves_the_old_one(self):
        engine = self.introduced()
        engine.send("setoption name Hash value 32\nposition startpos")
        engine.settled()
        total_mib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
        if total_mib >= 65536:
            self.skipTest("the largest Hash fits into the memory of this machine")
        engine.send("setoption name Hash value 65536")
        said = engine.settled()
        self.assertTrue(any("65536 MiB" in line and "stays at 32 MiB" in line for line in said), said)
        self.assertTrue(engine.best_move("go depth 5"))

    def test_a_pipe_for_a_file_is_refused_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = Path(folder) / "pipe"
            os.mkfifo(pipe)
            for option in ["BookFile", "Weights"]:
                engine = self.introduced()
                engine.send(f"setoption name {option} value {pipe}\nsetoption name OwnBook value true")
                said = engine.settled()
                self.assertTrue(any("not a regular file" in line for line in said), said)

    def test_what_is_quoted_has_no_escapes(self):
        engine = self.introduced()
        engine.send(f"setoption name {ESCAPES} value 1\nposition fen {ESCAPES}")
        self.assertFalse(any(is_obeyed(line.encode()) for line in engine.settled()))


class Escapes(unittest.TestCase):
    """Names in a game file and what an engine says reach neither the terminal nor a file of games."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tabia-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.pgn = self.folder / "games.pgn"
        self.pgn.write_text(
            f'[White "{ESCAPES}"]\n[Black "{ESCAPES}"]\n[Event "{ESCAPES}"]\n[Result "*"]\n\n'
            f"1. e4 {{ {ESCAPES} }} e5 2. Nf3 *\n\n[White \"x\"]\n\n1. e4 {ESCAPES} *\n"
        )

    def run_tabia(self, *arguments: str) -> bytes:
        done = subprocess.run([tabia_binary(), *arguments], capture_output=True, timeout=GUARD_S * 5, cwd=self.folder)
        return done.stdout + done.stderr

    def test_a_game_file_cannot_speak_to_the_terminal(self):
        for command in [
            ["replay", "--plain", str(self.pgn)],
            ["replay", "--plain", "--game", "2", str(self.pgn)],
            ["analyze", "--nodes", "100", "--game", "1", str(self.pgn)],
            ["analyze", "--nodes", "100", "--game", "1", "--annotate", "annotated.pgn", str(self.pgn)],
            ["exercises", "--nodes", "100", str(self.pgn)],
            ["eval", ESCAPES],
            ["explain", ESCAPES],
        ]:
            said = self.run_tabia(*command)
            self.assertNotIn(b"unexpected argument", said, f"{command} tests no more than the options")
            self.assertFalse(is_obeyed(said), f"{command}: {said!r}")
        self.assertFalse(is_obeyed((self.folder / "annotated.pgn").read_bytes()))

    def test_training_positions_cannot_speak_to_the_terminal(self):
        fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
        for name, text in {
            "x.epd": f'{fen} ce {ESCAPES}; id "{ESCAPES}";\n{ESCAPES}\n',
            "x.txt": f"{fen} 0 1 | {ESCAPES} | 0.5\n{fen} 0 1 | 1 | {ESCAPES}\n{ESCAPES} | 1 | 0.5\n{ESCAPES}\n",
            "x.plain": f"{ESCAPES} 1\nfen {ESCAPES}\nscore {ESCAPES}\nply {ESCAPES}\nresult {ESCAPES}\ne\n"
            f"fen {fen} 0 1\nscore {ESCAPES}\nresult 0\ne\n",
        }.items():
            (self.folder / name).write_text(text)
            with self.subTest(name):
                said = self.run_tabia("samples", name, "-o", "out.samples")
                self.assertIn(b"Mallory", said)
                self.assertFalse(is_obeyed(said), said)

    def test_a_resumed_run_cannot_speak_to_the_terminal(self):
        escaped = json.dumps(ESCAPES)[1:-1]  # TOML has the same escapes.
        for variant in [], ["quantum"]:
            run = "-".join([*variant, "run"])
            agents = ["--agent", "agent-a=random", "--agent", "agent-b=random"]
            self.run_tabia(*variant, "match", *agents, "--games", "2", "--run", run)
            manifest = self.folder / run / "manifest.toml"
            manifest.write_text(manifest.read_text().replace("agent-a", escaped))
            # The games are played again: the journal's checksums would betray the other name.
            (self.folder / run / "games.jsonl").unlink()
            with self.subTest(run):
                said = self.run_tabia(*variant, "match", "--resume", run)
                self.assertIn(b"Mallory", said)
                self.assertFalse(is_obeyed(said), said)
        self.assertFalse(is_obeyed((self.folder / "run" / "games.pgn").read_bytes()))

    def test_an_engine_cannot_speak_to_the_terminal(self):
        engine = self.folder / "engine.sh"
        engine.write_text(
            "#!/bin/sh\nwhile read -r line; do case $line in\n"
            "uci) printf 'id name \\033]0;owned\\007\\033[2J\\nuciok\\n';;\nisready) echo readyok;;\n"
            "go*) printf 'info string \\033[31m\\nbestmove \\033[2Ja1a1\\n'; printf '\\033[2Jdying' >&2;;\nquit) exit;;\n"
            "esac; done\n"
        )
        engine.chmod(0o755)
        said = self.run_tabia("match", "--agent", f"evil=uci(cmd={engine})", "--agent", "random", "--nodes", "10",
                              "--games", "2", "--run", "run", "--pgn", "out.pgn")  # fmt: skip
        self.assertFalse(is_obeyed(said), said)
        for name in ["out.pgn", "run/games.pgn"]:
            self.assertFalse(is_obeyed((self.folder / name).read_bytes()), name)


class LargeFiles(unittest.TestCase):
    def test_one_game_of_a_large_file_takes_no_more_memory_than_of_a_small_one(self):
        game = f'[Event "x"]\n[Result "0-1"]\n\n1. f3 {{ {"a comment " * 200} }} e5 2. g4 Qh4# 0-1\n\n'
        with tempfile.TemporaryDirectory(prefix="tabia-") as folder:
            small, large = Path(folder) / "small.pgn", Path(folder) / "large.pgn"
            small.write_text(game)
            with large.open("w") as file:
                # Piece by piece: the peak of a child process counts from before it became another program.
                for _ in range(32_000):
                    file.write(game)
            for command in [["replay", "--plain"], ["analyze", "--nodes", "100"]]:
                peaks = [self.peak_kb([*command, "--game", "1", str(path)]) for path in (small, large)]
                self.assertLess(peaks[1], peaks[0] + 16 * 1024, f"{command}: {large.stat().st_size} bytes")

    def peak_kb(self, arguments: list[str]) -> int:
        process = subprocess.Popen([tabia_binary(), *arguments], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss


class Match(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tabia-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_a_resumed_match_still_writes_its_games(self):
        agents = ["--agent", "a=random(seed=1)", "--agent", "b=random(seed=2)", "--games", "400"]
        command = [tabia_binary(), "match", *agents, "--run", "run", "--pgn", "out.pgn", "--concurrency", "1"]
        first = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        journal = self.folder / "run" / "games.jsonl"
        until(lambda: journal.exists() and journal.stat().st_size or first.poll() is not None, "a game")
        first.kill()
        first.wait()
        (self.folder / "out.pgn").unlink(missing_ok=True)
        resume = [tabia_binary(), "match", "--resume", str(self.folder / "run")]
        subprocess.run(resume, check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual((self.folder / "out.pgn").read_bytes(), (self.folder / "run" / "games.pgn").read_bytes())

    def test_an_agent_that_cannot_be_built_is_refused_before_the_match(self):
        command = [tabia_binary(), "match", "--agent", "axiomx(multiscale=0)", "--agent", "random", "--games", "2"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("some of 3, 5, 7, 9", done.stderr)


class Serve(ServerTest):
    def ask(self, server: Server, path: str, body: dict | None = None, **headers: str):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(server.address + path, data, headers)
        if data:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=GUARD_S) as response:
            return response.read()

    def half_sent(self, server: Server, count: int) -> list[socket.socket]:
        host, port = server.address.removeprefix("http://").split(":")
        held = []
        for _ in range(count):
            connection = socket.create_connection((host, int(port)), timeout=GUARD_S)
            self.addCleanup(connection.close)
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            held.append(connection)
        return held

    def test_it_answers_while_2000_half_sent_requests_are_held(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 2500:
            self.skipTest("this user may not open 2500 files")
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        # The server starts with the usual limit, and raises it itself.
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, hard), hard))
        server = self.start()
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.half_sent(server, 2000)
        self.assertEqual(self.ask(server, "/healthz"), b"ok\n")

    def test_it_answers_beyond_its_own_limit_of_connections(self):
        server = self.start("--max-connections", "32")
        self.half_sent(server, 200)
        self.assertEqual(self.ask(server, "/healthz"), b"ok\n")

    def test_two_servers_do_not_share_a_data_folder(self):
        self.start()
        second = subprocess.run([tabia_binary(), "serve", "--addr", "127.0.0.1:0", "--data", str(self.data)],
                                capture_output=True, text=True, timeout=GUARD_S)  # fmt: skip
        self.assertEqual(second.returncode, 1)
        self.assertIn("one server at a time", second.stderr)

    def test_a_match_ends_with_the_server_that_was_killed(self):
        server = self.start()
        body = {"kind": "match", "agents": ["a=engine", "b=engine"], "games": 1000, "movetime_ms": 100}
        run = json.loads(self.ask(server, "/api/v1/runs", body))["id"]
        directory = str(self.data / "runs" / run).encode()

        def matches() -> list[str]:
            found = []
            for entry in Path("/proc").glob("[0-9]*"):
                try:
                    if directory in (entry / "cmdline").read_bytes() and b") Z " not in (entry / "stat").read_bytes():
                        found.append(entry.name)
                except OSError:
                    continue
            return found

        self.assertEqual(len(matches()), 1)
        server.kill()
        until(lambda: not matches(), "the match has ended")
        # It was stopped as Ctrl-C stops it, and can be resumed.
        again = self.start()
        self.assertEqual(json.loads(self.ask(again, f"/api/v1/runs/{run}"))["state"], "stopped")

    def test_an_automatic_token_is_in_the_address_and_needed(self):
        command = [tabia_binary(), "serve", "--addr", "127.0.0.1:0", "--data", str(self.data), "--token", "auto"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.send_signal, signal.SIGTERM)
        address, token = re.search(r"(http://[^/ ]+)/\?token=(\w{32})\b", process.stdout.readline()).groups()
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{address}/api/v1/agents", timeout=GUARD_S)
        self.assertEqual(refused.exception.code, 401)
        refused.exception.close()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with opener.open(f"{address}/api/v1/agents?token={token}", timeout=GUARD_S) as response:
            self.assertNotIn("token", response.url)
            self.assertIn(b"engine", response.read())


if __name__ == "__main__":
    unittest.main()
