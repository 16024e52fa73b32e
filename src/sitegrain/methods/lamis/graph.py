"""The links between the pages of a site, with what their anchors say."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.entropy import term_entropy
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.ragged import span_mean
from sitegrain.arrays.types import Floats, Ints64
from sitegrain.light import dataclass
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.text.terms import Terms


@dataclass(frozen=True, eq=False)
class SiteGraph:
    """One edge per link between two different pages of the set; several anchors are several links."""

    n_pages: int
    link: Ints64
    """Row of `Site.links` of each edge."""
    source: Ints64
    target: Ints64
    entropy: Floats
    """Mean entropy of the anchor's terms; NaN for an anchor without terms (an image, a number)."""
    n_terms: Ints64
    """Terms in the anchor text."""

    def __len__(self) -> int:
        return len(self.link)

    @property
    def n_pairs(self) -> int:
        """Pairs of pages of which one links to the other, however often."""
        return len(distinct(self.source * max(self.n_pages, 1) + self.target))

    @property
    def information(self) -> Floats:
        """`1 - entropy` of each edge. An anchor without terms is no evidence of information: 0."""
        return np.where(np.isnan(self.entropy), 0.0, 1.0 - self.entropy)


@per_site
def site_graph(site: Site, terms: Terms) -> SiteGraph:
    """The link graph of a site. Self links and links that leave the set are left out."""
    entropy = term_entropy(terms.page_term)
    links = site.links
    kept = np.flatnonzero((links.target >= 0) & ~links.is_self & (links.target != links.page))
    node = links.node[kept]
    start, end = terms.node_offset[node], terms.node_offset[site.nodes.end[node]]
    # Rounding of prefix sums may leave 0...1 by some 1e-12 on a large site.
    mean = np.clip(span_mean(entropy[terms.ids], start, end), 0.0, 1.0)
    return SiteGraph(
        site.n_pages,
        kept.astype(np.int64),
        links.page[kept].astype(np.int64),
        links.target[kept].astype(np.int64),
        mean,
        (end - start).astype(np.int64),
    )


def page_facts(site: Site) -> dict[str, Ints64]:
    """What the paper's feature extractor keeps of every page: in-degree, out-degree and length of text.

    Degrees count pages of the set, each once; a link of a page to itself counts for neither.
    """
    links, n = site.links, max(site.n_pages, 1)
    kept = (links.target >= 0) & ~links.is_self & (links.target != links.page)
    pair = distinct(links.page[kept].astype(np.int64) * n + links.target[kept])
    return {
        "in_degree": np.bincount(pair % n, minlength=site.n_pages).astype(np.int64),
        "out_degree": np.bincount(pair // n, minlength=site.n_pages).astype(np.int64),
        "text_length": np.fromiter(map(len, site.texts), np.int64, site.n_pages),
    }
