"""What a word is, once: folding, cutting, stems and stop words, and every way to cut words beside the others.

| cut by | a word is | used by |
|---|---|---|
| `cut_words`, `number_words` | letters and digits with their marks, folded; pairs of signs without spaces | terms, index |
| `running_words` | letters, digits and `_`, lower case; a sign without spaces alone | windows over running text |
| `title_words` | letters, digits and `_`, NFKC and case folded; no cut within a script | titles and names compared |
| `SITE_WORD` | letters alone; a sign without spaces alone: `native/c/sites/site.c` cuts the same | pages per word of a site |
| `chars.CharCounts` | counted and not cut: runs of letters, marks and digits; two wide signs | sizes of texts |
| `evaluation.metrics` | as each benchmark defines it | scores |
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from sitegrain import native
from sitegrain.arrays.types import Bits
from sitegrain.native import NumberedWords
from sitegrain.native.chars import is_mark
from sitegrain.native.scripts import TERM_SIGNS, WINDOW_SIGNS, char_class
from sitegrain.native.sitekeys import SITE_WORD as SITE_WORD

_SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
LONGEST_WORD = 40
"""Longer runs of letters are no words (encoded data): they are kept whole and not stemmed."""

_SIGNS = char_class(TERM_SIGNS)
_WINDOW_SIGNS = char_class(WINDOW_SIGNS)
_TITLE_WORD = re.compile(r"\w+")


def running_words(text: str) -> list[str]:
    """The words of a text as it stands, lower case.

    >>> running_words("Read More, 12 times: 東京 now")
    ['read', 'more', '12', 'times', '東', '京', 'now']
    """
    return _running_word().findall(text.lower())


@cache
def _running_word() -> re.Pattern[str]:
    # When it is asked for: a class of so many signs takes 3 ms to compile, and mining asks for none.
    return re.compile(rf"[{_WINDOW_SIGNS}]|[^\W{_WINDOW_SIGNS}]+")


SHORT_TITLE = 300
"""Characters of a text whose words are remembered: headings, titles and menus come again on every page."""


def title_words(text: str) -> list[str]:
    """Words to compare titles and names by.

    >>> title_words("Tea & Milk!")
    ['tea', 'milk']
    """
    return list(_short_title_words(text)) if len(text) <= SHORT_TITLE else _title_words(text)


def _title_words(text: str) -> list[str]:
    return _TITLE_WORD.findall((text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold())


@lru_cache(maxsize=1 << 13)
def _short_title_words(text: str) -> tuple[str, ...]:
    return tuple(_title_words(text))


@cache
def _marks() -> str:
    """Character class of the combining marks (Hindi vowels, Arabic points), which `\\w` leaves out, and joiners."""
    code = np.flatnonzero(is_mark())
    first = np.flatnonzero(np.diff(code, prepend=-2) > 1)
    runs = zip(code[first].tolist(), [*code[first[1:] - 1].tolist(), int(code[-1])], strict=True)
    return "".join(f"{re.escape(chr(start))}-{re.escape(chr(end))}" for start, end in runs) + "\u200c\u200d"


_LETTER_CLASS = f"[^\\W_{_SIGNS}]"


@cache
def _pattern() -> re.Pattern[str]:
    """Group 1: a run of a script without spaces. Group 2: a word, with the marks that belong to its letters."""
    return re.compile(f"([{_SIGNS}]+)|({_LETTER_CLASS}+(?:[{_marks()}]+{_LETTER_CLASS}*)*)")


def fold(text: str) -> str:
    """Compatible characters made equal (NFKC), lower case."""
    return (text if text.isascii() else unicodedata.normalize("NFKC", text)).lower()


def cut_words(text: str) -> Iterator[str]:
    """The words of a text, lower case; nothing is dropped or stemmed."""
    for match in _pattern().finditer(fold(text)):
        run = match[1]
        if run is None:
            yield match[2]
        elif len(run) == 1:
            yield run
        else:
            for i in range(len(run) - 1):
                yield run[i : i + 2]


_LETTER, _MARK, _SIGN = 1, 2, 4
_WIDE_SPACE, _WIDE_SIGNS = 0x3000, range(0xFF01, 0xFF5F)
_ASSIGNED = 0x40000
"""Above are no letters and digits, and no marks of them: planes that are empty or private, tags and variations of signs."""


@cache
def _kinds() -> Bits:
    """Per code point: is it a letter or digit, a mark of one, a sign of a script without spaces?"""
    every = np.arange(_ASSIGNED, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    out = np.zeros(sys.maxunicode + 1, np.uint8)
    for match in re.finditer(r"[^\W_]+", every):
        out[match.start() : match.end()] = _LETTER
    for first, last in TERM_SIGNS:
        out[first : last + 1] = _SIGN
    out[: 1 << 16][is_mark()] |= _MARK
    out[[0x200C, 0x200D]] |= _MARK  # joiners
    return out


def number_words(texts: Sequence[str]) -> NumberedWords:
    """The words of many texts as `cut_words` gives them, each different one once.

    >>> found = number_words(["Tea, at 5", "中文網 tea"])
    >>> found.words, found.which.tolist(), found.end.tolist()
    (('tea', 'at', '5', '中文', '文網'), [0, 1, 2, 3, 4, 0], [3, 6])
    """
    return native.number_words(list(map(fold, _without_wide(texts))), _kinds())


def _without_wide(texts: Sequence[str]) -> Sequence[str]:
    """Texts with the signs of East Asian type that NFKC writes otherwise written so: to normalise a text with one of them takes the library some
    hundred times as long as to find that there is nothing to do, and each Chinese sentence has a comma."""
    every = "\n".join(texts)
    if every.isascii():
        return texts
    codes = np.frombuffer(every.encode("utf-16-le", "surrogatepass"), np.uint16)
    has = np.zeros(1 << 16, bool)
    has[codes] = True
    found = [code for code in (_WIDE_SPACE, *_WIDE_SIGNS) if has[code]]
    if not found or every.count("\n") + 1 != len(texts):
        return texts
    for code in found:
        every = every.replace(chr(code), unicodedata.normalize("NFKC", chr(code)))
    return every.split("\n")


@cache
def _stop_lists() -> dict[str, str]:
    text = (Path(__file__).parent / "data/stopwords.json").read_text("utf-8")
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
