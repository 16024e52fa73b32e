"""How well the list of a TOC page is found: its links against the main list block of labelled sites.

    python bench/toc.py ../shared/data/sites [--pages 8] [--site NAME ...]

Per page: "precision" is the share of the entries that stand in the gold block, "articles found" the share of the
different article pages linked in the gold block that have an entry, "links found" the same for every address there
(tags and authors too). A site's figures are means over a seeded sample of its TOC pages; its tables hold those and
120 other pages.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np

from sitegrain.article.entries import SiteLinks, toc_entries
from sitegrain.evaluation.data import LabelledSite, open_sites
from sitegrain.evaluation.gold import gold_page
from sitegrain.tables.build import build_site

OTHERS = 120


def measure(labelled: LabelledSite, n_pages: int) -> tuple[int, list[float]]:
    rng = random.Random(f"0/{labelled.name}")
    tocs = sorted(x.path for x in labelled.labels.values() if x.kind == "toc" and x.toc_selector and not x.dup_of)
    sample = set(rng.sample(tocs, min(n_pages, len(tocs))))
    others = sorted(set(labelled.labels) - sample)
    captures = list(labelled.captures(sample | set(rng.sample(others, min(OTHERS, len(others))))))
    site = build_site(captures)
    links = SiteLinks.of(site)
    row = {path: p for p, path in enumerate(site.pages.path)}
    url_kind = _kinds(labelled)
    figures = []
    for capture in captures:
        if capture.path not in sample:
            continue
        p = row[capture.path]
        rows = site.page_rows(p)
        elements = rows.start + np.flatnonzero(~site.is_text[rows])
        gold = np.zeros(site.n_nodes, bool)
        for i in gold_page(capture, labelled.labels[capture.path]).keep:
            gold[elements[i] : site.nodes.end[elements[i]]] = True
        own = np.flatnonzero(site.links.page == p)
        inside = {site.links.url[i] for i in own if gold[site.links.node[i]] and not site.links.is_self[i]} - {""}
        if not inside:
            continue
        found = {e.url for e in toc_entries(site, p, None, links)}
        articles = {u for u in inside if url_kind.get(_key(u)) == "article"}
        figures.append(
            (
                len(found & inside) / len(found) if found else 0.0,
                len(found & articles) / len(articles) if articles else np.nan,
                len(found & inside) / len(inside),
            )
        )
    return len(figures), np.nanmean(np.array(figures), axis=0).tolist() if figures else []


def _key(url: str) -> str:
    from sitegrain.tables.address import page_key

    return page_key(url)


def _kinds(labelled: LabelledSite) -> dict[str, str]:
    from sitegrain.evaluation.data import page_url
    from sitegrain.tables.address import resolve

    urls = {path: page_url(labelled.base_url, path) for path in labelled.labels}
    return {_key(resolve(url, "") or url): labelled.labels[path].kind for path, url in urls.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=8, help="TOC pages of each site")
    parser.add_argument("--site", action="append", default=[], help="only this site; may be repeated")
    args = parser.parse_args()
    totals = []
    print(f"{'':16} {'pages':>5} {'precision':>9} {'articles found':>14} {'links found':>11}")
    for folder in sorted(args.data.iterdir()):
        name = folder.name.partition(".")[0]
        if args.site and name not in args.site:
            continue
        for labelled in open_sites(folder):
            n, figures = measure(labelled, args.pages)
            if figures:
                totals.append(figures)
                print(f"{name:16} {n:5} {figures[0]:9.3f} {figures[1]:14.3f} {figures[2]:11.3f}", flush=True)
    mean = np.nanmean(np.array(totals), axis=0)
    print(f"{'mean':16} {len(totals):5} {mean[0]:9.3f} {mean[1]:14.3f} {mean[2]:11.3f}")


if __name__ == "__main__":
    main()
