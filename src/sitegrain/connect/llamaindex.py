"""The articles of a result as documents of LlamaIndex."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from sitegrain.connect.reading import records
from sitegrain.errors import MissingExtraError


class SitegrainReader:
    """Reads every article of a result folder: Markdown, with title, author, date, language and address beside it.

    It has the methods of a reader of LlamaIndex without being derived from one, so that this module can be looked at
    where that library, which is a large one, is not installed.
    """

    def lazy_load_data(self, folder: str | Path) -> Iterator[Any]:
        """One document per article."""
        try:
            document = import_module("llama_index.core.schema").Document
        except ImportError as error:
            raise MissingExtraError("LlamaIndex", "llamaindex") from error
        for markdown, facts in records(folder):
            yield document(text=markdown, metadata=facts, id_=facts["source"])

    def load_data(self, folder: str | Path) -> list[Any]:
        """All of them."""
        return list(self.lazy_load_data(folder))
