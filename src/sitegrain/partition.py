"""Ways to cut a page into blocks: an array row -> block.

A partitioner names the rows that open a block (its *tops*); every other row belongs to the nearest top
above it. Nodes are in document order, so the whole of it is a few gathers over the node table and no
walk. Each text node is in exactly one block: no text is lost, none is in two blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitegrain.errors import UsageError
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE

Int = npt.NDArray[np.int32]
Bool = npt.NDArray[np.bool_]

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

SECTION_TAGS: tuple[str, ...] = (
    "article", "aside", "body", "caption", "center", "details", "dialog", "dir", "div", "dl", "fieldset", "figure",
    "footer", "form", "frameset", "header", "main", "menu", "nav", "ol", "search", "section", "table", "td", "th",
    "ul", "unknown",
)  # fmt: skip
"""What `section_blocks` cuts at: HTML's sectioning elements and the boxes that a page is laid out with."""

CONTENT_TAGS: tuple[str, ...] = (
    "a", "applet", "area", "audio", "button", "canvas", "embed", "frame", "iframe", "img", "input", "object",
    "select", "svg", "textarea", "video",
)  # fmt: skip
"""Elements that show something without text: a block may consist of these alone."""


@dataclass(frozen=True)
class Partition:
    """The blocks of all pages of a site."""

    node_block: Int
    """Per row: the block that a text node is in; -1 for elements."""
    row_block: Int
    """Per row, elements too: the block that the row lies in; -1 where nothing is shown."""
    block_node: Int
    """Per block: its top row."""
    block_page: Int
    """Per block: its page."""

    def __len__(self) -> int:
        return len(self.block_node)


def nearest(site: Site, marked: Bool) -> Int:
    """Per row, the nearest marked row above it or the row itself; page roots count as marked.

    Pointer doubling: log2(depth) gathers, whatever the shape of the tree.
    """
    rows = np.arange(site.n_nodes, dtype=np.int32)
    up = np.where(marked | (site.nodes.parent < 0), rows, site.nodes.parent).astype(np.int32)
    while True:
        further = up[up]
        if np.array_equal(further, up):
            return up
        up = further


def cut(site: Site, tops: Bool, *, between: bool) -> Partition:
    """Blocks from marked rows.

    With `between`, what stands between two inner blocks is a block too (GetBlockSet); without it, all that a
    top holds outside its inner blocks is one block (the TABLE tree of InfoDiscoverer).
    """
    top = nearest(site, tops)
    own = tops | (site.nodes.parent < 0)
    if between and site.n_nodes:
        opened = np.cumsum(own)
        first = np.ones(site.n_nodes, bool)
        first[1:] = (top[1:] != top[:-1]) | (opened[1:] != opened[:-1])
        group = np.cumsum(first) - 1
    else:
        group = top.astype(np.int64)
    return _number(site, group, top)


def _number(site: Site, group: npt.NDArray[np.int64], top: Int) -> Partition:
    """Number the groups that show something, in document order."""
    size = int(group.max()) + 1 if len(group) else 0
    shows = np.zeros(size, bool)
    content = np.isin(site.nodes.tag, [TAG_CODE[t] for t in CONTENT_TAGS])
    shows[group[site.is_text | content]] = True
    number = np.where(shows, np.cumsum(shows) - 1, -1).astype(np.int32)
    row_block = number[group] if size else np.zeros(0, np.int32)
    block_node = np.zeros(int(shows.sum()), np.int32)
    member = row_block >= 0
    block_node[row_block[member]] = top[member]
    return Partition(
        node_block=np.where(site.is_text, row_block, np.int32(-1)).astype(np.int32),
        row_block=row_block,
        block_node=block_node,
        block_page=site.nodes.page[block_node],
    )


def marked(site: Site, tags: Sequence[str]) -> Bool:
    """Rows with one of these tags, and TITLE: a title is a block of its own in every partition."""
    unknown = sorted(t for t in tags if t not in TAG_CODE or t == "#text")
    if unknown:
        raise UsageError(f"not an HTML tag to cut at: {', '.join(unknown)}; use names like 'table' or 'div'")
    return np.asarray(np.isin(site.nodes.tag, [TAG_CODE[t] for t in (*tags, "title")]))


def refine(site: Site, partition: Partition, which: Bool, tags: Sequence[str]) -> Partition:
    """Cut the chosen blocks further at these tags; the other blocks stay as they are (ids change).

    Only rows inside a chosen block open new blocks, so no other block can lose text.
    """
    if not which.any():
        return partition
    inside = (partition.row_block >= 0) & which[partition.row_block]
    # Rows of a chosen block regroup by (old block, nearest new top); every other row keeps its old block.
    fresh = nearest(site, marked(site, tags) & inside)
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


def block_chars(site: Site, partition: Partition) -> npt.NDArray[np.int64]:
    """Per block: characters of its text."""
    rows = site.text_rows
    size = (site.nodes.text_end - site.nodes.text_start)[rows]
    return np.bincount(partition.node_block[rows], size, minlength=len(partition)).astype(np.int64)


def table_blocks(site: Site, max_chars: int | None = TOO_LARGE) -> Partition:
    """The TABLE tree of InfoDiscoverer (Lin and Ho 2002, section 4.1), with its second phase.

    Each TABLE is a block without the text of the tables inside it; what is outside any table is the page's
    root block; TITLE is a block. A block of more than `max_chars` characters is then cut by TR, by TD and by
    the other partitioning tags, as long as it stays too large; None keeps the pure TABLE tree.

    >>> from sitegrain.tables.build import build_site
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

    >>> from sitegrain.tables.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<div>a <b>b</b><hr>c<p>d</p>e</div>")])
    >>> [int(b) for b in get_block_set(site).node_block[site.text_rows]]
    [0, 0, 1, 2, 3]
    """
    return cut(site, marked(site, tuple(tags)), between=True)


def section_blocks(site: Site) -> Partition:
    """Blocks of a page laid out with boxes: one per sectioning element or layout box that holds text itself.

    Paragraphs, headings, quotations and inline text belong to the box that they stand in, so the body of an
    article is one block however many paragraphs it has, and every panel around it is another.
    """
    return cut(site, marked(site, SECTION_TAGS), between=False)


PARTITIONERS: dict[str, Callable[[Site], Partition]] = {
    "table": table_blocks,
    "getblockset": get_block_set,
    "section": section_blocks,
}
"""Every partitioner by name."""


def partitioner(name: str) -> Callable[[Site], Partition]:
    """The partitioner with this name."""
    if name not in PARTITIONERS:
        raise UsageError(f"no partitioner {name!r}; use one of {', '.join(PARTITIONERS)}")
    return PARTITIONERS[name]
