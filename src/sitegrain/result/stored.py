"""A result folder, read back: the same questions as of a `Result`, answered from its files when they are asked.

Nothing but `site.json` and the footer of the page table is read to open a folder. Tables are mapped into memory; a
column is decoded when it is first needed, and a line of JSON when its page is.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitegrain.article.fields import NAMES
from sitegrain.article.found import article_card, article_line
from sitegrain.article.lists.entries import TocEntry
from sitegrain.article.sent import SaidFields
from sitegrain.errors import SourceError, UsageError
from sitegrain.methods.base import ROLES
from sitegrain.result.base import AnyResult
from sitegrain.result.folder import FORMAT, GRAPH, LINES, TABLES, VERSION
from sitegrain.result.parquet import StoredTable

if TYPE_CHECKING:
    from sitegrain.article.threads.posts import Post

MAX_SUMMARY = 64 * 2**20
"""Bytes of a site.json that are read. It lists what was damaged, at most a line for each page, so no real one is near."""
SUMMARY_KEYS = ("pages", "roles", "source", "methods")
"""What every site.json says; one without them was not written by `mine`."""
_FILE_OF = {"article": "articles", "toc": "tocs"}
_HOLDS: dict[str, Callable[[pa.DataType], bool]] = {
    "images": pa.types.is_list,
    "toc_score": pa.types.is_floating,
    "confidence": pa.types.is_floating,
    "role_confidence": pa.types.is_floating,
}
"""What a column that is read here holds, when that is not text."""
T = TypeVar("T")


def open_result(folder: str | Path) -> StoredResult:
    """Open a folder that `mine` wrote: what it holds can be asked as of the `Result` that was written.

    `SourceError` says what is wrong with a folder that is no result, is damaged, or comes from a newer sitegrain.
    """
    folder = Path(folder)
    how = "`sitegrain mine SOURCE --out FOLDER` makes one"
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise SourceError(f"{folder} {what}: give the folder of a result; {how}")
    about = folder / "site.json"
    if not about.is_file():
        raise SourceError(f"{folder} is not a sitegrain result, since it has no site.json; {how}")
    try:
        with open(about, "rb") as file:
            content = file.read(MAX_SUMMARY + 1)
        summary = json.loads(content) if len(content) <= MAX_SUMMARY else None
    except OSError as error:
        raise SourceError(f"{about} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{about} is damaged ({error}): mine the site again") from error
    if not isinstance(summary, dict) or summary.pop("format", None) != FORMAT:
        raise SourceError(f"{folder} is not a sitegrain result: its site.json does not describe one; {how}")
    version = summary.pop("version", None)
    if not isinstance(version, int) or version < 1:
        raise SourceError(f"{about} is damaged (no version): mine the site again")
    if version > VERSION:
        raise SourceError(f"{folder} was written by a newer sitegrain: update, or mine the site again")
    files = [*(f"{name}.parquet" for name in TABLES), *(f"{name}.jsonl" for name in LINES), GRAPH]
    lacks = [name for name in files if not (folder / name).is_file()]
    lacks += [f"{key!r} in site.json" for key in SUMMARY_KEYS if key not in summary]
    if lacks:
        raise SourceError(f"{folder} is damaged, it lacks {', '.join(lacks)}: mine the site again")
    return StoredResult(folder, summary)


class _Text:
    """An attribute of an article that a column of the same name in the page table holds."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._column = name

    def __get__(self, article: StoredArticle, owner: type | None = None) -> str:
        return article._result._text(self._column, article.page)


class StoredArticle:
    """What was found on one page, from a result folder; everything is looked up when asked for."""

    def __init__(self, result: StoredResult, page: int) -> None:
        self._result = result
        self.page = page

    def __repr__(self) -> str:
        return article_line(self, "StoredArticle")

    def _repr_html_(self) -> str:
        return article_card(self)

    url = _Text()
    path = _Text()
    page_type = _Text()
    title = _Text()
    author = _Text()
    date = _Text()
    language = _Text()
    sitename = _Text()
    canonical = _Text()
    description = _Text()
    text = _Text()
    markdown = _Text()

    @property
    def role(self) -> str:
        return ROLES[self._result._page_role[self.page]]

    @property
    def images(self) -> tuple[str, ...]:
        return tuple(self._result._cell("images", self.page) or ())

    @property
    def sources(self) -> dict[str, str]:
        """Where each field was found, for those that were."""
        return self._result._decoded(
            "pages.parquet", lambda: dict(json.loads(self._result._text("sources", self.page)))
        )

    @property
    def fields(self) -> SaidFields:
        """The fields with where each was found."""
        return SaidFields(self)

    @property
    def html(self) -> str:
        """Clean HTML: safe to show. A folder keeps it of articles and TOC pages."""
        if self.role not in _FILE_OF:
            raise UsageError(
                f"a result folder keeps no HTML of pages that are neither article nor TOC page: {self.url}"
            )
        if "html" in self._result._page_columns:
            return self._result._html(self.page)
        return str(self._kept("html"))  # of version 1

    @property
    def entries(self) -> list[TocEntry]:
        """The main list of a TOC page; empty for other pages."""
        if self.role != "toc":
            return []
        listed = self._kept("entries")
        return self._result._decoded("tocs.jsonl", lambda: [TocEntry(**entry) for entry in listed])

    @property
    def posts(self) -> list[Post]:
        """The posts of a thread, in order. A folder keeps them of articles whose type is `forum`; empty for other pages."""
        if self.role != "article" or self.page_type != "forum":
            return []
        from sitegrain.article.threads.posts import Post  # loaded for threads alone

        listed = self._kept("posts")
        return self._result._decoded(
            "articles.jsonl", lambda: [Post(**{**post, "quotes": tuple(post["quotes"])}) for post in listed]
        )

    @property
    def confidence(self) -> float:
        """0 to 1: how sure the text is."""
        return float(self._result._cell("confidence", self.page) or 0)

    @property
    def role_confidence(self) -> float:
        """0 to 1: how sure the role is."""
        return float(self._result._cell("role_confidence", self.page) or 0)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to know of this page."""
        if self.role in _FILE_OF:
            return tuple(map(str, self._kept("notes")))
        said = self._result._text("notes", self.page)
        return (said,) if said else ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON: what `Article.to_dict` of the same page gave; without `html` where the folder keeps none."""
        if self.role in _FILE_OF:
            line = {key: value for key, value in self._line.items() if key != "role_confidence"}
            return {**line, "html": self.html}
        names = ("url", "path", "role", *NAMES, "sources", "confidence", "notes", "text", "markdown")
        out: dict[str, Any] = {name: getattr(self, name) for name in names}
        return {**out, "images": list(self.images), "notes": list(self.notes), "confidence": round(self.confidence, 4)}

    @property
    def _line(self) -> dict[str, Any]:
        return self._result._line(self.role, self.page)

    def _kept(self, key: str) -> Any:
        line = self._line
        return self._result._decoded(f"{_FILE_OF[self.role]}.jsonl", lambda: line[key])


class StoredResult(AnyResult[StoredArticle]):
    """A result folder, opened: see `open_result`."""

    def __init__(self, folder: Path, summary: Mapping[str, Any]) -> None:
        self.folder = folder
        self._summary = summary
        self._columns: dict[str, pa.ChunkedArray] = {}
        self._lines: dict[str, _Lines] = {}
        self._html_of: tuple[int, Any] = (-1, None)
        """A row group of the page table, and its HTML."""
        self._length = self._decoded("pages.parquet", lambda: sum(StoredTable(self._parquet("pages")).group_sizes))
        if self._length != summary["pages"]:
            raise SourceError(
                f"{folder} is damaged: site.json speaks of {summary['pages']} pages, pages.parquet holds "
                f"{self._length}. Mine the site again"
            )

    @property
    def _where(self) -> str:
        return str(self.folder)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, page: int) -> StoredArticle:
        if not -len(self) <= page < len(self):
            raise IndexError(f"page {page} of a result of {len(self)} pages")
        return StoredArticle(self, page % len(self))

    @cached_property
    def _page_role(self) -> npt.NDArray[np.int8]:
        place = {name: k for k, name in enumerate(ROLES)}
        return self._decoded(
            "pages.parquet", lambda: np.array([place[r] for r in self._column("role").to_pylist()], np.int8)
        )

    @cached_property
    def _page_toc(self) -> npt.NDArray[np.float64]:
        return self._decoded("pages.parquet", lambda: np.asarray(self._column("toc_score").to_numpy(), np.float64))

    @cached_property
    def _place(self) -> dict[str, dict[int, int]]:
        """Per role: page -> number of its line."""
        return {role: {page: k for k, page in enumerate(self._order(role))} for role in _FILE_OF}

    def _line(self, role: str, page: int) -> dict[str, Any]:
        """The line of articles.jsonl or tocs.jsonl that holds this page."""
        name = f"{_FILE_OF[role]}.jsonl"
        lines = self._lines.get(role)
        if lines is None:
            lines = self._lines[role] = self._decoded(name, lambda: _Lines(self.folder / name))
        found = self._decoded(name, lambda: json.loads(lines[self._place[role][page]]))
        if not isinstance(found, dict) or str(found.get("url")).encode("utf-8", "replace") != self[page].url.encode():
            raise SourceError(f"{self.folder / name} is damaged: it and pages.parquet differ. Mine the site again")
        return found

    @property
    def pages(self) -> pa.Table:
        """One row per page: see docs/output.md."""
        return self.table("pages")

    @property
    def blocks(self) -> pa.Table:
        """One row per block: see docs/output.md."""
        return self.table("blocks")

    @property
    def links(self) -> pa.Table:
        """One row per link: see docs/output.md."""
        return self.table("links")

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """`pages`, `blocks` or `links`; with `columns`, only those are read."""
        wanted = None if columns is None else list(columns)
        path = self._parquet(name)
        table = self._decoded(path.name, lambda: StoredTable(path).read(wanted))
        if wanted is not None and (lacks := [column for column in wanted if column not in table.column_names]):
            raise SourceError(
                f"{path} has no column {', '.join(lacks)} (it has: {', '.join(self.column_names(name))}); if it should have it, mine the site again"
            )
        return table

    def column_names(self, name: str) -> list[str]:
        """The columns of `pages`, `blocks` or `links`, without reading them."""
        path = self._parquet(name)
        return self._decoded(path.name, lambda: StoredTable(path).names)

    @cached_property
    def _page_columns(self) -> frozenset[str]:
        return frozenset(self.column_names("pages"))

    def _column(self, name: str) -> pa.ChunkedArray:
        """A column of the page table, kept once it was read."""
        if name not in self._columns:
            column = self.table("pages", [name])[name]
            if not _HOLDS.get(name, pa.types.is_large_string)(column.type):
                raise SourceError(
                    f"{self._parquet('pages')} is damaged, {name} holds {column.type}: mine the site again"
                )
            self._columns[name] = column
        return self._columns[name]

    def _text(self, column: str, page: int) -> str:
        """One value of a column of text."""
        return str(self._cell(column, page) or "")

    def _cell(self, column: str, page: int) -> Any:
        """One value of the page table."""
        return self._decoded("pages.parquet", lambda: self._column(column)[page].as_py())

    def _html(self, page: int) -> str:
        """The HTML of a page: of the largest column one row group at a time."""
        path, start = self._parquet("pages"), self._group_start
        group = int(np.searchsorted(start, page, "right")) - 1
        if self._html_of[0] != group:
            read = self._decoded(path.name, lambda: StoredTable(path).read_group(group, ["html"]))
            self._html_of = group, read["html"]
        return self._decoded(path.name, lambda: str(self._html_of[1][page - int(start[group])].as_py() or ""))

    @cached_property
    def _group_start(self) -> npt.NDArray[np.int64]:
        """The first page of each row group."""

        def read() -> npt.NDArray[np.int64]:
            return np.cumsum([0, *StoredTable(self._parquet("pages")).group_sizes])[:-1]

        return self._decoded("pages.parquet", read)

    @property
    def summary(self) -> Mapping[str, Any]:
        """What site.json says."""
        return self._summary

    @property
    def mined_from(self) -> Path | None:
        """The pages that it was mined from, if they are still there: as they were named then, seen from here or from
        beside the folder (a relative name is often used from another place later)."""
        name = str(self.summary.get("source", ""))
        places = (Path(name), self.folder.resolve().parent / name) if name else ()
        return next((place for place in places if place.exists()), None)

    def graphml(self) -> str:
        """The distilled site as GraphML."""
        return self._decoded(GRAPH, lambda: (self.folder / GRAPH).read_text(encoding="utf-8"))

    def _parquet(self, name: str) -> Path:
        if name not in TABLES:
            raise UsageError(f"no table is called {name!r}; there are: {', '.join(TABLES)}")
        return self.folder / f"{name}.parquet"

    def _decoded(self, name: str, read: Callable[[], T]) -> T:
        """What `read` gives; an error that a damaged file causes says which file it is and what to do."""
        try:
            return read()
        except (OSError, ValueError, KeyError, IndexError, TypeError, RecursionError, pa.ArrowException) as error:
            reason = str(error).partition("\n")[0][:200] or type(error).__name__
            raise SourceError(f"{self.folder / name} is damaged ({reason}): mine the site again") from error


class _Lines:
    """A file of lines, mapped into memory; where each line begins is found once."""

    def __init__(self, path: Path) -> None:
        with open(path, "rb") as file:
            is_empty = not file.seek(0, 2)
            self._data: bytes | mmap.mmap = b"" if is_empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._start = [0]
        while (at := self._data.find(b"\n", self._start[-1])) >= 0:
            self._start.append(at + 1)

    def __getitem__(self, k: int) -> bytes:
        # A line without its end was torn off.
        if not 0 <= k < len(self._start) - 1:
            raise IndexError(f"it has {len(self._start) - 1} lines, and number {k + 1} is wanted")
        return self._data[self._start[k] : self._start[k + 1]]
