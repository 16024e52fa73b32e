"""Captures -> `Site`: parse every page, join the columns, resolve the links.

Pages are parsed one at a time and only their columns are kept, so peak memory is the tables plus one page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import field
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sitegrain import native
from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.types import Ints32
from sitegrain.errors import PAGE_FAULTS
from sitegrain.light import dataclass
from sitegrain.native.inputs import AttrColumns
from sitegrain.tables.address import NOWHERE, page_key, resolve
from sitegrain.tables.budgets import MAX_BASE, MAX_TITLE
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.parse import ParsedPage, parse_page
from sitegrain.tables.site import Attrs, Nodes, Pages, Site
from sitegrain.tables.timing import time_limited


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

    def add(self, capture: Capture, page: ParsedPage | None = None) -> ParsedPage | None:
        """Parse one capture, if it was not parsed before; a page that is there already is replaced and counted. Returns what was made of it,
        or None if nothing could be."""
        try:
            if page is None:
                with time_limited():
                    page = parse_page(capture)
        except PAGE_FAULTS as error:
            # Whatever it is, it is one page: the others go on.
            self.counts["failed: a page that cannot be parsed"] += 1
            self.problems.append(f"{capture.url or capture.path}: cannot be parsed ({type(error).__name__}: {error})")
            return None
        if page.note:
            self.counts[page.note] += 1
        url = capture.url
        try:
            urlsplit(url)
        except ValueError:
            self.counts["address that cannot be read"] += 1
            self.problems.append(f"{url}: is not an address; the page is kept without one")
            url = ""
        entry = _Captured(url, capture.path, len(capture.body))
        row = self._row_of(url) if self._parsed else 0
        if row < len(self._parsed):
            self.counts["duplicate URL, last capture kept"] += 1
            self._captures[row], self._parsed[row] = entry, page
        else:
            self._captures.append(entry)
            self._parsed.append(page)
        return page

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
        number, strings = native.intern_values([p.value_text for p in parsed], [p.value_end for p in parsed])
        first = offsets([len(p.value_end) for p in parsed])
        n_attrs = [len(p.attr_value) for p in parsed]
        shift = np.repeat(first[:-1], n_attrs)
        value = number[join("attr_value", np.int32) + shift] if len(shift) else np.zeros(0, np.int32)
        attrs = Attrs(node=join("attr_node", np.int32, shift=True), name=join("attr_name", np.int16), value=value)
        captures = self._captures
        owns = (slice(a, b) for a, b in pairwise(offsets(n_attrs).tolist()))
        heads = [_read_head(p, value[own], strings, c.url) for p, c, own in zip(parsed, captures, owns, strict=True)]
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
        head = _read_head(page, page.attr_value, strings, capture.url, is_alone=True)
        n = len(page.tag)
        return Site(
            pages=Pages(
                url=(head.url,),
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


class _Head(NamedTuple):
    title: str
    language: str
    url: str
    canonical: str
    base: str
    meta: dict[str, str]
    notes: list[str]


def _read_head(page: ParsedPage, value: Ints32, strings: tuple[str, ...], url: str, is_alone: bool = False) -> _Head:
    """What the head of a page says, of whose attributes `value` tells which strings they are; one that came alone and without an address
    is where it says that it is."""
    said = native.head(page.tag, page.parent, AttrColumns(page.attr_node, page.attr_name, value), strings)
    title, notes = "", []
    if said.title >= 0:
        title = " ".join(page.text[page.text_start[said.title] : page.text_end[said.title]].split())
        if len(title) > MAX_TITLE:
            title = title[:MAX_TITLE]
            notes.append(f"title cut at {MAX_TITLE} characters")
    canonical = next((href for rel, href in said.links if href and "canonical" in rel.lower().split()), "")
    if is_alone and (not url or url.startswith(NOWHERE)):
        claims = (canonical, said.meta.get("og:url", ""))
        url = next((found for claim in claims if claim and (found := resolve(claim, ""))), url or NOWHERE)
    base = (resolve(said.base, url) if said.base else "") or url
    if len(base) > MAX_BASE:
        base = resolve("/", base)[:MAX_BASE]
        notes.append("links are read by the host alone: the address is too long")
    named = resolve(canonical, base) if canonical else ""
    return _Head(title, said.language or "", url, named, base, said.meta, notes)
