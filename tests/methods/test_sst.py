"""The site style tree with sentences against the paper told slowly, and its bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.arrays.threshold import greedy_threshold
from sitegrain.demo import generate
from sitegrain.errors import SitegrainError, UsageError
from sitegrain.evaluation.data import open_site
from sitegrain.evaluation.gold import gold_nodes
from sitegrain.methods.labels import learn_style, style_labels
from sitegrain.methods.sst.gold import read_gold
from sitegrain.methods.sst.method import SentenceTree, SentenceVerdict, labelled_thresholds
from sitegrain.methods.sst.segments import page_segments, page_sentences
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from tests.builders import site_of
from tests.oracles.styles import sentence_tree
from tests.randomsites import random_pages


def lines(verdict: SentenceVerdict, site: Site, page: int = 0) -> list[str]:
    return verdict.page_text(site, page).split("\n") if verdict.page_text(site, page) else []


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.booleans(), st.booleans())
def test_equals_its_oracle(seed: int, phrases: bool, per_node: bool) -> None:
    site = site_of(*random_pages(seed))
    slow = sentence_tree(site, "en", 0.02, phrases, per_node)
    verdict = SentenceTree(phrases=phrases, language="en", per_node=per_node).fit(site).apply(site)
    s = verdict.sentences
    assert s is not None
    assert list(zip(s.page.tolist(), s.start.tolist(), s.end.tolist(), strict=True)) == [
        (j.page, j.start, j.end) for j in slow
    ]
    entropy = np.array([j.entropy for j in slow], float)
    assert verdict.sentence_entropy == pytest.approx(entropy, abs=1e-9)
    edge = np.abs(entropy * 10 - np.round(entropy * 10)) < 1e-6
    same = verdict.sentence_kept == np.array([j.kept for j in slow], bool)
    assert (same | edge).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_sentences_cover_all_text_once(seed: int) -> None:
    site = site_of(*random_pages(seed))
    segments = page_segments(site, style_labels(site, learn_style(site)))
    s = page_sentences(site, segments, "en")
    for page in range(site.n_pages):
        mine = s.page == page
        assert s.start[mine][:1].tolist() in ([0], [])
        assert s.end[mine][-1:].tolist() in ([len(site.texts[page])], [])
        assert (s.start[mine][1:] == s.end[mine][:-1]).all()
    assert (np.diff(s.segment) >= 0).all()
    assert segments.is_leaf[s.segment].all()


def test_segments_merge_and_absorb() -> None:
    site = site_of("<body><div><ul><li>a</li><li>b</li></ul></div><p>x <b>y</b> z</p><div><h2>t</h2><p>u</p></div>")
    segments = page_segments(site, style_labels(site, learn_style(site)))
    names = [site.tag_name(r) for r in segments.row]
    # html absorbs body; the list, its items and the div around it are one leaf; inline markup is part of its text.
    assert names == ["html", "div", "p", "div", "h2", "p"]
    assert segments.is_leaf.tolist() == [False, True, True, False, True, True]
    assert segments.parent.tolist() == [-1, 0, 0, 0, 3, 3]
    plain = page_segments(site, style_labels(site, learn_style(site)), phrases=False)
    assert [site.tag_name(r) for r in plain.row] == ["html", "div", "p", "#text", "b", "#text", "div", "h2", "p"]


SHARED = "Read all our stories. Follow us on the usual networks."
PAGES = [
    f"<body><ul><li>Home News Sport</ul><div><p>{body} {SHARED}</p></div><h6>Rights reserved</h6>"
    for body in (
        "Rivers rose after heavy rain.",
        "A wolf crossed the border.",
        "Prices fell again in spring.",
        "Voters chose another mayor.",
    )
]


def test_sentences_inside_one_block_are_told_apart() -> None:
    site = site_of(*PAGES)
    verdict = SentenceTree(language="en").fit(site).apply(site)
    assert lines(verdict, site) == ["Rivers rose after heavy rain."]


def test_labels_set_the_thresholds() -> None:
    more = zip(PAGES, "abcd", strict=True)
    pages = [p.replace("Home News Sport", f"Home News Sport {word} list") for p, word in more]
    site = site_of(*pages)
    gold = np.array(["Read all" in site.node_text(r) and bool(site.is_text[r]) for r in range(site.n_nodes)])
    model = SentenceTree(language="en").fit(site, gold, np.array([0, 1, 2]))
    # By the labels the shared sentences are content too, and nothing outside the paragraph is.
    shared = SHARED.replace(". F", ".\nF").split("\n")
    assert lines(model.apply(site), site, 3) == ["Voters chose another mayor.", *shared]
    with pytest.raises(UsageError):
        SentenceTree().fit(site, gold[:-1])


def test_labelled_thresholds() -> None:
    style = np.array([0, 0, 0, 1, 1, 3])
    entropy = np.array([0.0, 0.25, 0.95, 0.0, 0.1, 0.95])
    true = np.array([True, True, False, False, False, False])
    cuts = labelled_thresholds(style, entropy, true, 4)
    # 0.3 and more is best for node 0; node 1 and 3 have no content; node 2 has no label and takes the common cut.
    assert cuts.tolist() == [0.3, -1.0, 0.3, -1.0]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_the_greedy_rule_is_that_of_infodiscoverer(seed: int) -> None:
    from scipy import sparse

    site = site_of(*random_pages(seed))
    model = SentenceTree(language="en", per_node=True).fit(site)
    verdict = model.apply(site)
    s = verdict.sentences
    assert s is not None
    has = np.diff(s.term_offset) > 0
    for node in range(len(model.tree_)):
        mine = np.flatnonzero((verdict.sentence_style == node) & has)
        if len(mine):
            rows = [s.term[s.term_offset[i] : s.term_offset[i + 1]] for i in mine]
            terms = sparse.lil_array((len(rows), len(s.vocabulary)))
            for r, ids in enumerate(rows):
                terms[r, ids] = 1
            one = greedy_threshold(verdict.sentence_entropy[mine], sparse.csr_array(terms))
            assert model.threshold_[node] == pytest.approx(one.threshold)


def test_labels_of_a_file_are_those_of_evaluation(tmp_path: Path) -> None:
    generate(tmp_path)
    labelled = open_site(tmp_path)
    site = build_site(labelled.captures())
    gold = gold_nodes(site, labelled)
    found, pages = read_gold(tmp_path / "labels.jsonl", site)
    articles = np.array([p for p, label in enumerate(gold.page_label) if label is not None and label.kind == "article"])
    np.testing.assert_array_equal(pages, articles)
    np.testing.assert_array_equal(found, gold.node_gold & np.isin(site.nodes.page, articles))
    given = SentenceTree().fit(site, gold.node_gold, articles)
    read = SentenceTree(labels=tmp_path / "labels.jsonl").fit(site)
    np.testing.assert_array_equal(given.threshold_, read.threshold_)
    assert (read.threshold_ != SentenceTree().fit(site).threshold_).any()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "labels the content of no page"),
        ("{", "line 1 is not JSON"),
        ("[]", "line 1 is not a label"),
        ('{"path": 1}', "line 1 is not a label"),
        ('{"path": "0.html", "content_selector": "p["}', "not a CSS selector: 'p\\['"),
        ('{"path": "9.html", "content_selector": "p"}', "labels the content of no page"),
        ('{"path": "0.html", "content_selector": "video"}', "labels the content of no page"),
    ],
)
def test_labels_that_cannot_be_used_are_told(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text(text)
    site = build_site(
        [Capture("http://a.org/0", b"<p>One", path="0.html"), Capture("http://a.org/1", b"<p>Two", path="1.html")]
    )
    with pytest.raises(SitegrainError, match=words):
        SentenceTree(labels=file).fit(site)
    with pytest.raises(SitegrainError, match="cannot read the labels"):
        SentenceTree(labels=tmp_path / "none").fit(site)


# Bad input


def test_no_sentence_marks_and_one_giant_sentence() -> None:
    giant = "word " * 20_000
    site = site_of(*(f"<body><p>{giant} {w}</p><p>own {w} text</p>" for w in ("red", "green", "blue")))
    verdict = SentenceTree(language="en").fit(site).apply(site)
    assert len(verdict.sentence_kept) == 6
    assert lines(verdict, site) == ["own red text"]


def test_mixed_languages() -> None:
    site = site_of(
        "<body><p>今日は晴れです。散歩に行きました。</p><p>Contact us</p>",
        "<body><p>Привет, мир. Как дела?</p><p>Contact us</p>",
        "<body><p>مرحبا بالعالم. كيف حالك؟</p><p>Contact us</p>",
    )
    verdict = SentenceTree().fit(site).apply(site)
    assert lines(verdict, site) == ["今日は晴れです。", "散歩に行きました。"]
    assert lines(verdict, site, 1) == ["Привет, мир.", "Как дела?"]


def test_one_page_per_template() -> None:
    bodies = ("<p>one</p><h2>own</h2>", "<h1>two</h1><b>three</b>", "<table><tr><td>four</table>x")
    site = site_of(*(f"<body>{body}" for body in bodies))
    verdict = SentenceTree(language="en").fit(site).apply(site)
    assert verdict.node_kept.sum() == 6
    assert verdict.notes
    one = site_of(PAGES[0])
    assert SentenceTree(language="en").fit_apply(one).notes


def test_no_pages_and_no_text() -> None:
    for site in (site_of(), site_of("<body></body>"), site_of("<img src=x>", "<br>")):
        verdict = SentenceTree(language="en").fit(site).apply(site)
        assert len(verdict.node_kept) == site.n_nodes
        assert not verdict.node_kept.any()


def test_text_without_terms_goes_with_its_segment() -> None:
    site = site_of(*(f"<body><p>{w} story. 12. 34!</p><h3>12</h3>" for w in ("Rain", "Wolf", "Price")))
    verdict = SentenceTree(language="en").fit(site).apply(site)
    kept = [site.node_text(r) for r in np.flatnonzero(verdict.node_kept).tolist()]
    assert "12" not in kept
