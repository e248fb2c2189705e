"""A server to test against: the binary on a port of its own, its games in a folder that is gone afterwards."""

import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from peer import GUARD_S, ROOT

from built import tabia_binary

sys.path.insert(0, str(ROOT / "examples" / "python"))

__all__ = ["ServerTest", "Server"]


class Server:
    def __init__(self, data: Path, *arguments: str, cwd: Path | None = None):
        command = [tabia_binary(), "serve", "--addr", "127.0.0.1:0", "--data", str(data), *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=cwd)
        line = self.process.stdout.readline()
        self.address = re.search(r"http://[^/ ]+", line)[0]

    def close(self) -> int:
        """Asks it to end, and gives its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(GUARD_S)

    def kill(self):
        self.process.kill()
        self.process.wait(GUARD_S)
        self.process.stdout.close()


class ServerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tabia-")
        self.addCleanup(folder.cleanup)
        self.data = Path(folder.name)

    def start(self, *arguments: str, cwd: Path | None = None) -> Server:
        server = Server(self.data, *arguments, cwd=cwd)
        self.addCleanup(server.kill)
        return server
