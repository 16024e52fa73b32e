"""Addresses that normalisation leaves as they are: most links."""

from __future__ import annotations

import re

_CHARS = r"[A-Za-z0-9_~+.%/=&@,;:!$()*-]*"
_QUERY = r"(?:\?[A-Za-z0-9_~+.%/=&@,;:!$()*?-]*)?"
_PLAIN = re.compile(
    rf"(?:(?P<origin>https?://(?![Xx][Nn]--)(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{{2,}})(?=[/?]|\Z)|(?P<root>/(?!/))|"
    rf"(?P<file>(?![^:/?]*:)[A-Za-z0-9_~+-]))(?P<rest>{_CHARS}{_QUERY})"
)
_DOTS = re.compile(r"/\.|%2e", re.IGNORECASE)


def plain_address(href: str, origin: str, folder: str) -> str:
    """`sitegrain.native.plain_address`."""
    if not (href + origin + folder).isascii():
        return ""
    href = href.strip().partition("#")[0]
    below = href
    while below.startswith("../") and folder:  # copies of sites write most of their links so
        below = below[3:]
        if len(folder) > len(origin) + 1:  # above the root is the root
            folder = folder[: folder.rfind("/", 0, -1) + 1]
    match = _PLAIN.fullmatch(below)
    if not match or _DOTS.search(below):
        return ""
    kind = next(name for name in ("origin", "root", "file") if match[name] is not None)
    if len(below) < len(href):
        return folder + below if kind == "file" and origin else ""
    if kind == "origin":
        return match["origin"].lower() + "/" * (not match["rest"].startswith("/")) + match["rest"]
    return origin and (origin if kind == "root" else folder) + href
