"""URL rules of a crawl: one spelling per URL, what is in scope, and index keys."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from sitegrain.errors import UsageError
from sitegrain.light import late_pattern
from sitegrain.sources.crawl.options import CrawlOptions
from sitegrain.tables.address import resolve, site_key

MAX_URL = 2083
"""Longer URLs are left out: the limit of old browsers, and Scrapy's default."""

# A session id is a long mixed token under a name that servers use for it. The value is checked too,
# because a short `sid=12` is as often a story's number.
_SESSION = late_pattern(
    r"(?i)(?:(?<=[?&])(?:phpsessid|jsessionid|aspsessionid\w*|sessionid|session_id|sessid|sid|cfid|cftoken)"
    r"=(?=[^&#]*\d)[\w.-]{16,}(?:&|$))"
)
_PATH_SESSION = re.compile(r"(?i);jsessionid=[\w.!-]+")


def normalise(url: str, base: str | None = None) -> str | None:
    """The one spelling of an http(s) URL, as browsers resolve it, without fragment and session id.

    None when it is no http(s) URL that a crawl can fetch.

    >>> normalise("../b.html#top", "HTTP://Example.org:80/a/c")
    'http://example.org/b.html'
    >>> normalise("http://example.org/x;jsessionid=0A1B?PHPSESSID=0123456789abcdef&p=2")
    'http://example.org/x?p=2'
    >>> normalise("mailto:me@example.org") is None
    True
    """
    href = resolve(url, base or "")
    if not href or len(href) > MAX_URL:
        return None
    authority = href.split("/", 3)[2]
    if "@" in authority:
        # A link with a password is never followed with it: it would be sent and stored.
        href = href.replace(authority, authority.rpartition("@")[2], 1)
    return strip_session(href)


def strip_session(url: str) -> str:
    """The URL without the session id that some servers write into links."""
    if ";" in url:
        url = _PATH_SESSION.sub("", url)
    path, mark, query = url.partition("?")
    if mark:
        url = path + _SESSION.sub("", mark + query)
        url = url.removesuffix("&").removesuffix("?")
    return url


def same_page_key(url: str) -> str:
    """Two URLs with one key are one page: the order of query parameters makes no difference.

    >>> same_page_key("http://e.org/?b=2&a=1") == same_page_key("http://e.org/?a=1&b=2")
    True
    """
    path, mark, query = url.partition("?")
    return path + "?" + "&".join(sorted(query.split("&"))) if mark else url


def check_entrance(url: str) -> str:
    """The entrance URL in its one spelling; raises `UsageError` when it cannot be crawled."""
    scheme = url.partition(":")[0].lower()
    if "://" not in url:
        raise UsageError(f"{url!r} is not a web address: write it with http:// or https://")
    if scheme not in ("http", "https"):
        raise UsageError(f"{url!r}: only http and https can be crawled, not {scheme}")
    clean = normalise(url)
    if clean is None or not urlsplit(clean).hostname:
        raise UsageError(f"{url!r} is not a web address")
    return clean


class Scope:
    """Which URLs belong to the crawl. It starts from the entrance and moves when the entrance redirects."""

    def __init__(self, entrance: str, options: CrawlOptions) -> None:
        self._options = options
        self._include = [re.compile(p) for p in options.include]
        self._exclude = [re.compile(p) for p in options.exclude]
        self.entrance = entrance
        self.move(entrance)

    def move(self, entrance: str) -> None:
        parts = urlsplit(entrance)
        self._host = (parts.hostname or "").lower()
        self._port = parts.port
        self._domain = site_key(self._host)
        self._folder = parts.path.rpartition("/")[0] + "/"

    def holds_host(self, host: str) -> bool:
        """Can this host have pages of the crawl?"""
        return site_key(host) == self._domain if self._options.scope == "domain" else host == self._host

    def holds(self, url: str) -> bool:
        """Is this (normalised) URL part of the crawl, depth aside?"""
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
        inside = self.holds_host(host)
        if self._options.scope == "prefix":
            inside = inside and parts.path.startswith(self._folder)
        if inside and host == self._host and parts.port != self._port:
            # Another port of the same name is another server, but http → https of a site is not.
            inside = parts.port is None and self._port is None
        if not inside:
            return False
        if self._include and not any(p.search(url) for p in self._include):
            return False
        return not any(p.search(url) for p in self._exclude)


def index_key(url: str) -> str:
    """The sort key of a CDXJ line: the host turned round, then the path, in lower case.

    >>> index_key("https://www.Example.org:8080/A/b?z=1&a=2")
    'org,example:8080)/a/b?a=2&z=1'
    """
    parts = urlsplit(url)
    host = re.sub(r"^www\d*\.", "", (parts.hostname or "").lower())
    turned = host if re.fullmatch(r"[\d.]+|.*:.*", host) else ",".join(reversed(host.split(".")))
    port = f":{parts.port}" if parts.port else ""
    query = "?" + "&".join(sorted(parts.query.split("&"))) if parts.query else ""
    return f"{turned}{port}){parts.path or '/'}{query}".lower().replace(" ", "%20")
