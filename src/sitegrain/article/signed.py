"""Whose name and day a page shows: its own, or those of what it lists."""

from __future__ import annotations

_SAID = frozenset(("json-ld", "meta", "url"))
"""Sources that speak of the page as a whole."""
_UNSIGNED = {"author": ("listing", "collection", "product", "service"), "date": ("listing", "collection", "product")}
"""Types of pages on which a name or a day that is only seen is another's: of an item of the list, of a buyer, of a customer who praises. On the
WCXB development pages none of 33 such names is right (27 stand on pages without an author), and 1 of 45 such days; what
metadata say is right as often as elsewhere. A page of a service may well say when it was changed."""


def is_of_item(field: str, source: str, role: str, page_type: str) -> bool:
    """Whether what was found for a field of a page belongs to something on it.

    >>> is_of_item("author", "byline", "toc", "listing"), is_of_item("author", "meta", "toc", "listing")
    (True, False)
    >>> is_of_item("date", "time", "article", "article"), is_of_item("title", "h1", "toc", "listing")
    (False, False)
    """
    types = _UNSIGNED.get(field, ())
    return bool(types) and source not in _SAID and (role == "toc" or page_type in types)
