"""Addresses: resolved, normalised, and told apart as pages of one site.

`page_key` is what makes two addresses one page: the WHATWG-normalised address without fragment, without a
default document (`index.html`) and without a trailing slash, with http and https as one.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import ada_url
from publicsuffixlist import PSLFILE, PublicSuffixList, decode_idn

_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_DEFAULT_DOCUMENT = re.compile(r"/(?:index|default|home)\.(?:html?|xhtml|shtml|php\d?|aspx?|jsp|cfm)$", re.IGNORECASE)
# Addresses that WHATWG normalisation leaves as they are: most links. The rest goes through ada-url.
_CHARS = r"[A-Za-z0-9_~+.%/-]*"
_QUERY = r"(?:\?[A-Za-z0-9_~+.%=&/-]*)?"
_PLAIN = re.compile(
    rf"(?:(?P<origin>https?://(?!xn--)(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{{2,}})(?=/)|(?P<root>/(?!/))|(?P<file>[A-Za-z0-9_~+-]))"
    rf"{_CHARS}{_QUERY}"
)
_PLAIN_BASE = re.compile(
    rf"(https?://(?!xn--)(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{{2,}})/[A-Za-z0-9_~+.%/=&@,;:!$()*-]*{_QUERY}"
)
"""Normalisation leaves more signs of a path as they are than most links have: names of files that were made of a query have them."""
_DOTS = re.compile(r"/\.|%2e", re.IGNORECASE)
_LONG = 1000
"""Characters of an href that is not remembered."""
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.\-]*:")
_HOST_OF_NONE, _N_DOWN = "http://nowhere.invalid/", 8
NOWHERE = _HOST_OF_NONE + "~/" * _N_DOWN
"""The folder of a single page whose address nobody knows. Its links are told apart and followed as those of any other page; it lies
so deep that links that lead up from it can be told (`shown_address`). Nobody is shown an address in it."""
DEFAULT_BASE = "http://folder.example/"
"""Where pages of a folder live when neither the user nor the pages say: a reserved name that leads nowhere."""
RELATIVE = ("./", "../", "/")
"""How an address begins that `shown_address` leaves relative."""


class _Rules(frozenset[str]):
    """The lines of the list of public suffixes, with comments among them, which are like no name."""

    def __contains__(self, rule: object) -> bool:
        """Whether a rule is in the list, as DNS writes it, too: to write all rules so takes longer than to look for the few that are asked for."""
        if super().__contains__(rule):
            return True
        if not isinstance(rule, str) or "xn--" not in rule:
            return False
        with suppress(UnicodeError):
            return super().__contains__("!" * rule.startswith("!") + decode_idn(rule.lstrip("!")))
        return False


_MOST_LABELS = 127
"""Labels of a name in DNS, and so of a suffix."""


class _Suffixes(PublicSuffixList):
    """The list as it looks names up; to take its lines apart as it does takes fifteen times as long."""

    def __init__(self, accept_unknown: bool) -> None:
        super().__init__((), accept_unknown=accept_unknown)
        self._publicsuffix, self._maxlabel = _rules(), _MOST_LABELS


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    return _Rules(Path(PSLFILE).read_bytes().lower().decode("utf-8").split("\n"))


@lru_cache(maxsize=2)
def _suffixes(accept_unknown: bool = True) -> PublicSuffixList:
    """The public suffixes."""
    return _Suffixes(accept_unknown)


def _private(host: str, accept_unknown: bool = True) -> str | None:
    """The registrable domain of a host, if it has one."""
    found: str | None = _suffixes(accept_unknown).privatesuffix(host)
    return found


def is_registered(host: str) -> bool:
    """Whether a name is a domain under a suffix that is known, or below one: `news.example.org`, and not `page.html`.

    >>> is_registered("news.Example.org"), is_registered("page.html")
    (True, False)
    """
    return _private(host.lower(), accept_unknown=False) is not None


@lru_cache(maxsize=4096)
def site_key(host: str) -> str:
    """The registrable domain of a host (or the host itself, for an address or a suffix).

    >>> site_key("news.bbc.co.uk"), site_key("127.0.0.1"), site_key("localhost")
    ('bbc.co.uk', '127.0.0.1', 'localhost')
    """
    host = host.lower().rstrip(".")
    if not host or host.startswith("[") or re.fullmatch(r"[\d.]+", host):
        return host
    return _private(host) or host


def host_of(url: str) -> str:
    """The host of a normalised address, or an empty string.

    >>> host_of("http://user@a.org:8080/x"), host_of("http://[::1]:80/")
    ('a.org', '[::1]')
    """
    host = url.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2].lower()
    return host if host.endswith("]") else host.rpartition(":")[0] if host[-1:].isdigit() and ":" in host else host


def resolve(href: str, base: str) -> str:
    """The address an href leads to, WHATWG-normalised and without its fragment; empty if no web address.

    >>> resolve("../../../x/./y#z", "http://a.org/b/c.html")
    'http://a.org/x/y'
    >>> resolve("javascript:go()", "http://a.org/")
    ''
    """
    href = href.strip()
    origin, folder = plain_base(base)
    if not folder or href[:1] in ("", "?", "#") or len(href) > _LONG:
        return _resolved(href, base, origin, folder)
    return _known_in_folder(href, origin, folder)


@lru_cache(maxsize=1 << 13)
def _known_in_folder(href: str, origin: str, folder: str) -> str:
    """An href means the same on all pages of a folder (but for "?x" and ""), and pages show the same pictures and links again."""
    return _resolved(href, folder, origin, folder)


def _resolved(href: str, base: str, origin: str, folder: str) -> str:
    plain = _resolve_plain(href.partition("#")[0], origin, folder)
    if plain:
        return plain
    scheme = _SCHEME.match(href)
    if scheme and scheme[0].lower() not in ("http:", "https:"):
        return ""
    try:
        url = ada_url.join_url(base, href) if base else ada_url.normalize_url(href)
    except ValueError:
        return ""
    if not url.startswith(("http:", "https:")):
        return ""
    return url.partition("#")[0]


def shown_address(url: str) -> str:
    """An address for a reader: what is below `NOWHERE` is relative to its page, as the page has it.

    It begins with a dot or a slash, so that no program takes a part of it for a scheme.

    >>> [shown_address(resolve(href, NOWHERE + "a.html")) for href in ("b.html", "/b", "../b", "?b", "http://a.org/b")]
    ['./b.html', '/b', '../b', './a.html?b', 'http://a.org/b']
    """
    if not url.startswith(_HOST_OF_NONE):
        return url
    path = url[len(_HOST_OF_NONE) :]
    n_down = 0
    while n_down < _N_DOWN and path.startswith("~/"):
        path, n_down = path[2:], n_down + 1
    return f"/{path}" if not n_down else f"./{path}" if n_down == _N_DOWN else "../" * (_N_DOWN - n_down) + path


@lru_cache(maxsize=4096)
def plain_base(base: str) -> tuple[str, str]:
    """The origin and the folder of an address; both empty unless it is one that normalisation leaves as it is.

    >>> plain_base("http://a.org/b/c.html?d=e"), plain_base("http://a.org/b/../c")
    (('http://a.org', 'http://a.org/b/'), ('', ''))
    """
    # What is nowhere is written as `shown_address` says.
    match = None if base.startswith(NOWHERE) else _PLAIN_BASE.fullmatch(base)
    if not match or _DOTS.search(base):
        return "", ""
    return match[1], base.partition("?")[0].rpartition("/")[0] + "/"


def _resolve_plain(href: str, origin: str, folder: str) -> str:
    match = _PLAIN.fullmatch(href)
    if not match or _DOTS.search(href):
        return ""
    kind = match.lastgroup
    if kind == "origin":
        return href
    return origin and (origin if kind == "root" else folder) + href


def page_key(url: str) -> str:
    """What makes two addresses one page.

    >>> page_key("https://a.org/b/index.html") == page_key("http://a.org/b/") == page_key("http://a.org/b")
    True
    >>> page_key("http://a.org/b?x=1") == page_key("http://a.org/b")
    False
    >>> page_key("http://a.org/%e3%81%9d") == page_key("http://a.org/%E3%81%9D")
    True
    """
    key = url.partition("#")[0].partition("://")[2]
    if "%" in key:  # escapes of either case are the same byte, and exports mix them
        key = _ESCAPES.sub(lambda m: m[0].upper(), key)
    path, question, query = key.partition("?")
    if "." in path[-14:]:
        path = _DEFAULT_DOCUMENT.sub("/", path)
    path = path.rstrip("/")
    if path.startswith("www."):
        path = path[4:]
    return path + question + query if query else path
