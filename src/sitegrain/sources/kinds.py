"""Tell what a file holds, by its name or its first bytes."""

from __future__ import annotations

import os
import re

from sitegrain.errors import SourceError
from sitegrain.sources.base import WACZ_ENDING, WARC_ENDINGS
from sitegrain.sources.encoding import inflate
from sitegrain.sources.folder import is_named_page

_PACKED = ("", ".gz", ".bz2", ".xz", ".zst")
ENDINGS = {
    "warc": (*WARC_ENDINGS, WACZ_ENDING, ".warc.wet.gz", ".warc.wat.gz", ".warc.wet", ".warc.wat"),
    "parquet": (".parquet", ".pq"),
    "jsonl": tuple(name + packed for name in (".jsonl", ".ndjson", ".jl", ".json") for packed in _PACKED),
}
_ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".7z", ".rar", ".maff", ".epub")
"""Folders in one file: they are not unpacked here, where nobody could say how much of a disk they may fill."""
_TABLES = (".csv", ".tsv", ".arrow", ".feather", ".ipc", ".orc", ".avro", ".xlsx", ".db", ".sqlite", ".har", ".zim")
"""What holds many pages in a form that is not read: as one page, it would be a wrong one."""
FIRST = 1 << 12
"""Bytes by which a file is known."""
_MAGIC = {b"WARC/": "warc", b"PAR1": "parquet"}
_TABLE_MAGIC = (b"ARROW1", b"FEA1", b"Obj\x01", b"SQLite format 3", b"ZIM\x04")
_OBJECT = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"')
"""How JSON begins that holds objects; a page does not begin so."""


def kind_of_file(name: str) -> str:
    """`warc`, `parquet`, `jsonl` or `html`."""
    lower = name.lower()
    if lower.endswith(_ARCHIVES):
        raise SourceError(f"{name} is an archive of files: unpack it, and give the folder or the WARC file in it")
    if lower.endswith((".arc", ".arc.gz")):
        raise _is_arc(name)
    if lower.endswith(_TABLES):
        raise _is_table(name)
    for kind, endings in ENDINGS.items():
        if lower.endswith(endings):
            return kind
    try:
        with open(name, "rb") as file:
            return kind_of_head(name, file.read(FIRST))
    except OSError as error:
        raise SourceError(f"{name} cannot be read: {error.strerror}") from error


def kind_of_head(name: str, head: bytes) -> str:
    """The kind of a file that begins so.

    >>> import gzip
    >>> kind_of_head("a", b"WARC/1.1"), kind_of_head("a", gzip.compress(b'{"url": "http://a.org/"}')), kind_of_head("a.html", b'{"a": 1}')
    ('warc', 'jsonl', 'html')
    """
    head = inflate(head, FIRST) or head
    if head.startswith(b"filedesc://"):
        raise _is_arc(name)
    if head.startswith(_TABLE_MAGIC):
        raise _is_table(name)
    for magic, kind in _MAGIC.items():
        if head.startswith(magic):
            return kind
    return "jsonl" if _OBJECT.match(head) and not is_named_page(os.path.basename(name)) else "html"


def _is_arc(name: str) -> SourceError:
    return SourceError(
        f"{name} is an ARC file, which came before WARC: convert it with `warcio recompress {name} pages.warc.gz`"
    )


def _is_table(name: str) -> SourceError:
    return SourceError(
        f"{name} is of a kind that is not read: write its pages as Parquet or JSON lines, with the columns url and html"
    )
