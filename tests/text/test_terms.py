"""Terms of small sites, of many scripts and languages."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegrain.tables.site import Site
from sitegrain.text import terms as module
from sitegrain.text.language import primary_language, site_language
from sitegrain.text.terms import site_terms, terms_of_words
from sitegrain.text.words import _SNOWBALL, _python_stemmer, cut_words, number_words, stemmer, stop_words
from tests.builders import site_of
from tests.native.bodies import both, needs_core
from tests.oracles.terms import subtree_terms, text_terms


def table_site(*pages: list[str], language: str = "") -> Site:
    """A site whose pages hold these texts, a paragraph each."""
    htmls = [f"<html lang='{language}'><body>" + "".join(f"<p>{part}</p>" for part in parts) for parts in pages]
    return site_of(*htmls)


def test_occurrences_follow_the_tables() -> None:
    site = table_site(["The cats", "and cat 42", "dogs"], [], ["Cats"], language="en")
    terms = site_terms(site, language="en")
    words = [terms.vocabulary[i] for i in terms.ids]
    assert words == ["cat", "cat", "dog", "cat"]
    per_row = np.diff(terms.node_offset)
    assert per_row[site.text_rows].tolist() == [1, 1, 1, 1]
    assert per_row.sum() == 4
    assert subtree_terms(terms, site, 0).tolist() == [0, 0, 1]
    assert subtree_terms(terms, site, int(site.rows("p")[1])).tolist() == [0]
    assert terms.page_term.toarray().tolist() == [[2, 1], [0, 0], [1, 0]]
    assert "42" in site_terms(site, numbers=True, language="en").vocabulary


def test_a_site_without_text_or_pages() -> None:
    for site in (table_site(), table_site([]), table_site(["…", "—"])):
        terms = site_terms(site)
        assert terms.n_terms == 0
        assert len(terms.ids) == 0
        assert terms.node_offset.tolist() == [0] * (site.n_nodes + 1)
        assert terms.language == ""
        assert terms.page_term.shape == (site.n_pages, 0)


@pytest.mark.parametrize(
    ("text", "language", "want"),
    [
        ("東京タワー is high", "ja", ["東京", "京タ", "タワ", "ワー", "is", "high"]),
        ("ภาษาไทย", "th", ["ภา", "าษ", "ษา", "าไ", "ไท", "ทย"]),
        ("हिन्दी में लिखें", "hi", ["हिन्द", "लिख"]),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", "", ["full", "width"]),
        ("snake_case don't", "en", ["snake", "case"]),
        ("한국어 문서", "ko", ["한국어", "문서"]),
        ("x86 2004 4th", "", ["x86", "4th"]),
    ],
)
def test_words_of_many_scripts(text: str, language: str, want: list[str]) -> None:
    assert text_terms(text, language) == want


def test_long_runs_are_kept_whole_and_fast() -> None:
    assert text_terms("x" * 100_000, "en") == ["x" * 100_000]
    assert len(text_terms("中" * 50_000, "zh")) == 49_999


def test_language_is_voted_over_a_lying_template() -> None:
    german = "Der schnelle braune Fuchs springt über den Hund, und niemand weiß, warum er das immer wieder tut."
    assert site_language(table_site([german], [german], language="en-US")) == "de"
    assert site_language(table_site(["12"], language="pt-br")) == "pt"
    assert primary_language("") == primary_language("english") == ""


def test_python_and_c_stemmers_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("Stemmer")
    sample = {"en": "running flies argument organization", "de": "häuser bücher", "et": "raamatute"}
    quick = {code: stemmer(code) for code in _SNOWBALL}
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    for name in [n for n in sys.modules if n.startswith("snowballstemmer")]:
        monkeypatch.delitem(sys.modules, name)
    for code, name in _SNOWBALL.items():
        words = [*sample.get(code, "").split(), *sorted(stop_words(code))[:60], "international", "2004x", ""]
        slow = _python_stemmer(name)
        assert [quick[code](w) for w in words] == [slow(w) for w in words], code
    assert stemmer("en")("running") == "run"


# Letters, marks, joiners, scripts without spaces (with their own marks), signs, NUL and half a surrogate pair.
AWKWARD = st.text(
    st.sampled_from("aZé5_ß\u0130\u0301\u093f\u094dह中文ーภา\u0e31\u0e34\u200d\u200c .,\0\n\ud800\U00020000"),
    max_size=12,
)


@needs_core
@settings(deadline=None)
@given(st.lists(AWKWARD | st.text(max_size=8), max_size=6))
def test_words_cut_at_once_are_those_cut_one_by_one(texts: list[str]) -> None:
    compiled, python = both(lambda: number_words(texts))
    assert [[compiled.words[k] for k in part] for part in np.split(compiled.which, compiled.end)[:-1]] == [
        list(cut_words(text)) for text in texts
    ]
    assert compiled.words == python.words
    assert np.array_equal(compiled.which, python.which)
    assert np.array_equal(compiled.end, python.end)


def test_terms_of_nodes_are_those_of_their_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = ["The cats sat", "中文網頁", "", "on 7 cats", "中", "…", "mats"]
    site = table_site(parts, parts[::-1])
    monkeypatch.setattr(module, "KEPT_WORDS", 2)
    terms = site_terms(site, language="en")
    for row in site.text_rows.tolist():
        found = [terms.vocabulary[i] for i in terms.ids[terms.node_offset[row] : terms.node_offset[row + 1]]]
        assert found == text_terms(site.node_text(row), "en")


def test_threads_do_not_share_a_stemmer() -> None:
    """A stemmer holds the word that it works on: two threads with one raised an error, or got parts of each other's words."""
    with ThreadPoolExecutor(1) as pool:
        there = pool.submit(terms_of_words, "en", False).result()
    assert there is not terms_of_words("en", False)
    assert terms_of_words("en", False) is terms_of_words("en", False)
