"""Labels of the template: short lines that half of the pages of a site have at the same place."""

from __future__ import annotations

import re

import numpy as np

from sitegrain.arrays.types import Bools, Floats, Floats32
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.kept import without
from sitegrain.extractor.mending.links import links_of_blocks
from sitegrain.extractor.stages import SITE_NAMES
from sitegrain.tables.address import page_key, resolve

_PAGES, _SAME, _DISTINCT = map(SITE_NAMES.index, ("site_pages", "site_same", "path_distinct"))
MIN_PAGES = 20
"""Pages of a site of which half say something: of ten, five may be one product in five sizes."""
SAME, MOST_DISTINCT = 0.5, 0.5
"""Share of the pages that have the line word for word, and share of the texts at its place that may differ. Out of fold, articles of 66 sites: 46 better
and none worse; where any place will do, lines of the text go on one site in ten, and with 0.3 of the pages labels of manuals ("Note")."""
MIN_WORDS, MAX_WORDS = 2.0, 12.0
"""Words of such a line: a single one may be the cell of a table or a name, and a longer one is text, which comes again where content does."""
OF_PAGE = 0.4
"""Share of the kept words of a page that may be labels. Where more come again, or longer lines do, the site's content does: one product on many pages."""
DOUBT = 0.5
"""Score below which a longer text that half of the pages have is a notice of the template ("The forum has moved"): more likely no content, and said by
the site and not by the page. Of up to 80 articles each of 66 sites, out of fold, four change: two have their own text for a notice, two lose a line on
copying that their gold has."""
FOOT_WORDS = 40.0
"""Words of a line that says whose the site is. Set beforehand."""
_OWNED = re.compile(r"©|\(c\) ?(?:19|20)\d\d|\bcopyright\b|all rights reserved", re.IGNORECASE)
LINKED = 0.99
"""Share of a line in links, from which all of it is a link."""


def without_labels(evidence: Evidence, of_site: Floats32, score: Floats, kept: Bools) -> Bools:
    """The kept blocks without short lines, headings apart, that half of the pages have at a place where most texts are the same; without longer ones
    that are doubtful; without those that are a link to a place of their own page ("Order now"), whatever else the page has: such a line is a button;
    and without those that say whose the site is ("© Tea Society"), wherever they stand: on a site made by hand that is a paragraph like others."""
    words = evidence.words
    again = kept & (of_site[:, _SAME] >= SAME) & (of_site[:, _PAGES] >= np.log1p(MIN_PAGES) - 1e-4)
    if not again.any():
        return kept
    gone = [
        block
        for block in np.flatnonzero(again & (words <= FOOT_WORDS)).tolist()
        if _OWNED.search(evidence.blocks.text(block))
    ]
    gone += np.flatnonzero(again & (score < DOUBT) & (words > MAX_WORDS)).tolist()
    again[gone] = False
    short = again & (words >= MIN_WORDS) & (words <= MAX_WORDS)
    if not short.any():
        return without(kept, gone)
    short &= evidence.column("in_heading") <= 0
    label = short & (of_site[:, _DISTINCT] <= MOST_DISTINCT)
    page, size = evidence.blocks.page, words + 1.0
    mine, total, long = (
        np.bincount(page, np.where(some, size, 0.0)) for some in (label, kept, again & (words > MAX_WORDS))
    )
    button = buttons(evidence, short & (evidence.column("link_density") >= LINKED))
    label &= ((mine <= OF_PAGE * total) & (long == 0))[page]
    label[button] = True
    label[gone] = True
    return kept & ~label if label.any() else kept


def buttons(evidence: Evidence, linked: Bools) -> list[int]:
    """Those of some blocks all of whose links lead to a place of their own page; a loop over few, because addresses are text."""
    if not linked.any():
        return []
    blocks = evidence.blocks
    pages, first = blocks.rows.site.pages.url, blocks.rows.first_page
    return [
        block
        for block, links in links_of_blocks(blocks, linked).items()
        if all(_is_place(link.href, pages[first + int(blocks.page[block])]) for link in links)
    ]


def _is_place(href: str, url: str) -> bool:
    address, sign, _ = href.partition("#")
    return bool(sign) and (not address or page_key(resolve(address, url)) == page_key(url))
