"""What every source is: an iterable of captures that counts what it skips."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator

from sitegrain.tables.capture import Capture

MAX_BODY = 32 * 2**20
"""Bytes of one page that are read; the rest is cut and counted. No page of text is near it, and it keeps a
decompression bomb or a 200 MB "page" from filling memory."""

WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")
WACZ_ENDING = ".wacz"
"""A zip file with WARC files in it."""
HTML_TYPES = ("text/html", "application/xhtml+xml")

# First bytes of what is often saved under a name that ends in .html.
_MAGIC = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF", b"PK\x03\x04", b"\x1f\x8b", b"\x7fELF", b"RIFF", b"\x00\x00\x01\x00",
    b"BM\x00", b"OggS", b"ID3", b"wOFF", b"wOF2", b"MZ\x90", b"\x28\xb5\x2f\xfd", b"SQLite format 3",
    b"\xfd7zXZ", b"BZh", b"7z\xbc\xaf", b"Rar!",
)  # fmt: skip
_CONTROLS = bytes([*range(0, 9), *range(14, 27), *range(28, 32)])


class Source(ABC):
    """Pages from somewhere, one `Capture` at a time, so that a whole site is never held as bytes.

    After (or during) an iteration `counts` says how many things were skipped, by reason, and `problems` names
    what was damaged. Iterating again starts afresh.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []
        self.about = ""
        """Where the pages live and how that was found, in words, when the source had to find it."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def __iter__(self) -> Iterator[Capture]:
        self.counts.clear()
        self.problems.clear()
        return self.captures()

    @abstractmethod
    def captures(self) -> Iterator[Capture]:
        """Yield the pages; count what is skipped."""


def is_html_type(content_type: str) -> bool:
    """True when a Content-Type header says HTML.

    >>> is_html_type("Text/HTML; charset=utf-8"), is_html_type("image/png")
    (True, False)
    """
    return content_type.split(";")[0].strip().lower() in HTML_TYPES


def is_binary(body: bytes) -> bool:
    r"""True when these bytes cannot be a page, whatever their name says.

    Stray NUL bytes in a page are no reason to lose it, and UTF-16 is half NULs: so a body is binary only when it
    starts like a known file format, or when a tenth of it is control characters and no tag is in sight.

    >>> is_binary(b"\x89PNG\r\n\x1a\n"), is_binary(b"<p>\x00NUL</p>"), is_binary("<p>é".encode("utf-16"))
    (True, False, False)
    """
    head = body[:4096]
    if head.startswith(_MAGIC):
        return True
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")) or b"<\0" in head or b"\0<" in head:
        return False
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls > len(head) / 10 and (b"<" not in head or controls > len(head) / 3)
