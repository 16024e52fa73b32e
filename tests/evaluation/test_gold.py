from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from sitegrain.errors import UsageError
from sitegrain.evaluation.data import Label, open_site
from sitegrain.evaluation.disguise import blank_role_hints, scramble_names
from sitegrain.evaluation.gold import gold_nodes, gold_page
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from tests.builders import site_of
from tests.evaluation.builders import small_site, write_site


def text(html: str | bytes, selector: str, drop: str = "") -> str:
    body = html if isinstance(html, bytes) else html.encode()
    return gold_page(Capture("http://t.example/", body), Label("a", "article", selector, drop)).text


def test_union_in_document_order_each_text_once() -> None:
    html = "<div class=b>2<p class=a>3<b class=a>4</b></p></div><p class=a>5</p>"
    assert text(html, ".a, .b") == "2\n34\n5"
    assert text("<p class=x>1<p class=y>2<p class=x>3", ".y, .x") == "1\n2\n3"


def test_drop_wins_over_what_is_matched_inside_it() -> None:
    html = "<div class=a>1<div class=d>2<p class=a>3</p></div>4</div>"
    assert text(html, ".a", ".d") == "1\n4"
    site = open_label_site(html, ".a", ".d")
    assert site == ["1", "4"]


def open_label_site(html: str, selector: str, drop: str) -> list[str]:
    """Text of the rows that are gold."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        row = {"path": "a.html", "kind": "article", "content_selector": selector, "drop_selector": drop}
        labelled = open_site(write_site(Path(folder), {"a.html": html}, [row]))
        site = build_site(labelled.captures())
        return [site.node_text(int(i)) for i in np.flatnonzero(gold_nodes(site, labelled).node_gold)]


def test_words_are_not_torn_and_blocks_are_not_joined() -> None:
    html = "<div>He<b>ll</b>o<br>you <i>and</i>\n me<ul><li>x<li>y</ul><script>no()</script>z<style>q</style></div>"
    assert text(html, "div") == "Hello\nyou and me\nx\ny\nz"


def test_deep_pages_do_not_recurse() -> None:
    assert text("<div class=a>" + "<b>" * 5000 + "deep", ".a") == "deep"


def test_line_numbers_of_code_are_no_gold() -> None:
    code = "<table><tr><td class=gutter><pre>1<br>2</pre></td><td><pre>boil()<br>pour(2)</pre></td></tr></table>"
    page = Capture("http://a.org/", f"<div class=b>{code}<p class=gutter>See line 2.</div>".encode())
    assert gold_page(page, Label("a", "article", content_selector=".b")).text == "boil()\npour(2)\nSee line 2."


def test_the_character_set_of_the_page_is_read() -> None:
    assert text("<meta charset=gbk><p>中文".encode("gbk"), "p") == "中文"


@pytest.mark.parametrize(
    ("selector", "problem"), [("", "no_selector"), ("p:::", "bad_selector"), (".none", "no_match"), ("p", "")]
)
def test_problems_are_named(selector: str, problem: str) -> None:
    page = gold_page(Capture("http://t.example/", b"<p>x"), Label("a", "article", selector))
    assert page.problem == problem
    assert gold_page(Capture("http://t.example/", b"<p>x"), Label("a", "article", "p", "!!")).problem == "bad_selector"


def test_gold_rows_are_the_gold_text(tmp_path: Path) -> None:
    labelled = open_site(small_site(tmp_path / "s"))
    site = build_site(labelled.captures())
    gold = gold_nodes(site, labelled)
    assert gold.counts == {}
    assert len(gold.pages("article")) == 12
    for p in range(site.n_pages):
        rows = np.flatnonzero(gold.node_gold & (site.nodes.page == p))
        words = " ".join(site.node_text(int(i)) for i in rows).split()
        assert words == gold.texts.get(site.pages.path[p], "").split()
    assert not gold.node_gold[~site.is_text].any()
    only = gold.pages("article", sampled={"posts/1.html"})
    assert [site.pages.path[p] for p in only] == ["posts/1.html"]


def test_pages_are_matched_by_path_in_any_order_and_number(tmp_path: Path) -> None:
    labelled = open_site(small_site(tmp_path / "s"))
    site = build_site(reversed([c for c in labelled.captures() if "1" in c.path]))
    assert len(gold_nodes(site, labelled).pages("article")) == 3
    with pytest.raises(UsageError, match="no paths"):
        gold_nodes(build_site([Capture("http://t.example/", b"x")]), labelled)


def test_scrambled_names_keep_the_gold(tmp_path: Path) -> None:
    labelled = open_site(small_site(tmp_path / "s"))
    plain = build_site(labelled.captures())
    other = build_site(scramble_names(c, "key") for c in labelled.captures())
    assert np.array_equal(gold_nodes(plain, labelled).node_gold, gold_nodes(other, labelled).node_gold)
    assert plain.texts == other.texts
    assert "post" not in " ".join(other.strings[i] for i in np.unique(other.attr("class")) if i >= 0)


def test_another_tree_is_counted(tmp_path: Path) -> None:
    labelled = open_site(write_site(tmp_path, {"0.html": "<div><p>x"}, [LABEL]))
    assert gold_nodes(site_of("<div><b>x"), labelled).counts == {"other_tree": 1}
    assert gold_nodes(site_of("<div><p>x", "<p>y"), labelled).counts == {"unlabelled_page": 1}


LABEL = {"path": "0.html", "kind": "article", "content_selector": "div"}


# Disguises


def capture(html: str) -> Capture:
    return Capture("http://t.example/", html.encode())


@pytest.mark.parametrize(
    ("html", "blanked"),
    [
        ("<BODY CLASS='a b' id=x>", "<BODY CLASS='' id=x>"),
        ("<body id=x class=a>", "<body id=x class=''>"),
        ("<body data-a='<b class=x>' class=\"a>b\"><p class=c>", "<body data-a='<b class=x>' class=''><p class=c>"),
        ('<meta property="og:type" content="article">', "<meta property=\"og:type\" content=''>"),
        ("<meta content=website name=OG:TYPE />", "<meta content='' name=OG:TYPE />"),
        ('<meta property="og:title" content="t">', '<meta property="og:title" content="t">'),
        ("<!-- <body class=a> --><script>'<body class=a>'</script>", None),
        ("<body class", None),
        ("<body", None),
        ("<!-- <body class=a>", None),
        ("<p>a < b", None),
    ],
)
def test_role_hints_are_blanked(html: str, blanked: str | None) -> None:
    assert blank_role_hints(capture(html)).body.decode() == (html if blanked is None else blanked)


def test_scrambling_is_consistent_within_a_key_only() -> None:
    a = scramble_names(capture("<p class='x y' id=x><b class=x>"), "one").body
    x, y, ident, again = re.findall(rb"n[a-z2-7]{7}", a)
    assert x == ident == again != y
    assert a != scramble_names(capture("<p class='x y' id=x><b class=x>"), "two").body
    untouched = b"<p title='class=a' data-class=b>class=\"c\"</p><style>.x{}</style>"
    assert scramble_names(Capture("http://t.example/", untouched), "one").body == untouched


def test_hostile_pages_are_read_in_linear_time() -> None:
    for part in ('<a b="', "<a b='", "<!--", "<script>", "<", "<a " + "x" * 10, "<body class="):
        scramble_names(capture(part * 20_000), "k")
        blank_role_hints(capture(part * 20_000))


def test_what_stands_in_no_line_does_not_move_the_gold() -> None:
    unseen = "<p>\u200b</p><p>\u200d</p><p>a\xadb</p><svg><title>Logo</title></svg><ruby>漢<rt>kan</rt></ruby>"
    assert open_label_site(f"{unseen}<div class=a>1<p>\xad</p><p>2</p></div>{unseen}", ".a", "") == ["1", "", "2"]
