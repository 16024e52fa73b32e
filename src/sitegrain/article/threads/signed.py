"""Whose name and day a page shows: its own, those of what it lists, or those of its posts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from sitegrain.article.threads.posts import Post

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
FIRST_POST = "first post"
"""Where the author or the date of a thread was found, if not on the page as a whole."""
ROLE_OF = {"collection": "toc", "listing": "toc", "service": "other"}
"""What the types of pages mean as roles; all others are articles. `training/roles.py` reads page sets the same way."""


def is_of_item(field: str, source: str, role: str, page_type: str) -> bool:
    """Whether what was found for a field of a page belongs to something on it.

    >>> is_of_item("author", "byline", "toc", "listing"), is_of_item("author", "meta", "toc", "listing")
    (True, False)
    >>> is_of_item("date", "time", "article", "article"), is_of_item("title", "h1", "toc", "listing")
    (False, False)
    """
    return field in SIGNS and source not in METADATA and (role == "toc" or page_type in _UNSIGNED)


def are_signed(posts: Sequence[Post]) -> bool:
    """Whether these are the posts of a thread, which are signed, by more than one: a list of dated notes is none."""
    n_signed = sum(bool(post.author) for post in posts)
    return 2 * n_signed >= len(posts) and len({post.author for post in posts} - {""}) > 1


@runtime_checkable
class SecondTypes(Protocol):
    """Types of pages that also tell what a page is if it is no thread."""

    def instead(self, page: int) -> str: ...


def told_type(said: str, types: Sequence[str], page: int, posts: Callable[[], Sequence[Post]]) -> str:
    """The type of a page that looks like this one. On a site that is known, what looks like a thread and has no signed post is none: of 158 such
    pages among some 60 pages of each labelled site 12 are threads, and of 370 with one nearly all. Of 12 pages alone 10 are: they stay."""
    if said != "forum" or not isinstance(types, SecondTypes):
        return said
    other = types.instead(page)
    return said if other == said or any(post.author for post in posts()) else other
