"""What is written of one page."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.article.article import Article
from sitegrain.methods.base import Blocks, NodeVerdict
from tests.builders import site_of


@pytest.mark.parametrize(
    ("line", "start"),
    [
        ("<table><tr><td><span>How to make tea</span></table>", "# How to make tea\n\nBoil"),
        ("<p><a href=/all>How to make tea</a></p>", "Boil"),
        ("<p><a href='#'>How to make tea</a></p>", "# How to make tea\n\nBoil"),  # to the page itself
        ("<nav>How to make tea</nav>", "Boil"),
    ],
)
def test_a_title_in_a_line_is_written_as_a_heading(line: str, start: str) -> None:
    site = site_of(f"<title>How to make tea</title>{line}<main><p>" + "Boil the water and let the tea draw. " * 8)
    kept = np.array([site.is_text[row] and "Boil" in site.node_text(row) for row in range(site.n_nodes)])
    nothing = Blocks(np.zeros(0, np.int32), np.zeros(0), np.zeros(0, bool), ())
    verdict = NodeVerdict(kept.astype(np.float64), kept, np.full(site.n_nodes, -1, np.int32), nothing)
    assert Article(site, 0, verdict).markdown.startswith(start)
