"""The binary on processors of other ages, emulated by QEMU's user mode.

`TABIA_BASELINE_BINARY` names a build for every x86-64, such as that of `make dist`: it plays the whole bench there. `make test` builds
for x86-64-v3 alone, and looks that such a build refuses with a sentence.
"""

import os
import re
import shutil
import subprocess
import unittest

from peer import GUARD_S, ROOT, only_tabia

from built import tabia_binary

QEMU = shutil.which("qemu-x86_64")
# A processor of 2006, without popcnt; what an x86-64-v3 build needs came in 2013.
OLD = "Conroe"


def emulated(processor: str, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([QEMU, "-cpu", processor, *words], capture_output=True, text=True, timeout=GUARD_S * 5, check=False)


@only_tabia
@unittest.skipUnless(QEMU and os.uname().machine == "x86_64", "it takes QEMU and a binary for x86-64")
class Processors(unittest.TestCase):
    def test_on_an_old_processor_it_works_or_says_why_not(self):
        """The tested binary is the build for x86-64-v3, or one for every processor: either way no illegal instruction."""
        finished = emulated(OLD, tabia_binary(), "bench", "--depth", "1")
        if finished.returncode == 0:
            native = subprocess.run([tabia_binary(), "bench", "--depth", "1"], capture_output=True, text=True, timeout=GUARD_S, check=True)
            self.assertEqual(finished.stdout.split()[0], native.stdout.split()[0])
        else:
            self.assertEqual(finished.returncode, 1, finished.stderr)
            self.assertRegex(finished.stderr, r"x86-64-v3\), and this one lacks \w+; take the binary of a release")


BASELINE = os.environ.get("TABIA_BASELINE_BINARY")


@unittest.skipUnless(QEMU and BASELINE, "it takes QEMU and a build for every x86-64")
class Baseline(unittest.TestCase):
    def test_it_plays_the_bench_signature_on_a_processor_of_2006(self):
        recorded = re.search(r"(?m)^\d+$", (ROOT / "docs/bench-signature.txt").read_text())[0]
        # Emulation takes a minute.
        words = [QEMU, "-cpu", OLD, BASELINE, "bench"]
        finished = subprocess.run(words, capture_output=True, text=True, timeout=20 * GUARD_S, check=False)
        self.assertEqual((finished.returncode, finished.stdout.split()[-4:-3]), (0, [recorded]), finished.stderr)
