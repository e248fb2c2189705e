"""Every command of README and of the pages under docs/ is run, so that what they say works.

A block of commands (```sh) is left out only by a comment before it that says why: `<!-- not run: why -->`. A command with `…` in it leaves
something to the reader, and is not run either. Commands run in the order of the page, in a folder of their own, with the files that the page
takes for granted; before a block with `<!-- in a new folder -->` they begin anew. What they set (`id=…`) stays set.

Long commands are given less to do, by the tables `MOST` and `SHORTER`. Servers that a page speaks of are started by the test, on ports that are
free, and what the page says of a GPU is done without one.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple

from nats import NatsServer
from peer import GUARD_S, ROOT, only_tabia, spare_the_proxy
from server import Server

from built import GAMES_DIR, tabia_binary

spare_the_proxy()

# No command takes this long unless something hangs.
LIMIT_S = 600

# The pages with commands, and how many of them are run at least.
PAGES = {
    "README.md": 11,
    "docs/api.md": 20,
    "docs/benchmarks.md": 0,
    "docs/coach.md": 4,
    "docs/evaluations.md": 0,
    "docs/evolution.md": 15,
    "docs/fields.md": 12,
    "docs/games.md": 4,
    "docs/grid.md": 2,
    "docs/install.md": 0,
    "docs/learning.md": 12,
    "docs/matches.md": 3,
    "docs/python.md": 0,
    "docs/quantum.md": 2,
    "docs/reproduction.md": 4,
    "docs/strength.md": 2,
    "docs/suites.md": 2,
    "docs/tour.md": 10,
    "docs/training.md": 10,
    "docs/uci.md": 1,
}

BLOCK = re.compile(r"(?:<!-- (?:not run: (?P<why>[^>]+)|(?P<anew>in a new folder)) -->\n)?```sh\n(?P<text>.*?)```", re.DOTALL)
ASSIGNMENT = re.compile(r"""(\w+)=(?:\$\(.*\)|'[^']*'|"[^"]*"|\S+)""")
LEFT_TO_THE_READER = "a part of it is left to the reader"

# What commands call: tabia, and what reads its answers.
PROGRAMS = {"tabia", "target/release/tabia", "curl"}

# How much is done here at most, whether it is written `--games 100`, `games=100` or `"games": 100`.
MOST = {
    # of everything
    "depth": 4,
    "games": 2,
    "nodes": 200,
    "simulations": 8,
    "threads": 2,
    # of learning
    "count": 20,
    "epochs": 2,
    "generations": 2,
    "iterations": 2,
    "population": 6,
    "sample": 20,
    # of networks
    "batch": 64,
    "blocks": 2,
    "channels": 16,
}
MOST_OF = {"datagen": {"games": 20}}
NUMBER = re.compile(rf"\b({'|'.join(MOST)})( |=|\": )(\d+)\b")

# What else takes long as it is printed, and what stands there here.
LITTLE_TRAINING = " ".join(
    f"--set {setting}"
    for setting in ["generations=1", "games=2", "simulations=8", "quick_simulations=4", "least_samples=1", "rate_every=1", "rate_games=2"]
)
SHORTER = {
    # with more to do by default
    "--preset small": f"--preset small {LITTLE_TRAINING}",
    "--preset tiny": f"--preset tiny {LITTLE_TRAINING}",
    "evolve --opponent 'uci(cmd=stockfish)' --run": "evolve --opponent 'uci(cmd=stockfish)' --population 4 --generations 1 --run",
    "evolve exam": "evolve exam --games 2",
    "tabia bench": "tabia bench --depth 4",
    # by a clock, or until it is decided
    "--sprt 0,5": "--games 2",
    "--tc 1+0.01": "--nodes 200",
    "--tc 8+0.08": "--nodes 200",
    '"sprt": [0, 5]': '"games": 2',
    "UCI_Elo=2100)' --games 200": "UCI_Elo=2100)' --games 2 --nodes 200",
    "cmd=old/tabia)' --sprt 0,5": "cmd=old/tabia)' --games 2 --nodes 200",
    # by what is asked for
    "perft 6": "perft 4",
    "reproduce all": "reproduce all --taste",
    "reproduce all --quick": "reproduce all --taste",
    "reproduce axiomx": "reproduce axiomx --taste",
    "reproduce quantum --training": "reproduce quantum --taste --training",
    # for ever
    "curl -sN": "curl -sN --max-time 15 --retry 0",
}
LONG = re.compile("|".join(rf"{re.escape(words)}(?![\w.,])" for words in sorted(SHORTER, key=len, reverse=True)))

# Words that stand for something of the reader's, and what that is here.
PLACEHOLDERS = {
    r"\bFEN\b": "'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'",
    r"--device cuda": "--device cpu",
    r"/mnt/backup\b": "$HOME/backup",
    r"\bc-2\.json": "c/weights.json",
    r"\be-3\.json": "e/weights.json",
    r"\bf-3\.json": "f/weights.json",
    r"\bg-3\.json": "g/weights.json",
    r"\bh-4\.json": "h/weights.json",
    r"\baveraged-80\b": "final",
}

# Servers as the pages name them.
LABORATORY = "http://127.0.0.1:8050"
QUEUE = "nats://localhost:4222"

# What is refused, as the page says; curl ends with these when a server refuses, and when a stream went on for as long as it was listened to.
REFUSED = "axiomy"
CURL_REFUSED, CURL_LISTENED = 22, 28

# Files that pages take for granted.
GAME = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'
LONG_GAME = """[White "Capablanca"]
[Black "Tartakower"]
[Result "1-0"]

1. d4 e6 2. Nf3 f5 3. c4 Nf6 4. Bg5 Be7 5. Nc3 O-O 6. e3 b6 7. Bd3 Bb7 8. O-O Qe8 9. Qe2 Ne4 10. Bxe7 Nxc3 11. bxc3 Qxe7 12. a4 Bxf3 13. Qxf3 Nc6
14. Rfb1 Rae8 15. Qh3 Rf6 16. f4 Na5 17. Qf3 d6 18. Re1 Qd7 19. e4 fxe4 20. Qxe4 g6 21. g3 Kf8 22. Kg2 Rf7 23. h4 d5 24. cxd5 exd5 25. Qxe8+ Qxe8
26. Rxe8+ Kxe8 27. h5 Rf6 28. hxg6 hxg6 29. Rh1 Kf8 30. Rh7 Rc6 31. g4 Nc4 32. g5 Ne3+ 33. Kf3 Nf5 34. Bxf5 gxf5 1-0
"""
SUITE = '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";\n'
PUZZLES = """PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags
one,r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3,f8c5 f3f7,600,75,95,100,mateIn1,https://lichess.org/one,
two,6k1/5ppp/8/8/8/8/r4PPP/3R2K1 b - - 0 1,a2b2 d1d8,700,75,95,100,mateIn1,https://lichess.org/two,
"""
FILES = {
    "bk24.epd": SUITE,
    "game.pgn": GAME,
    "games.pgn": LONG_GAME,
    "kaufman25.epd": SUITE,
    "lichess_puzzles.csv": PUZZLES,
    "masters.pgn": LONG_GAME,
    "wac300.epd": SUITE,
}
# What takes a command to make.
MADE = {
    "positions.samples": "tabia datagen --run made --games 20 --nodes 100 --output positions.samples",
    "runs/quantum": f"tabia quantum train --preset tiny {LITTLE_TRAINING} --run runs/quantum",
}
# Builds of Tabia at other places.
BUILDS = ["new/tabia", "old/tabia", "target/release/tabia"]


class Command(NamedTuple):
    text: str
    # Why it is not run, if it is not.
    why: str | None = None
    # Whether a new folder begins with it.
    anew: bool = False


def commands(page: str) -> list[Command]:
    found = []
    for block in BLOCK.finditer((ROOT / page).read_text()):
        anew = bool(block["anew"])
        for line in block["text"].replace("\\\n", " ").splitlines():
            text = re.split(r"\s+# ", line)[0].strip()
            if text and not text.startswith("#"):
                why = block["why"] or (LEFT_TO_THE_READER if "…" in text else None)
                found.append(Command(text, why, anew))
                anew = anew and bool(why)
    return found


def run_of(page: str) -> list[Command]:
    return [command for command in commands(page) if not command.why]


def shortened(command: str) -> str:
    most = MOST | next((less for word, less in MOST_OF.items() if f"tabia {word} " in command), {})
    command = LONG.sub(lambda found: SHORTER[found[0]], command)
    return NUMBER.sub(lambda found: found[1] + found[2] + str(min(int(found[3]), most[found[1]])), command)


def filled_in(command: str) -> str:
    for word, meaning in PLACEHOLDERS.items():
        command = re.sub(word, lambda _, meaning=meaning: meaning, command)
    return command


class ThePagesThemselves(unittest.TestCase):
    def test_every_page_with_commands_is_known(self):
        pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
        names = [str(path.relative_to(ROOT)) for path in pages]
        self.assertEqual([name for name in names if commands(name)], sorted(PAGES))

    def test_there_are_commands_and_reasons_are_sentences(self):
        for page, least in PAGES.items():
            self.assertGreaterEqual(len(run_of(page)), least, page)
            for command in commands(page):
                self.assertTrue(command.why is None or len(command.why.split()) > 2, f"{page}: {command.text}: {command.why}")

    def test_links_lead_somewhere(self):
        for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text()):
                if "://" not in target:
                    self.assertTrue((path.parent / target).exists(), f"{path.relative_to(ROOT)}: {target}")

    def test_long_commands_are_made_short(self):
        for long, short in [
            ("tabia bench", "tabia bench --depth 4"),
            ("tabia perft 6", "tabia perft 4"),
            ("tabia perft 4 --divide", "tabia perft 4 --divide"),
            ("tabia suite wac300.epd --nodes 20000 --seed 7000", "tabia suite wac300.epd --nodes 200 --seed 7000"),
            ("tabia datagen --run data --games 10000 --nodes 1000", "tabia datagen --run data --games 20 --nodes 200"),
            ("tabia match --tc 8+0.08 --games 100", "tabia match --nodes 200 --games 2"),
            ("--agent 'mcts(simulations=200)'", "--agent 'mcts(simulations=8)'"),
            ("""-d '{"games": 20, "depth": 2}'""", """-d '{"games": 2, "depth": 2}'"""),
        ]:
            self.assertEqual(shortened(long), short)


@only_tabia
class Running(unittest.TestCase):
    """A test for each page, made below."""

    def run_page(self, page: str):
        found = run_of(page)
        text = "\n".join(command.text for command in found)
        if not found:
            self.skipTest("none of its commands is run")
        for program in ("curl", "jq"):
            if re.search(rf"\b{program} ", text) and not shutil.which(program):
                self.skipTest(f"{program} is not installed")
        home = tempfile.TemporaryDirectory(prefix="tabia-docs-", ignore_cleanup_errors=True)
        self.addCleanup(home.cleanup)
        self.home = Path(home.name)
        self.environment = self.at_home()
        self.addresses = self.servers(text)
        self.background: list[subprocess.Popen] = []
        for number, command in enumerate(found):
            if command.anew or number == 0:
                self.folder = self.home / f"from-{number}"
                self.furnish(text)
            with self.subTest(page=page, command=command.text):
                self.run_command(command.text)
        for process in self.background:
            self.assertIsNone(process.poll(), f"{process.args}: it ended by itself")

    def run_command(self, text: str):
        text = filled_in(shortened(text))
        for name, address in self.addresses.items():
            text = text.replace(name, address)
        assignment = ASSIGNMENT.fullmatch(text)
        if assignment:
            text = f'{text} && printf %s "${assignment[1]}"'
        else:
            self.assertIn(shlex.split(text)[0], PROGRAMS, "only these are run")
        if text.endswith("&"):
            return self.start(text.removesuffix("&"))
        shell = ["bash", "-o", "pipefail", "-c", text]
        done = subprocess.run(
            shell, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S
        )
        said = f"{text}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        endings = {CURL_REFUSED} if REFUSED in text else {0, CURL_LISTENED} if "/events" in text else {0}
        self.assertIn(done.returncode, endings, said)
        if assignment:
            self.environment[assignment[1]] = done.stdout
        if assignment or text.startswith("curl"):
            self.assertTrue(done.stdout, said)

    def start(self, text: str):
        """What ends with `&` goes on until the page is done."""
        process = subprocess.Popen(
            ["bash", "-c", f"exec {text}"], cwd=self.folder, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.background.append(process)
        self.addCleanup(process.wait, GUARD_S)
        self.addCleanup(process.kill)

    def at_home(self) -> dict[str, str]:
        """The environment, with the binary under its name; for curl a refusal is a failure, and a server that is busy is asked again."""
        (self.home / "bin").mkdir()
        (self.home / "bin" / "tabia").symlink_to(os.path.abspath(tabia_binary()))
        (self.home / ".curlrc").write_text("fail-with-body\nretry = 10\n")
        path = os.pathsep.join([str(self.home / "bin"), os.environ["PATH"], GAMES_DIR])
        return {**os.environ, "PATH": path, "HOME": str(self.home), "NO_COLOR": "1"}

    def servers(self, text: str) -> dict[str, str]:
        """Starts those that are spoken of, and says where they are."""
        addresses = {}
        if LABORATORY in text:
            server = Server(self.home / "laboratory")
            self.addCleanup(server.kill)
            self.addCleanup(server.close)
            addresses[LABORATORY] = server.address
        if QUEUE in text:
            server = NatsServer(self.home / "nats")
            self.addCleanup(server.stop, signal.SIGKILL)
            addresses[QUEUE] = server.url
        return addresses

    def furnish(self, text: str):
        """A new folder, with the files that the commands take for granted."""
        self.folder.mkdir()
        for name, content in FILES.items():
            if re.search(rf"\b{re.escape(name)}", text):
                (self.folder / name).write_text(content)
        for name in BUILDS:
            if name in text:
                (self.folder / name).parent.mkdir(parents=True)
                (self.folder / name).symlink_to(os.path.abspath(tabia_binary()))
        for name, command in MADE.items():
            if f" {name} " in text:
                subprocess.run(command, shell=True, cwd=self.folder, env=self.environment, capture_output=True, check=True, timeout=LIMIT_S)


def running(page: str):
    return lambda self: self.run_page(page)


for known in PAGES:
    setattr(Running, f"test_the_commands_of_{Path(known).stem.lower()}_run", running(known))


if __name__ == "__main__":
    unittest.main()
