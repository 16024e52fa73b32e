"""Captures -> `Site`: parse every page, join the columns, resolve the links.

Pages are parsed one at a time and only their columns are kept, so peak memory is the tables plus one page.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.types import Ints32
from sitegrain.errors import PAGE_FAULTS
from sitegrain.native.inputs import AttrColumns
from sitegrain.tables.address import page_key, resolve
from sitegrain.tables.budgets import MAX_BASE, MAX_TITLE
from sitegrain.tables.capture import Capture
from sitegrain.tables.parse import ParsedPage, parse_page
from sitegrain.tables.site import Attrs, Nodes, Pages, Site
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE
from sitegrain.tables.timing import time_limited

_NAME, _PROPERTY, _CONTENT, _ITEMPROP, _HREF, _REL, _LANG = (
    ATTRIBUTES.index(name) for name in ("name", "property", "content", "itemprop", "href", "rel", "lang")
)
_META, _LINK, _BASE, _TITLE, _HTML, _HEAD, _BODY = (
    TAG_CODE[name] for name in ("meta", "link", "base", "title", "html", "head", "body")
)
_LOOKED_AT = np.zeros((len(TAG_CODE), len(ATTRIBUTES)), np.bool_)
"""[tags x attributes]: what is read of the head of a page."""
for _tag, _names in (
    (_META, (_PROPERTY, _NAME, _ITEMPROP, _CONTENT)),
    (_LINK, (_REL,)),
    (_BASE, (_HREF,)),
    (_HTML, (_LANG,)),
    (_BODY, (_LANG,)),  # where makers of manuals say it
):
    _LOOKED_AT[_tag, list(_names)] = True


def build_site(captures: Iterable[Capture]) -> Site:
    """Read captures into the tables of one site. Of several captures of a page the last one counts.

    >>> build_site([])
    Site(empty: 0 pages, 0 nodes, 0 links)
    """
    builder = SiteBuilder()
    for capture in captures:
        builder.add(capture)
    return builder.build()


class _Captured(NamedTuple):
    """What is kept of a capture beside its tables."""

    url: str
    path: str
    n_bytes: int


@dataclass
class SiteBuilder:
    """Collects pages one at a time; `build` makes the site."""

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    """Pages that failed or lack something, with the reason."""
    _captures: list[_Captured] = field(default_factory=list)
    _parsed: list[ParsedPage] = field(default_factory=list)
    _row: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._parsed)

    def add(self, capture: Capture) -> None:
        """Parse one capture; a page that is there already is replaced and counted."""
        try:
            with time_limited():
                page = parse_page(capture)
        except PAGE_FAULTS as error:
            # Whatever it is, it is one page: the others go on.
            self.counts["failed: a page that cannot be parsed"] += 1
            self.problems.append(f"{capture.url or capture.path}: cannot be parsed ({type(error).__name__}: {error})")
            return
        if page.note:
            self.counts[page.note] += 1
        url = capture.url
        try:
            urlsplit(url)
        except ValueError:
            self.counts["address that cannot be read"] += 1
            self.problems.append(f"{url}: is no address; the page is kept without one")
            url = ""
        entry = _Captured(url, capture.path, len(capture.body))
        row = self._row_of(url) if self._parsed else 0
        if row < len(self._parsed):
            self.counts["duplicate URL, last capture kept"] += 1
            self._captures[row], self._parsed[row] = entry, page
        else:
            self._captures.append(entry)
            self._parsed.append(page)

    def _row_of(self, url: str) -> int:
        """The row of a page, or the next one. The first page is not asked for until there is a second: most are alone."""
        if not self._row:
            self._row[_key(self._captures[0].url, 0)] = 0
        return self._row.setdefault(_key(url, len(self._parsed)), len(self._parsed))

    def alone(self, row: int) -> Site:
        """A site of one of the pages added."""
        builder = SiteBuilder(_captures=[self._captures[row]], _parsed=[self._parsed[row]])
        return builder.build()

    def drop(self, row: int, why: str) -> None:
        """Leave a page out; only before `build`, and from the last page to the first."""
        entry = self._captures.pop(row)
        self._parsed.pop(row)
        self._row.clear()  # rows have moved: no page can be added any more
        self.counts["failed: a page that cannot be judged"] += 1
        self.problems.append(f"{entry.url or entry.path}: cannot be judged ({why})")

    def build(self) -> Site:
        """The tables of all pages added."""
        parsed = self._parsed
        if len(parsed) == 1:
            return self._single(parsed[0], self._captures[0])
        offset = offsets([len(p.tag) for p in parsed])
        if offset[-1] > np.iinfo(np.int32).max:
            raise OverflowError("a site of more than 2^31 nodes: mine it in parts")

        def join(name: str, kind: Any, shift: bool = False) -> npt.NDArray[Any]:
            columns = [getattr(p, name) for p in parsed]
            if not columns:
                return np.zeros(0, kind)
            out = np.concatenate(columns).astype(kind, copy=False)
            if shift:
                out += np.repeat(offset[:-1].astype(kind), [len(c) for c in columns])
            return out

        parent = join("parent", np.int32, shift=True)
        if parsed:
            parent[offset[:-1][np.diff(offset) > 0]] = -1
        nodes = Nodes(
            page=np.repeat(np.arange(len(parsed), dtype=np.int32), np.diff(offset)),
            tag=join("tag", np.int16),
            parent=parent,
            end=join("end", np.int32, shift=True),
            depth=join("depth", np.int32),
            text_start=join("text_start", np.int32),
            text_end=join("text_end", np.int32),
            flags=join("flags", np.uint8),
        )
        values = [p.values() for p in parsed]
        strings, value = _intern(parsed, values)
        attrs = Attrs(node=join("attr_node", np.int32, shift=True), name=join("attr_name", np.int16), value=value)
        captures = self._captures
        heads = [_read_head(p, v, c.url) for p, v, c in zip(parsed, values, captures, strict=True)]
        pages = Pages(
            url=tuple(c.url for c in captures),
            path=tuple(c.path for c in captures),
            title=tuple(h.title for h in heads),
            language=tuple(h.language for h in heads),
            canonical=tuple(h.canonical for h in heads),
            base=tuple(h.base for h in heads),
            meta=tuple(h.meta for h in heads),
            json_ld=tuple(p.json_ld for p in parsed),
            node_offset=offset,
            n_bytes=np.array([c.n_bytes for c in captures], np.int64),
            notes=tuple(
                "; ".join([p.note, *h.notes] if p.note else h.notes) for p, h in zip(parsed, heads, strict=True)
            ),
        )
        return Site(
            pages=pages,
            nodes=nodes,
            attrs=attrs,
            texts=tuple(p.text for p in parsed),
            strings=strings,
            counts=dict(self.counts + Counter(note for head in heads for note in head.notes)),
        )

    def _single(self, page: ParsedPage, capture: _Captured) -> Site:
        """The tables of one page: its columns as they are. A page alone is the most frequent site there is."""
        strings = page.values()
        head = _read_head(page, strings, capture.url)
        n = len(page.tag)
        return Site(
            pages=Pages(
                url=(capture.url,),
                path=(capture.path,),
                title=(head.title,),
                language=(head.language,),
                canonical=(head.canonical,),
                base=(head.base,),
                meta=(head.meta,),
                json_ld=(page.json_ld,),
                node_offset=np.array([0, n], np.int64),
                n_bytes=np.array([capture.n_bytes], np.int64),
                notes=("; ".join([page.note, *head.notes] if page.note else head.notes),),
            ),
            nodes=Nodes(
                page=np.zeros(n, np.int32),
                tag=page.tag,
                parent=page.parent,
                end=page.end,
                depth=page.depth,
                text_start=page.text_start,
                text_end=page.text_end,
                flags=page.flags,
            ),
            attrs=Attrs(node=page.attr_node, name=page.attr_name, value=page.attr_value),
            texts=(page.text,),
            strings=strings,
            counts=dict(self.counts + Counter(head.notes) if head.notes else self.counts),
        )


def _key(url: str, row: int) -> str:
    """What two captures of one page share; a page without an address is a page of its own."""
    return page_key(resolve(url, "") or url) if url else f"no address {row}"


def _intern(parsed: list[ParsedPage], values: list[tuple[str, ...]]) -> tuple[tuple[str, ...], Ints32]:
    """Every different attribute value of all pages, and per attribute the row of its value."""
    ids: dict[str, int] = {}
    numbers = [
        np.array([ids.setdefault(value, len(ids)) for value in v], np.int32)[p.attr_value]
        for p, v in zip(parsed, values, strict=True)
    ]
    return tuple(ids), np.concatenate(numbers) if numbers else np.zeros(0, np.int32)


@dataclass
class _Head:
    title: str = ""
    language: str = ""
    canonical: str = ""
    base: str = ""
    meta: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def _read_head(page: ParsedPage, values: Sequence[str], url: str) -> _Head:
    head = _Head()
    base = canonical = ""
    attrs = AttrColumns(page.attr_node, page.attr_name, page.attr_value)
    # A loop over the few attributes of <meta>, <link>, <base> and <html>: they are a dictionary by nature. The attributes
    # of an element stand together, each once, and which one it is tells the element.
    last, found = -1, dict[int, str]()
    for row, name, place in zip(*native.picked(page.tag, attrs, _LOOKED_AT), strict=True):
        if name == _REL:
            if not canonical and "canonical" in (rel := values[place].lower()) and "canonical" in rel.split():
                canonical = _href(page, values, row)
        elif name == _HREF:
            base = base or values[place]
        elif name == _LANG:
            head.language = head.language or values[place].strip().lower()
        else:
            if row != last:
                _add_meta(head.meta, found)
                last, found = row, {}
            found[name] = values[place]
    _add_meta(head.meta, found)
    titles = (page.tag == _TITLE).nonzero()[0]
    if len(titles):
        in_head = titles[page.tag[page.parent[titles]] == _HEAD]
        row = int(in_head[0]) if len(in_head) else int(titles[0])
        head.title = " ".join(page.text[page.text_start[row] : page.text_end[row]].split())
        if len(head.title) > MAX_TITLE:
            head.title = head.title[:MAX_TITLE]
            head.notes.append(f"title cut at {MAX_TITLE} characters")
    head.base = (resolve(base, url) if base else "") or url
    if len(head.base) > MAX_BASE:
        head.base = resolve("/", head.base)[:MAX_BASE]
        head.notes.append("links are read by the host alone: the address is too long")
    head.canonical = resolve(canonical, head.base) if canonical else ""
    return head


def _add_meta(meta: dict[str, str], found: dict[int, str]) -> None:
    """What a `<meta>` says: the first of its name counts."""
    if _CONTENT in found and (key := found.get(_PROPERTY) or found.get(_NAME) or found.get(_ITEMPROP)):
        meta.setdefault(key.strip().lower(), found[_CONTENT])


def _href(page: ParsedPage, values: Sequence[str], row: int) -> str:
    """Where an element leads."""
    node = page.attr_node.data  # a view of memory: single numbers come out of it faster
    at = bisect_left(node, row)
    while at < len(node) and node[at] == row:
        if page.attr_name[at] == _HREF:
            return values[int(page.attr_value[at])]
        at += 1
    return ""
