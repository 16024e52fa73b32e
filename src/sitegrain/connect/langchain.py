"""The articles of a result as documents of LangChain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sitegrain.connect.reading import records
from sitegrain.errors import MissingExtraError

try:
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
except ImportError as error:
    raise MissingExtraError("LangChain", "langchain") from error


class SitegrainLoader(BaseLoader):
    """Loads every article of a result folder: Markdown, with title, author, date, language and address beside it."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = folder

    def lazy_load(self) -> Iterator[Document]:
        """One document per article."""
        for markdown, facts in records(self.folder):
            yield Document(page_content=markdown, metadata=facts)
