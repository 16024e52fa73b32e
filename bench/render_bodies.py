"""Whether the two bodies of `native.render` write the same: every page of page sets, and some of each site, as Markdown and as HTML.

    python bench/render_bodies.py ../shared/data [--pages N] [--every N]

Of a site the first N pages are read as one site, with the pictures of its template; the pages of a set come one by one. Kept are
what the extractor keeps, all texts, and some by chance. Prints how many pages were compared, how many differ, and how many C
leaves to the reference; says "skipped" without the data, and ends with 1 when any page differs.
"""

from __future__ import annotations

import argparse
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sitegrain import native
from sitegrain.arrays.types import Bools
from sitegrain.native import reference
from sitegrain.render import RenderedPage, repeated_images
from sitegrain.render.walk import Walk
from sitegrain.result.extracting import extract
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site


def captures(archive: Path, n_pages: int, every: int) -> list[Capture]:
    out: list[Capture] = []
    with tarfile.open(archive) as files:
        members = (m for m in files if m.isfile() and "/html/" in m.name)
        for i, member in enumerate(members):
            if i % every == 0 and (file := files.extractfile(member)):
                out.append(Capture(f"http://site.example/{member.name.partition('/html/')[2]}", file.read()))
            if n_pages and len(out) >= n_pages:
                break
    return out


def masks(site: Site, page: int, kept: Bools) -> Iterator[Bools]:
    yield kept
    yield site.is_text
    yield site.is_text & (np.random.default_rng(page).random(site.n_nodes) < 0.7)


class Comparison:
    def __init__(self) -> None:
        self.n_pages = self.n_renderings = self.n_odd = 0
        self.differ: list[str] = []

    def compare(self, site: Site, page: int, kept: Bools, repeated: frozenset[str], title: str) -> None:
        self.n_pages += 1
        for mask in masks(site, page, kept):
            compiled = self._written(site, page, mask, repeated, title)
            core, native._body = native._body, reference  # type: ignore[misc]
            try:
                plain = self._written(site, page, mask, repeated, title)
            finally:
                native._body = core  # type: ignore[misc]
            self.n_renderings += 2
            if compiled != plain:
                self.differ.append(site.pages.url[page])

    @staticmethod
    def _written(site: Site, page: int, kept: Bools, repeated: frozenset[str], title: str) -> tuple[str, str]:
        rendered = RenderedPage(site, page, kept, repeated, title)
        return rendered.markdown(), rendered.html()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=30, help="of each site")
    parser.add_argument("--every", type=int, default=1, help="use every Nth page of a set")
    given = parser.parse_args()
    sets, sites = sorted(given.data.glob("*.tar.xz")), sorted(given.data.glob("sites/*.tar.xz"))
    if not sets and not sites:
        print(f"skipped: {given.data} holds no pages")
        return
    if not native.is_compiled:
        print("skipped: the core is not built, there is one body only")
        return
    asked = 0
    in_python = Walk.in_python

    def counted(self: Walk, title: str) -> str:
        nonlocal asked
        asked += 1
        return in_python(self, title)

    Walk.in_python = counted  # type: ignore[method-assign]
    all_differ: list[str] = []
    for archive in [*sets, *sites]:
        found = Comparison()
        asked = 0
        if archive in sets:
            for capture in captures(archive, 0, given.every):
                article = extract(capture.body, capture.url)
                kept, title = article._written
                found.compare(article.site, 0, kept, frozenset(), title)
        else:
            site = build_site(captures(archive, given.pages, 1))
            repeated = repeated_images(site)
            for page in range(site.n_pages):
                kept = np.random.default_rng(page).random(site.n_nodes) < 0.9
                found.compare(site, page, site.is_text & kept, repeated, site.pages.title[page])
        odd = asked - found.n_renderings
        print(
            f"{archive.stem}: {found.n_pages} pages, {found.n_renderings} renderings, {len(found.differ)} differ, {odd} by the reference"
        )
        for url in found.differ[:5]:
            print(f"  {url}")
        sys.stdout.flush()
        all_differ += found.differ
    sys.exit(1 if all_differ else 0)


if __name__ == "__main__":
    main()
