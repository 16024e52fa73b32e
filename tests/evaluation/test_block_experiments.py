"""`reproduce infodiscoverer` and `reproduce debnath` on two small labelled sites."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from sitegrain.evaluation.data import open_sites
from sitegrain.evaluation.experiments import experiment, experiments
from sitegrain.methods.lextractor import LExtractor
from tests.extractor.pages import WORDS

pytest.importorskip("matplotlib")


def make_site(folder: Path, seed: int, n_pages: int = 12) -> None:
    rng = random.Random(seed)
    (folder / "html").mkdir(parents=True)
    labels = []
    menu = "".join(f"<li><a href='/{w}'>{w}</a>" for w in rng.sample(WORDS, 8))
    for i in range(n_pages):
        text = "".join(
            f"<p>{' '.join(rng.choice(WORDS) + str(rng.randrange(99)) for _ in range(40))}</p>" for _ in range(3)
        )
        page = f"<title>News {i}</title><nav><ul>{menu}</ul></nav><div class=body>{text}</div><footer>{menu}</footer>"
        (folder / "html" / f"{i}.html").write_text(page, encoding="utf-8")
        labels.append({"path": f"{i}.html", "kind": "article", "content_selector": "div.body"})
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, labels)), encoding="utf-8")
    (folder / "site.json").write_text(json.dumps({"site": folder.name, "base_url": "http://a.example/"}))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for seed, name in enumerate(("one", "two")):
        make_site(tmp_path / "data" / name, seed)
    return tmp_path / "data"


def test_infodiscoverer(data: Path, tmp_path: Path) -> None:
    assert {"infodiscoverer", "debnath"} <= set(experiments())
    experiment("infodiscoverer")(open_sites(data), tmp_path / "out")
    page = (tmp_path / "out" / "infodiscoverer.md").read_text("utf-8")
    mean = next(line for line in page.splitlines() if line.startswith("| mean"))
    recall, precision, all_recall, all_precision = (float(cell) for cell in mean.split("|")[4:8])
    assert recall > 0.9
    assert precision > 0.9
    assert all_recall == 1.0
    assert all_precision < precision
    assert (tmp_path / "out" / "infodiscoverer-fig18.png").is_file()


def test_debnath(data: Path, tmp_path: Path) -> None:
    experiment("debnath")(open_sites(data), tmp_path / "out")
    page = (tmp_path / "out" / "debnath.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| one"))
    content_extractor = float(row.split("|")[4])
    assert content_extractor > 0.9
    assert "Storage saved" in page
    assert LExtractor.load(tmp_path / "out" / "l-extractor.json").cv_["n_blocks"] > 20
