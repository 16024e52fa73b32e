"""Links that lead on, told from those of menus by their place and by what the page they lead to has.

A book names its chapters twice: in the menu of every page, and in the list of the page that is there for it. By its address
and words, a link of that list is the menu's; by its place it is the page's own. And the menu of a small section stands on
few pages, as a list of the page's own does, but the pages that it leads to have it too: who follows a list does not come to
the same list again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.hashing import mix
from sitegrain.arrays.late import sparse
from sitegrain.arrays.types import Bools, Floats, Floats32, Hashes, Ints32
from sitegrain.native import page_keys
from sitegrain.roles.counts import on_page
from sitegrain.roles.links.flow import numbered, stretch_columns, target_columns
from sitegrain.roles.parts import OWN, Columns, PageParts, let_go, share

SAME_LIST = 0.5
"""Share of a list from which the page that a link of it leads to has the same list; set beforehand."""
SHARE_UNIT = 2.0**20
LINKS_AT_ONCE = 1 << 14
"""Links whose lists are compared at once: bounds the memory."""


class Listed(NamedTuple):
    """Links that a few pages have at the same place, as the menu of a section is, each once a page."""

    page: Ints32
    group: Hashes
    """Of page and place."""
    key: Hashes
    """Of address, anchor and place."""


class PlacedLinks(NamedTuple):
    """Links that are a page's own at their place: each group that stands alike with each page that it leads to."""

    source: Ints32
    target: Ints32
    group: Hashes
    size: Floats32
    """Different links of the group."""
    is_named: Bools
    """One of them says what the page that it leads to is called."""


def placed_columns(parts: PageParts, columns: Columns, alone: Bools, prose: Bools) -> None:
    """Links that are the page's own at their place: how many, how much of its text, how many stand alone."""
    site, placed = parts.site, parts.link_placed
    columns.relative("site_placed_links", parts.targets(placed))
    length = (site.nodes.text_end - site.nodes.text_start)[site.links.node[placed]]
    chars = np.bincount(site.links.page[placed], length, minlength=site.n_pages).astype(np.float64)
    columns.add("site_placed_density", share(chars, chars + parts.per_page(prose, parts.length)))
    columns.add("site_placed_more", share(parts.per_page_links(placed & ~parts.link_own), parts.per_page_links(placed)))
    stretch_columns(parts, columns, "site_placed", placed & alone, prose)


def listed_links(parts: PageParts) -> Listed:
    """What may be a menu of a section; with links to the page itself, which stand there where others lead to it."""
    links = parts.site.links
    some = np.flatnonzero(links.is_same_site & (parts.placed_pages >= 2) & (parts.placed_weight > OWN))
    some = some[page_keys(links.page[some], parts.link_key[some]).is_first]
    page = links.page[some].astype(np.int64) + parts.first
    return Listed(page.astype(np.int32), on_page(page, parts.link_place[some]), parts.link_key[some])


def placed_links(parts: PageParts, in_set: Bools, is_named: Bools) -> PlacedLinks:
    """The links that may lead on: those to other pages at hand that are the page's own at their place."""
    some = np.flatnonzero(parts.link_placed & in_set)
    source = parts.site.links.page[some].astype(np.int64) + parts.first
    group = on_page(source, parts.link_place[some])
    of = page_keys(source, group).which
    is_first = page_keys(source, parts.link_key[some]).is_first
    size = np.bincount(of[is_first], minlength=1)[of].astype(np.float32)
    # Mixed again: a sum of the keys of two pages is the same for the way back.
    pairs = page_keys(source, on_page(parts.target[some], mix(group)))
    named = np.bincount(pairs.which, is_named[some], minlength=len(pairs.key)) > 0
    first = np.empty(len(pairs.key), np.int64)
    first[pairs.which[pairs.is_first]] = np.flatnonzero(pairs.is_first)
    ends = source[first].astype(np.int32), parts.target[some][first].astype(np.int32)
    return PlacedLinks(*ends, group[first], size[first], named)


def leading_columns(
    columns: Columns, placed: Iterable[PlacedLinks], listed: Listed, template: npt.NDArray[np.int32]
) -> sparse.csr_array:
    """What links lead on: how many, to what, by which words. Returns pages x pages. The links are those of some pages after those of
    others: of all together no more is kept than which lead on."""
    n = columns.n
    lists = Lists(listed, n)
    del listed
    let_go(n)
    every, same_list = np.zeros(n), np.zeros(n)
    source, target, is_named = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)], [np.zeros(0, bool)]
    for links in placed:
        same = lists.shares(links)
        start = int(links.source.min(initial=n))
        for total, weight in ((every, None), (same_list, same)):
            some = np.bincount(links.source - start, weight)
            total[start : start + len(some)] += some
        leads = same < SAME_LIST
        source.append(links.source[leads])
        target.append(links.target[leads])
        is_named.append(links.is_named[leads])
    del lists
    columns.add("site_same_list", np.where(every > 0, same_list / np.maximum(every, 1), np.nan))
    pairs, chosen = (np.concatenate(source), np.concatenate(target)), np.concatenate(is_named)
    graph, named = _pairs(pairs, n), _pairs((pairs[0][chosen], pairs[1][chosen]), n)
    on, on_named = (np.asarray(g.sum(axis=1), np.float64).reshape(-1) for g in (graph, named))
    led, led_named = (np.asarray(g.sum(axis=0), np.float64).reshape(-1) for g in (graph, named))
    columns.relative("site_lead_on", on)
    columns.add("site_lead_on_share", share(on, columns["site_placed_links"]))
    columns.log("site_lead_on_named", on_named)
    columns.add("site_lead_on_named_share", share(on_named, on))
    columns.add("site_led_named_share", share(led_named, led))
    target_columns(columns, graph, columns["site_prose_chars"], template, "site_lead")
    return graph


def _pairs(links: tuple[Ints32, Ints32], n: int) -> sparse.csr_array:
    """Pages x pages: 1 where a link leads from one to the other."""
    graph = sparse.csr_array((np.ones(len(links[0]), np.float32), links), shape=(n, n))
    graph.sum_duplicates()
    graph.data[:] = 1.0
    return graph


class Lists:
    """What stands in which list, and on which page."""

    def __init__(self, listed: Listed, n: int) -> None:
        self._groups, row = numbered(listed.group)
        keys, column = numbered(listed.key)
        ones, width = np.ones(len(column), np.int8), max(len(keys), 1)
        self._lists = sparse.csr_array((ones, (row, column)), shape=(max(len(self._groups), 1), width))
        self._pages = sparse.csr_array((ones, (listed.page, column)), shape=(n, width))

    def shares(self, placed: PlacedLinks) -> Floats:
        """For each of the links: the share of those beside it that the page it leads to has at the same place."""
        groups = self._groups
        at = np.minimum(np.searchsorted(groups, placed.group), max(len(groups) - 1, 0))
        has = np.flatnonzero(groups[at] == placed.group) if len(groups) else np.zeros(0, np.int64)
        out = np.zeros(len(placed.source))
        for start in range(0, len(has), LINKS_AT_ONCE):
            some = has[start : start + LINKS_AT_ONCE]
            both = self._lists[at[some]].multiply(self._pages[placed.target[some]])
            out[some] = np.asarray(both.sum(axis=1)).reshape(-1) / placed.size[some]
        # Multiples of a power of 2, so that sums do not depend on the order that the parts of a site come in.
        return np.asarray(np.rint(np.minimum(out, 1.0) * SHARE_UNIT) / SHARE_UNIT, np.float64)
