"""The same text twice on one page counts once; what a page is about."""

from __future__ import annotations

import numpy as np

import sitegrain
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import Evidence, gather
from sitegrain.extractor.mending.lines.copies import kept_once, without_echoes, without_subjects
from tests.builders import site_of

LONG = "The river rose over its banks on Monday night, and three villages had no light until the morning came."


def evidence_of(*pages: str) -> Evidence:
    site = site_of(*pages)
    return gather(rows_of(site, 0, site.n_pages))


def kept(evidence: Evidence, score: list[float]) -> list[bool]:
    return [bool(k) for k in kept_once(evidence, np.array(score), np.ones(len(score), bool))]


def test_of_two_copies_the_better_one_is_kept_and_else_the_first() -> None:
    twice = evidence_of(f"<p>{LONG}<div><p>{LONG}</div>")
    assert kept(twice, [0.5, 0.9]) == [False, True]
    assert kept(twice, [0.9, 0.9]) == [True, False]


def test_short_texts_quotes_and_other_pages_are_no_copies() -> None:
    assert kept(evidence_of("<p>La la la.<p>La la la."), [1.0, 1.0]) == [True, True]
    assert kept(evidence_of(f"<p>{LONG}<blockquote><p>{LONG}</blockquote>"), [1.0, 1.0]) == [True, True]
    assert kept(evidence_of(f"<p>{LONG}", f"<p>{LONG}"), [1.0, 1.0]) == [True, True]


def test_a_text_may_repeat_itself_with_text_of_its_own_between() -> None:
    table = f"<table><tr><th>River<td>{{}}<tr><th>What<td>{LONG}</table>"
    assert all(kept(evidence_of(f"{table.format('Aa')}<h2>Other</h2>{table.format('Bb')}"), [1.0] * 9))
    assert all(kept(evidence_of(f"<p>{LONG}<p>Other.<p>{LONG}<p>More.<p>{LONG}"), [1.0] * 5))
    # A whole text twice, another place, or nothing between.
    more = "In the morning the firemen came with a boat, and with bread for all who had stayed in their houses."
    assert kept(evidence_of(f"<p>{LONG}<p>{more}<p>{LONG}<p>{more}"), [1.0] * 4) == [True, True, False, False]
    assert kept(evidence_of(f"<p>{LONG}<p>Other.<div><p>{LONG}</div>"), [1.0] * 3) == [True, True, False]
    assert kept(evidence_of(f"<p>{LONG}<p>{LONG}"), [1.0] * 2) == [True, False]


def test_a_text_that_stands_twice_is_extracted_once() -> None:
    menu = "<nav><a href=/>Home</a> <a href=/a>A</a> <a href=/b>B</a></nav>"
    more = "<p>In the morning the firemen came with a boat, and with bread for all who had stayed in their houses."
    page = f"<title>Flood</title>{menu}<article><h1>Flood</h1><p>{LONG}{more}</article><div><p>{LONG}{more}</div>"
    assert sitegrain.extract(page).text.count("three villages") == 1


def test_a_heading_that_says_the_one_before_again_goes() -> None:
    found = evidence_of(
        "<div><h3>Milk</h3></div><div><h3>Milk</h3><p>White.</div><h3>Milk</h3><p>Milk", "<h3>Milk</h3>"
    )
    assert without_echoes(found, np.ones(6, bool)).tolist() == [True, False, True, True, True, True]
    some = np.array([True, False, True, True, True, True])
    assert without_echoes(found, some) is some


def test_copies_are_counted_on_their_page() -> None:
    found = evidence_of(f"<p>{LONG}<p>Other.<p>{LONG}", f"<p>{LONG}")
    assert found.column("copies_before").tolist() == [0, 0, 1, 0]
    assert found.column("copies_after").tolist() == [1, 0, 0, 0]


def test_a_block_is_about_the_page_by_the_words_that_are_not_everywhere() -> None:
    head = "<title>Flood in the valley</title><meta name=description content='The river rose on Monday'>"
    about = evidence_of(f"{head}<h1>Flood in the valley</h1><p>{LONG}<p>A cat was found in Paris.").column("about")
    assert about[1] == 1.0
    assert about[2] > about[3]


def test_the_longest_run_of_prose_leaves_out_what_stands_apart() -> None:
    parts = "<p>".join(f"{LONG} {k}" for k in range(4))
    menu = "".join(f"<li>Entry {k}" for k in range(9))
    found = evidence_of(f"<ul>{menu}</ul><p>{parts}<ul>{menu}</ul><p>{LONG} Late.")
    run = found.column("in_run").tolist()
    assert run == [-1.0] * 9 + [1.0] * 4 + [0.0] * 10
    assert found.column("run_share")[0] > 0.7


def subjects(title: str, *headings: str) -> list[bool]:
    posts = "".join(f"<h4>{heading}</h4><p>{LONG}</p>" for heading in headings)
    evidence = evidence_of(f"<title>{title}</title>{posts}")
    found = without_subjects(evidence, np.ones(len(evidence.blocks), bool))
    return [bool(k) for k in found[1:]]


def test_the_title_of_a_thread_stands_once() -> None:
    answers = ("Green tea", "Re: Green tea", "AW: Green Tea")
    assert subjects("Bay Forum - Green tea", *answers) == [True, True, False, True, False, True]
    # Twice is the title of the page and of its text, and headings that are no title may come again.
    assert all(subjects("Green tea", "Green tea", "Green tea"))
    assert all(subjects("Recipes", "Milk", "Milk", "Milk"))
    assert all(subjects("Green tea", "Tea", "Cups", "Pots"))


def test_subjects_of_one_page_are_not_those_of_another() -> None:
    page = f"<title>Tea</title><h1>Tea</h1><h2>Tea</h2><p>{LONG}"
    evidence = evidence_of(page, page)
    assert without_subjects(evidence, np.ones(len(evidence.blocks), bool)).all()
