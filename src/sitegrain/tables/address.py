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
from publicsuffixlist import PSLFILE, PublicSuffixList, decode_idn, encode_idn

from sitegrain import native
from sitegrain.light import late_pattern

_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_SMALL_ESCAPE = re.compile(r"%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])")
_DEFAULT_DOCUMENT = late_pattern(r"/(?:index|default|home)\.(?:html?|xhtml|shtml|php\d?|aspx?|jsp|cfm)$", re.IGNORECASE)
# Addresses that WHATWG normalisation leaves as they are: most links (`native.plain_address`). The rest goes through ada-url.
_PLAIN_BASE = re.compile(
    r"(https?://(?!xn--)(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,})/[A-Za-z0-9_~+.%/=&@,;:!$()*-]*(?:\?[A-Za-z0-9_~+.%=&/-]*)?"
)
"""Normalisation leaves more signs of a path as they are than most links have: names of files that were made of a query have them."""
_DEFAULT_NAMES = frozenset(("index", "default", "home"))
"""A look for these takes a fraction of the time that the pattern takes."""
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


@lru_cache(maxsize=1)
def _list() -> bytes:
    """The public suffixes as they are written, a line each."""
    return b"\n" + Path(PSLFILE).read_bytes().lower() + b"\n"


def _rules(label: str) -> list[str]:
    """The suffixes with this last label, looked for by it: to take all lines apart takes as long as some dozen pages, and few labels come."""
    text, name = _list(), label.encode("utf-8", "surrogatepass")
    found = [label] if b"\n" + name + b"\n" in text else []
    wanted = b"." + name + b"\n"
    at = text.find(wanted)
    while at >= 0:
        line = text[text.rindex(b"\n", 0, at) + 1 : at + len(wanted) - 1]
        if not line.startswith(b"//"):
            found.append(line.decode())
        at = text.find(wanted, at + 1)
    return found


@lru_cache(maxsize=512)
def _suffixes(label: str, accept_unknown: bool = True) -> PublicSuffixList:
    """The suffixes that hosts with this last label may have: to make a list of all takes as long as some hundred pages."""
    rules = _rules(label) if label else []
    if label.startswith("xn--"):
        with suppress(UnicodeError):
            rules += _rules(decode_idn(label))
    # The list would write each rule a second time as DNS does. For nearly all that is the same.
    encoded = ["!" * rule.startswith("!") + encode_idn(rule.lstrip("!")) for rule in rules if not rule.isascii()]
    return PublicSuffixList(rules + encoded, accept_unknown=accept_unknown, accept_encoded_idn=False)


def _private(host: str, accept_unknown: bool = True) -> str | None:
    """The registrable domain of a host, if it has one."""
    found: str | None = _suffixes(host.rstrip(".").rpartition(".")[2], accept_unknown).privatesuffix(host)
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


@lru_cache(maxsize=1 << 10)
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
    origin, folder = plain_base(base)
    if found := native.plain_address(href, origin, folder):
        return found
    href = href.strip()
    if not folder or href[:1] in ("", "?", "#") or len(href) > _LONG:
        return _resolved(href, base)
    return _known_in_folder(href, folder)


@lru_cache(maxsize=1 << 13)
def _known_in_folder(href: str, folder: str) -> str:
    """An href means the same on all pages of a folder (but for "?x" and ""), and pages show the same pictures and links again."""
    return _resolved(href, folder)


def _resolved(href: str, base: str) -> str:
    """By the library: what is not plain to tell."""
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


@lru_cache(maxsize=1 << 11)
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
    if "%" in key and _SMALL_ESCAPE.search(key):  # escapes of either case are the same byte, and exports mix them
        key = _ESCAPES.sub(lambda m: m[0].upper(), key)
    path, question, query = key.partition("?")
    if "." in path[-14:] and (
        not path.isascii() or path.rpartition("/")[2].partition(".")[0].lower() in _DEFAULT_NAMES
    ):
        path = _DEFAULT_DOCUMENT.sub("/", path)
    path = path.rstrip("/")
    if path.startswith("www."):
        path = path[4:]
    return path + question + query if query else path
