"""Lines that say who wrote: the short look at how a text begins misses none."""

from __future__ import annotations

import re
from itertools import product

from sitegrain.article.fields import bylines
from sitegrain.article.fields.names import BY

WORDS = sorted(
    {word for p in (BY, bylines._STRONG_BY) for word in re.findall(r"[a-z]{2,}", p.pattern.replace("(?i", ""))}
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
    texts += [text.upper() for text in texts] + [text.title() for text in texts]
    found = [bylines._byline(text) for text in texts]
    assert found == [_slowly(text) for text in texts]
    assert {bylines._LONE, bylines._BEFORE, bylines._AFTER_DATE, 0} == set(found)
