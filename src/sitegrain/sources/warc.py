"""Pages from WARC files, plain or compressed.

Only complete answers are pages: status 200 and HTML. Everything else is counted. A damaged archive gives what
can be read of it: after a broken record reading goes on at the next one that can be found.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from fastwarc.warc import ArchiveIterator, WarcRecordType

from sitegrain.errors import SourceError
from sitegrain.sources.base import MAX_BODY, Source, is_binary, is_html_type
from sitegrain.sources.encoding import decode_body
from sitegrain.tables.capture import Capture

WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")

# After so many broken places the rest of a file is given up: each costs a new start of the reader.
_MAX_DAMAGES = 1000


class WarcSource(Source):
    """The HTML responses of one or more WARC files, in file order."""

    def __init__(self, files: str | Path | Sequence[str | Path]) -> None:
        files = [files] if isinstance(files, str | Path) else list(files)
        super().__init__(", ".join(str(f) for f in files))
        self.files = [str(f) for f in files]
        for file in self.files:
            if not os.path.isfile(file):
                raise SourceError(f"{file} does not exist")

    def captures(self) -> Iterator[Capture]:
        n = 0
        for name in self.files:
            try:
                with open(name, "rb") as file:
                    for record in _Records(file, name, self):
                        capture = self._capture(record, name)
                        if isinstance(capture, Capture):
                            n += 1
                            yield capture
                        elif capture:
                            self.counts[capture] += 1
            except OSError as error:
                self.counts["skipped: unreadable file"] += 1
                self.problems.append(f"{name}: {error.strerror or error}")
        if not n:
            reasons = "; ".join([*(f"{k} {v}" for k, v in self.counts.items()), *self.problems[:3]])
            raise SourceError(f"no HTML page in {self.name}{f' ({reasons})' if reasons else ': the file is empty'}")

    def _capture(self, record: Any, name: str) -> Capture | str:
        """The page of a record, or why there is none (empty: not worth counting)."""
        kind = record.record_type
        if kind == WarcRecordType.revisit:
            # A revisit repeats an earlier page that is in the archive itself, or nowhere.
            return "skipped: revisit record"
        if kind in (WarcRecordType.request, WarcRecordType.warcinfo, WarcRecordType.metadata):
            return ""
        if kind not in (WarcRecordType.response, WarcRecordType.resource):
            return "skipped: other record"
        url = (record.headers.get("WARC-Target-URI") or "").strip().strip("<>")
        if not url.startswith(("http://", "https://")):
            return "skipped: not http"
        if kind == WarcRecordType.response:
            if record.http_headers is None:
                return "damaged: no HTTP answer in the record"
            status = int(record.http_headers.status_code or 0)
            headers = {str(k).lower(): str(v) for k, v in record.http_headers.items()}
            if status != 200:
                return "skipped: status not 200"
        else:
            status, headers = 200, {"content-type": record.headers.get("Content-Type") or ""}
        declared = headers.get("content-type", "")
        if declared and not is_html_type(declared):
            return "skipped: not HTML"
        length = int(record.content_length)
        try:
            raw = record.reader.read(min(length, MAX_BODY))
        except OSError:
            return ""  # the archive is broken here: the loop over records says where
        if length > MAX_BODY:
            self.counts["cut: page too large"] += 1
            self.problems.append(f"{url}: only the first {MAX_BODY >> 20} MB were read")
        elif len(raw) < length or record.headers.get("WARC-Truncated"):
            self.counts["damaged: truncated record"] += 1
            self.problems.append(f"{name}: the record of {url} is cut after {len(raw):,} bytes")
        body = decode_body(raw, headers)
        if body is None:
            return "skipped: unknown content encoding"
        if not body.strip():
            return "skipped: empty page"
        if is_binary(body) or (not declared and b"<" not in body[:4096]):
            return "skipped: not HTML"
        return Capture(url, body, status, headers, _time(record))


def _time(record: Any) -> datetime | None:
    try:
        time = record.record_date
    except ValueError:
        return None
    return time if isinstance(time, datetime) else None


class _Records:
    """The records of one file; a broken one is named, and reading goes on behind it."""

    def __init__(self, file: BinaryIO, name: str, source: Source) -> None:
        self.file = file
        self.name = name
        self.source = source

    def __iter__(self) -> Iterator[Any]:
        start = damages = 0
        magic = self._magic()
        while True:
            self.file.seek(start)
            last = start
            n = 0
            try:
                for record in ArchiveIterator(self.file, parse_http=True, auto_decode="none", fsspec_args=False):
                    last = max(last, int(record.stream_pos))
                    n += 1
                    yield record
                return
            except (OSError, ValueError, EOFError) as error:
                damages += 1
                if n or damages == 1:
                    self.source.counts["damaged: broken record"] += 1
                    self.source.problems.append(f"{self.name}: damaged near byte {last:,} ({error})")
            found = self._find(magic, last + 1) if magic else -1
            if found < 0:
                return
            if damages >= _MAX_DAMAGES:
                self.source.problems.append(f"{self.name}: given up at byte {found:,} after {damages} damaged places")
                return
            start = found

    def _magic(self) -> bytes:
        self.file.seek(0)
        head = self.file.read(4)
        if head.startswith(b"\x1f\x8b\x08"):
            return b"\x1f\x8b\x08"
        if head.startswith(b"\x28\xb5\x2f\xfd"):
            return b"\x28\xb5\x2f\xfd"
        return b"WARC/1."

    def _find(self, magic: bytes, start: int) -> int:
        """Where the next record may begin, or -1."""
        self.file.seek(start)
        tail = b""
        at = start
        while chunk := self.file.read(1 << 20):
            found = (tail + chunk).find(magic)
            if found >= 0:
                return at - len(tail) + found
            at += len(chunk)
            tail = (tail + chunk)[-len(magic) + 1 :]
        return -1
