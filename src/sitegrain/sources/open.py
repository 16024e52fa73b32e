"""Tell from a name what kind of source it is."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from shutil import copyfileobj

from sitegrain.errors import SourceError, UsageError
from sitegrain.sources.base import MAX_BODY, Source
from sitegrain.sources.folder import FileSource, FolderSource
from sitegrain.sources.kinds import ENDINGS, FIRST, kind_of_file, kind_of_head
from sitegrain.tables.capture import Capture

_UNSEEN = (".", "_")
"""How names begin that programs keep beside their files: `_SUCCESS`, `.part-0.crc`."""
_INDEXES = (".cdx", ".cdxj", ".cdx.gz", ".cdxj.gz")
"""Of archives, beside which crawlers write them."""


def open_source(
    name: str | Path, base: str | None = None, url_column: str = "url", html_column: str = "html"
) -> Source:
    """The source that a name stands for.

    An address is crawled; a folder is read as HTML files, or as the archives in it when it holds nothing but
    WARC, Parquet or JSON files; `-` is standard input.
    """
    text = str(name)
    if is_address(text):
        from sitegrain.sources.crawled import CrawlSource

        return CrawlSource(text)
    if is_pipe(text):
        return PipedSource(text, base, (url_column, html_column))
    if not os.path.exists(text):
        raise SourceError(f"{text} does not exist: give an address, a folder, a WARC, Parquet, JSON or HTML file, or -")
    if os.path.isdir(text):
        return _open_folder(Path(text), base, url_column, html_column)
    kind = kind_of_file(text)
    return FileSource([text], url=base) if kind == "html" else open_archive([text], kind, url_column, html_column)


def open_files(names: Sequence[str], url_column: str = "url", html_column: str = "html") -> Source:
    """Several files as one site, all of one kind."""
    for name in names:
        if is_address(name) or is_pipe(name) or os.path.isdir(name):
            piped = "standard input" if name == "-" else "a pipe"
            what = "an address" if is_address(name) else piped if is_pipe(name) else "a folder"
            raise UsageError(
                f"{name} is {what}, and only files can be read together: give one of these names at a time"
            )
        if not os.path.exists(name):
            raise SourceError(f"{name} does not exist")
    kinds = {kind_of_file(name): name for name in names}
    if len(kinds) > 1:
        said = " and ".join(f"{name} ({kind})" for kind, name in kinds.items())
        raise UsageError(f"{said} are files of different kinds: give files of one kind, or mine them one by one")
    (kind,) = kinds
    return FileSource(names) if kind == "html" else open_archive(names, kind, url_column, html_column)


def open_archive(names: Sequence[str | Path], kind: str, url_column: str = "url", html_column: str = "html") -> Source:
    """Files of a kind that hold many pages: `warc`, `parquet` or `jsonl`; who reads plain files does not wait for their readers."""
    if kind == "warc":
        from sitegrain.sources.warc import WarcSource

        return WarcSource(names)
    if kind == "jsonl":
        from sitegrain.sources.jsonl import JsonLinesSource

        return JsonLinesSource(names, url_column, html_column)
    from sitegrain.sources.parquet import ParquetSource

    return ParquetSource(names, url_column, html_column)


def is_address(name: str) -> bool:
    """Whether a name is an address that can be fetched."""
    return name.lower().startswith(("http://", "https://"))


def is_pipe(name: str) -> bool:
    """Whether a name stands for what can be read only once: standard input, `<(a command)`, a named pipe."""
    try:
        return name == "-" or stat.S_ISFIFO(os.stat(name).st_mode) or stat.S_ISCHR(os.stat(name).st_mode)
    except (OSError, ValueError):
        return False


class PipedSource(Source):
    """What comes through a pipe: a page, or a file of many pages.

    It is copied to a file first, which may be opened as often as its reader wants.
    """

    def __init__(
        self, name: str, url: str | None = None, columns: tuple[str, str] = ("url", "html"), alone: bool = False
    ) -> None:
        super().__init__(name)
        self.url = url
        self.columns = columns
        self.alone = alone
        self.is_many = False
        """Whether it holds more than one page; known when it is read."""

    def captures(self) -> Iterator[Capture]:
        shown = "stdin" if self.name == "-" else self.name
        with tempfile.TemporaryDirectory(prefix="sitegrain-") as folder:
            path = Path(folder) / os.path.basename(shown)
            try:
                inner = self._copied(path)
                for capture in inner:
                    yield replace(capture, path=shown if capture.path else "")
            except SourceError as error:
                raise SourceError(str(error).replace(str(path), shown)) from error
            self.problems.extend(problem.replace(str(path), shown) for problem in inner.problems)
            self.counts.update(inner.counts)

    def _copied(self, path: Path) -> Source:
        with (
            open(self.name, "rb") if self.name != "-" else nullcontext(sys.stdin.buffer) as pipe,
            open(path, "wb") as file,
        ):
            head = pipe.read(FIRST)
            kind = kind_of_head(str(path), head)
            file.write(head)
            if kind == "html":
                file.write(pipe.read(MAX_BODY + 1))
            else:
                copyfileobj(pipe, file)
        self.is_many = kind != "html"
        return FileSource([path], self.url, self.alone) if kind == "html" else open_archive([path], kind, *self.columns)


def _open_folder(folder: Path, base: str | None, url_column: str, html_column: str) -> Source:
    try:
        is_empty = not any(not p.name.startswith(_UNSEEN) for p in folder.iterdir())
    except OSError as error:
        raise SourceError(f"{folder} cannot be read: {error.strerror}") from error
    if is_empty:
        raise SourceError(f"{folder} is empty: no HTML file")
    kind, files = _archives(folder)
    return open_archive(files, kind, url_column, html_column) if files else FolderSource(folder, base)


def _archives(folder: Path) -> tuple[str, list[Path]]:
    """The archives in a folder and in those within it, where it holds nothing else, and their kind: tables that are cut by a column
    (`day=1/part-0.parquet`), collections of a crawler with their indexes. The first page tells that there are none."""
    kind, files = "", []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(_UNSEEN))
        if any(os.path.islink(os.path.join(parent, name)) for name in folders):
            return "", []  # who reads a folder decides about these
        for name in sorted(names):
            lower = name.lower()
            if name.startswith(_UNSEEN) or lower.endswith(_INDEXES):
                continue
            own = next((each for each, endings in ENDINGS.items() if lower.endswith(endings)), "")
            if not own or (kind and own != kind) or not os.path.isfile(path := os.path.join(parent, name)):
                return "", []
            kind = own
            files.append(Path(path))
    return kind, files
