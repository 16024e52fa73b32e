"""`sitegrain reproduce wisdom` and `sitegrain structure` on the demo newspaper, which never changes."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from sitegrain.demo import generate
from tests.cli.runner import invoke
from tests.evaluation.experiments.reproduced import reproduce, row, table

image = pytest.importorskip("matplotlib.image")


def test_wisdom(tmp_path: Path) -> None:
    page = reproduce("wisdom", tmp_path)
    assert row(table(page, "Table 2"), "courier")[1:] == ["150", "32", "40", "0.342", "0.696"]
    assert row(table(page, "Table 3"), "IC, article")[3:] == ["1.00", "0.68", "0.81"]
    assert row(table(page, "Fig. 19"), "tags")[1:] == ["0.897", "0.849", "0.754"]
    readings = table(page, "What the paper leaves open")
    assert row(readings, "our defaults")[3:] == ["0.945", "0.546"]
    assert row(readings, "the paper's letter, condensing by section 3.3")[3:] == ["0.899", "0.691"]
    assert row(readings, "the paper's letter, condensing by section 3")[3:] == ["0.910", "0.546"]
    for number in ("6-cii", "6-api", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21"):
        assert image.imread(tmp_path / "reproduced" / f"wisdom-fig{number}.png").shape[1] <= 2000


def test_structure_of_a_page(tmp_path: Path) -> None:
    generate(tmp_path / "courier")
    source, picture = str(tmp_path / "courier" / "html"), tmp_path / "page.svg"
    got = invoke(["structure", source, "2002/index.html", "--picture", str(picture), "--quiet"])
    assert got.exit_code == 0, got.output
    lines = got.stdout.splitlines()
    assert lines[0] == "tr"
    assert lines[2].startswith("  tbody [article+toc] 'Library Friends and the affordable by-law")
    root = ElementTree.parse(picture).getroot()
    assert int(root.attrib["width"]) <= 2000
    assert "tbody" in "".join(root.itertext())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.html"], "there is no page 'nowhere.html'"),
        (["dex.html"], "pages end with 'dex.html'"),
        (["3", "--method", "sst"], "a structure is found by wisdom"),
        (["3", "--set", "k=0"], "count from 1"),
    ],
)
def test_structure_says_what_is_wrong(arguments: list[str], message: str, tmp_path: Path) -> None:
    generate(tmp_path)
    got = invoke(["structure", str(tmp_path / "html"), *arguments, "--quiet"])
    assert got.exit_code != 0
    assert message in str(got.exception)
