"""Engines that web clients name, attacked through a real server: files outside, processes that stay, the server's secrets."""

import os
import shutil
import tempfile
import time
import unittest
from pathlib import Path

from peer import GUARD_S
from server import ServerTest

from built import GAMES_DIR
from tabia import Problem, Tabia

STOCKFISH = shutil.which("stockfish", path=os.pathsep.join([os.environ.get("PATH", ""), GAMES_DIR]))

# Plays e7e5, and at its first move does what the test has written between.
ENGINE = """#!/bin/sh
while read -r line; do
    case "$line" in
    uci) echo uciok ;;
    isready) echo readyok ;;
    go*) {attack}
        echo "bestmove e7e5" ;;
    quit) exit 0 ;;
    esac
done
"""


def processes_with(text: str) -> list[int]:
    """Processes, zombies left out, whose command line has a text."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if text.encode() in (path / "cmdline").read_bytes() and int(path.name) != os.getpid():
                found.append(int(path.name))
        except OSError:
            pass  # It ended meanwhile.
    return found


class Confinement(ServerTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory(prefix="tabia-confinement-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.engines = self.folder / "engines"
        self.engines.mkdir()
        # Where the server runs.
        self.home = self.folder / "home"
        self.home.mkdir()
        (self.home / ".profile").write_text("precious\n")

    def start_here(self):
        return self.start("--allow-uci", str(self.engines), cwd=self.home)

    def engine(self, name: str, attack: str):
        path = self.engines / name
        path.write_text(ENGINE.format(attack=attack))
        path.chmod(0o755)

    def eventually(self, what: str, holds):
        deadline = time.monotonic() + GUARD_S
        while not holds():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.02)

    def is_untouched(self):
        self.assertEqual([path.name for path in self.home.iterdir()], [".profile"])
        self.assertEqual((self.home / ".profile").read_text(), "precious\n")

    @unittest.skipUnless(STOCKFISH, "Stockfish is not here")
    def test_stockfish_writes_no_log_for_a_client(self):
        (self.engines / "stockfish").symlink_to(STOCKFISH)
        tabia = Tabia(self.start_here().address)
        for name in ("victim.txt", ".profile"):
            spec = f"uci(cmd=stockfish,option.Debug_Log_File={name})"
            for ask in (
                lambda spec=spec: tabia.new_game(black=spec).play("e4"),
                lambda spec=spec: list(tabia.lines(agent=spec, depth=1)),
                lambda spec=spec: tabia.ask("POST", "/runs", {"kind": "match", "agents": [spec, "random"]}),
            ):
                with self.assertRaises(Problem) as raised:
                    ask()
                    time.sleep(2)  # Where it is not refused, there is time for the harm.
                self.assertEqual(raised.exception.document["status"], 403)
                self.assertIn("Skill_Level", raised.exception.document["detail"])
        self.is_untouched()

    @unittest.skipUnless(STOCKFISH, "Stockfish is not here")
    def test_stockfish_plays_within_its_limits(self):
        (self.engines / "stockfish").symlink_to(STOCKFISH)
        tabia = Tabia(self.start_here().address)
        game = tabia.new_game(
            black="uci(cmd=stockfish,option.Hash=64,option.Threads=2,option.Skill_Level=5)", black_limits={"depth": 8}
        )
        game.play("e4")
        self.assertEqual(len(game.wait()["moves"]), 2)
        self.is_untouched()

    def test_an_engine_that_escapes_is_ended_with_its_game(self):
        seconds = str(100_000_000 + os.getpid())
        self.engine("daemon", f"setsid sh -c 'setsid sleep {seconds} & sleep {seconds}' > /dev/null 2>&1 &")
        server = self.start_here()
        tabia = Tabia(server.address)
        game = tabia.new_game(black="uci(cmd=daemon)")
        game.play("e4")
        game.wait()
        self.eventually("they run", lambda: len(processes_with(f"sleep\0{seconds}")) == 2)
        tabia.open("DELETE", f"/games/{game.id}").close()
        self.eventually("they are ended", lambda: not processes_with(seconds))

        game = tabia.new_game(black="uci(cmd=daemon)")
        game.play("e4")
        game.wait()
        self.eventually("they run", lambda: len(processes_with(f"sleep\0{seconds}")) == 2)
        server.kill()
        self.eventually("they are ended with a server that is killed", lambda: not processes_with(seconds))
        self.eventually("no scratch directory is left", lambda: not self.scratch())

    def scratch(self) -> list[Path]:
        """Scratch directories that an engine of this test has marked."""
        mark = f"marked-by-{os.getpid()}"
        # Other directories may vanish meanwhile: a path that is gone does not exist, where a glob would fail.
        return [home / mark for home in Path(tempfile.gettempdir()).glob("tabia-engine-*") if (home / mark).exists()]

    def test_an_engine_writes_in_its_own_directory_alone(self):
        home, mark = self.home, f"marked-by-{os.getpid()}"
        self.engine(
            "writer",
            f'echo harm > "{home}/victim.txt"; echo harm >> "{home}/.profile"; echo harm > "{self.data}/x"; echo fine > {mark}',
        )
        server = self.start_here()
        tabia = Tabia(server.address)
        game = tabia.new_game(black="uci(cmd=writer)")
        game.play("e4")
        self.assertEqual(len(game.wait()["moves"]), 2, "it plays on")
        self.assertEqual(len(self.scratch()), 1)
        if landlock():
            self.is_untouched()
            self.assertFalse((self.data / "x").exists())
        self.assertEqual(server.close(), 0)
        self.eventually("the scratch directory is removed", lambda: not self.scratch())

    def test_an_engine_in_a_match_that_a_client_starts_is_confined(self):
        seconds = str(200_000_000 + os.getpid())
        self.engine("match", f'echo harm > "{self.home}/victim.txt"; setsid sleep {seconds} > /dev/null 2>&1 &')
        tabia = Tabia(self.start_here().address)
        run = tabia.ask(
            "POST",
            "/runs",
            {"kind": "match", "agents": ["x=uci(cmd=match)", "random"], "games": 2, "nodes": 10, "concurrency": 1},
        )
        path = f"/runs/{run['id']}"
        self.eventually("it has its result", lambda: tabia.ask("GET", path)["state"] == "finished")
        self.eventually("nothing is left", lambda: not processes_with(seconds))
        if landlock():
            self.is_untouched()


def landlock() -> bool:
    """Whether the kernel restricts what processes open: Landlock's system call tells its version."""
    import ctypes

    return ctypes.CDLL(None).syscall(444, None, 0, 1) >= 1


if __name__ == "__main__":
    unittest.main()
