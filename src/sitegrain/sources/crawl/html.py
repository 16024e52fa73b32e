"""What a crawl reads off a page: its links, its feeds and its words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from scrapy.http import HtmlResponse

from sitegrain.sources.crawl.addresses import normalise

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml", "application/rdf+xml"})

MAX_LINKS = 20_000
"""Links taken from one page. A page may be 64 MB of links; the largest real one that we saw holds a few thousand."""

_LINKS = (
    "//a/@href | //area/@href | //frame/@src | //iframe/@src"
    " | //link[contains(' next prev start contents index chapter section ',"
    " concat(' ', translate(normalize-space(@rel), 'NEXTPRVSAUOD', 'nextprvsauod'), ' '))]/@href"
)
_FEEDS = "//link[@type and contains(translate(@rel, 'ALTERN', 'altern'), 'alternate')]"
_REFRESH = "//meta[translate(@http-equiv, 'REFSH', 'refsh') = 'refresh']/@content"
_REFRESH_URL = re.compile(r"(?i)^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?['\"]?(.+?)['\"]?\s*$")
_TEXT = "//body//text()[not(parent::script or parent::style or parent::noscript)]"


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
    return head.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<title", b"<p", b"<h1"))


def read_page(url: str, headers: Mapping[str, str], body: bytes) -> PageLinks:
    """Links, feeds and text of an HTML body, links in document order and in their one spelling."""
    if not body.strip(b" \t\r\n\0"):
        return PageLinks([], [], "")
    response = HtmlResponse(url, headers=dict(headers), body=body)
    select = response.selector
    base = normalise(select.xpath("string(//base/@href)").get() or url, url) or url
    links: dict[str, None] = {}
    hrefs = select.xpath(_LINKS).getall()[:MAX_LINKS]
    for content in select.xpath(_REFRESH).getall():
        found = _REFRESH_URL.match(content)
        if found:
            hrefs.append(found.group(1))
    for href in hrefs:
        link = normalise(href, base)
        if link is not None:
            links[link] = None
    feeds = []
    for node in select.xpath(_FEEDS):
        if (node.attrib.get("type") or "").strip().lower() in FEED_TYPES:
            feed = normalise(node.attrib.get("href") or "", base)
            if feed is not None:
                feeds.append(feed)
    return PageLinks(list(links), feeds, " ".join(select.xpath(_TEXT).getall()))


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
