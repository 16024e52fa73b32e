"""What `make demo` prints."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from sitegrain.demo import generate
from sitegrain.demo.__main__ import show
from sitegrain.result.mining import mine


def test_show(tmp_path: Path) -> None:
    truth = generate(tmp_path)
    out = io.StringIO()
    result = mine(truth.folder)
    show(result, truth, Console(file=out, width=100))
    lines = out.getvalue().splitlines()
    assert len(lines) <= 10
    assert lines[0].split()[:3] == [str(result.count("toc")), "TOC", "pages"]
    assert "of 150 roles are right; robots.txt allows 149 of 150 pages." in lines[3]
    assert sum("blocks kept" in line or "blocks left out" in line for line in lines) == 2
