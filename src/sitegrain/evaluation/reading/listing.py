"""How well the entries of TOC pages are read: their addresses, titles and dates against the main list of labelled sites.

Gold are the links inside of `toc_selector` that lead to labelled articles; a link there to a page without a label counts
neither way, and neither does one to another TOC page if no article is linked. A title is right if it is the target's own
(its heading or `<title>` holds it or is held by it), a date if the target gives the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sitegrain.article.article import SiteContext
from sitegrain.article.entries import TocEntry, toc_entries
from sitegrain.article.fields import Fields
from sitegrain.evaluation.data import LabelledSite, page_url
from sitegrain.evaluation.gold import gold_page
from sitegrain.evaluation.options import Options
from sitegrain.evaluation.reading.pieces import squeezed
from sitegrain.extractor.model import CONTENT_KIND
from sitegrain.result.recipe import make_recipe
from sitegrain.tables.address import page_key, resolve
from sitegrain.tables.build import build_site
from sitegrain.tables.site import Site

TOC_PAGES = 8
TARGETS = 60
"""Articles that the TOC pages lead to, read for their titles and dates."""
OTHERS = 60


@dataclass
class ListScores:
    """The TOC pages of one site."""

    site: str
    f1: list[float] = field(default_factory=list)
    precision: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    titles: list[bool] = field(default_factory=list)
    dates: list[bool] = field(default_factory=list)
    """Of the entries with a date whose target has one."""


def measure_lists(labelled: LabelledSite, options: Options) -> ListScores:
    """The entries of a seeded sample of a site's TOC pages."""
    rng = random.Random(f"{options.seed}/{labelled.name}")
    tocs = sorted(x.path for x in labelled.labels.values() if x.kind == "toc" and x.toc_selector and not x.dup_of)
    sample = set(rng.sample(tocs, min(TOC_PAGES, len(tocs))))
    kinds, paths = _pages(labelled)
    linked = _linked(labelled, sample, kinds, paths)
    targets = set(rng.sample(linked, min(TARGETS, len(linked))))
    rest = sorted(set(labelled.labels) - sample - targets)
    captures = list(labelled.captures(sample | targets | set(rng.sample(rest, min(OTHERS, len(rest))))))
    site = build_site(captures)
    verdict = make_recipe(model=options.model_for(CONTENT_KIND, labelled.name)).judge(site)
    context = SiteContext(site)
    row = {path: p for p, path in enumerate(site.pages.path)}
    out = ListScores(labelled.name)
    for capture in captures:
        if capture.path not in sample:
            continue
        p = row[capture.path]
        inside = _inside(site, p, [*gold_page(capture, labelled.labels[capture.path]).keep])
        gold = {u for u in inside if kinds.get(page_key(u)) == "article"}
        if not gold:
            continue
        entries = toc_entries(site, p, verdict.node_score, context.links)
        found = {e.url for e in entries if e.url not in inside or page_key(e.url) in kinds}
        right = len(found & gold)
        out.precision.append(right / len(found) if found else 0.0)
        out.recall.append(right / len(gold))
        out.f1.append(2 * right / (len(found) + len(gold)) if found else 0.0)
        _details(site, context, [e for e in entries if e.url in gold], out)
    return out


def _details(site: Site, context: SiteContext, entries: Sequence[TocEntry], out: ListScores) -> None:
    for entry in entries:
        if entry.page < 0:
            continue
        fields = Fields(site, entry.page, context.fields)
        said = [squeezed(t) for t in (site.pages.title[entry.page], fields.title.value, *_headings(site, entry.page))]
        title = squeezed(entry.title.rstrip("….").removesuffix("[...]"))
        out.titles.append(bool(title) and any(t and (title in t or (len(t) > 8 and t in title)) for t in said))
        if entry.date and fields.date:
            out.dates.append(entry.date == fields.date.value)


def _headings(site: Site, page: int) -> Iterator[str]:
    rows = site.page_rows(page)
    for row in site.rows("h1", "h2"):
        if rows.start <= row < rows.stop:
            yield site.node_text(int(row))


def _pages(labelled: LabelledSite) -> tuple[dict[str, str], dict[str, str]]:
    """(page key -> kind, page key -> path) of the labelled pages."""
    urls = {path: page_url(labelled.base_url, path) for path in labelled.labels}
    keys = {path: page_key(resolve(url, "") or url) for path, url in urls.items()}
    return {k: labelled.labels[p].kind for p, k in keys.items()}, {k: p for p, k in keys.items()}


def _linked(labelled: LabelledSite, sample: set[str], kinds: dict[str, str], paths: dict[str, str]) -> list[str]:
    site = build_site(labelled.captures(sample))
    keys = {page_key(url) for url in site.links.url if url}
    return sorted(paths[k] for k in keys if kinds.get(k) == "article")


def _inside(site: Site, page: int, keep: list[int]) -> set[str]:
    """Addresses linked in the gold block."""
    rows = site.page_rows(page)
    elements = rows.start + np.flatnonzero(~site.is_text[rows])
    gold = np.zeros(site.n_nodes, bool)
    for i in keep:
        gold[elements[i] : site.nodes.end[elements[i]]] = True
    own = np.flatnonzero(site.links.page == page)
    return {site.links.url[i] for i in own if gold[site.links.node[i]] and not site.links.is_self[i]} - {""}
