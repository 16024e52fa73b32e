"""What there is to mend: the C body against the Python one, and against the steps; hostile input."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings

from sitegrain import native
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.edits import without_edit_links
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.mending import LINE_RULES, RULES
from sitegrain.extractor.mending.lines.addresses import without_own_address
from sitegrain.extractor.mending.lines.asides import (
    BARE_BEGINS,
    _bare,
    without_bare_leads,
    without_bylines,
    without_code_to_copy,
    without_leads,
    without_tags,
)
from sitegrain.extractor.mending.lines.codelabels import without_code_labels
from sitegrain.extractor.mending.lines.contents import without_contents
from sitegrain.extractor.mending.lines.copies import without_echoes, without_subjects
from sitegrain.extractor.mending.lines.letters import without_letter_heads
from sitegrain.extractor.mending.lines.notices import without_notices
from sitegrain.extractor.mending.lines.signatures import without_attached, without_signatures
from sitegrain.extractor.mending.lines.tools import without_tools
from sitegrain.extractor.mending.lines.turns import labelled, without_turn_lines, without_turn_rows, without_turns
from sitegrain.extractor.mending.others.articles import without_other_articles
from sitegrain.extractor.mending.others.below import without_below
from sitegrain.extractor.mending.others.captions import without_captions
from sitegrain.extractor.mending.others.comments import without_named_comments
from sitegrain.extractor.mending.others.consents import without_consents
from sitegrain.extractor.mending.others.dialogs import without_dialogs
from sitegrain.extractor.mending.others.fallbacks import without_fallbacks
from sitegrain.extractor.mending.together.enclosed import with_enclosed
from sitegrain.extractor.mending.together.footnotes import with_footnotes
from sitegrain.extractor.mending.together.formulas import with_formulas
from sitegrain.extractor.mending.together.headings import with_headings
from sitegrain.extractor.mending.together.heads import with_heads
from sitegrain.extractor.mending.together.lists import (
    lists_of,
    with_announced,
    with_sublists,
    without_choices,
    without_remnants,
)
from sitegrain.extractor.mending.together.openings import with_opening
from sitegrain.extractor.mending.together.posts import with_posts
from sitegrain.extractor.mending.together.terms import with_terms
from sitegrain.extractor.mending.together.values import with_values
from sitegrain.extractor.mending.together.wholes import kept_whole
from sitegrain.native.columns import bits_of, names_of
from tests.builders import site_of
from tests.extractor.mending.drawn import Drawn, lined_pages, pages
from tests.native.bodies import both, needs_core

BITS = dict(zip(names_of("MENDS"), bits_of("MENDS"), strict=True))
LINES = dict(zip(names_of("LINES"), bits_of("LINES"), strict=True))


@needs_core
@settings(max_examples=150, deadline=None)
@given(pages())
def test_both_bodies_find_the_same(page: Drawn) -> None:
    in_c, in_python = both(
        lambda: native.to_mend(page.evidence.pages, page.score, page.kept, RULES, page.blocks.rows.urls)
    )
    assert in_c == in_python


@settings(max_examples=150, deadline=None)
@given(pages())
def test_a_step_that_has_nothing_to_look_at_changes_nothing(page: Drawn) -> None:
    evidence, score, kept = page
    blocks, words = evidence.blocks, evidence.words
    look = native.to_mend(evidence.pages, score, kept, RULES, evidence.blocks.rows.urls)
    lists, is_heading = lists_of(blocks), evidence.column("in_heading") > 0
    steps = {
        "OPTIONS": without_choices(blocks, kept),
        "ARTICLES": without_other_articles(blocks, words, kept),
        "SUBLISTS": with_sublists(blocks, lists, kept),
        "REMNANTS": without_remnants(blocks, lists, words, kept),
        "ANNOUNCED": with_announced(blocks, lists, words, score, is_heading, kept),
        "HEADINGS": with_headings(blocks, score, evidence.column("link_density"), is_heading, kept),
        "POSTS": with_posts(evidence, score, lambda: np.tile([[0.0]], (7, evidence.geometry.n_pages)) + 0.3, kept),
        "ADDRESSES": without_own_address(evidence, kept),
        "WHOLES": kept_whole(blocks, kept),
        "CONTENTS": without_contents(blocks, kept),
        "TURNS": without_turns(blocks, kept),
        "DIALOGS": without_dialogs(evidence, score, kept),
        "BELOW": without_below(evidence, score, np.tile([[0.9], [0.1]], (1, evidence.geometry.n_pages)), kept),
        "VALUES": with_values(evidence, score, kept),
        "FOOTNOTES": with_footnotes(blocks, score, kept),
        "TERMS": with_terms(evidence, kept),
        "NAMED": without_named_comments(evidence, score, kept),
        "CONSENTS": without_consents(evidence, score, kept),
        "FALLBACKS": without_fallbacks(evidence, kept),
        "FORMULAS": with_formulas(blocks, kept),
        "HEADS": with_heads(evidence, score, kept),
    }
    assert steps.keys() == BITS.keys()
    changed = {name for name, after in steps.items() if not np.array_equal(after, kept)}
    assert changed <= {name for name, bit in BITS.items() if look & bit}


@needs_core
@settings(max_examples=150, deadline=None)
@given(lined_pages())
def test_both_bodies_find_the_same_lines(page: Drawn) -> None:
    in_c, in_python = both(lambda: native.lines_to_mend(page.evidence.pages, page.score, page.kept, LINE_RULES))
    assert in_c == in_python


@settings(max_examples=150, deadline=None)
@given(lined_pages())
def test_a_step_that_has_no_line_to_look_at_changes_nothing(page: Drawn) -> None:
    evidence, score, kept = page
    look = native.lines_to_mend(evidence.pages, score, kept, LINE_RULES)
    assert not look & LINES["EDITS"] or (kept & (evidence.column("in_heading") > 0)).any()
    rows = np.append(kept, False)[evidence.blocks.node_block]
    is_article = np.ones(evidence.geometry.n_pages, bool)
    forum = np.tile([[0.1], [0.0], [0.0], [0.9], [0.0], [0.0], [0.0]], (1, evidence.geometry.n_pages))
    steps = {
        "ECHOES": [without_echoes(evidence, kept)],
        "SUBJECTS": [without_subjects(evidence, kept)],
        "LABELS": [step(labelled(evidence, kept), kept) for step in (without_turn_lines, without_leads, without_tags)],
        "LETTERS": [without_letter_heads(evidence, kept)],
        "TOOLS": [without_tools(evidence, kept)],
        "SIGNATURES": [without_signatures(evidence, score, lambda: forum, kept)],
        "FILES": [without_attached(evidence, kept)],
        "BYLINES": [without_bylines(evidence, kept)],
        "CODE": [without_code_to_copy(evidence, kept)],
        "EDITS": [without_edit_links(evidence, kept, rows)],
        "TURN_ROWS": [without_turn_rows(evidence, kept)],
        "OPENINGS": [with_opening(evidence, score, is_article, kept)],
        "CAPTIONS": [without_captions(evidence, score, is_article, kept)],
        "NOTICES": [without_notices(evidence, score, is_article, kept)],
        "BARE_LEADS": [without_bare_leads(evidence, is_article, kept)],
        "ENCLOSED": [with_enclosed(evidence, kept)],
        "CODE_LABELS": [without_code_labels(evidence.blocks, evidence.words, kept)],
    }
    assert steps.keys() == LINES.keys()
    changed = {
        name
        for name, made in steps.items()
        if any(not np.array_equal(after, rows if name == "EDITS" else kept) for after in made)
    }
    assert changed <= {name for name, bit in LINES.items() if look & bit}


LINED = {
    "ECHOES": "<h2>Tea</h2><h3> Tea</h3>",
    "SUBJECTS": "<title>Green tea</title><h2>Green tea</h2><p>a<h3>Re: Green tea</h3><p>b<h3>Green tea</h3>",
    "LABELS": "<p>Next: <a href=x>Milk</a>",
    "LETTERS": "<p>From: Ann<p>Date: May<p>Subject: Tea<p>Hello",
    "TOOLS": "<p><a href=/>Home</a> &gt; <a href=/t>Tea</a>",
    "SIGNATURES": "<p>Tea<p class=signature>Ann<p>Milk<p class=signature>Bob",
    "FILES": "<table><tr><td><a href=x>a.zip</a><td>12 KB</table>",
    "BYLINES": "<p>By Ann Lee",
    "CODE": "<textarea>&lt;a href=x&gt;</textarea>",
    "EDITS": "<h2>Tea <a href='?action=edit'>edit</a></h2>",
    "TURN_ROWS": "<p><a href=x>Previous</a> <a href=y>Next</a>",
    "BARE_LEADS": "<p><a href=x>Les også Tea with milk</a>",
    "CODE_LABELS": "<div class='language-c'><p>C</p><pre>tea</pre></div>",
}
TEXT = f"<p>{'Green tea is made of leaves, and it is hot. ' * 20}"
OF_ARTICLES = {
    "OPENINGS": (f"<p>{'Tea is hot, milk is not. ' * 4}{TEXT}", [0.3, 0.9], [False, True]),
    "CAPTIONS": (f"{TEXT}<figure><img><figcaption>A cup</figcaption></figure>", [0.9, 0.3], [True, True]),
    "NOTICES": (f"{TEXT}<p>(C) Tea Press", [0.9, 0.9], [True, True]),
    "ENCLOSED": (f"<h2>Tea</h2><ul><li>cup</ul>{TEXT}", [0.9, 0.2, 0.9], [True, False, True]),
}
assert {*LINED, *OF_ARTICLES} == LINES.keys()


@needs_core
@pytest.mark.parametrize("name", OF_ARTICLES)
def test_what_stands_around_an_article_is_seen_by_both_bodies(name: str) -> None:
    page, score, kept = OF_ARTICLES[name]
    evidence = gather(rows_of(site_of(page), 0, 1))
    for least, is_seen in ((0.0, True), (1.0, False)):  # without words enough there is no article
        of = evidence.pages._replace(words=np.where(least, 1.0, evidence.words))
        seen = both(partial(native.lines_to_mend, of, np.array(score), np.array(kept), LINE_RULES))
        assert [bool(look & LINES[name]) for look in seen] == [is_seen] * 2


@needs_core
@pytest.mark.parametrize("name", LINED)
def test_a_line_is_seen_by_both_bodies_and_missed_when_it_is_not_kept(name: str) -> None:
    evidence = gather(rows_of(site_of(LINED[name]), 0, 1))
    n = len(evidence.blocks)
    seen = both(partial(native.lines_to_mend, evidence.pages, np.full(n, 0.5), np.ones(n, bool), LINE_RULES))
    assert [bool(look & LINES[name]) for look in seen] == [True] * 2
    nothing = both(partial(native.lines_to_mend, evidence.pages, np.full(n, 0.5), np.zeros(n, bool), LINE_RULES))
    assert nothing[0] == nothing[1]
    if name not in ("LETTERS", "FILES"):  # of which a part may be kept and another tells what it is
        assert not nothing[0] & LINES[name]


@needs_core
@pytest.mark.parametrize(
    ("word", "is_seen"),
    [("cookies", True), ("Cookies", True), ("файлы куки", True), ("クッキー", True), ("tea", False)],
)
def test_a_kept_sentence_in_doubt_that_speaks_of_cookies_is_seen_by_both_bodies(word: str, is_seen: bool) -> None:
    evidence = gather(rows_of(site_of(f"<p>We drink {word} with milk and honey every day.<p>Tea"), 0, 1))
    for score, kept, may_be in ((0.6, True, True), (0.7, True, False), (0.6, False, False)):
        looks = both(
            partial(
                native.to_mend,
                evidence.pages,
                np.array([score, 0.9]),
                np.array([kept, True]),
                RULES,
                evidence.blocks.rows.urls,
            )
        )
        assert [bool(look & BITS["CONSENTS"]) for look in looks] == [is_seen and may_be] * 2


@needs_core
@pytest.mark.parametrize(
    ("line", "is_seen"),
    [
        ("Also read tea with milk", True),
        ("» LESEN Sie auch Tee mit Milch", True),
        ("_Baca juga teh dengan susu", True),
        ("À lire aussi du thé", True),
        ("Читайте также про чай и молоко", True),
        (f"{'a' * 17}é tea with milk now", True),
        (f"{'a' * 17} tea with milk now", False),
        ("Tea with milk and honey", False),
        ("Also, tea", False),
    ],
)
def test_a_line_that_may_begin_with_a_bare_label_is_seen_by_both_bodies(line: str, is_seen: bool) -> None:
    evidence = gather(rows_of(site_of(f"<p><a href=x>{line}</a><p>--- ___ a--- b c d e f"), 0, 1))
    looks = both(partial(native.lines_to_mend, evidence.pages, np.ones(2), np.array([True, True]), LINE_RULES))
    assert [bool(look & LINES["BARE_LEADS"]) for look in looks] == [is_seen] * 2


BARE = (
    "Also read|Read also|Lesen Sie auch|Lies auch|Lire aussi|Lea también|Lee también|Leer también|Vea también|Leia também|Veja ainda|Leggi anche|"
    "Lees ook|Les også|Lue myös|Czytaj także|Przeczytaj też|Zobacz również|Baca juga|Bunu da okuyun"
).split("|")


def test_all_words_of_ascii_that_bare_labels_begin_with_are_known() -> None:
    assert all(_bare().match(label) for label in BARE)
    assert {label.split()[0].lower() for label in BARE} == BARE_BEGINS


@needs_core
@pytest.mark.parametrize("tag", ["video", "audio", "canvas", "p"])
def test_films_sounds_and_drawings_are_seen_by_both_bodies(tag: str) -> None:
    evidence = gather(rows_of(site_of(f"<div>Tea<{tag}><p>Your browser is old</{tag}>"), 0, 1))
    for kept in ([True, True], [True, False]):
        looks = both(
            partial(native.to_mend, evidence.pages, np.ones(2), np.array(kept), RULES, evidence.blocks.rows.urls)
        )
        assert [bool(look & BITS["FALLBACKS"]) for look in looks] == [tag != "p" and kept[1]] * 2


@needs_core
def test_notes_are_looked_for_where_a_kept_mark_leads_down_to_what_is_left_out() -> None:
    page = "<p>Tea is hot.<a href=#n1 id=m1>1</a><p>Milk<ol><li id=n1>Not <a href=#m1>iced</a></ol><p>The end"
    evidence = gather(rows_of(site_of(page), 0, 1))
    score = np.full(len(evidence.blocks), 0.5)
    for kept, is_seen in (([1, 1, 0, 1], True), ([0, 1, 1, 0], False), ([1, 0, 1, 0], False), ([0, 1, 0, 1], False)):
        given_kept = np.array(kept, bool)
        looks = both(partial(native.to_mend, evidence.pages, score, given_kept, RULES, evidence.blocks.rows.urls))
        assert [bool(look & BITS["FOOTNOTES"]) for look in looks] == [is_seen] * 2
    assert with_footnotes(evidence.blocks, score, np.array([1, 1, 0, 1], bool)).tolist() == [True] * 4


@needs_core
def test_notes_are_looked_for_where_there_are_many_marks() -> None:
    for n, is_seen in ((64, False), (65, True)):  # of so many it is not told where they lead
        page = f"<p>Tea{'<a href=#no>1</a>' * n}<p><a href=#m>Milk</a>"
        evidence = gather(rows_of(site_of(page), 0, 1))
        looks = both(
            partial(
                native.to_mend, evidence.pages, np.ones(2), np.array([1, 0], bool), RULES, evidence.blocks.rows.urls
            )
        )
        assert [bool(look & BITS["FOOTNOTES"]) for look in looks] == [is_seen] * 2


@needs_core
def test_notes_are_of_the_page_itself() -> None:
    kept = np.array([1, 1, 0, 1], bool)
    for name, is_seen in (("", True), ("0.html", True), ("1.html", False), ("http://t.example/0.html", False)):
        page = f"<p>Tea is hot.<a href={name}#n1 id=m1>1</a><p>Milk<ol><li id=n1>Not <a href={name}#m1>iced</a></ol><p>The end"
        evidence = gather(rows_of(site_of(page), 0, 1))
        assert evidence.blocks.rows.urls[0].endswith("/0.html")
        score = np.full(len(kept), 0.5)
        looks = both(partial(native.to_mend, evidence.pages, score, kept, RULES, evidence.blocks.rows.urls))
        assert [bool(look & BITS["FOOTNOTES"]) for look in looks] == [is_seen] * 2


@needs_core
def test_columns_that_do_not_fit_are_refused() -> None:
    evidence = gather(rows_of(site_of("<ul><li>tea<li>milk</ul><p>cup"), 0, 1))
    pages, n = evidence.pages, len(evidence.blocks)
    score, kept = np.ones(n), np.ones(n, bool)
    assert native.to_mend(pages, score, kept, RULES, evidence.blocks.rows.urls) == 0
    shifted = pages.blocks._replace(text_end=pages.blocks.text_end + np.int32(1000))
    beyond = pages.blocks._replace(first=pages.blocks.first + np.int32(10**6))
    for of, its_score, its_kept in (
        (pages, score[1:], kept),
        (pages, score, kept[1:]),
        (pages._replace(words=pages.words[1:]), score, kept),
        (pages._replace(alike=pages.alike + np.int32(n)), score, kept),
        (pages._replace(blocks=shifted), score, kept),
        (pages._replace(blocks=beyond), score, kept),
        (pages._replace(rows=pages.rows._replace(parent=pages.rows.parent + np.int32(10**6))), score, kept),
    ):
        with pytest.raises(ValueError, match=r"fit|comes before"):
            native.to_mend(of, its_score, its_kept, RULES, evidence.blocks.rows.urls)
    assert native.lines_to_mend(pages, score, kept, LINE_RULES) == 0
    for of, its_score, its_kept in (
        (pages, score[1:], kept),
        (pages, score, kept[1:]),
        (pages._replace(words=pages.words[1:]), score, kept),
        (pages._replace(node_block=pages.node_block + np.int32(n)), score, kept),
        (pages._replace(blocks=shifted), score, kept),
        (pages._replace(rows=pages.rows._replace(parent=pages.rows.parent + np.int32(10**6))), score, kept),
    ):
        with pytest.raises(ValueError, match=r"fit|comes before"):
            native.lines_to_mend(of, its_score, its_kept, LINE_RULES)
    for urls in ((), ("", "")):
        with pytest.raises(ValueError, match="address"):
            native.to_mend(pages, score, kept, RULES, urls)
