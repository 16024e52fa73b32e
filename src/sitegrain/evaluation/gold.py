"""The gold of a labelled page: as text, and as rows of the tables.

Selectors are matched on the page as it came, with the parser's own CSS engine. The tables come from the same
parser, so the k-th element of the page is the k-th element row; that is checked tag by tag, and a page where
it does not hold is counted and left without gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from sitegrain.arrays.types import Bools
from sitegrain.errors import UsageError
from sitegrain.evaluation.data import Label, LabelledSite
from sitegrain.evaluation.reading.code import is_gutter
from sitegrain.tables.budgets import MAX_NESTING, MAX_PAGE_BYTES
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.charset import decode
from sitegrain.tables.parsing.parse import guard
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS, NO_TEXT_TAGS, TAG_CODE, UNKNOWN

_G, _TITLE = TAG_CODE["g"], TAG_CODE["title"]
_SKIPPED = NO_TEXT_TAGS | {"noscript"}


@dataclass(frozen=True)
class GoldPage:
    """The elements of one page that are gold."""

    text: str
    tags: tuple[str, ...]
    """Of all elements, in document order."""
    keep: tuple[int, ...]
    """Positions of the elements whose subtrees are gold."""
    drop: tuple[int, ...]
    """Positions of the elements whose subtrees are not, inside those."""
    problem: str = ""
    """`no_selector`, `bad_selector` or `no_match`; empty when the gold was found."""


def gold_page(capture: Capture, label: Label) -> GoldPage:
    """Find the gold of a page: the content of an article, the main list of a TOC page.

    Its text has a line per block, inline runs joined as they stand.

    >>> page = Capture("http://a.org/", b"<div class=b><p>Hel<b>lo</b> <i>you</i><p>2<aside>no</aside></div>")
    >>> gold_page(page, Label("a", "article", content_selector=".b", drop_selector="aside")).text
    'Hello you\\n2'
    """
    selector = label.toc_selector if label.kind == "toc" else label.content_selector
    drop_selector = "" if label.kind == "toc" else label.drop_selector
    tree = _tree(capture)
    elements = tree.css("*")
    tags = tuple(e.tag or "" for e in elements)
    if not selector:
        return GoldPage("", tags, (), (), "no_selector")
    position = {e.mem_id: i for i, e in enumerate(elements)}
    try:
        keep = sorted({position[e.mem_id] for e in tree.css(selector)})
        drop = sorted({position[e.mem_id] for e in tree.css(drop_selector)}) if drop_selector else []
    except SelectolaxError:
        return GoldPage("", tags, (), (), "bad_selector")
    dropped = {elements[i].mem_id for i in drop}
    # What is dropped stays dropped, also when a selector matches again inside it.
    covered = {e.mem_id for i in drop for e in (elements[i], *elements[i].css("*"))}
    parts = (_text(elements[i], dropped, covered) for i in keep if elements[i].mem_id not in covered)
    text = "\n".join(p for p in parts if p)
    return GoldPage(text, tags, tuple(keep), tuple(drop), "" if keep else "no_match")


def _text(top: LexborNode, dropped: set[int], covered: set[int]) -> str:
    """Text of a subtree without the dropped ones; notes the elements it went through."""
    out: list[str] = []
    node: LexborNode | None = top
    while node is not None:
        down = None
        if node.is_text_node:
            out.append(node.text_content or "")
        elif node.is_element_node:
            covered.add(node.mem_id)
            if node.tag == "br":
                out.append("\0")
            elif node.mem_id not in dropped and node.tag not in _SKIPPED:
                if node.tag in BLOCK_TAGS:
                    out.append("\0")
                if not is_gutter(node):  # line numbers are no text of the code beside them
                    down = node.first_child
        if down is not None:
            node = down
            continue
        # Up to the next one that has not been seen, closing blocks on the way.
        while node is not None:
            if node.mem_id == top.mem_id:
                node = None
                break
            if node.is_element_node and node.tag in BLOCK_TAGS:
                out.append("\0")
            if node.next is not None:
                node = node.next
                break
            node = node.parent
    lines = (" ".join(line.split()) for line in "".join(out).split("\0"))
    return "\n".join(line for line in lines if line)


def decoded(capture: Capture) -> str:
    """The page as text, with the character set and the limits of the tables."""
    return decode(capture.body[:MAX_PAGE_BYTES], capture.content_type, capture.url)[0]


def _tree(capture: Capture) -> LexborHTMLParser:
    """The tree that the tables were read from."""
    data = decoded(capture).encode("utf-8", "replace")
    return LexborHTMLParser(guard(data, MAX_NESTING)[0])


@dataclass(frozen=True)
class Gold:
    """The gold of a site, row by row."""

    node_gold: Bools
    """Per row of `site.nodes`: a text node inside the gold."""
    page_label: tuple[Label | None, ...]
    """Per page; None for a page without a label."""
    page_has_gold: Bools
    """Per page: the gold was found and its elements are the rows of the table."""
    texts: Mapping[str, str] = field(repr=False)
    """Gold text by path."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """What was amiss: `no_selector`, `bad_selector`, `no_match`, `other_tree`, `unlabelled_page`, ..."""

    def pages(self, kind: str, *, sampled: Collection[str] | None = None) -> npt.NDArray[np.int64]:
        """Pages of a kind that have gold and are neither short nor duplicates, perhaps only some paths."""
        return np.array(
            [
                p
                for p, x in enumerate(self.page_label)
                if x is not None
                and x.kind == kind
                and self.page_has_gold[p]
                and not (x.short or x.dup_of)
                and (sampled is None or x.path in sampled)
            ],
            np.int64,
        )


def gold_nodes(site: Site, labelled: LabelledSite, captures: Iterable[Capture] | None = None) -> Gold:
    """Which text nodes of a site's tables are gold.

    `site` must be built from the pages of `labelled` (any of them, in any order); pages are matched by path.
    Class and id names of the tables do not matter, so a scrambled site has the gold of the plain one.
    """
    row = {path: p for p, path in enumerate(site.pages.path) if path}
    if not row and len(site):
        raise UsageError("the site's pages have no paths: build it from the captures of the labelled site")
    node_gold = np.zeros(site.n_nodes, np.bool_)
    has_gold = np.zeros(site.n_pages, np.bool_)
    labels = tuple(labelled.labels.get(path) for path in site.pages.path)
    texts: dict[str, str] = {}
    counts: Counter[str] = Counter()
    counts["unlabelled_page"] = sum(x is None for x in labels)
    is_text = site.is_text
    for capture in labelled.captures(row) if captures is None else captures:
        p = row.get(capture.path, -1)
        label = labels[p] if p >= 0 else None
        if label is None or label.kind == "other":
            continue
        gold = gold_page(capture, label)
        if gold.problem:
            counts[gold.problem] += 1
            continue
        rows = site.page_rows(p)
        elements = rows.start + np.flatnonzero(~is_text[rows])
        if not _are_same(site.nodes.tag[elements], _codes(gold.tags)):
            counts["other_tree"] += 1
            continue
        for i in gold.keep:
            node_gold[elements[i] : site.nodes.end[elements[i]]] = True
        for i in gold.drop:
            node_gold[elements[i] : site.nodes.end[elements[i]]] = False
        texts[label.path] = gold.text
        has_gold[p] = True
    node_gold &= is_text
    return Gold(node_gold, labels, has_gold, texts, dict(+counts))


def _are_same(tag: npt.NDArray[np.int16], gold: npt.NDArray[np.int16]) -> bool:
    """Whether a page in the tables has the elements of the gold; the title of a drawing is another one there (`tables/parsing/shown.py`)."""
    if len(tag) != len(gold):
        return False
    return bool(((tag == gold) | ((tag == _G) & (gold == _TITLE))).all())


@lru_cache(maxsize=8192)
def _code(tag: str) -> int:
    return TAG_CODE.get(tag, UNKNOWN)


def _codes(tags: tuple[str, ...]) -> npt.NDArray[np.int16]:
    return np.array([_code(t) for t in tags], np.int16)
