"""The character set of a page: BOM, HTTP header, `<meta>`, then a guess on 64 KB of text."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

from sitegrain.native import is_utf8

SNIFF_BYTES = 65_536

MOST_LOST, MIN_LOST = 0.5, 20
"""Share of the characters beyond ASCII that a declared set may fail to read: with more it is another, and with less some bytes are damaged; and how many
of them tell anything. Set beforehand."""
MOST_SIGNS = 0.25
"""Share of bytes beyond ASCII in the pieces of text that have some, below which they are signs and accents in a text of Latin letters: texts of other
scripts have half or more. Then fewer than `MIN_LOST` letters tell no set from another, and the page is read as browsers read it. Set beforehand."""
_BEYOND, _SPACES = bytes(range(0x80)), b" \t\r\n\xa0"
_SIGNS = bytes(b for b in range(0x80, 0xC0) if not chr(b).encode("latin-1").decode("cp1252", "replace").isalpha())
"""Bytes that are quotation marks, dashes, copyright signs in windows-1252."""
_MARKUP = re.compile(rb"[<>]")
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_BOM_BYTES = tuple(bom for bom, _ in _BOMS)
_HEADER = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';]+)", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,1024}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.\-]+)", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}encoding\s*=\s*[\"']([A-Za-z0-9_:.\-]+)[\"']", re.IGNORECASE)

# What browsers read under another name (WHATWG Encoding): pages say the left and mean the right.
_ALIASES = {
    "iso-8859-1": "cp1252", "iso8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252", "ascii": "cp1252",
    "us-ascii": "cp1252", "windows-1252": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030",
    "gb_2312-80": "gb18030", "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932",
    "windows-31j": "cp932", "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "big5": "big5hkscs", "x-euc-jp": "euc_jp",
    "iso-8859-9": "cp1254", "tis-620": "cp874", "iso-8859-11": "cp874", "utf8": "utf-8", "unicode": "utf-8",
    "x-user-defined": "cp1252", "x-mac-cyrillic": "mac_cyrillic",
}  # fmt: skip


_NO_CHARSETS = frozenset(("undefined", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "mbcs", "oem"))


@lru_cache(maxsize=256)
def _codec(label: str) -> str | None:
    name = label.strip().lower()
    name = _ALIASES.get(name, name)
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    # Codecs such as "rot13" or "hex" are no character sets, nor are Python's own ways to write text.
    return info.name if getattr(info, "_is_text_encoding", True) and info.name not in _NO_CHARSETS else None


def _utf16_without_bom(head: bytes) -> str | None:
    if len(head) >= 8 and head[:1] == b"<" and head[1:2] == b"\0" and head[3:4] == b"\0":
        return "utf-16-le"
    if len(head) >= 8 and head[:2] == b"\0<" and head[2:3] == b"\0":
        return "utf-16-be"
    return None


def as_utf8(body: bytes, content_type: str = "") -> tuple[bytes, str]:
    """A page in UTF-8, and the character set it was read with: `decode`, without a text where the bytes are fine."""
    if not body.startswith(_BOM_BYTES) and is_utf8(body):
        names = _declared(body, content_type)
        if _is_utf8_anyhow(names):
            return body, "utf-8"
    text, charset = decode(body, content_type)
    return text.encode("utf-8", "replace"), charset


def _declared(body: bytes, content_type: str) -> list[str]:
    """The codecs that a page looks like or is said to be in."""
    declared: list[str] = []
    if match := _HEADER.search(content_type):
        declared.append(match[1])
    if found := _META.search(body, 0, 8192) or _XML.match(body, 0, 512):
        # A page that declares UTF-16 in ASCII bytes is no UTF-16 (WHATWG reads it as UTF-8).
        label = found[1].decode("ascii", "replace")
        declared.append("utf-8" if label.lower().startswith("utf-16") else label)
    names = [name for label in declared if (name := _codec(label))]
    if wide := _utf16_without_bom(body):
        names.insert(0, wide)
    return names


def _is_utf8_anyhow(names: list[str]) -> bool:
    # UTF-8 that reads without an error is UTF-8, whatever a page with non-ASCII bytes says: by chance this
    # does not happen to text in another set. (These sets are written in ASCII bytes.)
    return not (names and names[0].startswith(("utf-16", "iso2022", "utf-7", "hz")))


def decode(body: bytes, content_type: str = "") -> tuple[str, str]:
    """The text of a page and the character set it was read with.

    A declared set that cannot read the page is a lie: UTF-8 is tried, then the bytes are looked at, and
    in the end the declared set is used with U+FFFD for what it cannot read.

    >>> decode("<meta charset=gbk>中文".encode("gbk"))
    ('<meta charset=gbk>中文', 'gb18030')
    >>> decode("<meta charset=latin-1>für".encode())
    ('<meta charset=latin-1>für', 'utf-8')
    """
    for bom, wide_name in _BOMS:
        if body.startswith(bom):
            return body[len(bom) :].decode(wide_name, "replace"), wide_name
    names = _declared(body, content_type)
    try:
        if _is_utf8_anyhow(names):
            return body.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    for name in names:
        try:
            text = body.decode(name, "strict")
        except (UnicodeDecodeError, ValueError):
            continue
        return text, name
    if not names:
        return _guessed(body)
    # Declared, but some bytes are wrong: read on with the one that loses least.
    tried = [*dict.fromkeys([*names, "utf-8"])]
    texts = [(body.decode(name, "replace"), name) for name in tried]
    text, name = min(texts, key=lambda pair: pair[0].count("\ufffd"))
    n_lost, n_wide = text.count("\ufffd"), len(text) - len(text.encode("ascii", "ignore"))
    return _guessed(body) if n_lost >= MIN_LOST and n_lost > MOST_LOST * n_wide else (text, name)


def _guessed(body: bytes) -> tuple[str, str]:
    """What a page reads like that does not say its character set, or another: by its text, since markup and scripts are much alike in all sets.

    >>> _guessed(b"<p>Ann\\x92s Garage \\xa9 1998")
    ('<p>Ann’s Garage © 1998', 'cp1252')
    """
    import charset_normalizer  # late: few pages need a guess

    pieces: list[bytes] = []
    room = SNIFF_BYTES
    for piece in _MARKUP.split(body):
        if room > 0 and not piece.isascii():
            pieces.append(piece[:room])
            room -= len(piece)
    text = b"\n".join(pieces)
    printed = text.translate(None, _SPACES)
    beyond = printed.translate(None, _BEYOND)
    if len(beyond) <= MOST_SIGNS * len(printed) and len(beyond.translate(None, _SIGNS)) < MIN_LOST:
        return body.decode("cp1252", "replace"), "cp1252"
    guess = charset_normalizer.from_bytes(text).best()
    name = (guess and _codec(guess.encoding)) or "cp1252"
    return body.decode(name, "replace"), name
