"""Notes of short pages: a list on a page that runs a script is no empty shell."""

from __future__ import annotations

import numpy as np

from sitegrain.article.article import NEEDS_RENDERING, Article
from sitegrain.methods.base import Blocks, NodeVerdict
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

SHELL = "<title>Tea</title><div id=app></div><script>count()</script>"
LIST = "<ul><li><a href=/green>Green tea from the hills</a><li><a href=/black>Black tea</a><li><a href=/white>White tea</a></ul>"


def _notes(body: str) -> tuple[str, ...]:
    """Of a page of which nothing is kept."""
    site = build_site([Capture("http://a.org/tea?page=2", body.encode())])
    none = np.zeros(site.n_nodes, np.bool_)
    blocks = Blocks(np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.bool_), ())
    verdict = NodeVerdict(none.astype(np.float64), none, np.full(site.n_nodes, -1, np.int32), blocks)
    return Article(site, 0, verdict, "toc").notes


def test_a_short_list_needs_no_rendering() -> None:
    assert NEEDS_RENDERING in _notes(SHELL)
    assert NEEDS_RENDERING not in _notes(SHELL + LIST)
    assert NEEDS_RENDERING in _notes(SHELL + LIST + "You need to enable JavaScript")
