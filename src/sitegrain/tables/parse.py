"""HTML bytes -> the columns of one page. The only module that knows the parser (Lexbor, by selectolax).

Another parser would fill `_tree_columns`: give the rows of a tree in document order.

Limits, for every caller (single pages too):

- a page is cut at `MAX_PAGE_BYTES`;
- tags nested deeper than `MAX_NESTING` are dropped and their text kept, by one linear scan before the
  parser sees the page (Lexbor needs quadratic time in the nesting depth);
- attribute values are cut at 4,096 bytes, and only `ATTRIBUTES` are kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborHTMLParser

from sitegrain.arrays.native import extension
from sitegrain.tables.capture import Capture
from sitegrain.tables.charset import decode
from sitegrain.tables.tags import (
    ATTRIBUTES,
    NO_TEXT_TAGS,
    RAW_TEXT_TAGS,
    TAG_CODE,
    TAGS,
    TEXT,
    UNKNOWN,
    VOID_TAGS,
)

MAX_PAGE_BYTES = 20_000_000
"""Far above any page of the labelled sets (the largest is under 8 MB), low enough for a bounded time."""
MAX_NESTING = 600
"""Browsers stop at 512 open elements (Blink, WebKit); the deepest labelled page has fewer than 200."""
MAX_VALUE_BYTES = 4096
FREE_SELF_CLOSED = 3000
"""So many `<path/>` of SVG are taken for closed; in HTML they would nest, and only the parser knows. 3,000
nested tags more cost Lexbor about 15 ms."""

# These close one another when left open, so that they add no depth without another tag between.
_SELF_CLOSING = frozenset("p li dt dd tr td th thead tbody tfoot option optgroup colgroup caption rp rt".split())
_FLAGS = bytes(
    (tag in VOID_TAGS)
    | (tag in RAW_TEXT_TAGS and tag != "noscript") << 1
    | (tag in NO_TEXT_TAGS) << 2
    | (tag in _SELF_CLOSING or tag in NO_TEXT_TAGS or tag in ("html", "head", "body")) << 3
    | (tag in ("path", "use", "image", "g")) << 4
    for tag in TAGS
)
if extension is not None:
    extension.configure(TAGS, ATTRIBUTES, _FLAGS)

_ATTR_CODE = {name: code for code, name in enumerate(ATTRIBUTES)}


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
    attr_start: npt.NDArray[np.int32]
    attr_end: npt.NDArray[np.int32]
    text: str
    attr_text: str
    json_ld: tuple[str, ...]
    charset: str
    note: str

    def attr_values(self) -> list[str]:
        """Value of every attribute row."""
        text = self.attr_text
        return [text[s:e] for s, e in zip(self.attr_start.tolist(), self.attr_end.tolist(), strict=True)]


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
    html, charset = decode(body, capture.content_type)
    data = body if charset == "utf-8" and not body.startswith(b"\xef\xbb\xbf") else html.encode("utf-8", "replace")
    if (flat := flatten(data, MAX_NESTING)) is not None:
        data = flat
        notes.append(f"tags nested deeper than {MAX_NESTING} dropped")
    columns = _tree_columns(data)
    return ParsedPage(*columns, charset=charset, note="; ".join(notes))


def flatten(data: bytes, limit: int) -> bytes | None:
    """The page without the tags that are nested deeper than `limit`; None when there are none.

    A tag counts until a closing tag of the same name; tags that close one another when left open (`p`,
    `li`, `td`, ...), void tags and the first `FREE_SELF_CLOSED` self-closed tags of SVG do not count. So the count is never below what a parser would nest, up
    to a small factor, and it takes one pass.
    """
    if data.count(b"<") <= limit:
        return None
    if extension is not None:
        return extension.flatten(data, limit)  # type: ignore[no-any-return]
    return flatten_python(data, limit)


_RAW_END = {tag: re.compile(b"</" + tag.encode(), re.IGNORECASE) for tag in NO_TEXT_TAGS - {"script", "template"}}
_TAG = re.compile(
    rb"<!--(?:.*?--!?>|.*)|<(/?)([a-zA-Z][^\s/>]*)((?:[^>\"'=]|=\s*\"[^\"]*\"|=\s*'[^']*'|[\"'=])*?)>", re.DOTALL
)


def flatten_python(data: bytes, limit: int) -> bytes | None:
    """`flatten` without the extension: the same rule by a regular expression."""
    depth = 0
    opened: dict[bytes, int] = {}
    dropped: dict[bytes, int] = {}
    cuts: list[tuple[int, int]] = []
    free_self_closed = FREE_SELF_CLOSED
    at = 0
    while match := _TAG.search(data, at):
        at = match.end()
        if match[2] is None:
            continue
        name = match[2].lower()
        tag = name.decode("latin-1")
        flags = _FLAGS[TAG_CODE.get(tag, UNKNOWN)] if tag in TAG_CODE else 0
        cut = closed = False
        if not match[1] and match[0].endswith(b"/>") and (flags & 16 or tag not in TAG_CODE):
            closed = free_self_closed > 0
            free_self_closed -= 1
        if not flags & 9 and not closed:
            if match[1]:
                if dropped.get(name):
                    dropped[name] -= 1
                    cut = True
                elif opened.get(name):
                    opened[name] -= 1
                    depth -= 1
            elif depth >= limit:
                dropped[name] = dropped.get(name, 0) + 1
                cut = True
            else:
                opened[name] = opened.get(name, 0) + 1
                depth += 1
        if cut:
            cuts.append(match.span())
        elif not match[1] and tag == "script":
            end = re.compile(rb"</script", re.IGNORECASE).search(data, at)
            at = end.start() if end else len(data)
        elif not match[1] and tag in _RAW_END:
            end = _RAW_END[tag].search(data, at)
            at = end.start() if end else len(data)
    if not cuts:
        return None
    pieces, start = [], 0
    for lo, hi in cuts:
        pieces.append(data[start:lo])
        start = hi
    pieces.append(data[start:])
    return b"".join(pieces)


def _tree_columns(data: bytes) -> tuple[Any, ...]:
    tree = LexborHTMLParser(data)
    if extension is None:
        return tree_columns_python(tree)
    columns = extension.scan(tree.html or "")
    kinds = (np.int16, np.int32, np.int32, np.int32, np.int32, np.int32, np.uint8, np.int32, np.int16, np.int32, np.int32)
    arrays = [np.frombuffer(column, kind) for column, kind in zip(columns[:11], kinds, strict=True)]
    return (*arrays, columns[11], columns[12], tuple(columns[13]))


_STYLE_HIDES = re.compile(r"display:none|visibility:hidden")


def _hidden_flag(name: str, value: str) -> int:
    if name == "hidden":
        return 2
    if name == "style" and _STYLE_HIDES.search("".join(value.split()).lower()[:511]):
        return 2
    return 4 if name == "aria-hidden" and value == "true" else 0


def tree_columns_python(tree: LexborHTMLParser) -> tuple[Any, ...]:
    """The rows of a tree without the extension: one walk, one step a node."""
    tag: list[int] = []
    parent: list[int] = []
    depth: list[int] = []
    start: list[int] = []
    flags: list[int] = []
    attr_node: list[int] = []
    attr_name: list[int] = []
    attr_values: list[str] = []
    texts: list[str] = []
    json_ld: list[str] = []
    row_of: dict[int, int] = {}
    length = 0
    pending = 0
    root = tree.root
    for node in root.traverse(include_text=True) if root is not None else ():
        name = node.tag or "unknown"
        up = node.parent
        above = row_of.get(up.mem_id, -1) if up is not None else -1
        if name == "-text":
            if above < 0:
                continue
            text = node.text_content or ""
            kind = TAGS[tag[above]]
            if kind == "script":
                if any(
                    attr_node[i] == above and ATTRIBUTES[attr_name[i]] == "type" and "ld+json" in attr_values[i].lower()
                    for i in range(len(attr_node) - 1, max(-1, len(attr_node) - 40), -1)
                ):
                    json_ld.append(text)
                continue
            if kind in NO_TEXT_TAGS:
                continue
            if not text.strip(" \n\t\r\f\xa0"):
                pending = 1
                continue
            code = TEXT
            texts.append(text)
        else:
            if name.startswith(("-", "!")) or (above < 0 and tag):
                continue
            code = TAG_CODE.get(name, UNKNOWN)
            row_of[node.mem_id] = len(tag)
        row = len(tag)
        tag.append(code)
        parent.append(above)
        depth.append(depth[above] + 1 if above >= 0 else 0)
        start.append(length)
        flag = pending
        pending = 0
        if code == TEXT:
            length += len(texts[-1])
        else:
            if code == UNKNOWN:
                attr_node.append(row)
                attr_name.append(0)
                attr_values.append(name[:64])
            for key, value in node.attributes.items():
                if key in _ATTR_CODE and key != ":tag":
                    kept = (value or "").encode()[:MAX_VALUE_BYTES].decode("utf-8", "ignore")
                    flag |= _hidden_flag(key, kept)
                    attr_node.append(row)
                    attr_name.append(_ATTR_CODE[key])
                    attr_values.append(kept)
        flags.append(flag)
    end = list(range(1, len(tag) + 1))
    stop = [s + len(t) for s, t in zip(start, _texts_by_row(tag, texts), strict=True)]
    for row in range(len(tag) - 1, 0, -1):  # children before parents: a subtree ends where its last child ends
        above = parent[row]
        if above >= 0:
            end[above] = max(end[above], end[row])
            stop[above] = max(stop[above], stop[row])
    ends = np.cumsum([len(v) for v in attr_values], dtype=np.int32) if attr_values else np.zeros(0, np.int32)
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int32) if attr_values else ends
    i32 = np.int32
    return (
        np.array(tag, np.int16), np.array(parent, i32), np.array(end, i32), np.array(depth, i32),
        np.array(start, i32), np.array(stop, i32), np.array(flags, np.uint8), np.array(attr_node, i32),
        np.array(attr_name, np.int16), starts, ends, "".join(texts), "".join(attr_values), tuple(json_ld),
    )  # fmt: skip


def _texts_by_row(tag: list[int], texts: list[str]) -> list[str]:
    left = iter(texts)
    return [next(left) if code == TEXT else "" for code in tag]
