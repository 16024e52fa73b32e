"""HTML bytes -> the columns of one page. The only module that knows the parser (Lexbor, by selectolax).

Plain pages, which nearly all are, are read by `native.read_plain` in one pass over their bytes, with the result of all that
follows here. It says when a page is not plain.

The parser's tree of the others is read where it stands in memory. That asks for the versions that the reader was written for, and for a page
that came out the same both ways; else the tree is written as HTML with every element closed, and `native.scan` reads that, which
takes twice the time. Another parser must write its tree so.

Limits (`budgets`) hold for every caller, single pages too:

- a page is cut at `MAX_PAGE_BYTES`, and after the rows that its bytes pay for;
- tags nested deeper than `MAX_NESTING` are dropped and their text kept, by one linear scan before the
  parser sees the page (Lexbor needs quadratic time in the nesting depth), which also drops scripts and styles (pages that it would cut
  are not plain);
- attribute values are cut, and only `ATTRIBUTES` are kept.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import selectolax
from selectolax.lexbor import LEXBOR_VERSION_MAJOR, LEXBOR_VERSION_MINOR, LexborDocumentOptions, LexborHTMLParser

from sitegrain import native
from sitegrain.native.columns import bits_of
from sitegrain.tables.budgets import MAX_NESTING, MAX_PAGE_BYTES, max_rows
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.charset import as_utf8
from sitegrain.tables.parsing.shown import open_shadow_roots, without_unseen
from sitegrain.tables.tags import NO_TEXT_TAGS, RAW_TEXT_TAGS, TAG_CODE, TAGS, VOID_TAGS

# These close one another when left open, so that they add no depth without another tag between.
_SELF_CLOSING = frozenset("p li dt dd tr td th thead tbody tfoot option optgroup colgroup caption rp rt".split())
# A parser opens these again in the next block when they are left open (of `a` and `nobr` only one is).
_FORMATTING_TAGS = frozenset("b big code em font i s small strike strong tt u".split())
_VOID, _RAW_TEXT, _NO_TEXT, _UNCOUNTED, _SVG, _TEXT_ONLY, _CODE, _FORMATTING = bits_of("TAG_BITS")
_DEEP, _ROWS, _MARKS = bits_of("CUTS")
_TEMPLATE = np.int16(TAG_CODE["template"]).tobytes()


_CUT_NOTES = (
    (_DEEP, f"tags nested deeper than {MAX_NESTING} dropped"),
    (_ROWS, "cut: more elements than its size allows"),
    (_MARKS, "marks dropped: too many are left open"),
)


def _tag_bits(tag: str) -> int:
    return (
        (tag in VOID_TAGS) * _VOID
        | (tag in RAW_TEXT_TAGS and tag != "noscript") * _RAW_TEXT
        | (tag in NO_TEXT_TAGS) * _NO_TEXT
        | (tag in _SELF_CLOSING or tag in NO_TEXT_TAGS - {"template"} or tag in ("html", "head", "body")) * _UNCOUNTED
        | (tag in ("svg", "math", "path", "use", "image", "g")) * _SVG
        | (tag in ("title", "textarea")) * _TEXT_ONLY
        | (tag in ("script", "style")) * _CODE
        | (tag in _FORMATTING_TAGS) * _FORMATTING
    )


TAG_BITS = bytes(map(_tag_bits, TAGS))


class ParsedPage(NamedTuple):
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
    data, charset = as_utf8(body, capture.content_type, capture.url)
    rows = max_rows(len(body))
    found, cuts = _read(data, rows)
    # Bytes are searched many times as fast as an array; a code has one byte that is not 0, so no two codes look like another.
    if _TEMPLATE in found.columns["tag"].tobytes() and (opened := open_shadow_roots(data)) is not data:
        found, cuts = _read(opened, rows)
    if len(found.columns["tag"]) > rows:
        found = _cut(found, rows)
        cuts |= _ROWS
    if cuts:
        notes += [note for bit, note in _CUT_NOTES if cuts & bit]
    text, changed = without_unseen(found.text, found.columns)
    return ParsedPage(
        **(found.columns | changed),
        text=text,
        value_text=found.value_text,
        json_ld=found.json_ld,
        charset=charset,
        note="; ".join(notes),
    )


def _read(data: bytes, rows: int) -> tuple[native.Scanned, int]:
    """The rows of a page, and what the guard had to cut."""
    plain = native.read_plain(data, MAX_NESTING, rows, TAG_BITS)
    if not isinstance(plain, str):
        return plain, 0
    data, cuts = native.guard(data, MAX_NESTING, rows, TAG_BITS)
    return read_tree(parse_tree(data)), cuts


def guard(data: bytes, limit: int) -> tuple[bytes, int]:
    """The page without code and without tags nested deeper than `limit`; see `native.guard`."""
    return native.guard(data, limit, max_rows(len(data)), TAG_BITS)


def _cut(found: native.Scanned, rows: int) -> native.Scanned:
    """The first rows of a page."""
    columns = dict(found.columns)
    end = int(columns["text_start"][rows])
    n_attrs = int(np.searchsorted(columns["attr_node"], rows))
    for name in ("tag", "parent", "end", "depth", "text_start", "text_end", "flags"):
        columns[name] = columns[name][:rows]
    for name in ("attr_node", "attr_name", "attr_value"):
        columns[name] = columns[name][:n_attrs]
    columns["end"] = np.minimum(columns["end"], rows).astype(np.int32)
    columns["text_end"] = np.minimum(columns["text_end"], end).astype(np.int32)
    return found._replace(columns=columns, text=found.text[:end])


_READ_VERSIONS = {("1.0.2", 3, 1)}
"""Versions of selectolax and of the Lexbor in it whose tree `native.read_tree` was written for and compared with on all pages
of the labelled sets (`bench/readers.py`)."""
_SAMPLE = (
    b"<!doctype html><!-- c --><html lang=en><head><title>A&amp;B</title><meta name=x content='a&quot;&lt;b'><script type="
    b"application/ld+json>{}</script><body class='k \xc3\xa9' data-lazy-src=1>t&nbsp;<p hidden>one<b aria-hidden=true>\xe4\xb8\xad"
    b"<table align=left><tr><td colspan=2>c</table><svg viewBox='0 0'><foreignObject xlink:href=y><a href=z>f</a></foreignObject>"
    b"</svg><a-longer-name-than-sixteen itemprop=q>l</a-longer-name-than-sixteen><x-short>s</x-short><template><p>no</template><pre>"
    b" \n z</pre><xmp>a<b</xmp><iframe>i</iframe><img alt=''><input value=v><math><mi>m</mi></math>"
)


@lru_cache(maxsize=1)
def reads_in_place() -> bool:
    """Whether the parser's tree can be read in its memory."""
    if not native.is_compiled:
        return False
    if (selectolax.__version__, LEXBOR_VERSION_MAJOR, LEXBOR_VERSION_MINOR) not in _READ_VERSIONS:
        return False
    tree = parse_tree(_SAMPLE)
    placed, written = native.read_tree(tree.root, TAG_BITS), native.scan(tree.html or "", TAG_BITS)
    return placed[1:] == written[1:] and all(
        np.array_equal(placed.columns[name], column) for name, column in written.columns.items()
    )


def read_tree(tree: LexborHTMLParser) -> native.Scanned:
    """The rows of what the parser made."""
    root = tree.root if reads_in_place() else None
    return native.scan(tree.html or "", TAG_BITS) if root is None else native.read_tree(root, TAG_BITS)


def parse_tree(data: bytes) -> LexborHTMLParser:
    """What the parser makes of a page."""
    # Without mutation events: a quarter faster, and <selectedcontent> does not copy text.
    return LexborHTMLParser(data, options=LexborDocumentOptions.WO_EVENTS)
