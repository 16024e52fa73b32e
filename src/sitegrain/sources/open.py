"""Tell from a name what kind of source it is."""

from __future__ import annotations

import os
from pathlib import Path

from sitegrain.errors import SourceError
from sitegrain.sources.base import Source
from sitegrain.sources.crawled import CrawlSource
from sitegrain.sources.folder import FileSource, FolderSource
from sitegrain.sources.parquet import ParquetSource
from sitegrain.sources.warc import WARC_ENDINGS, WarcSource


def open_source(
    name: str | Path, base: str | None = None, url_column: str = "url", html_column: str = "html"
) -> Source:
    """The source that a name stands for.

    An address is crawled; a folder is read as HTML files, or as the archives in it when it holds nothing but
    WARC or Parquet files; `-` is standard input.
    """
    text = str(name)
    if text.lower().startswith(("http://", "https://")):
        return CrawlSource(text)
    if text == "-":
        return FileSource(["-"], url=base)
    if not os.path.exists(text):
        raise SourceError(f"{text} does not exist: give an address, a folder, a WARC, Parquet or HTML file, or -")
    if os.path.isdir(text):
        return _open_folder(Path(text), base, url_column, html_column)
    if text.lower().endswith(WARC_ENDINGS) or _starts_with(text, b"WARC/"):
        return WarcSource(text)
    if text.lower().endswith((".parquet", ".pq")) or _starts_with(text, b"PAR1"):
        return ParquetSource(text, url_column, html_column)
    return FileSource([text], url=base)


def _open_folder(folder: Path, base: str | None, url_column: str, html_column: str) -> Source:
    try:
        files = sorted(p for p in folder.iterdir() if not p.name.startswith((".", "_")))
    except OSError as error:
        raise SourceError(f"{folder} cannot be read: {error.strerror}") from error
    if not files:
        raise SourceError(f"{folder} is empty: no HTML file")
    if all(p.is_file() and p.name.lower().endswith(WARC_ENDINGS) for p in files):
        return WarcSource(files)
    if all(p.is_file() and p.name.lower().endswith((".parquet", ".pq")) for p in files):
        return ParquetSource(files, url_column, html_column)
    return FolderSource(folder, base)


def _starts_with(name: str, magic: bytes) -> bool:
    try:
        with open(name, "rb") as file:
            return file.read(len(magic)) == magic
    except OSError as error:
        raise SourceError(f"{name} cannot be read: {error.strerror}") from error
