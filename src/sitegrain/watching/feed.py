"""Changes of a site as an Atom feed, for whatever reads news."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from xml.etree import ElementTree

from sitegrain.tables.notebook import counted
from sitegrain.watching.changes import Changes, PageChange

ATOM = "http://www.w3.org/2005/Atom"
MAX_ENTRIES = 200
"""Entries that a feed holds, the newest first: readers keep what they have seen."""
MAX_TEXT = 4000
"""Characters of an entry."""
_VERB = {"new": "New", "changed": "Changed", "gone": "Gone"}
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Entry:
    """One entry of a feed."""

    time: str
    """When it was seen: `2026-11-16T18:00:00Z`."""
    title: str
    url: str
    text: str


def entries(changes: Changes, time: str, site: str) -> list[Entry]:
    """What a reader of news wants to know: articles that are new, changed or gone, and a new template once.

    TOC pages are left out: they change with every article that they list.
    """
    found = [
        Entry(time, f"{_VERB[page.kind]}: {page.title or page.url}", page.url, _text(page))
        for page in changes.pages
        if page.kind in _VERB and page.role == "article"
    ]
    if n := changes.counts["redesigned"]:
        found.append(Entry(time, "Redesigned", site, f"{counted(n, 'page')} made from a new template."))
    return found


def _text(page: PageChange) -> str:
    if page.kind == "new":
        return "\n".join(page.added)[:MAX_TEXT]
    return "\n".join([*(f"+ {line}" for line in page.added), *(f"- {line}" for line in page.removed)])[:MAX_TEXT]


def atom(site: str, found: Iterable[Entry]) -> str:
    """A feed of these entries, the newest first.

    >>> feed = atom("http://a.org/", [Entry("2026-11-16T18:00:00Z", "New: Tea", "http://a.org/tea", "Boil water.")])
    >>> "<title>New: Tea</title>" in feed
    True
    """
    listed = list(found)[:MAX_ENTRIES]
    root = ElementTree.Element("feed", {"xmlns": ATOM})
    _add(root, "id", site)
    _add(root, "title", f"Changes of {site}")
    _add(root, "updated", max((entry.time for entry in listed), default="1970-01-01T00:00:00Z"))
    author = ElementTree.SubElement(root, "author")
    _add(author, "name", "sitegrain")
    for entry in listed:
        node = ElementTree.SubElement(root, "entry")
        name = sha256(f"{entry.time} {entry.title} {entry.url}".encode("utf-8", "replace")).hexdigest()
        _add(node, "id", f"urn:sha256:{name}")
        _add(node, "title", entry.title)
        ElementTree.SubElement(node, "link", {"href": _printable(entry.url)})
        _add(node, "updated", entry.time)
        _add(node, "content", entry.text).set("type", "text")
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _add(parent: ElementTree.Element, tag: str, text: str) -> ElementTree.Element:
    node = ElementTree.SubElement(parent, tag)
    node.text = _printable(text)
    return node


def _printable(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return _NO_XML.sub("", text)
