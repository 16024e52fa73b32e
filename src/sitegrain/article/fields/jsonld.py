"""JSON-LD, as pages really write it: read with bounded work, never trusted to be JSON.

Items come out in document order with how deep they stood, so that "the article of this page" is told from the
articles of a list. What no parser reads is searched for the few keys that matter.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

MAX_BLOB = 2_000_000
"""Characters of one script; the largest of the labelled pages has under 1 MB."""
MAX_ITEMS = 5_000
"""Objects and lists looked at on one page: JSON-LD is as hostile as anything else on it."""
MAX_TEXT = 200_000
_CHAIN = 5

_ARTICLES = ("newsarticle", "blogposting", "article", "posting", "report", "review", "recipe", "howto")
_MENDED = re.compile(r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|"
                     r"(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)\s*$|;\s*$")  # fmt: skip
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_LOOSE = re.compile(
    r'"(datePublished|dateCreated|dateModified|headline|articleBody|description|inLanguage|uploadDate)"\s*:\s*"((?:[^"\\]|\\.){1,20000})"'
)
_LOOSE_AUTHOR = re.compile(r'"(author|creator)"\s*:\s*[\[{\s]{1,6}[^\]}]{0,200}?"name"\s*:\s*"((?:[^"\\]|\\.){1,200})"')
_TAGS = re.compile(r"<(?:br|/p|/div|/li|/h\d)\b[^<>]{0,200}>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>")


@dataclass(frozen=True)
class Item:
    """One JSON object with what it is and where it stood."""

    types: tuple[str, ...]
    """Lower case, without the address of the vocabulary."""
    depth: int
    """0: an object of its own; more: a part of another one."""
    data: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class LinkedData:
    """The JSON-LD of one page."""

    items: tuple[Item, ...]

    @cached_property
    def by_id(self) -> dict[str, Item]:
        """The fullest item of each `@id`."""
        out: dict[str, Item] = {}
        for item in self.items:
            key = item.data.get("@id")
            if isinstance(key, str) and (key not in out or len(item.data) > len(out[key].data)):
                out[key] = item
        return out

    def find(self, *words: str, deep: bool = False) -> list[Item]:
        """Items with one of these words in a type, those that stand on their own first."""
        found = [i for i in self.items if any(w in t for t in i.types for w in words) and (deep or i.depth <= 1)]
        return sorted(found, key=lambda i: i.depth)

    @cached_property
    def articles(self) -> list[Item]:
        """What may be the article of the page, the likeliest first."""
        found = [
            i
            for i in self.find(*_ARTICLES)
            if "comment" not in i.types
            and (i.depth == 0 or "review" not in i.types)
            and not i.data.keys() <= {"@type", "@id"}
        ]
        return sorted(found, key=lambda i: (i.depth, not ({"headline", "articleBody", "name"} & i.data.keys())))

    def resolve(self, value: Any) -> Any:
        """What an `{"@id": ...}` stands for, or the value itself."""
        for _ in range(_CHAIN):
            if not (isinstance(value, dict) and isinstance(value.get("@id"), str) and value.keys() <= {"@id", "@type"}):
                break
            item = self.by_id.get(value["@id"])
            if item is None or item.data is value:
                break
            value = item.data
        return value

    def names(self, value: Any) -> list[str]:
        """The names in an author or publisher, in order."""
        out: list[str] = []
        for part in value[:50] if isinstance(value, list) else [value]:
            part = self.resolve(part)
            if isinstance(part, dict):
                part = part.get("name") or part.get("alternateName")
                if isinstance(part, dict):
                    part = part.get("name") or part.get("@value")
            for name in part[:20] if isinstance(part, list) else [part]:
                text = plain(name)
                if text and text not in out:
                    out.append(text)
        return out

    def urls(self, value: Any) -> list[str]:
        """The addresses in an image or page, in order."""
        out: list[str] = []
        for part in value[:50] if isinstance(value, list) else [value]:
            part = self.resolve(part)
            if isinstance(part, dict):
                part = part.get("url") or part.get("contentUrl") or part.get("@id")
            for url in part[:20] if isinstance(part, list) else [part]:
                if isinstance(url, str) and url.strip() and url not in out:
                    out.append(url.strip())
        return out


def plain(value: Any) -> str:
    """A JSON value as a line of text; empty for what is no text.

    >>> plain(" Tea &amp;\\n <b>milk</b> "), plain(["a"]), plain(None)
    ('Tea & milk', '', '')
    """
    if isinstance(value, dict):
        value = value.get("@value")
    if not isinstance(value, str):
        return ""
    value = value[:MAX_TEXT]
    if "&" in value:
        value = html.unescape(html.unescape(value))
    if "<" in value:
        value = _TAG.sub("", value)
    return " ".join(value.split())


def paragraphs(value: str) -> str:
    """A long JSON text with its line breaks, tags and escapes gone.

    >>> paragraphs("<p>One&nbsp;</p><p>Two<br>three")
    'One\\n\\nTwo\\n\\nthree'
    """
    value = html.unescape(value[:MAX_TEXT])
    if "<" in value:
        value = _TAG.sub("", _TAGS.sub("\n", value))
    lines = (" ".join(line.split()) for line in value.split("\n"))
    return "\n\n".join(line for line in lines if line)


def read_linked_data(blobs: Sequence[str]) -> LinkedData:
    """Read the JSON-LD scripts of a page; what is broken is mended where that is easy and searched where not.

    >>> data = read_linked_data(['{"@type": "NewsArticle", "author": {"name": "Ann"},}', "[[[", '"x"'])
    >>> data.articles[0].data["author"]
    {'name': 'Ann'}
    """
    items: list[Item] = []
    left = MAX_ITEMS
    for blob in blobs:
        if len(blob) > MAX_BLOB or left <= 0:
            continue
        for value, depth in _walk(_load(blob)):
            left -= 1
            if left < 0:
                break
            if isinstance(value, dict):
                items.append(Item(types_of(value.get("@type")), depth, value))
    return LinkedData(tuple(items))


def _load(blob: str) -> Any:
    for mend in (False, True):
        if mend:
            for _ in range(3):
                blob = _MENDED.sub("", blob)
            blob = _TRAILING_COMMA.sub(r"\1", blob)
        try:
            return json.loads(blob, strict=False)
        except (ValueError, RecursionError):
            continue
    found: dict[str, Any] = {}
    for pattern in (_LOOSE, _LOOSE_AUTHOR):
        for match in pattern.finditer(blob):
            found.setdefault(match[1], _unescape(match[2]))
    return {"@type": "Article", **found} if found else None


def _unescape(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text


def types_of(value: Any) -> tuple[str, ...]:
    """The types of an item, lower case, without the address of the vocabulary."""
    values = value[:10] if isinstance(value, list) else [value]
    return tuple(v.rpartition("/")[2].rpartition(":")[2].lower()[:60] for v in values if isinstance(v, str))


def _walk(top: Any) -> Iterator[tuple[Any, int]]:
    """Every object and list, breadth first, with its depth; lists and `@graph` add none."""
    queue: list[tuple[Any, int]] = [(top, 0)]
    at = 0
    while at < len(queue) and at < MAX_ITEMS:
        value, depth = queue[at]
        at += 1
        yield value, depth
        if len(queue) >= MAX_ITEMS:
            continue
        if isinstance(value, list):
            queue.extend((v, depth) for v in value[:MAX_ITEMS] if isinstance(v, dict | list))
        elif isinstance(value, dict):
            for key, v in value.items():
                if isinstance(v, dict | list):
                    queue.append((v, depth if key in ("@graph", "mainEntity", "mainEntityOfPage") else depth + 1))
