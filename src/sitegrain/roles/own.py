"""The page against its site, as far as it can be told page by page once the site was counted: what of a page is its own.

What needs other pages than by their counts (who links to a page, what its neighbours say) is left for `graph`, which has
the links of all pages together; `PageEvidence` is what a part of a site hands over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sitegrain.arrays.counts import Counts, Distinct, merged, units
from sitegrain.arrays.ragged import offsets, segment_sum
from sitegrain.arrays.types import Bools, Floats, Floats32, Ints32, Ints64
from sitegrain.light import dataclass
from sitegrain.native import page_keys, string_hashes
from sitegrain.native.scripts import DENSE, char_class
from sitegrain.roles.counts import entropies, on_page
from sitegrain.roles.links.flow import PageTexts, headed_columns, links_alone, quoted_texts, rel_links, stretch_columns
from sitegrain.roles.links.leading import Listed, PlacedLinks, listed_links, placed_columns, placed_links
from sitegrain.roles.links.ways import home_frames
from sitegrain.roles.menus import text_keys
from sitegrain.roles.parts import (
    LONG_TEXT,
    OWN,
    RARE,
    Columns,
    PageParts,
    group_columns,
    heading_columns,
    share,
)
from sitegrain.roles.templates import Structure, telling_features
from sitegrain.roles.titles import own_images, prose_texts
from sitegrain.tables.tags import tag_mask
from sitegrain.text.terms import site_terms
from sitegrain.text.words import fold

_DENSE = re.compile(f"[{char_class(DENSE)}]")
_IS_LABEL = tag_mask(("title", "option", "button", "label"))
INTO = (
    "named",
    "words",
    "own_named",
    "own_words",
    "match",
    "own_match",
    "tag",
    "bookmark",
    "author",
    "next",
    "place",
    "entropy",
    "home_frame",
)
"""What is added up over the links to a page, after their number; words, place and entropy are in units. Last, frames of the home page,
which are no links and are in their number until `graph` takes them out."""


class Edges(NamedTuple):
    """Pairs of pages with links from one to the other, each pair once."""

    source: Ints32
    target: Ints32
    links: Floats32
    """How many."""
    information: Floats
    """Sum of what their anchors tell."""
    weighted: Floats
    """The same, anchors of more terms counting more."""
    is_own: Bools
    """A link of the page's own is among them."""


@dataclass(frozen=True, eq=False)
class PageEvidence:
    """What some pages of a site say of their roles, to be joined with the others'."""

    columns: Columns
    edges: Edges
    into: Counts
    """By the page that is linked to: links, and the sums of `INTO`."""
    names: Distinct
    """Anchors of each page that is linked to."""
    copied: PageTexts
    quoted: PageTexts
    listed: Listed
    placed: PlacedLinks
    structure: Structure
    link_entropy: Floats
    """Per link of these pages: the mean entropy of its terms; NaN for those that lead to no other page or say nothing."""

    def placed_links(self) -> Iterator[PlacedLinks]:
        """`placed`, some pages after others."""
        yield self.placed

    @classmethod
    def joined(cls, parts: Sequence[PageEvidence]) -> PageEvidence:
        """The pages of all parts, which are given in their order."""
        edges = Edges(*(np.concatenate(column) for column in zip(*(p.edges for p in parts), strict=True)))
        names = Distinct.joined([p.names for p in parts])
        return cls(
            Columns.joined((p.columns for p in parts), sum(p.columns.n for p in parts)),
            edges,
            merged([p.into for p in parts], n_columns=1 + len(INTO)),
            names,
            PageTexts.joined([p.copied for p in parts]),
            PageTexts.joined([p.quoted for p in parts]),
            Listed(*(np.concatenate(column) for column in zip(*(p.listed for p in parts), strict=True))),
            PlacedLinks(*(np.concatenate(column) for column in zip(*(p.placed for p in parts), strict=True))),
            Structure.joined([p.structure for p in parts]),
            np.concatenate([p.link_entropy for p in parts]),
        )


def own_columns(parts: PageParts, columns: Columns) -> Bools:
    """What of a page is its own; returns the text nodes of its prose."""
    site = parts.site
    own = parts.per_page(None, parts.own_length)
    columns.relative("site_own_chars", own)
    columns.add("site_own_share", share(own, parts.per_page(None, parts.length)))
    columns.add("site_own_density", share(parts.per_page(parts.linked, parts.own_length), own))
    long = (parts.length >= LONG_TEXT) & ~parts.linked
    columns.relative("site_own_long", parts.per_page(long, parts.own_length))
    pages = parts.text_pages[parts.text]
    columns.add("site_unique_share", share(parts.per_page(pages == 1, parts.length), own))
    # The body: what is neither title, heading, link nor date, and stands on few other pages.
    body = ~(parts.linked | parts.headed | parts.dated | _IS_LABEL[site.nodes.tag[site.nodes.parent[site.text_rows]]])
    columns.relative("site_body_chars", parts.per_page(body & (parts.weight > RARE), parts.length))
    columns.relative("site_rare_chars", parts.per_page(body & (pages <= 2), parts.length))
    prose = prose_texts(parts)
    columns.relative("site_prose_chars", parts.per_page(prose, parts.length))
    columns.log("site_prose_nodes", parts.per_page(prose))
    columns.log("site_prose_longest", parts.longest(np.where(prose, parts.length, 0.0)))
    columns.log("site_own_images", own_images(parts))
    columns.relative("site_own_links", parts.targets(parts.link_own))
    heading_columns(parts, columns, "site", parts.link_placed)
    group_columns(parts, columns, "site", parts.link_placed, parts.own_length)
    alone = links_alone(site) & ~parts.anchor_empty
    stretch_columns(parts, columns, "site", parts.link_own & alone, prose)
    placed_columns(parts, columns, alone, prose)
    columns.add("site_prose_per_link", np.log1p(columns["site_prose_chars"]) - np.log1p(columns["site_placed_links"]))
    outward = ~site.links.is_same_site & (parts.link_weight > OWN)
    columns.log("site_out_own", parts.targets(outward))
    columns.log("site_out_alone", parts.targets(outward & alone))
    headed_columns(parts, columns)
    return prose


def page_evidence(parts: PageParts, columns: Columns) -> PageEvidence:
    """All that some pages say; `columns` has those of the pages alone."""
    site, known, first = parts.site, parts.known, parts.first
    prose = own_columns(parts, columns)
    links, target = site.links, parts.target
    source = links.page.astype(np.int64) + first
    in_set = (target >= 0) & ~parts.to_self & (target != source)
    inner = parts.link_own & in_set
    named, own_named = in_set & ~parts.anchor_empty, inner & ~parts.anchor_empty
    words = _anchor_words(parts)[parts.link_anchor]
    match = _names_target(parts, named)
    entropy, n_terms = _anchor_terms(parts, in_set)
    said = np.where(np.isnan(entropy), 1.0, entropy)
    for name, mask, values in (
        ("site_out_words", named, words),
        ("site_own_out_words", own_named, words),
        ("site_out_title", named, match),
        ("site_own_out_title", own_named, match),
        ("site_out_entropy", in_set, said),
    ):
        columns.add(name, mean_at(links.page[mask], values[mask], site.n_pages))
    matches = np.bincount(links.page[own_named], match[own_named], minlength=site.n_pages)
    columns.relative("site_title_links", matches)
    rels = rel_links(parts)
    start = np.searchsorted(links.page, np.arange(site.n_pages))
    size = np.bincount(links.page, minlength=site.n_pages)
    # The place of a link on its page: 0 is the first. Home is what pages link to first.
    place = (np.arange(len(links)) - start[links.page]) / np.maximum(size[links.page], 1)
    sums = (
        named, units(words * named), own_named, units(words * own_named), match * named, match * own_named,
        rels["tag"], rels["bookmark"], rels["author"], rels["next"], units(place), units(said), np.zeros(len(links)),
    )  # fmt: skip
    into = Counts.of(target[in_set].astype(np.uint64), *(np.asarray(c)[in_set].astype(np.int64) for c in sums))
    if len(framed := home_frames(parts).astype(np.uint64)):
        others = np.zeros(len(framed), np.int64)
        into = into.merge(Counts.of(framed, *(others + (name == "home_frame") for name in INTO)))
    pair = on_page(target[named], parts.texts.anchor_key[parts.link_anchor[named]] if len(links) else _NO_KEYS)
    names = Distinct.unique(pair, target[named].astype(np.uint64))
    telling = telling_features(known.counts.structure, known.n_pages)
    return PageEvidence(
        columns,
        _edges(source[in_set], target[in_set], entropy[in_set], n_terms[in_set], parts.link_own[in_set]),
        into,
        names,
        _copied_texts(parts),
        quoted_texts(parts, prose),
        listed_links(parts),
        placed_links(parts, in_set, match > 0),
        Structure.of(site, telling),
        entropy,
    )


_NO_KEYS = np.zeros(0, np.uint64)


def is_dense(text: str) -> bool:
    """True for text of a script without spaces."""
    return not text.isascii() and _DENSE.search(text[:20]) is not None


def _anchor_words(parts: PageParts) -> Floats:
    """Words of each different anchor; of a script without spaces, three characters are one."""
    facts = parts.anchor_facts
    words = facts.words.astype(np.float64)
    some = np.flatnonzero(~facts.has("IS_ASCII"))
    dense = some[np.array([is_dense(parts.texts.anchors[k]) for k in some.tolist()], bool)]
    words[dense] = facts.length[dense] / 3
    return words


def mean_at(index: Ints64, values: Floats, n: int) -> Floats:
    """The mean of the values at each index; NaN where there are none."""
    count = np.bincount(index, minlength=n)
    total = np.bincount(index, values, minlength=n)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _names_target(parts: PageParts, chosen: Bools) -> Floats:
    """Per link: 1 when its words are a heading or the start of the title of the page it leads to."""
    out = np.zeros(len(chosen))
    if not chosen.any():
        return out
    width = len(parts.texts.anchors)
    pairs = page_keys(
        parts.site.links.page[chosen], (parts.target[chosen] * width + parts.link_anchor[chosen]).astype(np.uint64)
    )
    target, anchor = (part.astype(np.int64) for part in np.divmod(pairs.key, np.uint64(width)))
    used, anchor = np.unique(anchor, return_inverse=True)  # most anchors lead elsewhere
    anchors = [fold(parts.texts.anchors[a]) for a in used.tolist()]
    cards = parts.known.cards
    key = on_page(target, string_hashes(anchors)[anchor])
    at = np.minimum(np.searchsorted(cards.headings, key), max(len(cards.headings) - 1, 0))
    is_heading = cards.headings[at] == key if len(cards.headings) else np.zeros(len(key), bool)
    long_enough = np.array([len(a) >= 3 for a in anchors])[anchor]
    found = is_heading & long_enough
    unsure = np.flatnonzero(long_enough & ~is_heading)
    begins = [a.encode("utf-8", "surrogatepass") for a in anchors]
    titles, start = cards.folded.data.tobytes(), cards.folded.offset
    rows = target[unsure]
    ends = zip(start[rows].tolist(), start[rows + 1].tolist(), anchor[unsure].tolist(), strict=True)
    found[unsure] = [titles.startswith(begins[a], first, last) for first, last, a in ends]
    out[chosen] = found[pairs.which]
    return out


def _anchor_terms(parts: PageParts, in_set: Bools) -> tuple[Floats, Ints64]:
    """Per link: the mean entropy of its terms (NaN without) and their number; of links that lead to another page."""
    site, known = parts.site, parts.known
    terms = site_terms(site, language=known.language)
    entropy = entropies(known.counts.terms, terms.keys, known.n_pages)
    out, n_terms = np.full(len(in_set), np.nan), np.zeros(len(in_set), np.int64)
    node = site.links.node[in_set]
    start, end = terms.node_offset[node], terms.node_offset[site.nodes.end[node]]
    size = end - start
    # Each anchor is summed by itself: as a difference of sums it would depend on what stands before it.
    cut = offsets(size)
    flat = np.arange(int(cut[-1])) + np.repeat(start - cut[:-1], size)
    total = segment_sum(entropy[terms.ids[flat]], cut)
    out[in_set] = np.where(size > 0, total / np.maximum(size, 1), np.nan)
    n_terms[in_set] = size
    return out, n_terms


def _edges(source: Ints64, target: Ints64, entropy: Floats, n_terms: Ints64, own: Bools) -> Edges:
    """Links added up by pairs of pages."""
    order = np.lexsort((target, source))
    source, target = source[order], target[order]
    information = np.where(np.isnan(entropy), 0.0, 1.0 - entropy)[order]
    weighted = information * (1.0 + np.log10(np.maximum(n_terms[order], 1)))
    first = np.flatnonzero(np.append(True, (source[1:] != source[:-1]) | (target[1:] != target[:-1])))
    if not len(source):
        none, nobody = np.zeros(0), np.zeros(0, np.int32)
        return Edges(nobody, nobody, none.astype(np.float32), none, none, np.zeros(0, bool))
    is_own = np.add.reduceat(own[order].astype(np.int64), first) > 0
    size = np.diff(np.append(first, len(source))).astype(np.float32)
    return Edges(
        source[first].astype(np.int32),
        target[first].astype(np.int32),
        size,
        np.add.reduceat(information, first),
        np.add.reduceat(weighted, first),
        is_own,
    )


def _copied_texts(parts: PageParts) -> PageTexts:
    """Texts on two pages and more that are no template; a label is too short to be a quotation."""
    site = parts.site
    good = (parts.text_pages >= 2) & (parts.text_weight > OWN)
    size = parts.text_facts.length
    unsure = np.flatnonzero(good & (size >= 6) & (size < 15))
    good &= size >= 15
    good[unsure] = [is_dense(site.unique_texts[t]) for t in unsure.tolist()]
    keep = np.flatnonzero(good[parts.text])
    return PageTexts.of(parts.page[keep] + parts.first, text_keys(site)[parts.text[keep]], parts.length[keep])
