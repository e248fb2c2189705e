"""A real nats-server to test against, a few lines of its protocol, and the programs that meet at it."""

import contextlib
import json
import os
import queue
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

import peer  # it knows where the tools are
from built import tabia_binary

assert peer.ROOT

# No step takes this long unless something hangs; nothing is asserted about speed.
GUARD_S = 300.0


def until(condition, what: str, timeout_s: float = GUARD_S):
    """Waits for something to become true, and gives it."""
    deadline = time.monotonic() + timeout_s
    while not (found := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {timeout_s:.0f} s for {what}")
        time.sleep(0.05)
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class NatsServer:
    """A server with JetStream, its files in a folder that outlives it."""

    def __init__(self, folder: Path, config: str = "", address: str = "127.0.0.1", prefix: list[str] | None = None):
        self.folder, self.port, self.address, self.prefix = folder, free_port(), address, prefix or []
        folder.mkdir(parents=True, exist_ok=True)
        self.config = folder / "server.conf"
        jetstream = "" if "jetstream {" in config or "no jetstream" in config else f'jetstream {{ store_dir: "{folder}/store" }}\n'
        self.config.write_text(f'listen: "{address}:{self.port}"\n{jetstream}{config}\n')
        self.url = f"nats://{address}:{self.port}"
        self.process = None
        self.start()

    def start(self):
        log = (self.folder / "server.log").open("ab")
        program = shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        assert program, "nats-server is not installed: run `make deps`"
        self.process = subprocess.Popen([*self.prefix, program, "-c", str(self.config)], stdout=log, stderr=log)
        log.close()
        until(self._ready, "nats-server")

    def _ready(self) -> bool:
        text = (self.folder / "server.log").read_text(errors="replace")
        assert self.process.poll() is None, text
        return text.count("Server is ready") > getattr(self, "started", 0)

    def stop(self, how: signal.Signals = signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(GUARD_S)

    def restart(self, how: signal.Signals = signal.SIGTERM, away_s: float = 0.0):
        self.stop(how)
        self.started = (self.folder / "server.log").read_text(errors="replace").count("Server is ready")
        time.sleep(away_s)
        self.start()


class NatsClient:
    """A client of few words: what a worker that lies, or a network that repeats itself, needs."""

    def __init__(self, url: str, inbox: str = "_INBOX", **login):
        self.inbox = inbox
        host, port = url.removeprefix("nats://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=GUARD_S)
        self.reader = self.socket.makefile("rb")
        self.reader.readline()
        self.lock = threading.Lock()
        self.messages: queue.Queue = queue.Queue()
        self.errors: list[str] = []
        self.send(f"CONNECT {json.dumps({'verbose': False, 'pedantic': False, 'headers': True, **login})}\r\nPING\r\n")
        self.subscriptions = 0
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, text: str | bytes):
        with self.lock:
            self.socket.sendall(text.encode() if isinstance(text, str) else text)

    def read(self):
        with contextlib.suppress(OSError, ValueError):
            while line := self.reader.readline():
                words = line.decode().split()
                if words[0] == "PING":
                    self.send("PONG\r\n")
                elif words[0] == "-ERR":
                    self.errors.append(line.decode())
                elif words[0] in ("MSG", "HMSG"):
                    body = self.reader.read(int(words[-1]) + 2)[:-2]
                    headers = int(words[-2]) if words[0] == "HMSG" else 0
                    with_reply = len(words) == (5 if words[0] == "MSG" else 6)
                    self.messages.put((words[1], words[3] if with_reply else "", body[headers:]))
        self.messages.put(None)

    def subscribe(self, subject: str):
        self.subscriptions += 1
        self.send(f"SUB {subject} {self.subscriptions}\r\n")

    def publish(self, subject: str, body: bytes, reply: str = ""):
        self.send(f"PUB {subject} {reply} {len(body)}\r\n".encode() + body + b"\r\n")

    def next(self, timeout_s: float = GUARD_S):
        with contextlib.suppress(queue.Empty):
            return self.messages.get(timeout=timeout_s)
        return None

    def ask(self, subject: str, body: dict, timeout_s: float = GUARD_S):
        """A request and its first answer: subject, where to answer to, and what it says."""
        inbox = f"{self.inbox}.{secrets.token_hex(8)}"
        self.subscribe(inbox)
        self.publish(subject, json.dumps(body).encode(), inbox)
        return self.next(timeout_s)

    def close(self):
        self.socket.close()


# The version of the messages between coordinators and workers.
PROTOCOL = 2


def task_queue(signature: str) -> str:
    """Where workers of a signature ask for tasks."""
    return f"$JS.API.CONSUMER.MSG.NEXT.TABIA_TASKS.workers-v{PROTOCOL}-{signature.replace('.', '_')}"


def accounts_config(*names: str) -> str:
    """The configuration of docs/grid.md, with a user for each of these beside the coordinator. Passwords are the names."""
    text = (peer.ROOT / "docs" / "grid.md").read_text()
    config = re.search(r"```\njetstream [^\n]*\n(.*?)```", text, re.DOTALL)[1]
    config = config.replace("$COORDINATOR", "coordinator")
    if names == ("alice", "bob"):
        # As it is printed.
        return config.replace("$ALICE", "alice").replace("$BOB", "bob")
    blocks = list(re.finditer(r" *\{ user: (?!coordinator).*?\n {6}\} \}\n", config, re.DOTALL))
    alice = blocks[0][0]
    users = "".join(alice.replace("alice", name).replace("$ALICE", name) for name in names)
    return config[: blocks[0].start()] + users + config[blocks[-1].end() :]


def login(name: str) -> list[str]:
    """How a program logs in as one of these users."""
    return ["--nats-user", name, "--nats-password", name]


class GridTest(unittest.TestCase):
    """Tests with a server, workers and coordinators, none of which is there afterwards."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tabia-grid-", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def server(self, config: str = "", **options) -> NatsServer:
        server = NatsServer(self.folder / f"nats-{secrets.token_hex(3)}", config, **options)
        self.addCleanup(server.stop, signal.SIGKILL)
        return server

    def start(self, *arguments: str, prefix: list[str] | None = None) -> subprocess.Popen:
        """`tabia …`, what it says going to a file."""
        log = self.folder / f"{arguments[0]}-{secrets.token_hex(3)}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(
                [*(prefix or []), tabia_binary(), *arguments], stdout=file, stderr=file, stdin=subprocess.DEVNULL
            )
        process.log = log
        self.addCleanup(self.kill, process)
        return process

    @staticmethod
    def kill(process: subprocess.Popen):
        if process.poll() is None:
            process.kill()
        process.wait(GUARD_S)

    def worker(self, server: NatsServer, *arguments: str, **options) -> subprocess.Popen:
        return self.start("worker", "--grid", server.url, "--threads", "1", *arguments, **options)

    def finished(self, process: subprocess.Popen, code: int = 0) -> str:
        """Waits for a program to end as it should; what it said."""
        try:
            got = process.wait(GUARD_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it hangs: {said(process)[-3000:]}") from None
        self.assertEqual(got, code, said(process)[-3000:])
        return said(process)

    def run_tabia(self, *arguments: str, code: int = 0) -> str:
        return self.finished(self.start(*arguments), code)


def said(process: subprocess.Popen) -> str:
    return process.log.read_text(errors="replace")
