"""Lines that say who wrote: the short look at how a text begins misses none."""

from __future__ import annotations

import re
from itertools import product

from sitegrain.article.fields.authors import bylines
from sitegrain.article.fields.authors.bywords import LABELS, LOCAL, PHRASES
from sitegrain.article.fields.authors.names import BY

WORDS = sorted(
    {word for p in (BY, bylines._STRONG_BY) for word in re.findall(r"[a-z]{2,}", p.pattern.replace("(?i", ""))}
)
OTHERS = sorted(
    {word for p in (BY, bylines._STRONG_BY) for word in re.findall(r"[^\W\d_]+", p.pattern) if not word.isascii()}
)


def _slowly(text: str) -> int:
    if BY.fullmatch(text + " "):
        return bylines._LONE
    if bylines._STRONG_BY.match(text):
        return bylines._BEFORE
    return bylines._AFTER_DATE if bylines._after_date(text) is not None else 0


def test_the_short_look_misses_no_byline() -> None:
    assert len(WORDS) > 60
    texts = [
        f"{before}{word}{after}"
        for before, word, after in product(("", "- ", "__"), WORDS, ("", ":", " by Ann", ": Ann"))
    ]
    texts += [f"{one} {other} Ann" for one, other in product(WORDS, WORDS)]
    texts += [
        "Tea",
        "a",
        "",
        "Mayor by Ann",
        "3 May 2020 by Ann",
        "作者：李明",
        "Écrit par Ann",
        "text & photos by Ann",
        "photos and words by Ann",
    ]
    texts += [
        f"{label}{after}" for label, after in product((*LABELS, *PHRASES, *LOCAL), ("", ":", " Ann", ": Ann Lee"))
    ]
    texts += [
        f"{word}{after}"
        for word, after in product(OTHERS, ("", ":", "：李明", "/李明", " 李明", ": Ann Lee", " 홍길동"))
    ]
    texts += [
        "서울=홍길동 기자",
        "홍길동 기자",
        "記者李明",
        "记者 李明",
        "本报记者 李明",
        "글 홍길동",
        "Écrit par Ann",
        "ÍRTA: Ann Lee",
    ]
    texts += [text.upper() for text in texts] + [text.title() for text in texts]
    found = [bylines._byline(text) for text in texts]
    assert found == [_slowly(text) for text in texts]
    assert {bylines._LONE, bylines._BEFORE, bylines._AFTER_DATE, 0} == set(found)
