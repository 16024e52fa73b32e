"""Ways to cut a page into blocks: an array row -> block.

A partitioner names the rows that open a block (its *tops*); every other row belongs to the nearest top
above it. Nodes are in document order, so the whole of it is a few gathers over the node table and no
walk. Each text node is in exactly one block: no text is lost, none is in two blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from sitegrain.arrays.trees.preorder import above, nearest, subtree_sum, under
from sitegrain.arrays.types import Bools, Ints32, Ints64
from sitegrain.errors import UsageError
from sitegrain.light import dataclass
from sitegrain.tables.memo import per_site
from sitegrain.tables.repeats import repeated_items
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, TAG_CODE, tag_mask

TAG_SET: tuple[str, ...] = ("table", "tr", "p", "hr", "ul", "div", "span")
"""The ordered partitioning tags of Debnath et al. 2005, section 3."""

REFINEMENT: tuple[tuple[str, ...], ...] = (
    ("tr",),
    ("td", "th"),
    ("div", "section", "article", "main", "nav", "aside", "header", "footer", "form"),
    ("ul", "ol", "dl", "p", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"),
)
"""Second phase of Lin and Ho 2002: TR, then TD, then the other partitioning tags."""

TOO_LARGE = 2000
"""Characters over which `table_blocks` refines a block: an article's worth of text (the paper gives no
number; 2,000 characters is about 300 words, more than any navigation panel needs)."""

SECTIONS: tuple[str, ...] = (
    "article", "aside", "footer", "form", "header", "main", "nav", "search", "section", "title",
)  # fmt: skip
"""HTML's sectioning elements: never joined with what stands beside them."""

BOXES: tuple[str, ...] = (
    *SECTIONS, "address", "body", "caption", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset",
    "figure", "frameset", "li", "menu", "noscript", "ol", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    "unknown",
)  # fmt: skip
"""Elements that a page is laid out with; the other block-level ones (P, H2, PRE, ...) are running text."""

REGIONS: tuple[str, ...] = ("center", "div", "table")
"""Boxes without a meaning of their own; one with a line of text or more is a block apart from what is around it."""

PANELS: tuple[str, ...] = (
    *SECTIONS, "body", "caption", "center", "details", "dialog", "dir", "div", "dl", "fieldset", "figure", "frameset",
    "menu", "ol", "table", "td", "th", "ul", "unknown",
)  # fmt: skip
"""What `panel_blocks` cuts at: boxes that hold running text, without items and rows."""

LISTS: tuple[str, ...] = ("dl", "menu", "ol", "select", "ul")
"""Elements whose items belong together."""

RECORDS: tuple[str, ...] = ("article", "dd", "div", "dl", "dt", "fieldset", "li", "ol", "section", "td", "tr", "ul")
"""Elements that may be the items of a list that is not marked as one: comments, teasers, search hits."""

NOT_IN_LISTS: tuple[str, ...] = ("aside", "h1", "h2", "h3", "h4", "main", "nav", "title")
"""What holds one of these is laid out as a region or as chapters and is no list."""

SMALL = 80
"""Characters under which a piece is no block of its own: about one line of print."""
LARGE = 500
"""Characters over which a piece is cut further where it can be: about one paragraph. Both values were
chosen on the labelled sites; half and twice of them have names of their own below, and `sitegrain reproduce debnath`
prints what each gives."""

CONTENT_TAGS: tuple[str, ...] = (
    "a", "applet", "area", "audio", "button", "canvas", "embed", "frame", "iframe", "img", "input", "object",
    "select", "svg", "textarea", "video",
)  # fmt: skip
"""Elements that show something without text: a block may consist of these alone."""


@dataclass(frozen=True, eq=False)
class Partition:
    """The blocks of all pages of a site."""

    node_block: Ints32
    """Per row: the block that a text node is in; -1 for elements."""
    row_block: Ints32
    """Per row, elements too: the block that the row lies in; -1 where nothing is shown."""
    block_node: Ints32
    """Per block: its top row."""
    block_page: Ints32
    """Per block: its page."""

    def __len__(self) -> int:
        return len(self.block_node)


def tops_of(site: Site, tops: Bools) -> Ints32:
    """Per row, the nearest top above it or the row itself; page roots count as tops."""
    return nearest(site.nodes.parent, tops | (site.nodes.parent < 0)).astype(np.int32)


def cut(site: Site, tops: Bools, *, between: bool) -> Partition:
    """Blocks from marked rows.

    With `between`, what stands between two inner blocks is a block too (GetBlockSet); without it, all that a
    top holds outside its inner blocks is one block (the TABLE tree of InfoDiscoverer).
    """
    top = tops_of(site, tops)
    own = tops | (site.nodes.parent < 0)
    if between and site.n_nodes:
        opened = np.cumsum(own)
        first = np.ones(site.n_nodes, bool)
        first[1:] = (top[1:] != top[:-1]) | (opened[1:] != opened[:-1])
        group = np.cumsum(first) - 1
    else:
        group = top.astype(np.int64)
    return _number(site, group, top)


def _number(site: Site, group: Ints64, top: Ints32) -> Partition:
    """Number the groups that show something, in the order of their ids; rows of group -1 are in no block."""
    size = int(group.max()) + 1 if len(group) else 0
    # One more entry than groups: -1 reads the last one, which shows nothing.
    shows = np.zeros(size + 1, bool)
    content = site.is_text | tag_mask(CONTENT_TAGS)[site.nodes.tag]
    shows[group[content & (group >= 0)]] = True
    number = np.where(shows, np.cumsum(shows) - 1, -1).astype(np.int32)
    row_block = number[group]
    block_node = np.zeros(int(shows.sum()), np.int32)
    member = row_block >= 0
    block_node[row_block[member]] = top[member]
    return Partition(
        node_block=np.where(site.is_text, row_block, np.int32(-1)).astype(np.int32),
        row_block=row_block,
        block_node=block_node,
        block_page=site.nodes.page[block_node],
    )


def marked(site: Site, tags: Sequence[str]) -> Bools:
    """Rows with one of these tags, and TITLE: a title is a block of its own in every partition."""
    unknown = sorted(t for t in tags if t not in TAG_CODE or t == "#text")
    if unknown:
        raise UsageError(f"not an HTML tag to cut at: {', '.join(unknown)}; use names like 'table' or 'div'")
    return tag_mask((*tags, "title"))[site.nodes.tag]


def refine(site: Site, partition: Partition, which: Bools, tags: Sequence[str]) -> Partition:
    """Cut the chosen blocks further at these tags; the other blocks stay as they are (ids change).

    Only rows inside a chosen block open new blocks, so no other block can lose text.
    """
    if not which.any():
        return partition
    inside = (partition.row_block >= 0) & which[partition.row_block]
    # Rows of a chosen block regroup by (old block, nearest new top); every other row keeps its old block.
    fresh = tops_of(site, marked(site, tags) & inside)
    old = partition.row_block
    moves = inside & (old[fresh] == old)
    top = np.where(old >= 0, partition.block_node[old], np.arange(site.n_nodes, dtype=np.int32))
    # A new top lies below the old one, or it is no cut at all.
    top = np.where(moves & (fresh > top), fresh, top).astype(np.int32)
    # Two blocks may share a top row (text between blocks), so the group is the pair of old block and top.
    pair = (old.astype(np.int64) + 1) * (site.n_nodes + 1) + top
    _, first, group = np.unique(pair, return_index=True, return_inverse=True)
    # Number in document order of the first row.
    order = np.argsort(np.argsort(first, kind="stable"), kind="stable")
    return _number(site, order[group.reshape(-1)].astype(np.int64), top)


def merge(site: Site, partition: Partition, group: Ints64, top: Ints32) -> Partition:
    """Blocks with the same group become one; `top` is the top row of each block's group. Groups rise with the blocks."""
    row = partition.row_block
    inside = row >= 0
    return _number(site, np.where(inside, group[row], -1), np.where(inside, top[row], 0).astype(np.int32))


def block_chars(site: Site, partition: Partition) -> Ints64:
    """Per block: characters of its text."""
    rows = site.text_rows
    size = (site.nodes.text_end - site.nodes.text_start)[rows]
    return np.bincount(partition.node_block[rows], size, minlength=len(partition)).astype(np.int64)


def table_blocks(site: Site, max_chars: int | None = TOO_LARGE) -> Partition:
    """The TABLE tree of InfoDiscoverer (Lin and Ho 2002, section 4.1), with its second phase.

    Each TABLE is a block without the text of the tables inside it; what is outside any table is the page's
    root block; TITLE is a block. A block of more than `max_chars` characters is then cut by TR, by TD and by
    the other partitioning tags, as long as it stays too large; None keeps the pure TABLE tree.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"a<table><tr><td>b<table><tr><td>c</table>d</table>e")])
    >>> [int(b) for b in table_blocks(site).node_block[site.text_rows]]
    [0, 1, 2, 1, 0]
    """
    partition = cut(site, marked(site, ("table",)), between=False)
    if max_chars is not None:
        for tags in REFINEMENT:
            large = block_chars(site, partition) > max_chars
            if not large.any():
                break
            partition = refine(site, partition, large, tags)
    return partition


def get_block_set(site: Site, tags: Sequence[str] = TAG_SET) -> Partition:
    """GetBlockSet of Debnath et al. 2005: cut by each tag in turn until no listed tag is left inside a block.

    The paper's loop cuts by the first tag, then each part by the next one. It ends only when no listed tag is
    left inside a block, so the atomic blocks are the runs between two boundaries of listed tags, in whatever
    order the tags come: that is what is computed here. Text between two blocks is a block too.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<div>a <b>b</b><hr>c<p>d</p>e</div>")])
    >>> [int(b) for b in get_block_set(site).node_block[site.text_rows]]
    [0, 0, 1, 2, 3]
    """
    return cut(site, marked(site, tuple(tags)), between=True)


def section_blocks(site: Site, small: int = SMALL, large: int = LARGE) -> Partition:
    """Blocks of a modern page, by sectioning elements and by how the page is laid out.

    From the top down, an element is cut into its children while it holds a sectioning element, a DIV or TABLE of
    at least `small` characters, or more than `large` characters in block-level children. So running text falls into
    its paragraphs and every panel stays whole. Three rules keep together what a reader sees as one: a list (marked
    as one, or three or more alike children that hold most of its text, such as comments) is not cut; neighbours
    under `small` characters form one block; and a heading or a short line of text joins the paragraph after it.

    >>> from sitegrain.tables.parsing.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> page = "<nav><a href=a>A</a> <a href=b>B</a></nav><main><h1>Hi</h1><p>" + "a " * 99 + "<p>" + "b " * 200
    >>> site = build_site([Capture("http://a.org/", page.encode())])
    >>> [int(b) for b in section_blocks(site).node_block[site.text_rows]]
    [0, 0, 1, 1, 2]
    """
    n, nodes = site.n_nodes, site.nodes
    if n == 0:
        return cut(site, np.zeros(0, bool), between=False)
    own = np.where(site.is_text, nodes.text_end - nodes.text_start, 0)
    size = subtree_sum(own, nodes.end)
    is_root = nodes.parent < 0
    filled = size > 0
    is_block = tag_mask((*BLOCK_TAGS, "unknown"))[nodes.tag]
    is_section = tag_mask(SECTIONS)[site.nodes.tag]
    whole = _is_list(site, size) & ~is_root
    splits = above(is_block & filled, nodes.end, strictly=True) & (size > large)
    splits |= above(is_section & filled, nodes.end, strictly=True)
    splits |= above(tag_mask(REGIONS)[site.nodes.tag] & (size >= small), nodes.end, strictly=True)
    splits &= ~under(whole, nodes.end)
    # Whatever splits has a parent that splits (the conditions only grow upwards), so the units, the rows that do
    # not split below one that does, cut every page into disjoint subtrees.
    units = np.flatnonzero(~splits & (is_root | splits[nodes.parent])).astype(np.int32)
    alone = (is_block[units] & (size[units] >= small)) | is_section[units]
    beside = np.zeros(len(units), bool)
    beside[1:] = (units[1:] == nodes.end[units[:-1]]) & (nodes.parent[units[1:]] == nodes.parent[units[:-1]])
    beside &= ~is_root[units]  # the next page does not stand beside this one
    starts = np.ones(len(units), bool)
    starts[1:] = ~(beside[1:] & ~alone[1:] & ~alone[:-1])
    facts = _Units(alone, beside, is_section[units], ~tag_mask(BOXES)[site.nodes.tag][units], size[units])
    starts = _join_lines(starts, facts, small)
    number = np.cumsum(starts) - 1
    first = units[starts]
    only = np.bincount(number) == 1
    group = np.full(n, -1, np.int64)
    group[units] = number
    group = group[tops_of(site, group >= 0)]
    top = np.where(only, first, np.maximum(nodes.parent[first], 0)).astype(np.int32)
    return _number(site, group, top[group])


def panel_blocks(site: Site) -> Partition:
    """One block per layout box, with all text that it holds outside its inner boxes.

    The running text of an article is one block however many paragraphs it has: coarser than `section_blocks`, for
    methods that look for the one block of a page (FeatureExtractor).
    """
    return cut(site, marked(site, PANELS), between=False)


class _Units(NamedTuple):
    """What is known of the pieces that `section_blocks` cuts a page into, one entry each."""

    alone: Bools
    """Large enough, or a section: a block of its own."""
    beside: Bools
    """Stands right after the piece before it, under the same parent."""
    is_section: Bools
    is_flow: Bools
    """Running text and no box."""
    size: Ints64


def _join_lines(starts: Bools, units: _Units, small: int) -> Bools:
    """Let short runs of lines (no boxes) join the block after them, or else the one before them."""
    first = np.flatnonzero(starts)
    if not len(first):
        return starts
    run = np.cumsum(starts) - 1
    short = np.bincount(run, units.size) < small
    short &= np.bincount(run, units.is_flow) == np.bincount(run)
    short &= ~units.alone[first]
    takes = units.alone[first] & ~units.is_section[first]
    joined = units.beside[first]  # the run stands right after the one before it
    forward = np.zeros(len(first), bool)
    forward[:-1] = short[:-1] & takes[1:] & joined[1:]
    back = np.zeros(len(first), bool)
    back[1:] = short[1:] & ~forward[1:] & takes[:-1] & joined[1:]
    keeps = ~back
    keeps[1:] &= ~forward[:-1]
    out = np.zeros_like(starts)
    out[first[keeps]] = True
    return out


def _is_list(site: Site, size: Ints64) -> Bools:
    """Elements whose items belong together."""
    nodes = site.nodes
    # Alike children: same tag and, for a DIV, the same first class; items and articles need no class.
    token: dict[str, int] = {}
    named = np.array([token.setdefault((v.split() or [""])[0], len(token)) for v in site.strings] + [-1], np.int64)
    kind = named[site.attr("class")]
    kind[tag_mask(("article", "dd", "dt", "li", "tr"))[site.nodes.tag]] = len(token)
    child = np.flatnonzero(tag_mask(RECORDS)[site.nodes.tag] & (nodes.parent >= 0) & (size > 0) & (kind >= 0))
    out = tag_mask(LISTS)[site.nodes.tag] & (size > 0)
    if len(child):
        up = nodes.parent[child]
        key = np.stack((up.astype(np.int64), nodes.tag[child].astype(np.int64), kind[child]))
        _, first, group, count = np.unique(key, axis=1, return_index=True, return_inverse=True, return_counts=True)
        group = group.reshape(-1)
        total = np.bincount(group, size[child])
        largest = np.zeros(len(first), np.int64)
        np.maximum.at(largest, group, size[child])
        holder = up[first]
        # Three are a pattern; most of the text is 70%; an item with over half of it is the content, not an item.
        alike = (count >= 3) & (total >= 0.7 * size[holder]) & (largest <= 0.5 * total)
        out[holder[alike]] = True
    return np.asarray(out & ~above(tag_mask(NOT_IN_LISTS)[site.nodes.tag] & (size > 0), nodes.end, strictly=True))


LIST_BOXES: tuple[str, ...] = (
    "article", "aside", "body", "center", "details", "dir", "div", "dl", "fieldset", "footer", "form", "header",
    "main", "menu", "nav", "ol", "section", "table", "td", "th", "ul",
)  # fmt: skip
"""What `list_blocks` cuts at: sectioning elements, lists and the boxes that a page is laid out with."""


def list_blocks(site: Site) -> Partition:
    """Blocks that hold whole lists: one per layout box, but the items of a list do not part it.

    Three or more alike siblings are a list (rows, teasers, posts), and it belongs to the box that holds it,
    whatever boxes are inside its items. So a list of headlines is one block and each menu another, which is
    what block mode of link analysis asks for.
    """
    groups = repeated_items(site)
    item = groups.row_group >= 0
    item[item] = groups.size[groups.row_group[item]] >= 3
    return cut(site, marked(site, LIST_BOXES) & ~under(item, site.nodes.end), between=False)


PartitionerName = Literal["table", "getblockset", "section", "section-fine", "section-coarse", "list", "panel"]

PARTITIONERS: dict[str, Callable[[Site], Partition]] = {
    "table": table_blocks,
    "getblockset": get_block_set,
    "section": section_blocks,
    "section-fine": lambda site: section_blocks(site, SMALL // 2, LARGE // 2),
    "section-coarse": lambda site: section_blocks(site, SMALL * 2, LARGE * 2),
    "list": list_blocks,
    "panel": panel_blocks,
}
"""Every partitioner by name."""


@per_site
def blocks_of(site: Site, name: str) -> Partition:
    """The blocks of a site by the partitioner of this name."""
    return partitioner(name)(site)


def partitioner(name: str) -> Callable[[Site], Partition]:
    """The partitioner with this name."""
    if name not in PARTITIONERS:
        raise UsageError(f"no partitioner {name!r}; use one of {', '.join(PARTITIONERS)}")
    return PARTITIONERS[name]
