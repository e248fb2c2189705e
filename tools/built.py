"""Where the binary is, and where Debian puts engines."""

import os
from pathlib import Path

GAMES_DIR = "/usr/games"  # often not in PATH
ROOT = Path(__file__).resolve().parents[1]


def tabia_binary() -> str:
    """`$TABIA`, or the release build."""
    default = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "tabia"
    path = os.environ.get("TABIA", str(default))
    if not os.access(path, os.X_OK):
        raise SystemExit(f"{path} is not there: run `make build`, or set TABIA to the binary")
    return path
