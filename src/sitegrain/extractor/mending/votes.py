"""Which pages are articles, by their votes for page types."""

from __future__ import annotations

from sitegrain.arrays.types import Bools, Floats
from sitegrain.extractor.mending.others.below import LEAST_ARTICLE, TO_FORUM
from sitegrain.extractor.pagetypes import ARTICLE, FORUM


def are_articles(votes: Floats) -> Bools:
    """Per page: whether its votes, [types x pages], are for an article and clearly not for a thread."""
    found: Bools = (votes[ARTICLE] >= LEAST_ARTICLE) & (votes[ARTICLE] >= TO_FORUM * votes[FORUM])
    return found
