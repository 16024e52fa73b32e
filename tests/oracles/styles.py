"""Pages as plain objects, their style names, and the site style tree with sentences as the paper tells it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import ceil, log

from sentencex import segment as cut_sentences

from sitegrain.tables.site import SPACE_BEFORE, Site
from sitegrain.tables.tags import BLOCK_TAGS, STYLE_ATTRIBUTES
from tests.oracles.terms import text_terms


@dataclass
class Node:
    tag: str
    row: int
    page: int
    attrs: dict[str, str]
    text: str = ""
    kids: list[Node] = field(default_factory=list)


def page_trees(site: Site) -> list[Node]:
    roots: list[Node] = []
    nodes: list[Node] = []
    for row in range(site.n_nodes):
        tag = site.tag_name(row)
        text = site.node_text(row) if tag == "#text" else ""
        node = Node(tag, row, int(site.nodes.page[row]), site.node_attrs(row), text)
        nodes.append(node)
        parent = int(site.nodes.parent[row])
        (nodes[parent].kids if parent >= 0 else roots).append(node)
    return roots


def style_names(site: Site, rare_share: float) -> dict[int, frozenset[str]]:
    """Per row the display attributes that enough pages have."""
    raw: dict[int, set[str]] = {}
    pages: dict[str, set[int]] = defaultdict(set)
    for row in range(site.n_nodes):
        names = set()
        for name, value in site.node_attrs(row).items():
            if name == "class":
                names |= {f"class={c}" for c in value.split() if not re.search(r"\d\d", c)}
            elif name in STYLE_ATTRIBUTES:
                names.add(f"{name}={' '.join(value.split()).lower()}")
        raw[row] = names
        for n in names:
            pages[n].add(int(site.nodes.page[row]))
    least = min(max(2, ceil(rare_share * site.n_pages)), max(site.n_pages, 1))
    return {row: frozenset(n for n in names if len(pages[n]) >= least) for row, names in raw.items()}


# Segments


@dataclass
class Segment:
    tag: str
    names: frozenset[str]
    kids: list[Segment]
    rows: list[Node]
    """Text nodes in it, in order."""


def is_phrase(node: Node) -> bool:
    return node.tag not in BLOCK_TAGS and all(is_phrase(k) for k in node.kids)


def has_text(node: Node) -> bool:
    return node.tag == "#text" or any(has_text(k) for k in node.kids)


def texts(node: Node) -> list[Node]:
    return [node] if node.tag == "#text" else [t for k in node.kids for t in texts(k)]


def segment(node: Node, names: dict[int, frozenset[str]], phrases: bool) -> Segment:
    """Post-order: merge equal leaf siblings, absorb only children."""
    if node.tag == "#text":
        return Segment("#text", names[node.row], [], [node])
    kids: list[Segment] = []
    run: list[Node] = []

    def close() -> None:
        if len(run) == 1:
            kids.append(Segment(run[0].tag, names[run[0].row], [], texts(run[0])))
        elif run:
            kids.append(Segment("#text", frozenset(), [], [t for r in run for t in texts(r)]))
        run.clear()

    for kid in node.kids:
        if phrases and is_phrase(kid):
            if has_text(kid):
                run.append(kid)
        else:
            close()
            if has_text(kid):
                kids.append(segment(kid, names, phrases))
    close()
    if len(kids) > 1 and all(not k.kids for k in kids) and len({k.tag for k in kids}) == 1:
        kids = [Segment(kids[0].tag, kids[0].names, [], [t for k in kids for t in k.rows])]
    own = names[node.row]
    rows = [t for k in kids for t in k.rows]
    if len(kids) == 1:
        return Segment(node.tag, own, kids[0].kids, rows)
    return Segment(node.tag, own, kids, rows)


# The style tree


class Style:
    def __init__(self) -> None:
        self.collection: dict[int, list[str]] = defaultdict(list)
        self.children: dict[tuple[str, frozenset[str]], Style] = {}
        self.threshold = 0.0


@dataclass
class Judged:
    page: int
    start: int
    end: int
    style: Style
    terms: list[str]
    entropy: float | None
    kept: bool = False
    leaf: int = 0


def units(site: Site, rows: list[Node], parents: dict[int, int], phrases: bool) -> list[list[Node]]:
    """Text nodes of a leaf segment that stand in one run: no block border, no <br> between."""
    out: list[list[Node]] = []
    for node in rows:
        if out and phrases and not _border(site, out[-1][-1].row, node.row, parents):
            out[-1].append(node)
        else:
            out.append([node])
    return out


def _border(site: Site, a: int, b: int, parents: dict[int, int]) -> bool:
    """Is the start or end of a block element, or a <br>, between two text rows?"""

    def block_above(row: int) -> int:
        # The container of the run: the nearest row that is no phrase.
        while row >= 0:
            inside = range(row, int(site.nodes.end[row]))
            if any(site.tag_name(r) in BLOCK_TAGS for r in inside):
                return row
            row = parents[row]
        return -1

    if block_above(a) != block_above(b):
        return True
    between = [site.tag_name(r) for r in range(a + 1, b)]
    return any(t in BLOCK_TAGS or t == "br" for t in between)


def sentence_tree(site: Site, language: str, rare_share: float, phrases: bool, per_node: bool) -> list[Judged]:
    names = style_names(site, rare_share)
    trees = page_trees(site)
    parents = {r: int(site.nodes.parent[r]) for r in range(site.n_nodes)}
    root = Style()
    sentences: list[Judged] = []

    def insert(page: int, d: Segment, s: Style) -> None:
        s.collection[page] += [term for j in leaf_sentences(d) for term in j.terms]
        for kid in d.kids:
            merge(page, kid, s.children)

    def merge(page: int, d: Segment, children: dict[tuple[str, frozenset[str]], Style]) -> None:
        key = (d.tag, d.names)
        if key not in children:
            children[key] = Style()
        s = children[key]
        insert(page, d, s)
        if not d.kids:
            for judged in cut(page, d.rows):
                judged.style, judged.leaf = s, id(d)
                sentences.append(judged)

    def leaf_sentences(d: Segment) -> list[Judged]:
        if d.kids:
            return [j for k in d.kids for j in leaf_sentences(k)]
        return cut(0, d.rows)

    def cut(page: int, rows: list[Node]) -> list[Judged]:
        out = []
        for unit in units(site, rows, parents, phrases):
            chars: list[tuple[str, int]] = []
            last = -1
            for node in unit:
                spaced = last >= 0 and any(site.nodes.flags[r] & SPACE_BEFORE for r in range(last + 1, node.row + 1))
                start = int(site.nodes.text_start[node.row])
                if spaced:
                    chars.append((" ", -1))
                chars += [(c, start + i) for i, c in enumerate(site.node_text(node.row))]
                last = node.row
            joined = "".join(c for c, _ in chars)
            pieces: list[str] = []
            for piece in cut_sentences(language or "en", joined):
                if pieces and not piece.strip():
                    pieces[-1] += piece
                elif piece:
                    pieces.append(piece)
            at = 0
            for piece in pieces:
                places = [p for _, p in chars[at : at + len(piece)] if p >= 0]
                at += len(piece)
                out.append(Judged(page, min(places), max(places) + 1, root, text_terms(piece, language), None))
        return out

    made = [segment(tree, names, phrases) if has_text(tree) else None for tree in trees]
    for p, top in enumerate(made):
        if top is not None:
            merge(p, top, root.children)

    by_style: dict[int, list[Judged]] = defaultdict(list)
    for j in sentences:
        by_style[id(j.style)].append(j)
    entropies = {key: collection_entropy(group[0].style.collection) for key, group in by_style.items()}
    for j in sentences:
        if j.terms:
            j.entropy = sum(entropies[id(j.style)][t] for t in j.terms) / len(j.terms)
    for group in by_style.values():
        chosen = group if per_node else sentences
        style = group[0].style
        style.threshold = greedy([(j.entropy, set(j.terms)) for j in chosen if j.entropy is not None and j.terms])
    for key, group in by_style.items():
        style, entropy = group[0].style, entropies[key]
        for j in group:
            if j.entropy is None:
                mates = [t for k in group if k.leaf == j.leaf for t in k.terms]
                j.entropy = sum(entropy[t] for t in mates) / len(mates) if mates else float(len(style.collection) > 1)
            j.kept = j.entropy <= style.threshold + 1e-9
    return sorted(sentences, key=lambda j: (j.page, j.start))


def collection_entropy(collection: dict[int, list[str]]) -> dict[str, float]:
    n = len(collection)
    counts = {page: Counter(terms) for page, terms in collection.items()}
    out = {}
    for term in {t for c in counts.values() for t in c}:
        total = sum(c[term] for c in counts.values())
        shares = [c[term] / total for c in counts.values() if c[term]]
        out[term] = 0.0 if n == 1 else -sum(w * log(w) / log(n) for w in shares)
    return out


def greedy(sentences: list[tuple[float, set[str]]]) -> float:
    def terms_at(cut: float) -> set[str]:
        return {t for e, terms in sentences if e <= cut + 1e-9 for t in terms}

    for step in range(10):
        now, then = terms_at(step / 10), terms_at((step + 1) / 10)
        if now and now == then:
            return step / 10
    return 0.9
