"""Trails to a page, and lines that share or print it, are no text of it."""

from __future__ import annotations

import numpy as np
import pytest

from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending.lines.tools import without_tools
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

URL = "http://a.example/tea/green/12.html"
TEXT = "<p>Green tea is poured at eighty degrees and stands for two minutes.</p>"


def is_left(line: str, title: str = "Of green tea - A blog") -> bool:
    html = f"<title>{title}</title>{line}{TEXT}"
    evidence = gather(rows_of(build_site([Capture(URL, html.encode())]), 0, 1))
    kept = np.ones(len(evidence.blocks), bool)
    found = without_tools(evidence, kept)
    assert found[-1]
    assert (found is kept) == bool(found.all())
    return bool(found[-2])


@pytest.mark.parametrize(
    "line",
    [
        "<p><a href=/>Home</a> &gt; <a href=/tea/>Tea</a> &gt; Of green tea</p>",
        "<p>You are here: <a href=../../index.html>Anfang</a> » <a href=..>Tee</a></p>",
        "<p>Send to <a href='https://x.example/s?u=http%3A%2F%2Fa.example%2Ftea%2Fgreen%2F12.html'>X</a>, "
        "<a href='https://y.example/submit?title=Of+green+tea'>Y</a></p>",
        "<p>1 May 2001 - <a href='/print.php?id=12'>a leaf for the printer</a></p>",
    ],
)
def test_such_lines_go(line: str) -> None:
    assert not is_left(line)


@pytest.mark.parametrize(
    "line",
    [
        "<p><a href=/>Home</a> and <a href=/tea/>Tea</a> are far apart</p>",
        "<p><a href=/>Home</a> &gt; <a href=/tea/>Tea</a> &gt; the milk of the cow</p>",
        "<p><a href=/milk/>Milk</a> &gt; <a href=/milk/cow>Cows</a></p>",
        "<p><a href='https://x.example/?q=green'>X</a>, <a href='https://y.example/?q=tea'>Y</a></p>",
        "<p><a href='https://y.example/submit?title=Of+green+tea'>Y</a></p>",
        "<p>The <a href='/print.php?id=13'>other one</a> was printed, too</p>",
        "<h2><a href=/>Home</a> &gt; <a href=/tea/>Tea</a></h2>",
    ],
)
def test_other_lines_stay(line: str) -> None:
    assert is_left(line)
