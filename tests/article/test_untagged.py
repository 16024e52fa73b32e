"""Pages that are nothing but text keep their paragraphs and their lines."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

import sitegrain
from sitegrain.article.untagged import untagged_text

PARAGRAPHS = [
    "The mill stands at the river, and it has ground the corn of the valley for three hundred years. " * 3,
    "It is closed now.",
    "x " * 90,
]
WANTED = "\n\n".join(" ".join(part.split()) for part in PARAGRAPHS)


@pytest.mark.parametrize("width", [60, 66, 72, 2000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_paragraphs_are_kept_however_long_their_lines_are(width: int, end: str) -> None:
    written = "\n\n".join(textwrap.fill(part, width) for part in PARAGRAPHS).replace("\n", end)
    assert untagged_text(written) == WANTED
    for html in (written, written.encode()):
        article = sitegrain.extract(html)
        assert article.text == WANTED
        assert article.markdown == WANTED
        assert article.html == "\n".join(f"<p>{part}</p>" for part in WANTED.split("\n\n"))


def test_lines_that_end_early_are_lines(tmp_path: Path) -> None:
    path = tmp_path / "poem.txt"
    path.write_text("A mill stands here\nby the old weir\nand turns & turns\n \n\f* one <\n* two\n")
    article = sitegrain.extract(path)
    assert article.text == "A mill stands here\nby the old weir\nand turns & turns\n\n* one <\n* two"
    assert article.markdown == "A mill stands here\\\nby the old weir\\\nand turns & turns\n\n\\* one \\<\\\n\\* two"
    assert article.html.endswith("<p>* one &lt;<br>\n* two</p>")
    (found,) = sitegrain.mine([sitegrain.Capture("http://a.org/", path.read_bytes())])
    assert found.text == article.text


def test_short_lines_beside_broken_ones_stay_lines() -> None:
    letter = "Dear all,\n\nthe meeting of the mill is on Monday, and we hope that everybody\ncomes and brings something to eat.\n\nBest,\nAnn\n--\nAnn Lee\nThe Mill"
    assert untagged_text(letter) == letter.replace("everybody\n", "everybody ")


def test_lines_of_a_log_stay_lines() -> None:
    lines = [f"2026-11-20 12:00:{k} GET /page/{'x' * (k * 7 % 40)} 200 OK" for k in range(10, 60)]
    assert untagged_text("\n".join(lines)).split("\n") == lines


def test_one_long_line_makes_no_text_of_broken_lines() -> None:
    lines = [f"{k} GET /page/{k} 200 OK and some more words" for k in range(20)] + ["x " * 90 + "end", "10 POST /"]
    assert untagged_text("\n".join(lines)).split("\n") == lines


def test_a_page_with_a_tag_is_a_page() -> None:
    assert sitegrain.extract("<p>one\n\ntwo").text == sitegrain.extract("one\n\ntwo<br>").text == "one two"
