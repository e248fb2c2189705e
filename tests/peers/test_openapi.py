"""The server against its own description: schemathesis asks every path what the description allows and what it does not.

No answer may be a server error, and every answer must be one that the description knows. Bounded: so many questions a
path, and no more. Paths of a game are asked about one that exists, too: hardly any made-up id does.
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path

from server import Server, ServerTest

from tabia import Tabia

# Questions a path; TABIA_EXAMPLES asks more.
EXAMPLES = os.environ.get("TABIA_EXAMPLES", "8")
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
# Streams do not end by themselves.
STREAMS = "/(events|lines)$"


class Description(ServerTest):
    def ask(self, server: Server, *arguments: str):
        command = [
            str(Path(sys.executable).with_name("schemathesis")),
            *arguments,
            "run",
            f"{server.address}/api/v1/openapi.json",
            f"--checks={','.join(CHECKS)}",
            "--phases=examples,coverage,fuzzing",
            f"--max-examples={EXAMPLES}",
            f"--exclude-path-regex={STREAMS}",
            "--request-timeout=120",
            "--seed=1",
            "--no-color",
        ]
        if arguments:
            command += ["--include-path-regex=/games/{id}", "--exclude-method=DELETE"]
        run = subprocess.run(command, capture_output=True, text=True, cwd=self.data)
        self.assertEqual(run.returncode, 0, run.stdout[-8000:] + run.stderr[-2000:])

    def test_the_server_does_what_its_description_says(self):
        # Room for every match that is asked for: a server that is full answers 503, and rightly.
        server = self.start("--max-threads", "1000")
        self.ask(server)
        self.assertEqual(server.close(), 0, "and it still ends in good order")

    def test_a_game_does_what_its_description_says(self):
        server = self.start()
        game = Tabia(server.address).new_game(black="human", pgn="1. e4 e5 2. Nf3")
        settings = self.data / "one-game.toml"
        settings.write_text(f'[parameters]\n"path.id" = "{game.id}"\n')
        self.ask(server, f"--config-file={settings}")
        self.assertGreater(game.state()["version"], 1, "something was done to it")


if __name__ == "__main__":
    unittest.main()
