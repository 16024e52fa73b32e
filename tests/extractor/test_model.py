"""The default extractor: verdicts, decisions, site models, drift, bad input."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sitegrain
from sitegrain.demo import generate
from sitegrain.errors import ModelError, UsageError
from sitegrain.extractor.blocks import rows_of
from sitegrain.extractor.evidence import gather
from sitegrain.extractor.judged import Reasons, block_kinds
from sitegrain.extractor.knowledge import SiteKnowledge, learn
from sitegrain.extractor.lexicon import lexical_columns
from sitegrain.extractor.model import (
    CONTENT_KIND,
    NOTHING_BELOW,
    Extractor,
    decide,
    first_scores,
    load_extractor,
    load_trees,
)
from sitegrain.extractor.pagetypes import PAGE_TYPES, AskedTypes
from sitegrain.learned.files import save_model
from sitegrain.learned.typed import Reader, to_plain
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from tests.builders import captures_of, site_of


@pytest.fixture(scope="module")
def courier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("courier")
    generate(folder)
    return folder


@pytest.fixture(scope="module")
def site(courier: Path) -> Site:
    return sitegrain.read_folder(courier)


def slow_decide(score: list[float], words: list[float]) -> set[int]:
    """Every prefix of the order by score, tried."""
    order = sorted(range(len(score)), key=lambda i: -score[i])
    total = sum(s * w for s, w in zip(score, words, strict=True))
    best, kept = 0.0, set()
    for k in range(1, len(order) + 1):
        part = order[:k]
        f1 = 2 * sum(score[i] * words[i] for i in part) / (sum(words[i] for i in part) + total)
        if f1 > best + 1e-12:
            best, kept = f1, set(part)
    return kept if best >= NOTHING_BELOW else set()


@settings(max_examples=100)
@given(st.lists(st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 50)), max_size=8), min_size=1, max_size=4))
def test_the_decision_is_the_best_prefix(pages: list[list[tuple[float, int]]]) -> None:
    # Different scores, so that the order is one.
    score = np.array([s + 1e-7 * i for i, (s, _) in enumerate(x for p in pages for x in p)])
    words = np.array([float(w) for p in pages for _, w in p])
    page = np.repeat(np.arange(len(pages)), [len(p) for p in pages])
    kept = decide(score, words, page, len(pages))
    for k in range(len(pages)):
        own = np.flatnonzero(page == k)
        expected = slow_decide(score[own].tolist(), words[own].tolist())
        assert set(np.flatnonzero(kept[own]).tolist()) == expected


def test_verdict_fits_the_tables(site: Site) -> None:
    verdict = Extractor().fit_apply(site)
    text = site.is_text
    assert ((verdict.node_score >= 0) & (verdict.node_score <= 1)).all()
    assert not verdict.node_kept[~text].any()
    assert (verdict.node_block[text] >= 0).all()
    assert (verdict.node_block[~text] == -1).all()
    assert len(verdict.blocks.reason) == len(verdict.blocks)
    assert all(r.startswith("score ") for r in verdict.blocks.reason[:50])
    assert isinstance(verdict.blocks.reason, Reasons)
    shared = verdict.blocks.reason.shared()
    assert shared.each() == list(verdict.blocks.reason)
    assert len(shared.strings) < len(shared.which) / 2  # pages of one template
    kept = verdict.blocks.is_informative[verdict.node_block[text]]
    np.testing.assert_array_equal(kept, verdict.node_kept[text])


def test_a_site_is_judged_the_same_in_one_go_and_page_by_page(site: Site, courier: Path) -> None:
    model = Extractor().fit(site)
    whole = model.apply(site)
    for p in range(0, site.n_pages, 17):
        body = (courier / "html" / site.pages.path[p].removeprefix("html/")).read_bytes()
        one = build_site([Capture(site.pages.url[p], body, path=site.pages.path[p])])
        rows = site.page_rows(p)
        np.testing.assert_array_equal(model.apply(one).node_kept, whole.node_kept[rows])


def test_saved_and_loaded_gives_the_same_verdicts(site: Site, tmp_path: Path) -> None:
    model = Extractor().fit(site)
    model.save(tmp_path / "site.json")
    again = Extractor.load(tmp_path / "site.json")
    np.testing.assert_array_equal(model.apply(site).node_score, again.apply(site).node_score)


def test_model_files_that_cannot_be_used(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "site.json"
    Extractor().fit(site).save(path)
    document = json.loads(path.read_text("utf-8"))
    document["version"] = 99
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(ModelError, match="newer"):
        Extractor.load(path)
    with pytest.raises(ModelError):
        sitegrain.extract("<p>x", model=tmp_path / "absent.json")
    path.write_text("{}", "utf-8")
    with pytest.raises(ModelError):
        sitegrain.extract("<p>x", model=path)
    with pytest.raises(UsageError):
        sitegrain.extract("<p>x", model=path, methods=["everything"])


def test_drift_tells_a_redesign(site: Site, courier: Path) -> None:
    pages = list(range(site.n_pages))
    texts = [(courier / "html" / site.pages.path[p].removeprefix("html/")).read_bytes() for p in pages]
    captures = [Capture(site.pages.url[p], t) for p, t in zip(pages, texts, strict=True)]
    model = Extractor().fit(build_site(captures[::2]))
    assert not model.drift(build_site(captures[1::2])).is_changed
    redesigned = [
        Capture(c.url, c.body.replace(b"<div", b"<section").replace(b"</div", b"</section").replace(b"class=", b"id="))
        for c in captures[1::2]
    ]
    redesigned = [
        Capture(c.url, c.body.replace(b"<table", b"<div><table").replace(b"<main", b"<div><main")) for c in redesigned
    ]
    drift = model.drift(build_site(redesigned))
    assert drift.is_changed, str(drift)
    assert "fit the model again" in str(drift)


def test_drift_needs_a_site() -> None:
    with pytest.raises(ModelError):
        Extractor().drift(build_site([Capture("http://a.org/", b"<p>x")]))


def test_site_evidence_counts_pages() -> None:
    pages = [f"<div class='menu m{i}'>Home 3</div><p>Text number {i} is new</p>".encode() for i in range(10)]
    knowledge = learn(build_site([Capture(f"http://a.org/{i}", p) for i, p in enumerate(pages)]))
    assert knowledge.text_pages == {"Home 3": 10}
    assert knowledge.masked_pages == {"Home 0": 10, "Text number 0 is new": 10}
    assert set(knowledge.names) == {"menu"}
    again = Reader("m").read(SiteKnowledge, to_plain(knowledge))
    assert again.text_pages == knowledge.text_pages
    np.testing.assert_array_equal(again.paths.key, knowledge.paths.key)


def test_the_demo_site_is_mined_well(site: Site, courier: Path) -> None:
    """The articles of the demo site: its content is kept, its template is not."""
    labels = [json.loads(line) for line in (courier / "labels.jsonl").read_text("utf-8").splitlines()]
    result = sitegrain.mine(courier)
    roles = dict(zip(result.pages["path"].to_pylist(), result.pages["role"].to_pylist(), strict=True))
    found = sum(roles.get(row["path"]) == row["kind"] for row in labels)
    assert found >= 0.95 * len(labels)


def test_same_output_for_same_input(site: Site) -> None:
    a, b = Extractor().fit_apply(site), Extractor().fit_apply(site)
    np.testing.assert_array_equal(a.node_score, b.node_score)


@pytest.mark.parametrize(
    "html", ["", "   ", "<html></html>", "plain text", "<script>x</script>", "<img src=a><img src=b>"]
)
def test_pages_without_much(html: str) -> None:
    article = sitegrain.extract(html)
    assert isinstance(article.text, str)
    assert 0 <= article.confidence <= 1


def test_a_page_of_text_only_is_kept_whole() -> None:
    assert sitegrain.extract("<h1>Tea</h1><p>Boil <a href=w>water</a>.").text == "Tea\n\nBoil water."


def test_of_pages_of_text_only_what_most_of_a_site_says_is_its_template() -> None:
    menu, foot = "<div><a href=/>Home</a> <a href=/about>About</a></div>", "<div>Copyright Mill Press</div>"
    pages = [
        f"<title>Mill {k}</title><body>{menu}<h1>Mill {k}</h1>"
        + "".join(
            f"<p>Paragraph {i} tells of mill {k} on the river, and what its keeper said in year {k * 7 + i}.</p>"
            for i in range(6)
        )
        + foot
        for k in range(8)
    ]
    text = sitegrain.mine(captures_of(*pages)).articles[3].text
    assert "Home" not in text
    assert "Copyright" not in text
    assert text.startswith("Mill 3")
    assert text.endswith("in year 26.")
    assert sitegrain.extract(pages[3]).text.startswith("Home")


def test_shipped_trees_load_quickly() -> None:
    load_trees.cache_clear()
    start = time.process_time()
    load_trees()
    # The promise is 100 ms; 10 times that allows for a busy machine.
    assert time.process_time() - start < 1.0


PROSE = "The harbour was quiet on Monday, and the ferry left late because of the fog. Nobody minded very much. "
BLOG = (
    "<html><head><script>x</script><link rel=stylesheet href=a.css></head><body><nav><a href=/>Home</a><a href=/b>About</a></nav>"
    "<article><h1>Fog</h1>" + f"<p>{PROSE * 3}</p>" * 4 + "</article>"
    "<div class=comments><h3>2 Comments</h3><ol class=comment-list><li class=comment>I was there and it was lovely, thanks.</li>"
    "<li class=comment>So was I, what a day that was.</li></ol></div><footer>Copyright. All rights reserved.</footer></body></html>"
)


def test_comments_are_left_out_and_can_be_had() -> None:
    article = sitegrain.extract(BLOG)
    assert "harbour" in article.text
    assert "lovely" not in article.text
    assert "lovely" in article.comments
    assert "harbour" not in article.comments
    assert "lovely" in sitegrain.extract(BLOG, comments=True).text


def test_page_types() -> None:
    assert sitegrain.extract(BLOG, url="http://a.org/blog/2020/01/fog").page_type == "article"
    assert sitegrain.extract("").page_type == ""
    # Where programs let people answer one another the address says so, however much the page looks like an article.
    assert sitegrain.extract(BLOG, url="http://a.org/ticket/12").page_type == "forum"
    assert sitegrain.extract("", url="http://a.org/ticket/12").page_type == ""


def test_related_lists_and_author_boxes_are_left_out_and_can_be_had() -> None:
    html = BLOG.replace(
        "<div class=comments>",
        "<div class=author-bio><p>Mara Lind writes about harbours since 1990.</p></div>"
        "<div class=related-posts><h3>Related</h3><ul><li><a href=/c>More fog again</a><li><a href=/d>Old ferries</a></ul></div>"
        "<div class=comments>",
    )
    article = sitegrain.extract(html)
    assert "Mara Lind" in article.author_box
    assert "Old ferries" in article.related
    assert "lovely" in article.comments
    for text in (article.author_box, article.related, article.comments):
        assert "ferry left late" not in text
    assert "Old ferries" not in article.text


def test_a_model_file_is_read_again_only_when_it_changed(tmp_path: Path) -> None:
    path = tmp_path / "site.json"
    Extractor().fit(site_of("<p>One", "<p>One")).save(path)
    first = load_extractor(path)
    again = load_extractor(str(path))
    assert again.knowledge_ is first.knowledge_ is not None
    again.fit(site_of("<p>Two", "<p>Two"))  # what one caller does to it is not seen by the next
    assert load_extractor(path).knowledge_ is first.knowledge_
    Extractor().fit(site_of("<p>Two", "<p>Two", "<p>Two")).save(path)
    changed = load_extractor(path).knowledge_
    assert changed is not None
    assert changed.n_pages == 3
    path.unlink()
    with pytest.raises(ModelError, match="cannot read"):
        load_extractor(path)


@pytest.mark.parametrize(
    "part", ["lexicon", "first", "second", "site", "site_alone", "types", "type_words", "told_types", "about"]
)
def test_trees_of_an_older_version_are_told(part: str, tmp_path: Path) -> None:
    state = to_plain(load_trees())
    del state[part]
    save_model(tmp_path / "old.json", CONTENT_KIND, state)
    with pytest.raises(ModelError, match=f"old.json is damaged or of an older sitegrain: it has no '{part}'"):
        load_extractor(tmp_path / "old.json")


def test_of_many_pages_the_same_is_told_as_of_all_columns() -> None:
    page = "<title>Tea</title><nav><a href=/a>Home</a></nav><h1>Tea {}</h1><p>Tea number {} draws for three minutes, not more.</p>"
    site = site_of(*(page.format(k, k) for k in range(4)))
    method = Extractor().fit(site)
    verdict = method.apply(site)
    evidence = gather(rows_of(site, 0, 4))
    assert verdict.blocks.evidence["kind"].tolist() == block_kinds(evidence, verdict.blocks.is_informative).tolist()
    assert verdict.blocks.evidence["link_density"].tolist() == evidence.column("link_density").tolist()
    trees = load_trees()
    p = first_scores(trees, evidence, lexical_columns(evidence, trees.lexicon))
    assert trees.type_trees is not None
    told = AskedTypes(trees.type_trees, evidence, p).told
    assert list(verdict.page_type) == [PAGE_TYPES[k] for k in told.argmax(axis=0)]


def test_a_text_on_several_pages_of_a_large_site_is_not_called_a_pages_own() -> None:
    names = ["".join(chr(97 + int(d)) for d in str(k)) for k in range(100, 200)]  # digits would be masked
    pages = [f"<p>Page {name} says what no other page of the site says.</p>" for name in names]
    pages[:4] = [page + "<p>A notice that four pages have.</p>" for page in pages[:4]]
    site = site_of(*pages)
    verdict = Extractor().fit(site).apply(site)
    own, shared = verdict.blocks.reason[:2]
    assert "its own text, where " in own
    assert "on 4 pages, where " in shared


def test_comments_at_the_side_are_the_pages_only_if_no_others_are() -> None:
    text, below = (
        "<p>A text of some words that is kept as it is.</p>",
        "<div id=comments><p>I have seen that, too</p></div>",
    )
    side = "<aside id=widget-comments><p>Ann on another text entirely</p></aside>"

    def kinds(html: str) -> list[str]:
        evidence = gather(rows_of(site_of(html), 0, 1))
        found: list[str] = block_kinds(evidence, np.arange(len(evidence.blocks)) == 0).tolist()
        return found

    assert kinds(text + below + side) == ["content", "comments", "template"]
    assert kinds(text + side) == ["content", "comments"]


def test_kinds_are_told_by_elements_that_hold_nothing_kept() -> None:
    html = (
        "<body class='wp-embed-responsive comments-open'><p>A text of some words that is kept as it is.</p><div class=newsletter><p>Write to us every week</p></div>"
        "<div class=author-box><p>Ann writes about the bay</p></div><div class=related-posts><p>Another text about the bay</p></div>"
        "<div id=comments><h3>One response to the text</h3><p>I have seen that, too</p><div id=respond><p>Leave a reply to it</p></div></div>"
        "<div class=latest-comments><p>Ann on another text entirely</p></div>"
    )
    evidence = gather(rows_of(site_of(html), 0, 1))
    kept = np.arange(len(evidence.blocks)) == 0
    assert block_kinds(evidence, kept).tolist() == [
        "content",
        "template",
        "author",
        "related",
        "comments",
        "comments",
        "template",
        "related",
    ]
