"""Slow, obvious versions of the rivals: Gibson, Ramaswamy, Yi-Liu and RTDM."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations, product
from math import ceil, log

from sitegrain.tables.site import Site
from sitegrain.text.language import site_language
from sitegrain.text.words import running_words
from tests.oracles.styles import Node, page_trees, style_names
from tests.oracles.terms import text_terms


def text_of(node: Node) -> str:
    return node.text if node.tag == "#text" else "".join(text_of(k) for k in node.kids)


def all_nodes(node: Node) -> list[Node]:
    return [node] + [n for kid in node.kids for n in all_nodes(kid)]


def text_nodes(node: Node) -> list[Node]:
    return [n for n in all_nodes(node) if n.tag == "#text"]


def words_of(node: Node) -> list[str]:
    return [w for t in text_nodes(node) for w in running_words(t.text)]


def per_thousand(count: float, n: int) -> int:
    return max(2, ceil(count * n / 1000))


# Gibson


def gibson_dom(site: Site, min_pages: float) -> set[int]:
    """Rows of the text nodes that are kept."""

    def content(node: Node) -> object:
        if node.tag == "#text":
            return " ".join(node.text.split())
        return (node.tag, tuple(sorted(node.attrs.items())), tuple(content(k) for k in node.kids))

    trees = page_trees(site)
    pages: dict[object, set[int]] = defaultdict(set)
    for p, tree in enumerate(trees):
        for node in all_nodes(tree):
            pages[content(node)].add(p)
    least = per_thousand(min_pages, site.n_pages)
    dropped: set[int] = set()
    for tree in trees:
        for node in all_nodes(tree):
            if len(pages[content(node)]) >= least:
                dropped |= {t.row for t in text_nodes(node)}
    return {t.row for tree in trees for t in text_nodes(tree)} - dropped


def gibson_text(site: Site, width: int, min_count: float) -> set[int]:
    trees = page_trees(site)
    pages: dict[tuple[str, ...], set[int]] = defaultdict(set)

    def windows(tree: Node) -> list[tuple[int, tuple[str, ...]]]:
        all_words = words_of(tree)
        if 0 < len(all_words) < width:
            return [(0, tuple(all_words))]
        return [(i, tuple(all_words[i : i + width])) for i in range(len(all_words) - width + 1)]

    for p, tree in enumerate(trees):
        for _, window in windows(tree):
            pages[window].add(p)
    least = per_thousand(min_count, site.n_pages)
    kept = set()
    for tree in trees:
        covered: set[int] = set()
        for i, window in windows(tree):
            if len(pages[window]) >= least:
                covered |= set(range(i, i + len(window)))
        at, share = 0, 0.0
        for node in text_nodes(tree):
            n = len(running_words(node.text))
            if n:
                share = sum(i in covered for i in range(at, at + n)) / n
            at += n
            if share < 0.5:
                kept.add(node.row)
    return kept


# Ramaswamy


def shingling(site: Site, share_factor: int, min_match: float, min_size: int, width: int) -> set[int]:
    """All pairs, whole shingle sets (the model's sketch must be larger than any of them)."""

    def shingles(node: Node) -> frozenset[tuple[str, ...]]:
        w = words_of(node)
        if len(w) < width:
            return frozenset([tuple(w)] if w else [])
        return frozenset(tuple(w[i : i + width]) for i in range(len(w) - width + 1))

    trees = page_trees(site)
    fragments = [
        (p, node, shingles(node))
        for p, tree in enumerate(trees)
        for node in all_nodes(tree)
        if len(text_of(node)) >= max(min_size, 1) and shingles(node)
    ]
    share = min(share_factor, max(2, site.n_pages))
    shared = []
    for _, _, own in fragments:
        pages = {p for p, _, other in fragments if len(own & other) >= min_match * len(own | other) - 1e-9}
        if len(pages) >= share:
            shared.append(own)
    dropped = set()
    for _, node, own in fragments:
        if any(len(own & other) >= min_match * len(own | other) - 1e-9 for other in shared):
            dropped |= {t.row for t in text_nodes(node)}
    return {t.row for tree in trees for t in text_nodes(tree)} - dropped


# Yi and Liu


class Element:
    def __init__(self) -> None:
        self.pages: dict[int, Node] = {}
        self.styles: dict[tuple[object, ...], list[Element]] = {}
        self.style_pages: Counter[tuple[object, ...]] = Counter()
        self.importance = 0.0


def yi_liu(site: Site, decay: float, threshold: float, rare_share: float) -> dict[int, float]:
    """CompImp of the element of every text row (a row is cut when it is below the threshold)."""
    names = style_names(site, rare_share)
    language = site_language(site)
    root = Element()
    element_of: dict[int, Element] = {}

    def insert(page: int, node: Node, element: Element) -> None:
        element.pages[page] = node
        element_of[node.row] = element
        style = tuple((k.tag, names[k.row]) for k in node.kids)
        element.style_pages[style] += 1
        if style not in element.styles:
            element.styles[style] = [Element() for _ in style]
        for kid, child in zip(node.kids, element.styles[style], strict=True):
            insert(page, kid, child)

    for p, tree in enumerate(page_trees(site)):
        insert(p, tree, root)

    def weigh(element: Element) -> float:
        m = len(element.pages)
        for children in element.styles.values():
            for child in children:
                weigh(child)
        if not any(element.styles.values()):
            element.importance = leaf(element, m)
        else:
            shares = {s: c / m for s, c in element.style_pages.items()}
            node = 1.0 if m == 1 else -sum(p * log(p) / log(m) for p in shares.values())
            weight = decay ** len(shares)
            below = 0.0
            for style, share in shares.items():
                kids = element.styles[style]
                below += share * (sum(k.importance for k in kids) / len(kids) if kids else 0.0)
            element.importance = (1 - weight) * node + weight * below
        return element.importance

    def leaf(element: Element, m: int) -> float:
        if m == 1:
            return 1.0
        counts: dict[str, dict[int, int]] = defaultdict(Counter)
        for page, node in element.pages.items():
            features = text_terms(node.text, language, numbers=True) if node.tag == "#text" else []
            if "src" in node.attrs:
                features = [*features, "src=" + node.attrs["src"]]
            for f in features:
                counts[f][page] += 1
        if not counts:
            return 0.0
        total = 0.0
        for by_page in counts.values():
            n = sum(by_page.values())
            total += -sum(c / n * log(c / n) / log(m) for c in by_page.values())
        return 1 - total / len(counts)

    weigh(root)
    return {row: e.importance for row, e in element_of.items() if e.pages and site.is_text[row]}


# RTDM


def rtdm_distance(labels_a: list[str], parent_a: list[int], labels_b: list[str], parent_b: list[int]) -> int:
    """Try every set of pairs that is a restricted top-down mapping."""
    n, m = len(labels_a), len(labels_b)

    def ancestors(parent: list[int], x: int) -> set[int]:
        out = set()
        while parent[x] >= 0:
            x = parent[x]
            out.add(x)
        return out

    up_a = [ancestors(parent_a, x) for x in range(n)]
    up_b = [ancestors(parent_b, x) for x in range(m)]
    pairs = [(x, y) for x, y in product(range(1, n), range(1, m))]
    best = n + m
    for size in range(min(n, m)):
        for chosen in combinations(pairs, size):
            mapping = [(0, 0), *chosen]
            xs, ys = [x for x, _ in mapping], [y for _, y in mapping]
            if len(set(xs)) < len(xs) or len(set(ys)) < len(ys):
                continue
            ok = all((parent_a[x], parent_b[y]) in mapping for x, y in chosen)
            # Pre-order numbers: order and ancestry agree.
            ok = ok and all(
                (x1 < x2) == (y1 < y2) and (x1 in up_a[x2]) == (y1 in up_b[y2])
                for (x1, y1), (x2, y2) in product(mapping, mapping)
                if x1 != x2
            )
            ok = ok and all(labels_a[x] == labels_b[y] or not any(x in up_a[v] for v, _ in mapping) for x, y in chosen)
            if ok:
                differ = sum(labels_a[x] != labels_b[y] for x, y in mapping)
                best = min(best, (n - len(mapping)) + (m - len(mapping)) + differ)
    return best


def rtdm(site: Site, pages: list[int]) -> set[int]:
    """Rows of the text nodes that are kept; the template is learned from these pages, in this order.

    Of mappings that cost the same, one must be taken: children that are equal from either end are paired; in
    between, from the last child on, a pair is better than leaving out the left one, and that better than the right.
    """
    trees = page_trees(site)

    def label(node: Node) -> str:
        return f"text {' '.join(node.text.split())}" if node.tag == "#text" else f"<{node.tag}>"

    def count(node: Node) -> int:
        return 1 + sum(map(count, node.kids))

    def equal(a: Node, b: Node) -> bool:
        return label(a) == label(b) and len(a.kids) == len(b.kids) and all(map(equal, a.kids, b.kids))

    def cost(a: Node, b: Node) -> int:
        """Of mapping a to b."""
        if label(a) != label(b):
            return count(a) + count(b) - 1
        return cost_lists(a.kids, b.kids)[len(a.kids)][len(b.kids)]

    def cost_lists(left: list[Node], right: list[Node]) -> list[list[int]]:
        table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
        for i, j in product(range(len(left) + 1), range(len(right) + 1)):
            ways = [] if i or j else [0]
            if i:
                ways.append(table[i - 1][j] + count(left[i - 1]))
            if j:
                ways.append(table[i][j - 1] + count(right[j - 1]))
            if i and j:
                ways.append(table[i - 1][j - 1] + cost(left[i - 1], right[j - 1]))
            table[i][j] = min(ways)
        return table

    def aligned(left: list[Node], right: list[Node]) -> list[tuple[Node, Node]]:
        if left and right and equal(left[0], right[0]):
            return [(left[0], right[0]), *aligned(left[1:], right[1:])]
        if left and right and equal(left[-1], right[-1]):
            return [*aligned(left[:-1], right[:-1]), (left[-1], right[-1])]
        table = cost_lists(left, right)
        i, j = len(left), len(right)
        out = []
        while i and j:
            if table[i][j] == table[i - 1][j - 1] + cost(left[i - 1], right[j - 1]):
                i, j = i - 1, j - 1
                out.append((left[i], right[j]))
            elif table[i][j] == table[i - 1][j] + count(left[i - 1]):
                i -= 1
            else:
                j -= 1
        return out

    def same(a: Node, b: Node, is_root: bool = True) -> list[tuple[Node, Node]]:
        """Pairs of the mapping with equal labels. The roots are mapped, and their children too, in any case."""
        own = [(a, b)] if label(a) == label(b) else []
        below = [p for x, y in aligned(a.kids, b.kids) for p in same(x, y, False)] if own or is_root else []
        return own + below

    def only(node: Node, rows: set[int]) -> Node:
        return replace(node, kids=[only(k, rows) for k in node.kids if k.row in rows])

    template = trees[pages[0]]
    for page in pages[1:]:
        template = only(template, {a.row for a, _ in same(template, trees[page])})
    dropped = {b.row for tree in trees for _, b in same(template, tree)}
    return {t.row for tree in trees for t in text_nodes(tree)} - dropped
