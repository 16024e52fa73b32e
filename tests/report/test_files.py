"""The files of a report: what they hold agrees with the result, and they are small."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest

from sitegrain.demo import Truth, generate
from sitegrain.errors import OutputError
from sitegrain.methods.base import ROLES
from sitegrain.methods.registry import NODE_METHODS
from sitegrain.report import overview
from sitegrain.report.files import BlockPages, ReportFiles
from sitegrain.report.graph import graph_data
from sitegrain.report.write import ReportWriter, report_files, write_report, write_single_file
from sitegrain.result.mining import mine
from sitegrain.result.result import Result
from sitegrain.result.stored import open_result
from sitegrain.sources.open import open_source
from tests.builders import captures_of
from tests.report.reading import pages_of, unpacked


@pytest.fixture(scope="module")
def result(truth: Truth) -> Result:
    return mine(truth.folder)


@pytest.fixture(scope="module")
def files(result: Result) -> ReportFiles:
    return report_files(result)


def test_a_page_of_the_report_is_the_page_of_the_result(result: Result, files: ReportFiles) -> None:
    for number in (0, 17, 149):
        start = max(s for s in files.starts if s <= number)
        name, value = unpacked(files.data(f"body-{start}"))
        assert name == f"body-{start}"
        page = pages_of(value)[number - start]
        blocks = result.blocks.filter(np.asarray(result.blocks["page"]) == number)
        assert page["page"] == number
        assert page["kept"] == [int(k) for k in blocks["is_informative"].to_pylist()]
        assert page["reason"] == blocks["reason"].to_pylist()
        assert page["path"] == blocks["css_path"].to_pylist()
        assert page["kind"] == blocks["kind"].to_pylist()
        assert page["markdown"] == result[number].markdown
        assert {int(b) for b in re.findall(r"data-b=(\d+)", page["html"])} <= set(range(len(blocks)))


def test_columns_and_overview(result: Result, files: ReportFiles) -> None:
    _, columns = unpacked(files.data("pages"))
    assert columns["url"] == list(result.site.pages.url)
    assert [ROLES[r] for r in columns["role"]] == result.pages["role"].to_pylist()
    _, site = unpacked(files.data("site"))
    assert site["name"] == "The Lantern Bay Courier"
    assert site["starts"] == files.starts
    assert len(files.starts) > 1
    assert sum(t["pages"] for t in site["templates"]) == len(result)
    assert sum(site["histograms"]["Confidence in the text"]["counts"]) == len(result)
    least = next(entry for entry in site["attention"] if entry["title"] == "Least sure texts")
    articles = [a.confidence for a in result.articles]
    assert float(least["rows"][0][1]) == round(min(articles), 2)
    for name in ("body-1", "body-x", "body-", "body-0-wisdom", "body-٣", "graph-1", "../site", "nothing"):
        with pytest.raises(KeyError):
            files.data(name)


def test_graph_has_every_link_once(result: Result, files: ReportFiles) -> None:
    _, graph = unpacked(files.data("graph"))
    links = result.links.to_pylist()
    pairs = {(x["page"], x["target"]) for x in links if x["target"] >= 0 and x["target"] != x["page"]}
    found = list(zip(graph["source"], graph["target"], strict=True))
    assert len(found) == len(set(found)) == graph["n_links"]
    assert set(found) == pairs
    distilled = {(x["page"], x["target"]) for x in links if x["is_distilled"] and x["target"] != x["page"]}
    assert {found[i] for i in graph["distilled"]} == distilled
    spots = list(zip(graph["x"], graph["y"], strict=True))
    assert len(set(spots)) == len(result), "no page lies on another"
    svg = ElementTree.fromstring(files.svg())
    lines = [e for e in svg.iter() if e.tag.endswith("line")]
    assert len(lines) == len(distilled)


class Made:
    """Tables that were made up."""

    summary: ClassVar[dict[str, Any]] = {}

    def __init__(self, **tables: dict[str, Any]) -> None:
        self.tables = {name: pa.table(columns) for name, columns in tables.items()}

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        return self.tables[name].select(list(columns or self.column_names(name)))

    def column_names(self, name: str) -> list[str]:
        return list(self.tables[name].column_names)


def test_a_large_graph_is_laid_out_in_rows() -> None:
    """10,000 pages below ten TOC pages: no two nearer than a good part of the distance between neighbours."""
    n = 10_001
    source = np.concatenate([np.zeros(10, int), 1 + (np.arange(n - 11) % 10)])
    target = np.concatenate([np.arange(1, 11), np.arange(11, n)])
    links = {"page": source, "target": target, "entropy": np.zeros(n - 1), "is_distilled": np.ones(n - 1)}
    made = Made(pages={"page": np.arange(n)}, links=links)
    graph = graph_data(made, {"role": [1] * 11 + [2] * (n - 11)})
    spot = np.stack([graph["x"], graph["y"]], axis=1)
    from scipy.spatial import cKDTree

    nearest = np.asarray(cKDTree(spot).query(spot, k=2)[0])[:, 1]
    assert np.quantile(nearest, 0.01) > 0.5


def test_the_folder_is_whole_and_small(result: Result, tmp_path: Path) -> None:
    index = write_report(result, tmp_path / "report")
    assert index == tmp_path / "report" / "index.html"
    page = index.read_text("utf-8")
    for name in re.findall(r'(?:src|href)="([^"#:]+)"', page):
        assert (tmp_path / "report" / name).is_file(), name
    assert "http" not in re.sub(r"http-equiv", "", page), "nothing is fetched from elsewhere"
    assert write_report(result, tmp_path / "report") == index
    assert sorted(p.name for p in tmp_path.iterdir()) == ["report"]
    assert write_single_file(result, tmp_path / "one.html") == (tmp_path / "one.html").stat().st_size
    one = (tmp_path / "one.html").read_text("utf-8")
    assert 'src="' not in one
    assert one.count('sitegrain("body-') == len(report_files(result).starts)


def test_other_methods_stand_beside_the_result(result: Result) -> None:
    verdict = NODE_METHODS["everything"]().fit_apply(result.site)
    made = report_files(result, {"everything": verdict})
    assert unpacked(made.data("site"))[1]["methods"] == ["everything"]
    name, value = unpacked(made.data(f"body-{made.starts[1]}-everything"))
    assert name in made.data_names()
    for page in pages_of(value):
        rows = result.site.page_rows(page["page"])
        kept = result.nodes.node_kept[rows]
        size = (result.site.nodes.text_end - result.site.nodes.text_start)[rows] * result.site.is_text[rows]
        assert page["other"] == [int(2 * (size * kept).sum() > size.sum())], "everything is one block"


@pytest.mark.parametrize("seed", range(20))
def test_suspicious_loss(seed: int) -> None:
    """Against the obvious: template by template."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    template, role = rng.integers(0, 6, n), rng.integers(0, 3, n)
    share, total = np.round(rng.random(n) ** 3, 3), rng.integers(0, 2000, n).astype(float)
    wanted = set(np.flatnonzero((share == 0) & (total > overview.LEAST_TEXT)).tolist())
    for number in range(6):
        own = np.flatnonzero((template == number) & (role == 2))
        if len(own) >= 3:
            median = np.sort(share[own])[len(own) // 2]
            wanted |= set(
                own[(share[own] < overview.LOST_SHARE * median) & (total[own] > overview.LEAST_TEXT)].tolist()
            )
    columns = {"template": template.tolist(), "role": role.tolist()}
    assert set(overview._lost(total, columns, share).tolist()) == wanted


def test_odd_results() -> None:
    """One page, an empty page, halves of surrogate pairs, and a method without kinds."""
    for pages in (["<p>One page."], ["", "<p>x"], ["<title>\ud83d</title><p>\\ud83d &#xd83d; text"]):
        found = mine(captures_of(*(p.encode("utf-8", "surrogatepass") for p in pages)), methods=["everything"])
        made = report_files(found)
        for name in made.data_names():
            unpacked(made.data(name))
        assert len(made.columns["url"]) == len(pages)
        ElementTree.fromstring(made.svg())


def test_part_by_part_from_a_folder(tmp_path: Path) -> None:
    """What the plan of a large site does: bodies as pages come, the rest from the folder alone; the same files."""
    captures = list(open_source(generate(tmp_path / "demo").html))
    result = mine(captures, tmp_path / "result")
    whole = write_report(result, tmp_path / "whole").parent
    with closing(ReportWriter(tmp_path / "parts")) as writer:
        for start, stop in ((0, 60), (60, 61), (61, 150)):
            part = mine(captures[start:stop], methods=["everything"])
            writer.add(BlockPages(part.site, part.nodes, part, first=start))
        index = writer.finish(open_result(tmp_path / "result"))
    for name in ("pages", "graph"):
        assert (index.parent / "data" / f"{name}.js").read_bytes() == (whole / "data" / f"{name}.js").read_bytes()
    _, site = unpacked((index.parent / "data" / "site.js").read_text("ascii"))
    assert {0, 60, 61} <= set(site["starts"])
    texts = []
    for start in site["starts"]:
        _, value = unpacked((index.parent / "data" / f"body-{start}.js").read_text("ascii"))
        assert value["first"] == start
        texts.append(value["text"])
    assert "".join(texts) == "".join(result.site.texts)


def test_an_unfinished_report_leaves_nothing(result: Result, tmp_path: Path) -> None:
    pages = report_files(result).pages
    assert pages is not None
    with closing(ReportWriter(tmp_path / "report")) as writer:
        writer.add(pages)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("own", "utf-8")
    with pytest.raises(OutputError, match="not a report"):
        ReportWriter(tmp_path / "mine")
