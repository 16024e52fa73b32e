"""What an assistant may ask a result: search, the TOC pages, one article; and its articles as plain records."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from sitegrain.errors import SourceError, UsageError
from sitegrain.index import FILE, index_folder, open_index
from sitegrain.result.stored import StoredArticle, StoredResult, open_result
from sitegrain.tables.address import page_key

MAX_HITS = 50
"""Hits that one question may ask for."""


class Reader:
    """A result folder, opened for questions."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.result: StoredResult = open_result(self.folder)

    def search(self, query: str, n: int = 10) -> list[dict[str, str]]:
        """The best pages that have all words of a query: title, address, and the line that matches."""
        if not 1 <= n <= MAX_HITS:
            raise UsageError(f"ask for 1 to {MAX_HITS} hits, not {n}")
        try:
            if not (self.folder / FILE).exists():
                index_folder(self.folder)
            opened = open_index(self.folder)
        except SourceError:  # of another version
            index_folder(self.folder)
            opened = open_index(self.folder)
        with opened as index:
            return [{"title": h.title, "url": h.url, "snippet": h.snippet} for h in index.search(query, n)]

    def tocs(self) -> list[dict[str, Any]]:
        """The TOC pages, those most like one first, each with the number of its entries."""
        return [{"title": t.title, "url": t.url, "n_entries": len(t.entries)} for t in self.result.tocs]

    def entries(self, url: str) -> list[dict[str, str]]:
        """The list of a TOC page."""
        return [{"title": e.title, "url": e.url, "date": e.date} for e in self.page(url).entries]

    def article(self, url: str) -> dict[str, str]:
        """A page: title, author, date and Markdown."""
        page = self.page(url)
        return {
            name: getattr(page, name) for name in ("url", "role", "title", "author", "date", "language", "markdown")
        }

    def page(self, url: str) -> StoredArticle:
        """The page of an address; `UsageError` if the result has none."""
        if page_key(url) not in self._row:
            raise UsageError(f"no page of this site has the address {url}: `search` finds addresses")
        return self.result[self._row[page_key(url)]]

    @cached_property
    def _row(self) -> dict[str, int]:
        urls = self.result.table("pages", ["url"]).column("url").to_pylist()
        return {page_key(url or ""): page for page, url in enumerate(urls)}


def records(folder: str | Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The articles of a result folder: Markdown, and the facts beside it."""
    for article in open_result(folder).articles:
        facts = {name: getattr(article, name) for name in ("title", "author", "date", "language", "description")}
        yield article.markdown, {"source": article.url, **{name: value for name, value in facts.items() if value}}
