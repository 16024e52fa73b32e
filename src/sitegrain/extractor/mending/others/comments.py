"""Comments on an article and teasers of others: what stands below its text in elements that are alike, each with a date. By dates, so without
names of classes; but where a page calls its text that of an entry and what is below it `comments`, as the themes of blogs do, that is believed."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from sitegrain import native
from sitegrain.arrays.ordered import distinct
from sitegrain.arrays.trees.preorder import prefix_sum
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending.dates import DATE_WORDS
from sitegrain.extractor.pagetypes import ARTICLE, FORUM, PAGE_TYPES
from sitegrain.light import late_pattern
from sitegrain.native.inputs import DateRules
from sitegrain.tables.elements import is_named
from sitegrain.tables.tags import ATTRIBUTES, tag_mask

_COMMENTED = [ARTICLE, PAGE_TYPES.index("product")]
_NOT_TEASED = [PAGE_TYPES.index(name) for name in ("collection", "forum", "listing")]
_NO_UNIT = tag_mask(("tr", "td", "th", "tbody", "thead", "table", "blockquote"))
"""Rows of a table have dates, and so have the quotes that a text shows one after the other."""
LEAST_ARTICLE, LEAST_WITH_SITE = 0.4, 0.2
"""Vote of a page on which such elements are comments; of a thread they are the posts. Out of fold 0.4 to 0.5 lose nothing, 0.3 a thread. Where the
site is known the trees are surer of the text, and a lower vote is enough, as for the prior of articles."""
TO_FORUM, TO_FORUM_WITH_SITE = 2.0, 1.0
"""How many times the vote for a forum that must be: a thread of 6,500 words has 0.40 and 0.39, articles with comments 0.45 and 0.88 to 0.04 and 0.39."""
BEFORE_WORDS, PROSE_WORDS = 100.0, 8.0
"""Kept words of an article before its comments, and words of a block that count as its text, or as that of a comment."""
MIN_UNITS, MOST_DATES, LIKE_WORDS = 2, 2, 3.0
"""Comments, lines with a date of the median one (a unit with more is a table of times), and words of an element beside them that counts."""
BLOCKS_AFTER = 20
"""Blocks after the last one that is kept that are looked at: where one comment is kept, those beside it tell what it is."""
OF_LIKE, OF_TEXT, WITH_HEADING = 0.6, 0.8, 0.3
"""Share of the elements beside that must be such, share of the text between the first and the last that they must have, and share of those
with a heading, from which they are no comments."""
TEASED_ARTICLE, TEASED_LIST, TEASER_SCORE, MIN_TEASERS = 0.3, 0.2, 0.7, 3
"""Vote for an article from which, and for lists and threads below which, dated things with headings are teasers; what they may score, and how many
there must be. Out of fold the last three leave out nothing that is gold, except on a site where parts of a series are listed so in the text: where
the site is known, this is not done."""
BELOW = 0.1
"""What comments must score below the text before them. Out of fold 0.05 to 0.2 give the same; with 0 a page whose comments are gold loses."""


RULES = DateRules(
    BEFORE_WORDS, PROSE_WORDS, DATE_WORDS, BLOCKS_AFTER, MIN_UNITS, LIKE_WORDS, MOST_DATES, OF_LIKE, OF_TEXT, WITH_HEADING, BELOW, _NO_UNIT.tobytes(),
)  # fmt: skip
_NAMED = re.compile(r"(?:^|\s)(?:comments-area|comment-?list|comments-list|wp-block-comments)(?:$|\s)", re.IGNORECASE)
_ENTRY = late_pattern(r"(?:^|[\s-])(?:entry|post|article)[-_]?(?:content|body|text)(?:$|\s)|articleBody", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:^|-)comment-\d+$", re.IGNORECASE)
"""The id of a comment as the programs of blogs write it. On boards that speak of comments, too, those are the thread."""
_CLASS, _ID, _ITEMPROP = (ATTRIBUTES.index(name) for name in ("class", "id", "itemprop"))
LEAST_FIRST = 0.3
"""First score from which a block may be text, where places of comments are looked for."""
ENTRY_WORDS = 15.0
"""Kept words of an entry that has comments below it: a short post. Set beforehand."""


def without_comments(
    evidence: Evidence, score: Floats, votes: Callable[[], Floats], kept: Bools, is_alone: bool = True
) -> Bools:
    """The kept blocks without the comments on an article and, on a page alone, dated teasers; `votes` gives [types x pages], and is asked only
    where something may be either."""
    out = kept
    least, times = (LEAST_ARTICLE, TO_FORUM) if is_alone else (LEAST_WITH_SITE, TO_FORUM_WITH_SITE)
    for units in native.dated_units(evidence.pages, score, kept, RULES):
        if units.has_headings and (not is_alone or units.scored > TEASER_SCORE or units.n < MIN_TEASERS):
            continue
        of_page = votes()[:, units.page]
        is_commented = _is_commented(of_page, least, times)
        if _are_teasers(of_page) if units.has_headings else is_commented:
            out = kept.copy() if out is kept else out
            out[units.first : units.last] = False
    return out


def comment_votes(evidence: Evidence, score: Floats, votes: Callable[[], Floats]) -> Floats:
    """Of each block, whether it is of comments, as far as its page tells by itself: above 0 in dated elements below the text of what is no thread, below 0
    in those of a thread, 0 elsewhere. Elements alike have one vote together, so that many comments on one page do not outvote many pages.

    What most pages with such elements at one place say holds for that place on all pages of the site, also where there is one comment, or little text above it.
    """
    vote = np.zeros(len(score))
    for units in native.dated_units(evidence.pages, score, score >= LEAST_FIRST, RULES):
        if not units.has_headings:
            is_commented = _is_commented(votes()[:, units.page], LEAST_WITH_SITE, TO_FORUM_WITH_SITE)
            vote[units.first : units.last] = (1.0 if is_commented else -1.0) / (units.last - units.first)
    return vote


def without_comment_places(evidence: Evidence, in_comments: Bools, kept: Bools) -> Bools:
    """The kept blocks without those where comments stand on the site, on pages that keep something else."""
    found = kept & in_comments
    if not found.any():
        return kept
    rest = np.bincount(evidence.blocks.page, np.where(kept & ~found, evidence.words, 0.0), evidence.geometry.n_pages)
    found &= rest[evidence.blocks.page] >= ENTRY_WORDS
    return kept & ~found if found.any() else kept


def _is_commented(votes: Floats, least: float, times: float) -> bool:
    """Whether what is dated below the text of a page is comments, and no posts."""
    return bool(votes[_COMMENTED].sum() >= max(least, times * votes[FORUM]))


def without_named_comments(evidence: Evidence, score: Floats, kept: Bools) -> Bools:
    """The kept blocks without those in an element that is called comments and has numbered ones, below the kept text of one that is called an
    entry, if they score below it."""
    near = kept & (evidence.column("near_comment") > 0)
    if not near.any():
        return kept
    blocks, rows = evidence.blocks, evidence.blocks.rows
    row, string = rows.named(_CLASS, _ID, _ITEMPROP)
    mine = np.isin(rows.page[row], distinct(blocks.page[near]))
    row, string = row[mine], string[mine]
    names = {value: rows.site.strings[value] for value in set(string.tolist())}
    about = {value: name for value, name in names.items() if "comment" in name.lower()}  # few

    def named(pattern: re.Pattern[str], names: dict[int, str]) -> Ints64:
        values = [value for value, name in names.items() if is_named(pattern, name)]
        return distinct(row[np.isin(string, values)]).astype(np.int64)

    if not about or not len(comments := named(_NAMED, about)):
        return kept  # of most pages that have a name like it
    numbered = named(_NUMBERED, about)
    first, last = np.searchsorted(numbered, (comments, rows.end[comments]))
    comments = comments[first < last]
    entries = named(_ENTRY, names) if len(comments) else comments
    counted = (evidence.column("in_heading") > 0) & (evidence.column("cue_comment") > 0)  # "5 responses"
    words = np.where(kept, evidence.words, 0.0)
    total, scored = prefix_sum(words), prefix_sum(words * score)
    out = kept
    for top in comments.tolist():
        before = entries[(rows.page[entries] == rows.page[top]) & (rows.end[entries] <= top)]
        a, z = np.searchsorted(blocks.first, (before, rows.end[before]))
        size = total[z] - total[a]
        k, m = np.searchsorted(blocks.first, (top, rows.end[top])).tolist()
        own = total[m] - total[k]
        if own > 0 and len(size) and size.max() >= ENTRY_WORDS:
            best = int(size.argmax())
            if (scored[m] - scored[k]) / own < (scored[z[best]] - scored[a[best]]) / size[best] - BELOW:
                out = kept.copy() if out is kept else out
                out[k - (counted[k - 1] > 0) : m] = False
    return out


def _are_teasers(votes: Floats) -> bool:
    """Whether dated things with headings are teasers."""
    return bool(votes[ARTICLE] >= TEASED_ARTICLE and votes[_NOT_TEASED].max() < TEASED_LIST)
