"""What the cap on scored pages costs: F1 of the text with first scores of some pages a site, and with those of all pages.

    python bench/caps.py SITE ...

The only thing that is known of a site by a sample of its pages is what their first scores say of paths (`SCORED_PAGES`); what is counted
is exact. Prints the mean F1 in words of all articles with a label under both, and the difference.
"""

from __future__ import annotations

import sys

import numpy as np

from sitegrain.evaluation.data import open_site
from sitegrain.evaluation.gold import gold_nodes
from sitegrain.extractor import model
from sitegrain.extractor.model import Extractor
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site


def f1(kept: np.ndarray, gold: np.ndarray, site: Site) -> np.ndarray:  # type: ignore[type-arg]
    """Per page: F1 in words of the text nodes that are kept."""
    n_words = np.array([len(text.split()) for text in site.unique_texts])
    words = np.zeros(site.n_nodes)
    words[site.text_rows] = n_words[site.text_id[site.text_rows]]

    def per_page(rows: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        return np.bincount(site.nodes.page[rows], words[rows], minlength=site.n_pages)

    return 2 * per_page(kept & gold) / np.maximum(per_page(kept) + per_page(gold), 1)


def main(folders: list[str]) -> None:
    print(
        "| site | pages | F1, 150 scored | F1, all scored | loss | pages with other text |\n|---|---|---|---|---|---|"
    )
    losses = []
    cap = model.SCORED_PAGES
    for folder in folders:
        labelled = open_site(folder)
        site = build_site(labelled.captures())
        gold = gold_nodes(site, labelled)
        found, kept = [], []
        for model.SCORED_PAGES in (cap, site.n_pages):
            verdict = Extractor().fit_apply(site)
            kept.append(verdict.node_kept)
            found.append(float(f1(kept[-1], gold.node_gold, site)[gold.pages("article")].mean()))
        other = len(np.unique(site.nodes.page[kept[0] != kept[1]]))
        losses.append(found[1] - found[0])
        print(
            f"| {labelled.name} | {site.n_pages} | {found[0]:.4f} | {found[1]:.4f} | {losses[-1]:.4f} | {other} |",
            flush=True,
        )
    print(f"mean loss {np.mean(losses):.5f}")


if __name__ == "__main__":
    main(sys.argv[1:])
