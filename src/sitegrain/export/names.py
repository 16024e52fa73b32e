"""Names of files from addresses and titles, which come from the web and are trusted with nothing."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote, urlsplit

MAX_NAME = 80
"""Characters of a name: with a folder and an ending it stays below the 255 bytes of the usual file systems in any script."""
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{k}" for k in range(1, 10)), *(f"lpt{k}" for k in range(1, 10))]
)
"""What Windows takes for a device, whatever the ending."""


def section_of(url: str) -> str:
    """The first folder of an address, which is what a site calls its sections; empty at the top.

    >>> section_of("http://a.org/news/2026/tea.html"), section_of("http://a.org/tea.html")
    ('news', '')
    """
    try:
        parts = urlsplit(url).path.split("/")
    except ValueError:
        return ""
    return unquote(parts[1], errors="replace") if len(parts) > 2 else ""


def safe_name(text: str) -> str:
    """A name that is a plain file name everywhere; empty if nothing is left.

    >>> safe_name("Tea & coffee: a / b?"), safe_name("../../etc/passwd"), safe_name("CON"), safe_name("そば")
    ('Tea-coffee-a-b', 'etc-passwd', 'CON_', 'そば')
    """
    text = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode())
    name = re.sub(r"[^\w.]+", "-", text).strip("-._")[:MAX_NAME].strip("-._")
    while len(name.encode()) > 2 * MAX_NAME:
        name = name[:-1]
    return f"{name}_" if name.partition(".")[0].lower() in _RESERVED else name


def stem_of(url: str) -> str:
    """What the last part of an address calls the page.

    >>> stem_of("http://a.org/news/tea-time.html"), stem_of("http://a.org/news/?id=7"), stem_of("http://a.org/")
    ('tea-time', 'news-id-7', 'index')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return "page"
    folders = [unquote(part, errors="replace") for part in parts.path.split("/") if part]
    last = re.sub(r"\.(?:[xs]?html?|php\d?|aspx?|jsp|cgi)$", "", folders[-1], flags=re.IGNORECASE) if folders else ""
    return safe_name(f"{last} {parts.query}" if parts.query else last) or "index"


class Names:
    """Gives every page a name of its own.

    >>> names = Names()
    >>> names.take("news", "tea"), names.take("news", "Tea"), names.take("", "tea")
    ('news/tea', 'news/Tea-2', 'tea')
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, folder: str, stem: str) -> str:
        """A path without its ending; no two differ in upper and lower case alone."""
        folder = safe_name(folder)
        base = f"{folder}/{stem}" if folder else stem
        name, k = base, 1
        while name.lower() in self._taken:
            k += 1
            name = f"{base}-{k}"
        self._taken.add(name.lower())
        return name
