"""Training from labelled data to a model that judges, by one command line."""

from __future__ import annotations

import json
import shutil
import sys
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from sitegrain.demo import generate
from sitegrain.evaluation.data import open_site
from sitegrain.evaluation.gold import gold_nodes
from sitegrain.evaluation.metrics import ic
from sitegrain.extractor.model import Extractor
from sitegrain.tables.parsing.build import build_site
from sitegrain.training import __main__ as command
from sitegrain.training import content, stages, types
from tests.evaluation.builders import truth, write_pages

SMALL = (
    (content, "FOLDS", 3), (content, "FIRST_BAGS", 1), (stages, "FIRST_ROUNDS", 20),
    (stages, "SECOND_ROUNDS", 10), (stages, "SITE_ROUNDS", 20), (types, "TYPE_ROUNDS", 3),
)  # fmt: skip
"""Everything is trained, but little of it."""
SHIPPED = ("extractor/data/content.json", "roles/data/roles.json", "methods/data/l-extractor.json")


def labelled_data(folder: Path) -> Path:
    """Two sites, and twelve single pages of as many domains: the demo newspaper, cut small."""
    demo = generate(folder / "demo")
    articles = [page for page in demo.pages if page.kind == "article"]
    for number, name in enumerate(("one", "two")):
        site = folder / "sites" / name
        for page in [*articles[number::8], *(p for p in demo.pages if p.kind == "other")]:
            (site / "html" / page.path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(demo.html / page.path, site / "html" / page.path)
        labels = (demo.folder / "labels.jsonl").read_text("utf-8").splitlines()
        kept = [line for line in labels if (site / "html" / json.loads(line)["path"]).exists()]
        (site / "labels.jsonl").write_text("\n".join(kept), "utf-8")
        (site / "site.json").write_text(json.dumps({"site": name, "base_url": f"http://{name}.example/"}))
    single = {f"{i:04}": page for i, page in enumerate(articles[3::8][:12])}
    write_pages(
        folder / "wcxb-dev",
        {name: (demo.html / page.path).read_text("utf-8") for name, page in single.items()},
        {name: truth("\n".join(page.content)) | {"url": f"http://d{name}.example/"} for name, page in single.items()},
    )
    return folder


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["training", *map(str, arguments)])
    return command.main()


def test_content_is_trained_from_labelled_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, out = labelled_data(tmp_path / "data"), tmp_path / "out"
    for module, name, value in SMALL:
        monkeypatch.setattr(module, name, value)
    assert run(monkeypatch, "content", "--data", data, "--out", out, "--jobs", 1) == 0
    site = open_site(data / "sites" / "one")
    origin = json.loads((out / "content.json").read_bytes())["origin"]
    assert set(origin["data"]) == {"wcxb-dev", "one", "two"}
    assert origin["data"]["one"] == site.digest
    fold = json.loads((out / "index.json").read_bytes())["models"]["one"]
    assert set(json.loads((out / fold).read_bytes())["origin"]["data"]) == {"wcxb-dev", "two"}
    assert "| **mean** |" in (out / "report.md").read_text("utf-8")
    # What is trained on so little has learned something: keeping everything scores 0.81.
    captures = list(site.captures())
    tables = build_site(captures)
    gold = gold_nodes(tables, site, captures)
    kept = Extractor(trees=str(out / "content.json")).fit_apply(tables).node_kept
    articles = np.isin(tables.nodes.page, gold.pages("article")) & tables.is_text
    length = (tables.nodes.text_end - tables.nodes.text_start).astype(np.float64)
    assert ic(kept[articles], gold.node_gold[articles], length[articles]).f1 > 0.95


@pytest.mark.parametrize("missing", ["lightgbm", "rapidfuzz"])
def test_without_the_extra_its_pip_command_is_named(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == missing else object())
    assert run(monkeypatch, "content") == 2
    assert "pip install 'sitegrain[train]'" in capsys.readouterr().err


def test_data_that_is_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "content", "--data", tmp_path, "--out", tmp_path / "out") == 2
    assert "there is no page set" in capsys.readouterr().err


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_model_names_its_origin(name: str) -> None:
    origin = json.loads(resources.files("sitegrain").joinpath(name).read_bytes())["origin"]
    assert origin["command"].startswith(("python -m sitegrain.training ", "sitegrain reproduce "))
    assert "commit " in origin["code"]
    assert len(origin["data"]) >= 30
    assert all(len(bytes.fromhex(digest)) == 32 for digest in origin["data"].values())
