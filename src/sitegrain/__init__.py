"""sitegrain: find the grain of a web site, that is its TOC pages, its articles and their text.

>>> import sitegrain
>>> sitegrain.extract("<h1>Tea</h1><p>Boil <b>water</b>.").markdown
'# Tea\\n\\nBoil **water**.'
"""

from sitegrain.article.article import Article
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
from sitegrain.result.mining import extract, mine, read_folder, read_parquet, read_warc
from sitegrain.result.result import Result
from sitegrain.tables.capture import Capture
from sitegrain.tables.site import Page, Site

__all__ = [
    "Article",
    "Capture",
    "CrawlError",
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
    "extract",
    "mine",
    "read_folder",
    "read_parquet",
    "read_warc",
]
