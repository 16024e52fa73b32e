"""What must be counted over all pages of a site before the evidence of one page can be told: how many pages have a text,
a link, a picture, an element, a term.

`RoleCounts` are the counts of some pages, and merge; `RoleKnown` is what the evidence of a page is read against.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from sitegrain.arrays.counts import UNIT, Counts, merged, units
from sitegrain.arrays.hashing import mix
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.strings import Strings
from sitegrain.arrays.types import Bools, Floats, Hashes, Ints32, Ints64
from sitegrain.light import dataclass
from sitegrain.native import PageKeys, intern_texts, page_keys, string_hashes
from sitegrain.native import term_counts as count_terms
from sitegrain.roles.menus import PAGES, link_boxes, text_keys
from sitegrain.roles.templates import page_structure
from sitegrain.tables.address import page_key, resolve
from sitegrain.tables.elements import tag_places
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import HEADINGS, tag_mask
from sitegrain.text.language import site_language
from sitegrain.text.terms import Terms, site_terms
from sitegrain.text.words import fold

RARE_IMAGE = 2
"""Pages that may have a picture for it to be a page's own."""
_SEPARATOR = re.compile(r"\s[-–—|•·»«]+\s|\s?[|»«]\s?")
_COLON = re.compile(r"\s?:+\s")
IS_HEADING = tag_mask(HEADINGS)
_IMG = tag_mask(("img",))


@dataclass(frozen=True, eq=False)
class LinkTexts:
    """The addresses and anchors of the links of some pages, each different one once."""

    url: Ints64
    """Per link: which of `urls`."""
    anchor: Ints64
    urls: tuple[str, ...]
    anchors: tuple[str, ...]
    url_key: Hashes
    """Per address."""
    anchor_key: Hashes

    @property
    def pair(self) -> Hashes:
        """Per link: a key of address and anchor."""
        if not len(self.url):
            return np.zeros(0, np.uint64)
        return np.asarray(mix(self.url_key)[self.url] + self.anchor_key[self.anchor])


@per_site
def link_texts(site: Site) -> LinkTexts:
    """Of all links of a site."""
    links = site.links
    anchor, anchors, keys = _anchors(site)
    return LinkTexts(
        links.address.astype(np.int64), anchor, links.addresses, anchors, string_hashes(links.addresses), keys
    )


def _anchors(site: Site) -> tuple[Ints64, tuple[str, ...], Hashes]:
    """Per link which anchor it has; the anchors, white space folded, and a key of each.

    An anchor of one text node is that text, which has a number already.
    """
    nodes, node = site.nodes, site.links.node
    before = np.concatenate(([0], np.cumsum(site.is_text)))
    first = before[node]
    n_texts = before[nodes.end[node]] - first
    rows = site.text_rows
    row = rows[np.minimum(first, len(rows) - 1)] if len(rows) else np.zeros(len(node), np.int32)
    start, end = nodes.text_start[node], nodes.text_end[node]
    is_one = (n_texts == 1) & (nodes.text_start[row] == start) & (nodes.text_end[row] == end)
    used, which = np.unique(site.text_id[row[is_one]], return_inverse=True)
    anchors = {site.unique_texts[text]: k for k, text in enumerate(used.tolist())}
    out = np.zeros(len(node), np.int64)
    out[is_one] = which.reshape(-1)
    rest = np.flatnonzero(~is_one)
    id_of, texts = intern_texts(site.texts, site.links.page[rest], start[rest], end[rest])
    out[rest] = np.array([anchors.setdefault(text, len(anchors)) for text in texts], np.int64)[id_of]
    others = list(anchors)[len(used) :]
    return out, tuple(anchors), np.concatenate((text_keys(site)[used], string_hashes(others)))


@per_site
def link_keys(site: Site) -> PageKeys:
    """Addresses with anchors, by pages."""
    return page_keys(site.links.page, link_texts(site).pair)


@dataclass(frozen=True, eq=False)
class PlacedKeys:
    """Links with their places on the page: the list of chapters is not the menu that names them too."""

    place: Hashes
    """Per link."""
    key: Hashes
    """Of address, anchor and place, per link."""
    on_pages: PageKeys


@per_site
def placed_keys(site: Site) -> PlacedKeys:
    """Of all links of a site."""
    place = mix(tag_places(site)[site.links.node])
    key = np.asarray(link_texts(site).pair + place, np.uint64)
    return PlacedKeys(place, key, page_keys(site.links.page, key))


@per_site
def heading_keys(site: Site) -> tuple[Ints64, Hashes]:
    """The rows that are headings, and a key of what each says."""
    rows = np.flatnonzero(IS_HEADING[site.nodes.tag]).astype(np.int64)
    return rows, string_hashes(folded_texts(site, rows))


def folded_texts(site: Site, rows: Ints32 | Ints64) -> Iterator[str]:
    """What rows say, without case and with single spaces; many at once take half the time of one by one."""
    nodes = site.nodes
    spans = (column[rows].tolist() for column in (nodes.page, nodes.text_start, nodes.text_end))
    return (" ".join(fold(site.texts[page][start:end]).split()) for page, start, end in zip(*spans, strict=True))


@per_site
def image_sources(site: Site) -> tuple[Ints64, PageKeys]:
    """The pages of the pictures of a site, and keys of what their `src` says."""
    rows = np.flatnonzero(_IMG[site.nodes.tag])
    value = site.attr("src")[rows].astype(np.int64)
    rows, value = rows[value >= 0], value[value >= 0]
    used, where = np.unique(value, return_inverse=True)
    keys = string_hashes(site.strings[v] for v in used.tolist())
    page = site.nodes.page[rows].astype(np.int64)
    return page, page_keys(page, keys[where.reshape(-1)] if len(used) else np.zeros(0, np.uint64))


@dataclass(frozen=True, eq=False)
class RoleCounts:
    """Counts of some pages of a site, by key: the first column of each says on how many pages."""

    n_pages: int
    texts: Counts
    links: Counts
    """By address and anchor."""
    placed: Counts
    """By address, anchor and place on the page."""
    images: Counts
    boxes: Counts
    """Elements that are mostly links, by what they say and where they stand."""
    structure: Counts
    """Paths of tags, and tags with class names."""
    terms: Counts
    """Pages, occurrences, and sum of tf ln tf in units."""

    @classmethod
    def of(cls, site: Site, terms: Terms) -> RoleCounts:
        """Count the pages of a site, or of a part of it."""
        rows = site.text_rows
        text = text_keys(site)[site.text_id[rows]] if len(rows) else np.zeros(0, np.uint64)
        box, box_key = link_boxes(site)
        return cls(
            n_pages=site.n_pages,
            texts=page_keys(site.nodes.page[rows], text).counts(),
            links=link_keys(site).counts(),
            placed=placed_keys(site).on_pages.counts(),
            images=image_sources(site)[1].counts(),
            boxes=page_keys(site.nodes.page[box], box_key).counts(),
            structure=page_structure(site).counts(),
            terms=term_counts(terms),
        )

    def merge(self, other: RoleCounts) -> RoleCounts:
        """The counts of both page sets, which must not share a page."""
        return RoleCounts.merged([self, other])

    @classmethod
    def merged(cls, parts: Sequence[RoleCounts], may_drop: bool = False) -> RoleCounts:
        """The counts of all parts; with `may_drop`, without what says nothing at the end."""
        n = sum(part.n_pages for part in parts)
        least = cls.least(n) if may_drop else {}
        found = {
            name: merged([getattr(part, name) for part in parts], least.get(name, 1), 3 if name == "terms" else 1)
            for name in COUNTED
        }
        return cls(n, **found)

    @staticmethod
    def least(n_pages: int) -> dict[str, int]:
        """Per statistic: pages below which a key says no more than one that was never seen."""
        return {"texts": 2, "links": 2, "placed": 2, "images": RARE_IMAGE + 1, "boxes": PAGES,
                "structure": max(2, int(0.01 * n_pages)), "terms": 2}  # fmt: skip


COUNTED = ("texts", "links", "placed", "images", "boxes", "structure", "terms")
"""The statistics of `RoleCounts`."""


def term_counts(terms: Terms, pages: Bools | None = None) -> Counts:
    """Per term: pages, occurrences, and sum over pages of tf ln tf in units; of these pages alone the terms that they have."""
    chosen = np.ones(len(terms.page_offset) - 1, bool) if pages is None else pages
    times = np.arange(int(np.diff(terms.page_offset).max(initial=0)) + 1, dtype=np.float64)
    worth = units(times * np.log(np.maximum(times, 1)))
    values = count_terms(terms.ids, terms.page_offset, chosen, terms.n_terms, worth)
    key = terms.keys
    order = np.argsort(key, kind="stable")
    found = Counts(key[order], values[order])
    return found if pages is None else found.at_least(1)


def entropies(terms: Counts, key: Hashes, n_pages: int) -> Floats:
    """The entropy of these terms over a site, by its counts; 0 for a term on one page."""
    row = terms.row(key)
    if n_pages <= 1 or not len(terms):
        return np.zeros(len(key))
    total = np.maximum(terms.values[:, 1].astype(np.float64), 1.0)
    nats = np.log(total) - terms.values[:, 2] / UNIT / total
    nats[terms.times < 2] = 0.0
    entropy = np.clip(nats / np.log(n_pages), 0.0, 1.0)
    return np.where(row >= 0, entropy[row], 0.0)


@dataclass(frozen=True, eq=False)
class PageCards:
    """What is known of all pages by name."""

    url: Sequence[str]
    title: Sequence[str]
    headings: Hashes
    """Keys of (page, heading), ascending."""

    @classmethod
    def of(cls, site: Site) -> PageCards:
        """Of the pages of a site."""
        rows, key = heading_keys(site)
        page = site.nodes.page[rows].astype(np.int64)
        return cls(site.pages.url, site.pages.title, distinct(on_page(page, key)))

    def only(self, *names: str) -> PageCards:
        """Some of what is known, for those who ask for no more: it goes to every worker."""
        kept = PageCards(
            self.url if "url" in names else (),
            self.title if "title" in names else (),
            self.headings if "headings" in names else self.headings[:0],
        )
        kept.__dict__.update({name: getattr(self, name) for name in names})
        return kept

    @cached_property
    def folded(self) -> Strings:
        """The titles, without case."""
        return Strings.of(fold(t) for t in self.title)

    @cached_property
    def main_titles(self) -> Strings:
        """The titles without the part that most of them share (the name of the site)."""
        return Strings.of(_without_common([" ".join(t.split()) for t in self.folded], _SEPARATOR.split, " - "))

    @cached_property
    def bare_titles(self) -> Strings:
        """The same without a name of the site that stands before a colon."""
        return Strings.of(_without_common(self.main_titles, lambda title: _COLON.split(title, maxsplit=1), ": "))

    @cached_property
    def by_title(self) -> Counts:
        """Key of a main title of three letters or more -> the last page that has it."""
        last = {title: page for page, title in enumerate(self.main_titles) if len(title) >= 3}
        key = string_hashes(last)
        order = np.argsort(key, kind="stable")
        return Counts(key[order], np.array(list(last.values()), np.int64).reshape(-1, 1)[order])

    @cached_property
    def by_address(self) -> Counts:
        """Key of an address -> its page."""
        return last_pages(address_keys(self.url))

    def targets(self, site: Site) -> Ints32:
        """Per link of a site, or of a part of it: the page of all that it leads to, or -1."""
        links = site.links
        at = self.by_address.at(links.address_key, -1)
        if "" in links.addresses:
            at[links.addresses.index("")] = -1
        return at[links.address].astype(np.int32)


def address_keys(urls: Iterable[str]) -> Hashes:
    """A key of each address, the same for all addresses of a page."""
    return string_hashes(page_key(resolve(url, "") or url) for url in urls)


def last_pages(key: Hashes) -> Counts:
    """Per different key of pages: the last page that has it.

    >>> found = last_pages(np.array([7, 5, 7], np.uint64))
    >>> found.key.tolist(), found.times.tolist()
    ([5, 7], [1, 2])
    """
    order = np.argsort(key, kind="stable")
    is_last = np.append(key[order][1:] != key[order][:-1], True) if len(key) else np.zeros(0, bool)
    last = order[is_last]
    return Counts(key[last], last.astype(np.int64).reshape(-1, 1))


def _without_common(titles: Sequence[str], parted: Callable[[str], list[str]], sign: str) -> list[str]:
    """Titles without the parts that many of them have; whole where nothing else is left."""
    count: dict[str, int] = {}
    for title in titles:
        for part in {p.strip() for p in parted(title)}:
            count[part] = count.get(part, 0) + 1
    # A part that stands in a third of the titles names the site or a section of it.
    common = {p for p, n in count.items() if n > max(2, len(titles) / 3)}
    return [sign.join(p for part in parted(title) if (p := part.strip()) not in common) or title for title in titles]


def on_page(page: Ints64, key: Hashes) -> Hashes:
    """A key of each pair of page and key."""
    return np.asarray(mix(page.astype(np.uint64)) + key, np.uint64)


@dataclass(frozen=True, eq=False)
class RoleKnown:
    """What the evidence of a page is read against."""

    counts: RoleCounts
    cards: PageCards
    language: str

    @property
    def n_pages(self) -> int:
        return self.counts.n_pages

    @classmethod
    def of(cls, site: Site) -> RoleKnown:
        """Of a whole site."""
        return cls(RoleCounts.of(site, site_terms(site)), PageCards.of(site), site_language(site))
