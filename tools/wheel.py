#!/usr/bin/env python3
"""Packs the wheel of `crates/python` from the library that cargo built: wheel.py LIBRARY FOLDER

    cargo build --release -p tabia -p tabia-python && tools/wheel.py target/release/lib_native.so dist

`maturin build --release` makes the wheel from the same pyproject.toml; releases and `pip install .` use it. But it builds the crate
alone, with other features of the dependencies than the binary needs, so that they are compiled a second time: minutes. Built
together with the binary only the crate itself is new, which is what tests want. The same library gives the same bytes: entries are sorted and dated
by SOURCE_DATE_EPOCH, or 1980.
"""

import base64
import hashlib
import os
import sys
import sysconfig
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CRATE = ROOT / "crates" / "python"
PACKAGE = CRATE / "python" / "tabia"
# The earliest date that a zip file can say.
EPOCH_1980 = 315532800


def platform_tag() -> str:
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def metadata(project: dict, version: str) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        *(f"License-File: {name}" for name in project["license-files"]),
        *(f"Classifier: {name}" for name in project["classifiers"]),
        f"Requires-Python: {project['requires-python']}",
        *(f"Requires-Dist: {name}" for name in project["dependencies"]),
    ]
    for extra, names in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {name} ; extra == "{extra}"' for name in names]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / project["readme"]).read_text()]
    return "\n".join(lines)


def entries(library: Path) -> tuple[str, dict[str, bytes]]:
    """The wheel's name, and its files by path."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    minimum = project["requires-python"].removeprefix(">=").replace(".", "")
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    tag = f"cp{minimum}-abi3-{platform_tag()}"
    info = f"tabia-{version}.dist-info"
    files = {
        f"tabia/{path.relative_to(PACKAGE)}": path.read_bytes()
        for path in PACKAGE.rglob("*")
        if path.suffix in (".py", ".pyi") or path.name == "py.typed"
    }
    files["tabia/_native.abi3.so"] = library.read_bytes()
    for name in project["license-files"]:
        files[f"{info}/licenses/{name}"] = (ROOT / name).read_bytes()
    files[f"{info}/METADATA"] = metadata(project, version).encode()
    wheel = f"Wheel-Version: 1.0\nGenerator: tabia wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n"
    files[f"{info}/WHEEL"] = wheel.encode()
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD")
    return f"tabia-{version}-{tag}.whl", files


def record(files: dict[str, bytes], own: str) -> bytes:
    def line(path: str, content: bytes) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        return f"{path},sha256={digest},{len(content)}\n"

    return ("".join(line(*entry) for entry in sorted(files.items())) + f"{own},,\n").encode()


def write(path: Path, files: dict[str, bytes]) -> None:
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), EPOCH_1980))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            archive.writestr(entry, content)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    library, folder = Path(sys.argv[1]), Path(sys.argv[2])
    if not library.is_file():
        sys.exit(f"wheel: there is no {library}; `make wheel` builds it")
    name, files = entries(library)
    folder.mkdir(parents=True, exist_ok=True)
    # pip takes the newest by its name; there shall be one.
    for old in folder.glob("tabia-*.whl"):
        old.unlink()
    write(folder / name, files)
    print(folder / name)


if __name__ == "__main__":
    main()
