"""Lines within a text that are beside it: leads to other articles, bylines, code to copy."""

from __future__ import annotations

import time

import numpy as np
import pytest

from sitegrain.arrays.types import Bools
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.mending.lines.asides import (
    is_byline,
    without_bare_leads,
    without_bylines,
    without_code_to_copy,
    without_leads,
    without_tags,
)
from sitegrain.extractor.mending.lines.turns import labelled
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site

PROSE = "<p>" + "Tea must draw for three minutes before it is poured into a warm cup. " * 12


def _gathered(*pages: str) -> tuple[Evidence, Bools]:
    site = build_site(Capture(f"http://a.org/{k}", html.encode()) for k, html in enumerate(pages))
    evidence = gather(rows_of(site, 0, len(pages)))
    return evidence, np.ones(len(evidence.blocks), bool)


@pytest.mark.parametrize(
    ("line", "is_lead"),
    [
        ("<b>READ MORE:</b> <a href=b>Green tea is grown on the north side</a>", True),
        ("<a href=b><b>Related: Green tea is grown on the north side</b></a>", True),
        ("[Related: <a href=b>Green tea is grown on the north side</a>]", True),
        ("(MORE: <a href=b>Green tea is grown on the north side</a>)", True),
        ("Lesen Sie auch: <a href=b>Grüner Tee wächst im Norden</a>", True),
        ("À lire aussi : <a href=b>Le thé vert pousse au nord</a>", True),
        ("Les også: <a href=b>Grønn te vokser i nord</a>", True),
        ("Baca juga: <a href=b>Teh hijau tumbuh di utara</a>", True),
        ("相关阅读：<a href=b>绿茶长在北边</a>", True),
        ("Read more: the leaves of <a href=b>green tea</a> must be picked by hand.", False),
        ("Read more: Green tea is grown on the north side", False),
        ("More information: <a href=b>Ann Lee, Leaves of tea, 2020</a>", False),
        ("Website: <a href=b>The house of green tea</a>", False),
        ("See also: <a href=b>boil</a>", False),
    ],
)
def test_a_line_that_leads_to_another_article_is_left_out(line: str, is_lead: bool) -> None:
    evidence, kept = _gathered(f"{PROSE}<p>{line}{PROSE}")
    assert without_leads(labelled(evidence, kept), kept).tolist() == [True, not is_lead, True]


@pytest.mark.parametrize(
    ("line", "is_tags"),
    [
        ("Tags: <a href=b>tea</a>, <a href=c>milk</a>", True),
        ("<a href=x>Category</a>: <a href=b>Tea</a>", True),
        ("Schlagwörter: <a href=b>Tee</a>, <a href=c>Milch</a>", True),
        ("标签：<a href=b>绿茶</a>", True),
        ("Tags: tea, milk", False),
        ("Category: the leaves of <a href=b>green tea</a> are of the first", False),
        ("The category: <a href=b>Tea</a>", False),
    ],
)
def test_a_line_of_tags_is_left_out(line: str, is_tags: bool) -> None:
    evidence, kept = _gathered(f"{PROSE}<p>{line}{PROSE}")
    assert without_tags(labelled(evidence, kept), kept).tolist() == [True, not is_tags, True]


@pytest.mark.parametrize(
    ("line", "is_by"),
    [
        ("By Ann Lee", True),
        ("von Ann van der Lee, Frankfurt", True),
        ("Text: Ann Lee und Bo Chi", True),
        ("Autorin: Ann Lee", True),
        ("Автор: Анна Ли", True),
        ("Penulis : Ann Lee", True),
        ("Autor Ann Lee", False),
        ("Author: see below", False),
        ("By and large it rains", False),
        ("By Ann", False),
        ("Par Avion.", False),
        ("Di", False),
        ("By One Two Three Four Five Six Seven Eight", False),
    ],
)
def test_a_byline(line: str, is_by: bool) -> None:
    assert is_byline(line) == is_by


def test_a_byline_is_left_out_at_the_top_of_a_text_alone() -> None:
    lines = "<p>A lead.<p>By Ann Lee"
    evidence, kept = _gathered(f"{lines}{PROSE}{PROSE}<p>By Bo Chi{PROSE}", lines, f"<h2>By Ann Lee</h2>{PROSE}")
    assert without_bylines(evidence, kept).tolist() == [
        *(True, False, True, True, True, True),  # of a text with a line within it that is like one
        *(True, True),  # of a page without a text
        *(True, True),  # a heading
    ]


def test_code_to_copy_is_left_out_and_code_of_a_text_is_kept() -> None:
    code = '&lt;iframe src="http://a.org/x">&lt;/iframe>'
    tags = '&lt;a href="" title=""> &lt;b> &lt;i>'
    evidence, kept = _gathered(
        f"{PROSE}<form><textarea>{code}</textarea><textarea>My own words</textarea></form><pre>{code}</pre><p>You may use: {tags}"
    )
    assert without_code_to_copy(evidence, kept).tolist() == [True, False, True, True, False]


@pytest.mark.parametrize(
    ("line", "is_lead"),
    [
        ("<a href=b>Les også Tea with milk and sugar</a>", True),
        ("Also Read- <a href=b>Tea with milk and sugar</a>", True),
        ("<a href=b><b>Baca juga</b> Teh dengan susu dan gula</a>", True),
        ("<a href=b>Also read this</a>", False),
        ("<a href=b>Also readers of tea like their milk</a>", False),
        ("Also read what Ann Lee says of it <a href=b>here</a>", False),
        ("<a href=b>More tea with milk and sugar</a>", False),
    ],
)
def test_a_label_without_a_colon_leads_to_another_article(line: str, is_lead: bool) -> None:
    evidence, kept = _gathered(f"{PROSE}<p>{line}{PROSE}")
    assert without_bare_leads(evidence, np.array([True]), kept).tolist() == [True, not is_lead, True]
    assert without_bare_leads(evidence, np.array([False]), kept) is kept


def test_what_was_dropped_stays_dropped_and_nothing_is_copied_for_nothing() -> None:
    evidence, kept = _gathered(f"{PROSE}<p>Related: <a href=b>Green tea</a>", PROSE)
    assert without_leads(labelled(evidence, ~kept), ~kept).tolist() == [False, False, False]
    none = without_leads(labelled(evidence, kept), kept)
    assert without_leads(labelled(evidence, none), none) is none
    assert without_leads(labelled(evidence, kept), none) is none  # lines of before
    assert without_bare_leads(evidence, np.array([True, True]), none) is none
    for step in (without_bylines, without_code_to_copy):
        assert step(evidence, none) is none


def test_hostile_lines_take_no_longer_for_each() -> None:
    evidence, kept = _gathered(f"<p>{'also ' * 39}<a href=x>:</a>" * 4000 + "<p>By " * 20_000)
    start = time.process_time()
    without_leads(labelled(evidence, kept), kept)
    without_bare_leads(evidence, np.ones(evidence.geometry.n_pages, bool), kept)
    for step in (without_bylines, without_code_to_copy):
        step(evidence, kept)
    assert time.process_time() - start < 2.5  # 0.1 s


def test_a_byline_with_the_day_is_one_of_a_short_text_too() -> None:
    short = "<p>" + "Tea must draw for three minutes before it is poured into a warm cup. " * 4
    evidence, kept = _gathered(f"<p>by Ann Lee, 23 April 2019{short}", f"<p>by Ann Lee{short}")
    assert without_bylines(evidence, kept).tolist() == [False, True, True, True]
