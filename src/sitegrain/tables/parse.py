"""HTML bytes -> the columns of one page. The only module that knows the parser (Lexbor, by selectolax).

Another parser must write its tree as HTML with every element closed: `native.scan` reads that.

Limits, for every caller (single pages too):

- a page is cut at `MAX_PAGE_BYTES`;
- tags nested deeper than `MAX_NESTING` are dropped and their text kept, by one linear scan before the
  parser sees the page (Lexbor needs quadratic time in the nesting depth), which also drops scripts and styles;
- attribute values are cut at 4,096 bytes, and only `ATTRIBUTES` are kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from sitegrain import native
from sitegrain.native.columns import bits_of
from sitegrain.tables.capture import Capture
from sitegrain.tables.charset import as_utf8
from sitegrain.tables.tags import NO_TEXT_TAGS, RAW_TEXT_TAGS, TAGS, VOID_TAGS

MAX_PAGE_BYTES = 20_000_000
"""Far above any page of the labelled sets (the largest is under 8 MB), low enough for a bounded time."""
MAX_NESTING = 600
"""Browsers stop at 512 open elements (Blink, WebKit); the deepest labelled page has fewer than 200."""

# These close one another when left open, so that they add no depth without another tag between.
_SELF_CLOSING = frozenset("p li dt dd tr td th thead tbody tfoot option optgroup colgroup caption rp rt".split())
_VOID, _RAW_TEXT, _NO_TEXT, _UNCOUNTED, _SVG, _TEXT_ONLY, _CODE = bits_of("TAG_BITS")


def _tag_bits(tag: str) -> int:
    return (
        (tag in VOID_TAGS) * _VOID
        | (tag in RAW_TEXT_TAGS and tag != "noscript") * _RAW_TEXT
        | (tag in NO_TEXT_TAGS) * _NO_TEXT
        | (tag in _SELF_CLOSING or tag in NO_TEXT_TAGS or tag in ("html", "head", "body")) * _UNCOUNTED
        | (tag in ("path", "use", "image", "g")) * _SVG
        | (tag in ("title", "textarea")) * _TEXT_ONLY
        | (tag in ("script", "style")) * _CODE
    )


TAG_BITS = bytes(map(_tag_bits, TAGS))


@dataclass(frozen=True)
class ParsedPage:
    """The columns of one page; rows and offsets are the page's own."""

    tag: npt.NDArray[np.int16]
    parent: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int32]
    text_start: npt.NDArray[np.int32]
    text_end: npt.NDArray[np.int32]
    flags: npt.NDArray[np.uint8]
    attr_node: npt.NDArray[np.int32]
    attr_name: npt.NDArray[np.int16]
    attr_value: npt.NDArray[np.int32]
    """Row of `values`."""
    value_end: npt.NDArray[np.int32]
    text: str
    value_text: str
    json_ld: tuple[str, ...]
    charset: str
    note: str

    def values(self) -> tuple[str, ...]:
        """Every different attribute value of the page."""
        return native.split(self.value_text, self.value_end)


def parse_page(capture: Capture) -> ParsedPage:
    """Read one page into columns.

    >>> page = parse_page(Capture("http://a.org/", b"<p>Hello <b>you</b>"))
    >>> page.text
    'Hello you'
    >>> [TAGS[t] for t in page.tag]
    ['html', 'head', 'body', 'p', '#text', 'b', '#text']
    """
    notes = []
    body = capture.body
    if len(body) > MAX_PAGE_BYTES:
        body = body[:MAX_PAGE_BYTES]
        notes.append(f"cut at {MAX_PAGE_BYTES // 1_000_000} MB")
    data, charset = as_utf8(body, capture.content_type)
    data, was_deep = guard(data, MAX_NESTING)
    if was_deep:
        notes.append(f"tags nested deeper than {MAX_NESTING} dropped")
    found = native.scan(parse_tree(data).html or "", TAG_BITS)
    return ParsedPage(
        **found.columns,
        text=found.text,
        value_text=found.value_text,
        json_ld=found.json_ld,
        charset=charset,
        note="; ".join(notes),
    )


def guard(data: bytes, limit: int) -> tuple[bytes, bool]:
    """The page without code and without tags nested deeper than `limit`; see `native.guard`."""
    return native.guard(data, limit, TAG_BITS)


def parse_tree(data: bytes) -> LexborHTMLParser:
    """What the parser makes of a page."""
    # Without mutation events: a quarter faster, and <selectedcontent> does not copy text.
    return LexborHTMLParser(data, options=LexborDocumentOptions.WO_EVENTS)
