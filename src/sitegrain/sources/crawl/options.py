"""What a crawl may do, and what it did."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, field, fields
from typing import Any, Literal, get_args

from sitegrain.errors import UsageError
from sitegrain.light import dataclass

ScopeName = Literal["domain", "host", "prefix"]

AGENT_NAME = "sitegrain"
"""The name that robots.txt rules are looked up under."""


@dataclass(frozen=True, slots=True, repr=False)
class CrawlOptions:
    """How far, how fast and how safely to crawl.

    >>> CrawlOptions(depth=2, depths={"/news/": 4})
    CrawlOptions(depth=2, depths={'/news/': 4})
    >>> CrawlOptions(depth=2, depths={"/news/": 4}).depth_limit("/news/today")
    4
    >>> CrawlOptions(scope="planet")
    Traceback (most recent call last):
    sitegrain.errors.UsageError: scope is 'planet': use one of domain, host, prefix
    """

    scope: ScopeName = "domain"
    """`domain`: the same registrable domain; `host`: the same host; `prefix`: below the entrance's folder."""
    depth: int | None = None
    """Links from the entrance to a page, at most; None is no limit."""
    depths: Mapping[str, int] = field(default_factory=dict)
    """Path prefix → its own depth limit; the longest matching prefix wins over `depth`."""
    max_pages: int | None = 10_000
    """Stop at this many HTML pages, pages of an earlier run of the same crawl included; None is no limit."""
    max_bytes: int | None = 4 * 2**30
    """Stop when the pages' bodies as received sum up to this; None is no limit."""
    include: tuple[str, ...] = ()
    """Regular expressions; when given, a URL must match one (the entrance always may)."""
    exclude: tuple[str, ...] = ()
    """Regular expressions; a URL that matches one is not fetched."""
    sitemaps: bool = False
    """Also start from the pages in the sitemaps that robots.txt names (or /sitemap.xml)."""
    feeds: bool = False
    """Also start from the pages in the RSS and Atom feeds that pages name."""
    traps: bool = True
    """Leave out what looks endless: repeating paths, query combinations, near-identical pages."""
    nofollow: bool = False
    """Leave out links with rel=nofollow, and all links of pages whose meta element "robots" says nofollow."""

    delay: float = 0.5
    """Seconds between two requests to one host, at least. 0 turns the autothrottle off as well."""
    concurrency: int = 8
    """Requests at one time."""
    obey_robots: bool = True
    cookies: bool = False
    """Keep the cookies that answers set until the crawl ends, and send them along."""
    user_agent: str = ""
    """The whole User-Agent header; empty is `sitegrain/VERSION (+contact)`."""
    contact: str = ""
    """An address or a URL where the site's owner reaches you; part of the user agent."""
    retries: int = 2
    """How often a failed request is tried again."""
    backoff: float = 1.0
    """Seconds before the first new try; it doubles each time. A server's Retry-After wins."""
    max_backoff: float = 60.0
    """No wait before a new try is longer than this."""

    allow_private: bool = False
    """Also connect to loopback, private, link-local and metadata addresses."""
    verify_tls: bool = True
    max_body: int = 16 * 2**20
    """Bytes of one body as received; a longer one is not kept."""
    max_decoded: int = 64 * 2**20
    """Bytes of one body after gzip, deflate, brotli or zstd; a longer one is not kept."""
    max_header: int = 64 * 2**10
    """Bytes of one response's header."""
    max_redirects: int = 10
    page_timeout: float = 30.0
    """Seconds for one page, from the first byte asked to the last byte got."""

    earlier: str = ""
    """The WARC of an earlier crawl: unchanged pages become revisit records that point to it."""

    render: bool = False
    """Run each page's scripts in a local Chromium and store the DOM that comes out."""
    browser: str = ""
    """The Chromium to run; empty looks for chromium, chromium-browser and google-chrome."""
    render_timeout: float = 10.0
    """Seconds for the scripts of one page."""

    def __post_init__(self) -> None:
        if self.scope not in get_args(ScopeName):
            raise UsageError(f"scope is {self.scope!r}: use one of {', '.join(get_args(ScopeName))}")
        for name in ("max_pages", "max_bytes"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}: it must be 1 or more, or None for no limit")
        for name in ("concurrency", "max_body", "max_decoded", "max_header"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}: it must be 1 or more")
        for name in ("delay", "retries", "backoff", "max_backoff", "max_redirects"):
            if not getattr(self, name) >= 0:
                raise UsageError(f"{name} is {getattr(self, name)}: it must not be negative")
        for name in ("page_timeout", "render_timeout"):
            if not getattr(self, name) > 0:
                raise UsageError(f"{name} is {getattr(self, name)}: it must be more than 0 seconds")
        if self.depth is not None and self.depth < 0:
            raise UsageError(f"depth is {self.depth}: 0 is the entrance alone, None is no limit")
        for prefix, limit in self.depths.items():
            if not prefix.startswith("/") or limit < 0:
                raise UsageError(f"depth {prefix}={limit}: a prefix starts with / and its depth is 0 or more")
        for pattern in (*self.include, *self.exclude):
            try:
                re.compile(pattern)
            except re.error as error:
                raise UsageError(f"{pattern!r} is not a regular expression: {error}") from None
        for name in ("user_agent", "contact"):
            if any(ord(c) < 32 or ord(c) > 126 for c in getattr(self, name)):
                raise UsageError(f"{name} may only hold printable ASCII")

    def __repr__(self) -> str:
        """Only what differs from the defaults."""
        default: dict[str, Any] = {f.name: {} if f.name == "depths" else f.default for f in fields(self)}
        said = (f"{name}={getattr(self, name)!r}" for name in default if getattr(self, name) != default[name])
        return f"CrawlOptions({', '.join(said)})"

    @property
    def is_depth_limited(self) -> bool:
        return self.depth is not None or bool(self.depths)

    def depth_limit(self, path: str) -> int | None:
        """The depth limit that holds for a URL path."""
        best = max((p for p in self.depths if path.startswith(p)), key=len, default=None)
        return self.depth if best is None else self.depths[best]

    def agent(self) -> str:
        """The User-Agent header."""
        if self.user_agent:
            return self.user_agent
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("sitegrain")
        except PackageNotFoundError:
            number = "dev"
        return f"{AGENT_NAME}/{number}" + (f" (+{self.contact})" if self.contact else "")

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> CrawlOptions:
        values: dict[str, Any] = json.loads(text)
        for name in ("include", "exclude"):
            values[name] = tuple(values[name])
        return cls(**values)


@dataclass(frozen=True, slots=True, repr=False)
class CrawlSummary:
    """What a crawl did. `pages` and `bytes` count the whole WARC, the rest this run."""

    entrance: str
    out: str
    stopped: str
    """`finished`, `page limit`, `byte limit` or `interrupted`."""
    pages: int = 0
    """HTML pages in the WARC (revisit records included)."""
    resumed: int = 0
    """How many of them an earlier run of this crawl had fetched."""
    bytes: int = 0
    queue: int = 0
    """Known and wanted pages that were not fetched (0 when finished)."""
    redirects: int = 0
    not_found: int = 0
    """Answers 4xx and 5xx, kept in the WARC."""
    not_html: int = 0
    disallowed: int = 0
    """URLs that robots.txt forbids."""
    too_large: int = 0
    truncated: int = 0
    """Pages kept although the server closed before the end."""
    refused: int = 0
    """URLs whose host has a private address."""
    errors: int = 0
    retries: int = 0
    rendered: int = 0
    traps: Mapping[str, int] = field(default_factory=dict)
    """Kind of trap → URLs left out."""
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    recrawl: bool = False
    crawl_delay: float = 0.0
    """The largest delay that a robots.txt asked for."""
    seconds: float = 0.0
    problems: tuple[tuple[str, str], ...] = ()
    """The first hundred URLs that failed, with the reason."""
    warnings: tuple[str, ...] = ()
    """What the user should know of the whole crawl; `on_event` told it when it came up."""

    def __repr__(self) -> str:
        return f"CrawlSummary({self.entrance}: {self.stopped}, {self.pages:,} pages, {self.errors:,} errors)"

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> CrawlSummary:
        known = {f.name for f in fields(cls)}
        kept = {k: v for k, v in values.items() if k in known}
        kept["problems"] = tuple((str(u), str(r)) for u, r in kept.get("problems", ()))
        kept["warnings"] = tuple(map(str, kept.get("warnings", ())))
        return cls(**kept)
