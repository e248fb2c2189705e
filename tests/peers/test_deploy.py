"""The files under deploy/: the options of their commands exist, NATS accepts its configuration, and the machine's script does what it says."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import textwrap
import unittest
from pathlib import Path

from peer import GUARD_S, ROOT, only_tabia

from built import tabia_binary

DEPLOY = ROOT / "deploy"
GRID = (DEPLOY / "kubernetes/grid.yaml").read_text()
MAIN = (DEPLOY / "terraform/main.tf").read_text()
SCRIPT = (DEPLOY / "terraform/train.sh.tftpl").read_text()
DEFAULT_ARGUMENTS = re.search(r'variable "train_arguments" \{.*?default += "([^"]*)"', MAIN, re.DOTALL)[1]
NATS_SERVER = shutil.which("nats-server", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def run(*command: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=GUARD_S * 5, check=False, stdin=subprocess.DEVNULL, **options
    )


def filled_in(script: str, **values: str) -> str:
    """The script as Terraform's `templatefile` writes it."""
    filled = re.sub(r"(?<!\$)\$\{(\w+)\}", lambda found: values[found[1]], script)
    return filled.replace("$${", "${")


@only_tabia
class Kubernetes(unittest.TestCase):
    def test_the_options_of_its_commands_exist(self):
        commands = [json.loads(arguments) for arguments in re.findall(r"args: (\[.*\])", GRID)]
        commands = [arguments for arguments in commands if arguments[0] == "worker"]
        commands += [shlex.split(line)[1:] for line in re.findall(r"^#   (tabia .*?) …", GRID, re.MULTILINE)]
        self.assertEqual(len(commands), 3)
        for arguments in commands:
            # Options before --help are parsed.
            done = run(tabia_binary(), *arguments, "--help")
            self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")

    def test_its_user_is_that_of_the_image(self):
        user = re.search(r"--uid (\d+)", (ROOT / "Containerfile").read_text())[1]
        self.assertIn(f"runAsUser: {user} ", GRID)

    @unittest.skipUnless(NATS_SERVER, "nats-server is not installed")
    def test_nats_accepts_the_configuration_and_the_password(self):
        config = textwrap.dedent(re.search(r"nats\.conf: \|\n((?: {4}.*\n)+)", GRID)[1])
        password = re.search(r'--from-literal=password=(".*")', GRID)[1]
        # What random digits may begin with, and NATS would take for a number.
        password = run("bash", "-c", f"openssl() {{ echo 1e5abc0123456789; }}; printf %s {password}").stdout
        with tempfile.TemporaryDirectory(prefix="tabia-") as folder:
            file = Path(folder) / "nats.conf"
            file.write_text(config)
            done = run(NATS_SERVER, "-t", "-c", str(file), env=os.environ | {"GRID_PASSWORD": password})
        self.assertEqual(done.returncode, 0, done.stderr)


@only_tabia
class TrainingMachine(unittest.TestCase):
    """The start-up script, with a folder for the bucket, the processor for the GPU, and nothing that leaves this machine."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tabia-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.bin, self.store = self.folder / "bin", self.folder / "store"
        self.bin.mkdir()
        for name in ["aws", "curl", "nvidia-cuda-mps-control", "shutdown"]:
            self.program(name, f'echo "{name} $*" >> "{self.folder}/calls"')
        self.program("tabia", f'echo "tabia $*" >> "{self.folder}/calls"\nexec "{os.path.abspath(tabia_binary())}" "$@"')

    def program(self, name: str, text: str):
        (self.bin / name).write_text(f"#!/bin/bash\n{text}\n")
        (self.bin / name).chmod(0o755)

    def start(self, arguments: str = "--preset tiny") -> tuple[int, list[str]]:
        """Runs the script on a new machine; its exit status, and what it called."""
        script = filled_in(
            SCRIPT,
            arguments=arguments,
            binary_url="https://example.org/tabia",
            deadline="61",
            minutes="0.0005",
            region="eu-central-1",
            store=f"file://{self.store}",
            threads="1",
        )
        for path, here in {
            "/usr/local/bin": str(self.bin),
            "/var/lib/tabia": str(self.folder / "work"),
            "--device cuda": "--device cpu",
            # By its path, so that it can never be that of this machine.
            "shutdown -h": f"{self.bin}/shutdown -h",
        }.items():
            self.assertIn(path, script)
            script = script.replace(path, here)
        shutil.rmtree(self.folder / "work", ignore_errors=True)
        (self.folder / "calls").unlink(missing_ok=True)
        done = run("bash", "-c", script, env=os.environ | {"PATH": f"{self.bin}:{os.environ['PATH']}"})
        calls = (self.folder / "calls").read_text().splitlines()
        self.assertEqual(calls[0], "shutdown -h +61")
        # Whatever happened.
        self.assertRegex(calls[-2], r"^aws s3 cp .* /var/log/\S+ \S+/store/logs/\d+T\d+Z\.log$")
        self.assertEqual(calls[-1], "shutdown -h now", done.stderr)
        return done.returncode, [call for call in calls if call.startswith("tabia ") and "--list-settings" not in call]

    def test_a_training_starts_once_and_is_then_continued(self):
        # Small enough to end soon even if --minutes were lost.
        code, calls = self.start(DEFAULT_ARGUMENTS.replace("small", "tiny") + " --set generations=1 --set games=2 --set simulations=4")
        self.assertEqual((code, len(calls)), (0, 1))
        self.assertRegex(calls[0], "--run training --preset tiny .*--minutes 0.0005 --threads 1 ")
        manifest = (self.store / "manifest.toml").read_bytes()
        code, calls = self.start()
        self.assertEqual((code, len(calls)), (0, 1))
        self.assertRegex(calls[0], "--resume training .*--minutes 0.0005 --threads 1 ")
        self.assertEqual((self.store / "manifest.toml").read_bytes(), manifest)

    def test_a_store_that_cannot_be_read_gets_no_second_training(self):
        self.store.write_text("a file where a folder should be")
        code, calls = self.start()
        self.assertEqual((code, calls), (1, []))

    def test_a_training_that_fails_is_not_started_again(self):
        code, calls = self.start("--preset tiny --set nothing=1")
        self.assertEqual((code, len(calls)), (2, 1))

    def test_a_failed_download_ends_the_machine(self):
        self.program("curl", "exit 22")
        code, calls = self.start()
        self.assertEqual((code, calls), (22, []))


if __name__ == "__main__":
    unittest.main()
