"""Every command of README and of the tour is run, so that what they say works.

A block of commands (```sh) is left out only by a comment before it that says why: `<!-- not run: why -->`. Commands run in the order of
the page, in a folder of their own; long ones are given less to do, by the table `SHORTER`, and say so there.
"""

import os
import re
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

from peer import ROOT, only_tabia

from built import tabia_binary

# No command takes this long unless something hangs.
LIMIT_S = 600
PAGES = ["README.md", "docs/tour.md"]
BLOCK = re.compile(r"(?:<!-- not run: (?P<why>[^>]+) -->\n)?```sh\n(?P<text>.*?)```", re.DOTALL)

# What takes long as it is printed: the option, and what stands after it here.
SHORTER = {
    "--depth 14": "--depth 6",
    "--games 100": "--games 2",
    "--games 10000": "--games 20",
    "--games 20": "--games 2",
    "--games 10": "--games 2",
    "--population 40": "--population 6",
    "--generations 20": "--generations 2",
    "simulations=200": "simulations=20",
    "perft 6": "perft 4",
    "tabia bench": "tabia bench --depth 5",
    "--preset tiny": "--preset tiny --set generations=1 --set games=4 --set simulations=8 --set rate_every=0",
    "--sprt 0,5": "--games 2",
    "--tc 8+0.08": "--nodes 200",
    "--nodes 5000": "--nodes 200",
    "--nodes 1000": "--nodes 100",
    "--nodes 20000": "--nodes 200",
}
LONG = re.compile("|".join(rf"{re.escape(words)}(?![\w.,])" for words in SHORTER))


def commands(page: str) -> list[tuple[str, str | None]]:
    """The commands of a page, each with the reason why it is not run, if there is one."""
    found = []
    for block in BLOCK.finditer((ROOT / page).read_text()):
        text = block["text"].replace("\\\n", " ")
        for line in text.splitlines():
            command = line.split("   #")[0].split("  #")[0].strip()
            if command and not command.startswith("#"):
                found.append((command, block["why"]))
    return found


def shortened(command: str) -> str:
    return LONG.sub(lambda found: SHORTER[found[0]], command)


class ThePagesThemselves(unittest.TestCase):
    def test_there_are_commands_and_reasons_are_sentences(self):
        for page in PAGES:
            found = commands(page)
            self.assertGreater(len([command for command, why in found if not why]), 5, page)
            for command, why in found:
                self.assertTrue(why is None or len(why.split()) > 2, f"{page}: {command}: {why}")

    def test_links_lead_somewhere(self):
        for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text()):
                if "://" not in target:
                    self.assertTrue((path.parent / target).exists(), f"{path.relative_to(ROOT)}: {target}")

    def test_long_commands_are_made_short(self):
        self.assertEqual(shortened("tabia bench"), "tabia bench --depth 5")
        self.assertEqual(shortened("tabia perft 6"), "tabia perft 4")
        self.assertEqual(shortened("tabia perft 4 --divide"), "tabia perft 4 --divide")
        self.assertEqual(shortened("tabia datagen --run data --games 10000 --nodes 1000"), "tabia datagen --run data --games 20 --nodes 100")
        self.assertEqual(shortened("--agent 'mcts(simulations=200)'"), "--agent 'mcts(simulations=20)'")


@only_tabia
class Running(unittest.TestCase):
    def run_page(self, page: str):
        with tempfile.TemporaryDirectory(prefix="tabia-docs-") as name:
            folder = Path(name)
            self.furnish(folder)
            path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
            environment = {**os.environ, "PATH": path, "HOME": name, "NO_COLOR": "1"}
            for command, why in commands(page):
                if why:
                    continue
                with self.subTest(page=page, command=command):
                    short = shortened(command)
                    self.assertEqual(shlex.split(short)[0], "tabia", "only tabia is run")
                    done = subprocess.run(
                        short,
                        shell=True,
                        cwd=folder,
                        env=environment,
                        stdin=subprocess.DEVNULL,
                        capture_output=True,
                        text=True,
                        timeout=LIMIT_S,
                    )
                    self.assertEqual(done.returncode, 0, f"{short}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")

    def furnish(self, folder: Path):
        """The binary under its name, and the files that the pages take for granted."""
        (folder / "bin").mkdir()
        (folder / "bin" / "tabia").symlink_to(os.path.abspath(tabia_binary()))
        (folder / "game.pgn").write_text('[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n')
        (folder / "wac300.epd").write_text('2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";\n')

    def test_the_readme(self):
        self.run_page("README.md")

    def test_the_tour(self):
        self.run_page("docs/tour.md")


if __name__ == "__main__":
    unittest.main()
