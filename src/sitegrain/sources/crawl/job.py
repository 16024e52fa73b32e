"""One crawl's state: what is known, what was fetched, what it means. Nothing here knows Scrapy.

The same methods take in a live answer and a record of an earlier run, so a resumed crawl stands where an
uninterrupted one would.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from sitegrain.errors import SitegrainError
from sitegrain.sources.chain import MAX_CHAIN, chain_of
from sitegrain.sources.crawl.addresses import Scope, normalise
from sitegrain.sources.crawl.archive import (
    NOT_MODIFIED,
    SAME_PAYLOAD,
    Entry,
    Exchange,
    WarcLog,
    digest,
    header,
    read_entries,
    read_entry_at,
)
from sitegrain.sources.crawl.frontier import FAR, Frontier, State, url_hash
from sitegrain.sources.crawl.moves import Moves
from sitegrain.sources.crawl.options import CrawlOptions, CrawlSummary
from sitegrain.sources.crawl.reading import looks_like_html, read_page
from sitegrain.sources.crawl.traps import TrapDetector

REDIRECTS = frozenset({301, 302, 303, 307, 308})
GONE = frozenset({404, 410})
MAX_PROBLEMS = 100
MAX_FEEDS = 20
"""Feeds that one crawl reads: blogs name a comment feed on every article."""

# Files that are no pages. One with a colon or a query is asked for all the same: wikis have `File:A.jpg` pages.
_NO_PAGE = re.compile(
    r"(?i)/[^/:]+\.(?:7z|aac|avi|avif|bin|bmp|bz2|css|csv|deb|dmg|docx?|eot|eps|epub|exe|flac|flv|gif|gz|ico|iso"
    r"|jar|jpe?g|js|json|m4[av]|mkv|mov|mp[34]|mpe?g|msi|od[pst]|og[gv]|otf|pdf|png|pptx?|ps|psd|rar|rpm|rtf|svg"
    r"|tar|tgz|tiff?|torrent|ttf|wasm|wav|web[mp]|wm[av]|woff2?|xlsx?|xz|zip)$"
)


@dataclass
class Tally:
    """Counters; `pages` and `bytes` of the whole WARC, the others of this run."""

    pages: int = 0
    resumed: int = 0
    bytes: int = 0
    redirects: int = 0
    not_found: int = 0
    not_html: int = 0
    disallowed: int = 0
    too_large: int = 0
    truncated: int = 0
    refused: int = 0
    errors: int = 0
    retries: int = 0
    rendered: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0


@dataclass(frozen=True, slots=True)
class _Earlier:
    """A page of the earlier WARC."""

    entry: Entry
    """Without its body."""
    content: bytes
    """Digest of the decoded body; empty when that is not at hand, or should be stored again."""
    path: Path
    offset: int


@dataclass
class Job:
    """A crawl from `entrance` into `out`."""

    entrance: str
    out: Path
    options: CrawlOptions
    tally: Tally = field(default_factory=Tally)

    def __post_init__(self) -> None:
        self.scope = Scope(self.entrance, self.options)
        self.frontier = Frontier(self.options)
        self.traps = TrapDetector()
        self.log = WarcLog(self.out)
        self.started = time.monotonic()
        self.stop_reason = ""
        self.fatal: SitegrainError | None = None
        self.problems: list[tuple[str, str]] = []
        self.entrance_problem = ""
        self.crawl_delay = 0.0
        self.warnings: list[str] = []
        self.on_warning: Callable[[str], None] = lambda message: None
        self.new_feeds: list[str] = []
        self._feeds: set[str] = set()
        self._left_out: set[int] = set()
        self._moves = Moves(self.options)
        self._way_in = {self.entrance}
        self._earlier: dict[int, _Earlier] = {}
        self._begins_chain = False
        self._rendered_links: dict[str, bytes] = {}
        self._robots: list[Exchange] = []
        self._has_header = False
        self._had_pages = False

    # -- beginning and end ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """Open the WARC; read what earlier runs and the earlier crawl left."""
        if self.options.earlier:
            self._read_earlier()
        self._has_header = self.log.open(self.entrance)
        self.frontier.add(self.entrance, 0)
        if self._has_header:
            faults: list[tuple[str, Exception]] = []
            for _, entry in read_entries(self.out, max_decoded=self.options.max_decoded):
                try:
                    self._replay(entry)
                except SitegrainError:
                    raise
                except Exception as error:  # one page that we cannot read must not stop every later run
                    faults.append((entry.url, error))
            self.log.reindex()
            # Counters of single events are those of this run; what tells pages apart is of the whole WARC.
            kept = ("pages", "bytes", "new", "changed", "unchanged", "gone")
            self.tally = Tally(**{k: getattr(self.tally, k) for k in kept}, resumed=self.tally.pages)
            self.problems.clear()
            for url, fault in faults:
                self.fault(url, fault)
        self._had_pages = self.tally.pages > 0

    def end(self) -> None:
        """Write the index; a new file without a page is removed."""
        if self.tally.pages == 0 and not self._had_pages:
            self.log.discard()
        else:
            self.log.write_index()
            self.log.sync()
            self.log.close()

    def summary(self) -> CrawlSummary:
        return CrawlSummary(
            entrance=self.entrance,
            out=str(self.out),
            stopped=self.stop_reason or "finished",
            queue=len(self.frontier) + self.frontier.n_out,
            traps=dict(self.traps.counts),
            recrawl=bool(self.options.earlier),
            crawl_delay=self.crawl_delay,
            seconds=round(time.monotonic() - self.started, 3),
            problems=tuple(self.problems),
            warnings=tuple(self.warnings),
            **asdict(self.tally),
        )

    # -- what to fetch -------------------------------------------------------------------------------------

    @property
    def is_full(self) -> bool:
        """Would one more request break the page limit?"""
        limit = self.options.max_pages
        return limit is not None and self.tally.pages + self.frontier.n_out >= limit

    def next_url(self) -> str | None:
        if self.stop_reason or self.is_full:
            return None
        while (url := self.frontier.take()) is not None:
            if self.options.traps and self.traps.is_closed(url):
                self.frontier.done(url)
                continue
            return url
        return None

    def conditions(self, url: str) -> dict[str, str]:
        """Headers that ask for a page only if it changed since the earlier crawl."""
        earlier = self._earlier.get(url_hash(url))
        if earlier is None or not earlier.content:
            return {}
        headers = earlier.entry.headers
        found = (("If-None-Match", headers.get("etag")), ("If-Modified-Since", headers.get("last-modified")))
        return {name: value for name, value in found if value and value.isprintable()}

    def add_unreached(self) -> bool:
        """Queue pages of the earlier crawl that no link led to; True when there are any."""
        if self.stop_reason:
            return False
        before = len(self.frontier)
        for earlier in self._earlier.values():
            url = earlier.entry.url
            is_open = self.frontier.state(url) in (None, State.TOO_DEEP)
            if is_open and self.frontier.depth(url) == FAR and self._is_wanted(url):
                self.frontier.force(url)
        return len(self.frontier) > before

    def add_seeds(self, urls: list[str]) -> None:
        """Pages that a sitemap or a feed names count as linked from the entrance."""
        for url in urls:
            if self._is_wanted(url):
                self.frontier.add(url, 1)

    def _is_wanted(self, url: str) -> bool:
        if url in self.frontier:
            return True
        key = url_hash(url)
        if key in self._left_out or not self.scope.holds(url):
            return False
        path = urlsplit(url).path
        if "?" not in url and _NO_PAGE.search(path):
            self.tally.not_html += 1
        elif not (self.options.traps and self.traps.catches(url)):
            return True
        self._left_out.add(key)
        return False

    # -- answers -------------------------------------------------------------------------------------------

    def take(self, exchange: Exchange, decoded: bytes, rendered: bytes | None = None) -> None:
        """Store an answer to a page request and learn from it."""
        url, status = exchange.url, exchange.status
        earlier = self._earlier.get(url_hash(url))
        if status == 304 and earlier is not None and earlier.content:
            self._ensure_header()
            self.log.write_revisit(exchange, earlier.entry, NOT_MODIFIED)
            self._unchanged(url, earlier)
        elif status in REDIRECTS and header(exchange.headers, b"location"):
            self._ensure_header()
            self.log.write(exchange)
            self._redirected(url, header(exchange.headers, b"location"), bool(header(exchange.headers, b"set-cookie")))
        elif status >= 500 or status in (408, 429):
            self.skip(url, "error", f"status {status}")
        elif not 200 <= status < 300:
            self._ensure_header()
            self.log.write(exchange)
            self._not_found(url, status)
        elif not looks_like_html(exchange.content_type, decoded):
            self.skip(url, "not html", exchange.content_type)
        else:
            self._ensure_header()
            self.tally.rendered += rendered is not None
            self.tally.truncated += bool(exchange.truncated)
            same_bytes = earlier is not None and digest(exchange.body) == earlier.entry.payload_digest
            if earlier is not None and same_bytes and earlier.content and rendered is None:
                self.log.write_revisit(exchange, earlier.entry, SAME_PAYLOAD)
            else:
                self.log.write(exchange, rendered)
            self._count(len(exchange.body))
            self._judge(url, same_bytes or self._is_same(url, "", decoded))
            self._learn(url, exchange.content_type, decoded, rendered)

    def skip(self, url: str, outcome: str, detail: str) -> None:
        """Store that a URL has no body here, and why: `not html`, `too large`, `refused` or `error`."""
        self._ensure_header()
        self.log.write_metadata(url, {"outcome": outcome, "detail": detail})
        self._skipped(url, outcome, detail)

    def fault(self, url: str, error: Exception) -> None:
        """Our own mistake with a page: it counts as an error and its links are lost."""
        self.tally.errors += 1
        self._note(url, f"sitegrain failed on it: {type(error).__name__}: {error}")
        self.frontier.done(url)

    def problem(self, url: str, reason: str) -> None:
        """Something to know about a page that is kept."""
        self._note(url, reason)

    def warn(self, message: str) -> None:
        """Something about the whole crawl that its user should hear at once."""
        if message not in self.warnings:
            self.warnings.append(message)
            self.on_warning(message)

    def forbid(self, url: str, reason: str) -> None:
        """A URL that robots.txt forbids: nothing is stored."""
        self.tally.disallowed += 1
        self._note(url, reason, is_problem=False)
        self.frontier.done(url)

    def _ensure_header(self) -> None:
        if not self._has_header:
            builds_on = "" if self._begins_chain else self.options.earlier
            self.log.start(self.entrance, self.options.agent(), self.options.to_json(), builds_on)
            self._has_header = True
        while self._robots:
            self.log.write(self._robots.pop(0))

    def keep_robots(self, exchange: Exchange) -> None:
        """Store a robots.txt, once, and not before there is a page to go with it."""
        if exchange.url not in self._way_in and self.frontier.state(exchange.url) is None:
            self.frontier.done(exchange.url)
            self._robots.append(exchange)
            if self._has_header:
                self._ensure_header()

    # -- what an answer means; the same live and replayed --------------------------------------------------

    def _replay(self, entry: Entry) -> None:
        url = entry.url
        if entry.kind == "metadata":
            # Errors are tried again by the new run; what is no page stays none.
            if entry.headers.get("outcome") in ("not html", "too large"):
                self._skipped(url, entry.headers["outcome"], entry.headers.get("detail", ""))
        elif entry.kind == "conversion":
            self._rendered_links[url] = entry.body
        elif entry.kind == "revisit":
            earlier = self._earlier.get(url_hash(url))
            if earlier is not None:
                self._unchanged(url, earlier)
        elif entry.kind == "response":
            if urlsplit(url).path == "/robots.txt":
                self.frontier.done(url)
            elif entry.status in REDIRECTS and entry.headers.get("location"):
                self._redirected(url, entry.headers["location"], "set-cookie" in entry.headers)
            elif not 200 <= entry.status < 300:
                self._not_found(url, entry.status)
            else:
                is_same = self._is_same(url, entry.payload_digest, entry.body)
                self._count(entry.size)
                self._judge(url, is_same)
                rendered = self._rendered_links.pop(url, None)
                self._learn(url, entry.headers.get("content-type", ""), entry.body, rendered)

    def _is_same(self, url: str, payload_digest: str, decoded: bytes) -> bool:
        """Is a page as it was in the earlier crawl? Packed bytes may differ, so either digest counts."""
        earlier = self._earlier.get(url_hash(url))
        if earlier is None:
            return False
        return payload_digest == earlier.entry.payload_digest or _content(decoded) == earlier.content

    def _judge(self, url: str, is_same: bool) -> None:
        if not self.options.earlier:
            return
        if url_hash(url) not in self._earlier:
            self.tally.new += 1
        elif is_same:
            self.tally.unchanged += 1
        else:
            self.tally.changed += 1

    def _unchanged(self, url: str, earlier: _Earlier) -> None:
        self._count(0)
        self._judge(url, True)
        entry = read_entry_at(earlier.path, earlier.offset, max_decoded=self.options.max_decoded)
        self._learn(url, entry.headers.get("content-type", ""), entry.body, None)

    def _count(self, size: int) -> None:
        self.tally.pages += 1
        self.tally.bytes += size
        if self.options.max_pages is not None and self.tally.pages >= self.options.max_pages:
            self.stop_reason = self.stop_reason or "page limit"
        if self.options.max_bytes is not None and self.tally.bytes >= self.options.max_bytes:
            self.stop_reason = self.stop_reason or "byte limit"

    def _learn(self, url: str, content_type: str, decoded: bytes, rendered: bytes | None) -> None:
        self._moves.forget(url)
        nofollow = self.options.nofollow
        page = read_page(url, content_type, decoded, nofollow)
        links = page.links
        if rendered is not None:
            links = links + read_page(url, "text/html; charset=utf-8", rendered, nofollow).links
        if self.options.feeds:
            for feed in page.feeds:
                if feed not in self._feeds and len(self._feeds) < MAX_FEEDS:
                    self._feeds.add(feed)
                    self.new_feeds.append(feed)
        wanted = [link for link in links if self._is_wanted(link)]
        if self.options.traps:
            self.traps.learn(url, page.text, [link for link in wanted if link not in self.frontier])
        self.frontier.done(url, wanted)

    def _redirected(self, url: str, location: str, sets_cookie: bool) -> None:
        self.tally.redirects += 1
        target = normalise(location, url)
        hops = self.frontier.hops(url)
        if url_hash(url) in self._earlier:
            self.tally.gone += 1
        if target is None:
            self._note(url, f"redirects to {location[:200]!r}, which is not a web address")
        elif hops >= self.options.max_redirects:
            self._note(url, f"more than {self.options.max_redirects} redirects")
            self.tally.errors += 1
        else:
            if self._moves.add(url, target, sets_cookie=sets_cookie):
                self.frontier.done(url, is_redirect=True)
                self.frontier.again(target)
                return
            if self._moves.leads_back(url):
                self._note(target, f"the redirects go round in a circle{self._moves.advice}")
                self.tally.errors += 1
            if url in self._way_in and not self.scope.holds(target):
                # The site lives elsewhere: its address moved, and the scope moves with it.
                self.scope.move(target)
            if url in self._way_in:
                self._way_in.add(target)
                self.frontier.done(url, [target], is_redirect=True)
                return
            wanted = [target] if self._is_wanted(target) else []
            self.frontier.done(url, wanted, is_redirect=True)
            return
        self.frontier.done(url)

    def _not_found(self, url: str, status: int) -> None:
        self.tally.not_found += 1
        if status in GONE and url_hash(url) in self._earlier:
            self.tally.gone += 1
        self._note(url, f"status {status}", is_problem=status not in GONE)
        self.frontier.done(url)

    def _skipped(self, url: str, outcome: str, detail: str) -> None:
        if outcome == "not html":
            self.tally.not_html += 1
            if url_hash(url) in self._earlier:
                self.tally.gone += 1
            self._note(url, f"is {detail or 'of no stated type'}, not HTML", is_problem=False)
        elif outcome == "too large":
            self.tally.too_large += 1
            self._note(url, detail)
        elif outcome == "refused":
            self.tally.refused += 1
            self._note(url, detail)
        else:
            self.tally.errors += 1
            self._note(url, detail)
        self.frontier.done(url)

    def _note(self, url: str, reason: str, *, is_problem: bool = True) -> None:
        if url in self._way_in:
            self.entrance_problem = reason
        if is_problem and len(self.problems) < MAX_PROBLEMS:
            self.problems.append((url, reason))

    # -- the earlier crawl ---------------------------------------------------------------------------------

    def _read_earlier(self) -> None:
        """The pages of the earlier crawl, also those that it only points to in the crawls before it."""
        chain = chain_of(self.options.earlier)
        for path in chain:
            before, self._earlier = self._earlier, {}
            for offset, entry in read_entries(path, max_decoded=self.options.max_decoded):
                url = normalise(entry.url)
                if url is None:
                    continue
                key = url_hash(url)
                is_page = entry.kind == "response" and 200 <= entry.status < 300
                is_lost = entry.kind == "metadata" and entry.headers.get("outcome") == "error"
                if is_page and looks_like_html(entry.headers.get("content-type", ""), entry.body):
                    self._earlier[key] = _Earlier(_slim(entry, url), _content(entry.body), path, offset)
                elif key in before and (entry.kind == "revisit" or is_lost):
                    self._earlier[key] = before[key]
                elif entry.kind == "revisit":
                    self._earlier[key] = _Earlier(_slim(entry, url), b"", path, offset)
        self._begins_chain = len(chain) >= MAX_CHAIN
        if self._begins_chain:
            self._earlier = {key: replace(page, content=b"") for key, page in self._earlier.items()}


def _content(decoded: bytes) -> bytes:
    return sha256(decoded).digest()


def _slim(entry: Entry, url: str) -> Entry:
    kept: Mapping[str, str] = {k: v for k, v in entry.headers.items() if k in ("etag", "last-modified")}
    return Entry("response", url, entry.status, kept, b"", entry.record_id, entry.date, entry.payload_digest)
