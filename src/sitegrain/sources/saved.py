"""Pages as programs save them: packed by gzip, as MHTML, which browsers call "web page, single file", or with a folder of their pictures and frames."""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from sitegrain.light import late_pattern
from sitegrain.sources.base import MAX_BODY, is_html_type
from sitegrain.sources.encoding import inflate

if TYPE_CHECKING:
    from email.message import Message

PACKED_ENDING = ".gz"
MHTML_ENDINGS = (".mhtml", ".mht")
_GZIP = b"\x1f\x8b"
_HEAD_BYTES = 1 << 16
"""Bytes in which the head of a message ends."""
_MAX_PARTS = 1000
"""Parts of a message that are looked at: the page is the first one, or comes soon."""
_HEAD = re.compile(rb"\s*(?:[A-Za-z-]{1,60}:[^\n]*\n(?:[ \t][^\n]*\n)*)*?MIME-Version:", re.IGNORECASE)
_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")


_FOLDER = late_pattern(
    r"(?P<page>.+)(?:[_.]files|-Dateien|-filer|_(?:archivos|arquivos|bestanden|bylos|datoteke|dosyalar|elemei|failid|fails|fajlovi|ficheiros|fichiers|file"
    r"|fitxategiak|fitxers|pliki|soubory|tiedostot))",
    re.IGNORECASE,
)
"""Names that Windows and browsers give to the folder of a page, in their languages."""


class SavedPage(NamedTuple):
    """A page, taken out of the file that it was saved in."""

    body: bytes
    url: str = ""
    """Where it was saved from, if the file says so."""
    content_type: str = ""


def unpacked(body: bytes) -> SavedPage | None:
    """The page in a file; None for a packed file without one.

    >>> import gzip
    >>> unpacked(gzip.compress(b"<p>Tea")).body, unpacked(b"<p>Tea").body, unpacked(gzip.compress(b"")) is None
    (b'<p>Tea', b'<p>Tea', True)
    """
    if body.startswith(_GZIP):
        found = inflate(body)
        if found is None:
            return None
        body = found
    if body[:_HEAD_BYTES].lstrip()[:1] == b"<" or not _HEAD.match(body, 0, _HEAD_BYTES):
        return SavedPage(body)
    return _page_of(body)


def _page_of(body: bytes) -> SavedPage | None:
    """The HTML of a message: its first part that is HTML."""
    head, at = _headers(body, 0)
    boundary = head.get_boundary() if head is not None else None
    if head is None or at < 0:
        return None
    if not boundary:
        return _part(head, head, body[at:])
    line = b"\n--" + boundary.encode("latin-1", "replace")
    at = body.find(line, at - 2)
    for _ in range(_MAX_PARTS):
        if at < 0 or body.startswith(b"--", at + len(line)):
            return None
        part, begin = _headers(body, at + len(line))
        end = body.find(line, at + len(line))
        if part is not None and begin >= 0 and is_html_type(part.get_content_type()):
            return _part(part, head, body[begin : end if end >= 0 else len(body)])
        at = end
    return None


def _headers(body: bytes, at: int) -> tuple[Message | None, int]:
    """The headers that begin at a place, and where what follows them begins."""
    from email.parser import BytesHeaderParser  # nearly no site has a page that was saved so

    found = _EMPTY_LINE.search(body, at, at + _HEAD_BYTES)
    if found is None:
        return None, -1
    return BytesHeaderParser().parsebytes(body[at : found.start()].lstrip(b"\r\n") + b"\n\n"), found.end()


def _part(part: Message, head: Message, raw: bytes) -> SavedPage | None:
    way = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    try:
        if way == "quoted-printable":
            raw = binascii.a2b_qp(raw)
        elif way == "base64":
            raw = base64.b64decode(raw)
    except binascii.Error:
        return None
    url = str(head.get("Snapshot-Content-Location") or part.get("Content-Location") or "").strip()
    charset = part.get_content_charset()
    content_type = f"text/html; charset={charset}" if charset else ""
    return SavedPage(raw[:MAX_BODY], url if url[:8].lower().startswith(("http://", "https://")) else "", content_type)


def saved_folders(folders: Iterable[str], files: Iterable[str]) -> set[str]:
    """Which folders a browser saved beside one of the files: its pictures, and its frames as pages of their own.

    >>> sorted(saved_folders(["Tea_files", "Kuchen-Dateien", "lost_files", "Tea"], ["Tea.html", "Kuchen.htm"]))
    ['Kuchen-Dateien', 'Tea_files']
    """
    of_page = {name: found["page"] for name in folders if (found := _FOLDER.fullmatch(name))}
    if not of_page:
        return set()
    pages = {os.path.splitext(name)[0] for name in files if name.lower().endswith((".html", ".htm", ".xhtml"))}
    return {name for name, page in of_page.items() if page in pages}
