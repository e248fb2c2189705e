"""Two processes do not work in one directory."""

import unittest

from nats import GridTest, until


class Locks(GridTest):
    def test_a_second_datagen_in_a_directory_is_refused(self):
        run = self.folder / "run"
        datagen = ["datagen", "--run", str(run), "--games", "1000000", "--nodes", "40", "--eval", "material", "--threads", "1"]
        first = self.start(*datagen)
        until(lambda: list(run.glob("shard-*")) or first.poll() is not None, "a first that plays")
        self.assertIsNone(first.poll())
        text = self.run_tabia(*datagen, code=1)
        self.assertEqual(text.strip(), f"tabia: error: another process is working in {run}")
        # What a killed process held is free.
        self.kill(first)
        second = self.start(*datagen)
        before = len(list(run.glob("shard-*")))
        until(lambda: len(list(run.glob("shard-*"))) > before or second.poll() is not None, "a second that goes on")
        self.assertIsNone(second.poll())


if __name__ == "__main__":
    unittest.main()
