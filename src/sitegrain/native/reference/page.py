"""Reading a page: the guard before the parser, a serialized tree as columns, and small things about bytes and strings."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from sitegrain.native.columns import ATTRIBUTES, NUMBERS, TAGS, bits_of, kinds_of

Scanned = tuple[tuple[npt.NDArray[np.generic], ...], str, str, tuple[str, ...]]

_VOID, _RAW_TEXT, _NO_TEXT, _UNCOUNTED, _SVG, _TEXT_ONLY, _CODE = bits_of("TAG_BITS")
_SPACE_BEFORE, _HIDDEN, _ARIA_HIDDEN = bits_of("ROW_BITS")
_TAG_CODE = {name: code for code, name in enumerate(TAGS) if code > 1}
_ATTR_CODE = {name: code for code, name in enumerate(ATTRIBUTES) if code}
_UNKNOWN = 1

# --- the guard

_TAG = re.compile(
    rb"<!--(?:-?>|.*?--!?>|.*)|<(?:[!?]|/(?![a-zA-Z]))[^>]*(?:>|\Z)|<(/?)([a-zA-Z][^\s/>]*)", re.DOTALL
)  # a comment; a doctype or what is read as a comment; a tag
_ATTRIBUTE = re.compile(
    rb"[ \n\t\r\f/]*+(?:(?P<end>>)|(?P<name>=?[^=>/ \n\t\r\f]*+)"
    rb"(?P<value>[ \n\t\r\f]*=[ \n\t\r\f]*(?:\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z)|[^> \n\t\r\f\"'][^> \n\t\r\f]*|))?)"
)
_NOSCRIPT_END = re.compile(rb"</noscript", re.IGNORECASE)
_SCRIPT_TOKEN = re.compile(rb"<!--(?=-?>)|<!--|-->|</script(?=[\s/>])|<script(?=[\s/>])", re.IGNORECASE)
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
    end = re.compile(b"</" + re.escape(name), re.IGNORECASE).search(data, at)
    return end.start() if end else len(data)


def _may_be_json_ld(attributes: bytes) -> bool:
    # The type may be written with escapes: "application/ld&#43;json".
    return b"json" in attributes and b"ld" in attributes


def guard(data: bytes, limit: int, tag_bits: bytes) -> tuple[bytes, bool]:
    """`sitegrain.native.guard` by regular expressions."""
    depth = 0
    opened: dict[bytes, int] = {}
    dropped: dict[bytes, int] = {}
    cuts: list[tuple[int, int]] = []
    free_self_closed = NUMBERS["FREE_SELF_CLOSED"]
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
            if found["name"].lower().decode("latin-1") not in _ATTR_CODE:
                attributes.append((found.start("name"), at))
        if not found or not found["end"]:
            break  # an unfinished tag at the end opens nothing
        at = found.end()
        is_closed = data[at - 2 : at] == b"/>" and found.end() - found.start() > 1
        name = match[2].lower()
        code = _TAG_CODE.get(name.decode("latin-1"), _UNKNOWN)
        bits = tag_bits[code] if code != _UNKNOWN else 0
        cut = closed = False
        if not match[1] and is_closed and (bits & _SVG or code == _UNKNOWN):
            closed = free_self_closed > 0
            free_self_closed -= 1
        if not bits & (_VOID | _UNCOUNTED) and not closed:
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
        is_raw = not match[1] and bits & (_RAW_TEXT | _TEXT_ONLY)
        if is_raw and opened.get(b"noscript"):
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
        if is_raw:
            stop = _raw_end(data, at, name)
            if bits & _CODE and at < stop < len(data) and not _may_be_json_ld(data[match.end() : at].lower()):
                cuts.append((at, stop))
            at = stop
    pieces, start = [], 0
    for lo, hi in cuts:
        pieces.append(data[start:lo])
        start = hi
    pieces.append(data[start:])
    return b"".join(pieces), was_deep


# --- a serialized tree

_PIECE = re.compile(
    rb"<!--.*?(?:-->|\Z)|<[!?][^>]*(?:>|\Z)|<(/)([^> \n\t\r\f]*)[^>]*(?:>|\Z)|<([^>/ \n\t\r\f]*)|[^<]+", re.DOTALL
)  # a comment, a doctype, a closing tag, the name of an opening tag, text
_VALUE = re.compile(
    rb"[ \n\t\r\f/]*+(?:(>)|([^=> \n\t\r\f]*+)(?:=(?:\"([^\"]*)(?:\"|\Z)|([^> \n\t\r\f]*+)))?)"
)  # the end of a tag; a name and its value
_ESCAPES = {b"&amp;": b"&", b"&nbsp;": b"\xc2\xa0", b"&lt;": b"<", b"&gt;": b">", b"&quot;": b'"'}
_ESCAPE = re.compile(b"|".join(_ESCAPES))
_SPACES = b" \n\t\r\f"
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
            if not muted and rows.open:
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


# --- bytes and strings


def is_utf8(data: bytes) -> bool:
    """`sitegrain.native.is_utf8`, by reading it."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def split(text: str, ends: npt.NDArray[np.int32]) -> tuple[str, ...]:
    """`sitegrain.native.split`."""
    stops = ends.tolist()
    starts = [0, *stops][: len(stops)]
    if any(not 0 <= a <= b <= len(text) for a, b in zip(starts, stops, strict=True)):
        raise ValueError("ends do not fit the text")
    return tuple(text[a:b] for a, b in zip(starts, stops, strict=True))
