"""`make demo`: make the demo site, serve it, crawl it, mine it, and show what was found."""

from __future__ import annotations

import tempfile
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console
from rich.markdown import Markdown
from rich.panel import Panel
from rich.table import Table

from sitegrain.article.article import Article
from sitegrain.demo import Truth, generate, serve
from sitegrain.methods.base import ROLES
from sitegrain.result.mining import mine
from sitegrain.result.result import Result
from sitegrain.sources.base import Source
from sitegrain.sources.crawled import CrawlSource
from sitegrain.sources.folder import FolderSource


def main() -> None:
    console = Console()
    with tempfile.TemporaryDirectory(prefix="sitegrain-demo-") as folder:
        truth = generate(folder)
        console.print(f"[bold]The Lantern Bay Courier[/]: {len(truth.pages)} pages, generated just now")
        with serve(truth.folder) as server:
            source: Source
            if find_spec("scrapy") is not None:
                console.print(f"crawling {server.url} (on this machine only)")
                source = CrawlSource(server.url, {"allow_private": True, "delay": 0.0})
            else:
                console.print("reading its files; pip install 'sitegrain[crawl]' to see it crawled")
                source = FolderSource(truth.html)
            result = mine(source, Path(folder) / "result")
        show(result, truth, console)


def show(result: Result, truth: Truth, console: Console) -> None:
    """Print the roles that were found beside the true ones, an article, and what was left out of it."""
    true_role = truth.roles()
    paths = [_path(url) for url in result.site.pages.url]
    pairs = Counter((true_role[path], result[p].role) for p, path in enumerate(paths) if path in true_role)
    table = Table("pages that are", *(f"found as {role}" for role in ROLES), title="\nRoles of pages")
    for role in ROLES:
        table.add_row(role, *(_count(pairs[role, found], role == found) for found in ROLES))
    console.print(table)
    n_right = sum(n for (true, found), n in pairs.items() if true == found)
    allowed = [page for page in truth.pages if page.is_allowed]
    console.print(f"{n_right} of {sum(pairs.values())} roles right; {len(allowed)} pages may be crawled by robots.txt")

    article = _typical(result, truth, paths)
    if article is None:
        console.print("no article was found")
        return
    console.print(Panel(Markdown(_cut(article.markdown, 1500)), title=f"{article.title}", subtitle=article.url))
    table = Table("kept", "why", "text", title="Blocks of this page", title_justify="left")
    for is_kept, why, text in article.reasons:
        table.add_row("[green]yes[/]" if is_kept else "[red]no[/]", why, _cut(text, 60))
    console.print(table)


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


def _count(n: int, is_right: bool) -> str:
    return f"[green]{n}[/]" if is_right else str(n) if not n else f"[red]{n}[/]"


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


if __name__ == "__main__":
    main()
