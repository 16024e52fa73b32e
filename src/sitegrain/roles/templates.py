"""Pages of one template: clusters by structure and language, not by address.

A page is the set of its structural features: paths of tags from the root, and pairs of tag and class name. What
stands on nearly every page or on nearly none says nothing about templates and is left out. A leader takes all
pages that are similar enough, the next page that is left becomes the next leader: one sparse product per
leader, so the cost is linear in pages for each template. Names count only by equality: a site whose names
are scrambled gives the same clusters.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sitegrain.arrays.counts import Counts
from sitegrain.arrays.ragged import offsets, segment_sum
from sitegrain.arrays.types import Floats, Hashes, Ints32, Ints64
from sitegrain.light import dataclass
from sitegrain.native import page_keys, string_hashes
from sitegrain.tables.elements import tag_places
from sitegrain.tables.memo import per_site
from sitegrain.tables.repeats import named_rows
from sitegrain.tables.site import Site
from sitegrain.text.language import page_script

SIMILARITY = 0.6
"""Weighted Jaccard from which two pages are of one template. The only value tried. With it the clusters of the thirty
labelled sites hold one role at 0.955 of the pages on average (0.64 at worst, where articles and plain pages share a
template), in 2 to 67 clusters, 9.5 at the median."""
MAX_DEPTH = 14
"""Paths below this depth belong to the content and not to the layout."""
MAX_LEADERS = 200
"""After so many templates every page that is left is a cluster of its own."""


@dataclass(frozen=True, eq=False)
class PageStructure:
    """Structural features of pages, as keys that mean the same on every page of every part of a site."""

    key: Hashes
    """The different features, ascending."""
    pages: Ints64
    """On how many pages each is."""
    page: Ints32
    which: Ints32
    """Every different page and feature, in no order."""

    def counts(self) -> Counts:
        """Pages by feature."""
        return Counts(self.key, self.pages.reshape(-1, 1))


@per_site
def page_structure(site: Site) -> PageStructure:
    """What the pages of a site are built of."""
    nodes = site.nodes
    elements = np.flatnonzero(~site.is_text & (nodes.depth <= MAX_DEPTH))
    token_row, token, names = named_rows(site)
    with np.errstate(over="ignore"):
        named = string_hashes(names)[token] * np.uint64(0xD6E8FEB86659FD93) if len(token) else np.zeros(0, np.uint64)
        named ^= nodes.tag[token_row].astype(np.uint64)
    page = np.concatenate((nodes.page[elements], nodes.page[token_row]))
    found = page_keys(page, np.concatenate((tag_places(site)[elements], named)))
    return PageStructure(found.key, found.pages, page[found.is_first], found.which[found.is_first])


@dataclass(frozen=True, eq=False)
class Structure:
    """Which of the features that tell templates apart some pages have."""

    offset: Ints64
    """n_pages + 1 entries."""
    feature: Ints32
    """Rows of `telling_features`, ascending within a page."""
    script: tuple[str, ...]
    """Per page: its script."""

    @classmethod
    def of(cls, site: Site, telling: Counts) -> Structure:
        """Of the pages of a site, or of a part of it."""
        found = page_structure(site)
        row = telling.row(found.key)[found.which]
        page, row = found.page[row >= 0], row[row >= 0]
        feature = np.sort(page * np.int64(len(telling)) + row) % max(len(telling), 1)
        size = np.bincount(page, minlength=site.n_pages)
        return cls(offsets(size), feature.astype(np.int32), tuple(page_script(site, p) for p in range(site.n_pages)))

    @classmethod
    def joined(cls, parts: Sequence[Structure]) -> Structure:
        """The pages of all parts, in their order."""
        size = np.concatenate([np.diff(part.offset) for part in parts])
        script = tuple(s for part in parts for s in part.script)
        return cls(offsets(size), np.concatenate([part.feature for part in parts]), script)


def telling_features(structure: Counts, n_pages: int) -> Counts:
    """The features that are on neither too few nor nearly all pages."""
    df = structure.times
    # On one page of a hundred or fewer: content, not template. On 98 of a hundred: every template has it.
    return structure.where((df >= max(2.0, 0.01 * n_pages)) & (df <= 0.98 * n_pages))


@per_site
def page_templates(site: Site, similarity: float = SIMILARITY, by_language: bool = True) -> Ints32:
    """Cluster number of each page, largest cluster first (0); pages of one cluster share template and language.

    A site without structural differences is one cluster.
    """
    telling = telling_features(page_structure(site).counts(), site.n_pages)
    return templates_of(Structure.of(site, telling), telling, similarity, by_language)


def templates_of(
    structure: Structure, telling: Counts, similarity: float = SIMILARITY, by_language: bool = True
) -> Ints32:
    """The same from the structure of all pages."""
    n = len(structure.offset) - 1
    if n == 0:
        return np.zeros(0, np.int32)
    cluster = _leaders(structure, telling.times, similarity)
    if by_language:
        codes: dict[str, int] = {}
        language = np.array([codes.setdefault(script, len(codes)) for script in structure.script], np.int64)
        cluster = cluster * max(len(codes), 1) + language
    _, first, number, size = np.unique(cluster, return_index=True, return_inverse=True, return_counts=True)
    rank = np.empty(len(size), np.int32)
    rank[np.lexsort((first, -size))] = np.arange(len(size), dtype=np.int32)
    template = rank[number.reshape(-1)]
    template.setflags(write=False)
    return template


def _leaders(structure: Structure, df: Ints64, similarity: float) -> Ints64:
    n, width = len(structure.offset) - 1, len(df)
    cluster = np.full(n, -1, np.int64)
    if width == 0:
        return np.zeros(n, np.int64)
    # A feature on half of the pages parts them best; rare ones are mostly content that looks like layout.
    share = df / n
    weight = np.sqrt(4 * share * (1 - share)) + 1e-9

    def sums(of_feature: Floats) -> Floats:
        return segment_sum(of_feature[structure.feature], structure.offset)

    total = sums(weight)
    # Pages like many others lead first: a leader in the middle of its template takes it whole.
    centre = sums(weight * df) / np.maximum(total, 1e-9)
    order = np.lexsort((np.arange(n), -centre))
    found = 0
    for page in order.tolist():
        if cluster[page] >= 0:
            continue
        if found >= MAX_LEADERS:
            cluster[page] = found
            found += 1
            continue
        row = np.zeros(width)
        own = structure.feature[structure.offset[page] : structure.offset[page + 1]]
        row[own] = weight[own]
        shared = sums(row)
        union = total + total[page] - shared
        alike = np.where(union > 0, shared / np.maximum(union, 1e-12), 1.0)
        cluster[(cluster < 0) & (alike >= similarity)] = found
        cluster[page] = found
        found += 1
    return cluster
