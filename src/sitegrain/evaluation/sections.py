"""The topic classes that a labelled site offers: the sections that its own editors put articles in."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.trees.preorder import above
from sitegrain.evaluation.gold import Gold
from sitegrain.tables.site import Site

_SECTION = re.compile(
    r"(?:^|/)(?:product-)?(?:category|categories|boards|news)/(?!page/|index)([^/]+)|(?:^|/)(viewforum\.php[?%]?[^/]*f=\d+)"
    r"|(?:^|/)(cat_[^/]+?)(?:_page_\w+)?\.html$"
)
_ENDING = re.compile(r"(?:[-_]?page[-_]?)?\d*\.html?$")
_NO_TOPIC = re.compile(r"uncategori|sin-categoria|general|未分类|misc|^\W*\d+\W*$", re.I)

LEAST = 15
"""Articles that a class must have: fewer leave naive Bayes three pages to learn from."""
MOST_CLASSES = 5
"""As in the paper."""


def page_sections(site: Site, gold: Gold) -> tuple[npt.NDArray[np.object_], str]:
    """Per page its class ("" for none), and where classes come from, or what there is instead of them.

    First choice: an article belongs to the section whose TOC pages list it in their main list; articles that are
    listed by several sections are left out. If that leaves no two classes, an article goes to the smallest
    section that lists it. Last choice: the folder that an article lies in, if it is no date. Only articles that are
    neither short nor duplicates, and the largest classes.
    """
    articles = gold.pages("article")
    listed = _listed(site, gold, articles)
    size = Counter(name for names in listed.values() for name in names)
    choices = (
        ({p: next(iter(names)) for p, names in listed.items() if len(names) == 1}, "the one section that lists it"),
        ({p: min(names, key=lambda n: (size[n], n)) for p, names in listed.items()}, "smallest section that lists it"),
        (_folder(site, articles), "folder of its address"),
    )
    for found, name in choices:
        count = Counter(v for v in found.values() if not _NO_TOPIC.search(v))
        largest = [c for c, n in sorted(count.items(), key=lambda x: (-x[1], x[0])) if n >= LEAST][:MOST_CLASSES]
        if len(largest) >= 2:
            out = np.full(site.n_pages, "", np.object_)
            for page, section in found.items():
                if section in largest:
                    out[page] = section
            return out, name
    seen = Counter(v for v in choices[1][0].values() if not _NO_TOPIC.search(v)).most_common(3)
    why = "the largest are " + ", ".join(f"{name} {n}" for name, n in seen) if seen else "no page lists them by topic"
    return np.full(site.n_pages, "", np.object_), f"{len(articles)} articles; {why}"


def _listed(site: Site, gold: Gold, articles: npt.NDArray[np.int64]) -> dict[int, set[str]]:
    """The sections that list each article."""
    section: dict[int, str] = {}
    for page, label in enumerate(gold.page_label):
        if label is not None and label.kind == "toc" and (match := _SECTION.search(label.path)):
            section[page] = _ENDING.sub("", match[1]) if match[1] else match[2] or match[3]
    # A link is in the main list when its text is gold of the TOC page.
    links = site.links
    is_main = above(gold.node_gold, site.nodes.end)[links.node]
    names: dict[int, set[str]] = defaultdict(set)
    wanted = set(articles.tolist())
    for page, target in zip(links.page[is_main].tolist(), links.target[is_main].tolist(), strict=True):
        if page in section and target in wanted:
            names[target].add(section[page])
    return names


def _folder(site: Site, articles: npt.NDArray[np.int64]) -> dict[int, str]:
    paths = {int(p): site.pages.path[p].split("/")[:-1] for p in articles}
    # The first level of folders that tells at least two apart.
    for depth in range(4):
        names = {p: parts[depth] for p, parts in paths.items() if len(parts) > depth}
        count = Counter(names.values())
        if sum(n >= LEAST for n in count.values()) >= 2:
            return {p: n for p, n in names.items() if not re.search(r"(19|20)\d\d", n)}
    return {}
