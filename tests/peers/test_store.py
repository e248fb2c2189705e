"""`tabia quantum train --store`: a training that outlives its machine, through a server that speaks S3."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import boto3
import peer
from built import tabia_binary
from moto.server import ThreadedMotoServer

peer.spare_the_proxy()

GUARD_S = 300
TINY = [
    f"--set={assignment}"
    for assignment in ("blocks=1", "generations=4", "games=2", "simulations=4", "quick_simulations=2", "candidates=2",
                       "ply_limit=16", "most_branches=4", "least_samples=1", "batch=8", "rate_every=0", "keep_every=1")
]  # fmt: skip
BUCKET = "trainings"
FINAL = "final.safetensors"
NOBODY = {"AWS_ACCESS_KEY_ID": "somebody", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}


def environment(endpoint: str) -> dict[str, str]:
    without = {key: value for key, value in os.environ.items() if not key.startswith("AWS_")}
    return {**without, **NOBODY, "AWS_ENDPOINT_URL": endpoint}


def command(*arguments: str) -> list[str]:
    return [tabia_binary(), "quantum", "train", "--threads", "2", *arguments]


def train(endpoint: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(command("--json", *arguments), capture_output=True, text=True, timeout=GUARD_S, check=False,
                          env=environment(endpoint))  # fmt: skip


class Store(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        cls.addClassCleanup(server.stop)
        host, port = server.get_host_and_port()
        cls.endpoint = f"http://{host}:{port}"
        cls.s3 = boto3.client("s3", endpoint_url=cls.endpoint, region_name="us-east-1",
                              aws_access_key_id="somebody", aws_secret_access_key="secret")  # fmt: skip
        cls.s3.create_bucket(Bucket=BUCKET)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def kept(self, prefix: str) -> set[str]:
        listed = self.s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{prefix}/").get("Contents", [])
        return {entry["Key"].removeprefix(f"{prefix}/") for entry in listed}

    def test_a_training_outlives_its_machine(self):
        whole = train(self.endpoint, "--preset", "tiny", *TINY, "--run", str(self.folder / "whole"))
        self.assertEqual(whole.returncode, 0, whole.stderr)
        store = f"s3://{BUCKET}/runs/one"
        first = self.folder / "first"
        process = subprocess.Popen(command("--preset", "tiny", *TINY, "--run", str(first), "--store", store),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(self.endpoint))  # fmt: skip
        deadline = time.monotonic() + GUARD_S
        while "checkpoint-0002.safetensors" not in self.kept("runs/one") and process.poll() is None:
            self.assertLess(time.monotonic(), deadline, "waited in vain for a checkpoint")
            time.sleep(0.02)
        process.kill()
        process.wait(GUARD_S)
        # The machine is gone, with all that was on it.
        shutil.rmtree(first)
        second = self.folder / "second"
        done = train(self.endpoint, "--resume", str(second), "--store", store)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"from {store}", done.stderr)
        summary = json.loads(done.stdout)
        self.assertEqual(summary["ending"], "finished")
        self.assertEqual([line["generation"] for line in summary["generations"]], [1, 2, 3, 4])
        expected = (self.folder / "whole" / FINAL).read_bytes()
        self.assertEqual((second / FINAL).read_bytes(), expected)
        self.assertEqual(self.s3.get_object(Bucket=BUCKET, Key=f"runs/one/{FINAL}")["Body"].read(), expected)
        names = {"manifest.toml", "metrics.jsonl", FINAL}
        names |= {f"games-000{generation}.bin" for generation in range(1, 5)}
        names |= {f"checkpoint-000{generation}.safetensors" for generation in range(1, 5)}
        self.assertLessEqual(names, self.kept("runs/one"))
        # A new training does not write over it.
        third = train(self.endpoint, "--preset", "tiny", *TINY, "--run", str(self.folder / "third"), "--store", store)
        self.assertEqual(third.returncode, 2)
        self.assertIn("holds a training already", third.stderr)
        self.assertFalse((self.folder / "third").exists())

    def test_a_polite_kill_leaves_the_last_checkpoint_in_the_store(self):
        run, store = self.folder / "polite", f"s3://{BUCKET}/runs/polite"
        process = subprocess.Popen(
            command("--preset", "tiny", *TINY, "--set=generations=100000", "--set=keep_every=0", "--run", str(run), "--store", store),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment(self.endpoint))  # fmt: skip
        deadline = time.monotonic() + GUARD_S
        # Any of them: old ones are removed.
        while not any(run.glob("checkpoint-*.safetensors")) and process.poll() is None:
            self.assertLess(time.monotonic(), deadline, "waited in vain for a checkpoint")
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=GUARD_S)
        self.assertEqual(process.returncode, 0, said)
        last = max(path.name for path in run.glob("checkpoint-*.safetensors"))
        self.assertIn(last, self.kept("runs/polite"))
        self.assertIn(FINAL, self.kept("runs/polite"))

    def test_a_store_that_cannot_be_reached_is_told_and_stops_nothing(self):
        with socket.socket() as taken:
            # A port that nobody listens on.
            taken.bind(("127.0.0.1", 0))
            endpoint = f"http://127.0.0.1:{taken.getsockname()[1]}"
            run, store = self.folder / "alone", f"s3://{BUCKET}/runs/alone"
            done = train(endpoint, "--preset", "tiny", *TINY, "--set=generations=1", "--run", str(run), "--store", store)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(store, done.stderr)
        self.assertIn("retried later", done.stderr)
        self.assertTrue((run / FINAL).exists())
        # Later it can be: what is missing is put there.
        again = train(self.endpoint, "--resume", str(run), "--store", store)
        self.assertEqual(again.returncode, 0, again.stderr)
        names = {"manifest.toml", "games-0001.bin", "checkpoint-0001.safetensors", FINAL}
        self.assertLessEqual(names, self.kept("runs/alone"))

    def test_bad_input_is_refused_with_what_would_be_right(self):
        for store, code, words in [
            ("trainings", 2, "write s3://bucket/prefix or file:///folder"),
            ("gs://bucket/x", 2, '"gs" is not known'),
            (f"s3://{BUCKET}/nothing", 1, "holds no training"),
            ("s3://nobucket/x", 1, "cannot list files in s3://nobucket/x"),
        ]:
            with self.subTest(store):
                done = train(self.endpoint, "--resume", str(self.folder / "x"), "--store", store)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
