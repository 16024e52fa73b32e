"""What a crawl reads off a page: its links, its feeds and its words."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from sitegrain.sources.crawl.addresses import normalise
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.parse import parse_page
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE
from sitegrain.tables.timing import time_limited

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})

MAX_LINKS = 20_000
"""Links taken from one page, so that a page of nothing but links has a bounded cost."""

_REFRESH = re.compile(r"(?i)^\s*[\d.]+\s*[;,]\s*url\s*=\s*['\"]?(.+?)['\"]?\s*$")
_FOLLOWED_RELS = frozenset({"next", "prev", "start", "contents", "index", "chapter", "section"})
_ATTR = {name: code for code, name in enumerate(ATTRIBUTES)}
_WANTED = np.zeros(len(TAG_CODE), bool)
_WANTED[[TAG_CODE[t] for t in ("a", "area", "frame", "iframe", "link", "meta", "base")]] = True


@dataclass(frozen=True, slots=True)
class PageLinks:
    links: list[str]
    feeds: list[str]
    text: str


def looks_like_html(content_type: str, start: bytes) -> bool:
    """Is a body HTML? By its Content-Type; without one, by its first bytes.

    >>> looks_like_html("Text/HTML; charset=utf-8", b""), looks_like_html("", b"  <!DOCTYPE html>")
    (True, True)
    >>> looks_like_html("application/pdf", b"<html>")
    False
    """
    mime = content_type.partition(";")[0].strip().lower()
    if mime:
        return mime in HTML_TYPES
    head = start[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    signs = (b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<title", b"<h1", b"<p>")
    return head.startswith(signs)


def read_page(url: str, content_type: str, body: bytes) -> PageLinks:
    """Links, feeds and text of an HTML body, links in document order and in their one spelling."""
    with time_limited():
        page = parse_page(Capture(url, body, headers={"content-type": content_type}))
    values = page.values()
    # The few elements that can hold a link, each with its attributes.
    elements: dict[int, dict[int, str]] = {}
    if len(page.attr_node):
        at = np.flatnonzero(_WANTED[page.tag[page.attr_node]])
        rows = (page.attr_node[at].tolist(), page.attr_name[at].tolist(), page.attr_value[at].tolist())
        for node, name, value in zip(*rows, strict=True):
            elements.setdefault(node, {}).setdefault(name, values[value])
    base = url
    hrefs: list[str] = []
    feeds: list[str] = []
    for row, found in elements.items():
        tag = int(page.tag[row])
        href = found.get(_ATTR["href"], "")
        if tag == TAG_CODE["base"]:
            if base == url and href:
                base = normalise(href, url) or url
        elif tag == TAG_CODE["meta"]:
            refresh = _REFRESH.match(found.get(_ATTR["content"], ""))
            if refresh:
                hrefs.append(refresh.group(1))
        elif tag in (TAG_CODE["frame"], TAG_CODE["iframe"]):
            hrefs.append(found.get(_ATTR["src"], ""))
        elif tag == TAG_CODE["link"]:
            rels = set(found.get(_ATTR["rel"], "").lower().split())
            if rels & _FOLLOWED_RELS:
                hrefs.append(href)
            if "alternate" in rels and found.get(_ATTR["type"], "").strip().lower() in FEED_TYPES:
                feeds.append(href)
        else:
            hrefs.append(href)
    return PageLinks(_resolve(hrefs, base), _resolve(feeds, base), page.text)


def _resolve(hrefs: list[str], base: str) -> list[str]:
    links = (normalise(h, base) for h in dict.fromkeys(h for h in hrefs[:MAX_LINKS] if h))
    return list(dict.fromkeys(link for link in links if link is not None))


def read_feed(url: str, body: bytes) -> list[str]:
    """The pages that an RSS or Atom feed names."""
    import lxml.etree

    parser = lxml.etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=False)
    try:
        root = lxml.etree.fromstring(body, parser)
    except lxml.etree.XMLSyntaxError:
        return []
    if root is None:
        return []
    found = root.xpath(
        "//*[local-name() = 'item']/*[local-name() = 'link']/text()"
        " | //*[local-name() = 'entry']/*[local-name() = 'link'][not(@rel) or @rel = 'alternate']/@href"
    )
    links = (normalise(str(link), url) for link in found[:MAX_LINKS])
    return [link for link in links if link is not None]


def read_sitemap_lines(url: str, body: bytes) -> list[str]:
    """The pages that a sitemap of plain text names, an address on each line; none for anything else.

    >>> read_sitemap_lines("http://a.org/sitemap.txt", b"http://a.org/tea\\n\\nhttp://a.org/mill\\n")
    ['http://a.org/tea', 'http://a.org/mill']
    """
    lines = [line.strip() for line in body.decode("utf-8-sig", "replace").splitlines()]
    links = (normalise(line, url) for line in lines if line.startswith(("http://", "https://")))
    return [link for link in links if link is not None]
