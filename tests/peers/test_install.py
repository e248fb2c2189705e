"""`make install` into a folder of its own, and `make uninstall`."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from peer import GUARD_S, ROOT, only_tabia

from built import tabia_binary


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S * 5, check=True, cwd=ROOT)
    return done.stdout


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


@only_tabia
class Installing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tabia-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.binary = os.path.abspath(tabia_binary())

    def make(self, target: str, *settings: str):
        run("make", "--no-print-directory", target, f"TABIA={self.binary}", f"DESTDIR={self.folder}", *settings)

    def test_binary_completions_and_manual_are_put_in_place_and_taken_away(self):
        self.make("install", "PREFIX=/usr")
        share = self.folder / "usr/share"
        commands = re.findall(r"^  ([a-z]+) ", run(self.binary, "--help").split("Commands:")[1].split("Options:")[0], re.MULTILINE)
        self.assertGreater(len(commands), 10)
        pages = {path.name for path in (share / "man/man1").iterdir()}
        self.assertLessEqual({"tabia.1", *(f"tabia-{command}.1" for command in commands)}, pages)
        self.assertIn(".TH tabia-play 1", (share / "man/man1/tabia-play.1").read_text())
        version = run(str(self.folder / "usr/bin/tabia"), "--version")
        self.assertEqual(version, run(self.binary, "--version"))
        for path, shell in [
            ("bash-completion/completions/tabia", "bash"),
            ("zsh/site-functions/_tabia", "zsh"),
            ("fish/vendor_completions.d/tabia.fish", "fish"),
        ]:
            script = share / path
            self.assertIn("quantum", script.read_text(), shell)
            if shutil.which(shell):
                run(shell, "-n", str(script))
        self.make("uninstall", "PREFIX=/usr")
        self.assertEqual(files(self.folder), set())

    def test_it_goes_to_usr_local_unless_told_otherwise(self):
        self.make("install")
        self.assertIn("usr/local/bin/tabia", files(self.folder))

    def test_what_was_not_built_is_not_installed(self):
        made = subprocess.run(
            ["make", "install", "TABIA=no/such/binary", f"DESTDIR={self.folder}"],
            capture_output=True,
            text=True,
            timeout=GUARD_S,
            cwd=ROOT,
        )
        self.assertNotEqual(made.returncode, 0)
        self.assertIn("`make build` first", made.stdout)
        self.assertEqual(files(self.folder), set())


if __name__ == "__main__":
    unittest.main()
