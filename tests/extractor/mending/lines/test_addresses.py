"""Lines that give their page's own address."""

from __future__ import annotations

from html import unescape

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.lines.addresses import without_own_address
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site


def left_out(url: str, *lines: str) -> list[str]:
    pages = [
        Capture("http://a.org/other", b"<p>Tea."),
        Capture(url, "".join(f"<p>{line}</p>" for line in lines).encode()),
    ]
    evidence = gather(rows_of(build_site(pages), 0, 2))
    kept = without_own_address(evidence, np.ones(len(evidence.blocks), bool))
    return [evidence.blocks.text(i) for i in np.flatnonzero(~kept).tolist()]


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("http://www.a.org/wiki/Green_tea.html", 'Retrieved from "http://a.org/wiki/Green_tea"'),
        ("https://a.org/news/2021/tea.php", "Permalink: https://www.a.org/news/2021/tea.php"),
        ("http://a.org/tea/", "本文链接：http://a.org/tea/"),
        ("http://a.org/%E8%8C%B6%E8%91%89", "http://a.org/茶葉"),
        ("http://a.org/tea/index.html", "http://a.org/tea/"),
        ("http://a.org/index.php/Green_tea", 'Retrieved from "http://b.org/index.php?title=Green_tea&amp;oldid=27"'),
        ("http://a.org/doku.php?id=tea:green_tea", "tea:green_tea"),
        ("http://a.org/doku.php?id=tea:green", "tea/green.txt · Last modified: 2026/11/18 07:35 by 127.0.0.1"),
    ],
)
def test_a_line_with_the_own_address_is_left_out(url: str, line: str) -> None:
    assert left_out(url, "Tea is hot.", line) == [unescape(line)]


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("http://a.org/tea", "See http://a.org/teapots"),
        ("http://a.org/tea", "See http://a.org/tea/green"),
        ("http://a.org/tea", "See http://a.org/tea?page=2"),
        ("http://a.org/tea", "Who wants to read more of tea and of all that goes with it finds it at http://a.org/tea"),
        ("http://a.org/tea", "The host a.org/tea is named without a scheme"),
        ("http://a.org/", "See http://a.org/"),
        ("http://a.org/index.php/Green_tea", "Call it Green_tea in your file"),
        ("http://a.org/doku.php?id=tea", "tea"),
        ("http://a.org/tea", "<pre>curl http://a.org/tea</pre>"),
    ],
)
def test_other_lines_stay(url: str, line: str) -> None:
    assert left_out(url, "Tea is hot.", line) == []
