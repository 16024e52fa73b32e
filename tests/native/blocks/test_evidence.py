"""Evidence, first scores around a block, the decision: the C bodies against the Python ones, and hostile input."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain import native
from sitegrain.demo import generate
from sitegrain.extractor.blocks import Rows, rows_of, text_blocks
from sitegrain.extractor.cues import class_words, cue_words
from sitegrain.extractor.evidence import _ROLE_MARKS, EVIDENCE_NAMES, TAG_KINDS, Evidence, _is_body_prop, gather
from sitegrain.extractor.model import decide, mean_score
from sitegrain.extractor.stages import stage_columns
from sitegrain.native.chars import char_table
from sitegrain.native.columns import ATTRIBUTES
from sitegrain.native.inputs import AttrColumns, PageHints, PageTables, Vocabulary
from sitegrain.result.mining import read_folder
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from tests.builders import site_of
from tests.extractor.pages import random_page
from tests.native.bodies import both, in_python, needs_core

WORDS = "Share, 3 Comments. Related|评论 分享。|the river ran, and the stone did not!|ΣΑΣ Ναι|😀 𠀀𠀁|İstanbul 12|\u00a0 x".split(
    "|"
)
NAMES = "post-comments|nav menu|x1|share|Content main|ad-top|é评论|sidebar widget".split("|")
ROLES = "navigation| MAIN |banner|nothing|dialog".split("|")
TAGS = (
    "div p table tr td ul li span section nav article h1 h2 b a font form pre blockquote aside custom-box label".split()
)


def hostile_page(rng: random.Random) -> str:
    """Tags, names, roles, breaks and scripts in any order; often not well formed."""
    out = [f"<title>{rng.choice(WORDS)}</title>"] if rng.random() < 0.7 else []
    if rng.random() < 0.5:
        out.append(f'<meta name=description content="{rng.choice(WORDS)} {rng.choice(WORDS)}">')
    for _ in range(rng.randrange(60)):
        kind = rng.random()
        if kind < 0.45:
            out.append(rng.choice(WORDS) * rng.choice((1, 1, 2, 9)))
        elif kind < 0.55:
            out.append(rng.choice(("<br>", "<br><br>", "<hr>", "<img src=a>", "<script>x</script>", "<input>")))
        elif kind < 0.7:
            out.append(f"</{rng.choice(TAGS)}>")
        else:
            name = rng.choice(("class", "id", "role", "itemprop", "hidden", "aria-hidden", "href"))
            values = {"role": ROLES, "itemprop": ["articleBody", "name"], "aria-hidden": ["true"]}.get(name, NAMES)
            out.append(f'<{rng.choice(TAGS)} {name}="{rng.choice(values)}" class="{rng.choice(NAMES)}">')
    return "".join(out)


def assert_same(rows: Rows, use_names: bool = True, use_hints: bool = True) -> Evidence:
    a, b = both(lambda: gather(rows, use_names, use_hints))
    for name in ("node_block", "box", "page", "first", "last", "text_start", "text_end"):
        np.testing.assert_array_equal(getattr(a.blocks, name), getattr(b.blocks, name), name)
    np.testing.assert_array_equal(a.words, b.words)
    np.testing.assert_array_equal(a.is_sentence, b.is_sentence)
    np.testing.assert_array_equal(a.geometry.chain, b.geometry.chain)
    for compiled, plain in zip(a.hashes, b.hashes, strict=True):
        assert compiled is not None
        assert plain is not None
        np.testing.assert_array_equal(compiled, plain)
    assert a.x.shape == b.x.shape
    for k, name in enumerate(a.names):
        np.testing.assert_allclose(a.x[:, k], b.x[:, k], rtol=1e-6, atol=0, err_msg=name)
    return a


def whole(site: Site) -> Rows:
    return rows_of(site, 0, site.n_pages)


@needs_core
@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4), st.booleans(), st.booleans())
def test_both_bodies_gather_the_same(seed: int, n_pages: int, use_names: bool, use_hints: bool) -> None:
    rng = random.Random(seed)
    pages = [rng.choice((hostile_page, random_page))(rng) if rng.random() < 0.9 else "" for _ in range(n_pages)]
    assert_same(whole(site_of(*pages)), use_names, use_hints)


@needs_core
def test_some_pages_of_the_demo(tmp_path: Path) -> None:
    generate(tmp_path)
    site = read_folder(tmp_path)
    assert len(assert_same(rows_of(site, 2, 9)).blocks) > 50
    for page in range(3):
        assert_same(rows_of(site, page, page + 1))


@needs_core
@pytest.mark.parametrize("html", ["", "x", "<p>", "<br>", "<title>t</title>", "\ud800", "<frameset><frame src=x>"])
def test_pages_with_next_to_nothing(html: str) -> None:
    assert_same(whole(build_site([Capture("http://a.org/", html.encode("utf-8", "surrogatepass"))])))


@needs_core
def test_no_page_at_all() -> None:
    evidence = assert_same(rows_of(build_site([]), 0, 0))
    assert evidence.x.shape == (0, len(EVIDENCE_NAMES))


@needs_core
@pytest.mark.parametrize(
    "html",
    [
        "<div class='a b'>x</div>" * 50_000,
        "<p>" + "<b class=q>x" * 50_000,
        "<ul>" + "".join(f"<li class=c{i} id=i{i}>x" for i in range(50_000)),
        "<p>" + "word, " * 300_000,
        "<h1 role=navigation itemprop=text hidden>" * 20_000 + "x",
    ],
    ids=["siblings", "deep", "names", "long", "marks"],
)
def test_hostile_pages_take_linear_time(html: str) -> None:
    rows = whole(site_of(html))
    start = time.process_time()
    evidence = gather(rows)
    assert time.process_time() - start < 2.0  # some 0.1 s; quadratic time would be minutes
    assert len(evidence.blocks) == len(text_blocks(rows))


@needs_core
@pytest.mark.parametrize("column", ["parent", "end", "page", "text_end", "tag", "text_start"])
def test_tables_that_do_not_fit_are_refused(column: str) -> None:
    rows = whole(site_of("<p>One <b>two</b>", "<p>Three"))
    for wrong in (-7, 10**4):
        values = np.array(getattr(rows, column))
        values[-1] = wrong
        with pytest.raises(ValueError, match=r"parent|subtree|pages|text|tag"):
            gather(Rows(**{**vars(rows), column: values}))
    with pytest.raises(ValueError, match="length"):
        gather(Rows(**{**vars(rows), column: getattr(rows, column)[:-1]}))


@needs_core
@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_first_scores_and_decision(seed: int, has_paths: bool) -> None:
    rng = random.Random(seed)
    site = site_of(*(hostile_page(rng) for _ in range(3)))
    evidence = gather(whole(site))
    n = len(evidence.blocks)
    numbers = np.random.default_rng(seed)
    p: npt.NDArray[np.float64] = np.round(numbers.random(n), 2)  # ties
    path = numbers.random(n) if has_paths else None
    where = evidence.geometry
    np.testing.assert_array_equal(*both(lambda: stage_columns(where, evidence.words, p, path, path)))
    for scale in (1.0, 0.1):
        np.testing.assert_array_equal(*both(partial(decide, p * scale, evidence.words, where.page, 3)))


@needs_core
@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 30), st.integers(1, 4))
def test_mean_of_scores(seed: int, n: int, n_parts: int) -> None:
    rng = np.random.default_rng(seed)
    parts = [rng.choice([0.0, 1.0, 1e-9, 0.5, *rng.random(5)], n) for _ in range(n_parts)]
    # Another library's logarithm may have another last bit.
    np.testing.assert_allclose(*both(lambda: mean_score(*parts)), rtol=1e-14, atol=0)


@pytest.mark.parametrize("in_body", [pytest.param(nullcontext, id="chosen"), pytest.param(in_python, id="python")])
def test_columns_of_blocks_that_do_not_fit_are_refused(in_body: Callable[[], AbstractContextManager[None]]) -> None:
    evidence = gather(whole(site_of("<p>One<p>Two<p>Three")))
    where, words = evidence.geometry, evidence.words
    with in_body():
        for wrong, p in ((where._replace(chain=where.chain + 1000), words), (where, words[:-1])):
            with pytest.raises(ValueError, match="fit"):
                native.stage(wrong, words, p, None, None)
        with pytest.raises(ValueError, match="each block"):
            native.decide(words, words, where.page + 5, 1, 0.2)
        with pytest.raises(ValueError, match="fit"):
            native.mean_score([words, words[:-1]])


@needs_core
def test_blocks_of_other_rows_are_refused() -> None:
    rows = whole(site_of("<p>One <b>two</b><p>Three", "<p>Four"))
    blocks = text_blocks(rows).columns
    hints = PageHints(None, None, (frozenset(),) * 2, ("",) * 4, np.zeros(0, np.int32), np.zeros(0, np.int32))
    words = Vocabulary(char_table(), TAG_KINDS, class_words(), cue_words())
    native.evidence(PageTables(rows.columns, rows.attrs, blocks, rows.text, rows.site.strings, 2), words, hints)
    for name in blocks._fields:
        for wrong in (-7, 10**4, 2):
            column = getattr(blocks, name).copy()
            column[-1] = wrong
            bad = blocks._replace(**{name: column})
            if name == "box" and wrong == 2:
                continue  # any row may be a box
            with pytest.raises(ValueError, match="blocks do not fit"):
                native.evidence(
                    PageTables(rows.columns, rows.attrs, bad, rows.text, rows.site.strings, 2), words, hints
                )
    marked = hints._replace(mark_row=np.array([10**4], np.int32), mark_column=np.array([0], np.int32))
    with pytest.raises(ValueError, match="marks"):
        native.evidence(PageTables(rows.columns, rows.attrs, blocks, rows.text, rows.site.strings, 2), words, marked)


SAID = ("main", " MAIN\n", "banner", "\x1fmenu ", "m" * 40, "", "\u212aey", "text", "some-Text here", "textual", "x_text", "articleBody", "reviewbody2", "t\u00e9xt", "\u00e9 text", "de\u017fcription")  # fmt: skip


@needs_core
@given(st.lists(st.tuples(st.sampled_from(("role", "itemprop", "id")), st.sampled_from(SAID)), max_size=12))
def test_both_bodies_mark_the_same_rows(said: list[tuple[str, str]]) -> None:
    strings = tuple(value for _, value in said)
    columns = (np.arange(len(said)) * 2, [ATTRIBUTES.index(name) for name, _ in said], np.arange(len(said)))
    attrs = AttrColumns(*(np.array(c, t) for c, t in zip(columns, (np.int32, np.int16, np.int32), strict=True)))
    in_c, in_python = both(
        lambda: [c.tolist() for c in native.marked_rows(attrs, strings, _ROLE_MARKS, 9, _is_body_prop)]
    )
    assert in_c == in_python


def test_marks_of_strings_that_are_not_there_are_refused() -> None:
    attrs = AttrColumns(*(np.array([c], t) for c, t in ((0, np.int32), (ATTRIBUTES.index("role"), np.int16), (3, np.int32))))  # fmt: skip
    with pytest.raises((ValueError, IndexError)):
        native.marked_rows(attrs, ("main",), _ROLE_MARKS, 9, _is_body_prop)
