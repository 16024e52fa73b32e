"""The WARC of a crawl: its output and, at the same time, its log.

One page is one write: the request record and the response record, each its own gzip member, go to the file
in a single append. When the process dies in the middle (kill -9), only the tail can be torn. `WarcLog.open`
cuts such a tail off, and what is left says exactly which pages are finished.

Besides pages the log holds redirects and error answers (response records), URLs whose body was not kept
(metadata records: no HTML, too large, failed), unchanged pages of a recrawl (revisit records) and rendered
DOMs (conversion records).
"""

from __future__ import annotations

import json
import os
import re
import time
import zlib
from base64 import b32encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha1
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NoReturn
from uuid import uuid4

import brotli
from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sitegrain.errors import OutputError, SourceError
from sitegrain.sources.chain import EARLIER_FIELD, earlier_name
from sitegrain.sources.crawl.addresses import index_key
from sitegrain.wholefile import write_whole

try:
    import fcntl
except ImportError:  # pragma: no cover - not on POSIX: two crawls into one file are then not noticed
    fcntl = None  # type: ignore[assignment]

Headers = Sequence[tuple[bytes, bytes]]

SAME_PAYLOAD = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

LOCK_WAIT = 5.0
"""Seconds to wait until another crawl lets go of the file: a killed parent's child needs a moment."""

_CHUNK = 1 << 20
_LEADS = re.compile(rb"WARC-Type: (?:request|conversion)")
_FIRST_RECORD = 1 << 16
"""No first record of ours is longer: it holds the options and a few lines."""


def digest(data: bytes) -> str:
    """A digest as WARC files write it."""
    return "sha1:" + b32encode(sha1(data, usedforsecurity=False).digest()).decode()


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer, as they went over the wire (chunking undone)."""

    url: str
    status: int
    request_head: bytes
    headers: Headers
    body: bytes
    protocol: str = "HTTP/1.1"
    address: str = ""
    truncated: str = ""

    def head(self) -> bytes:
        from http import HTTPStatus

        try:
            reason = HTTPStatus(self.status).phrase
        except ValueError:
            reason = ""
        lines = [f"{self.protocol} {self.status} {reason}".rstrip().encode()]
        lines += [name + b": " + _one_line(value) for name, value in self.headers]
        return b"\r\n".join(lines) + b"\r\n\r\n"

    @property
    def content_type(self) -> str:
        return header(self.headers, b"content-type")


def header(headers: Headers, name: bytes) -> str:
    """The first value of a header, or an empty string."""
    return next((v.decode("latin-1") for n, v in headers if n.lower() == name), "")


def _one_line(value: bytes) -> bytes:
    return re.sub(rb"[\r\n]+", b" ", value)


@dataclass(frozen=True, slots=True)
class Entry:
    """One record as the log is read back."""

    kind: str
    url: str
    status: int
    headers: Mapping[str, str]
    """HTTP headers, or the fields of a metadata record; names in lower case."""
    body: bytes
    """The body after content decoding."""
    record_id: str = ""
    date: str = ""
    payload_digest: str = ""
    truncated: str = ""
    size: int = 0
    """Bytes of the body as received."""


_READ_BACK = ("response", "revisit", "metadata", "warcinfo", "conversion")


def read_entries(path: Path | str, *, max_decoded: int) -> Iterator[tuple[int, Entry]]:
    """All records of a WARC but requests, oldest first, each with its offset."""
    with _readable(path) as stream:
        records = ArchiveIterator(stream)
        for record in records:
            if record.rec_type in _READ_BACK:
                entry = _entry(record, max_decoded)
                yield records.get_record_offset(), entry  # asking for the offset skips what is left of the record


def read_entry_at(path: Path | str, offset: int, *, max_decoded: int) -> Entry:
    """The record at an offset."""
    with _readable(path) as stream:
        stream.seek(offset)
        for record in ArchiveIterator(stream):
            return _entry(record, max_decoded)
    raise SourceError(f"{path} has no record at byte {offset:,}: did it change during the crawl?")


@contextmanager
def _readable(path: Path | str) -> Iterator[IO[bytes]]:
    try:
        with open(path, "rb") as stream:
            yield stream
    except ArchiveLoadFailed as error:
        raise SourceError(f"{path} is not a readable WARC file: {str(error).splitlines()[0]}") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None


def _entry(record: Any, max_decoded: int) -> Entry:
    fields = record.rec_headers
    status, headers = 0, {}
    if record.http_headers is not None:
        code = record.http_headers.get_statuscode()
        status = int(code) if code and code.isdigit() else 0
        headers = {name.lower(): value for name, value in record.http_headers.headers}
    received = record.raw_stream.read()
    record.raw_stream = BytesIO(received)
    body = b"" if record.rec_type == "revisit" else _decoded(record, received, headers, max_decoded)
    if record.rec_type in ("metadata", "warcinfo"):
        headers = parse_fields(body)
    elif record.rec_type == "conversion":
        headers = {"content-type": fields.get_header("Content-Type") or ""}
    return Entry(
        kind=record.rec_type,
        url=fields.get_header("WARC-Target-URI") or "",
        status=status,
        headers=headers,
        body=body,
        record_id=fields.get_header("WARC-Record-ID") or "",
        date=fields.get_header("WARC-Date") or "",
        payload_digest=fields.get_header("WARC-Payload-Digest") or "",
        truncated=fields.get_header("WARC-Truncated") or "",
        size=len(received),
    )


def _decoded(record: Any, received: bytes, headers: Mapping[str, str], limit: int) -> bytes:
    """The body without chunking and packing; empty when it is longer than the limit or broken."""
    if headers.get("content-encoding", "").strip().lower() == "br":
        # warcio cannot unpack this with every version of the brotli package.
        try:
            stream = brotli.Decompressor()
            body = stream.process(received, output_buffer_limit=limit + 1)
        except brotli.error:
            return b""
        return body if len(body) <= limit else b""
    stream = record.content_stream()
    parts, size = [], 0
    while size <= limit and (part := stream.read(_CHUNK)):
        parts.append(part)
        size += len(part)
    return b"".join(parts) if size <= limit else b""


def parse_fields(block: bytes) -> dict[str, str]:
    """The lines `name: value` of a metadata or warcinfo record."""
    pairs = (line.partition(":") for line in block.decode("utf-8", "replace").splitlines())
    return {name.strip().lower(): value.strip() for name, mark, value in pairs if mark}


class WarcLog:
    """A WARC that is appended to, one page at a time, with its CDXJ index."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[bytes] | None = None
        self._index: list[str] = []
        self.size = 0

    @property
    def index_path(self) -> Path:
        return self.path.with_name(self.path.name.removesuffix(".gz").removesuffix(".warc") + ".cdxj")

    def open(self, entrance: str) -> bool:
        """Lock the file and cut a torn tail off; True when it already holds a part of this crawl.

        A file that is no WARC, or the WARC of something else, is refused and stays untouched.
        """
        try:
            mode = "r+b" if self.path.exists() else "x+b"
            self._file = open(self.path, mode, buffering=0)  # noqa: SIM115 - open as long as the crawl runs
        except OSError as error:
            raise OutputError(f"{self.path} cannot be written: {error.strerror or error}") from None
        self._lock()
        owner, end = self._survey()
        if owner is None and end > 0:
            self._fail(f"{self.path} exists and is not the WARC of a sitegrain crawl: give another --out")
        if owner is not None and owner != entrance:
            self._fail(f"{self.path} holds the crawl of {owner}: give another --out for {entrance}")
        index = self.index_path.read_bytes() if self.index_path.exists() else b""
        if index and f'"{self.path.name}"'.encode() not in index.partition(b"\n")[0]:
            self._fail(f"{self.index_path} is not the index of {self.path.name}: move it, or give another --out")
        self._file.truncate(end)
        self._file.seek(end)
        self.size = end
        return owner is not None

    def _fail(self, message: str) -> NoReturn:
        self.close()
        raise OutputError(message)

    def _lock(self) -> None:
        if fcntl is None:  # pragma: no cover
            return
        assert self._file is not None
        give_up = time.monotonic() + LOCK_WAIT
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                if time.monotonic() > give_up:
                    self._fail(f"{self.path} is being written by another crawl")
                time.sleep(0.05)

    def _survey(self) -> tuple[str | None, int]:
        """Who made the file, and where its last whole page ends.

        (None, 0) is an empty file, or one torn in its first record; (None, n > 0) is not ours.
        """
        assert self._file is not None
        entrance: str | None = None
        safe = 0
        if self.path.stat().st_size > _FIRST_RECORD:
            # Too long to be a first record that was cut short, so a torn start is not ours to cut.
            torn_start = (None, 1)
        else:
            torn_start = (None, 0)
        for start, end, head in _members(self._file):
            if start == 0:
                if head.startswith(b"WARC/1.") and b"WARC-Type: warcinfo" in head:
                    entrance = parse_fields(head.partition(b"\r\n\r\n")[2]).get("sitegrain-entrance")
                    if entrance is None and end is not None:
                        return None, 1
                elif end is None and b"WARC/1.1\r\n".startswith(head[:10]):
                    return torn_start  # torn before its first line was whole
                else:
                    return None, 1
            if end is None:
                break
            if not _LEADS.search(head.partition(b"\r\n\r\n")[0]):
                safe = end  # a request or a rendered DOM whose response is missing goes too
        if safe:
            return entrance, safe
        return torn_start if self.path.stat().st_size else (None, 0)

    def start(self, entrance: str, agent: str, options: str, earlier: str = "") -> None:
        """Write the record that says who made this file, how and from where; `earlier` is the WARC it builds on."""
        fields = {
            "software": agent.partition(" ")[0],
            "format": "WARC File Format 1.1",
            "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
            "http-header-user-agent": agent,
            "sitegrain-entrance": entrance,
            "sitegrain-options": options,
            **({EARLIER_FIELD: earlier_name(earlier, self.path)} if earlier else {}),
        }
        block = "".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode()
        named = {"WARC-Filename": self.path.name}
        self._append(_record("warcinfo", "", block, "application/warc-fields", named)[1])

    def _append(self, *records: bytes) -> int:
        """Write records in one go; the offset of the first. What cannot be written whole is taken back."""
        assert self._file is not None
        start = self.size
        rest = memoryview(b"".join(records))
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            self._file.truncate(start)
            raise OutputError(f"{self.path} cannot be written: {error.strerror or error}") from None
        self.size = start + sum(map(len, records))
        return start

    def write(self, exchange: Exchange, rendered: bytes | None = None) -> None:
        """Store a request, its response and, before that, the DOM that the page's scripts made."""
        head = exchange.head()
        named = {
            "WARC-Payload-Digest": digest(exchange.body),
            **({"WARC-IP-Address": exchange.address} if exchange.address else {}),
            **({"WARC-Truncated": exchange.truncated} if exchange.truncated else {}),
        }
        self._write_pair(exchange, "response", head + exchange.body, named, rendered)

    def write_revisit(self, exchange: Exchange, earlier: Entry, profile: str) -> None:
        """Store that a page is as it was in the earlier WARC: the header only, and a pointer."""
        named = {
            "WARC-Profile": profile,
            "WARC-Payload-Digest": earlier.payload_digest,
            "WARC-Refers-To": earlier.record_id,
            "WARC-Refers-To-Target-URI": earlier.url,
            "WARC-Refers-To-Date": earlier.date,
            **({"WARC-IP-Address": exchange.address} if exchange.address else {}),
        }
        self._write_pair(exchange, "revisit", exchange.head(), {k: v for k, v in named.items() if v})

    def _write_pair(
        self,
        exchange: Exchange,
        kind: str,
        block: bytes,
        named: Mapping[str, str],
        rendered: bytes | None = None,
    ) -> None:
        date = _now()
        record_id, answer = _record(
            kind, exchange.url, block, "application/http; msgtype=response", {**named, "WARC-Date": date}
        )
        _, question = _record(
            "request",
            exchange.url,
            exchange.request_head,
            "application/http; msgtype=request",
            {"WARC-Date": date, "WARC-Concurrent-To": record_id},
        )
        before = [question]
        if rendered is not None:
            sha = digest(rendered)
            pointer = {"WARC-Date": date, "WARC-Refers-To": record_id, "WARC-Payload-Digest": sha}
            mime = "text/html; charset=utf-8"
            before.append(_record("conversion", exchange.url, rendered, mime, pointer)[1])
        offset = self._append(*before, answer) + sum(map(len, before))
        self._note(
            exchange.url,
            date,
            exchange.status,
            "warc/revisit" if kind == "revisit" else exchange.content_type,
            named.get("WARC-Payload-Digest", ""),
            offset,
            len(answer),
        )

    def write_metadata(self, url: str, fields: Mapping[str, str]) -> None:
        """Store why a URL has no body here."""
        block = "".join(f"{k}: {' '.join(v.split())}\r\n" for k, v in fields.items()).encode()
        self._append(_record("metadata", url, block, "application/warc-fields", {})[1])

    def _note(self, url: str, date: str, status: int, mime: str, sha: str, offset: int, length: int) -> None:
        values = {
            "url": url,
            "mime": mime.partition(";")[0].strip().lower() or "unk",
            "status": str(status),
            "digest": sha,
            "length": str(length),
            "offset": str(offset),
            "filename": self.path.name,
        }
        stamp = re.sub(r"\D", "", date)[:14]
        self._index.append(f"{index_key(url)} {stamp} {json.dumps(values, ensure_ascii=True)}")

    def reindex(self) -> None:
        """Read the index of what an earlier run wrote."""
        with open(self.path, "rb") as stream:
            records = ArchiveIterator(stream)
            for record in records:
                if record.rec_type not in ("response", "revisit"):
                    continue
                fields, http = record.rec_headers, record.http_headers
                mime = (http.get_header("Content-Type") or "") if http else ""
                code = (http.get_statuscode() or "0") if http else "0"
                # The length is known only after the record was read to its end, so it is asked last.
                offset, length = records.get_record_offset(), records.get_record_length()
                self._note(
                    fields.get_header("WARC-Target-URI") or "",
                    fields.get_header("WARC-Date") or "",
                    int(code) if code.isdigit() else 0,
                    "warc/revisit" if record.rec_type == "revisit" else mime,
                    fields.get_header("WARC-Payload-Digest") or "",
                    offset,
                    length,
                )

    def write_index(self) -> None:
        """Write the CDXJ index beside the WARC: a new file that takes the old one's place at once."""
        write_whole(self.index_path, "".join(line + "\n" for line in sorted(self._index)))

    def sync(self) -> None:
        """Ask the system to put what was written on the disk."""
        if self._file is not None:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def discard(self) -> None:
        """Close the file and remove it: it holds no page."""
        if self._file is not None:
            self.path.unlink(missing_ok=True)
            self.close()


def _record(kind: str, url: str, block: bytes, mime: str, named: Mapping[str, str]) -> tuple[str, bytes]:
    """One gzipped record, written by warcio, and its id."""
    record_id = f"<urn:uuid:{uuid4()}>"
    pairs = {"WARC-Type": kind, "WARC-Record-ID": record_id, "WARC-Date": _now(), **named}
    if url:
        pairs["WARC-Target-URI"] = url
    pairs["WARC-Block-Digest"] = digest(block)
    fields = StatusAndHeaders("", list(pairs.items()), protocol="WARC/1.1")
    # warcio writes no block for a record object of type revisit and adds payload digests of its own to some;
    # the digests are ours and the block is whole, so every record goes through it as a plain one.
    record = ArcWarcRecord("warc", "warcinfo", fields, BytesIO(block), None, mime, len(block))
    out = BytesIO()
    WARCWriter(out, gzip=True, warc_version="1.1").write_record(record)
    return record_id, out.getvalue()


def _members(file: IO[bytes]) -> Iterator[tuple[int, int | None, bytes]]:
    """(start, end, first bytes) of each gzip member; end is None for a torn one, and it is the last.

    A member that is damaged, not torn, is an error: cutting there would lose what follows.
    """
    file.seek(0)
    start, data = 0, file.read(_CHUNK)
    while data:
        stream = zlib.decompressobj(31)
        head, used = b"", 0
        while not stream.eof:
            if not data:
                yield start, None, head
                return
            try:
                plain = stream.decompress(data, _CHUNK)
            except zlib.error:
                rest = data + file.read()
                if start and not rest.strip(b"\0"):
                    yield start, None, b""  # zeros after a power cut
                    return
                if start == 0:
                    yield 0, None, b"no gzip"
                    return
                raise OutputError(
                    f"{file.name} is damaged at byte {start:,}, before its end: nothing was changed; give another --out"
                ) from None
            if len(head) < 65536:
                head += plain[: 65536 - len(head)]
            left = stream.unused_data if stream.eof else stream.unconsumed_tail
            used += len(data) - len(left)
            data = left or file.read(_CHUNK)
        if not data:
            data = file.read(_CHUNK)
        yield start, start + used, head
        start += used
