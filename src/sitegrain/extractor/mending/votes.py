"""Which pages are articles, by their votes for page types."""

from __future__ import annotations

import numpy as np

from sitegrain.arrays.types import Bools, Floats

LEAST_ARTICLE, TO_FORUM = 0.3, 3.0
"""Vote for an article, and how many times the vote for a forum it must be: posts of a thread follow one another. Out of fold one without names has
0.52 and 0.23, an article with reviews 0.68 and 0.21."""


def are_articles(article: Floats, forum: Floats) -> Bools:
    """Per page: whether its votes are for an article and clearly not for a thread."""
    # A loop over pages: most are alone, of which numpy takes longer to ask.
    both = zip(article.tolist(), forum.tolist(), strict=True)
    return np.array([a >= LEAST_ARTICLE and a >= TO_FORUM * f for a, f in both], bool)
