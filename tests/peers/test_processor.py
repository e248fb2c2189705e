"""The binary on processors of other ages, emulated by QEMU's user mode."""

import os
import shutil
import subprocess
import unittest

from peer import GUARD_S, only_tabia

from built import tabia_binary

QEMU = shutil.which("qemu-x86_64")
# A processor of 2006, without popcnt; what an x86-64-v3 build needs came in 2013.
OLD = "Conroe"


def emulated(processor: str, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([QEMU, "-cpu", processor, *words], capture_output=True, text=True, timeout=GUARD_S, check=False)


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
