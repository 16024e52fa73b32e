"""How prose and links follow one another on a page, what links say of their targets, and what series pages stand in.

An article is one long stretch of prose with links in it or after it; a list changes between a link that stands alone and
a few words. A page that many pages link to as `rel=tag` is a list in any language, and so is one of ten pages of one title
whose addresses differ in a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.late import sparse
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Floats32, Hashes, Ints32, Ints64
from sitegrain.light import dataclass
from sitegrain.roles.menus import text_keys
from sitegrain.roles.parts import Columns, PageParts, share
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, TAGS

TEASER = 60
"""Characters of prose after a link that make it the head of a teaser: a sentence."""
ALONE = 1.3
"""A link whose block has no more than so many times its characters stands alone."""
HOPS = 6
"""Inline elements between a link and its block that are looked through."""
SHARED_BY = 30
"""Pages that may share a text for it to count as a quotation."""
QUOTED = 15
"""Characters of a text that is long enough to be a quotation."""
HELD = 0.5
"""Share of the prose of a page that another page must print to hold it."""
_IS_BLOCK = np.array([tag in BLOCK_TAGS for tag in TAGS])
RELS = ("tag", "bookmark", "author", "next", "prev")
_DIGITS = re.compile(r"\d+")


ROWS_AT_ONCE = 2048
"""Pages of a product of sparse matrices that are made at once: the product of all pages would not fit."""
KEYS_AT_ONCE = 1 << 16
"""Keys that are looked up at once."""


def row_chunks(n: int) -> Iterator[slice]:
    """The rows 0 ... n - 1, some at a time."""
    return (slice(start, min(start + ROWS_AT_ONCE, n)) for start in range(0, n, ROWS_AT_ONCE))


@dataclass(frozen=True, eq=False)
class PageTexts:
    """Some texts of pages, by key, each once a page."""

    page: Ints32
    key: Hashes
    length: Floats32
    """Characters, of all that the page has of it: whole numbers, exact up to 16 million."""

    @classmethod
    def of(cls, page: Ints64, key: Hashes, length: Floats) -> PageTexts:
        """Texts that may come again on a page."""
        order = np.lexsort((key, page))
        page, key, length = page[order], key[order], length[order]
        first = np.flatnonzero(np.append(True, (key[1:] != key[:-1]) | (page[1:] != page[:-1]))) if len(key) else order
        total = np.add.reduceat(length, first) if len(key) else length
        return cls(page[first].astype(np.int32), key[first], total.astype(np.float32))

    @classmethod
    def joined(cls, parts: Sequence[PageTexts]) -> PageTexts:
        """The pages of all parts."""
        found = zip(*((p.page, p.key, p.length) for p in parts), strict=True)
        return cls(*(np.concatenate(column) for column in found))

    def matrix(self, n_pages: int) -> sparse.csr_array:
        """Pages x texts: characters."""
        used, column = numbered(self.key)
        return sparse.csr_array((self.length, (self.page, column)), shape=(n_pages, max(len(used), 1)))


def numbered(keys: Hashes) -> tuple[Hashes, Ints32]:
    """The different keys, and which of them each is. There are many: numpy's own numbers are twice as long, and it takes five times
    their room to find them."""
    used = distinct(keys)
    which = np.empty(len(keys), np.int32)
    for start in range(0, len(keys), KEYS_AT_ONCE):
        some = slice(start, start + KEYS_AT_ONCE)
        which[some] = np.searchsorted(used, keys[some])
    return used, which


def ones_like(matrix: sparse.csr_array) -> sparse.csr_array:
    """1 where a matrix has something; what says where is shared."""
    ones = np.ones(len(matrix.data), matrix.dtype)
    return sparse.csr_array((ones, matrix.indices, matrix.indptr), shape=matrix.shape)


@per_site
def links_alone(site: Site) -> Bools:
    """Per link: it is all that its block says, as a headline is and a link in a sentence is not."""
    nodes = site.nodes
    row = site.links.node.astype(np.int64)
    length = (nodes.text_end - nodes.text_start).astype(np.float64)
    up = row.copy()
    for _ in range(HOPS):
        climb = ~_IS_BLOCK[nodes.tag[up]] & (nodes.parent[up] >= 0)
        up = np.where(climb, nodes.parent[up], up)
    return np.asarray(length[up] <= ALONE * length[row] + 5)


def stretch_columns(parts: PageParts, columns: Columns, prefix: str, cut: Bools, prose: Bools) -> None:
    """Stretches of prose between links that stand alone: how long, how many. `prose` are the text nodes of it."""
    site, n = parts.site, parts.site.n_pages
    total = prefix_sum(np.where(prose, parts.length, 0.0))
    offset = site.pages.node_offset.astype(np.int64)
    # The start of every page, and the end of every link that cuts: what follows up to the next one is a stretch.
    start = np.concatenate((offset[:-1], site.nodes.end[site.links.node[cut]].astype(np.int64)))
    page = np.concatenate((np.arange(n), site.links.page[cut].astype(np.int64)))
    # By page and place. Links that cut are nearly in order, and one that ends a page comes before the start of the next.
    order = np.argsort(2 * start + (np.arange(len(start)) < n), kind="stable")
    start, page = start[order], page[order]
    is_last = np.append(page[1:] != page[:-1], True) if len(page) else np.zeros(0, bool)
    end = np.where(is_last, offset[page + 1], np.append(start[1:], 0))
    size = total[parts.texts_before[np.maximum(end, start)]] - total[parts.texts_before[start]]
    longest = np.zeros(n)
    np.maximum.at(longest, page, size)
    whole = np.bincount(page, size, minlength=n).astype(np.float64)
    columns.log(f"{prefix}_stretch", longest)
    columns.add(f"{prefix}_stretch_share", share(longest, whole))
    teasers = np.bincount(page[size >= TEASER], minlength=n).astype(np.float64)
    columns.log(f"{prefix}_stretches", teasers)
    columns.log(f"{prefix}_alone", np.bincount(site.links.page[cut], minlength=n))
    first = np.zeros(n)
    is_first = np.concatenate(([True], page[1:] != page[:-1])) if len(page) else np.zeros(0, bool)
    first[page[is_first]] = size[is_first]
    columns.add(f"{prefix}_before_share", share(first, whole))


def rel_links(parts: PageParts) -> dict[str, Bools]:
    """Per word of `rel` (`tag` leads to a list, `bookmark` to a post): the links that have it."""
    value = parts.site.attr("rel")[parts.site.links.node]
    used = distinct(value[value >= 0])
    words = {int(v): set(parts.site.strings[v].lower().split()) for v in used.tolist()}
    return {name: np.isin(value, [v for v, found in words.items() if name in found]) for name in RELS}


def rel_columns(parts: PageParts, columns: Columns) -> None:
    """What `rel` says of the links of a page."""
    for name, of in rel_links(parts).items():
        of = of & ~parts.site.links.is_self
        columns.log(f"page_rel_{name}", parts.targets(of) if of.any() else np.zeros(parts.site.n_pages))


def target_columns(
    columns: Columns, links: sparse.csr_array, prose: Floats, template: npt.NDArray[np.int32], prefix: str = "site"
) -> None:
    """What the pages are like that a page leads to, and those that lead to it: do they say more, are they its like?"""
    said = np.log1p(prose)
    coo = links.tocoo()
    for name, here, there in (("out", coo.row, coo.col), ("in", coo.col, coo.row)):
        count = np.bincount(here, minlength=len(prose)).astype(np.float64)
        mean = partial(_mean_at, here, count)
        columns.add(f"{prefix}_{name}_prose", mean(said[there]))
        columns.add(f"{prefix}_{name}_more", mean(said[there] > said[here] + 0.5))
        columns.add(f"{prefix}_{name}_alike", mean(template[there] == template[here]))
        columns.log(f"{prefix}_{name}_own_pages", count)


def _mean_at(index: npt.NDArray[np.int32], count: Floats, values: npt.ArrayLike) -> Floats:
    total = np.bincount(index, np.asarray(values, np.float64), minlength=len(count))
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def quoted_texts(parts: PageParts, prose: Bools) -> PageTexts:
    """The texts of each page that few other pages have, too: what it quotes, or is quoted with."""
    site = parts.site
    of = parts.text_pages[parts.text]
    keep = np.flatnonzero(prose & (of >= 2) & (of <= SHARED_BY) & (parts.length >= QUOTED))
    return PageTexts.of(parts.page[keep] + parts.first, text_keys(site)[parts.text[keep]], parts.length[keep])


def holding_columns(columns: Columns, quoted: PageTexts, thing: Ints64) -> None:
    """Pages whose prose a page holds, and pages that hold its own: a list that prints whole posts holds many.

    Needs no links. Only texts on few pages count: the work is bounded, and a text on many pages belongs to none. Views of
    one page (`thing`, of `viewed`) hold one another and say nothing by it.
    """
    n, whole = columns.n, columns["site_prose_chars"]
    length = quoted.matrix(n)
    back = sparse.csr_array(ones_like(length).T)
    holds, held, shares = np.zeros(n), np.zeros(n), np.zeros(n)
    for rows in row_chunks(n):
        # Characters of page i that stand on page j too, as a share of the prose of page i.
        both = (length[rows] @ back).tocoo()
        row = both.row + rows.start
        far = thing[row] != thing[both.col]
        whole_of = far & (both.data > HELD * whole[row])
        holds += np.bincount(both.col[whole_of], minlength=n)
        held += np.bincount(row[whole_of], minlength=n)
        shares += np.bincount(row[far], minlength=n)
    columns.log("site_holds", holds)
    columns.log("site_held", held)
    columns.log("site_shares_with", shares)


def headed_columns(parts: PageParts, columns: Columns) -> None:
    """Headings of a page that are the title of another."""
    page = parts.site.nodes.page[parts.headings]
    at = parts.known.cards.by_title.at(parts.heading_key, -1)
    columns.log("site_heading_titles", parts.per_page_rows(parts.headings[(at >= 0) & (at != page + parts.first)]))


def series_columns(urls: Sequence[str], titles: Sequence[str], columns: Columns) -> npt.NDArray[np.int32]:
    """Pages in series: titles and addresses alike but for a number, and titles that begin or end with the same word.

    Returns the group of each page by the first word of its title (or the first characters, where words are not apart).
    """
    n = len(titles)
    shape = [_DIGITS.sub("0", url) for url in urls]
    plain = [_DIGITS.sub("0", title) for title in titles]
    columns.add("site_series", _log_sizes(list(zip(shape, plain, strict=True))))
    columns.add("site_series_address", _log_sizes(shape) / np.log1p(max(n, 2)))
    first = [_edge(title, 0) for title in plain]
    last = [_edge(title, -1) for title in plain]
    for name, words in (("first", first), ("last", last)):
        size = np.expm1(_log_sizes(words))
        columns.log(f"site_title_{name}", size)
        columns.add(f"site_title_{name}_share", size / max(n - 1, 1))
    columns.add("site_title_words", [len(t.split()) if " " in t else len(t) / 3 for t in titles])
    ids: dict[str, int] = {}
    return np.array([ids.setdefault(word, len(ids)) for word in first], np.int32)


def _edge(title: str, at: int) -> str:
    words = re.split(r"[\s:\"“”„«»'‘’()\[\],]+", title.strip())
    if len(words) > 1:
        return words[at] or words[at - 1]
    return title[:2] if at == 0 else title[-2:]


def _log_sizes(keys: list[str] | list[tuple[str, str]]) -> Floats:
    """Logarithm of how many other pages have the same key."""
    count: dict[str | tuple[str, str], int] = {}
    for key in keys:
        count[key] = count.get(key, 0) + 1
    return np.log1p(np.array([count[key] - 1 for key in keys], np.float64))
