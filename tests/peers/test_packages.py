"""What a release carries: the Debian package, the bill of materials, the container's steps; and a start without tools."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from peer import GUARD_S, ROOT, only_tabia

from built import tabia_binary


def run(*command: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S * 5, cwd=ROOT, check=False, **options)


def done(*command: str, **options) -> str:
    finished = run(*command, **options)
    if finished.returncode:
        raise AssertionError(f"{' '.join(command)}: {finished.stdout}{finished.stderr}")
    return finished.stdout


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def asks_for_libc(binary: str) -> bool:
    """Whether the binary loads the system's C library; a static one (musl) names no library."""
    return "[libc.so.6]" in done("readelf", "--dynamic", "--wide", binary)


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tabia-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


@only_tabia
@unittest.skipUnless(shutil.which("dpkg-deb"), "Debian packages are made on Debian")
class DebianPackage(WithFolder):
    def dpkg(self, *words: str):
        root = self.folder / "root"
        done("dpkg", f"--root={root}", "--force-not-root", "--force-depends", "--log=/dev/null", *words, env=os.environ | {"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"})

    def test_it_installs_works_and_leaves_nothing(self):
        def packed(folder: Path) -> str:
            quick = os.environ | {"COMPRESSION": "none"}
            return done("tools/deb.sh", os.path.abspath(tabia_binary()), str(folder), env=quick).strip()

        package, again = packed(self.folder), packed(self.folder / "again")
        self.assertEqual(Path(package).read_bytes(), Path(again).read_bytes(), "the same files give the same bytes")

        fields = done("dpkg-deb", "--field", package)
        self.assertRegex(fields, r"(?m)^Package: tabia$")
        if asks_for_libc(tabia_binary()):
            self.assertRegex(fields, r"(?m)^Depends: libc6 \(>= 2\.\d+\)")
        else:
            self.assertNotIn("Depends:", fields, "a static binary needs no package")

        root = self.folder / "root"
        database = root / "var/lib/dpkg"
        for folder in ("info", "updates", "triggers", "parts"):
            (database / folder).mkdir(parents=True)
        (database / "status").touch()
        before = files(root)
        self.dpkg("--install", package)
        version = done(str(root / "usr/bin/tabia"), "--version")
        self.assertEqual(version, done(tabia_binary(), "--version"))
        self.assertIn("root/root", done("dpkg-deb", "--contents", package).splitlines()[0])
        if shutil.which("man"):
            page = done("man", "-M", str(root / "usr/share/man"), "tabia", env=os.environ | {"MANPAGER": "cat"})
            self.assertIn("TABIA", page.upper())
        # Bash completes a command by the script that was installed.
        script = root / "usr/share/bash-completion/completions/tabia"
        question = f"source {script}; COMP_WORDS=(tabia quan); COMP_CWORD=1; _tabia tabia quan tabia; echo ${{COMPREPLY[@]}}"
        self.assertIn("quantum", done("bash", "-c", question))

        self.dpkg("--purge", "tabia")
        left = {path for path in files(root) - before if not path.startswith("var/lib/dpkg/")}
        self.assertEqual(left, set())
        self.assertFalse((root / "usr").exists() and files(root / "usr"))


class BillOfMaterials(unittest.TestCase):
    def test_it_names_what_the_binary_is_built_from(self):
        bill = json.loads(done(sys.executable, "tools/sbom.py", "tabia"))
        self.assertEqual((bill["bomFormat"], bill["specVersion"]), ("CycloneDX", "1.5"))
        names = {component["name"] for component in bill["components"]}
        self.assertLessEqual({"shakmaty", "tabia-core", "axum"}, names)
        self.assertNotIn("proptest", names, "what only tests need is not in the binary")
        self.assertNotIn("pyo3", names, "nor is what only Python needs")
        for component in bill["components"]:
            if "purl" in component:
                self.assertRegex(component["hashes"][0]["content"], "^[0-9a-f]{64}$")
                self.assertTrue(component["licenses"][0]["expression"], component["name"])
        known = {component["bom-ref"] for component in bill["components"]} | {bill["metadata"]["component"]["bom-ref"]}
        for entry in bill["dependencies"]:
            self.assertLessEqual(set(entry["dependsOn"]), known)


class Containers(unittest.TestCase):
    def test_the_containerfile_copies_what_is_there_and_builds_what_it_names(self):
        self.assertEqual(done(sys.executable, "tools/containerfile.py", "check"), "")

    def test_it_builds_as_make_does(self):
        text = (ROOT / "Containerfile").read_text()
        self.assertIn("cargo build --release -p tabia --locked", text)
        self.assertIn("cargo build", done("make", "-n", "build", "CARGO=cargo"))


class WithoutTools(WithFolder):
    """`make run` where Rust or Node.js is missing."""

    def path_without(self, *missing: str) -> str:
        """A PATH with what make needs, and nothing of what is missing."""
        tools = self.folder / "tools"
        tools.mkdir()
        for name in ("bash", "sh", "make", "awk", "find", "grep", "sed", "tar", "gzip", "mkdir", "touch", "cp", "env", "cargo", "npm", "node", "git"):
            found = shutil.which(name)
            if found and name not in missing:
                (tools / name).symlink_to(found)
        return str(tools)

    def test_without_rust_it_says_the_line_that_installs_it(self):
        finished = run("make", "--no-print-directory", "run", env={"PATH": self.path_without("cargo"), "HOME": str(self.folder)})
        self.assertNotEqual(finished.returncode, 0)
        self.assertIn("Rust is missing; install it with: curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh", finished.stdout)

    def test_without_node_the_page_of_a_release_is_taken(self):
        clone = self.folder / "clone"
        for name in ("Makefile", "crates/server/build.rs", "web/package-lock.json"):
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, clone / name)
        environment = {"PATH": self.path_without("npm", "node"), "HOME": str(self.folder)}

        # Compiling is left out: a program in cargo's place writes the binary, which says that it serves.
        cargo = self.folder / "cargo"
        binary = clone / "target/release/tabia"
        cargo.write_text(f"#!/bin/sh\nmkdir -p {binary.parent}\nprintf '#!/bin/sh\\necho tabia \"$@\"\\n' >{binary}\n/bin/chmod +x {binary}\n")
        cargo.chmod(0o755)

        def started() -> subprocess.CompletedProcess:
            return subprocess.run(
                ["make", "--no-print-directory", "run", f"CARGO={cargo}"],
                cwd=clone, env=environment, capture_output=True, text=True, timeout=GUARD_S * 5, check=False,
            )

        refused = started()
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("page.tar.gz", refused.stdout)
        page = self.folder / "page"
        page.mkdir()
        (page / "index.html").write_text("<!doctype html>")
        done("tar", "-czf", str(clone / "tabia-0.1.0-page.tar.gz"), "-C", str(page), ".")
        finished = started()
        self.assertEqual((finished.returncode, finished.stdout.splitlines()[-1]), (0, "tabia serve"), finished.stderr)
        self.assertEqual((clone / "web/dist/index.html").read_text(), "<!doctype html>")
        (clone / "tabia-0.1.0-page.tar.gz").unlink()
        self.assertEqual(started().returncode, 0, "a page that is there will do")
