"""`sitegrain reproduce infodiscoverer` on the demo newspaper, which never changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluation.experiments.reproduced import reproduce, row, table

image = pytest.importorskip("matplotlib.image")


def test_infodiscoverer(tmp_path: Path) -> None:
    page = reproduce("infodiscoverer", tmp_path)
    # Four looks in two languages are no cluster of one kind: ten of its pages do no better than keeping everything.
    found = row(table(page, "Table 6"), "courier")
    assert found[1:] == ["112", "0.900", "1.000", "0.620", "1.000", "0.619", "0.626", "0.758"]
    assert "Precision 0.923 (everything 0.918), recall 1.000 (everything 1.000)" in page
    assert row(table(page, "Figure 18"), "5")[1:] == ["1.000", "0.652"]
    assert row(table(page, "Other readings"), "section, steps of 0.05")[1:] == ["0.633", "1.000", "0.708"]
    assert image.imread(tmp_path / "reproduced" / "infodiscoverer-fig17-recall.png").shape[1] <= 2000
