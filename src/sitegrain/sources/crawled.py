"""A site as a source: crawled into a WARC, which is then read."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sitegrain.sources.base import Source
from sitegrain.sources.warc import WarcSource
from sitegrain.tables.capture import Capture


def archive_name(url: str, out: str | Path | None = None) -> Path:
    """Where the WARC of a site is kept: beside its result, or under the name of its host where there is none.

    >>> archive_name("http://a.org:80/x", "found/"), archive_name("http://a.org:80/x")
    (PosixPath('found.warc.gz'), PosixPath('a.org.warc.gz'))
    """
    if out is not None:
        return Path(f"{Path(out)}.warc.gz")
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    return Path(f"{re.sub('[^a-z0-9.-]', '-', host.lower()).strip('.') or 'site'}.warc.gz")


class CrawlSource(Source):
    """The pages of a live site, by the polite defaults of `CrawlOptions` or by these options.

    With `keep` the WARC stays there, and a crawl that was stopped goes on where it was.
    """

    def __init__(self, url: str, options: Mapping[str, Any] | None = None, keep: str | Path | None = None) -> None:
        super().__init__(url)
        self.options = dict(options or {})
        self.keep = keep

    def captures(self) -> Iterator[Capture]:
        # Looked up late: the crawler brings a whole network library with it, and most sources need none.
        crawler = import_module("sitegrain.sources.crawl")
        with tempfile.TemporaryDirectory(prefix="sitegrain-") as folder:
            path = Path(self.keep) if self.keep else Path(folder) / "crawl.warc.gz"
            summary = crawler.crawl(self.name, path, crawler.CrawlOptions(**self.options))
            if summary.stopped == "interrupted":
                raise KeyboardInterrupt
            warc = WarcSource(path)
            yield from warc
            # The crawler drops what is no page on purpose; only damage is news.
            self.problems.extend(warc.problems)
            self.counts.update(warc.counts)
