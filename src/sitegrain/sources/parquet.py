"""Pages from Parquet files with an address and an HTML column."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sitegrain.errors import SourceError
from sitegrain.sources.base import MAX_BODY, Source, is_binary
from sitegrain.tables.capture import Capture

# Rows held at a time: pages are tens of kilobytes, so a batch is a few megabytes.
_BATCH = 64


class ParquetSource(Source):
    """The rows of one or more Parquet files as pages; text and binary columns both do."""

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

    def captures(self) -> Iterator[Capture]:
        n = 0
        for name in self.files:
            try:
                with pq.ParquetFile(name) as table:
                    self._check(table.schema_arrow, name)
                    for batch in table.iter_batches(_BATCH, columns=list(self.columns)):
                        for capture in self._batch(batch, name):
                            n += 1
                            yield capture
            except (pa.ArrowInvalid, OSError) as error:
                if not n and len(self.files) == 1:
                    raise SourceError(f"{name} is not a readable Parquet file: {error}") from error
                self.counts["damaged: broken Parquet file"] += 1
                self.problems.append(f"{name}: {error}")
        if not n:
            raise SourceError(f"no page in {self.name}: {dict(self.counts) or 'no rows'}")

    def _check(self, schema: pa.Schema, name: str) -> None:
        for column, option in zip(self.columns, ("url", "html"), strict=True):
            if column not in schema.names:
                have = ", ".join(schema.names)
                raise SourceError(f"{name} has no column {column!r} (it has: {have}); name it with --{option}-column")
            kind = schema.field(column).type
            is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
            is_bytes = pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
            if not (is_text or (is_bytes and option == "html")):
                raise SourceError(f"{name}: column {column!r} holds {kind}, not text")

    def _batch(self, batch: pa.RecordBatch, name: str) -> Iterator[Capture]:
        urls, htmls = (batch.column(c) for c in self.columns)
        for i in range(batch.num_rows):
            url, html = urls[i].as_py(), htmls[i].as_py()
            if not url or not html:
                self.counts["skipped: empty row"] += 1
                continue
            headers: dict[str, str] = {}
            if isinstance(html, str):
                # The text is already decoded: whatever <meta> says of a character set is history.
                html = html.encode("utf-8", "replace")
                headers = {"content-type": "text/html; charset=utf-8"}
            if len(html) > MAX_BODY:
                self.counts["cut: page too large"] += 1
                html = html[:MAX_BODY]
            if is_binary(html):
                self.counts["skipped: binary file"] += 1
                continue
            yield Capture(url, html, 200, headers)
