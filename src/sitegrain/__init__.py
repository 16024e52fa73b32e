"""sitegrain: find the grain of a web site, that is its TOC pages, its articles and their text.

>>> import sitegrain
>>> sitegrain.extract("<h1>Tea</h1><p>Boil <b>water</b>.").markdown
'# Tea\\n\\nBoil **water**.'

Importing the package is cheap: everything but the errors is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sitegrain.errors import (
    CrawlError,
    MissingExtraError,
    ModelError,
    OutputError,
    SitegrainError,
    SourceError,
    TableError,
    UsageError,
)

if TYPE_CHECKING:
    from sitegrain import methods
    from sitegrain.article.article import Article
    from sitegrain.plan.mining import mine
    from sitegrain.result.extracting import extract
    from sitegrain.result.mining import read_folder, read_jsonl, read_parquet, read_warc
    from sitegrain.result.result import Result
    from sitegrain.result.stored import open_result
    from sitegrain.sources.crawl import CrawlOptions, crawl
    from sitegrain.tables.capture import Capture
    from sitegrain.tables.site import Page, Site

    __version__: str

__all__ = [
    "Article",
    "Capture",
    "CrawlError",
    "CrawlOptions",
    "MissingExtraError",
    "ModelError",
    "OutputError",
    "Page",
    "Result",
    "Site",
    "SitegrainError",
    "SourceError",
    "TableError",
    "UsageError",
    "__version__",
    "crawl",
    "extract",
    "methods",
    "mine",
    "open_result",
    "read_folder",
    "read_jsonl",
    "read_parquet",
    "read_warc",
]

_HOME = {
    "Article": "article.article",
    "Capture": "tables.capture",
    "CrawlOptions": "sources.crawl",
    "Page": "tables.site",
    "Result": "result.result",
    "Site": "tables.site",
    "crawl": "sources.crawl",
    "extract": "result.extracting",
    "mine": "plan.mining",
    "open_result": "result.stored",
    "read_folder": "result.mining",
    "read_jsonl": "result.mining",
    "read_parquet": "result.mining",
    "read_warc": "result.mining",
}
"""Where each name that is loaded late lives: the same as the imports for type checkers above (a test compares)."""


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f"sitegrain.{_HOME[name]}"), name)
    elif name == "methods":
        return import_module("sitegrain.methods")  # which sets the attribute itself
    elif name == "__version__":
        value = _version()
    else:
        raise AttributeError(f"module 'sitegrain' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("sitegrain")
    except PackageNotFoundError:  # run from a source tree
        return "unknown"
