"""InfoDiscoverer, ContentExtractor and FeatureExtractor the slow and obvious way, one block at a time."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np

from sitegrain.partition import Partition
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAGS
from sitegrain.text.terms import Terms

PARTITIONING = {"table", "tr", "p", "hr", "ul", "div", "span"}
"""Debnath et al. 2005, section 3: "it uses TABLE as the first tag [...] After TABLE, it uses TR, P, HR, UL, DIV, and SPAN"."""
STRUCTURE = {"#text", "html", "head", "title", "body"}
"""What holds a page together is in no block of it."""
COUNTED = {
    "list": {"ul", "ol", "dl", "menu", "dir"},
    "table": {"table"},
    "link": {"a", "area"},
    "image": {"img", "picture", "svg"},
    "object": {"applet", "object", "embed", "audio", "video", "canvas"},
    "frame": {"frame", "frameset", "iframe"},
    "form": {"form"},
    "script": {"script", "noscript"},
    "style-sheet": {"style", "link"},
    "text-tag": {
        "b", "big", "blockquote", "cite", "code", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "i", "pre", "q", "s",
        "small", "strike", "strong", "sub", "sup", "tt", "u",
    },
}  # fmt: skip
"""Section 5.1: "Text", "Text-tag", "List: lists available in the block", "Table: tables", "Link", "Object: Image, Applet, etc."
(apart, as in the example with images and applets), "Frame", "Form: forms", "Script", "Style-Sheet"; HTML of today has more
tags of each kind."""


def block_words(site: Site, partition: Partition, terms: Terms) -> list[Counter[str]]:
    out: list[Counter[str]] = [Counter() for _ in range(len(partition))]
    for row in site.text_rows.tolist():
        for i in range(terms.node_offset[row], terms.node_offset[row + 1]):
            out[partition.node_block[row]][terms.vocabulary[terms.ids[i]]] += 1
    return out


def block_elements(site: Site, partition: Partition) -> list[Counter[str]]:
    out: list[Counter[str]] = [Counter() for _ in range(len(partition))]
    for row in range(site.n_nodes):
        if partition.row_block[row] >= 0 and not site.is_text[row]:
            out[partition.row_block[row]][TAGS[site.nodes.tag[row]]] += 1
    return out


def different_pages(site: Site) -> list[int]:
    return [p for p in range(site.n_pages) if site.texts[p] not in site.texts[:p]]


def info_discoverer(site: Site, partition: Partition, terms: Terms) -> tuple[list[float], float]:
    """Entropy of every block (NaN without terms) and the greedy threshold."""
    pages = different_pages(site)
    words = block_words(site, partition, terms)
    counts: dict[str, Counter[int]] = {}
    for block, bag in enumerate(words):
        page = int(partition.block_page[block])
        if page in pages:
            for word, n in bag.items():
                counts.setdefault(word, Counter())[page] += n

    def entropy(word: str) -> float:
        weights = [n / sum(counts[word].values()) for n in counts[word].values()]
        return -sum(w * math.log(w) for w in weights) / math.log(len(pages))

    value = {word: entropy(word) for word in counts}
    entropies = [
        sum(value.get(w, 0.0) * n for w, n in bag.items()) / sum(bag.values()) if bag else math.nan for bag in words
    ]
    mine = [b for b in range(len(partition)) if int(partition.block_page[b]) in pages]
    having = {int(partition.block_page[b]) for b in mine if words[b]}

    def at(cut: float) -> tuple[set[str], set[int]]:
        """The terms of the informative blocks, and the pages of whose text they hold a tenth."""
        good = [b for b in mine if words[b] and entropies[b] <= cut + 1e-9]
        reached = set()
        for page in having:
            text = [b for b in mine if int(partition.block_page[b]) == page]
            held = sum(sum(words[b].values()) for b in text if b in good)
            if 10 * held >= sum(sum(words[b].values()) for b in text):
                reached.add(page)
        return set().union(*(words[b] for b in good)) if good else set(), reached

    for step in range(10):
        now, reached = at(step / 10)
        if now and 2 * len(reached) >= len(having) and len(at((step + 1) / 10)[0]) == len(now):
            return entropies, step / 10
    return entropies, 0.9


def content_extractor(
    site: Site, partition: Partition, terms: Terms, cut_at: set[str], eps: float, n_few: int
) -> tuple[list[bool], list[int]]:
    """Which blocks are content, and on how many pages each stands: all pairs of blocks are compared.

    "All HTML tags except the tags in the partitioning tag-set are included": `cut_at` is that set.
    """
    pages = set(different_pages(site))
    words = block_words(site, partition, terms)
    elements = block_elements(site, partition)
    skipped = cut_at | STRUCTURE
    mine = [b for b in range(len(partition)) if int(partition.block_page[b]) in pages]
    counts = [Counter({t: n for t, n in e.items() if t not in skipped}) for e in elements]
    for block, bag in enumerate(words):
        counts[block]["#terms"] = sum(bag.values())
    largest: Counter[str] = Counter()
    for block in mine:
        for feature, n in counts[block].items():
            largest[feature] = max(largest[feature], n)

    def vector(block: int) -> dict[str, float]:
        scaled = {f"<{f}>": n / (largest[f] or 1) for f, n in counts[block].items() if n}
        return {**scaled, **dict.fromkeys(words[block], 1.0)}

    vectors = [vector(b) for b in range(len(partition))]
    lengths = [math.sqrt(sum(x * x for x in v.values())) for v in vectors]

    def same(a: int, b: int) -> bool:
        if not lengths[a] or not lengths[b]:
            return False
        small, large = sorted((vectors[a], vectors[b]), key=len)
        dot = sum(x * large[k] for k, x in small.items() if k in large)
        return dot / (lengths[a] * lengths[b]) > eps + 1e-9

    n_pages = [len({int(partition.block_page[b]) for b in mine if same(a, b)}) for a in range(len(partition))]
    return [n - 1 <= n_few and bool(words[b]) for b, n in enumerate(n_pages)], n_pages


def feature_extractor(
    site: Site, partition: Partition, terms: Terms, feature: str, reading: str = "share"
) -> list[bool]:
    """The winner of every page (the first of equal ones)."""
    words = block_words(site, partition, terms)
    elements = block_elements(site, partition)
    counts = [
        {"text": sum(bag.values()), **{f: sum(e[t] for t in tags) for f, tags in COUNTED.items()}}
        for e, bag in zip(elements, words, strict=True)
    ]
    wins = [False] * len(partition)
    for page in range(site.n_pages):
        blocks = np.flatnonzero(partition.block_page == page).tolist()
        basket = []
        for b in blocks:
            if site.tag_name(int(partition.block_node[b])) == "title":
                continue
            if reading == "share":  # Pr(F_I | F) > Pr(F - F_I | F)
                mine, others = counts[b][feature], sum(n for f, n in counts[b].items() if f != feature)
                enters = mine > others
            else:  # 1,000/2,000 words against 2/4 images, 3/50 links, 1/3 applets
                largest = {f: max(counts[x][f] for x in blocks) for f in counts[b]}
                values = {f: Fraction(n, largest[f]) if largest[f] else Fraction(0) for f, n in counts[b].items()}
                enters = values[feature] > sum(v for f, v in values.items() if f != feature)
            if enters:
                basket.append(b)
        if basket:
            wins[max(basket, key=lambda b: (counts[b][feature], -b))] = True
    return wins
