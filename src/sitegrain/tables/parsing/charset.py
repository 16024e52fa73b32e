"""The character set of a page: BOM, HTTP header, `<meta>`, then a guess by the text, as Firefox makes it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from functools import lru_cache

from sitegrain.native import is_utf8

SNIFF_BYTES = 262_144
"""Bytes of text that a guess looks at. Of 1,187 pages written in the old character sets of their languages, 64 KB read three more wrongly
(`bench/charsets.py`)."""

MOST_LOST, MIN_LOST = 0.5, 20
"""Share of the characters beyond ASCII that a declared set may fail to read: with more it is another, and with less some bytes are damaged; and how many
of them tell anything. Set beforehand."""
_MARKUP = re.compile(rb"[<>]")
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ESCAPE, _TO_JAPANESE = 0x1B, b"\x1b$"
"""What stands before Japanese in ISO-2022-JP, which is written in ASCII bytes: the one byte is looked for first, which is many times as fast."""
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
    "x-user-defined": "cp1252", "x-mac-cyrillic": "mac_cyrillic", "iso-2022-jp": "iso2022_jp_ext",
}  # fmt: skip


_COUNTRY = re.compile(r"[a-z]+://[^/?#]*\.([a-z]{2,63})(?::\d*)?(?:[/?#]|$)", re.IGNORECASE | re.ASCII)
_NO_LETTERS = bytes(b for b in range(256) if not bytes([b]).decode("cp1252", "replace").isalpha() or b < 0x80)
"""Bytes that are no letters beyond ASCII in windows-1252. A text of these alone is English with signs (90°, ©, ½), which a guess by letters takes for
anything."""
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


def as_utf8(body: bytes, content_type: str = "", url: str = "") -> tuple[bytes, str]:
    """A page in UTF-8, and the character set it was read with: `decode`, without a text where the bytes are fine."""
    if not body.startswith(_BOM_BYTES) and is_utf8(body):
        names = _declared(body, content_type)
        if _is_utf8_anyhow(names):
            return body, "utf-8"
    text, charset = decode(body, content_type, url)
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
    if not names and _ESCAPE in body and _TO_JAPANESE in body:
        names.append("iso2022_jp_ext")
    return names


def _is_utf8_anyhow(names: list[str]) -> bool:
    # UTF-8 that reads without an error is UTF-8, whatever a page with non-ASCII bytes says: by chance this
    # does not happen to text in another set. (These sets are written in ASCII bytes.)
    return not (names and names[0].startswith(("utf-16", "iso2022", "utf-7", "hz")))


def decode(body: bytes, content_type: str = "", url: str = "") -> tuple[str, str]:
    """The text of a page and the character set it was read with.

    A declared set that cannot read the page is a lie: UTF-8 is tried, then the bytes are looked at, and
    in the end the declared set is used with U+FFFD for what it cannot read. Where the bytes leave a doubt, the country of the address
    decides.

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
        return _guessed(body, url)
    # Declared, but some bytes are wrong: read on with the one that loses least.
    tried = [*dict.fromkeys([*names, "utf-8"])]
    texts = [(body.decode(name, "replace"), name) for name in tried]
    text, name = min(texts, key=lambda pair: pair[0].count("\ufffd"))
    n_lost, n_wide = text.count("\ufffd"), len(text) - len(text.encode("ascii", "ignore"))
    return _guessed(body, url) if n_lost >= MIN_LOST and n_lost > MOST_LOST * n_wide else (text, name)


def _guessed(body: bytes, url: str) -> tuple[str, str]:
    """What a page reads like that does not say its character set, or another: by its text, since markup and scripts are much alike in all sets."""
    text = b"\n".join(_foreign_text(body))
    name = "cp1252"
    if text.translate(None, _NO_LETTERS):
        from chardetng_py import EncodingDetector  # late: few pages need a guess

        detector = EncodingDetector()
        detector.feed(text, last=True)
        country = _COUNTRY.match(url)
        name = _codec(detector.guess(tld=country and country[1].lower().encode(), allow_utf8=False)) or name
    return body.decode(name, "replace"), name


def _foreign_text(body: bytes) -> Iterator[bytes]:
    """The pieces of text that are not ASCII, up to `SNIFF_BYTES` of them."""
    room = SNIFF_BYTES
    for piece in _MARKUP.split(body):
        if room > 0 and not piece.isascii():
            yield piece[:room]
            room -= len(piece)
