"""HTML bytes -> the columns of one page. The only module that knows the parser (Lexbor, by selectolax).

Another parser would fill `_tree_columns`: give the rows of a tree in document order.

Limits, for every caller (single pages too):

- a page is cut at `MAX_PAGE_BYTES`;
- tags nested deeper than `MAX_NESTING` are dropped and their text kept, by one linear scan before the
  parser sees the page (Lexbor needs quadratic time in the nesting depth), which also drops scripts and styles;
- attribute values are cut at 4,096 bytes, and only `ATTRIBUTES` are kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from sitegrain.native import extension
from sitegrain.tables.capture import Capture
from sitegrain.tables.charset import as_utf8
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
    | (tag in ("title", "textarea")) << 5
    | (tag in ("script", "style")) << 6
    for tag in TAGS
)
if extension is not None:
    extension.configure(TAGS, ATTRIBUTES, _FLAGS)

_KEPT_NAMES = frozenset(ATTRIBUTES[1:])
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
        if extension is not None:
            return extension.split(self.value_text, self.value_end)  # type: ignore[no-any-return]
        ends = self.value_end.tolist()
        text = self.value_text
        return tuple(text[s:e] for s, e in zip([0, *ends], ends, strict=False))


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
    return ParsedPage(*_tree_columns(data), charset, "; ".join(notes))  # type: ignore[call-arg]


def guard(data: bytes, limit: int) -> tuple[bytes, bool]:
    """The page without code, without the attributes that are not kept and without the tags nested deeper than
    `limit`; True if there were such tags.

    Code is what stands in `<script>` (but for JSON-LD) and `<style>`: it is no text, and half of the bytes of
    today's pages. A tag is nested until a closing tag of the same name; tags that close one another when left
    open (`p`, `li`, `td`, ...), void tags and the first `FREE_SELF_CLOSED` self-closed tags of SVG do not
    count. So the count is never below what a parser would nest, up to a small factor, and it takes one pass.

    A browser that runs scripts ends a `<noscript>` at its closing tag, whatever stands in it; we read what is in it,
    so an `<iframe>` that is left open there would take the rest of the page for its text. It is dropped.
    """
    if extension is not None:
        return extension.guard(data, limit)  # type: ignore[no-any-return]
    return guard_python(data, limit)


_TAG = re.compile(
    rb"<!--(?:-?>|.*?--!?>|.*)|<(?:[!?]|/(?![a-zA-Z]))[^>]*(?:>|\Z)|<(/?)([a-zA-Z][^\s/>]*)", re.DOTALL
)  # a comment; a doctype or what is read as a comment; a tag
_ATTRIBUTE = re.compile(
    rb"[ \n\t\r\f/]*+(?:(?P<end>>)|(?P<name>=?[^=>/ \n\t\r\f]*+)"
    rb"(?P<value>[ \n\t\r\f]*=[ \n\t\r\f]*(?:\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z)|[^> \n\t\r\f\"'][^> \n\t\r\f]*|))?)"
)
_NOSCRIPT_END = re.compile(rb"</noscript", re.IGNORECASE)
_SCRIPT_TOKEN = re.compile(rb"<!--(?=-?>)|<!--|-->|</script(?=[\s/>])|<script(?=[\s/>])", re.IGNORECASE)


def _script_end(data: bytes, at: int) -> int:
    # Inside <!-- ... <script ... --> a closing tag closes only the inner one (HTML standard, 13.2.5.15 on).
    escaped = twice = False
    for token in _SCRIPT_TOKEN.finditer(data, at):
        what = token[0].lower()
        if what == b"<!--":
            escaped = escaped or not re.compile(rb"-?>").match(data, token.end())
        elif what == b"-->":
            escaped = twice = False
        elif what == b"<script":
            twice = twice or escaped
        elif not twice:
            return token.start()
        else:
            twice = False
    return len(data)


def _may_be_json_ld(attributes: bytes) -> bool:
    # The type may be written with escapes: "application/ld&#43;json".
    return b"json" in attributes and b"ld" in attributes


def guard_python(data: bytes, limit: int) -> tuple[bytes, bool]:
    """`guard` without the extension: the same rule by regular expressions."""
    depth = 0
    opened: dict[bytes, int] = {}
    dropped: dict[bytes, int] = {}
    cuts: list[tuple[int, int]] = []
    free_self_closed = FREE_SELF_CLOSED
    was_deep = False
    at = 0
    noscript_end = 0
    while match := _TAG.search(data, at):
        at = match.end()
        if match[2] is None:
            continue
        attributes: list[tuple[int, int]] = []
        while (found := _ATTRIBUTE.match(data, at)) and not found["end"] and found.end() > at:
            at = found.end()
            if found["name"].lower().decode("latin-1") not in _KEPT_NAMES:
                attributes.append((found.start("name"), at))
        if not found or not found["end"]:
            break  # an unfinished tag at the end opens nothing
        at = found.end()
        is_closed = data[at - 2 : at] == b"/>" and found.end() - found.start() > 1
        name = match[2].lower()
        tag = name.decode("latin-1")
        flags = _FLAGS[TAG_CODE[tag]] if tag in TAG_CODE and tag not in ("#text", "unknown") else 0
        cut = closed = False
        if not match[1] and is_closed and (flags & 16 or tag not in TAG_CODE):
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
            was_deep = True
            cuts.append((match.start(), at))
            continue
        if not match[1] and flags & 34 and opened.get(b"noscript"):
            if noscript_end < at:
                found = _NOSCRIPT_END.search(data, at)
                noscript_end = found.start() if found else len(data)
            if noscript_end < len(data) and not re.search(
                b"</" + re.escape(name), data[at:noscript_end], re.IGNORECASE
            ):
                cuts.append((match.start(), noscript_end))
                at = noscript_end
                continue
        cuts.extend(attributes)
        if not match[1] and flags & 34:
            if tag == "script":
                stop = _script_end(data, at)
            else:
                end = re.compile(b"</" + re.escape(name), re.IGNORECASE).search(data, at)
                stop = end.start() if end else len(data)
            if flags & 64 and at < stop < len(data) and not _may_be_json_ld(data[match.end() : at].lower()):
                cuts.append((at, stop))
            at = stop
    pieces, start = [], 0
    for lo, hi in cuts:
        pieces.append(data[start:lo])
        start = hi
    pieces.append(data[start:])
    return b"".join(pieces), was_deep


def _parse(data: bytes) -> LexborHTMLParser:
    # Without mutation events: a quarter faster, and <selectedcontent> does not copy text.
    return LexborHTMLParser(data, options=LexborDocumentOptions.WO_EVENTS)


def _tree_columns(data: bytes) -> tuple[Any, ...]:
    tree = _parse(data)
    if extension is None:
        return tree_columns_python(tree)
    columns = extension.scan(tree.html or "")
    kinds = (
        np.int16,
        np.int32,
        np.int32,
        np.int32,
        np.int32,
        np.int32,
        np.uint8,
        np.int32,
        np.int16,
        np.int32,
        np.int32,
    )
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
    pre_of: list[int] = []  # the outermost <pre> that a row is in: there white space is kept, before the next text
    blanks, blanks_of = "", -1
    root = tree.root
    for node in root.traverse(include_text=True) if root is not None else ():
        name = node.tag
        if name is None:  # a processing instruction
            continue
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
            if blanks_of != pre_of[above]:
                blanks, blanks_of = "", pre_of[above]
            if not text.strip(" \n\t\r\f\xa0"):
                pending = 1
                blanks += text if blanks_of >= 0 else ""
                continue
            code = TEXT
            texts.append(blanks + text)
            blanks = ""
        else:
            if name.startswith(("-", "!")) or (above < 0 and tag):
                continue
            code = TAG_CODE.get(name, UNKNOWN)
            row_of[node.mem_id] = len(tag)
        row = len(tag)
        outer = pre_of[above] if above >= 0 else -1
        pre_of.append(row if outer < 0 and name == "pre" else outer)
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
    ids: dict[str, int] = {}
    numbers = [ids.setdefault(value, len(ids)) for value in attr_values]
    ends = np.cumsum([len(v) for v in ids], dtype=np.int32) if ids else np.zeros(0, np.int32)
    i32 = np.int32
    return (
        np.array(tag, np.int16), np.array(parent, i32), np.array(end, i32), np.array(depth, i32),
        np.array(start, i32), np.array(stop, i32), np.array(flags, np.uint8), np.array(attr_node, i32),
        np.array(attr_name, np.int16), np.array(numbers, i32), ends, "".join(texts), "".join(ids), tuple(json_ld),
    )  # fmt: skip


def _texts_by_row(tag: list[int], texts: list[str]) -> list[str]:
    left = iter(texts)
    return [next(left) if code == TEXT else "" for code in tag]
