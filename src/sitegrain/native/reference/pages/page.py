"""Reading a page: the guard before the parser, a serialized tree as columns, and small things about bytes and strings."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.native.columns import ATTRIBUTES, NUMBERS, TAGS, bits_of, kinds_of
from sitegrain.native.inputs import AttrColumns

Scanned = tuple[tuple[npt.NDArray[np.generic], ...], str, str, tuple[str, ...]]

_VOID, _RAW_TEXT, _NO_TEXT, _UNCOUNTED, _SVG, _TEXT_ONLY, _CODE, _FORMATTING = bits_of("TAG_BITS")
_CUT_DEEP, _CUT_ROWS, _CUT_MARKS = bits_of("CUTS")
_SPACE_BEFORE, _HIDDEN, _ARIA_HIDDEN = bits_of("ROW_BITS")
_TAG_CODE = {name: code for code, name in enumerate(TAGS) if code > 1}
_ATTR_CODE = {name: code for code, name in enumerate(ATTRIBUTES) if code}
_UNKNOWN = 1
_SPACES = b" \n\t\r\f"

# --- the guard

_TAG = re.compile(
    rb"<!--(?:-?>|.*?--!?>|.*)|<(?:[!?]|/(?![a-zA-Z]))[^>]*(?:>|\Z)|<(/?)([a-zA-Z][^ \n\t\r\f/>]*)", re.DOTALL
)  # a comment; a doctype or what is read as a comment; a tag
_ATTRIBUTE = re.compile(
    rb"[ \n\t\r\f/]*+(?:(?P<end>>)|(?P<name>=?[^=>/ \n\t\r\f]*+)"
    rb"(?P<value>[ \n\t\r\f]*=[ \n\t\r\f]*(?:\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z)|[^> \n\t\r\f\"'][^> \n\t\r\f]*|))?)"
)
_NOSCRIPT_END = re.compile(rb"</noscript", re.IGNORECASE)
_SCRIPT_TOKEN = re.compile(
    rb"<!--(?=-?>)|<!--|-->|</script(?=[ \n\t\r\f/>]|\Z)|<script(?=[ \n\t\r\f/>]|\Z)", re.IGNORECASE
)
_COMMENT_ENDS = re.compile(rb"-?>")


def _script_end(data: bytes, at: int) -> int:
    # Inside <!-- ... <script ... --> a closing tag closes only the inner one (HTML standard, 13.2.5.15 on).
    escaped = twice = False
    for token in _SCRIPT_TOKEN.finditer(data, at):
        what = token[0].lower()
        if what == b"<!--":
            escaped = escaped or not _COMMENT_ENDS.match(data, token.end())
        elif what == b"-->":
            escaped = twice = False
        elif what == b"<script":
            twice = twice or escaped
        elif not twice:
            return token.start()
        else:
            twice = False
    return len(data)


def _raw_end(data: bytes, at: int, name: bytes) -> int:
    """Where the text of an element without tags in it ends."""
    if name == b"script":
        return _script_end(data, at)
    if name == b"plaintext":  # its text may hold the like
        last = data.lower().rfind(b"</plaintext", at)
        return last if last >= 0 else len(data)
    end = re.compile(b"</" + re.escape(name), re.IGNORECASE).search(data, at)
    return end.start() if end else len(data)


_BREAKS_OUT = frozenset("p li dd dt br embed hr img meta head body".split())
"""Tags that leave SVG and MathML, and so cannot nest there."""
_INTEGRATION = frozenset("foreignobject desc annotation-xml mi mo mn ms mtext template".split())
"""In these HTML begins again within SVG or MathML."""
_ALIKE_MARKS = 3


@dataclass
class _Tag:
    start: int
    end: int
    name: bytes
    is_closing: bool
    has_slash: bool
    code: int
    bits: int
    attributes: bytes
    has_kept: bool
    """It has an attribute that is kept."""
    spans: list[tuple[int, int]]
    """Places of the others."""


class _Guard:
    """What the guard counts, and the page that it leaves."""

    def __init__(self, data: bytes, nesting: int, rows: int, is_bare: bool) -> None:
        self.data, self.nesting, self.max_rows, self.is_bare = data, nesting, rows, is_bare
        self.cuts = _CUT_MARKS if is_bare else 0
        self.pieces: list[bytes] = []
        self.kept_from = 0
        self.size = len(data)
        self.depth = self.rows = self.marks = self.reopened = 0
        self.open: Counter[bytes] = Counter()
        self.dropped: Counter[bytes] = Counter()
        self.bare_marks: Counter[bytes] = Counter()
        self.free_self_closed, self.free_implied = NUMBERS["FREE_SELF_CLOSED"], NUMBERS["FREE_IMPLIED"]
        self.is_sticky = self.is_in_p = False
        self.is_xml = data.lstrip(_SPACES).startswith(b"<?xml")

    def cut_out(self, to: int, since: int) -> None:
        self.pieces.append(self.data[self.kept_from : to])
        self.kept_from = since

    @property
    def is_suspect(self) -> bool:
        """True where tags may be read by other rules than those of HTML's body."""
        return self.is_sticky or bool(self.open[b"svg"] or self.open[b"math"] or self.open[b"select"])

    @property
    def is_all_marks(self) -> bool:
        return self.reopened > 2 * self.max_rows

    def is_implied(self, tag: _Tag) -> bool:
        if tag.name in (b"rt", b"rp", b"optgroup"):
            return True
        is_plain = tag.name.decode("latin-1") not in _BREAKS_OUT and tag.bits & (_VOID | _UNCOUNTED)
        return bool(is_plain) and self.is_suspect

    def is_dropped(self, tag: _Tag) -> bool:
        """Count a tag."""
        name, is_mark = tag.name, bool(tag.bits & _FORMATTING)
        if self.is_bare and is_mark:
            return True
        is_counted = not tag.bits & (_VOID | _UNCOUNTED)
        if tag.is_closing:
            if self.dropped[name]:
                self.dropped[name] -= 1
                return True
            if self.open[name]:
                self.open[name] -= 1
                self.depth -= 1
                if is_mark and self.bare_marks[name]:
                    self.marks -= self.bare_marks[name] <= _ALIKE_MARKS
                    self.bare_marks[name] -= 1
                elif is_mark:
                    self.marks -= 1
        else:
            is_closed = False
            if tag.has_slash and (tag.bits & _SVG or tag.code == _UNKNOWN):
                is_closed = self.free_self_closed > 0
                self.free_self_closed -= 1
            if is_closed:
                is_counted = False
            elif self.is_implied(tag):
                is_counted = self.free_implied <= 0
                self.free_implied -= 1
            if is_counted:
                if self.depth >= self.nesting:
                    self.dropped[name] += 1
                    self.cuts |= _CUT_DEEP
                    return True
                self.open[name] += 1
                self.depth += 1
                if is_mark:
                    self.bare_marks[name] += not tag.has_kept
                    self.marks += tag.has_kept or self.bare_marks[name] <= _ALIKE_MARKS
            self.is_sticky |= self.is_suspect and name.decode("latin-1") in _INTEGRATION
            self.rows += 1
        if not is_mark:
            self.reopened += self.marks
        if name == b"p":
            self.rows += tag.is_closing and not self.is_in_p
            self.is_in_p = not tag.is_closing
        elif name == b"br":
            self.rows += tag.is_closing
        return False

    def closing_tag(self, tag: _Tag) -> int:
        end = re.compile(b"</" + re.escape(tag.name), re.IGNORECASE).search(self.data, tag.end)
        return end.start() if end else len(self.data)

    def after_raw_text(self, tag: _Tag) -> int:
        """Text without tags: where to go on."""
        if self.is_suspect:
            stop = self.closing_tag(tag)
            if _is_code(tag):
                self.cut_out(tag.end, stop)
            else:
                self.cut_out(tag.end, stop)
                self.pieces.append(self.data[tag.end : stop].replace(b"<", b""))
            return stop
        stop = _script_end(self.data, tag.end) if tag.name == b"script" else self.closing_tag(tag)
        if tag.end < stop < len(self.data) and _is_code(tag):
            self.cut_out(tag.end, stop)
        return stop

    def read(self, tag_bits: bytes) -> None:
        """The whole page."""
        data, at, text_from, noscript_end = self.data, 0, 0, 0
        while match := _TAG.search(data, at):
            start, at = match.start(), match.end()
            if match[2] is None:
                if data.startswith(b"<![CDATA[", start) and self.is_suspect:
                    at = start + 9
                    self.cut_out(start, at)
                elif data[start + 1 : start + 2] != b"/":
                    self.rows += bool(data[text_from:start].strip(_SPACES))
                    text_from = at
                continue
            if (tag := _read_tag(data, match, tag_bits)) is None:
                break  # an unfinished tag at the end opens nothing
            self.rows += bool(data[text_from:start].strip(_SPACES))
            at = text_from = tag.end
            is_raw = not tag.is_closing and bool(tag.bits & (_RAW_TEXT | _TEXT_ONLY))
            if is_raw and self.is_xml and tag.has_slash:
                self.rows += 1
                self.cut_out(at, at)
                self.pieces.append(b"</" + tag.name + b">")
                continue
            is_dropped = self.is_dropped(tag)
            if self.rows > self.max_rows:
                self.cuts |= _CUT_ROWS
                self.size = start
                break
            if self.is_all_marks:
                return
            if is_raw and not is_dropped and self.open[b"noscript"]:
                if noscript_end < at:
                    found = _NOSCRIPT_END.search(data, at)
                    noscript_end = found.start() if found else len(data)
                if noscript_end < len(data) and self.closing_tag(tag) >= noscript_end:
                    self.cut_out(start, noscript_end)
                    at = noscript_end
                    continue
            if is_raw and self.is_suspect and not _is_code(tag) and self.closing_tag(tag) == len(data):
                is_dropped = True
            if is_dropped:
                self.cut_out(start, at)
                continue
            for lo, hi in tag.spans:
                self.cut_out(lo, hi)
            if is_raw:
                at = self.after_raw_text(tag)
        self.cut_out(self.size, self.size)


def _read_tag(data: bytes, match: re.Match[bytes], tag_bits: bytes) -> _Tag | None:
    at = match.end()
    spans: list[tuple[int, int]] = []
    has_kept = False
    while (found := _ATTRIBUTE.match(data, at)) and not found["end"] and found.end() > at:
        at = found.end()
        if found["name"].lower().decode("latin-1") not in _ATTR_CODE:
            spans.append((found.start("name"), at))
        else:
            has_kept = True
    if not found or not found["end"]:
        return None
    end = found.end()
    name = match[2].lower()
    code = _TAG_CODE.get(name.decode("latin-1"), _UNKNOWN)
    bits = tag_bits[code] if code != _UNKNOWN else 0
    has_slash = data[end - 2 : end] == b"/>" and end - found.start() > 1
    attributes = data[match.end() : end].lower()
    return _Tag(match.start(), end, name, bool(match[1]), has_slash, code, bits, attributes, has_kept, spans)


def _is_code(tag: _Tag) -> bool:
    # The type of JSON-LD may be written with escapes: "application/ld&#43;json".
    return bool(tag.bits & _CODE) and not (b"json" in tag.attributes and b"ld" in tag.attributes)


def guard(data: bytes, nesting: int, rows: int, tag_bits: bytes) -> tuple[bytes, int]:
    """`sitegrain.native.guard` by regular expressions."""
    page = _Guard(data, nesting, rows, False)
    page.read(tag_bits)
    if page.is_all_marks:
        page = _Guard(data, nesting, rows, True)
        page.read(tag_bits)
    return b"".join(page.pieces), page.cuts


# --- a serialized tree

_PIECE = re.compile(
    rb"<!--.*?(?:-->|\Z)|<[!?][^>]*(?:>|\Z)|<(/)([^> \n\t\r\f]*)[^>]*(?:>|\Z)|<([^>/ \n\t\r\f]*)|[^<]+", re.DOTALL
)  # a comment, a doctype, a closing tag, the name of an opening tag, text
_VALUE = re.compile(
    rb"[ \n\t\r\f/]*+(?:(>)|([^=> \n\t\r\f]*+)(?:=(?:\"([^\"]*)(?:\"|\Z)|([^> \n\t\r\f]*+)))?)"
)  # the end of a tag; a name and its value
_ESCAPES = {b"&amp;": b"&", b"&nbsp;": b"\xc2\xa0", b"&lt;": b"<", b"&gt;": b">", b"&quot;": b'"'}
_ESCAPE = re.compile(b"|".join(_ESCAPES))
_HIDES = re.compile(rb"display:none|visibility:hidden")


def _unescaped(data: bytes) -> bytes:
    """What a serializer wrote, its five escapes undone."""
    return _ESCAPE.sub(lambda match: _ESCAPES[match[0]], data)


def _cut(data: bytes, size: int) -> str:
    return data[:size].decode("utf-8", "ignore")


class _Rows:
    """The rows of a page as they are found."""

    def __init__(self) -> None:
        self.tag: list[int] = []
        self.parent: list[int] = []
        self.end: list[int] = []
        self.depth: list[int] = []
        self.text_start: list[int] = []
        self.text_end: list[int] = []
        self.flags: list[int] = []
        self.attr_node: list[int] = []
        self.attr_name: list[int] = []
        self.attr_value: list[int] = []
        self.values: dict[str, int] = {}
        self.texts: list[str] = []
        self.open: list[int] = []
        self.length = 0
        self.is_spaced = False
        self.pre = -1
        """The outermost <pre> that we are in: there white space is kept, before the text that follows."""
        self.blanks = ""

    def add(self, code: int) -> int:
        row = len(self.tag)
        self.tag.append(code)
        self.parent.append(self.open[-1] if self.open else -1)
        self.end.append(row + 1)
        self.depth.append(len(self.open))
        self.text_start.append(self.length)
        self.text_end.append(self.length)
        self.flags.append(_SPACE_BEFORE if self.is_spaced else 0)
        self.is_spaced = False
        return row

    def add_text(self, data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        if not text.strip(" \n\t\r\f\xa0"):
            self.is_spaced = True
            self.blanks += text if self.pre >= 0 else ""
            return
        row = self.add(0)
        self.texts.append(self.blanks + text)
        self.length += len(self.texts[-1])
        self.text_end[row] = self.length
        self.blanks = ""

    def add_value(self, row: int, name: int, value: str) -> None:
        self.attr_node.append(row)
        self.attr_name.append(name)
        self.attr_value.append(self.values.setdefault(value, len(self.values)))

    def close(self) -> None:
        row = self.open.pop()
        self.end[row], self.text_end[row] = len(self.tag), self.length
        if row == self.pre:
            self.pre, self.blanks = -1, ""


def _hidden_bits(name: str, raw: bytes) -> int:
    if name == "hidden" or (name == "style" and _HIDES.search(raw.translate(None, _SPACES).lower()[:511])):
        return _HIDDEN
    return _ARIA_HIDDEN if name == "aria-hidden" and raw == b"true" else 0


def scan(html: str, tag_bits: bytes) -> Scanned:
    """`sitegrain.native.scan`, one step a tag."""
    data = html.encode("utf-8", "replace")
    rows = _Rows()
    json_ld: list[str] = []
    muted = 0  # inside so many <template>
    at = 0
    while match := _PIECE.match(data, at):
        at = match.end()
        if match[1]:  # a closing tag closes the last row that is open
            if muted:
                muted -= match[2] == b"template"
            is_void = tag_bits[_TAG_CODE.get(match[2].decode("utf-8", "replace"), _UNKNOWN)] & _VOID
            if not muted and rows.open and not is_void:
                rows.close()
            continue
        if match[3] is None:
            is_text = not match[0].startswith(b"<") and not muted and rows.open
            if is_text and not tag_bits[rows.tag[rows.open[-1]]] & _NO_TEXT:
                rows.add_text(_unescaped(match[0]))
            continue
        name = match[3]
        code = _TAG_CODE.get(name.decode("utf-8", "replace"), _UNKNOWN)
        bits = tag_bits[code]
        row = -1
        if not muted:
            row = rows.add(code)
            if TAGS[code] == "pre" and rows.pre < 0:
                rows.pre = row
            elif TAGS[code] == "br":  # white space at the end of a line of code is not seen
                rows.blanks = rows.blanks[: rows.blanks.rfind("\n") + 1]
            if code == _UNKNOWN:
                rows.add_value(row, 0, _cut(name, 64))
        is_json_ld = False
        while (found := _VALUE.match(data, at)) and not found[1] and found.end() > at:
            at = found.end()
            key = found[2].decode("utf-8", "replace")
            if muted or key not in _ATTR_CODE:
                continue
            raw = found[3] or found[4] or b""
            rows.flags[row] |= _hidden_bits(key, raw)
            is_json_ld |= key == "type" and TAGS[code] == "script" and b"ld+json" in raw.lower()
            rows.add_value(row, _ATTR_CODE[key], _cut(_unescaped(raw), NUMBERS["MAX_VALUE_BYTES"]))
        at = found.end() if found else len(data)
        if bits & _VOID:
            continue
        if TAGS[code] == "template":
            muted += 1
            if muted == 1:
                rows.open.append(row)
        elif bits & _RAW_TEXT:
            stop = _raw_end(data, at, name.lower())
            if not muted:
                if is_json_ld and stop > at:
                    json_ld.append(data[at:stop].decode("utf-8", "replace"))
                rows.open.append(row)
                if not bits & _NO_TEXT and stop > at:
                    rows.add_text(data[at:stop])
            at = stop
        elif not muted:
            rows.open.append(row)
    while rows.open:
        rows.close()
    ends = np.cumsum([len(value) for value in rows.values]) if rows.values else np.zeros(0)
    lists = {**vars(rows), "value_end": ends}
    columns = tuple(np.array(lists[name], kind) for name, kind in kinds_of("SCANNED").items())
    return columns, "".join(rows.texts), "".join(rows.values), tuple(json_ld)


def read_tree(root: Any, tag_bits: bytes) -> Scanned:
    """`sitegrain.native.read_tree`, from what the tree's parser writes."""
    return scan(root.parser.html, tag_bits)


# --- bytes and strings


def is_utf8(data: bytes) -> bool:
    """`sitegrain.native.is_utf8`, by reading it."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def picked(
    tag: npt.NDArray[np.int16], attrs: AttrColumns, wanted: npt.NDArray[np.bool_]
) -> tuple[list[int], list[int], list[int]]:
    """`sitegrain.native.picked`."""
    if wanted.shape != (len(TAGS), len(ATTRIBUTES)):
        raise ValueError("one byte for each tag and attribute")
    if len(attrs.node) and not (attrs.node.min() >= 0 and attrs.node.max() < len(tag)):
        raise ValueError("attributes do not fit the rows")
    at = np.flatnonzero(wanted[tag[attrs.node], attrs.name])
    return attrs.node[at].tolist(), attrs.name[at].tolist(), attrs.value[at].tolist()


def attr_values(
    attrs: AttrColumns, strings: tuple[str, ...], start: int, stop: int, name: int, first: int
) -> dict[int, str]:
    """`sitegrain.native.attr_values`."""
    if not 0 <= start <= stop <= len(attrs.node):
        raise ValueError("not as many attributes")
    at = np.flatnonzero(attrs.name[start:stop] == name) + start
    if len(at) and not (attrs.value[at].min() >= 0 and attrs.value[at].max() < len(strings)):
        raise ValueError("a value is no string")
    values = [strings[v] for v in attrs.value[at].tolist()]
    return dict(zip((attrs.node[at] - first).tolist(), values, strict=True))


def tag_rows(tag: npt.NDArray[np.int16], wanted: npt.NDArray[np.bool_]) -> dict[int, list[int]]:
    """`sitegrain.native.tag_rows`."""
    if len(wanted) != len(TAGS):
        raise ValueError("one byte for each tag")
    if len(tag) and not (tag.min() >= 0 and tag.max() < len(TAGS)):
        raise ValueError("no such tag")
    return {code: np.flatnonzero(tag == code).tolist() for code in np.flatnonzero(wanted).tolist()}


def split(text: str, ends: npt.NDArray[np.int32]) -> tuple[str, ...]:
    """`sitegrain.native.split`."""
    stops = ends.tolist()
    starts = [0, *stops][: len(stops)]
    if any(not 0 <= a <= b <= len(text) for a, b in zip(starts, stops, strict=True)):
        raise ValueError("ends do not fit the text")
    return tuple(text[a:b] for a, b in zip(starts, stops, strict=True))
