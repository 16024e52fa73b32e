"""k-means, naive Bayes and the classes of a site, against slow versions and small cases."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from sitegrain.errors import UsageError
from sitegrain.evaluation.data import open_site
from sitegrain.evaluation.experiments import sst
from sitegrain.evaluation.gold import gold_nodes
from sitegrain.evaluation.sections import page_sections
from sitegrain.evaluation.tasks import NaiveBayes, classification_scores, clustering_scores, kmeans, unit_rows
from sitegrain.tables.parsing.build import build_site


def slow_kmeans(x: np.ndarray, centres: np.ndarray) -> list[int]:
    """Lloyd with centres written out."""
    labels: list[int] = []
    for _ in range(101):
        gaps = [[((row - c) ** 2).sum() if c is not None else np.inf for c in centres] for row in x]
        new = [int(np.argmin(g)) for g in gaps]
        if new == labels:
            break
        labels = new
        centres = [  # type: ignore[assignment]
            x[[i for i, y in enumerate(labels) if y == k]].mean(axis=0) if k in labels else None
            for k in range(len(centres))
        ]
    return labels


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 4))
def test_kmeans_equals_lloyd(seed: int, n: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    counts = sparse.csr_array(rng.integers(1, 9, (n, 6)).astype(float) + rng.random((n, 6)) / 8)
    k = min(k, n)
    found = kmeans(counts, k, runs=3, seed=seed)
    draws = np.random.default_rng(seed)
    x = unit_rows(counts).toarray()
    for run in range(3):
        first = draws.choice(n, k, replace=False)
        assert found[run].tolist() == slow_kmeans(x, x[first])


def test_clustering_is_seeded_and_in_range() -> None:
    counts = sparse.csr_array(np.array([[5, 1, 0, 0], [4, 0, 0, 0], [0, 0, 3, 1], [0, 0, 5, 2], [0, 0, 0, 0]], float))
    truth = np.array(["a", "a", "b", "b", "b"])
    f = clustering_scores(counts, truth, runs=50, seed=3)
    assert f.tolist() == clustering_scores(counts, truth, runs=50, seed=3).tolist()
    assert ((f > 0) & (f <= 1)).all()
    assert f.max() == pytest.approx(1.0)
    assert kmeans(sparse.csr_array((0, 4)), 2, runs=2).shape == (2, 0)


def test_naive_bayes_by_hand() -> None:
    counts = sparse.csr_array(np.array([[2, 0], [1, 1], [0, 3]], float))
    model = NaiveBayes().fit(counts, np.array(["a", "a", "b"]))
    # Class a: words 3 + 1 and 1 + 1 of 6; class b: 0 + 1 and 3 + 1 of 5.
    assert model.term_ == pytest.approx(np.log(np.array([[4 / 6, 2 / 6], [1 / 5, 4 / 5]])))
    assert model.prior_ == pytest.approx([log(2 / 3), log(1 / 3)])
    assert model.predict(counts).tolist() == ["a", "a", "b"]


def test_classification_scores() -> None:
    rng = np.random.default_rng(0)
    truth = np.repeat(["a", "b", "c"], 10)
    counts = rng.poisson(0.3, (30, 9)).astype(float)
    for i, c in enumerate(truth):
        counts[i, "abc".index(c)] += 5
    f = classification_scores(sparse.csr_array(counts), truth, 0.5, repeats=2)
    assert len(f) == 2 * 3
    assert f.mean() > 0.95


def make_site(folder: Path, sections: tuple[str, ...] = ("tea", "rain"), n: int = 16) -> Path:
    """A labelled site with two sections and a template."""
    html = folder / "html"
    menu = "<ul><li><a href=/tea.html>Tea and coffee</a><li><a href=/rain.html>Rain</a></ul>"
    rows = []
    words = {"tea": "kettle leaf cup sugar milk pot", "rain": "cloud storm river flood drop wind"}
    rng = np.random.default_rng(5)
    for name in sections:
        listed = "".join(f"<li><a href=/{name}{i}.html>Story {name}{i}</a>" for i in range(n))
        (html / "category" / name).mkdir(parents=True)
        (html / "category" / name / "index.html").write_text(f"<title>{name}</title><body>{menu}<ol>{listed}</ol>")
        rows.append({"path": f"category/{name}/index.html", "kind": "toc", "toc_selector": "ol"})
        for i in range(n):
            text = " ".join(rng.choice(words[name].split(), 12)) + f" number{i}"
            body = (
                f"<title>{name} {i}</title><body>{menu}<div class=t><p>{text}. Subscribe now.</p></div><h6>Rights</h6>"
            )
            (html / f"{name}{i}.html").write_text(body)
            rows.append({"path": f"{name}{i}.html", "kind": "article", "content_selector": "div.t"})
    (folder / "labels.jsonl").write_text("\n".join(json.dumps(r) for r in rows))
    (folder / "site.json").write_text(json.dumps({"site": folder.name, "base_url": "http://t.example/", "lang": "en"}))
    return folder


def test_sections_and_the_whole_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labelled = open_site(make_site(tmp_path / "demo"))
    site = build_site(labelled.captures())
    section, source = page_sections(site, gold_nodes(site, labelled))
    assert source == "the one section that lists it"
    assert sorted(set(section.tolist())) == ["", "rain", "tea"]
    assert (section == "tea").sum() == 16
    monkeypatch.setattr(sst, "RUNS", 5)
    sst.reproduce([labelled], tmp_path / "out")
    page = (tmp_path / "out" / "sst.md").read_text()
    assert "Does the paper's order hold?" in page
    assert "| demo |" in page
    assert (tmp_path / "out" / "sst-clustering.png").is_file()


def test_a_site_without_classes_and_one_without_articles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sst, "RUNS", 5)
    one = open_site(make_site(tmp_path / "one", ("tea",)))
    sst.reproduce([one], tmp_path / "out")
    assert "Left out" in (tmp_path / "out" / "sst.md").read_text()
    bare = tmp_path / "bare"
    (bare / "html").mkdir(parents=True)
    (bare / "html" / "a.html").write_text("<p>x")
    (bare / "labels.jsonl").write_text(json.dumps({"path": "a.html", "kind": "other"}))
    with pytest.raises(UsageError):
        sst.reproduce([open_site(bare)], tmp_path / "out2")
