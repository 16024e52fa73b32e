"""Every error that sitegrain raises on purpose.

    SitegrainError
    ├── SourceError          a source cannot be read (missing, empty, wrong columns)
    ├── OutputError          a result cannot be written (no permission, disk full)
    ├── UsageError           an argument that makes no sense; the message says what would
    ├── MissingExtraError    an optional part is not installed; the message names the pip command
    ├── ModelError           a model file that cannot be used (newer version, damaged, wrong kind)
    ├── TableError           a table that breaks an invariant (raised by `Site.check`)
    └── CrawlError           a crawl that could not start or was refused

A message says what happened and what to do next.
"""

from __future__ import annotations


class SitegrainError(Exception):
    """Base of all errors that sitegrain raises on purpose."""


class SourceError(SitegrainError):
    """A source cannot be read."""


class OutputError(SitegrainError):
    """A result cannot be written."""


class UsageError(SitegrainError):
    """An argument that makes no sense."""


class MissingExtraError(SitegrainError):
    """An optional part is not installed.

    >>> str(MissingExtraError("Spark", "spark"))
    "Spark is not installed: pip install 'sitegrain[spark]'"
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed: pip install 'sitegrain[{extra}]'")
        self.extra = extra


class ModelError(SitegrainError):
    """A model file that cannot be used."""


class TableError(SitegrainError):
    """A table that breaks an invariant."""


class CrawlError(SitegrainError):
    """A crawl that could not start or was refused."""


PAGE_FAULTS = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError,
)  # fmt: skip
"""What a mistake of ours can raise on one page of many: it is caught for that page, counted and named, and the others go on."""
