"""Which language a text, a page or a site is in."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import islice

import numpy as np

from sitegrain.native.chars import is_letter
from sitegrain.tables.memo import per_site
from sitegrain.tables.site import Site
from sitegrain.text.identifier import language_classifier

_NO_LETTERS = bytes(c for c in range(128) if not chr(c).isalpha())
_LAST_LATIN = "\u024f"
_TOPS = np.array([0x400, 0x530, 0x590, 0x600, 0x780, 0xE00, 0xE80, 0x2E80], np.uint32)
_BANDS = ("greek", "cyrillic", "armenian", "hebrew", "arabic", "indic", "thai", "asian", "cjk")
"""Scripts in the order of their letters, and the first letter behind each."""
_SAME_LANGUAGE = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "ji": "yi"}

_ALIKE = (
    {"no", "nb", "nn", "da"},
    {"hr", "sr", "bs"},
    {"id", "ms"},
    {"cs", "sk"},
    {"es", "gl", "ca"},
    {"bg", "mk"},
    {"pt", "gl"},
)
"""Languages that are taken for one another."""
SAMPLED_PAGES = 12
"""Pages asked for their language, chosen for speed. On the thirty labelled sites the vote is right on 29;
one Chinese blog is taken for English."""
MIN_LETTERS = 20
"""Letters to judge a text by; fewer tell nothing."""
SAMPLED_TEXT = 1500
"""Characters per page given to the language classifier, chosen for speed."""


@lru_cache(maxsize=256)
def primary_language(tag: str) -> str:
    """The first part of a language tag, with old and split codes made one.

    >>> primary_language("nb-NO"), primary_language("zh_Hant"), primary_language("x-default")
    ('no', 'zh', '')
    """
    code = re.split(r"[-_,; ]", tag.strip().lower(), maxsplit=1)[0]
    code = _SAME_LANGUAGE.get(code, code)
    return code if len(code) == 2 and code.isascii() and code.isalpha() else ""


def is_other_language(found: str, said: str) -> bool:
    """True for two languages that are not taken for one another.

    >>> is_other_language("de", "en"), is_other_language("da", "no"), is_other_language("en", "en")
    (True, False, False)
    """
    return found != said and not any({found, said} <= group for group in _ALIKE)


def text_language(text: str) -> str:
    """Language of a text by py3langid; empty when there are too few letters to judge by."""
    text = text[:SAMPLED_TEXT]
    if len(list(islice(filter(str.isalpha, text), MIN_LETTERS))) < MIN_LETTERS:
        return ""
    return primary_language(str(language_classifier()(text)[0]))


def _longest_texts(site: Site, page: int) -> str:
    """The longest text nodes of a page: sentences tell a language, menus do not."""
    rows = site.page_rows(page)
    own = np.flatnonzero(site.is_text[rows]) + rows.start
    size = site.nodes.text_end[own] - site.nodes.text_start[own]
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


def page_script(site: Site, page: int) -> str:
    """What a page says its language is, and the script that most of its first text is in."""
    declared = primary_language(site.pages.language[page])
    text = site.texts[page][:SAMPLED_TEXT]
    if text.isascii():
        return f"{declared}/latin"
    # Most pages are told by their ASCII letters alone, which are at least so many of all.
    plain = text.encode("ascii", "ignore")
    if 2 * (len(text) - len(plain)) < len(plain.translate(None, _NO_LETTERS)):
        return f"{declared}/latin"
    return f"{declared}/{_script(text)}"


def _script(text: str) -> str:
    """The script of most letters beyond the Latin ones, if they are half of all.

    >>> _script("чай und Tee"), _script("чай и Tee"), _script("お茶 чай"), _script("𠮷 𠮷 чай")
    ('latin', 'cyrillic', 'cyrillic', 'cyrillic')
    """
    # By arrays: one character after the other took a tenth of all that is done with a Russian site.
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    letters = codes[is_letter()[np.minimum(codes, 0xFFFF)]]  # the last character of the plane is none
    if len(further := codes[codes > 0xFFFF]):
        letters = np.append(letters, further[[chr(code).isalpha() for code in further.tolist()]])
    foreign = letters[letters > ord(_LAST_LATIN)]
    if not len(foreign) or 2 * len(foreign) < len(letters):
        return "latin"
    times = np.bincount(np.searchsorted(_TOPS, foreign, "right"), minlength=len(_BANDS)).tolist()
    return max(sorted(zip(_BANDS, times, strict=True)), key=lambda band: band[1])[0]


def sampled_pages(n_pages: int) -> list[int]:
    """The pages that are asked, taken evenly over a site: a site of them alone answers the same."""
    return sorted({int(p) for p in np.linspace(0, n_pages - 1, min(n_pages, SAMPLED_PAGES))}) if n_pages else []


@per_site
def site_language(site: Site) -> str:
    """The language of most pages, as a two-letter code; empty when nothing tells.

    A vote of pages taken evenly over the site: what the text looks like counts double what `<html lang>`
    says, because templates often leave `lang="en"` on pages of another language.
    """
    votes: Counter[str] = Counter()
    for page in sampled_pages(site.n_pages):
        if found := text_language(_longest_texts(site, page)):
            votes[found] += 2
        if declared := primary_language(site.pages.language[page]):
            votes[declared] += 1
    # On equal votes the alphabet decides, so that the answer never depends on the order of pages.
    return min(votes, key=lambda code: (-votes[code], code)) if votes else ""
