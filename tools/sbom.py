#!/usr/bin/env python3
"""The bill of materials of the binary as CycloneDX 1.5 JSON: sbom.py [PACKAGE] > tabia.cdx.json

Which crates the package is built from, with versions, licences, checksums and who uses whom, from `cargo metadata` and
Cargo.lock. Nothing that only tests or other packages need is in it. The same lock file gives the same bytes.
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def metadata() -> dict:
    target = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    target = next(line.split()[1] for line in target.splitlines() if line.startswith("host:"))
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)


def used(document: dict, package: str) -> dict[str, list[str]]:
    """What a package is built from, and by whom each is used; development dependencies are left out."""
    nodes = {node["id"]: node for node in document["resolve"]["nodes"]}
    start = next(found["id"] for found in document["packages"] if found["name"] == package)
    edges: dict[str, list[str]] = {}
    waiting = [start]
    while waiting:
        crate = waiting.pop()
        if crate in edges:
            continue
        edges[crate] = sorted(
            {
                dependency["pkg"]
                for dependency in nodes[crate]["deps"]
                if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
            }
        )
        waiting += edges[crate]
    return edges


def bill(package: str) -> dict:
    document = metadata()
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    checksums = {(crate["name"], crate["version"]): crate.get("checksum") for crate in lock["package"]}
    packages = {found["id"]: found for found in document["packages"]}
    edges = used(document, package)

    def reference(crate: str) -> str:
        return f"pkg:cargo/{packages[crate]['name']}@{packages[crate]['version']}"

    def component(crate: str) -> dict:
        found = packages[crate]
        entry = {"type": "library", "bom-ref": reference(crate), "name": found["name"], "version": found["version"]}
        if found.get("license"):
            # Some crates write MIT/Apache-2.0 for MIT OR Apache-2.0.
            entry["licenses"] = [{"expression": found["license"].replace("/", " OR ")}]
        if checksum := checksums.get((found["name"], found["version"])):
            entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        if found.get("source"):
            entry["purl"] = reference(crate)
        return entry

    root = next(crate for crate in edges if packages[crate]["name"] == package)
    components = sorted((component(crate) for crate in edges if crate != root), key=lambda entry: entry["bom-ref"])
    dependencies = [{"ref": reference(crate), "dependsOn": sorted(map(reference, uses))} for crate, uses in edges.items()]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**component(root), "type": "application"}},
        "components": components,
        "dependencies": sorted(dependencies, key=lambda entry: entry["ref"]),
    }


if __name__ == "__main__":
    json.dump(bill(sys.argv[1] if len(sys.argv) > 1 else "tabia"), sys.stdout, indent=1)
    print()
