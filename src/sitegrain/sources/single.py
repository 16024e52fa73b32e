"""Single pages by name: files, archives of pages, addresses. What cannot be read is told, and the others are read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from sitegrain.errors import CrawlError, SourceError, UsageError
from sitegrain.sources.base import Source
from sitegrain.sources.folder import FileSource
from sitegrain.sources.kinds import kind_of_file
from sitegrain.sources.open import PipedSource, is_address, is_pipe, open_archive
from sitegrain.tables.capture import Capture


class SinglePages(Source):
    """The pages that names stand for, one name after the other.

    An address is fetched by the crawler, one page of it: with its robots.txt, its limits, and its guard against private
    addresses.
    """

    def __init__(
        self,
        names: Sequence[str],
        url: str | None = None,
        columns: tuple[str, str] = ("url", "html"),
        allow_private: bool = False,
    ) -> None:
        super().__init__(", ".join(names))
        self.names = list(names)
        self.url = url
        self.columns = columns
        self.allow_private = allow_private
        self.is_many = False
        """Whether a name stands for more than one page; known when it is read."""
        for name in names:
            if os.path.isdir(name):
                raise UsageError(
                    f"{name} is a folder, and `extract` reads pages: `sitegrain mine {name}` takes whole sites"
                )
        if url is not None and len(names) > 1:
            raise UsageError("--url is the address of one page: give one file with it")

    def captures(self) -> Iterator[Capture]:
        for name in self.names:
            try:
                source = self._open(name)
                for capture in source:
                    self.is_many = self.is_many or (isinstance(source, PipedSource) and source.is_many)
                    yield capture
            except (SourceError, CrawlError) as error:
                self.problems.append(str(error))
                continue
            self.problems += source.problems
            self.counts.update(source.counts)

    def _open(self, name: str) -> Source:
        if is_address(name):
            from sitegrain.sources.crawled import CrawlSource

            # With cookies, as one page has no other before it that could change what it shows.
            options = {"depth": 0, "max_pages": 1, "delay": 0.0, "cookies": True, "allow_private": self.allow_private}
            return CrawlSource(name, options)
        if is_pipe(name):
            return PipedSource(name, self.url, self.columns, alone=True)
        if not os.path.exists(name):
            raise SourceError(f"{name} does not exist")
        kind = kind_of_file(name)
        self.is_many = self.is_many or kind != "html"
        return FileSource([name], self.url, alone=True) if kind == "html" else open_archive([name], kind, *self.columns)
