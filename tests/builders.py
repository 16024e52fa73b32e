"""Small hand-made inputs for tests."""

from __future__ import annotations

import gzip
import io
from collections.abc import Mapping, Sequence

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site

BASE = "http://t.example/"


def captures_of(*htmls: str | bytes, base: str = BASE) -> list[Capture]:
    """Pages named 0.html, 1.html ... under a base."""
    return [
        Capture(f"{base}{i}.html", html if isinstance(html, bytes) else html.encode(), path=f"{i}.html")
        for i, html in enumerate(htmls)
    ]


def site_of(*htmls: str | bytes, base: str = BASE) -> Site:
    """A site of pages named 0.html, 1.html ... under a base."""
    return build_site(captures_of(*htmls, base=base))


def warc_of(
    pages: Sequence[tuple[str, bytes]],
    *,
    is_gzip: bool = True,
    status: str = "200 OK",
    headers: Mapping[str, str] | None = None,
    kind: str = "response",
) -> bytes:
    """A WARC file with one record per (url, body)."""
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=is_gzip)
    fields = list((headers if headers is not None else {"Content-Type": "text/html; charset=utf-8"}).items())
    for url, body in pages:
        http = StatusAndHeaders(status, fields, protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record(url, kind, payload=io.BytesIO(body), http_headers=http))
    return out.getvalue()


def gzipped(text: str) -> bytes:
    return gzip.compress(text.encode())
