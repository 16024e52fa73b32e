"""`make demo`: make the demo site, serve it, crawl it, mine it, say what was found, and write a report to look at."""

from __future__ import annotations

import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console

from sitegrain.article.article import Article
from sitegrain.demo import Truth, generate, serve
from sitegrain.methods.base import ROLES
from sitegrain.report import write_report
from sitegrain.result.mining import mine
from sitegrain.result.result import Result
from sitegrain.sources.base import Source
from sitegrain.sources.crawled import CrawlSource
from sitegrain.sources.folder import FolderSource

OUT = Path("demo-out")
"""Where the result is left, in the folder that the demo runs in."""
_COLOURS = {"toc": "blue", "article": "green", "other": "bright_black"}
_WIDTH = 40


def main() -> None:
    console = Console(highlight=False, soft_wrap=True)
    with tempfile.TemporaryDirectory(prefix="sitegrain-demo-") as folder:
        truth = generate(folder)
        start = time.perf_counter()
        with serve(truth.folder) as server:
            source: Source
            name = "[bold]The Lantern Bay Courier[/], a newspaper made just now"
            if find_spec("scrapy") is not None:
                console.print(f"{name}: crawling {server.url} …")
                source = CrawlSource(server.url, {"allow_private": True, "delay": 0.0})
            else:
                console.print(f"{name}: reading its files (pip install 'sitegrain[crawl]' to see it crawled) …")
                source = FolderSource(truth.html)
            result = mine(source, OUT)
        console.print(
            f"{len(result)} pages and {len(result.site.links):,} links read and understood in "
            f"{time.perf_counter() - start:.1f} s, without a label or a rule:\n"
        )
        show(result, truth, console)
        index = write_report(result, OUT / "report")
        console.print(f"\nSee it all, and why: [bold]{index.resolve().as_uri()}[/]")


def show(result: Result, truth: Truth, console: Console) -> None:
    """Print how many pages have each role, how many of those are right, and an article with what was left out of it."""
    true_role = truth.roles()
    paths = [_path(url) for url in result.site.pages.url]
    for role in ("toc", "article", "other"):
        found, name = result.count(role), {"toc": "TOC pages", "article": "articles", "other": "others"}[role]
        bar = "█" * max(1, round(_WIDTH * found / max(len(result), 1)))
        console.print(f"  {found:4} {name:10}[{_COLOURS[role]}]{bar}[/]")
    known = [
        (true_role[path], ROLES[r]) for path, r in zip(paths, result.roles.page_role, strict=True) if path in true_role
    ]
    allowed = sum(page.is_allowed for page in truth.pages)
    n_right = sum(true == found for true, found in known)
    console.print(
        f"{n_right} of {len(known)} roles are right; robots.txt allows {allowed} of {len(truth.pages)} pages."
    )
    article = _typical(result, truth, paths)
    if article is None:
        console.print("no article was found")
        return
    said = ", ".join(x for x in (article.author, article.date) if x)
    console.print(f"\n“{article.title}”{f' ({said})' if said else ''}", markup=False)
    for is_kept, mark, colour in ((True, "kept", "green"), (False, "left out", "red")):
        blocks = [block for block in article.reasons if block[0] is is_kept]
        longest = max(blocks, key=lambda block: len(block[2]), default=None)
        if longest is not None:
            console.print(f"  [{colour}]{len(blocks)} blocks {mark}[/], such as: ", end="")
            console.print(f"{_cut(longest[2], 56)}  ← {longest[1].partition(': ')[2]}", markup=False)


def _typical(result: Result, truth: Truth, paths: list[str]) -> Article | None:
    """An article with some clutter around it: the first true one of the modern look with a list and a table in it."""
    for p, path in enumerate(paths):
        page = next((page for page in truth.pages if page.path == path), None)
        if page is not None and page.kind == "article" and page.drop_selector and "machines/" in path:
            return result[p]
    return next(iter(result.articles), None)


def _path(url: str) -> str:
    path = urlsplit(url).path.lstrip("/")
    return path + "index.html" if not path or path.endswith("/") else path


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


if __name__ == "__main__":
    main()
