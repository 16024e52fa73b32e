"""`sitegrain reproduce debnath` on the demo newspaper, which never changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluation.experiments.reproduced import reproduce, row, table

image = pytest.importorskip("matplotlib.image")


def test_debnath(tmp_path: Path) -> None:
    page = reproduce("debnath", tmp_path)
    found = row(table(page, "Tables 2 and 3"), "courier")
    assert found[1:] == ["112", "0.758", "0.815", "0.782", "0.622", "0.780", "0.896", "–"]
    readings = table(page, "FeatureExtractor and K-FeatureExtractor")
    assert row(readings, "F, share, list")[1] == "0.622"
    assert row(readings, "F, largest, getblockset")[1] == "0.130"
    assert row(readings, "K, k = 2, one wins, share, section-coarse")[1] == "0.683"
    assert row(table(page, "Table 6"), "courier")[1:] == ["0.812", "1.000", "0.896", "0.697", "0.980", "0.815"]
    assert row(table(page, "Figure 8"), "courier")[1:] == ["725,775", "565,413", "644,834", "0.221", "0.112"]
    precision = [r[1] for r in table(page, "b-precision against the pages")[1:]]
    assert precision == ["0.611", "0.611", "0.642", "0.660", "0.680", "0.695"]
    assert row(table(page, "Storage saved"), "courier")[1:] == ["0.094", "0.093"]
    assert image.imread(tmp_path / "reproduced" / "debnath-fig8.png").shape[1] <= 2000
