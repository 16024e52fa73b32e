"""The terms of a site: words that mean something, one vocabulary for all pages.

A term is a lower-case word without stop words, stemmed where the language has a Snowball stemmer. Scripts
written without spaces give character bigrams, which need no dictionary; `segmenter="rjieba"` (extra `cjk`)
cuts Chinese into words instead. Every different text is cut once and every different word looked up once: a
menu that stands on a thousand pages costs as much as on one.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

import numpy as np
from scipy import sparse

from sitegrain.arrays.ragged import offsets, take_segments
from sitegrain.arrays.types import Bits, Bools, CodePoints, Ints32, Ints64
from sitegrain.errors import MissingExtraError
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site

Segmenter = Literal["bigrams", "rjieba"]

NO_SPACES = (
    "\u0e01-\u0e3a\u0e40-\u0e4e"  # Thai
    "\u0e81-\u0ece\u0edc-\u0edf"  # Lao
    "\u1000-\u103f\u1050-\u108f"  # Burmese
    "\u1780-\u17d3"  # Khmer
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # Kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U0001b000-\U0001b16f\U00020000-\U000323af"
)
"""Character class of scripts that put no space between words."""

_SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
_SAME_LANGUAGE = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "ji": "yi"}

LONGEST_WORD = 40
"""Longer runs of letters are no words (encoded data): they are kept whole and not stemmed."""
TEXT_END = "\0"
"""Stands after the words of a text; it is no letter, so it is never a word."""
BATCH = 1_000_000
"""Characters that are cut at once: some tens of MB of arrays."""
SAMPLED_PAGES = 12
"""Pages asked for their language, chosen for speed. On the thirty labelled sites the vote is right on 29;
one Chinese blog is taken for English."""
SAMPLED_TEXT = 1500
"""Characters per page given to the language classifier, chosen for speed."""


@dataclass(frozen=True, eq=False)
class Terms:
    """The terms of a site.

    `ids` are the term occurrences in document order; those of the subtree of row i are
    `ids[node_offset[i]:node_offset[end[i]]]`, since elements add none themselves.
    """

    vocabulary: tuple[str, ...]
    node_offset: Ints64
    """n_nodes + 1 entries: first occurrence of each row."""
    ids: Ints32
    page_term: sparse.csr_array
    """n_pages x n_terms: how often each term occurs on each page (float64)."""
    language: str
    """Two-letter code that stop words and stems were chosen by; empty when unknown."""

    @property
    def n_terms(self) -> int:
        return len(self.vocabulary)

    def node_ids(self, site: Site, node: int) -> Ints32:
        """Term occurrences in the subtree of a row."""
        return self.ids[self.node_offset[node] : self.node_offset[site.nodes.end[node]]]

    def __repr__(self) -> str:
        size = f"{self.n_terms:,} terms, {len(self.ids):,} occurrences"
        return f"Terms({size}, language {self.language or 'unknown'})"


def site_terms(
    site: Site, numbers: bool = False, language: str | None = None, segmenter: Segmenter = "bigrams"
) -> Terms:
    """Cut the text of a site into terms.

    Parameters: `numbers` keeps terms that are only digits (they hurt on news and help on lists of courses);
    `language` is a two-letter code, voted by `site_language` when not given.

    >>> from sitegrain.tables.build import build_site
    >>> from sitegrain.tables.capture import Capture
    >>> site = build_site([Capture("http://a.org/", b"<p>The running dogs <b>ran</b> to 3 dogs")])
    >>> terms = site_terms(site, language="en")
    >>> [terms.vocabulary[i] for i in terms.ids]
    ['run', 'dog', 'ran', 'dog']
    """
    return _terms(site, numbers, site_language(site) if language is None else primary_language(language), segmenter)


@per_site
def _terms(site: Site, numbers: bool, language: str, segmenter: Segmenter) -> Terms:
    stops = stop_words(language)
    stem = stemmer(language)
    vocabulary: dict[str, int] = {}

    def term_id(word: str) -> int:
        if word in stops or (not numbers and word.isnumeric()):
            return -1
        term = stem(word) if len(word) <= LONGEST_WORD else word
        return vocabulary.setdefault(term, len(vocabulary)) if term else -1

    known = _Known(term_id)
    known[TEXT_END] = -2
    cut = word_cutter(language, segmenter) if segmenter != "bigrams" else None
    parts = [np.fromiter(map(known.__getitem__, words), np.int32, len(words)) for words in _batches(site, cut)]
    flat = np.concatenate((*parts, np.zeros(0, np.int32)))
    size = np.diff(np.cumsum(flat >= 0)[flat == -2], prepend=0)
    flat = flat[flat >= 0]

    rows = site.text_rows
    text_id = site.text_id[rows]
    per_node = np.zeros(site.n_nodes, np.int64)
    if len(rows):
        per_node[rows] = size[text_id]
    ids = take_segments(flat, offsets(size), text_id)
    page = np.repeat(site.nodes.page, per_node)
    shape = (site.n_pages, len(vocabulary))
    page_term = sparse.csr_array(sparse.coo_array((np.ones(len(ids)), (page, ids)), shape=shape))
    page_term.sum_duplicates()
    return Terms(tuple(vocabulary), offsets(per_node), ids, page_term, language)


class _Known(dict[str, int]):
    """Word as written (lower case) -> term id, -1 for what is no term; each is worked out once."""

    def __init__(self, term_id: Callable[[str], int]) -> None:
        super().__init__()
        self._term_id = term_id

    def __missing__(self, word: str) -> int:
        number = self[word] = self._term_id(word)
        return number


def _batches(site: Site, cut: Callable[[str], Iterator[str]] | None) -> Iterator[list[str]]:
    """The words of the texts of a site, `TEXT_END` after each text."""
    batch: list[str] = []
    size = 0
    for number, text in enumerate(site.unique_texts, 1):
        batch.append(text)
        size += len(text)
        if size >= BATCH or number == len(site.unique_texts):
            yield split_words(batch) if cut is None else [w for t in batch for w in (*cut(t), TEXT_END)]
            batch, size = [], 0


def text_terms(text: str, language: str = "", numbers: bool = False, segmenter: Segmenter = "bigrams") -> list[str]:
    """The terms of one text, in order.

    >>> text_terms("L'hiver, les chevaux courent", "fr")
    ['hiv', 'cheval', 'courent']
    >>> text_terms("中文網頁 and English", "zh")
    ['中文', '文網', '網頁', 'and', 'english']
    """
    code = primary_language(language)
    stops, stem = stop_words(code), stemmer(code)
    found = (w for w in word_cutter(code, segmenter)(text) if w not in stops and (numbers or not w.isnumeric()))
    return [t for w in found if (t := stem(w) if len(w) <= LONGEST_WORD else w)]


@cache
def _marks() -> str:
    """Character class of the combining marks (Hindi vowels, Arabic points), which `\\w` leaves out, and joiners."""
    marks: list[str] = []
    start = previous = -2
    for code in (c for c in range(0x300, 0x10000) if unicodedata.category(chr(c)) in ("Mn", "Mc")):
        if code != previous + 1:
            if start >= 0:
                marks.append(f"{re.escape(chr(start))}-{re.escape(chr(previous))}")
            start = code
        previous = code
    marks.append(f"{re.escape(chr(start))}-{re.escape(chr(previous))}")
    return "".join(marks) + "\u200c\u200d"


_LETTER_CLASS = f"[^\\W_{NO_SPACES}]"


@cache
def _pattern() -> re.Pattern[str]:
    """Group 1: a run of a script without spaces. Group 2: a word, with the marks that belong to its letters."""
    return re.compile(f"([{NO_SPACES}]+)|({_LETTER_CLASS}+(?:[{_marks()}]+{_LETTER_CLASS}*)*)")


def fold(text: str) -> str:
    """Compatible characters made equal (NFKC), lower case."""
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).lower()


def word_cutter(language: str = "", segmenter: Segmenter = "bigrams") -> Callable[[str], Iterator[str]]:
    """A function from a text to its words, lower case; nothing is dropped or stemmed."""
    cut = _rjieba_cut() if segmenter == "rjieba" and language in ("zh", "") else None
    find = _pattern().finditer

    def words(text: str) -> Iterator[str]:
        for match in find(fold(text)):
            run = match[1]
            if run is None:
                yield match[2]
            elif cut is not None:
                yield from cut(run)
            elif len(run) == 1:
                yield run
            else:
                for i in range(len(run) - 1):
                    yield run[i : i + 2]

    return words


_LETTER, _MARK, _RUN = 1, 2, 4


@cache
def _kinds() -> Bits:
    """Per code point: is it a letter or digit, a mark of one, a sign of a script without spaces?"""
    every = np.arange(sys.maxunicode + 1, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    out = np.zeros(len(every), np.uint8)
    for kind, characters in ((_LETTER, _LETTER_CLASS), (_MARK, f"[{_marks()}]"), (_RUN, f"[{NO_SPACES}]")):
        for match in re.finditer(f"{characters}+", every):
            out[match.start() : match.end()] |= kind
    return out


def split_words(texts: Sequence[str]) -> list[str]:
    """The words of many texts as `word_cutter` gives them, in one list, with `TEXT_END` after each text.

    Without a search per word: in an array of code points all that is no word becomes a space, and the whole
    is split.

    >>> split_words(["Tea, at 5", "中文網 b"])
    ['tea', 'at', '5', '\\x00', '中文', '文網', 'b', '\\x00']
    """
    joined = "".join(f"{fold(text).replace(TEXT_END, ' ')} {TEXT_END} " for text in texts)
    code = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), "<u4")
    kind = _kinds()[code]
    in_word = kind == _LETTER
    is_mark = (kind & _MARK) > 0
    if is_mark.any():
        # A mark goes on with the word before it; after anything else it is none.
        before = np.maximum.accumulate(np.where(is_mark, 0, np.arange(len(code))))
        in_word |= is_mark & in_word[before]
    in_run = ((kind & _RUN) > 0) & ~in_word
    spaced = np.where(in_word | (code == 0), code, np.uint32(ord(" ")))
    if in_run.any():
        spaced = _spell_bigrams(spaced, code, in_run)
    return spaced.tobytes().decode("utf-32-le", "surrogatepass").split()


def _spell_bigrams(spaced: CodePoints, code: CodePoints, in_run: Bools) -> CodePoints:
    """`spaced` with " ab bc" in place of each run abc; a run of one sign is a word."""
    follows = np.append(in_run[1:], False) & in_run
    alone = in_run & ~follows & ~np.insert(in_run[:-1], 0, False)
    width = np.where(follows, 3, np.where(alone, 3, 1))
    at = np.cumsum(width) - width
    out = np.full(int(width.sum()), ord(" "), np.uint32)
    out[at[~in_run]] = spaced[~in_run]
    signs = np.flatnonzero(follows | alone)
    out[at[signs] + 1] = code[signs]
    pairs = np.flatnonzero(follows)
    out[at[pairs] + 2] = code[pairs + 1]
    return out


def _rjieba_cut() -> Callable[[str], list[str]]:
    try:
        import rjieba
    except ImportError as error:
        raise MissingExtraError("rjieba", "cjk") from error
    cut: Callable[[str], list[str]] = rjieba.cut
    return cut


@cache
def _stop_lists() -> dict[str, str]:
    text = resources.files("sitegrain.text").joinpath("data/stopwords.json").read_text("utf-8")
    lists: dict[str, str] = json.loads(text)
    return lists


@cache
def stop_words(language: str) -> frozenset[str]:
    """Function words of a language; none for a language that we have no list of.

    >>> "the" in stop_words("en"), len(stop_words("xx"))
    (True, 0)
    """
    return frozenset(_stop_lists().get(language, "").split())


def stemmer(language: str) -> Callable[[str], str]:
    """The Snowball stemmer of a language, or one that changes nothing.

    PyStemmer (C) when it is installed, snowballstemmer (Python) otherwise: both are generated from the same
    algorithms and give the same stems.
    """
    name = _SNOWBALL.get(language)
    if name is None:
        return lambda word: word
    try:
        import Stemmer

        # The cache of PyStemmer is off: `site_terms` looks every word up once.
        compiled: Callable[[str], str] = Stemmer.Stemmer(name, 0).stemWord
        return compiled
    except (ImportError, KeyError):
        return _python_stemmer(name)


def _python_stemmer(name: str) -> Callable[[str], str]:
    import snowballstemmer

    try:
        plain: Callable[[str], str] = snowballstemmer.stemmer(name).stemWord
    except KeyError:  # an older release without this language
        return lambda word: word
    return plain


def primary_language(tag: str) -> str:
    """The first part of a language tag, with old and split codes made one.

    >>> primary_language("nb-NO"), primary_language("zh_Hant"), primary_language("x-default")
    ('no', 'zh', '')
    """
    code = re.split(r"[-_,; ]", tag.strip().lower(), maxsplit=1)[0]
    code = _SAME_LANGUAGE.get(code, code)
    return code if len(code) == 2 and code.isascii() and code.isalpha() else ""


@cache
def _classifier() -> Any:
    import py3langid

    return py3langid.classify


def text_language(text: str) -> str:
    """Language of a text by py3langid; empty when there are fewer than 20 letters to judge by."""
    if sum(map(str.isalpha, text[:SAMPLED_TEXT])) < 20:
        return ""
    # The bundled model is loaded once per process, which takes most of a second.
    return primary_language(str(_classifier()(text[:SAMPLED_TEXT])[0]))


def _longest_texts(site: Site, page: int) -> str:
    """The longest text nodes of a page: sentences tell a language, menus do not."""
    rows = site.page_rows(page)
    own = np.flatnonzero(site.is_text[rows]) + rows.start
    size = (site.nodes.text_end - site.nodes.text_start)[own]
    text = site.texts[page]
    parts: list[str] = []
    got = 0
    for node in own[np.argsort(-size, kind="stable")][:40].tolist():
        part = " ".join(text[site.nodes.text_start[node] : site.nodes.text_end[node]].split())
        parts.append(part)
        got += len(part)
        if got >= SAMPLED_TEXT:
            break
    return "\n".join(parts)


@per_site
def site_language(site: Site) -> str:
    """The language of most pages, as a two-letter code; empty when nothing tells.

    A vote of pages taken evenly over the site: what the text looks like counts double what `<html lang>`
    says, because templates often leave `lang="en"` on pages of another language.
    """
    votes: Counter[str] = Counter()
    n = site.n_pages
    for page in sorted({int(p) for p in np.linspace(0, n - 1, min(n, SAMPLED_PAGES))}) if n else []:
        if found := text_language(_longest_texts(site, page)):
            votes[found] += 2
        if declared := primary_language(site.pages.language[page]):
            votes[declared] += 1
    # On equal votes the alphabet decides, so that the answer never depends on the order of pages.
    return min(votes, key=lambda code: (-votes[code], code)) if votes else ""
