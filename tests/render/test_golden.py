"""Golden folders: `golden/<name>/source.html` and what each format makes of it.

Text inside an element of class `drop` is not kept. To write the expected files anew (and then read the diff):
`SITEGRAIN_GOLDEN=write python -m pytest tests/render`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sitegrain.render import to_html, to_markdown, to_text
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site

FOLDERS = sorted((Path(__file__).parent / "golden").iterdir())
FORMATS: dict[str, Callable[[Site, int, np.ndarray], str]] = {"txt": to_text, "md": to_markdown, "html": to_html}


def kept_of(site: Site) -> np.ndarray:
    kept = site.is_text.copy()
    for row in [*np.flatnonzero(site.attr("class") >= 0).tolist(), *site.rows("head").tolist()]:
        if site.tag_name(row) == "head" or "drop" in site.node_attrs(row)["class"].split():
            kept[row : site.nodes.end[row]] = False
    return kept


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.name)
def test_golden(folder: Path, ending: str) -> None:
    site = build_site([Capture("http://t.example/dir/page.html", (folder / "source.html").read_bytes())])
    expected = folder / f"expected.{ending}"
    found = FORMATS[ending](site, 0, kept_of(site)) + "\n"
    if os.environ.get("SITEGRAIN_GOLDEN") == "write":
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")
