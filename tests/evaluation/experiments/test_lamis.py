"""`sitegrain reproduce lamis` on the demo newspaper, whose pages, links and labels never change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluation.experiments.reproduced import reproduce, row, table

image = pytest.importorskip("matplotlib.image")


def test_lamis(tmp_path: Path) -> None:
    page = reproduce("lamis", tmp_path)
    assert row(table(page, "Figure 7", 1), "P1")[1:] == ["0.419", "0.524", "0.338", "0.756"]
    graphs = [r[1:3] for r in table(page, "Figures 3 to 6")[1:]]
    assert graphs == [["150", "3,659"], ["144", "505"], ["150", "2,057"], ["72", "62"], ["149", "1,196"]]
    assert "(0 terms are)" in page  # figure 9: no weight below IDF
    assert row(table(page, "Table 3"), "courier")[1:] == ["150", "32", "4,291", "3,659", "1,953"]
    figures = ["0.53", "0.00", "0.53", "0.31", "0.66", "0.00", "0.72", "0.09", "0.75", "0.66", "0.75"]
    assert row(table(page, "R-precision (table 4)"), "courier")[3:] == figures
    readings = table(page, "Every reading")
    assert [r[1] for r in readings[1:3]] == ["0.750", "0.625"]
    first = table(page, "Table 5")[1:]
    assert [r[2] for r in first].count("toc") == 18
    assert {r[4] for r in first} == {"article"}  # HITS: none of the first twenty is a TOC page
    for name in ("graph_all", "graph_answer", "graph_08", "graph_04", "lamis-fig9", "lamis-fig10", "lamis-fig11"):
        assert image.imread(tmp_path / "reproduced" / f"{name}.png").shape[1] <= 2000, name


def test_without_matplotlib_the_tables_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("report", "experiments.lamis", "experiments._graphs"):
        monkeypatch.setattr(f"sitegrain.evaluation.{module}.can_plot", lambda: False)
    page = reproduce("lamis", tmp_path)
    assert "no plot, since matplotlib is not installed" in page
    assert len(table(page, "Table 5")) == 21
    assert not list(tmp_path.glob("reproduced/*.png"))
