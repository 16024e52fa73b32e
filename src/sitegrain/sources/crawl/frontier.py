"""The frontier of a crawl: which URLs are known, how deep they are, and which comes next.

The depth of a page is its shortest distance from the entrance over the links *seen so far*. Pages arrive in
any order (several requests run at once, slow pages and new tries come late, a resumed crawl starts in the
middle), so a shorter way to a known page can turn up after the page itself. The frontier then lowers the
depth of all that is behind it and takes back in what was too deep before. So the set of pages that a depth
limit lets through does not depend on the order of arrival: it is that of a plain breadth-first walk.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable
from enum import IntEnum
from hashlib import blake2b
from urllib.parse import urlsplit

from sitegrain.sources.crawl.addresses import same_page_key
from sitegrain.sources.crawl.options import CrawlOptions

FAR = 2**31 - 1
"""The depth of a page that no known way leads to."""


class State(IntEnum):
    TOO_DEEP = 0
    QUEUED = 1
    OUT = 2
    DONE = 3


def url_hash(url: str) -> int:
    """The number that stands for a page."""
    # 64 bits instead of the URL itself keep memory flat; a clash among a million URLs has chance 3e-8.
    return int.from_bytes(blake2b(same_page_key(url).encode(), digest_size=8).digest(), "little")


class Frontier:
    """Known URLs by number. `add` and `done` put in, `take` gives the next URL, breadth first.

    >>> f = Frontier(CrawlOptions(depth=1))
    >>> f.add("http://e.org/", 0)
    >>> url = f.take()
    >>> f.done(url, ["http://e.org/a", "http://e.org/b"])
    >>> f.take()
    'http://e.org/a'
    >>> f.done("http://e.org/a", ["http://e.org/too-deep"])
    >>> len(f)
    1
    """

    def __init__(self, options: CrawlOptions) -> None:
        self._options = options
        self._keep_links = options.is_depth_limited
        self._number: dict[int, int] = {}
        self._depth = array("i")
        self._hops = array("B")
        self._state = bytearray()
        self._limit = array("i")  # -1: none
        self._url: dict[int, str] = {}  # only of URLs that may still be fetched
        self._links: dict[int, array[int]] = {}
        self._queues: dict[int, deque[int]] = {}
        self._n_queued = 0
        self.n_out = 0

    def __len__(self) -> int:
        """How many URLs wait."""
        return self._n_queued

    def __contains__(self, url: str) -> bool:
        return url_hash(url) in self._number

    def state(self, url: str) -> State | None:
        number = self._number.get(url_hash(url))
        return None if number is None else State(self._state[number])

    def depth(self, url: str) -> int:
        number = self._number.get(url_hash(url))
        return FAR if number is None else self._depth[number]

    def hops(self, url: str) -> int:
        """How many redirects in a row led to this URL."""
        number = self._number.get(url_hash(url))
        return 0 if number is None else self._hops[number]

    def _know(self, url: str) -> int:
        key = url_hash(url)
        number = self._number.get(key)
        if number is None:
            number = self._number[key] = len(self._state)
            self._depth.append(FAR)
            self._hops.append(255)
            self._state.append(State.TOO_DEEP)
            limit = self._options.depth_limit(urlsplit(url).path) if self._keep_links else None
            self._limit.append(-1 if limit is None else limit)
            self._url[number] = url
        return number

    def add(self, url: str, depth: int, hops: int = 0) -> None:
        """Make a URL known at a depth; it is queued when that is within its limit."""
        number = self._know(url)
        self._hops[number] = min(self._hops[number], hops)
        self._lower(number, depth)

    def force(self, url: str) -> None:
        """Queue a URL however deep it is, behind all others; its links count as out of reach."""
        number = self._know(url)
        if self._state[number] == State.TOO_DEEP:
            self._hops[number] = 0
            self._queue(number)

    def _queue(self, number: int) -> None:
        self._state[number] = State.QUEUED
        self._n_queued += 1
        self._queues.setdefault(self._depth[number], deque()).append(number)

    def _lower(self, number: int, depth: int) -> None:
        todo = [(number, depth)]
        while todo:
            number, depth = todo.pop()
            if depth >= self._depth[number]:
                continue
            self._depth[number] = depth
            state = self._state[number]
            if state == State.TOO_DEEP:
                if self._limit[number] < 0 or depth <= self._limit[number]:
                    self._queue(number)
            elif state == State.QUEUED:
                # The entry at the old depth stays and is skipped when it comes up.
                self._queues.setdefault(depth, deque()).append(number)
            elif state == State.DONE and number in self._links:
                links = self._links[number]
                step = depth + 1
                if links[0]:  # a redirect: its target is as deep as itself
                    step = depth
                todo.extend((target, step) for target in links[1:] if step < self._depth[target])

    def take(self) -> str | None:
        """The next URL to fetch, or None when nothing waits."""
        while self._queues:
            depth = min(self._queues)
            queue = self._queues[depth]
            while queue:
                number = queue.popleft()
                if self._state[number] == State.QUEUED and self._depth[number] == depth:
                    self._state[number] = State.OUT
                    self._n_queued -= 1
                    self.n_out += 1
                    return self._url[number]
            del self._queues[depth]
        return None

    def again(self, url: str) -> None:
        """A URL that was fetched waits again: its answer may be another one now."""
        number = self._know(url)
        if self._state[number] == State.DONE:
            self._url[number] = url
            self._queue(number)

    def put_back(self, url: str) -> None:
        """A URL that was taken and not fetched waits again."""
        number = self._know(url)
        if self._state[number] == State.OUT:
            self.n_out -= 1
            self._queue(number)

    def done(self, url: str, links: Iterable[str] = (), *, is_redirect: bool = False) -> None:
        """A URL was fetched (now, or by the run before): its links become known."""
        number = self._know(url)
        state = self._state[number]
        if state == State.DONE:
            return
        if state == State.OUT:
            self.n_out -= 1
        elif state == State.QUEUED:
            self._n_queued -= 1
        self._state[number] = State.DONE
        self._url.pop(number, None)
        depth, hops = self._depth[number], self._hops[number]
        if depth == FAR and not self._keep_links:
            depth = 0  # without limits depth only orders; links of a page of unknown depth are followed
        step = FAR if depth == FAR else depth + (not is_redirect)
        kept = array("i", [int(is_redirect)])
        for link in dict.fromkeys(links):
            target = self._know(link)
            if self._keep_links:
                kept.append(target)
            self._hops[target] = min(self._hops[target], min(hops, 254) + 1 if is_redirect else 0)
            self._lower(target, step)
        if self._keep_links and len(kept) > 1:
            self._links[number] = kept
