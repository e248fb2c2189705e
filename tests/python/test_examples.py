"""The gallery notebook, the training example and the commands of docs/python.md run."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "examples" / "notebooks"
BLOCK = re.compile(r"(<!-- not run: [^>]+ -->\n)?```python\n(.*?)```", re.DOTALL)
LIMIT_S = 300


def environment() -> dict[str, str]:
    return os.environ | {"OMP_NUM_THREADS": "2", "JUPYTER_PLATFORM_DIRS": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}


class Examples(unittest.TestCase):
    def test_the_gallery_runs_from_top_to_bottom(self):
        import nbformat
        from nbclient import NotebookClient

        os.environ.update(environment())
        with tempfile.TemporaryDirectory() as folder:
            notebook = nbformat.read(NOTEBOOKS / "gallery.ipynb", as_version=4)
            # Without output in the repository: what it shows is made here.
            self.assertFalse([cell for cell in notebook.cells if cell.get("outputs")])
            client = NotebookClient(notebook, timeout=LIMIT_S, resources={"metadata": {"path": folder}})
            client.execute()
        shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        pictures = [output for output in shown if "image/svg+xml" in output.get("data", {})]
        self.assertGreaterEqual(len(pictures), 3)

    def test_the_training_example_learns_a_little_with_numpy_alone(self):
        words = "--numpy --games 4 --steps 20 --tests 2 --ply-limit 12".split()
        done = subprocess.run(
            [sys.executable, NOTEBOOKS / "train_quantum.py", *words],
            capture_output=True, text=True, timeout=LIMIT_S, env=environment(), check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("points against random moves", done.stdout)

    def test_the_blocks_of_the_manual_run(self):
        blocks = [text for skipped, text in BLOCK.findall((ROOT / "docs" / "python.md").read_text()) if not skipped]
        self.assertGreater(len(blocks), 5)
        for text in blocks:
            with self.subTest(text.splitlines()[-1]), tempfile.TemporaryDirectory() as folder:
                done = subprocess.run(
                    [sys.executable, "-c", text], capture_output=True, text=True, timeout=LIMIT_S, cwd=folder, check=False
                )
                self.assertEqual(done.returncode, 0, done.stderr)


class OpenSpiel(unittest.TestCase):
    def test_openspiels_own_simulation_plays_the_game(self):
        import pyspiel

        import tabia.quantum.openspiel

        game = pyspiel.load_game(tabia.quantum.openspiel.NAME)
        pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)
