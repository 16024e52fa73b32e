"""One fetched page, as it came: the only thing a source makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime

from sitegrain.light import dataclass
from sitegrain.tables.notebook import shortened


@dataclass(frozen=True, slots=True)
class Capture:
    """One fetched page: address, bytes and what the server said.

    >>> Capture("http://example.org/", b"<p>Hello")
    Capture(http://example.org/, status 200, 8 bytes)
    """

    url: str
    body: bytes = field(repr=False)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Header names are lower case."""
    time: datetime | None = None
    path: str = ""
    """The name under which a folder or an archive holds the page; empty when there is none."""

    def __repr__(self) -> str:
        return f"Capture({shortened(self.url, 60)}, status {self.status}, {len(self.body):,} bytes)"

    @property
    def content_type(self) -> str:
        """The Content-Type header as sent, or an empty string."""
        return self.headers.get("content-type", "")
