"""Redirects that lead back to where they began: a wall that asks for a cookie, or a mistake of the server."""

from __future__ import annotations

from sitegrain.light import dataclass
from sitegrain.sources.crawl.frontier import url_hash
from sitegrain.sources.crawl.options import CrawlOptions

MAX_AGAIN = 2
"""How often a page that only redirected is asked for again because a cookie came since: browsers pass such walls at the first try."""


@dataclass(frozen=True)
class _Move:
    target: int
    n_before: int
    """Redirects with a cookie before this page was asked for."""
    times: int


class Moves:
    """The pages that only redirected so far.

    >>> moves = Moves(CrawlOptions(cookies=True))
    >>> moves.add("http://e.org/", "http://e.org/check", sets_cookie=True), moves.leads_back("http://e.org/")
    (False, False)
    >>> moves.add("http://e.org/check", "http://e.org/", sets_cookie=False), moves.leads_back("http://e.org/check")
    (True, True)
    """

    def __init__(self, options: CrawlOptions) -> None:
        self._options = options
        self._moves: dict[int, _Move] = {}
        self._n_cookies = 0

    def add(self, url: str, target: str, *, sets_cookie: bool) -> bool:
        """Take in a redirect; whether its target, which only redirected too, may answer otherwise now, as a cookie came since it was asked for."""
        key = url_hash(url)
        before = self._moves.get(key)
        self._moves[key] = _Move(url_hash(target), self._n_cookies, before.times + 1 if before else 1)
        self._n_cookies += sets_cookie
        to = self._moves.get(url_hash(target))
        return self._options.cookies and to is not None and to.times <= MAX_AGAIN and to.n_before < self._n_cookies

    def leads_back(self, url: str) -> bool:
        """Whether the redirects of a page lead back to it."""
        key = url_hash(url)
        move = self._moves.get(key)
        for _ in range(self._options.max_redirects + 1):
            if move is None or move.target == key:
                break
            move = self._moves.get(move.target)
        return move is not None and move.target == key

    def forget(self, url: str) -> None:
        """A page has come."""
        self._moves.pop(url_hash(url), None)

    @property
    def advice(self) -> str:
        """What may help against a circle."""
        return ", and a cookie is asked for: try --cookies" if self._n_cookies and not self._options.cookies else ""
