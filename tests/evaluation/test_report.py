from __future__ import annotations

from pathlib import Path

import pytest

from sitegrain.errors import OutputError, UsageError
from sitegrain.evaluation import report
from sitegrain.evaluation.experiments import experiment, experiments


def test_page_with_plots(tmp_path: Path) -> None:
    page = report.MarkdownPage("A page")
    page.heading("One").text("Words.").table(["a", "b"], [["x|y", 0.5], [None, 3.0]])
    page.figure(report.line_plot({"P": ([0, 1], [0.5, 1.0]), "R": ([0, 1], [1.0, 0.5])}, x="t"), "fig 1", "Figure 1")
    page.figure(report.bar_plot(["a", "b"], {"m": [1, 2]}), "bars")
    path = page.write(tmp_path / "new", "page")
    text = path.read_text()
    assert text.startswith("# A page\n\n## One\n\nWords.\n")
    assert "x\\|y" in text
    assert "![Figure 1](fig-1.png)" in text
    names = {p.name for p in path.parent.iterdir()}
    assert names == {"bars.png", "bars.svg", "fig-1.png", "fig-1.svg", "page.md"}


def test_a_page_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        report.MarkdownPage("x").write(tmp_path / "file", "page")


def test_a_row_of_another_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="row of 1 cells in a table of 2"):
        report.markdown_table(["a", "b"], [["x"]])


def test_every_experiment_is_callable() -> None:
    for name in experiments():
        assert callable(experiment(name))
    with pytest.raises(UsageError, match="no experiment called"):
        experiment("_private")
