from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sitegrain.arrays.entropy import term_entropy
from sitegrain.evaluation.data import LabelledSite, open_site
from sitegrain.evaluation.experiments import experiment
from sitegrain.evaluation.experiments import wisdom as experiments
from sitegrain.evaluation.experiments._articles import leave_one_out
from sitegrain.evaluation.experiments._wisdom_sample import entropy_growth, mean_prf, site_sample, take_pages
from sitegrain.evaluation.metrics import ic, snc
from sitegrain.methods.wisdom.method import WISDOM
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.text.terms import site_terms

MENU = "<ul><li><a href=index.html>Home page</a><li><a href=0.html>About all</a></ul>"


def labelled(folder: Path, name: str, n: int = 6) -> LabelledSite:
    """A small newspaper with labels."""
    root = folder / name
    (root / "html").mkdir(parents=True)
    titles = [f"{name} story{i} of thing{i} and place{i}" for i in range(n)]
    heads = "".join(f"<div><a href={i}.html>{t}</a></div>" for i, t in enumerate(titles))
    pages = {"index.html": f"{MENU}<div class=list>{heads}</div><p>All rights reserved</p>"}
    labels = [{"path": "index.html", "kind": "toc", "toc_selector": ".list"}]
    for i, title in enumerate(titles):
        body = "".join(f"<p>{title} said{i}{j} went{i}{j} came{i}{j} saw{i}{j}</p>" for j in range(5))
        pages[f"{i}.html"] = f"{MENU}<div class=body><h1>{title}</h1>{body}</div><p>All rights reserved</p>"
        labels.append({"path": f"{i}.html", "kind": "article", "content_selector": ".body"})
    for path, page in pages.items():
        (root / "html" / path).write_text(page)
    (root / "labels.jsonl").write_text("\n".join(map(json.dumps, labels)))
    (root / "site.json").write_text(json.dumps({"site": name, "base_url": f"http://{name}.example/"}))
    return open_site(root)


def test_scores_are_the_measures(tmp_path: Path) -> None:
    sample = site_sample(labelled(tmp_path, "alpha"), [WISDOM()])
    site, model = sample.site, WISDOM()
    site.check()
    assert sample.n_articles == 6
    assert site.n_pages == 7
    evidence = next(iter(sample.evidence.values()))
    structure = model.structure(site, evidence)
    article = sample.scores(model, "article")
    toc = sample.scores(model, "toc")
    for page in range(6):
        rows = site.page_rows(page)
        found = (structure.article.kept & site.is_text)[rows]
        want = ic(found, sample.node_gold[rows], sample.length[rows])
        np.testing.assert_allclose(article[page], want)
    mine = site.links.page == 6
    found = structure.toc.kept[site.links.node]
    np.testing.assert_allclose(toc[0], snc(found[mine], sample.link_gold[mine], sample.link_counts[mine]))
    total = mean_prf(article)
    assert total is not None
    assert total.f1 > 0.9


def test_growth_compares_the_entropies_so_far_with_the_last_ones(tmp_path: Path) -> None:
    site = build_site(labelled(tmp_path, "alpha", n=14).captures())
    terms = site_terms(site, language="en")
    (growth,) = entropy_growth(terms, site.n_pages, np.random.default_rng(5))
    order = np.random.default_rng(5).permutation(site.n_pages)
    some, final = terms.page_term[order[:10]], term_entropy(terms.page_term)
    now, count = term_entropy(some), np.asarray(some.sum(axis=0)).ravel()
    seen = (count > 0) & (final > 0)
    assert growth.n_pages == 10
    assert growth.per_occurrence == pytest.approx(np.average(abs(now - final), weights=count))
    assert growth.per_term == pytest.approx(abs(now - final)[seen].mean())
    total = np.asarray(terms.page_term.sum(axis=0)).ravel()
    assert growth.ratio == pytest.approx(np.average(now, weights=count) / np.average(final, weights=total))
    assert growth.once == pytest.approx((now[seen] == 0).mean())
    assert growth.per_occurrence > 0


def test_taking_pages_keeps_the_evidence(tmp_path: Path) -> None:
    whole = build_site(labelled(tmp_path, "alpha").captures())
    cut, rows, links = take_pages(whole, np.array([4, 1]))
    cut.check()
    assert [cut.pages.path[i] for i in range(2)] == [whole.pages.path[4], whole.pages.path[1]]
    assert [cut.node_text(i) for i in range(cut.n_nodes)] == [whole.node_text(int(i)) for i in rows]
    assert (whole.links.node[links] == rows[cut.links.node]).all()
    assert cut[0].text == whole[4].text


def test_leave_one_out() -> None:
    scores = np.array([[1.0, 0.0, 0.0], [0.0, 0.9, 0.9], [0.6, 0.5, 0.5]])
    best, held = leave_one_out(scores)
    assert best == 1
    assert held.tolist() == [0.0, 0.5, 0.5]


def test_reproduce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(experiments, "TOC_GRID", {"tc_toc": (1.25, 2.0)})
    monkeypatch.setattr(experiments, "ARTICLE_GRID", {"st": (0.6, 0.8)})
    sites = [labelled(tmp_path, name) for name in ("alpha", "bayosphere")]
    experiment("wisdom")(sites, tmp_path / "out")
    text = (tmp_path / "out" / "wisdom.md").read_text()
    for part in (
        "Table 3",
        *(f"Fig. {n}:" for n in (11, 12, 13, 15, 16, 17, 18, 19, 20, 21)),
        "WISDOM.tuned()",
    ):
        assert part in text
    assert "nan" not in text


def test_blocks_carry_their_evidence() -> None:
    from sitegrain.result.mining import mine

    pages = [
        Capture(f"http://a.example/{i}.html", f"{MENU}<div><p>words{i} here{i}<p>and{i} there{i}</div>".encode())
        for i in range(3)
    ]
    table = mine(pages, methods=["wisdom"]).blocks
    for column in ("path", "type", "cii", "api", "sii"):
        assert column in table.column_names
    assert "article" in table["type"].to_pylist()
