"""Undo HTTP transfer and content encodings of archived responses, without trusting their headers.

Archives often hold bodies that are already decoded under headers that say otherwise, so what does not decode
is taken as it is. Output is bounded: a few kilobytes can claim to be gigabytes.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from contextlib import suppress

import brotli

from sitegrain.sources.base import MAX_BODY

_CHUNK = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


def unchunk(body: bytes) -> bytes:
    r"""Join the chunks of a chunked body; a body that is not chunked comes back as it is.

    >>> unchunk(b"5\r\nhello\r\n0\r\n\r\n"), unchunk(b"<p>hello")
    (b'hello', b'<p>hello')
    """
    out: list[bytes] = []
    at = 0
    while match := _CHUNK.match(body, at):
        size = int(match[1], 16)
        if size == 0:
            return b"".join(out)
        out.append(body[match.end() : match.end() + size])
        at = match.end() + size
        at += 2 if body[at : at + 2] == b"\r\n" else body[at : at + 1] == b"\n"
    # A cut body ends without the last chunk; anything else that stops early was never chunked.
    return b"".join(out) if at >= len(body) and out else body


def _inflate(body: bytes, wbits: int, most: int | None = None) -> bytes | None:
    try:
        return zlib.decompressobj(wbits).decompress(body, most or MAX_BODY) or None
    except zlib.error:
        return None


def inflate(body: bytes, most: int | None = None) -> bytes | None:
    """What gzip packed, at most so many bytes of it; None where that cannot be told."""
    return _inflate(body, 47, most)


def _unbrotli(body: bytes) -> bytes | None:
    decompressor = brotli.Decompressor()
    out: list[bytes] = []
    size = 0
    try:
        # Fed in small pieces so that a bomb is noticed before it has gone off.
        for start in range(0, len(body), 1024):
            out.append(decompressor.process(body[start : start + 1024]))
            size += len(out[-1])
            if size >= MAX_BODY:
                break
    except brotli.error:
        return None
    return b"".join(out)[:MAX_BODY] or None


def _unzstd(body: bytes) -> bytes | None:
    import pyarrow as pa  # few pages ask for it

    out: list[bytes] = []
    left = MAX_BODY
    with pa.CompressedInputStream(pa.BufferReader(body), "zstd") as stream, suppress(OSError):
        # Piece by piece: of a body that is cut there is what came before.
        while left and (piece := bytes(stream.read(min(left, 1 << 16)))):
            out.append(piece)
            left -= len(piece)
    return b"".join(out) or None


def decode_body(body: bytes, headers: Mapping[str, str]) -> bytes | None:
    """The body without its encodings; None for an encoding that nobody here can undo.

    >>> import gzip
    >>> headers = {"content-encoding": "gzip"}
    >>> decode_body(gzip.compress(b"<p>"), headers), decode_body(b"<p>", headers)
    (b'<p>', b'<p>')
    """
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = unchunk(body)
    for encoding in reversed(headers.get("content-encoding", "").lower().split(",")):
        match encoding.strip():
            case "" | "identity" | "utf-8" | "none":
                continue
            case "gzip" | "x-gzip":
                decoded = inflate(body)
            case "deflate":
                decoded = inflate(body) or _inflate(body, -15)
            case "br":
                decoded = _unbrotli(body)
            case "zstd":
                decoded = _unzstd(body)
            case _:
                return None
        body = decoded if decoded is not None else body
    return body
