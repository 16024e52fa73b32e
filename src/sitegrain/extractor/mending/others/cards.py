"""Cards of other pages: like elements side by side that are each a link to another page of the site. Judged together, not line by line."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.ragged import offsets
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Floats32, Ints32, Ints64
from sitegrain.extractor.blocks import Rows
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.links import links_of
from sitegrain.extractor.mending.spans import spans_of
from sitegrain.extractor.stages import SITE_NAMES
from sitegrain.tables.address import host_of, site_key
from sitegrain.tables.tags import TEXT

_DISTINCT, _COUNT = map(SITE_NAMES.index, ("path_distinct", "site_same_count"))
_OWN_SITE, _NO_SITE = "/own", "/none"
"""In place of a host, which has no slash."""
LINKED = 0.8
"""Share of a block in links, from which it is part of a card; and share of the text of the element around the cards that they must have."""
MIN_CARDS = 3
"""Different pages that the cards of a group lead to."""
SURE = 0.6
"""Mean score of all cards of a group, from which they stay: the list of a series within a text has 0.9. Out of fold 0.4 to 0.8 do the same."""
MOST_DISTINCT, MIN_PAGES = 0.75, 3
"""Share of the texts at such a place that differ, in the mean: cards of a list of a text are on no other page, those of other products on many. A
text that so many pages have word for word is one that does not differ."""
OF_PAGE = 0.7
"""Share of the kept words of a page that such cards may have: a page with more of them is a list of pages."""


def without_cards(evidence: Evidence, of_site: Floats32, score: Floats, kept: Bools) -> Bools:
    """The kept blocks without the cards of other pages that come again elsewhere on the site, and of which few are sure to be content."""
    is_link = evidence.column("link_density") >= LINKED
    page = evidence.blocks.page
    doubtful = kept & is_link & (score < SURE)
    may = np.bincount(page[doubtful], minlength=evidence.geometry.n_pages) > 0
    if not may.any():
        return kept
    target = targets(evidence, is_link & may[page])
    blocks, rows, size = evidence.blocks, evidence.blocks.rows, evidence.words + 1.0
    spans = spans_of(blocks, np.flatnonzero((rows.tag != TEXT) & may[rows.page]))
    # Elements all of whose text leads to one address; the outermost of them is the card.
    changes = prefix_sum((np.diff(target, prepend=-2) != 0).astype(np.int64))
    one = np.zeros(len(rows) + 1, bool)  # the last is for "no parent"
    one[spans.row] = (target[spans.first] >= 0) & (changes[spans.last] - changes[spans.first + 1] == 0)
    cards = spans.only(one[spans.row] & ~one[rows.parent[spans.row]])
    if len(cards.row) < MIN_CARDS:
        return kept
    _, where, group = np.unique(cards.families(blocks), return_index=True, return_inverse=True)
    pair = distinct(group * (int(target.max()) + 1) + target[cards.first]) // (int(target.max()) + 1)

    def of_groups(values: Floats) -> Floats:
        """Sums over the cards of each group."""
        return np.asarray(np.bincount(group, cards.total(values), len(where)))

    around = rows.parent[cards.row[where]]
    total = prefix_sum(size)
    beside = total[np.searchsorted(blocks.first, rows.end[around])] - total[np.searchsorted(blocks.first, around)]
    mine, mine_kept = of_groups(size), of_groups(np.where(kept, size, 0.0))
    differ = np.nan_to_num(of_site[:, _DISTINCT].astype(np.float64), nan=1.0)
    differ[of_site[:, _COUNT] > np.log1p(MIN_PAGES - 0.5)] = 0.0
    out = (np.bincount(pair, minlength=len(where)) >= MIN_CARDS) & (mine_kept > 0) & (mine >= LINKED * beside)
    out &= (of_groups(size * score) < SURE * mine) & (of_groups(size * differ) <= MOST_DISTINCT * mine)
    of_page = np.bincount(page, np.where(kept, size, 0.0), len(may))
    of_cards = np.bincount(rows.page[around], np.where(out, mine_kept, 0.0), len(may))
    out &= (of_cards <= OF_PAGE * of_page)[rows.page[around]]
    if not out.any():
        return kept
    return kept & ~cards.only(out[group]).blocks(len(kept))


def targets(evidence: Evidence, wanted: Bools) -> Ints64:
    """Per block: the number of the address that the link around it leads to, -1 for none, its own page or another site.

    A loop over the different addresses of the wanted blocks, because they are text.
    """
    blocks, rows = evidence.blocks, evidence.blocks.rows
    target = np.full(len(blocks), -1, np.int64)
    link, value = links_of(rows)
    first, last = np.searchsorted(blocks.last, link), blocks.before[rows.end[link]]
    n_wanted = prefix_sum(wanted.astype(np.int64))
    some = np.flatnonzero((first < last) & (n_wanted[last] - n_wanted[np.minimum(first, len(blocks))] > 0))
    some = some[_lead_elsewhere(rows, rows.page[link[some]], value[some])]
    # Of several links around a block the first counts: each begins where those before it end.
    begin = np.maximum(first[some], np.concatenate([[0], np.maximum.accumulate(last[some])])[: len(some)])
    size = np.maximum(last[some] - begin, 0)
    target[np.arange(int(size.sum())) + np.repeat(begin - offsets(size)[:-1], size)] = np.repeat(value[some], size)
    target[~wanted] = -1
    return target


def _lead_elsewhere(rows: Rows, page: Ints32, value: Ints32) -> Bools:
    """Per link, by its page and its address as it is written: whether it leads to another page of the site.

    Each different address is read once, since pages of a site have most of them in common.
    """
    number: dict[str, int] = {}

    def numbers(texts: Iterable[str]) -> Ints64:
        return np.array([number.setdefault(text, len(number)) for text in texts], np.int64)

    values, at = np.unique(value, return_inverse=True)
    hrefs = [_read(rows.site.strings[v]) for v in values.tolist()]
    urls = rows.site.pages.url[rows.first_page : rows.last_page]
    own, own_site = numbers(url.partition("#")[0] for url in urls), numbers(site_key(host_of(url)) for url in urls)
    to, site = numbers(href for href, _ in hrefs)[at], numbers(site for _, site in hrefs)[at]
    return np.asarray((to != own[page]) & ((site == own_site[page]) | (site == number.get(_OWN_SITE, -1))))


@lru_cache(maxsize=1 << 13)
def _read(href: str) -> tuple[str, str]:
    """An address as it is written, without its fragment, and the site that it leads to."""
    href = href.strip().partition("#")[0]
    scheme, colon, _ = href.partition(":")
    if colon and "/" not in scheme and "?" not in scheme:
        return href, site_key(host_of(href)) if scheme.lower() in ("http", "https") else _NO_SITE
    if href.startswith("//"):
        return href, site_key(host_of(href))
    return href, _OWN_SITE if href else _NO_SITE
