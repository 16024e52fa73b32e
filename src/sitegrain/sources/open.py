"""Tell from a name what kind of source it is."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sitegrain.errors import SourceError, UsageError
from sitegrain.sources.base import WACZ_ENDING, WARC_ENDINGS, Source
from sitegrain.sources.folder import FileSource, FolderSource

ARCHIVE_ENDINGS = (*WARC_ENDINGS, WACZ_ENDING)
PARQUET_ENDINGS = (".parquet", ".pq")
JSONL_ENDINGS = tuple(
    name + packed for name in (".jsonl", ".ndjson", ".jl") for packed in ("", ".gz", ".bz2", ".xz", ".zst")
)
_ENDINGS = {"warc": ARCHIVE_ENDINGS, "parquet": PARQUET_ENDINGS, "jsonl": JSONL_ENDINGS}
_PACKED_ENDINGS = (
    ".zip",
    ".tar",
    ".tgz",
    ".tar.gz",
    ".tar.xz",
    ".tar.bz2",
    ".tar.zst",
    ".7z",
    ".rar",
    ".maff",
)
"""Folders in one file: they are not unpacked here, where nobody could say how much of a disk they may fill."""


def open_source(
    name: str | Path, base: str | None = None, url_column: str = "url", html_column: str = "html"
) -> Source:
    """The source that a name stands for.

    An address is crawled; a folder is read as HTML files, or as the archives in it when it holds nothing but
    WARC, Parquet or JSON lines files; `-` is standard input.
    """
    text = str(name)
    if is_address(text):
        from sitegrain.sources.crawled import CrawlSource

        return CrawlSource(text)
    if text == "-":
        return FileSource(["-"], url=base)
    if not os.path.exists(text):
        raise SourceError(
            f"{text} does not exist: give an address, a folder, a WARC, Parquet, JSON lines or HTML file, or -"
        )
    if os.path.isdir(text):
        return _open_folder(Path(text), base, url_column, html_column)
    kind = kind_of_file(text)
    return FileSource([text], url=base) if kind == "html" else open_archive([text], kind, url_column, html_column)


def open_files(names: Sequence[str], url_column: str = "url", html_column: str = "html") -> Source:
    """Several files as one site, all of one kind."""
    for name in names:
        if is_address(name) or name == "-" or os.path.isdir(name):
            what = "an address" if is_address(name) else "standard input" if name == "-" else "a folder"
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


def kind_of_file(name: str) -> str:
    """`warc`, `parquet`, `jsonl` or `html`, by the name or the first bytes of a file."""
    if name.lower().endswith(_PACKED_ENDINGS):
        raise SourceError(f"{name} is an archive of files: unpack it, and give the folder or the WARC file in it")
    if name.lower().endswith((".arc", ".arc.gz")) or _starts_with(name, b"filedesc://"):
        raise SourceError(
            f"{name} is an ARC file, which came before WARC: convert it with `warcio recompress {name} pages.warc.gz`"
        )
    for kind, endings in _ENDINGS.items():
        if name.lower().endswith(endings):
            return kind
    return "warc" if _starts_with(name, b"WARC/") else "parquet" if _starts_with(name, b"PAR1") else "html"


def _open_folder(folder: Path, base: str | None, url_column: str, html_column: str) -> Source:
    try:
        files = sorted(p for p in folder.iterdir() if not p.name.startswith((".", "_")))
    except OSError as error:
        raise SourceError(f"{folder} cannot be read: {error.strerror}") from error
    if not files:
        raise SourceError(f"{folder} is empty: no HTML file")
    for kind, endings in _ENDINGS.items():
        if all(p.is_file() and p.name.lower().endswith(endings) for p in files):
            return open_archive(files, kind, url_column, html_column)
    return FolderSource(folder, base)


def _starts_with(name: str, magic: bytes) -> bool:
    try:
        with open(name, "rb") as file:
            return file.read(len(magic)) == magic
    except OSError as error:
        raise SourceError(f"{name} cannot be read: {error.strerror}") from error
