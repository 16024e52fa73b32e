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
    show(mine(truth.folder), truth, Console(file=out, width=100))
    text = out.getvalue()
    assert "of 150 roles right; 149 pages may be crawled" in text
    assert "Blocks of this page" in text
    assert "found as article" in text
