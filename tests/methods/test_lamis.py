"""LAMIS and its rivals: against loops, on a small newspaper, and on sites where there is nothing to find."""

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from sitegrain.arrays.entropy import term_entropy
from sitegrain.errors import UsageError
from sitegrain.methods.base import ARTICLE, TOC
from sitegrain.methods.lamis.graph import page_facts, site_graph
from sitegrain.methods.lamis.ranking import LAMIS, TABLE_4, Outlinks, eta, informative_blocks, toc_cut
from sitegrain.methods.registry import PAGE_METHODS, lamis_combinations, make_method
from sitegrain.partition import partitioner
from sitegrain.tables.site import Site
from sitegrain.text.terms import site_terms
from tests.builders import site_of
from tests.oracles.linkrank import slow_hits
from tests.oracles.terms import subtree_terms

MENU = "<ul><li><a href=0.html>Home</a><li><a href=1.html>Archive</a><li><a href=9.html>Advertise here</a></ul>"
TITLES = ("river flood", "mayor election", "harbour museum", "bridge repair", "school orchestra", "winter market")


def newspaper() -> Site:
    def teasers(numbers: tuple[int, ...]) -> str:
        return "".join(f"<li><a href={2 + i}.html>{TITLES[i]}</a></li>" for i in numbers)

    pages = [
        f"<title>Paper</title>{MENU}<div><ul>{teasers((0, 1, 2, 3))}</ul></div>",
        f"<title>Archive</title>{MENU}<div><ul>{teasers((3, 4, 5))}</ul></div>",
    ]
    for title in TITLES:
        body = " ".join(f"{word}{n}" for n in range(20) for word in title.split())
        pages.append(f"<title>{title}</title>{MENU}<div><p>{title} {body}</p></div>")
    pages += [f"<title>Contact</title>{MENU}<p>write", f"<title>Advertise</title>{MENU}<p>buy space"]
    return site_of(*pages)


def test_every_variant_equals_loops() -> None:
    site = newspaper()
    terms = site_terms(site, language="en")
    entropy = term_entropy(terms.page_term)
    graph = site_graph(site, terms)
    cut = partitioner("list")(site)
    link_block = cut.row_block[site.links.node[graph.link]].astype(np.int64)
    readings = product(("sum", "max"), ("ratio", "logs"), ("pairs", "anchors"), (None, 0.3))
    for (name, switches), (page_hub, reading, counted, fixed) in product(lamis_combinations().items(), readings):
        read: dict[str, Any] = {"page_hub": page_hub, "eta_reading": reading, "eta_links": counted, "eta": fixed}
        model = LAMIS(**switches, **read, n_iterations=15, tolerance=0)  # type: ignore[arg-type]
        got = model.scores(graph, link_block)
        links = []
        for row in range(len(site.links)):
            source, target = int(site.links.page[row]), int(site.links.target[row])
            if target < 0 or target == source:
                continue
            ids = subtree_terms(terms, site, int(site.links.node[row]))
            weight = 1.0
            if switches["entropy"]:
                weight = 1 - sum(entropy[i] for i in ids) / len(ids) if len(ids) else 0.0
            if switches["term_weight"] and len(ids):
                weight *= 1 + math.log10(len(ids))
            block = int(cut.row_block[site.links.node[row]])
            links.append(((source, block if switches["blocks"] else 0), target, weight))
        hub, authority = slow_hits(
            links, {u for u, _, _ in links} if switches["blocks"] else {(p, 0) for p in range(len(site))},
            range(len(site)), switches["normalize_links"], 15, "authority" if switches["blocks"] else "hub",
        )  # fmt: skip
        of_blocks = [[h for (p, _), h in hub.items() if p == page] or [0.0] for page in range(len(site))]
        hubs = [sum(x) if page_hub == "sum" else max(x) for x in of_blocks]
        n = len({(u[0], v) for u, v, _ in links}) if counted == "pairs" else len(links)
        factor = max(0.0, math.log10(n / 1000)) if reading == "ratio" else math.log(n, 1000)
        factor = (factor if fixed is None else fixed) if switches["hybrid"] else 0.0
        want = [h - factor * authority[p] for p, h in enumerate(hubs)]
        assert got.score == pytest.approx(want, abs=1e-9), name


def test_the_newspaper() -> None:
    verdict = make_method("lamis-ln-cb-tw", n_toc=2).apply(newspaper())
    assert np.flatnonzero(verdict.page_role == TOC).tolist() == [0, 1]
    assert np.flatnonzero(verdict.page_role == ARTICLE).tolist() == [2, 3, 4, 5, 6, 7]
    found = make_method("lamis-ln-cb-tw").apply(newspaper())
    assert np.flatnonzero(found.page_role == TOC).tolist() == [0, 1]
    assert ((found.page_confidence >= 0) & (found.page_confidence <= 1)).all()


def test_every_name_of_table_4_is_there() -> None:
    assert {name.lower() for name in TABLE_4} <= set(PAGE_METHODS)
    assert len(lamis_combinations()) == 32
    assert [eta(n) for n in (0, 10, 1000, 100_000)] == pytest.approx([0, 0, 0, 2])
    assert eta(1000, "logs") == pytest.approx(1)


FIGURE_7 = {
    0: {1: "hot news", 2: "sales"},
    1: {0: "home", 2: "sales", 3: "alpha", 4: "beta"},
    2: {0: "home"},
    3: {0: "home", 1: "hot news", 2: "sales", 4: "news beta"},
    4: {0: "home", 1: "hot news", 2: "sales", 3: "news alpha"},
}
"""The paper's example, as anchors: home page, TOC page, advertisement, two articles that refer to one another."""
TABLE_1 = {
    (0, 1): 0.669, (0, 2): 0.861, (1, 3): 0.430, (1, 4): 0.430, (1, 0): 0.861, (1, 2): 0.861, (2, 0): 0.861,
    (3, 1): 0.669, (3, 0): 0.861, (3, 2): 0.861, (3, 4): 0.543, (4, 1): 0.669, (4, 0): 0.861, (4, 2): 0.861,
    (4, 3): 0.543,
}  # fmt: skip
TABLE_2 = {
    False: ((0.535, 0.419, 0.576, 0.321, 0.321), (0.297, 0.524, 0.160, 0.553, 0.553)),
    True: ((0.229, 0.338, 0.244, 0.622, 0.622), (0.142, 0.756, 0.031, 0.451, 0.451)),
}
"""Authority and hub, without and with entropy, after ten iterations."""


def test_figure_7_from_raw_html() -> None:
    site = site_of(*("".join(f"<p><a href={v}.html>{t}</a></p>" for v, t in FIGURE_7[p].items()) for p in range(5)))
    graph = site_graph(site, site_terms(site, language="en"))
    found = dict(zip(zip(graph.source.tolist(), graph.target.tolist(), strict=True), graph.entropy, strict=True))
    assert len(graph) == 15
    for link, entropy in TABLE_1.items():
        assert found[link] == pytest.approx(entropy, abs=0.001), link
    for weighted, (authority, hub) in TABLE_2.items():
        got = LAMIS(entropy=weighted, n_iterations=10, tolerance=0).scores(graph)
        assert got.authority == pytest.approx(authority, abs=0.001)
        assert got.hub == pytest.approx(hub, abs=0.001)


def test_informative_blocks_of_toc_pages_leave_the_menu_out() -> None:
    site = newspaper()
    terms = site_terms(site, language="en")
    cut = partitioner("list")(site)
    pages = np.zeros(len(site), bool)
    pages[:2] = True
    good = informative_blocks(site, terms, cut, pages)
    menu = cut.row_block[site.links.node[0]]
    assert not good[menu]
    assert not good[~pages[cut.block_page]].any()


def test_cut() -> None:
    assert toc_cut(np.array([0.5, 0.45, 0.01, 0.0, 0.02])).n_toc == 2
    assert toc_cut(np.array([0.5, 0.45, 0.01, 0.0, 0.02]), 3).n_toc == 3
    assert toc_cut(np.full(5, 0.3)).n_toc == 0
    assert toc_cut(np.zeros(0)).n_toc == 0
    assert toc_cut(np.array([-1.0, -2.0, -3.0])).n_toc == 0
    with pytest.raises(UsageError):
        LAMIS(n_toc=-1).apply(site_of("<p>a"))


BAD: dict[str, list[str]] = {
    "no pages": [],
    "one page": ["<p>alone <a href=http://other.example/>out</a>"],
    "no links": ["<p>one", "<p>two"],
    "only self links": ["<a href=0.html>me</a>", "<a href=1.html>me</a>"],
    "disconnected": ["<a href=1.html>to one</a>", "<p>x", "<a href=3.html>to three</a>", "<p>y"],
    "images": ["<a href=1.html><img src=a></a>", "<a href=0.html><img src=b></a>", "<a href=0.html></a>"],
    "all the same": ["<a href=0.html>a</a> <a href=1.html>b</a> text"] * 4,
    "many links": ["<a href=1.html>x</a>" * 100_000, "<p>y"],
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("name", ["outlinks", "hits", "salsa", "lamis-ln-cb-hr-tw", "siteroles"])
def test_bad_input_gives_a_clear_verdict(case: str, name: str) -> None:
    site = site_of(*BAD[case])
    verdict = make_method(name).apply(site)
    for column in (verdict.page_toc, verdict.page_article, verdict.page_confidence, *verdict.evidence.values()):
        assert len(column) == len(site)
        assert all(column) if column.dtype == object else np.isfinite(column).all()
    assert set(verdict.page_role.tolist()) <= {0, 1, 2}
    if case in ("one page", "no links", "only self links"):
        assert verdict.notes
        # A ranking has nothing to go by; SiteRoles has the page, and its confidence is a measured probability.
        assert name == "siteroles" or (verdict.page_confidence <= 0.6).all()


def test_outlinks_counts_links() -> None:
    verdict = Outlinks(n_toc=1).apply(newspaper())
    assert verdict.page_role[0] == TOC
    assert verdict.page_toc[0] == 2 + 4  # the link to itself and what leaves the set do not count
    assert Outlinks(counts="anchors").apply(newspaper()).page_toc[0] == 3 + 4


@pytest.mark.parametrize("wrong", [{"eta": float("nan")}, {"page_hub": "mean"}, {"eta_reading": "none"}])
def test_a_reading_that_does_not_exist_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        LAMIS(**wrong)  # type: ignore[arg-type]


def test_facts_of_pages() -> None:
    site = site_of("<a href=1.html>one</a> <a href=1.html>again</a> <a href=0.html>me</a>", "<a href=5.html>x</a>", "")
    facts = {name: column.tolist() for name, column in page_facts(site).items()}
    assert facts["in_degree"] == [0, 1, 0]
    assert facts["out_degree"] == [1, 0, 0]
    assert facts["text_length"] == [len(text) for text in site.texts]
