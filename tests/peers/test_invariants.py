"""What must be absent, looked for: each invariant of docs/architecture.md that a text search can hold.

Comments, strings and test code are blanked out before looking, so that a word is found only where it is code.
"""

import functools
import re
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CRATES = ROOT / "crates"

# Which crates of ours a crate may use. An arrow that is not here points up, or is a decision nobody wrote down.
ARROWS = {
    "core": set(),
    "eval": {"core"},
    "uci": {"core"},
    "book": {"core"},
    "grid": {"core"},
    "mcts": {"core"},
    "quantum": {"core", "mcts"},
    "session": {"core", "quantum"},
    "draw": {"core", "eval"},
    "search": {"core", "eval", "book"},
    "uci-engine": {"core", "eval", "search", "uci", "book"},
    "coach": {"core", "eval", "search"},
    "run": set(),
    "stats": {"core"},
    "games": {"core", "book"},
    "explorer": {"core", "book", "games"},
    "arena": {"core", "search", "coach", "uci", "book", "draw", "grid", "quantum", "run", "stats", "games"},
    "tune": {"core", "eval", "search", "grid", "run", "games"},
    "evolve": {"core", "eval", "search", "draw", "grid", "run", "stats", "games", "arena"},
    "net": {"core", "quantum", "mcts", "grid", "run", "stats"},
    "reproduce": {"core", "eval", "search", "run", "stats", "games", "arena", "draw", "evolve", "grid", "mcts", "quantum", "net"},
}
ARROWS["python"] = {"core", "eval", "draw", "search", "coach", "stats", "games", "arena", "quantum"}
EVERYTHING_BELOW = set(ARROWS) - {"python"}
ARROWS["server"] = EVERYTHING_BELOW
ARROWS["rpc"] = {"core", "mcts", "quantum", "net"}
ARROWS["store"] = {"core", "run", "net"}
ARROWS["fuzzing"] = EVERYTHING_BELOW | {"server", "rpc"}
ARROWS["cli"] = EVERYTHING_BELOW | {"server", "rpc", "store"}

PRINTING = r"\b(?:println|eprintln|print|eprint|dbg)!|\bio::(?:stdin|stdout|stderr)\b"
FILES_AND_NETWORK = r"\bstd::(?:fs|net|process|env)\b|\bFile::(?:open|create)\b"
THREADS = r"\b(?:std::)?thread::(?:spawn|scope|Builder|sleep)\b|\bstd::thread\b|\brayon\b"
OUTSIDE_RANDOMNESS = r"\bthread_rng\b|\bfrom_os_rng\b|\bfrom_entropy\b|\brand::rng\b|\bgetrandom\b|\bOsRng\b"
WALL_CLOCK = r"\bSystemTime\b"
CLOCK = r"\bInstant\b|\bSystemTime\b"


@functools.cache
def blanked(source: str) -> str:
    """The source with comments, strings and test modules replaced by spaces; lines keep their numbers."""
    token = re.compile(
        r"""(?P<comment>//[^\n]*|/\*.*?\*/)
          | (?P<raw>b?r(?P<hashes>\#*)".*?"(?P=hashes))
          | (?P<string>b?"(?:\\.|[^"\\])*")
          | (?P<char>'(?:\\[^\n]{1,10}?|[^\\'\n])')""",
        re.DOTALL | re.VERBOSE,
    )
    source = token.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)
    for found in re.finditer(r"#\[cfg\((?:all\()?test\b[^\]]*\]\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*\{", source):
        end = closing_brace(source, found.end())
        source = source[: found.start()] + re.sub(r"[^\n]", " ", source[found.start() : end]) + source[end:]
    return source


def without_constants(source: str) -> str:
    """The source with items `const NAME: TYPE = VALUE;` and `static` ones replaced by spaces."""
    item = r"(?ms)^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+[A-Z]\w*\s*:.*?=.*?;[ ]*$"
    return re.sub(item, lambda found: re.sub(r"[^\n]", " ", found[0]), source)


def closing_brace(source: str, at: int) -> int:
    depth = 1
    while depth and at < len(source):
        depth += {"{": 1, "}": -1}.get(source[at], 0)
        at += 1
    return at


def sources(*crates: str) -> dict[Path, str]:
    """Production code of some crates, or of all: no tests, no benches, no files that only tests include."""
    found = {}
    for crate in crates or [path.name for path in CRATES.iterdir() if path.is_dir()]:
        for path in sorted((CRATES / crate / "src").rglob("*.rs")):
            if path.stem in ("tests", "testkit", "testing") or "tests" in path.parts:
                continue
            found[path.relative_to(ROOT)] = blanked(path.read_text())
    return found


def manifests() -> dict[str, dict]:
    return {path.parent.name: tomllib.loads(path.read_text()) for path in sorted(CRATES.glob("*/Cargo.toml"))}


class InvariantTest(unittest.TestCase):
    def assert_absent(self, pattern: str, files: dict[Path, str], why: str, but_in: tuple[str, ...] = ()):
        faults = []
        for path, source in files.items():
            if str(path).endswith(but_in):
                continue
            for number, line in enumerate(source.splitlines(), 1):
                if found := re.search(pattern, line):
                    faults.append(f"{path}:{number}: {found[0]}")
        self.assertEqual(faults, [], why)


class TheSearchItself(unittest.TestCase):
    """The tests below are worth as much as `blanked`."""

    def test_only_code_is_left(self):
        source = """
            //! println! in a comment
            /* unsafe
            */
            let text = "println!(\\"x\\")"; let raw = r#"unsafe "quoted" "#; let quote = '"';
            println!("{text}");
            fn life<'a>(x: &'a str) -> &'a str { x }
            #[cfg(test)]
            mod tests { fn f() { unsafe {} } }
            unsafe {}
        """
        left = blanked(source)
        self.assertEqual(left.count("println!"), 1)
        self.assertEqual(left.count("unsafe"), 1)
        self.assertIn("fn life<'a>(x: &'a str) -> &'a str { x }", left)
        self.assertEqual(left.count("\n"), source.count("\n"))

    def test_there_is_something_to_look_at(self):
        self.assertGreater(len(sources()), 10)
        self.assertGreater(len(manifests()), 3)


class Crates(unittest.TestCase):
    def test_arrows_point_down_only(self):
        for crate, manifest in manifests().items():
            self.assertIn(crate, ARROWS, "a crate that the architecture does not know")
            kinds = ("dependencies", "dev-dependencies", "build-dependencies")
            used = {name for kind in kinds for name in manifest.get(kind, {}) if name.startswith("tabia-")}
            upwards = {name.removeprefix("tabia-") for name in used} - ARROWS[crate] - {crate}
            self.assertEqual(upwards, set(), f"{crate} uses what is not below it")

    def test_the_table_of_arrows_has_no_cycle(self):
        below: dict[str, set] = {}
        left = dict(ARROWS)
        while left:
            ready = [crate for crate, used in left.items() if used <= set(below)]
            self.assertTrue(ready, f"a cycle among {sorted(left)}")
            for crate in ready:
                below[crate] = left.pop(crate)

    def test_lints_are_the_workspaces(self):
        lints = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["lints"]
        self.assertIn(lints["rust"]["unsafe_code"], ("deny", "forbid"))
        for crate, manifest in manifests().items():
            self.assertEqual(manifest.get("lints"), {"workspace": True}, crate)

    def test_libraries_have_typed_errors(self):
        for crate, manifest in manifests().items():
            if crate != "cli":
                self.assertNotIn("anyhow", manifest.get("dependencies", {}), f"{crate}: anyhow is for cli")

    def test_a_heavy_stack_is_reached_through_one_crate_alone(self):
        stacks = {"net": ("burn", "cubecl"), "rpc": ("tonic",), "store": ("object_store", "reqwest")}
        for crate, manifest in manifests().items():
            for owner, stack in stacks.items():
                if crate != owner:
                    heavy = [name for name in manifest.get("dependencies", {}) if name.split("-")[0] in stack]
                    self.assertEqual(heavy, [], f"{crate}: that is {owner}'s")


class Code(InvariantTest):
    def test_nothing_but_cli_prints(self):
        files = {path: source for path, source in sources().items() if path.parts[1] != "cli"}
        self.assert_absent(PRINTING, files, "printing outside cli")

    def test_core_eval_uci_and_session_touch_nothing_outside(self):
        files = sources("core", "eval", "uci", "session")
        self.assert_absent(FILES_AND_NETWORK, files, "I/O in a crate that does none")
        self.assert_absent(THREADS, files, "a thread in a crate that starts none")
        self.assert_absent(r"\bstd::io\b", files, "I/O in a crate that does none")

    def test_no_clock_is_read_in_core_eval_uci_and_book(self):
        self.assert_absent(CLOCK, sources("core", "eval", "uci", "book"), "time comes in from outside")
        self.assert_absent(r"Instant::now|SystemTime", sources("session"), "moments are given by the caller")

    def test_games_of_the_server_know_neither_json_nor_streams(self):
        folders = ("chess", "quantum", "sessions")
        files = {path: source for path, source in sources("server").items() if path.parts[3] in folders}
        self.assertGreater(len(files), 10, "where are the games?")
        self.assert_absent(r"\baxum\b|serde_json|crate::(?:api|documents|app_state)\b", files, "encoding is for api/ and documents/")

    def test_only_four_crates_touch_the_network(self):
        allowed = ("server", "rpc", "store", "grid", "cli")
        files = {path: source for path, source in sources().items() if path.parts[1] not in allowed}
        self.assert_absent(r"\bstd::net\b|\btokio::net\b", files, "network outside server, rpc, store and grid")

    def test_randomness_and_dates_come_in_from_outside(self):
        files = {path: source for path, source in sources().items() if path.parts[1] not in ("cli", "server")}
        self.assert_absent(OUTSIDE_RANDOMNESS, files, "anything random takes a seed")
        self.assert_absent(WALL_CLOCK, files, "dates come in from outside")

    def test_unsafe_is_in_four_modules(self):
        engine = ("search/src/engine/prefetch.rs", "search/src/engine/huge_pages.rs")
        allowed = (*engine, "net/src/kernels.rs", "eval/src/nnue/kernels.rs")
        self.assert_absent(r"\bunsafe\b", sources(), "unsafe code", but_in=allowed)

    def test_evaluations_see_a_view_and_never_a_game(self):
        files = sources("eval")
        self.assert_absent(
            r"\bChessGame\b|\bLimits\b|\bStop\b", files, "an evaluation that knows of games or searches"
        )
        # A view is made from shakmaty's position.
        allowed = ("/view.rs",)
        self.assert_absent(r"\bChess\b", files, "an evaluation that knows shakmaty's position", but_in=allowed)

    def test_the_strong_search_walks_its_own_position(self):
        engine = CRATES / "search" / "src" / "engine"
        hot = [path for path in (engine / "node.rs", engine / "quiescence.rs", engine / "move_picker.rs") if path.exists()]
        self.assertTrue(hot, "where is the node function?")
        files = {path.relative_to(ROOT): blanked(path.read_text()) for path in hot}
        self.assert_absent(
            r"\bChess\b|\bChessGame\b|\bshakmaty::Position\b", files, "shakmaty's position in a hot loop"
        )
        self.assert_absent(r"\bdyn\b|\bBox\b", files, "dynamic dispatch or allocation in a hot loop")

    def test_no_naked_number_steers_the_search(self):
        """Every number but 0, 1 and 2 is a parameter or a named constant, in every file of the engine.

        Exempt are the declarations of parameters, bit layouts of packed words and the geometry of the board.
        """
        engine = CRATES / "search" / "src" / "engine"
        exempt = {"params.rs", "moves.rs", "transposition.rs", "tests.rs"}
        files = {}
        for path in sorted(engine.glob("*.rs")):
            if path.name not in exempt:
                files[path.relative_to(ROOT)] = without_constants(blanked(path.read_text()))
        self.assertGreater(len(files), 10, "where is the engine?")
        self.assert_absent(r"(?<![\w.])(?![012]\b)\d[\d_]*\b", files, "a number without a name")

    def test_nothing_is_left_for_later(self):
        self.assert_absent(r"\b(?:todo|unimplemented)!", sources(), "a stub")
        for path in sorted(CRATES.rglob("*.rs")):
            reasons = set(re.findall(r"#\[ignore([^\]]*)\]", path.read_text()))
            self.assertLessEqual(reasons, {' = "needs public data: make test-data"'}, f"{path}: a test that is switched off")

    def test_unwrap_is_for_tests(self):
        self.assert_absent(r"\.unwrap\(\)", sources(), "say why it holds, with expect")

    def test_every_module_says_what_it_is(self):
        for path in sorted(CRATES.glob("*/src/**/*.rs")):
            self.assertTrue(path.read_text().lstrip().startswith("//!"), f"{path.relative_to(ROOT)} has no `//!`")


if __name__ == "__main__":
    unittest.main()
