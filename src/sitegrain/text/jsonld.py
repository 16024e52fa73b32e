"""JSON-LD, as pages really write it: read with bounded work, never trusted to be JSON.

Items come out in document order with how deep they stood, so that "the article of this page" is told from the
articles of a list. What no parser reads is searched for the few keys that matter. Where only the types count, they are
searched for without reading the rest: all pages of a site pay for that.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sitegrain.light import dataclass, late_pattern
from sitegrain.native.columns import TYPES
from sitegrain.tables.memo import cached_property

MAX_BLOB = 2_000_000
"""Characters of one script; the largest of the labelled pages has under 1 MB."""
MAX_ITEMS = 5_000
"""Objects and lists looked at on one page: JSON-LD is as hostile as anything else on it."""
MAX_TEXT = 200_000
MAX_TYPE = 100
"""Characters of a type that is remembered: there are some hundred, and nearly every object has one."""
_CHAIN = 5
_HOLDS = (dict, list)

ARTICLES = ("article", "posting", "report", "review", "recipe", "howto")
"""Words in the types of what may be the article of a page: `NewsArticle`, `BlogPosting`."""
OTHER_ITEMS = ("question", "discussion", "product", "video", "course", "event", "webpage")
"""Words in the types of what a page without an article may be of."""
GROUPS = ("organization", "corporation")
"""Words in the types of authors that are no persons."""
FAMILIES = TYPES
"""Families of types, in the order of the columns that the extractor's models were trained on."""
ANY_TYPE = re.compile(r'"@type"\s*:\s*\[?\s*"([^"]{1,60})"')
"""Finds the first type of every item of a script."""
PLAIN_TYPE = re.compile(r'"@type"\s*:\s*"(\w+)"')
"""Finds the types that are no lists and no addresses: what the models of page roles were trained on."""
_DECODER = json.JSONDecoder(strict=False)
_MENDED = late_pattern(r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|"
                     r"(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>)\s*$|;\s*$")  # fmt: skip
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_LOOSE = late_pattern(
    r'"(datePublished|dateCreated|dateModified|headline|articleBody|description|inLanguage|uploadDate)"\s*:\s*"((?:[^"\\]|\\.){1,20000})"'
)
_LOOSE_DAY = late_pattern(
    r'"(datePublished|dateCreated|dateModified|uploadDate)"\s*:\s*([12]\d{3}-\d\d-\d\d[\w:+.-]{0,30})'
)
"""Without quotes, so that no parser reads the script."""
_LOOSE_AUTHOR = late_pattern(
    r'"(author|creator)"\s*:\s*[\[{\s]{1,6}[^\]}]{0,200}?"name"\s*:\s*"((?:[^"\\]|\\.){1,200})"'
)
_TAGS = re.compile(r"<(?:br|/p|/div|/li|/h\d)\b[^<>]{0,200}>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>")


class Item(NamedTuple):
    """One JSON object with what it is and where it stood."""

    types: tuple[str, ...]
    """Lower case, without the address of the vocabulary."""
    depth: int
    """0: an object of its own; more: a part of another one."""
    data: dict[str, Any]


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
        near = self.items if deep else [i for i in self.items if i.depth <= 1]
        return sorted([i for i in near if _has_word(i.types, words)], key=lambda i: i.depth)

    @cached_property
    def articles(self) -> list[Item]:
        """What may be the article of the page, the likeliest first."""
        found = [
            i
            for i in self.find(*ARTICLES)
            if "comment" not in i.types
            and (i.depth == 0 or "review" not in i.types)
            and not i.data.keys() <= {"@type", "@id"}
        ]
        return sorted(found, key=lambda i: (i.depth, not ({"headline", "articleBody", "name"} & i.data.keys())))

    @cached_property
    def others(self) -> list[Item]:
        """What a page without an article may be of."""
        return self.find(*OTHER_ITEMS)

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
        found: list[str] = []
        for part in map(self.resolve, _several(value, 50)):
            if isinstance(part, dict):
                part = part.get("name") or part.get("alternateName")
                if isinstance(part, dict):
                    part = part.get("name") or part.get("@value")
            found += map(plain, _several(part, 20))
        return [name for name in dict.fromkeys(found) if name]

    def urls(self, value: Any) -> list[str]:
        """The addresses in an image or page, in order."""
        found: list[str] = []
        for part in map(self.resolve, _several(value, 50)):
            if isinstance(part, dict):
                part = part.get("url") or part.get("contentUrl") or part.get("@id")
            found += [url.strip() for url in _several(part, 20) if isinstance(url, str)]
        return [url for url in dict.fromkeys(found) if url]


@lru_cache(maxsize=1 << 10)
def _has_word(types: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether one of these words stands in one of the types, which come again on every page."""
    return any(word in kind for kind in types for word in words)


def _several(value: Any, most: int) -> list[Any]:
    """A value that may be one or a list."""
    return value[:most] if isinstance(value, list) else [value]


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
                blob = _MENDED.sub("", blob) if _is_wrapped(blob) else blob
            blob = _TRAILING_COMMA.sub(r"\1", blob)
        try:
            return _DECODER.decode(blob)
        except (ValueError, RecursionError):
            continue
    found: dict[str, Any] = {}
    for pattern in (_LOOSE, _LOOSE_DAY, _LOOSE_AUTHOR):
        for match in pattern.finditer(blob):
            found.setdefault(match[1], _unescape(match[2]))
    return {"@type": "Article", **found} if found else None


def _is_wrapped(blob: str) -> bool:
    """Whether `_MENDED` finds something: that is at the ends, and the pattern looks everywhere."""
    bare = blob.strip()
    return bare.startswith(("<!", "//", "/*")) or bare.endswith(("-->", "]]>", "*/", ";"))


def _unescape(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text


def types_of(value: Any) -> tuple[str, ...]:
    """The types of an item, lower case, without the address of the vocabulary."""
    if isinstance(value, str):
        return _short_types(value) if len(value) <= MAX_TYPE else _types([value])
    return _types([v for v in _several(value, 10) if isinstance(v, str)])


def _types(named: Sequence[str]) -> tuple[str, ...]:
    return tuple(v.rpartition("/")[2].rpartition(":")[2].lower()[:60] for v in named)


@lru_cache(maxsize=1 << 10)
def _short_types(value: str) -> tuple[str, ...]:
    return _types([value])


def is_of_family(kind: str, family: str) -> bool:
    """Is a type (lower case) of one of the `FAMILIES`?

    >>> [f for f in FAMILIES if is_of_family("discussionforumposting", f)], is_of_family("blogposting", "article")
    (['forum'], True)
    """
    return (
        family in kind
        or (family == "article" and "posting" in kind and "forum" not in kind)
        or (family == "forum" and "discussion" in kind)
    )


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
            queue.extend((v, depth) for v in value[:MAX_ITEMS] if isinstance(v, _HOLDS))
        elif isinstance(value, dict):
            for key, v in value.items():
                if isinstance(v, _HOLDS):
                    queue.append((v, depth if key in ("@graph", "mainEntity", "mainEntityOfPage") else depth + 1))
