"""The server against its own description: schemathesis asks every path what the description allows and what it does not.

No answer may be a server error, and every answer must be one that the description knows. Bounded: so many questions a
path, and no more.
"""

import os
import subprocess
import sys
import unittest
from pathlib import Path

from server import ServerTest

# Questions a path; TABIA_EXAMPLES asks more.
EXAMPLES = os.environ.get("TABIA_EXAMPLES", "12")
# A stream does not end by itself, and a game that two agents play goes on behind the questions.
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]


class Description(ServerTest):
    def test_the_server_does_what_its_description_says(self):
        server = self.start()
        command = [
            str(Path(sys.executable).with_name("schemathesis")),
            "run",
            f"{server.address}/api/v1/openapi.json",
            "--checks",
            ",".join(CHECKS),
            "--phases",
            "examples,coverage,fuzzing",
            "--max-examples",
            EXAMPLES,
            "--exclude-path-regex",
            "/(events|lines)$",
            "--request-timeout",
            "20",
            "--seed",
            "1",
            "--no-color",
        ]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout[-8000:] + run.stderr[-2000:])
        self.assertEqual(server.close(), 0, "and it still ends in good order")


if __name__ == "__main__":
    unittest.main()
