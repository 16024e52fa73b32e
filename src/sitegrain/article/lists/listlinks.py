"""What is asked of the links of every list, found for all links of a site at once and read as views of memory: single numbers come out
of them at once, where arrays of each page took as long to make as its list to find."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import nearest, prefix_sum
from sitegrain.arrays.types import Bools, Floats
from sitegrain.article.lists.sitelinks import in_headings
from sitegrain.tables.elements import first_name_places
from sitegrain.tables.memo import per_site
from sitegrain.tables.paths import shared_anchor_texts
from sitegrain.tables.site import Site
from sitegrain.tables.tags import ATTRIBUTES, BLOCK_TAGS, TAG_CODE, tag_mask

LEAD = 40
"""Characters before a link in its block beyond which it stands within prose: a date or a number is shorter."""
SCORE_STEPS = 2.0**24
"""Steps from 0 to 1 in which scores are added up."""
_ARTICLE, _BR = TAG_CODE["article"], TAG_CODE["br"]
_HREF, _REL, _TITLE = map(ATTRIBUTES.index, ("href", "rel", "title"))
_TURN = re.compile(r"(?:prev(?:ious)?|next)(?: (?:chapter|page|topic|section|nofollow))?", re.IGNORECASE)
LONGEST_TURN = len("previous chapter")
_IS_BLOCK = tag_mask(BLOCK_TAGS)
_FILES = frozenset(
    "jpg jpeg png gif webp svg bmp pdf zip gz bz2 tgz mp3 mp4 ogg avi mov doc docx ppt pptx xls xlsx exe rar".split()
)
_MAY_SAY_WHEN = re.compile(r"[\d#]|^\W*perm", re.IGNORECASE)
"""In ASCII nothing else is a time, a date or a permalink."""
_ACTION = re.compile(r"(?:[?&]|%3f)(?:add[-_]to[-_]\w+|remove_item|replytocom|orderby|share|redlink)=", re.IGNORECASE)


class LinkColumns(NamedTuple):
    """Per link of a site."""

    row: Sequence[int]
    is_same_site: Sequence[int]
    is_shown: Sequence[int]
    """It has text."""
    is_within_prose: Sequence[int]
    """Text stands before it in its block, other links aside."""
    to_section: Sequence[int]
    """It leads to a place within a page."""
    around: Sequence[int]
    """The element around it."""
    slot: Sequence[int]
    """The place of that element."""
    in_heading: Sequence[int]
    may_say_when: Sequence[int]
    """Its text may be a time, a date or a permalink."""


class EntryLinks(NamedTuple):
    """The links of a site that may be entries: they lead to another page."""

    links: list[int]
    start: list[int]
    """Per page: where its links begin; one more for the end."""

    def of_page(self, page: int) -> list[int]:
        """Those of one page."""
        return self.links[self.start[page] : self.start[page + 1]]


@per_site
def entry_links(site: Site) -> EntryLinks:
    """Which links may be entries."""
    links = site.links
    is_page = np.array([bool(url) and not _is_no_page(url) for url in links.addresses], bool)
    found = np.flatnonzero(is_page[links.address] & ~links.is_self) if len(links) else np.zeros(0, np.int64)
    found = found[~_turn(site)[links.node[found]]]
    start = np.searchsorted(links.page[found], np.arange(site.n_pages + 1, dtype=np.int32))
    return EntryLinks(found.tolist(), start.tolist())


def _turn(site: Site) -> Bools:
    """Per row: it says that it only turns the page, by `rel` or as Sphinx does: what comes before a chapter is no part of it."""
    attrs = site.attrs
    at = np.flatnonzero((attrs.name == _REL) | (attrs.name == _TITLE))
    values = distinct(attrs.value[at])
    says = np.zeros(len(site.strings), bool)
    strings = map(site.strings.__getitem__, values.tolist())
    says[values] = [len(said) <= LONGEST_TURN and _TURN.fullmatch(said) is not None for said in strings]
    out = np.zeros(site.n_nodes, bool)
    out[attrs.node[at]] = says[attrs.value[at]]
    return out


@per_site
def link_columns(site: Site) -> LinkColumns:
    """Look at all links of a site."""
    links, nodes = site.links, site.nodes
    rows, around = links.node, nodes.parent[links.node]
    return LinkColumns(
        rows.data,
        links.is_same_site.data,
        (nodes.text_end[rows] > nodes.text_start[rows]).data,
        _are_within_prose(site).data,
        _lead_to_sections(site).data,
        around.data,
        first_name_places(site)[np.maximum(around, 0)].data,
        in_headings(site).data,
        _may_say_when(site).data,
    )


def _are_within_prose(site: Site) -> Bools:
    """Per link: it stands so far into its block that other text than links to other pages stands before it there."""
    rows, nodes = site.links.node, site.nodes
    up = nearest(nodes.parent, _IS_BLOCK[nodes.tag], strictly=True)[rows].astype(np.int64)
    out = (up >= 0) & (nodes.text_start[rows] - nodes.text_start[up] > LEAD)
    late = np.flatnonzero(out)
    if not len(late):
        return out
    # A list may be lines of one block: what stands before the last line break is another item. Lists that are lines of one block are older than
    # `<article>`, where lines are those of a post.
    is_new = np.zeros(site.n_pages + 1, bool)
    is_new[nodes.page[np.flatnonzero(nodes.tag == _ARTICLE)]] = True
    breaks = np.flatnonzero(nodes.tag == _BR)
    breaks = np.append(-1, breaks[~is_new[nodes.page[breaks]]])
    up = np.maximum(up[late], breaks[np.searchsorted(breaks, rows[late]) - 1])
    own = rows[entry_links(site).links]
    sizes = prefix_sum(nodes.text_end[own] - nodes.text_start[own])
    linked = sizes[np.searchsorted(own, rows[late])] - sizes[np.searchsorted(own, up)]
    out[late] = nodes.text_start[rows[late]] - nodes.text_start[up] - linked > LEAD
    return out


def may_say_when(title: str) -> bool:
    """False for a text, as most are, that is no time, no date and no permalink."""
    return bool(title) and (not title.isascii() or _MAY_SAY_WHEN.search(title) is not None)


def _may_say_when(site: Site) -> Bools:
    """The same of the text of each link."""
    texts = shared_anchor_texts(site)
    return np.array([may_say_when(text) for text in texts.strings], bool)[texts.which]


def _lead_to_sections(site: Site) -> Bools:
    """Per link: its `href` has a "#"."""
    attrs = site.attrs
    at = np.flatnonzero(attrs.name == _HREF)
    values = distinct(attrs.value[at])
    has_sign = np.zeros(len(site.strings), bool)
    has_sign[values] = ["#" in site.strings[v] for v in values.tolist()]
    out = np.zeros(site.n_nodes, bool)
    out[attrs.node[at]] = has_sign[attrs.value[at]]
    return out[site.links.node]


class TextScores(NamedTuple):
    """Scores of text nodes, added up: the mean of the same texts is the same wherever they stand, as they are whole numbers."""

    total: Sequence[int]
    """Of all rows before each."""
    n: Sequence[int]
    """Text nodes before each."""

    @classmethod
    def of(cls, site: Site, score: Floats) -> TextScores:
        """`score` is a `NodeVerdict.node_score`."""
        said = np.where(site.is_text, score * SCORE_STEPS, 0.0).astype(np.int64)
        return cls(prefix_sum(said).data, prefix_sum(site.is_text).data)


def _is_no_page(address: str) -> bool:
    """True for the address of a file, and for one that does something ("add to cart") instead of leading on."""
    _, dot, ending = address.partition("?")[0].rpartition(".")
    return (bool(dot) and ending.lower() in _FILES) or ("=" in address and _ACTION.search(address) is not None)
