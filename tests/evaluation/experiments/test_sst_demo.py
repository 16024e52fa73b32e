"""`sitegrain reproduce sst` on the demo newspaper and on the six shops, which never change."""

from __future__ import annotations

from pathlib import Path

from sitegrain.demo.shops import KINDS, PER_KIND, generate_shops
from sitegrain.evaluation.data import open_site
from tests.evaluation.experiments.reproduced import reproduce, row, table


def test_sst(tmp_path: Path) -> None:
    page = reproduce("sst", tmp_path)
    shops = table(page, "Six shops")
    # The paper's order: uncleaned pages cluster by shop, those cleaned with labels by what they sell.
    assert row(shops, "origin")[1:] == ["0.253", "0.891", "0.538"]
    assert row(shops, "yi-liu")[1:] == ["0.940", "0.999", "0.776"]
    assert row(shops, "sst-labelled")[1:] == ["0.909", "1.000", "1.000"]
    assert row(table(page, "Sites and classes"), "courier")[1] == "150"
    assert row(table(page, "Clustering"), "courier")[1] == "0.823 ±0.009"


def test_the_shops_are_the_same_every_time(tmp_path: Path) -> None:
    one, two = (open_site(generate_shops(tmp_path / name)) for name in "ab")
    assert one.digest == two.digest
    assert len(one.labels) == 6 * len(KINDS) * PER_KIND
    assert {label.note for label in one.labels.values()} == set(KINDS)
