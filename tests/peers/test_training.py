"""`tabia quantum train`: killed and gone on with, read by TensorBoard, and its network run by onnxruntime; networks in half precision."""

import hashlib
import importlib.util
import json
import os
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import peer
from built import tabia_binary

GUARD_S = 300
# Small enough that a generation takes a second or two, whatever else the machine does.
TINY = [
    f"--set={assignment}"
    for assignment in ("blocks=1", "generations=3", "games=6", "simulations=8", "quick_simulations=4", "candidates=4",
                       "ply_limit=24", "most_branches=8", "least_samples=10", "batch=32", "rate_every=0")
]  # fmt: skip


SCRIPT = peer.ROOT / "crates" / "net" / "src" / "device" / "torch.py"
HALF_NETWORK = peer.ROOT / "tools" / "half_network.py"
# A Python with PyTorch: this one, or the one that is named. It is too large to be installed for a test.
TORCH_PYTHON = os.environ.get("TABIA_TORCH_PYTHON") or (sys.executable if importlib.util.find_spec("torch") else None)
# Says hello as the real one does, and answers every question with zeros.
WRONG_ANSWERS = """
import struct, sys
def reply(lane, payload):
    sys.stdout.buffer.write(struct.pack("<2I", lane, len(payload)) + payload)
    sys.stdout.buffer.flush()
reply(0, b"nobody")
while head := sys.stdin.buffer.read(28):
    kind, lane, player, rows, cells, moves, size = struct.unpack("<7I", head)
    sys.stdin.buffer.read(size)
    if kind == 2:
        if LIVES == 0:
            sys.exit("it was all too much")
        reply(lane, bytes(4 * (2 * rows + moves)))
"""


def tabia(*arguments: str) -> subprocess.CompletedProcess:
    command = [tabia_binary(), "quantum", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S, check=False)


def train(*arguments: str) -> dict:
    done = tabia("train", "--json", "--threads", "2", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def start(*arguments: str) -> subprocess.Popen:
    command = [tabia_binary(), "quantum", "train", "--threads", "2", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_until(condition, what: str):
    deadline = time.monotonic() + GUARD_S
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)


class Training(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_a_training_killed_again_and_again_ends_with_the_same_network(self):
        whole = train("--preset", "tiny", *TINY, "--run", str(self.folder / "whole"))
        self.assertEqual((whole["ending"], len(whole["generations"])), ("finished", 3))
        run = self.folder / "killed"
        moments = ["games-0001.part", "games-0001.bin", "checkpoint-0001.safetensors", "games-0002.bin",
                   "checkpoint-0002.safetensors"]  # fmt: skip
        arguments = ["--preset", "tiny", *TINY, "--run", str(run)]
        for moment in moments:
            process = start(*arguments)
            wait_until(lambda: (run / moment).exists() or process.poll() is not None, moment)
            process.kill()
            process.communicate()
            if (run / "manifest.toml").exists():
                arguments = ["--resume", str(run)]
        resumed = train("--resume", str(run))
        self.assertEqual(resumed["ending"], "finished")
        self.assertEqual([line["generation"] for line in resumed["generations"]], [1, 2, 3])
        final = "final.safetensors"
        self.assertEqual((run / final).read_bytes(), (self.folder / "whole" / final).read_bytes())

    def test_a_polite_kill_writes_the_network_and_is_no_failure(self):
        run = self.folder / "polite"
        process = start("--preset", "tiny", *TINY, "--set", "games=100000", "--run", str(run))
        wait_until(lambda: (run / "games-0001.part").exists() or process.poll() is not None, "the first game")
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=GUARD_S)
        self.assertEqual(process.returncode, 0, said)
        self.assertTrue((run / "final.safetensors").exists())
        played = tabia("match", "--agent", f"net(weights={run / 'final.safetensors'},simulations=2)", "--agent", "random",
                       "--games", "2", "--json")  # fmt: skip
        self.assertEqual(played.returncode, 0, played.stderr)

    def test_bad_input_is_refused_with_what_would_be_right(self):
        for arguments, code, words in [
            (["train", "--set", "game=3", "--run", str(self.folder / "x")], 2, 'did you mean "games"?'),
            (["train", "--minutes", "0", "--run", str(self.folder / "x")], 2, "expected more than 0"),
            (["train", "--resume", str(self.folder / "nowhere")], 1, "nowhere"),
            (["export", "--weights", __file__, "--output", str(self.folder / "x.onnx")], 1, "is not valid"),
        ]:
            with self.subTest(words):
                done = tabia(*arguments)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(words, done.stderr)

    def test_tensorboard_reads_the_curves(self):
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

        run = self.folder / "curves"
        lines = train("--preset", "tiny", *TINY, "--run", str(run))["generations"]
        events = EventAccumulator(str(run))
        events.Reload()
        for tag in ("loss/total", "loss/policy", "loss/value", "lr", "buffer_size"):
            self.assertIn(tag, events.Tags()["scalars"])
        for event, line in zip(events.Scalars("loss/policy"), lines, strict=True):
            self.assertEqual(event.step, line["steps"])
            self.assertAlmostEqual(event.value, line["policy_loss"], places=4)
            # Dates are those of this day, not seconds since the start.
            self.assertAlmostEqual(event.wall_time, time.time(), delta=3600)

    def test_onnxruntime_gives_the_same_answers(self):
        import numpy
        import onnxruntime

        for shape in (["channels=16", "blocks=2"], ["channels=32", "blocks=1", "value=scalar"]):
            with self.subTest(shape[-1]):
                run = self.folder / shape[-1]
                settings = [f"--set={assignment}" for assignment in [*shape, "generations=1"]]
                train("--preset", "tiny", *TINY, *settings, "--run", str(run))
                onnx, probe = self.folder / "net.onnx", self.folder / "probe.json"
                done = tabia("export", "--weights", str(run / "final.safetensors"), "--output", str(onnx),
                             "--probe", str(probe))  # fmt: skip
                self.assertEqual(done.returncode, 0, done.stderr)
                probes = json.loads(probe.read_text())
                session = onnxruntime.InferenceSession(str(onnx), providers=["CPUExecutionProvider"])
                planes = numpy.array([probe["planes"] for probe in probes], dtype=numpy.float32).reshape(-1, 28, 8, 8)
                policy, said = session.run(None, {"planes": planes})
                self.assertEqual(policy.shape, (len(probes), 9344))
                for row, value, probe in zip(policy, said, probes, strict=True):
                    numpy.testing.assert_allclose(row[probe["moves"]], probe["logits"], atol=1e-4)
                    value = value[0] - value[2] if len(value) == 3 else value[0]
                    self.assertAlmostEqual(float(value), probe["value"], delta=1e-4)


class Device(unittest.TestCase):
    """Arithmetic elsewhere: `--device`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def python(self, program: str) -> str:
        path = self.folder / "python"
        path.write_text(f"#!{sys.executable}\n{program}")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def refused(self, *arguments: str) -> str:
        run = self.folder / "run"
        done = tabia("train", *TINY, "--run", str(run), *arguments)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertFalse(run.exists(), "nothing is begun that cannot be gone on with")
        return done.stderr

    def test_a_python_that_cannot_help_is_said_to(self):
        self.assertIn("it cannot be started", self.refused("--device", "cuda", "--python", "/nowhere/python3"))
        nothing = self.python('import sys; sys.exit("this Python has no PyTorch")')
        said = self.refused("--device", "cuda", "--python", nothing)
        self.assertIn("this Python has no PyTorch; choose another one with --python", said)

    def test_answers_that_are_not_ours_are_refused(self):
        wrong = self.python(WRONG_ANSWERS.replace("LIVES", "1"))
        self.assertIn("its outputs differ from the CPU's by", self.refused("--device", "torch", "--python", wrong))
        mortal = self.python(WRONG_ANSWERS.replace("LIVES", "0"))
        self.assertIn("it was all too much", self.refused("--device", "torch", "--python", mortal))

    def test_signals_to_the_whole_process_group_are_left_to_tabia(self):
        # Stands in for what takes longest to import; whoever ignores the signals gets to the end of it.
        for name in ("SIGINT", "SIGHUP", "SIGTERM"):
            with self.subTest(name):
                module = f'import signal\nsignal.raise_signal(signal.{name})\nraise ImportError("still there")\n'
                (self.folder / "numpy.py").write_text(module)
                done = subprocess.run([sys.executable, "-c", SCRIPT.read_text(), "{}"], capture_output=True, text=True,
                                      env={**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"},
                                      timeout=GUARD_S, check=False)  # fmt: skip
                self.assertEqual((done.returncode, done.stderr), (3, "this Python has no PyTorch (still there)\n"))

    @unittest.skipUnless(TORCH_PYTHON, "no PyTorch here; TABIA_TORCH_PYTHON names a Python that has it")
    def test_pytorch_learns_what_we_learn(self):
        ours = train("--preset", "tiny", *TINY, "--run", str(self.folder / "ours"))
        device = ["--device", "torch", "--python", TORCH_PYTHON]
        theirs = train("--preset", "tiny", *TINY, "--run", str(self.folder / "theirs"), *device)
        for own, other in zip(ours["generations"], theirs["generations"], strict=True):
            # The first games are the same; rounding makes later ones differ.
            close = 2e-3 if own["generation"] == 1 else 0.5
            self.assertLess(abs(own["loss"] - other["loss"]), close)
        settings = ["--set=continuous=1", "--set=save_every=2", "--set=processes=2"]
        more = train("--preset", "tiny", *TINY, *settings, "--run", str(self.folder / "continuous"), *device)
        self.assertEqual([line["games"] for line in more["generations"]], [6, 6, 6])
        self.assertLess(abs(ours["generations"][-1]["loss"] - more["generations"][-1]["loss"]), 1)
        # What one began the other can go on with.
        more = train("--resume", str(self.folder / "theirs"), "--set", "generations=4")
        self.assertEqual(len(more["generations"]), 4)


def half_network(*arguments) -> subprocess.CompletedProcess:
    command = [sys.executable, str(HALF_NETWORK), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=GUARD_S, check=False)


class HalfNetwork(unittest.TestCase):
    """tools/half_network.py."""

    NUMBERS = [1.0, -2.5, 0.0, 1024.0]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.network, self.output = self.folder / "network.safetensors", self.folder / "half.safetensors"
        data = struct.pack("<4f", *self.NUMBERS)
        header = {
            "a.weight": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]},
            "__metadata__": {"architecture": "{}", "sha256": hashlib.sha256(data).hexdigest()},
        }
        text = json.dumps(header).encode()
        self.network.write_bytes(struct.pack("<Q", len(text)) + text + data)

    def refused(self, words: str, *arguments):
        before = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        done = half_network(*arguments)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual({path.name: path.read_bytes() for path in self.folder.iterdir()}, before)

    def test_numbers_are_halved_with_a_checksum_of_their_own(self):
        done = half_network(self.network, self.output)
        self.assertEqual(done.returncode, 0, done.stderr)
        content = self.output.read_bytes()
        (length,) = struct.unpack_from("<Q", content)
        header, data = json.loads(content[8 : 8 + length]), content[8 + length :]
        self.assertEqual(list(struct.unpack("<4e", data)), self.NUMBERS)
        self.assertEqual(header["__metadata__"], {"architecture": "{}", "sha256": hashlib.sha256(data).hexdigest()})
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), [self.output.name, self.network.name])

    def test_a_damaged_network_is_refused(self):
        whole = self.network.read_bytes()
        for damaged, words in [
            (whole[:-1] + b"\1", "does not have the SHA-256 in its metadata"),
            (whole[:-4], 'is truncated: tensor "a.weight" ends at byte 16, the data at 12'),
            (whole[:40], "is truncated, or not a safetensors file"),
            (whole[:3], "is truncated, or not a safetensors file"),
        ]:
            with self.subTest(words):
                self.network.write_bytes(damaged)
                self.refused(words, self.network, self.output)

    def test_parts_replace_earlier_parts_and_nothing_else(self):
        for name in ("001", "007", "1.bak", "2024-notes", "old"):
            (self.folder / f"{self.output.name}.{name}").write_text("before")
        self.assertEqual(half_network(self.network, self.folder / "whole").returncode, 0)
        done = half_network("--parts", 100, self.network, self.output)
        self.assertEqual(done.returncode, 0, done.stderr)
        whole = (self.folder / "whole").read_bytes()
        numbers = [f"{number:03}" for number in range(1, (len(whole) + 99) // 100 + 1)]
        names = {path.name.removeprefix(f"{self.output.name}.") for path in self.folder.glob(f"{self.output.name}.*")}
        self.assertEqual(names, {*numbers, "1.bak", "2024-notes", "old"})
        self.assertNotIn("007", numbers)
        parts = [(self.folder / f"{self.output.name}.{number}").read_bytes() for number in numbers]
        self.assertEqual(b"".join(parts), whole)

    def test_what_is_converted_is_never_overwritten(self):
        words = "which it is made from; choose another name"
        self.refused(words, self.network, self.network)
        self.output.symlink_to(self.network)
        self.refused(words, self.network, self.output)
        self.output.unlink()
        part = self.network.rename(self.folder / "network.001")
        self.refused(words, "--parts", 100, part, self.folder / "network")
        final = part.rename(self.folder / "final.safetensors")
        self.output.write_bytes(final.read_bytes())
        self.refused(words, "--tensors", "a.", self.output, final)


if __name__ == "__main__":
    os.environ.setdefault("TABIA", tabia_binary())
    unittest.main()
