"""Whose name and day a page shows: its own, or those of what it lists."""

from __future__ import annotations

METADATA = frozenset(("json-ld", "meta", "url"))
"""Sources that speak of the page as a whole."""
UNSEEN = "unseen"
"""What only metadata say: of days, that is when a file was made. On pages of the types below 52 such days of the page sets are of pages
that have none, 5 are right and 1 is wrong."""
_UNSIGNED = frozenset(("listing", "collection", "product", "service"))
"""Types of pages on which a name or a day that is only seen is another's: of an item of the list, of a buyer, of a customer who praises. On the
WCXB development pages none of 33 such names is right (31 stand on pages without an author), and 2 of 62 such days; what
metadata say is right as often as elsewhere."""
SIGNS = ("author", "date")


def is_of_item(field: str, source: str, role: str, page_type: str) -> bool:
    """Whether what was found for a field of a page belongs to something on it.

    >>> is_of_item("author", "byline", "toc", "listing"), is_of_item("author", "meta", "toc", "listing")
    (True, False)
    >>> is_of_item("date", "time", "article", "article"), is_of_item("title", "h1", "toc", "listing")
    (False, False)
    """
    return field in SIGNS and source not in METADATA and (role == "toc" or page_type in _UNSIGNED)
