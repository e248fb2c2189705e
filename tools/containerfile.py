#!/usr/bin/env python3
"""Follows the Containerfile without a container runtime: containerfile.py check | follow FOLDER

`check` reads it and looks whether what it copies is there and what it names was built before. `follow` carries the stages out
in folders: COPY copies, RUN runs with this machine's Node.js and Rust, and the last stage becomes FOLDER/image with the binary
in place. What needs an image (a user, a base system) is named and left out.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Commands of an image's own system.
OF_AN_IMAGE = re.compile(r"^(useradd|apt-get|install -d -o)\b")


def instructions(text: str) -> list[tuple[str, str]]:
    lines = "\n".join(line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n\s*", " ", lines)
    return [tuple(line.split(None, 1)) for line in joined.splitlines()]


class Follower:
    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.stages: dict[str, dict] = {}
        self.stage: dict = {}
        self.faults: list[str] = []

    def follow(self, text: str) -> list[str]:
        for word, rest in instructions(text):
            getattr(self, word.lower(), lambda rest: None)(rest)
        return self.faults

    def root(self, stage: dict) -> Path:
        return self.folder / stage["name"]

    def place(self, path: str, stage: dict | None = None) -> Path:
        stage = stage or self.stage
        inside = os.path.normpath(os.path.join(stage["workdir"], path))
        return self.root(stage) / inside.lstrip("/")

    def from_(self, rest: str) -> None:
        found = re.fullmatch(r"(\S+)(?: AS (\w+))?", rest)
        name = found[2] or "image"
        self.stage = self.stages[name] = {"name": name, "base": found[1], "workdir": "/", "copied": [], "env": {}}
        if ":" not in found[1]:
            self.faults.append(f"{found[1]} names no version")

    def workdir(self, rest: str) -> None:
        self.stage["workdir"] = rest

    def env(self, rest: str) -> None:
        self.stage["env"].update(word.split("=", 1) for word in rest.split())

    def copy(self, rest: str) -> None:
        *words, target = rest.split()
        source_stage = None
        if words[0].startswith("--from="):
            name = words.pop(0).removeprefix("--from=")
            source_stage = self.stages.get(name)
            if source_stage is None:
                self.faults.append(f"COPY --from={name}: there is no such stage before it")
                return
        for word in words:
            self.stage["copied"].append(word)
            if source_stage is None and not (ROOT / word).exists():
                self.faults.append(f"COPY {word}: it is not there")
            if self.folder is None:
                continue
            source = self.place(word, source_stage) if source_stage else ROOT / word
            into = self.place(target)
            into = into / source.name if source.is_file() and (target.endswith("/") or len(words) > 1) else into
            into.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                ignored = shutil.ignore_patterns("target", "node_modules", ".git", ".venv", "runs", "__pycache__")
                shutil.copytree(source, into, dirs_exist_ok=True, ignore=ignored)
            else:
                shutil.copy2(source, into)

    def run(self, rest: str) -> None:
        if re.search(r"\bcargo\b", rest) and "RUSTUP_TOOLCHAIN" not in self.stage["env"]:
            self.faults.append("RUN cargo: without RUSTUP_TOOLCHAIN, rust-toolchain.toml chooses another compiler")
        if self.folder is None:
            return
        if OF_AN_IMAGE.match(rest):
            print(f"left out, it needs an image: {rest}")
            return
        print(f"{self.stage['name']}: {rest}", flush=True)
        environment = {name: value for name, value in os.environ.items() if name not in ("CARGO_TARGET_DIR", "RUSTFLAGS")}
        work = self.place(".")
        work.mkdir(parents=True, exist_ok=True)
        subprocess.run(["sh", "-c", rest], cwd=work, env=environment, check=True)

    def entrypoint(self, rest: str) -> None:
        self.stage["entrypoint"] = rest


setattr(Follower, "from", Follower.from_)


def main() -> None:
    text = (ROOT / "Containerfile").read_text()
    match sys.argv[1:]:
        case ["check"]:
            faults = Follower(None).follow(text)
        case ["follow", folder]:
            faults = Follower(Path(folder).resolve()).follow(text)
        case _:
            sys.exit(__doc__.splitlines()[0])
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
