"""Captures -> `Site`: parse every page, join the columns, resolve the links.

Pages are parsed one at a time and only their columns are kept, so peak memory is the tables plus one page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.types import Ints32
from sitegrain.tables.address import page_key, resolve
from sitegrain.tables.capture import Capture
from sitegrain.tables.parse import ParsedPage, parse_page
from sitegrain.tables.site import Attrs, Nodes, Pages, Site
from sitegrain.tables.tags import ATTRIBUTES, TAG_CODE, tag_mask

_NAME, _PROPERTY, _CONTENT, _ITEMPROP, _HREF, _REL, _LANG = (
    ATTRIBUTES.index(name) for name in ("name", "property", "content", "itemprop", "href", "rel", "lang")
)
_META, _LINK, _BASE, _TITLE, _HTML, _HEAD = (
    TAG_CODE[name] for name in ("meta", "link", "base", "title", "html", "head")
)
_LOOKED_AT = tag_mask(("meta", "link", "base", "html"))


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
            page = parse_page(capture)
        except (ArithmeticError, LookupError, MemoryError, RuntimeError, TypeError, ValueError) as error:
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
        # A page without an address is a page of its own.
        key = page_key(resolve(url, "") or url) if url else f"no address {len(self._parsed)}"
        row = self._row.setdefault(key, len(self._parsed))
        if row < len(self._parsed):
            self.counts["duplicate URL, last capture kept"] += 1
            self._captures[row], self._parsed[row] = entry, page
        else:
            self._captures.append(entry)
            self._parsed.append(page)

    def build(self) -> Site:
        """The tables of all pages added."""
        parsed = self._parsed
        offset = offsets([len(p.tag) for p in parsed])
        if offset[-1] > np.iinfo(np.int32).max:
            raise OverflowError("a site of more than 2^31 nodes: mine it in parts")

        def join(name: str, kind: Any, shift: bool = False) -> npt.NDArray[Any]:
            columns = [getattr(p, name) for p in parsed]
            if not columns:
                return np.zeros(0, kind)
            if len(columns) == 1:
                return np.asarray(columns[0], kind)
            out = np.concatenate(columns).astype(kind, copy=False)
            if shift:
                out += np.repeat(offset[:-1].astype(kind), [len(c) for c in columns])
            return out

        parent = join("parent", np.int32, shift=True)
        if len(parsed) > 1:
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
            notes=tuple(p.note for p in parsed),
        )
        return Site(
            pages=pages,
            nodes=nodes,
            attrs=attrs,
            texts=tuple(p.text for p in parsed),
            strings=strings,
            counts=dict(self.counts),
        )


def _intern(parsed: list[ParsedPage], values: list[tuple[str, ...]]) -> tuple[tuple[str, ...], Ints32]:
    """Every different attribute value of all pages, and per attribute the row of its value."""
    if len(parsed) == 1:  # the values of one page are different already
        return values[0], parsed[0].attr_value
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


def _read_head(page: ParsedPage, values: Sequence[str], url: str) -> _Head:
    # A loop over the few attributes of <meta>, <link>, <base> and <html>: they are a dictionary by nature.
    head = _Head()
    base = canonical = ""
    owner_tag = page.tag[page.attr_node] if len(page.attr_node) else page.tag[:0]
    entries: dict[int, dict[int, str]] = {}
    at = np.flatnonzero(_LOOKED_AT[owner_tag])
    for node, name, value in zip(
        page.attr_node[at].tolist(), page.attr_name[at].tolist(), page.attr_value[at].tolist(), strict=True
    ):
        entries.setdefault(node, {}).setdefault(name, values[value])
    for row, found in entries.items():
        tag = page.tag[row]
        if tag == _META:
            key = found.get(_PROPERTY) or found.get(_NAME) or found.get(_ITEMPROP)
            if key and _CONTENT in found:
                head.meta.setdefault(key.strip().lower(), found[_CONTENT])
        elif tag == _LINK:
            if "canonical" in found.get(_REL, "").lower().split() and not canonical:
                canonical = found.get(_HREF, "")
        elif tag == _BASE:
            base = base or found.get(_HREF, "")
        else:
            head.language = head.language or found.get(_LANG, "").strip().lower()
    titles = np.flatnonzero(page.tag == _TITLE)
    if len(titles):
        in_head = titles[page.tag[page.parent[titles]] == _HEAD]
        row = int(in_head[0]) if len(in_head) else int(titles[0])
        head.title = " ".join(page.text[page.text_start[row] : page.text_end[row]].split())
    head.base = (resolve(base, url) if base else "") or url
    head.canonical = resolve(canonical, head.base) if canonical else ""
    return head
