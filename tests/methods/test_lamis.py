"""LAMIS and its rivals: against loops, on a small newspaper, and on sites where there is nothing to find."""

import math

import numpy as np
import pytest

from sitegrain.arrays.entropy import term_entropy
from sitegrain.errors import UsageError
from sitegrain.methods.base import ARTICLE, TOC
from sitegrain.methods.lamis.graph import site_graph
from sitegrain.methods.lamis.ranking import LAMIS, TABLE_4, Outlinks, eta, informative_blocks, toc_cut
from sitegrain.methods.registry import PAGE_METHODS, lamis_combinations, make_method
from sitegrain.partition import partitioner
from sitegrain.tables.site import Site
from sitegrain.text.terms import site_terms
from tests.builders import site_of
from tests.oracles.linkrank import slow_hits

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
    for name, switches in lamis_combinations().items():
        model = LAMIS(**switches, n_iterations=15, tolerance=0)  # type: ignore[arg-type]
        got = model.scores(graph, link_block)
        links = []
        for row in range(len(site.links)):
            source, target = int(site.links.page[row]), int(site.links.target[row])
            if target < 0 or target == source:
                continue
            ids = terms.node_ids(site, int(site.links.node[row]))
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
        page_hub = [max((h for (p, _), h in hub.items() if p == page), default=0.0) for page in range(len(site))]
        factor = math.log(len(links), 1000) if switches["hybrid"] else 0.0
        want = [h - factor * authority[p] for p, h in enumerate(page_hub)]
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
    assert eta(1000) == pytest.approx(1)


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
        assert np.isfinite(column).all()
    assert set(verdict.page_role.tolist()) <= {0, 1, 2}
    if case in ("one page", "no links", "only self links"):
        assert verdict.notes
        assert (verdict.page_confidence <= 0.6).all()


def test_outlinks_counts_links() -> None:
    verdict = Outlinks(n_toc=1).apply(newspaper())
    assert verdict.page_role[0] == TOC
    assert verdict.page_toc[0] == 2 + 4
