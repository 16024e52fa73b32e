"""Texts on several sites, and labels for the sentence style tree."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sitegrain.demo import generate
from sitegrain.errors import UsageError
from sitegrain.evaluation.data import open_site
from sitegrain.evaluation.gold import gold_nodes
from sitegrain.result.selflabelled import SelfLabelledTree
from sitegrain.result.syndication import find_syndicated
from sitegrain.tables.parsing.build import build_site
from tests.cli.runner import invoke

AGENCY = " ".join(f"word{i}" for i in range(60))
EDITED = AGENCY.replace("word59", "other")


def own(site: int, n: int = 30) -> str:
    return " ".join(f"site{site}word{i}" for i in range(n))


def test_a_text_that_several_sites_print() -> None:
    sites = [
        {"http://a.example/1": f"{own(1)}\n\n{AGENCY}", "http://a.example/2": own(11)},
        {"http://b.example/1": f"{EDITED}\n\nshort text", "http://b.example/2": f"{own(2)}\n\n{own(2)}"},
        {"http://c.example/1": f"short text\n\n{own(3)}"},
    ]
    (shared,) = find_syndicated(sites)
    assert shared.n_sites == 2
    assert [p.url for p in shared.passages] == ["http://a.example/1", "http://b.example/1"]
    assert find_syndicated(sites, resemblance=1.0) == []
    assert find_syndicated([{}, {}]) == []
    for wrong in ({"sites": sites[:1]}, {"sites": sites, "resemblance": 0.0}):
        with pytest.raises(UsageError):
            find_syndicated(**wrong)


def test_command(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        for i in range(4):
            text = AGENCY if i == 2 else own(i if name == "a" else 10 + i, 60)
            (tmp_path / name / f"{i}.html").write_text(f"<title>{name}{i}</title><p>{text}")
        run = invoke(["mine", str(tmp_path / name), "--base", f"http://{name}.example/", "--method", "everything", "--no-report",
                  "--quiet", "--out", str(tmp_path / f"{name}-out")],
        )  # fmt: skip
        assert run.exit_code == 0, run.output
    got = invoke(["syndication", str(tmp_path / "a-out"), str(tmp_path / "b-out")])
    assert got.exit_code == 0, got.output
    assert got.stdout.splitlines()[1:] == ["  http://a.example/2.html", "  http://b.example/2.html"]
    listed = invoke(["syndication", str(tmp_path / "a-out"), str(tmp_path / "b-out"), "--json"])
    assert json.loads(listed.stdout)["sites"] == 2
    none = invoke(["syndication", str(tmp_path / "a-out"), str(tmp_path / "b-out"), "--least-words", "99"])
    assert none.exit_code == 1
    with pytest.raises(UsageError):
        invoke(["syndication", str(tmp_path / "a-out")], catch_exceptions=False)


def test_labels_of_a_few_pages(tmp_path: Path) -> None:
    truth = generate(tmp_path / "courier")
    labelled = open_site(tmp_path / "courier")
    few = [x for x in labelled.labels.values() if x.kind == "article"][::8]
    rows = [{"path": x.path, "content_selector": x.content_selector, "drop_selector": x.drop_selector} for x in few]
    file = tmp_path / "labels.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    arguments = ["mine", str(truth.html), "--quiet", "--no-report"]
    got = invoke([*arguments, "--labels", str(file), "--out", str(tmp_path / "out")])
    assert got.exit_code == 0, got.output
    assert json.loads((tmp_path / "out" / "site.json").read_text())["methods"]["nodes"]["name"] == "sst"
    with pytest.raises(UsageError, match="teaches the sentence style tree"):
        invoke([*arguments, "--labels", str(file), "--method", "wisdom"], catch_exceptions=False)


def test_a_tree_that_another_method_labels(tmp_path: Path) -> None:
    generate(tmp_path)
    labelled = open_site(tmp_path)
    site = build_site(labelled.captures())
    gold = gold_nodes(site, labelled).node_gold
    articles = np.array([labelled.labels[p].kind == "article" for p in site.pages.path])[site.nodes.page] & site.is_text
    length = (site.nodes.text_end - site.nodes.text_start) * articles

    def f(model: SelfLabelledTree) -> float:
        kept = model.fit_apply(site).node_kept
        return float(2 * length[kept & gold].sum() / (length[kept].sum() + length[gold].sum()))

    assert round(f(SelfLabelledTree()), 3) > 0.9
    assert round(f(SelfLabelledTree(label_by="wisdom")), 3) > 0.8
