"""What files of rows have in common, each row an address and HTML: Parquet and JSON lines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sitegrain.errors import SourceError
from sitegrain.sources.base import MAX_BODY, Source, is_binary
from sitegrain.tables.capture import Capture


class RowSource(Source):
    """The rows of one or more files as pages."""

    def __init__(
        self, files: str | Path | Sequence[str | Path], url_column: str = "url", html_column: str = "html"
    ) -> None:
        files = [files] if isinstance(files, str | Path) else list(files)
        super().__init__(", ".join(str(f) for f in files))
        self.files = [str(f) for f in files]
        self.columns = (url_column, html_column)
        for file in self.files:
            if not os.path.isfile(file):
                raise SourceError(f"{file} does not exist")

    def page(self, url: str, html: bytes, is_text: bool) -> Capture | None:
        """The page of a row; None, and counted, if there is none. `is_text`: it was text, and is UTF-8 now."""
        if not url or not html:
            self.counts[f"skipped: a row without {'a page' if url else 'an address'}"] += 1
            return None
        if len(html) > MAX_BODY:
            self.counts["cut: page too large"] += 1
            html = html[:MAX_BODY]
        if is_binary(html):
            self.counts["skipped: binary file"] += 1
            return None
        # Text is already decoded: whatever <meta> says of a character set is history.
        return Capture(url, html, 200, {"content-type": "text/html; charset=utf-8"} if is_text else {})

    def no_page(self) -> SourceError:
        """What is said if no row was a page."""
        reasons = [*(f"{reason} {n:,}" for reason, n in self.counts.items()), *self.problems]
        return SourceError(f"no page in {self.name}: {'; '.join(reasons) or 'no rows'}")
