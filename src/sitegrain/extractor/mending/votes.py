"""Which pages are articles, by their votes for page types."""

from __future__ import annotations

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.mending.others.below import LEAST_ARTICLE, TO_FORUM


def are_articles(article: Floats, forum: Floats) -> Bools:
    """Per page: whether its votes are for an article and clearly not for a thread."""
    found: Bools = (article >= LEAST_ARTICLE) & (article >= TO_FORUM * forum)
    return found
