"""Pages from WARC files, plain or compressed, or packed as WACZ.

Only complete answers are pages: status 200 and HTML. Everything else is counted. A damaged archive gives what
can be read of it: after a broken record reading goes on at the next one that can be found.

A revisit record says that a page is as it was in an earlier crawl. Its page is read from there: from the WARC that the
recrawl names itself (`chain`), or from the one that the user names. Pages that a recrawl asked for in vain (the server
was down) are taken from there as well: they are neither gone nor new the next day.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast
from zipfile import ZIP_STORED, BadZipFile, ZipFile

from fastwarc.warc import ArchiveIterator, WarcRecordType

from sitegrain.errors import SourceError
from sitegrain.sources.base import MAX_BODY, WACZ_ENDING, WARC_ENDINGS, Source, is_binary, is_html_type
from sitegrain.sources.chain import chain_of, earlier_of
from sitegrain.sources.encoding import decode_body
from sitegrain.tables.capture import Capture

_ROBOTS = re.compile(r"https?://[^/?#]*/robots\.txt", re.IGNORECASE)
_IS_ENCRYPTED, _BUFFER = 1, 1 << 18
# After so many broken places the rest of a file is given up: each costs a new start of the reader.
_MAX_DAMAGES = 1000


class WarcSource(Source):
    """The HTML responses of one or more WARC files, in file order; `earlier` is the WARC that a recrawl builds on, where
    that is not where the recrawl says."""

    def __init__(self, files: str | Path | Sequence[str | Path], earlier: str | Path | None = None) -> None:
        files = [files] if isinstance(files, str | Path) else list(files)
        super().__init__(", ".join(str(f) for f in files))
        self.files = [str(f) for f in files]
        self.earlier = earlier
        self.revisited: set[str] = set()
        """Addresses whose pages were as in an earlier crawl."""
        for file in (*self.files, *([] if earlier is None else [str(earlier)])):
            if not os.path.isfile(file):
                raise SourceError(f"{file} does not exist")

    def captures(self) -> Iterator[Capture]:
        seen: set[str] = set()
        self.revisited.clear()
        for name in self.files:
            lost: dict[str, None] = {}
            before = _Before(self._chain(name))
            n_missing = 0
            try:
                for member, file in self._opened(name):
                    for record in _Records(file, member, self):
                        if record.record_type == WarcRecordType.revisit:
                            capture = self._revisited(record, before, seen)
                            n_missing += capture == _NOT_HERE
                        else:
                            capture = self._capture(record, member)
                        if record.record_type == WarcRecordType.metadata and _outcome(record) == "error":
                            lost[_target(record)] = None
                        if isinstance(capture, Capture):
                            seen.add(capture.url)
                            yield capture
                        elif capture:
                            self.counts[capture] += 1
            except (OSError, BadZipFile) as error:
                self.counts["skipped: unreadable file"] += 1
                self.problems.append(f"{name}: {getattr(error, 'strerror', None) or error}")
            for url in lost:
                at = before.by_url.get(url) if url not in seen else None
                capture = self._read_at(at) if at is not None else ""
                if isinstance(capture, Capture):
                    self.counts["could not be fetched, earlier copy kept"] += 1
                    yield capture
            if n_missing:
                self.problems.append(self._say_missing(name, n_missing))
        if not seen:
            reasons = "; ".join([*(f"{k} {v}" for k, v in self.counts.items()), *self.problems[:3]])
            raise SourceError(f"no HTML page in {self.name}{f' ({reasons})' if reasons else ': the file is empty'}")

    def _opened(self, name: str) -> Iterator[tuple[str, BinaryIO]]:
        """The WARC files that a name stands for, each open: itself, or those in a WACZ."""
        if not name.lower().endswith(WACZ_ENDING):
            with open(name, "rb") as file:
                yield name, file
            return
        with ZipFile(name) as packed:
            for entry in packed.infolist():
                if not entry.filename.lower().endswith(WARC_ENDINGS):
                    continue
                member = f"{name}/{entry.filename}"
                if entry.compress_type != ZIP_STORED or entry.flag_bits & _IS_ENCRYPTED:
                    # The format forbids it: to seek in one is to unpack it again and again.
                    self.counts["skipped: a WARC that is packed within a WACZ"] += 1
                    self.problems.append(
                        f"{member} is compressed twice, or encrypted: unpack it, and give the WARC file"
                    )
                    continue
                with packed.open(entry) as part:
                    yield member, BufferedReader(cast(RawIOBase, part), _BUFFER)

    def _chain(self, name: str) -> list[Path]:
        """The files that a WARC builds on, the oldest first."""
        before = earlier_of(name) if self.earlier is None else Path(self.earlier)
        return chain_of(before) if before is not None and before.is_file() else []

    def _say_missing(self, name: str, n: int) -> str:
        pages = "a page is" if n == 1 else f"{n:,} pages are"
        where = earlier_of(name)
        known = f"{where}, which is not here" if where is not None and not where.is_file() else "an earlier WARC"
        return f"{name}: {pages} only in {known}: name it with --earlier, or give both files"

    def _revisited(self, record: Any, before: _Before, seen: set[str]) -> Capture | str:
        """The page that a revisit record points to, or why there is none."""
        url = _target(record)
        at = before.find(record)
        if at is None:
            refers = (record.headers.get("WARC-Refers-To-Target-URI") or url).strip("<>")
            # Archives of other tools repeat pages of their own like this.
            return "skipped: revisit record" if refers in seen or url in seen else _NOT_HERE
        capture = self._read_at(at)
        if not isinstance(capture, Capture):
            return capture
        self.revisited.add(url)
        return replace(capture, url=url, time=_time(record))

    def _read_at(self, at: _Place) -> Capture | str:
        """The page of the record at a place."""
        try:
            with open(at.path, "rb") as file:
                file.seek(at.offset)
                for record in _open(file):
                    return self._capture(record, str(at.path))
        except (OSError, ValueError, EOFError):
            pass
        return "damaged: page of an earlier crawl"

    def _capture(self, record: Any, name: str) -> Capture | str:
        """The page of a record, or why there is none (empty: not worth counting)."""
        kind = record.record_type
        if kind in (WarcRecordType.request, WarcRecordType.warcinfo, WarcRecordType.metadata):
            is_wat = "json" in (record.headers.get("Content-Type") or "")
            return "skipped: what another program says of a page (WAT)" if is_wat else ""
        if kind == WarcRecordType.conversion and "text/plain" in (record.headers.get("Content-Type") or ""):
            return "skipped: text that another program took from a page (WET)"
        if kind not in (WarcRecordType.response, WarcRecordType.resource):
            return "skipped: other record"
        url = _target(record)
        if not url[:8].lower().startswith(("http://", "https://")):
            return "skipped: not http"
        if _ROBOTS.fullmatch(url):  # some servers answer it with the page that they have for everything
            return "skipped: not HTML"
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


_NOT_HERE = "skipped: revisit record of a page that is not here"


class _Place(NamedTuple):
    """Where a record begins."""

    path: Path
    offset: int


@dataclass
class _Before:
    """Where the pages of earlier crawls stand; nothing is read before it is asked for."""

    chain: list[Path]
    """The oldest first."""
    _by_id: dict[str, _Place] = field(default_factory=dict)
    _by_url: dict[str, _Place] = field(default_factory=dict)

    @property
    def by_url(self) -> dict[str, _Place]:
        """The pages that the latest of the earlier crawls had."""
        while self.chain:
            self._read(self.chain.pop(0))
        return self._by_url

    def find(self, revisit: Any) -> _Place | None:
        """The record that a revisit record points to."""
        return _pointed(revisit, self._by_id, self.by_url)

    def _read(self, path: Path) -> None:
        try:
            with open(path, "rb") as file:
                for record in _open(file):
                    url, place = _target(record), _Place(path, int(record.stream_pos))
                    if record.record_type == WarcRecordType.revisit:
                        found = _pointed(record, self._by_id, self._by_url)
                    elif record.record_type == WarcRecordType.response and record.http_headers is not None:
                        is_page = int(record.http_headers.status_code or 0) == 200
                        found = place if is_page else None
                        self._by_id[record.headers.get("WARC-Record-ID") or ""] = place
                    else:
                        continue
                    if found is not None:
                        self._by_url[url] = found
                    else:
                        self._by_url.pop(url, None)
        except (OSError, ValueError, EOFError):
            return  # what could be read is there; a page that is not is told by name


def _pointed(revisit: Any, by_id: Mapping[str, _Place], by_url: Mapping[str, _Place]) -> _Place | None:
    refers = (revisit.headers.get("WARC-Refers-To-Target-URI") or _target(revisit)).strip("<>")
    return by_id.get(revisit.headers.get("WARC-Refers-To") or "", by_url.get(refers))


def _open(file: BinaryIO) -> Iterator[Any]:
    records: Iterator[Any] = ArchiveIterator(file, parse_http=True, auto_decode="none", fsspec_args=False)
    return records


def _target(record: Any) -> str:
    return (record.headers.get("WARC-Target-URI") or "").strip().strip("<>")


def _outcome(record: Any) -> str:
    """What our crawler says of an address without a page."""
    text = record.reader.read(1 << 12).decode("utf-8", "replace")
    return next((v.strip() for k, _, v in (line.partition(":") for line in text.splitlines()) if k == "outcome"), "")


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
            n = n_problems = 0
            try:
                for record in _open(self.file):
                    last = max(last, int(record.stream_pos))
                    n += 1
                    n_problems = len(self.source.problems)
                    yield record
                if n and n_problems == len(self.source.problems) and not _is_whole(self.file, magic, last):
                    # A record that nobody reads (a request) can be cut without an error.
                    self.source.counts["damaged: truncated record"] += 1
                    self.source.problems.append(f"{self.name}: cut within its last record, near byte {last:,}")
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


def _is_whole(file: BinaryIO, magic: bytes, start: int) -> bool:
    """Whether a WARC ends where a record does; `start` is where the last known record begins."""
    file.seek(start)
    if magic == b"WARC/1.":
        size = file.seek(0, os.SEEK_END)
        file.seek(max(start, size - 4))
        return file.read(4) == b"\r\n\r\n"
    if magic != b"\x1f\x8b\x08":
        return True
    data = file.read(1 << 20)
    while data.strip(b"\0"):
        member = zlib.decompressobj(31)
        while data and not member.eof:
            try:
                member.decompress(data, 1 << 20)
            except zlib.error:
                return False
            data = (member.unused_data if member.eof else member.unconsumed_tail) or file.read(1 << 20)
        if not member.eof:
            return False
    return True
