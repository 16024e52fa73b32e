"""What building the tables costs, as a ratio to bare Lexbor parsing of the same pages.

    python bench/cost/tables.py ../shared/data/wcxb-dev.tar.xz [--every N]

Each page is parsed bare and built in turn, several times, and the least time of each is kept, so that a
noisy machine disturbs both alike.
"""

from __future__ import annotations

import argparse
import tarfile
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser
from timing import least

from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.parsing.parse import parse_page


def pages(data: Path, every: int) -> Iterator[Capture]:
    if data.is_dir():
        files = sorted(data.glob("html/*.html"))
        for i, file in enumerate(files[::every]):
            yield Capture(f"http://p{i}.example/a/b.html", file.read_bytes())
        return
    with tarfile.open(data) as archive:
        members = (m for m in archive if m.isfile() and m.name.endswith(".html"))
        for i, member in enumerate(members):
            if i % every == 0 and (file := archive.extractfile(member)):
                yield Capture(f"http://p{i}.example/a/b.html", file.read())


def main() -> None:
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("data", type=Path)
    args.add_argument("--every", type=int, default=1)
    args.add_argument("--repeats", type=int, default=3)
    options = args.parse_args()
    bare = columns = tables = 0.0
    n = worst = 0
    for capture in pages(options.data, options.every):
        bare += least(lambda c=capture: LexborHTMLParser(c.body), options.repeats)
        columns += least(lambda c=capture: parse_page(c), options.repeats)
        tables += least(lambda c=capture: build_site([c]).links, options.repeats)
        tracemalloc.start()
        site = build_site([capture])
        assert site.links is not None
        kept, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        del site
        worst = max(worst, peak - kept)
        n += 1
    # The same pages as one site, in one go: what `mine` pays.
    captures = list(pages(options.data, options.every))
    together = least(lambda: build_site(captures).links, options.repeats)
    print(f"{n} pages, bare Lexbor {bare / n * 1e3:.2f} ms a page")
    print(f"columns of a page:   {columns / bare:.2f}x bare parsing")
    print(f"tables with links, all pages as one site: {together / bare:.2f}x bare parsing (must be <= 3.5)")
    print(f"tables with links, each page on its own:  {tables / bare:.2f}x bare parsing")
    print(f"peak over the tables: {worst / 1e6:.1f} MB for the worst page (Python's allocations; must be <= 25)")


if __name__ == "__main__":
    main()
