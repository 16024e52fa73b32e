"""Views of a page: `?id=tea&do=revisions` shows the page `?id=tea` in another way.

Where a program's views were saved with its pages, each page has some of its own, which nobody else leads to and which repeat its title and its
foot. By links and texts alone it looks like a list that leads to them and prints what they say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from sitegrain.arrays.types import Bools, Ints32, Ints64

_ENDING = re.compile(r"\.html?$", re.IGNORECASE)
"""What programs that save sites add behind a query."""
_DIGITS = re.compile(r"\d+")


def viewed(urls: Sequence[str]) -> Ints64:
    """Per page: the page that it is a view of, or itself.

    The address of a view is that of its page with more asked for. A number tells where a list or a thread goes on and is no view; and an
    address with nothing asked for (`doku.php`) is the home page of a program, whose pages are no views of it.

    >>> viewed([f"http://a.org/doku.php{asked}" for asked in ("", "?id=tea", "?id=tea&do=edit", "?id=tea&start=20")]).tolist()
    [0, 1, 1, 3]
    """
    out = np.arange(len(urls))
    asked = [k for k, url in enumerate(urls) if "?" in url]
    if not any("&" in urls[k] for k in asked):
        return out
    at = {_ENDING.sub("", urls[k]): k for k in asked}
    for k in asked:
        before, _, last = _ENDING.sub("", urls[k]).rpartition("&")
        while before and _is_view(last):
            out[k] = at.get(before, out[k])
            before, _, last = before.rpartition("&")
    return out


def view_links(pages: Sequence[str], page: Ints32, urls: Sequence[str], url: Ints64) -> Bools:
    """Per link: it leads from a page to a view of it, or from a view back. `page` and `url` tell which of `pages` it stands on and which of
    `urls` it leads to."""
    out = np.zeros(len(page), bool)
    asked = np.array(["?" in u for u in urls], bool)
    on = np.array(["?" in u for u in pages], bool)
    able = np.flatnonzero(asked[url] & on[page]) if len(page) and asked.any() and on.any() else np.zeros(0, np.int64)
    if not len(able):
        return out
    bare = [_ENDING.sub("", u) if is_asked else "" for u, is_asked in zip(urls, asked.tolist(), strict=True)]
    own = [_ENDING.sub("", u) for u in pages]
    ends = zip(page[able].tolist(), url[able].tolist(), strict=True)
    out[able] = [_are_one(own[p], bare[u]) for p, u in ends]
    return out


def _are_one(one: str, other: str) -> bool:
    """Whether one address is that of a view of the other's page."""
    short, long = (one, other) if len(one) < len(other) else (other, one)
    n = len(short)
    return long[n : n + 1] == "&" and long.startswith(short) and _is_view(long[n + 1 :])


def _is_view(more: str) -> bool:
    """Whether what is asked for besides the page is no place in it."""
    return not any(_DIGITS.fullmatch(part.partition("=")[2]) for part in more.split("&"))
