"""Addresses: resolved, normalised, and told apart as pages of one site.

`page_key` is what makes two addresses one page: the WHATWG-normalised address without fragment, without a
default document (`index.html`) and without a trailing slash, with http and https as one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

import ada_url
from publicsuffixlist import PublicSuffixList

_DEFAULT_DOCUMENT = re.compile(
    r"/(?:index|default|home)\.(?:html?|xhtml|shtml|php\d?|aspx?|jsp|cfm)$", re.IGNORECASE
)
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.\-]*:")


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


@lru_cache(maxsize=4096)
def site_key(host: str) -> str:
    """The registrable domain of a host (or the host itself, for an address or a suffix).

    >>> site_key("news.bbc.co.uk"), site_key("127.0.0.1"), site_key("localhost")
    ('bbc.co.uk', '127.0.0.1', 'localhost')
    """
    host = host.lower().rstrip(".")
    if not host or host.startswith("[") or re.fullmatch(r"[\d.]+", host):
        return host
    return _suffixes().privatesuffix(host) or host


def host_of(url: str) -> str:
    """The host of an address, or an empty string."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def same_site(a: str, b: str) -> bool:
    """True when two addresses have the same registrable domain.

    >>> same_site("http://www.example.co.uk/", "https://news.example.co.uk/x")
    True
    """
    return site_key(host_of(a)) == site_key(host_of(b))


def resolve(href: str, base: str) -> str:
    """The address an href leads to, WHATWG-normalised and without its fragment; empty if no web address.

    >>> resolve("../../../x/./y#z", "http://a.org/b/c.html")
    'http://a.org/x/y'
    >>> resolve("javascript:go()", "http://a.org/")
    ''
    """
    href = href.strip()
    scheme = _SCHEME.match(href)
    if scheme and scheme[0].lower() not in ("http:", "https:"):
        return ""
    try:
        url = ada_url.URL(href, base).href if base else ada_url.URL(href).href
    except ValueError:
        return ""
    if not url.startswith(("http:", "https:")):
        return ""
    return url.partition("#")[0]


def page_key(url: str) -> str:
    """What makes two addresses one page.

    >>> page_key("https://a.org/b/index.html") == page_key("http://a.org/b/") == page_key("http://a.org/b")
    True
    >>> page_key("http://a.org/b?x=1") == page_key("http://a.org/b")
    False
    """
    key = url.partition("#")[0].partition("://")[2]
    path, question, query = key.partition("?")
    path = _DEFAULT_DOCUMENT.sub("/", path).rstrip("/")
    if path.startswith("www."):
        path = path[4:]
    return path + question + query if query else path
