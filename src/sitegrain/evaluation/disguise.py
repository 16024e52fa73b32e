"""Pages with their hints taken away, on the bytes, so that every method and every peer sees the same.

`blank_role_hints` hides what the page kinds of the labelled sites were read from. `scramble_names` gives
every class and id another name, the same one all over a site: what a method learned about names is then
worth nothing, what it learned about structure stays.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from sitegrain.tables.capture import Capture

_TAG = re.compile(rb"<(!--|[A-Za-z][^\s/>]*)")
# After the name: one attribute. A quote that is never closed takes the rest of the file, once per kind of
# quote, so reading stays linear in the size of the page.
_ATTRIBUTE = re.compile(rb"""[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?""")
_RAW = frozenset((b"script", b"style", b"textarea", b"title", b"xmp", b"noembed", b"noframes", b"iframe"))
_HINTS = re.compile(rb"<(!--|(?:body|meta|" + b"|".join(sorted(_RAW)) + rb")(?=[\s/>]))", re.IGNORECASE)

Attribute = tuple[bytes, int, int]
"""Lower-case name, and where its value (with quotes) stands in the page."""
Edit = tuple[int, int, bytes]


def blank_role_hints(capture: Capture) -> Capture:
    """The page without `<body class>` and without the value of `og:type`.

    >>> blank_role_hints(Capture("http://a.org/", b"<body id=x class='single'><p class=a>")).body
    b"<body id=x class=''><p class=a>"
    """

    def edits(tag: bytes, attributes: list[Attribute]) -> Iterator[Edit]:
        if tag == b"body":
            yield from ((a, b, b"''") for name, a, b in attributes if name == b"class")
        elif tag == b"meta" and any(
            name in (b"property", b"name") and _bare(capture.body[a:b]).strip().lower() == b"og:type"
            for name, a, b in attributes
        ):
            yield from ((a, b, b"''") for name, a, b in attributes if name == b"content")

    # Only two kinds of tags matter, so the others are not taken apart.
    return replace(capture, body=_edit(capture.body, edits, _HINTS))


def scramble_names(capture: Capture, key: str) -> Capture:
    """The page with every class and id name replaced; one `key` gives one name the same new name.

    >>> page = scramble_names(Capture("http://a.org/", b'<p class="post body" id=post>'), "a site")
    >>> bytes(page.body)
    b'<p class="nkq5n7bk nootsybs" id="nkq5n7bk">'
    """
    secret = hashlib.blake2b(key.encode(), digest_size=32).digest()

    def scrambled(name: bytes) -> bytes:
        digest = hashlib.blake2b(name, key=secret, digest_size=7).digest()
        return b"n" + bytes(b"abcdefghijklmnopqrstuvwxyz234567"[d & 31] for d in digest)

    def edits(_tag: bytes, attributes: list[Attribute]) -> Iterator[Edit]:
        for name, a, b in attributes:
            if name in (b"class", b"id"):
                names = _bare(capture.body[a:b]).split()
                yield a, b, b'"' + b" ".join(map(scrambled, names)) + b'"'

    return replace(capture, body=_edit(capture.body, edits))


def _edit(
    body: bytes, edits: Callable[[bytes, list[Attribute]], Iterator[Edit]], wanted: re.Pattern[bytes] = _TAG
) -> bytes:
    out: list[bytes] = []
    done = 0
    for tag, attributes in _tags(body, wanted):
        for start, end, new in edits(tag, attributes):
            out += (body[done:start], new)
            done = end
    out.append(body[done:])
    return b"".join(out)


def _bare(value: bytes) -> bytes:
    if len(value) > 1 and value[:1] == value[-1:] and value[:1] in (b'"', b"'"):
        return value[1:-1]
    return value


def _tags(body: bytes, wanted: re.Pattern[bytes]) -> Iterator[tuple[bytes, list[Attribute]]]:
    """Wanted start tags in order, with their attributes; comments and the inside of scripts are passed over."""
    lower = body.lower()
    at = 0
    while (match := wanted.search(body, at)) is not None:
        tag, at = match[1].lower(), match.end()
        if tag.startswith(b"!--"):
            end = body.find(b"-->", at)
            if end < 0:
                return
            at = end + 3
            continue
        attributes: list[Attribute] = []
        while (found := _ATTRIBUTE.match(body, at)) is not None:
            if found[2] is not None:
                attributes.append((found[1].lower(), *found.span(2)))
            at = found.end()
        yield tag, attributes
        if tag in _RAW:
            at = lower.find(b"</" + tag, at)
            if at < 0:
                return
