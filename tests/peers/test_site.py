"""The documentation as a site: every page has its place in SUMMARY.md, and every place its page.

mdBook itself is not run: installing it takes minutes. What it needs is looked at here; the release workflow runs it.
"""

import re
import tomllib
import unittest

from peer import ROOT

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
        # The records are put in by tools/site.sh, below their list, which is therefore the last.
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
