"""`extract`: whatever holds pages, and what is missing costs only itself."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sitegrain.demo import Truth
from tests.builders import warc_of
from tests.cli.test_mine import run
from tests.sources.crawl.loopback import page, serve

TEA = "<h1>Tea</h1><p>Boil the water, pour it over the leaves and wait for three minutes."


def test_a_missing_file_costs_only_itself(tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(TEA.replace("Tea", name))
    code, out, err = run("extract", tmp_path / "a.html", tmp_path / "none.html", tmp_path / "b.html", "--json")
    assert code == 1
    assert [json.loads(line)["title"] for line in out.splitlines()] == ["a.html", "b.html"]
    assert err == f"sitegrain: {tmp_path / 'none.html'} does not exist\n"


def test_what_to_know_of_a_page_is_said_beside_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitegrain.tables.parsing.parse.MAX_PAGE_BYTES", 3_000_000)
    path = tmp_path / "long.html"
    path.write_text(TEA + "<p>Boil it again, and wait." * 200_000)
    code, out, err = run("extract", path)
    assert (code, err) == (0, f"sitegrain: {path}: cut at 3 MB\n")
    assert out.startswith("Tea")
    assert run("extract", path, "--quiet")[2] == ""
    code, out, err = run("extract", path, "--json")
    assert (err, json.loads(out)["notes"]) == ("", ["cut at 3 MB"])


def test_archives_of_pages(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(warc_of([(f"http://a.org/{k}", TEA.encode()) for k in range(2)]))
    pq.write_table(pa.table({"u": ["http://a.org/3"], "page": [TEA]}), tmp_path / "a.parquet")
    code, out, err = run("extract", tmp_path / "a.warc.gz")
    assert (code, err) == (0, "")
    assert "==> http://a.org/0 <==" in out
    both = (tmp_path / "a.warc.gz", tmp_path / "a.parquet", "--url-column", "u", "--html-column", "page")
    code, out, err = run("extract", *both, "-f", "json")
    assert (code, err) == (0, "")
    assert [json.loads(line)["url"][-1] for line in out.splitlines()] == ["0", "1", "3"]
    code, out, err = run("extract", tmp_path / "a.parquet")
    assert (code, out) == (1, "")
    assert "name it with --url-column" in err


def test_addresses_are_fetched_one_page_each(tmp_path: Path) -> None:
    site = {"/tea.html": page("/other.html", text=TEA), "/moved": page(text=TEA)}
    with serve(site) as server:
        code, _, err = run("extract", f"{server.base}/tea.html")
        assert (code, server.hits) == (1, [])
        assert "--allow-private" in err
        code, out, err = run("extract", f"{server.base}/tea.html", f"{server.base}/no", "--allow-private", "--json")
        assert code == 1
        assert "/no" in err
        assert [json.loads(line)["title"] for line in out.splitlines()] == ["t"]
        assert "/other.html" not in server.counts()


def test_a_model_of_another_site_is_told(truth: Truth, tmp_path: Path) -> None:
    model, other = tmp_path / "model.json", tmp_path / "other.html"
    assert run("mine", truth.folder, "-q", "--save-model", model)[0] == 0
    own = sorted(truth.html.glob("machines/0*.html"))[0]
    assert run("extract", own, "--model", model)[2] == ""
    other.write_text(f"<main class=x><article><section><div class=y>{TEA}</div></section></article></main>")
    code, out, err = run("extract", other, "--model", model)
    assert code == 0
    assert "Boil the water" in out
    assert "the model belongs to another site, or the template has changed" in err
    assert run("extract", own, "--model", tmp_path / "none.json")[0] == 1


def test_one_address_for_one_page(tmp_path: Path) -> None:
    code, _, err = run("extract", "a.html", "b.html", "--url", "http://a.org/")
    assert code == 2
    assert "give one file with it" in err
