"""Whose name and day a page shows: its own, or those of what it lists."""

from __future__ import annotations

_SAID = frozenset(("json-ld", "meta", "url"))
"""Sources that speak of the page as a whole."""
_UNSIGNED = frozenset(("listing", "collection", "product", "service"))
"""Types of pages on which a name or a day that is only seen is another's: of an item of the list, of a buyer, of a customer who praises. On the
WCXB development pages none of 33 such names is right (31 stand on pages without an author), and 2 of 62 such days; what
metadata say is right as often as elsewhere."""
_SIGNS = ("author", "date")


def is_of_item(field: str, source: str, role: str, page_type: str) -> bool:
    """Whether what was found for a field of a page belongs to something on it.

    >>> is_of_item("author", "byline", "toc", "listing"), is_of_item("author", "meta", "toc", "listing")
    (True, False)
    >>> is_of_item("date", "time", "article", "article"), is_of_item("title", "h1", "toc", "listing")
    (False, False)
    """
    return field in _SIGNS and source not in _SAID and (role == "toc" or page_type in _UNSIGNED)
