"""What the columns of `evaluate` are called for people, and what they mean."""

from __future__ import annotations

from collections.abc import Iterable

MEASURES = {
    "word_f1": ("F1", "the harmonic mean of precision and recall over the words of a page; 1 is perfect"),
    "word_precision": ("precision", "the share of the printed words that belong to the main text"),
    "word_recall": ("recall", "the share of the words of the main text that were printed"),
    "token_f1": ("F1", "the harmonic mean of precision and recall over the words of an article; 1 is perfect"),
    "token_precision": ("precision", "the share of the printed words that belong to the main text"),
    "token_recall": ("recall", "the share of the words of the main text that were printed"),
    "snippet_f1": ("F1 of snippets", "where only snippets are known: the harmonic mean of the next two"),
    "snippet_precision": ("precision", "of the snippets that were printed, the share of those that must be there"),
    "snippet_recall": ("recall", "the share of the snippets that must be there and are"),
    "ic_f1": ("F1 of characters", "the same over the characters of all articles"),
    "b_f1": ("F1 of blocks", "the same over blocks: right or wrong as a whole"),
    "snc_f1": ("F1 of links", "the same over the links that TOC pages list"),
    "shingle_f1": ("F1 of phrases", "the same over runs of words, so that their order counts"),
    "with_rate": ("has snippets", "the share of the snippets that must be there and are"),
    "without_rate": ("wrong snippets", "the share of the snippets that must not be there and are; 0 is best"),
    "toc_r_precision": ("TOC first", "of N true TOC pages, the share of the N pages ranked first that are TOC pages"),
    "toc_precision_at_20": ("TOC in top 20", "the share of the 20 pages ranked first that are TOC pages"),
    "toc_f1": ("F1 of TOC pages", "whether the right pages are called TOC pages"),
    "article_f1": ("F1 of articles", "whether the right pages are called articles"),
    "ms_per_page": ("ms per page", "processor time"),
    "crashes": ("failures", "pages that it failed on; each counts as 0"),
}
"""Name of a measure -> its heading, and one line about it."""


def heading(name: str) -> str:
    """What a column, or a title that begins with a measure, is called.

    >>> heading("token_f1"), heading("token_f1 by group"), heading("method")
    ('F1', 'F1 by group', 'method')
    """
    first, _, rest = name.partition(" ")
    return " ".join(filter(None, (MEASURES[first][0] if first in MEASURES else first, rest)))


def legend(columns: Iterable[str]) -> list[str]:
    """A line for each measure among the columns, each once."""
    named = dict(MEASURES[name] for name in columns if name in MEASURES)
    return [f"{name}: {about}" for name, about in named.items()]
