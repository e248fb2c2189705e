"""The documentation as a site: every page has its place in SUMMARY.md, every link leads somewhere, and the references are whole."""

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

from peer import GUARD_S, ROOT, only_tabia, spare_the_proxy
from server import ServerTest

from built import tabia_binary

spare_the_proxy()

DOCS = ROOT / "docs"
LINK = re.compile(r"\[([^\]]+)\]\(([^)#\s]+)(#[^)]*)?\)")


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as mdBook and GitHub make them."""
    found = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "") for heading in found)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in plain}


class Site(unittest.TestCase):
    def test_every_page_is_in_the_summary_once(self):
        places = [target for _, target, _ in LINK.findall((DOCS / "SUMMARY.md").read_text())]
        pages = {path.name for path in DOCS.glob("*.md")} - {"SUMMARY.md"}
        self.assertEqual(sorted(places), sorted(pages | {"adr/README.md"}), "docs/SUMMARY.md has every page in its place")
        # The records are put in by tools/site.py, below their list, which is therefore the last.
        self.assertEqual(places[-1], "adr/README.md")

    def test_every_decision_is_in_the_list_of_them(self):
        listed = {target for _, target, _ in LINK.findall((DOCS / "adr/README.md").read_text())}
        records = {path.name for path in (DOCS / "adr").glob("0*.md")}
        self.assertLessEqual(records, listed)

    def test_links_between_pages_lead_to_headings_that_are_there(self):
        for path in sorted(DOCS.rglob("*.md")):
            for _, target, anchor in LINK.findall(path.read_text()):
                if anchor and "://" not in target and target.endswith(".md"):
                    headings = anchors((path.parent / target).read_text())
                    self.assertIn(anchor.removeprefix("#"), headings, f"{path.relative_to(ROOT)}: {target}{anchor}")

    def test_pictures_of_the_gallery_are_there(self):
        for target in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (DOCS / "gallery.md").read_text()):
            self.assertTrue((DOCS / target).is_file(), target)

    def test_the_book_has_a_search_and_is_at_home_under_docs(self):
        book = tomllib.loads((DOCS / "book.toml").read_text())
        self.assertEqual(book["output"]["html"]["site-url"], "/docs/")
        self.assertIn("search", book["output"]["html"])


class Page(HTMLParser):
    """What the checks ask of a page: where it leads, its anchors, and what a strict policy forbids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.forbidden: list[str] = []
        self.in_script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        found = dict(attrs)
        self.links += [found[name] for name in ("href", "src") if found.get(name)]
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        self.forbidden += [f"<{tag} {name}>" for name in found if name == "style" or name.startswith("on")]
        self.in_script = tag == "script"
        if tag in ("style", "base", "iframe") or (tag == "script" and "src" not in found):
            self.forbidden.append(f"<{tag}>")


class BuiltSite(unittest.TestCase):
    """mdBook comes with the packages of the tests: the site is built as a release builds it."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="tabia-")
        cls.addClassCleanup(folder.cleanup)
        cls.site = Path(folder.name) / "site"
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        built = subprocess.run(
            [sys.executable, ROOT / "tools/site.py", cls.site],
            capture_output=True, text=True, timeout=GUARD_S * 5, env=os.environ | {"PATH": path}, check=False,
        )
        if built.returncode:
            raise AssertionError(f"{built.stdout}{built.stderr}")
        cls.pages = {path: Page(path.read_text()) for path in cls.site.rglob("*.html")}

    def test_every_link_leads_to_a_file_and_an_anchor_that_are_there(self):
        wrong, followed = [], 0
        for path, page in self.pages.items():
            for link in page.links:
                parts = urlsplit(link)
                if parts.scheme or parts.netloc:
                    continue
                target = path.parent / unquote(parts.path) if parts.path else path
                target = Path(os.path.normpath(target / "index.html" if target.is_dir() else target))
                anchor, known = unquote(parts.fragment), self.pages.get(target)
                if not target.is_file() or (anchor and known and anchor not in known.anchors):
                    wrong.append(f"{path.relative_to(self.site)}: {link}")
                followed += 1
        self.assertEqual(wrong, [])
        self.assertGreater(followed, 1000)

    def test_pages_keep_the_servers_policy(self):
        """Scripts and styles are files: `script-src 'self'` lets nothing else run."""
        for path, page in self.pages.items():
            self.assertEqual(page.forbidden, [], path.relative_to(self.site))

    def test_every_page_of_the_summary_is_there_and_found_by_the_search(self):
        (index,) = self.site.glob("searchindex-*.js")
        searched = index.read_text()
        for _, target, _ in LINK.findall((DOCS / "SUMMARY.md").read_text()):
            page = target.replace("README.md", "index.md").removesuffix(".md") + ".html"
            self.assertIn(self.site / page, self.pages)
            self.assertIn(f'"{page}#', searched)

    def test_the_references_name_everything(self):
        http = (self.site / "reference-http.html").read_text()
        for path, methods in json.loads((DOCS / "openapi.json").read_text())["paths"].items():
            for method in methods:
                self.assertIn(f"{method.upper()} {path}", http)
        python = (self.site / "reference-python.html").read_text()
        package = (ROOT / "crates/python/python/tabia/__init__.py").read_text()
        names = ast.literal_eval(package.split("__all__ = ")[1])
        for name in set(names) - {"START", "Position", "__version__"}:
            self.assertIn(f"tabia.{name}", python)


@only_tabia
class Served(ServerTest):
    def test_the_reference_has_the_operations_of_this_binary(self):
        text = subprocess.run([tabia_binary(), "serve", "--print-openapi"], capture_output=True, text=True, timeout=GUARD_S, check=True).stdout

        def operations(document: dict) -> dict:
            return {(path, method): found.get("summary") for path, methods in document["paths"].items() for method, found in methods.items()}

        kept = json.loads((DOCS / "openapi.json").read_text())
        self.assertEqual(operations(kept), operations(json.loads(text)), "tabia serve --print-openapi > docs/openapi.json")

    def test_the_binary_shows_it(self):
        """Where mdBook was there when the binary was built: `make test` sees to that."""
        if not (ROOT / "web/dist/docs/index.html").exists():
            self.skipTest("this binary was built without mdBook")
        server = self.start()
        for path, within in [("/docs", "Tabia"), ("/docs/gallery.html", "Gallery"), ("/docs/adr/index.html", "Architecture decision records")]:
            with urlopen(f"{server.address}{path}", timeout=GUARD_S) as answer:
                self.assertIn(within, answer.read().decode())
                self.assertIn("script-src 'self'", answer.headers["content-security-policy"])
