"""The simplest methods: what any other has to beat. None of them learns anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sitegrain.methods.base import (
    ARTICLE,
    OTHER,
    TOC,
    Blocks,
    NodeMethod,
    NodeVerdict,
    PageMethod,
    PageVerdict,
    text_verdict,
)
from sitegrain.methods.blockwise import unseen
from sitegrain.tables.site import Site


@dataclass
class Everything(NodeMethod):
    """Keep all text that a reader sees ("Origin" of the papers); one block per page."""

    name: ClassVar[str] = "everything"

    def apply(self, site: Site) -> NodeVerdict:
        """Every text node that is seen is kept."""
        kept = site.is_text & ~unseen(site, ("head", "noscript", "template"))
        rows = np.diff(site.pages.node_offset) > 0
        block_of_page = np.cumsum(rows) - 1
        node_block = np.where(site.is_text, block_of_page[site.nodes.page], -1).astype(np.int32)
        node = site.pages.node_offset[:-1][rows].astype(np.int32)
        n = len(node)
        blocks = Blocks(node, np.ones(n), np.ones(n, bool), ("all text is kept",) * n)
        return NodeVerdict(kept.astype(np.float64), kept, node_block, blocks)


@dataclass
class Origin(NodeMethod):
    """Keep every text node, seen or not: no cleaning at all.

    Paper: the row "Origin" of the site style tree with sentences (results before cleaning).
    """

    name: ClassVar[str] = "origin"

    def apply(self, site: Site) -> NodeVerdict:
        """Every text node is kept."""
        top = site.pages.node_offset[:-1][site.nodes.page[site.text_rows]]
        score = np.ones(len(site.text_rows))
        return text_verdict(site, score, score > 0, top, lambda block: "no cleaning")


@dataclass
class OutlinkCount(PageMethod):
    """TOC pages have many links to other pages of the site, article pages have much text beside them.

    A page is a TOC page when more than half of its text stands in links to other pages, and an article
    otherwise; pages with hardly any text are neither.

    Parameters: `min_characters`, a page with less text outside of links is no article (200: about two sentences).
    """

    name: ClassVar[str] = "outlink-count"

    min_characters: int = 200

    def apply(self, site: Site) -> PageVerdict:
        """Judge every page."""
        links = site.links
        out = (links.target >= 0) & ~links.is_self
        count = np.bincount(links.page[out], minlength=site.n_pages).astype(np.float64)
        length = (site.nodes.text_end - site.nodes.text_start).astype(np.float64)
        linked = np.bincount(links.page, length[links.node], minlength=site.n_pages)
        total = np.array([len(text) for text in site.texts], np.float64)
        plain = np.maximum(total - linked, 0)
        share = linked / np.maximum(total, 1)
        role = np.where(share > 0.5, TOC, np.where(plain >= self.min_characters, ARTICLE, OTHER)).astype(np.int8)
        most = max(float(count.max(initial=0)), 1.0)
        return PageVerdict(
            page_toc=count / most,
            page_article=1 - share,
            page_role=role,
            page_confidence=np.abs(share - 0.5) * 2,
            evidence={"n_outlinks": count, "link_share": share},
        )
