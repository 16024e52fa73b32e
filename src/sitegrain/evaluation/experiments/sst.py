"""Seed 001: what cleaning pages is worth for clustering, classification and search."""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import sparse

from sitegrain.arrays.types import Floats
from sitegrain.demo.shops import generate_shops
from sitegrain.errors import UsageError
from sitegrain.evaluation.data import LabelledSite, open_site
from sitegrain.evaluation.gold import Gold, gold_nodes
from sitegrain.evaluation.metrics import bootstrap, bootstrap_difference, ic
from sitegrain.evaluation.report import Cell, MarkdownPage, bar_plot
from sitegrain.evaluation.sections import LEAST, page_sections
from sitegrain.evaluation.tasks import classification_scores, clustering_scores
from sitegrain.index import (
    Index,
    build_index,
    count_template_hits,
    menu_queries,
    open_index,
    own_titles,
    site_documents,
)
from sitegrain.methods.base import NodeVerdict
from sitegrain.methods.gibson import GibsonDom, GibsonText
from sitegrain.methods.rtdm import Rtdm
from sitegrain.methods.shingling import Shingling
from sitegrain.methods.simple import Origin
from sitegrain.methods.sst.method import SentenceTree, SentenceVerdict
from sitegrain.methods.yiliu import YiLiu
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from sitegrain.text.language import site_language
from sitegrain.text.terms import Terms, site_terms
from sitegrain.text.words import cut_words, stemmer

RUNS = 800
"""k-means runs per site and method (the paper's)."""
PER_CLASS = 60
"""Articles per class: with five classes the paper's sets are of this order."""
LABELLED = 100
"""Pages whose sentences are labelled, to set thresholds with (the paper's)."""
SHARES = (0.2, 0.5, 0.8)
"""Shares of the pages that naive Bayes learns from; the paper's three configurations were lost with its table 3."""

METHODS = ("origin", "gibson-dom", "gibson-text", "rtdm", "shingling", "yi-liu", "sst", "sst-labelled", "gold")
"""`sst` has the greedy thresholds, `sst-labelled` those of labelled sentences (the paper's), `gold` the true text."""
ORDER = (
    ("sst-labelled", "yi-liu"),
    ("sst", "yi-liu"),
    ("yi-liu", "gibson-dom"),
    ("yi-liu", "gibson-text"),
    ("yi-liu", "rtdm"),
    ("gibson-dom", "origin"),
    ("gibson-text", "origin"),
    ("rtdm", "origin"),
    ("sst-labelled", "origin"),
    ("gold", "sst-labelled"),
)
"""The paper's order, pair by pair, and the ends of the scale."""


@dataclass
class SiteScores:
    """What was measured on one site."""

    name: str
    n_pages: int
    classes: dict[str, int]
    source: str
    clustering: dict[str, Floats] = field(default_factory=dict)
    classification: dict[str, dict[float, Floats]] = field(default_factory=dict)
    text_f: dict[str, float] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    outside_f: float = 0.0
    """Classification by the text that `sst` keeps outside the labelled text alone."""
    named: tuple[float, float] = (0.0, 0.0)
    """Share of pages that have their class's name in that text, and in the labelled text."""


@dataclass(frozen=True)
class SearchScores:
    """What an index of one site takes and finds."""

    name: str
    ratio: float
    text_ratio: float
    menu: tuple[int, int, int]
    """Queries, hits among the first 20 of each, hits in template text only."""
    precision_whole: float
    precision_informative: float
    n_queries: int
    lost: float
    """Share of the right answers that the informative index does not find."""


def reproduce(sites: Sequence[LabelledSite], out: Path) -> None:
    """Run the paper's experiments on labelled sites and write `sst.md` with its plots."""
    scores, searches, left_out = [], [], {}
    for labelled in sites:
        start = time.perf_counter()
        site = build_site(labelled.captures())
        gold = gold_nodes(site, labelled)
        verdicts, seconds = site_verdicts(site, gold, labelled.name)
        if verdicts:
            searches.append(search_scores(labelled.name, site, gold, verdicts["sst"]))
        one = task_scores(labelled.name, site, gold, verdicts)
        if one is None:
            left_out[labelled.name] = page_sections(site, gold)[1]
        else:
            one.seconds = seconds
            scores.append(one)
        print(f"{labelled.name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    if not searches:
        raise UsageError("no site has articles with gold: the experiment needs labelled sites")
    write_page(scores, searches, left_out, out, shop_scores())


def shop_scores() -> dict[str, tuple[float, float, float]]:
    """Per method: F of clustering, of classification and of the text kept, on pages of six shops in one set.

    That is what the paper measures: pages of several sites, whose templates tell the site and not the class.
    """
    with tempfile.TemporaryDirectory() as folder:
        labelled = open_site(generate_shops(folder))
        site = build_site(labelled.captures())
        gold = gold_nodes(site, labelled)
    verdicts, _ = site_verdicts(site, gold, "shops")
    truth = np.array([labelled.labels[path].note for path in site.pages.path])
    terms = site_terms(site)
    length = (site.nodes.text_end - site.nodes.text_start).astype(np.float64)
    out = {}
    for name, verdict in verdicts.items():
        counts = kept_counts(site, terms, verdict)
        pairs = np.mean([classification_scores(counts, truth, share).mean() for share in SHARES])
        text = ic(verdict.node_kept, gold.node_gold, length).f1
        out[name] = (float(clustering_scores(counts, truth, RUNS).mean()), float(pairs), text)
    return out


def site_verdicts(site: Site, gold: Gold, name: str) -> tuple[dict[str, NodeVerdict], dict[str, float]]:
    """Every method's verdict on a site, and its seconds.

    Labelled sentences are those of random articles, as in the paper, of at most half of all: so pages that are
    clustered may be among them. Labels tell template from content; they know nothing of classes.
    """
    articles = gold.pages("article")
    if not len(articles):
        return {}, {}
    rng = np.random.default_rng([*name.encode()])
    labels = rng.permutation(articles)[: min(LABELLED, max(1, len(articles) // 2))]
    out: dict[str, NodeVerdict] = {}
    seconds: dict[str, float] = {}
    for model in (Origin(), GibsonDom(), GibsonText(), Rtdm(), Shingling(), YiLiu(), SentenceTree()):
        start = time.process_time()
        out[model.name] = model.fit_apply(site)
        seconds[model.name] = time.process_time() - start
    start = time.process_time()
    out["sst-labelled"] = SentenceTree().fit(site, gold.node_gold, labels).apply(site)
    seconds["sst-labelled"] = time.process_time() - start
    all_kept = out["origin"]
    out["gold"] = NodeVerdict(all_kept.node_score, gold.node_gold, all_kept.node_block, all_kept.blocks)
    return out, seconds


def experiment_pages(site: Site, gold: Gold) -> npt.NDArray[np.int64]:
    """The pages that are clustered: up to `PER_CLASS` seeded articles of every class."""
    section, _ = page_sections(site, gold)
    rng = np.random.default_rng(0)
    parts = [
        rng.permutation(np.flatnonzero(section == name))[:PER_CLASS] for name in sorted(set(section.tolist()) - {""})
    ]
    return np.sort(np.concatenate(parts)) if parts else np.zeros(0, np.int64)


def task_scores(name: str, site: Site, gold: Gold, verdicts: dict[str, NodeVerdict]) -> SiteScores | None:
    """Clustering and classification of a site's articles after every method; None without classes."""
    section, source = page_sections(site, gold)
    pages = experiment_pages(site, gold)
    if not len(pages) or not verdicts:
        return None
    truth = section[pages].astype(str)
    terms = site_terms(site)
    one = SiteScores(name, site.n_pages, dict(Counter(truth.tolist())), source)
    length = (site.nodes.text_end - site.nodes.text_start).astype(np.float64)
    mine = np.isin(site.nodes.page, pages)
    for method, verdict in verdicts.items():
        counts = kept_counts(site, terms, verdict)[pages]
        one.clustering[method] = clustering_scores(counts, truth, RUNS)
        one.classification[method] = {share: classification_scores(counts, truth, share) for share in SHARES}
        one.text_f[method] = ic(verdict.node_kept & mine, gold.node_gold & mine, length).f1
    outside = verdicts["sst"].node_kept & ~gold.node_gold
    counts = kept_counts(site, terms, replace(verdicts["gold"], node_kept=outside))[pages]
    one.outside_f = float(np.mean([classification_scores(counts, truth, share).mean() for share in SHARES]))
    one.named = (_named(site, pages, truth, outside), _named(site, pages, truth, gold.node_gold))
    return one


def _named(site: Site, pages: npt.NDArray[np.int64], truth: npt.NDArray[np.str_], mask: npt.NDArray[np.bool_]) -> float:
    """Share of pages whose marked text has all words of their class's name."""
    found = 0
    for page, name in zip(pages.tolist(), truth.tolist(), strict=True):
        rows = site.page_rows(page)
        texts = (site.node_text(rows.start + i) for i in np.flatnonzero(mask[rows]).tolist())
        found += set(cut_words(re.sub(r"[-_]", " ", name))) <= set(cut_words(" ".join(texts)))
    return found / max(len(pages), 1)


def kept_counts(site: Site, terms: Terms, verdict: NodeVerdict) -> sparse.csr_array:
    """Pages x terms: how often each term is in the text that a method keeps."""
    if isinstance(verdict, SentenceVerdict) and verdict.sentences is not None:
        s = verdict.sentences
        owner = np.repeat(np.arange(len(s)), np.diff(s.term_offset))
        ok = verdict.sentence_kept[owner]
        page, ids, n_terms = s.page[owner[ok]], s.term[ok], len(s.vocabulary)
    else:
        row = np.repeat(np.arange(site.n_nodes), np.diff(terms.node_offset))
        ok = verdict.node_kept[row]
        page, ids, n_terms = site.nodes.page[row[ok]].astype(np.int64), terms.ids[ok].astype(np.int64), terms.n_terms
    shape = (site.n_pages, max(n_terms, 1))
    return sparse.csr_array(sparse.coo_array((np.ones(len(ids)), (page, ids)), shape=shape))


# Search


def search_scores(name: str, site: Site, gold: Gold, verdict: NodeVerdict) -> SearchScores:
    """Index a site whole and cleaned, and ask it what its menus and its titles say."""
    menu = menu_queries(site)
    with tempfile.TemporaryDirectory() as folder:
        documents = list(site_documents(site, verdict))
        build_index(folder, documents, site_language(site))
        with open_index(folder) as index:
            sizes = index.sizes()
            hits = count_template_hits(index, menu)
        articles = gold.pages("article").tolist()
        language = index.facts["language"]
        build_index(folder, [documents[p] for p in articles], language)
        titles = [site.pages.title[p] for p in articles]
        labels = [gold.page_label[p] for p in articles]
        texts = [gold.texts.get(x.path, "") if x is not None else "" for x in labels]
        relevant = _Relevant([documents[p].url for p in articles], titles, texts, language)
        with open_index(folder) as index:
            precision, lost, n = _precision(index, [*menu, *title_queries(titles, language)], relevant)
    return SearchScores(
        name,
        sizes.ratio or 0.0,
        sizes.informative_characters / max(sizes.whole_characters, 1),
        (hits.n_queries, hits.n_hits, hits.n_template),
        precision[0],
        precision[1],
        n,
        lost,
    )


def title_queries(titles: Sequence[str], language: str) -> list[str]:
    """Two neighbouring words of some titles, the site's name left out: what someone who looks for that page types."""
    rng = np.random.default_rng(1)
    own = [set(words) for words in own_titles(titles, language)]
    stem = stemmer(language)
    out = []
    for i in rng.permutation(len(titles))[:50].tolist():
        words = [w for w in cut_words(titles[i]) if len(w) > 1 and (stem(w) or w) in own[i]]
        if len(words) >= 2:
            at = int(rng.integers(0, len(words) - 1))
            out.append(" ".join(words[at : at + 2]))
    return out


class _Relevant:
    """Which articles have all words of a query in their labelled text or in the words of their own title."""

    def __init__(self, urls: list[str], titles: list[str], texts: list[str], language: str) -> None:
        self._stem = stemmer(language)
        own = own_titles(titles, language)
        self._words = {url: self._set(text) | set(t) for url, text, t in zip(urls, texts, own, strict=True)}

    def _set(self, text: str) -> set[str]:
        return {self._stem(w) or w for w in cut_words(text)}

    def __call__(self, query: str) -> set[str]:
        wanted = self._set(query)
        return {url for url, words in self._words.items() if wanted and wanted <= words}


def _precision(index: Index, queries: list[str], relevant: _Relevant) -> tuple[tuple[float, float], float, int]:
    """Precision of the first 20 hits in whole and in informative text, and the share of answers that were lost."""
    whole, informative = [0, 0], [0, 0]
    answers = found = n = 0
    for query in queries:
        try:
            right = relevant(query)
            every = index.urls(query)
            for hits, count in ((index.urls(query, 20, "whole"), whole), (every[:20], informative)):
                count[0] += len(hits)
                count[1] += sum(url in right for url in hits)
        except UsageError:
            continue
        n += 1
        answers += len(right)
        found += len(right & set(every))
    lost = 1 - found / answers if answers else 0.0
    return (whole[1] / max(whole[0], 1), informative[1] / max(informative[0], 1)), lost, n


# The page


def write_page(
    scores: list[SiteScores],
    searches: list[SearchScores],
    left_out: dict[str, str],
    out: Path,
    shops: dict[str, tuple[float, float, float]],
) -> Path:
    """Tables and plots of all sites."""
    page = MarkdownPage("Site style tree with sentences: what cleaning is good for")
    page.text(
        "Seed 001, sections 5.1 and 5.2. The paper mixes pages of five product classes from six shops; its tables were "
        "lost in its text, so there are no figures of theirs to stand beside ours, only their order: "
        "sentence style tree > Yi-Liu > Gibson (DOM, text) and RTDM > Origin. Figure 2 is the shares of runs; figure 1 is a diagram.\n\n"
        "First a set like the paper's, of pages of six shops with five kinds of things (fictional: `demo/shops.py`). Then every "
        "site is a set of its own: all its pages share one template, and its articles are in classes that "
        "its editors made (see `evaluation/sections.py`). Methods learn from all pages of a site; up to "
        f"{PER_CLASS} articles of each of up to five classes are clustered and classified, by their term counts "
        "scaled to length 1 (clustering) or as they are (naive Bayes)."
    )
    page.heading("Six shops, five kinds of things, one set")
    page.text(
        f"Mean F of {RUNS} k-means runs into five clusters, of naive Bayes over pairs of kinds, and of the text kept."
    )
    page.table(["method", "clustering", "classification", "text"], [[name, *values] for name, values in shops.items()])
    if scores:
        _task_tables(page, scores)
    if left_out:
        page.text(f"Left out, for they offer no two classes of {LEAST} articles:")
        page.table(["site", "what there is"], list(left_out.items()))
    _search_tables(page, searches)
    return page.write(out, "sst")


def _task_tables(page: MarkdownPage, scores: list[SiteScores]) -> None:
    page.heading("Sites and classes")
    page.table(
        ["site", "pages", "classes from", "classes"],
        [[s.name, s.n_pages, s.source, ", ".join(f"{k} {n}" for k, n in s.classes.items())] for s in scores],
    )
    clustering = {m: [float(s.clustering[m].mean()) for s in scores] for m in METHODS}
    page.heading(f"Clustering: mean F of {RUNS} k-means runs")
    page.text("A site's interval is over its runs, that of the last row over sites (95%, bootstrap).")
    spread = {m: [_half_width(s.clustering[m]) for s in scores] for m in METHODS}
    page.table(["site", *METHODS], _site_rows(scores, clustering, spread))
    page.text("Share of runs by F (sites weigh alike):")
    bins = np.linspace(0, 1, 11)
    names = [f"{a:.1f}-{b:.1f}" for a, b in pairwise(bins.tolist())]
    share = {
        m: np.mean([np.histogram(s.clustering[m], bins)[0] / len(s.clustering[m]) for s in scores], axis=0)
        for m in METHODS
    }
    page.table(["F", *METHODS], [[n, *(float(share[m][i]) for m in METHODS)] for i, n in enumerate(names)])
    shown = {m: share[m].tolist() for m in METHODS}
    page.figure(bar_plot(names, shown, y="share of runs", title="F of k-means runs"), "sst-clustering")
    page.heading("Classification: mean F of naive Bayes over pairs of classes")
    classification = {
        m: [float(np.mean([f.mean() for f in s.classification[m].values()])) for s in scores] for m in METHODS
    }
    page.text(
        "Mean of three shares of pages to learn from, five draws each; a site's interval is over pairs and draws."
    )
    pairs = {m: [_half_width(np.concatenate([*s.classification[m].values()])) for s in scores] for m in METHODS}
    page.table(["site", *METHODS], _site_rows(scores, classification, pairs))
    page.table(
        ["learned from", *METHODS],
        [
            [f"{share:.0%}", *(float(np.mean([s.classification[m][share].mean() for s in scores])) for m in METHODS)]
            for share in SHARES
        ],
    )
    page.heading("Does the paper's order hold?")
    page.text("Mean difference over sites, with its 95% interval (paired bootstrap over sites).")
    rows: list[list[Cell]] = []
    for better, worse in ORDER:
        row: list[Cell] = [f"{better} - {worse}"]
        for values in (clustering, classification):
            gap = bootstrap_difference(values[better], values[worse])
            verdict = "holds" if gap.low > 0 else "reversed" if gap.high < 0 else "open"
            wins = sum(a > b for a, b in zip(values[better], values[worse], strict=True))
            row += [f"{gap.mean:+.3f} ({gap.low:+.3f} to {gap.high:+.3f})", f"{wins}/{len(scores)}", verdict]
        rows.append(row)
    page.table(["pair", "clustering", "sites", "order", "classification", "sites", "order"], rows)
    _order_by_site(page, scores)
    page.heading("Where pages name their class")
    page.text(
        "Text that `sst` keeps outside the labelled text (titles, category lines, tags, breadcrumbs, ...): how well "
        "naive Bayes does with that alone, beside the labelled text alone; and the share of pages that have the name "
        "of their class in each."
    )
    page.table(
        ["site", "outside F", "labelled F", "named outside", "named in labelled"],
        [[s.name, s.outside_f, classification["gold"][i], *s.named] for i, s in enumerate(scores)],
    )
    page.heading("How much of the right text is kept, and seconds")
    page.text(
        "F over characters of kept against labelled text, on the pages above; CPU seconds to learn and judge all pages."
    )
    text = {m: [s.text_f[m] for s in scores] for m in METHODS}
    page.table(["site", *METHODS], _site_rows(scores, text))
    timed = [m for m in METHODS if m != "gold"]
    page.table(["site", "pages", *timed], [[s.name, s.n_pages, *(s.seconds[m] for m in timed)] for s in scores], 1)


def _order_by_site(page: MarkdownPage, scores: list[SiteScores]) -> None:
    """The same pairs on each site: the runs (draws) of two methods start alike, so they are compared one by one."""
    page.text(
        "Site by site: the difference, and whether the order holds or is reversed there (interval of the paired runs or "
        "draws on one side of 0); open without a word."
    )
    pairs = [pair for pair in ORDER if "gold" not in pair]
    for what in ("Clustering", "Classification"):
        rows: list[list[Cell]] = []
        for s in scores:
            runs = s.clustering if what == "Clustering" else {
                m: np.concatenate([*shares.values()]) for m, shares in s.classification.items()
            }  # fmt: skip
            row: list[Cell] = [s.name]
            for better, worse in pairs:
                gap = bootstrap_difference(runs[better], runs[worse], n=200)
                row.append(f"{gap.mean:+.3f} {'holds' if gap.low > 0 else 'reversed' if gap.high < 0 else ''}".rstrip())
            rows.append(row)
        page.text(f"{what}:")
        page.table(["site", *(f"{better} - {worse}" for better, worse in pairs)], rows)


def _half_width(values: Floats) -> float:
    """Half the width of the 95% bootstrap interval of a mean."""
    spread = bootstrap(values, n=200)
    return (spread.high - spread.low) / 2


def _site_rows(
    scores: list[SiteScores], values: dict[str, list[float]], half: dict[str, list[float]] | None = None
) -> list[list[Cell]]:
    rows: list[list[Cell]] = [
        [s.name, *(f"{values[m][i]:.3f} ±{half[m][i]:.3f}" if half else values[m][i] for m in METHODS)]
        for i, s in enumerate(scores)
    ]
    last: list[Cell] = ["mean"]
    for m in METHODS:
        spread = bootstrap(values[m])
        last.append(f"{spread.mean:.3f} ({spread.low:.3f} to {spread.high:.3f})")
    return [*rows, last]


def _search_tables(page: MarkdownPage, searches: list[SearchScores]) -> None:
    page.heading("Index size and search")
    page.text(
        "Method `sst` (no labels). Size: inverted lists of the informative text as a share of those of whole pages. "
        "Template-only hits: of the top 20 hits in whole pages for the site's own menu words, those whose "
        "informative text lacks the words. Precision: of the top 20 hits among articles, for menu words and for "
        "words of titles, those whose title and labelled text have all words. Lost: right answers that the informative "
        "index does not find. The papers open with an index of 12.14% of the size and 28 wrong hits."
    )
    rows: list[list[Cell]] = []
    for s in searches:
        queries, hits, wrong = s.menu
        rows.append([
            s.name, s.ratio, s.text_ratio, queries, hits, wrong, s.n_queries, s.precision_whole,
            s.precision_informative, s.lost,
        ])  # fmt: skip
    hits, wrong = sum(s.menu[1] for s in searches), sum(s.menu[2] for s in searches)
    mean = [float(np.mean([getattr(s, f) for s in searches])) for f in ("ratio", "text_ratio")]
    tail = [
        float(np.mean([getattr(s, f) for s in searches])) for f in ("precision_whole", "precision_informative", "lost")
    ]
    queries = sum(s.menu[0] for s in searches)
    rows.append(["all", *mean, queries, hits, wrong, sum(s.n_queries for s in searches), *tail])
    columns = [
        "site", "index ratio", "text ratio", "menu queries", "hits", "template-only", "queries", "P@20 whole",
        "P@20 informative", "lost",
    ]  # fmt: skip
    page.table(columns, rows)
