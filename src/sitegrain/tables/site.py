"""A web site as read-only tables.

An id is a row number; -1 is null; `end` is exclusive. Nodes of a page are contiguous and in document
order, `parent[i] < i`, and the subtree of row i is the slice `i:end[i]`, so a subtree sum is one
difference of a prefix sum. Elements *and* text nodes are rows; the text of a page is one string, and
every row has its span in it (an element's span covers its whole subtree).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property

import numpy as np

from sitegrain import native
from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.types import Bools, Ints32
from sitegrain.errors import TableError
from sitegrain.light import dataclass
from sitegrain.native import attr_values
from sitegrain.native.columns import bits_of
from sitegrain.native.inputs import AttrColumns
from sitegrain.tables.columns import Attrs, Links, Nodes, Pages
from sitegrain.tables.links import read_links
from sitegrain.tables.notebook import counted, html_card, html_table, shortened
from sitegrain.tables.tags import ATTRIBUTES, TAGS, TEXT, tag_mask

__all__ = [
    "ARIA_HIDDEN", "HIDDEN", "SPACE_BEFORE", "Attrs", "Links", "Nodes", "Page", "Pages", "Site",
]  # fmt: skip

SPACE_BEFORE, HIDDEN, ARIA_HIDDEN = bits_of("ROW_BITS")
"""Node flags: white space stood between this row and what came before it; the element says that it is not shown (`hidden`,
`display:none`, `visibility:hidden`); it has `aria-hidden="true"`."""


def _freeze(table: object) -> None:
    for column in vars(table).values():
        if isinstance(column, np.ndarray):
            column.setflags(write=False)


CSS_NAME = re.compile(r"[A-Za-z_][\w-]*")
"""Names that need no escape in a CSS path; others are left out of it."""


@dataclass(frozen=True, eq=False)
class Site:
    """All pages of a site as read-only tables. Two sites are equal only if they are one object.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<title>A</title><p>Hello <b>you</b> <a href=b>B</a>")])
    >>> site
    Site(http://a.org/: 1 page, 11 nodes, 1 link)
    >>> site.node_text(int(site.rows("p")[0]))
    'Hello youB'
    """

    pages: Pages
    nodes: Nodes
    attrs: Attrs
    texts: tuple[str, ...]
    """The text of each page, in document order; spans of rows point into it."""
    strings: tuple[str, ...]
    """Attribute values, each once."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """What building had to skip or mend, by reason."""

    def __post_init__(self) -> None:
        for table in (self.pages, self.nodes, self.attrs):
            _freeze(table)

    def __repr__(self) -> str:
        first = self.pages.url[0] if len(self.pages) else "empty"
        sizes = ((len(self.pages), "page"), (len(self.nodes), "node"), (len(self.links), "link"))
        return f"Site({shortened(first, 60)}: {', '.join(counted(*size) for size in sizes)})"

    def _repr_html_(self) -> str:
        rows = ((page.row, page.title, page.url) for page in self)
        return html_table(repr(self), ("page", "title", "url"), rows, len(self))

    def __len__(self) -> int:
        return len(self.pages)

    def __getitem__(self, page: int) -> Page:
        if not -len(self) <= page < len(self):
            raise IndexError(f"page {page} of a site of {len(self)} pages")
        return Page(self, page % len(self))

    def __iter__(self) -> Iterator[Page]:
        return (Page(self, p) for p in range(len(self)))

    @cached_property
    def n_pages(self) -> int:
        return len(self.pages)

    @property
    def n_nodes(self) -> int:
        return len(self.nodes)

    @cached_property
    def links(self) -> Links:
        """One row per link, resolved when first asked for."""
        links = read_links(self.pages.url, self.pages.base, self.nodes, self.attrs, self.strings)
        _freeze(links)
        return links

    def node_text(self, node: int) -> str:
        """The text of a row's subtree, as it stands (white space between rows is not in it)."""
        start, end = int(self.nodes.text_start[node]), int(self.nodes.text_end[node])
        return self.texts[int(self.nodes.page[node])][start:end]

    def rows(self, *tags: str) -> Ints32:
        """Rows of the elements with one of these tags."""
        return np.flatnonzero(tag_mask(tags)[self.nodes.tag]).astype(np.int32)

    def page_rows(self, page: int) -> slice:
        """The slice of the node table that holds a page."""
        return slice(*self._page_rows[page : page + 2])

    def page_attrs(self, page: int) -> slice:
        """The slice of the attribute table that holds a page."""
        return slice(*self._page_attrs[page : page + 2])

    def page_links(self, page: int) -> slice:
        """The slice of the link table that holds a page."""
        return slice(*self._page_links[page : page + 2])

    @cached_property
    def _page_rows(self) -> list[int]:
        """The first row of each page, and the end: as numbers of Python, since everything asks."""
        bounds: list[int] = self.pages.node_offset.tolist()
        return bounds

    @cached_property
    def _page_attrs(self) -> list[int]:
        """The first attribute of each page: many things of a page ask for it."""
        if self.n_pages == 1:
            return [0, len(self.attrs)]
        bounds: list[int] = np.searchsorted(self.attrs.node, self.pages.node_offset.astype(np.int32)).tolist()
        return bounds

    @cached_property
    def _page_links(self) -> list[int]:
        """The first link of each page."""
        bounds: list[int] = np.searchsorted(self.links.page, np.arange(self.n_pages + 1, dtype=np.int32)).tolist()
        return bounds

    @cached_property
    def is_text(self) -> Bools:
        """True for rows that are text nodes."""
        return np.asarray(self.nodes.tag == TEXT)

    @cached_property
    def text_rows(self) -> Ints32:
        """Rows that are text nodes."""
        return np.flatnonzero(self.is_text).astype(np.int32)

    @cached_property
    def _text_identity(self) -> tuple[Ints32, tuple[str, ...]]:
        nodes, rows = self.nodes, self.text_rows
        out = np.full(self.n_nodes, -1, np.int32)
        out[rows], texts = native.intern_texts(
            self.texts, nodes.page[rows], nodes.text_start[rows], nodes.text_end[rows]
        )
        return out, texts

    @property
    def text_id(self) -> Ints32:
        """Per row: which of `unique_texts` a text node holds (white space folded); -1 for elements."""
        return self._text_identity[0]

    @property
    def unique_texts(self) -> tuple[str, ...]:
        """Every different text of a text node, white space folded."""
        return self._text_identity[1]

    def attr(self, name: str) -> Ints32:
        """Per row: the row of `strings` that holds this attribute's value, or -1."""
        code = ATTRIBUTES.index(name)
        out = np.full(self.n_nodes, -1, np.int32)
        mine = self.attrs.name == code
        out[self.attrs.node[mine]] = self.attrs.value[mine]
        return out

    def attr_values(self, page: int, name: int, first: int = 0) -> dict[int, str]:
        """Row of a page, counted from `first` -> value of the attribute with this number."""
        return attr_values(self._attr_table, self.strings, self.page_attrs(page), name, first)

    @cached_property
    def _attr_table(self) -> AttrColumns:
        return AttrColumns(self.attrs.node, self.attrs.name, self.attrs.value)

    def node_attrs(self, node: int) -> dict[str, str]:
        """The kept attributes of one row."""
        offset, name, value = self._attr_columns
        return {ATTRIBUTES[name[k]]: self.strings[value[k]] for k in range(offset[node], offset[node + 1])}

    @cached_property
    def _attr_columns(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """The first attribute of each row (n_nodes + 1 entries), names and values, as views of memory: single numbers come out of them faster."""
        offset = offsets(np.bincount(self.attrs.node, minlength=self.n_nodes)).astype(np.int32)
        return offset.data, self.attrs.name.data, self.attrs.value.data

    def tag_name(self, node: int) -> str:
        """The tag of a row; `#text` for a text node."""
        name = TAGS[self.nodes.tag[node]]
        return self.node_attrs(node).get(":tag", "unknown") if name == "unknown" else name

    def xpath(self, node: int) -> str:
        """The path of a row from its page's root, with positions among siblings of the same tag."""
        parts = []
        while node >= 0:
            parent = int(self.nodes.parent[node])
            name = self.tag_name(node)
            step = "text()" if name == "#text" else name
            position = 1
            if parent >= 0:
                child = parent + 1
                while child < node:
                    position += self.nodes.tag[child] == self.nodes.tag[node]
                    child = int(self.nodes.end[child])
            parts.append(f"{step}[{position}]" if parent >= 0 else step)
            node = parent
        return "/" + "/".join(reversed(parts))

    def css_path(self, node: int) -> str:
        """A short CSS path: tags with the nearest id, else their classes."""
        parts: list[str] = []
        if self.nodes.tag[node] == TEXT:
            node = int(self.nodes.parent[node])
        while node >= 0:
            attrs = self.node_attrs(node)
            name = self.tag_name(node)
            ident = attrs.get("id", "")
            if CSS_NAME.fullmatch(ident):
                parts.append(f"{name}#{ident}")
                break
            classes = [c for c in attrs.get("class", "").split() if CSS_NAME.fullmatch(c)]
            parts.append(name + "".join("." + c for c in classes[:2]))
            node = int(self.nodes.parent[node])
        return " > ".join(reversed(parts))

    def check(self) -> None:
        """Raise `TableError` unless every invariant of the tables holds."""
        n, m, nodes = self.n_pages, self.n_nodes, self.nodes
        offset = self.pages.node_offset

        def need(ok: object, what: str) -> None:
            if not ok:
                raise TableError(what)

        for table in (self.pages, self.nodes, self.attrs, self.links):
            for name, column in vars(table).items():
                if name in ("addresses", "address_key"):
                    continue
                size = len(table) + 1 if name.endswith("offset") else len(table)
                need(len(column) == size, f"{type(table).__name__}.{name} has {len(column)} rows, not {size}")
        need(len(self.texts) == n, "one text per page")
        need(offset[0] == 0 and offset[-1] == m and (np.diff(offset) >= 0).all(), "node_offset covers nodes")
        row = np.arange(m)
        need((nodes.page == np.repeat(np.arange(n), np.diff(offset))).all(), "nodes of a page are contiguous")
        need((nodes.parent < row).all() and (nodes.parent >= -1).all(), "a parent comes before its children")
        child = row[nodes.parent >= 0]
        up = nodes.parent[child]
        need((nodes.end > row).all(), "a subtree holds its own row")
        need((nodes.end[child] <= nodes.end[up]).all(), "a subtree lies within its parent's")
        need((nodes.depth[child] == nodes.depth[up] + 1).all(), "depth grows by one")
        need((nodes.page[child] == nodes.page[up]).all(), "a parent is on the same page")
        need((nodes.text_start <= nodes.text_end).all(), "text spans run forward")
        lengths = np.array([len(t) for t in self.texts], np.int64)
        need(m == 0 or (nodes.text_end <= lengths[nodes.page]).all(), "text spans lie within the page's text")
        text = self.is_text
        spans = np.bincount(nodes.page[text], (nodes.text_end - nodes.text_start)[text], minlength=n)
        need((spans == lengths).all(), "text nodes hold the whole text, once")
        need((np.diff(self.attrs.node) >= 0).all(), "attributes are sorted by node")
        need(((self.attrs.value >= 0) & (self.attrs.value < len(self.strings))).all(), "attribute values exist")
        need((self.links.target < n).all() and (self.links.target >= -1).all(), "link targets exist")
        told = self.links.addresses
        need(self.links.url == tuple(told[k] for k in self.links.address.tolist()), "links have their addresses")
        need(len(set(told)) == len(told), "an address has one number")
        need((nodes.page[self.links.node] == self.links.page).all(), "a link is on its node's page")


class Page:
    """A view of one page, for people; algorithms use the tables."""

    def __init__(self, site: Site, page: int) -> None:
        self.site = site
        self.row = page

    def __repr__(self) -> str:
        return f"Page({self.row}: {shortened(self.url, 60)} {shortened(self.title, 50)!r}, {self._size})"

    def _repr_html_(self) -> str:
        return html_card(self.title or self.url, f"{self.url} · {self._size}", self.text)

    @property
    def _size(self) -> str:
        rows = self.site.page_rows(self.row)
        return f"{counted(rows.stop - rows.start, 'node')}, {counted(len(self.site.texts[self.row]), 'character')}"

    @property
    def url(self) -> str:
        return self.site.pages.url[self.row]

    @property
    def title(self) -> str:
        return self.site.pages.title[self.row]

    @property
    def text(self) -> str:
        """All text of the page, one text node a line."""
        rows = self.site.page_rows(self.row)
        own = self.site.is_text[rows]
        text = self.site.texts[self.row]
        starts = self.site.nodes.text_start[rows][own]
        ends = self.site.nodes.text_end[rows][own]
        return "\n".join(" ".join(text[s:e].split()) for s, e in zip(starts, ends, strict=True))

    @property
    def links(self) -> list[tuple[str, str]]:
        """(anchor text, address) of every link of the page."""
        links, own = self.site.links, self.site.page_links(self.row)
        return [
            (self.site.node_text(node), url) for node, url in zip(links.node[own].tolist(), links.url[own], strict=True)
        ]
