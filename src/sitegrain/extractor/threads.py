"""The text of a thread is what its posts say: who wrote them and when are fields of posts, and what stands beside them is not of the thread.

Of pages alone: a site that is known tells what is beside posts by itself (labelled forums 0.99), and of its blogs those with many comments
look like threads. There only posts that were lost come back.
"""

from __future__ import annotations

import numpy as np

from sitegrain import native
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.errors import PAGE_FAULTS
from sitegrain.extractor.evidence import Evidence
from sitegrain.extractor.mending import BESIDE_POSTS, IN_COPY, IN_POST, Mended, SiteSays
from sitegrain.extractor.mending.together.posts import MIN_WORDS, MOST_PAGES
from sitegrain.extractor.stages import SITE_NAMES
from sitegrain.tables.timing import time_limited

_COUNT = SITE_NAMES.index("site_same_count")
LEAST_FORUM, TO_ARTICLE = 0.06, 0.5
"""Vote for a forum from which posts are looked for, and how many times that for an article it must be, whose comments are signed and dated, too. Where
names tell nothing, threads have 0.07 and more, and less than an article; most of the other pages with posts of whatever kind have less."""
TO_SIGNED = 0.3
"""The same where those who posted are named as users: one thread of webforum52 is found by it without names (F1 0.59 to 1.00), and no other page of all sets changes."""
SURE_FORUM, SURE_TO_ARTICLE = 0.5, 2.0
"""The same of a page that is surely a thread: its posts are looked for once more, among all that may be text, if what is kept shows none. Where
lower votes were enough for that, two articles of WCXB with comments lost 0.7 of F1 and a product with reviews 0.3."""
LEAST_SCORE = 0.2
"""Score of what may be text there: that of `with_posts`."""


def with_threads(evidence: Evidence, judged: native.Judged, done: Mended, node_kept: Bools) -> tuple[Mended, Bools]:
    """The kept blocks and rows, of threads those that their posts hold, and not what is beside them if all of it and each of it scores below
    them."""
    article, forum = judged.votes
    # A loop over pages: most are alone, of which numpy takes longer to ask.
    may_be = [page for page, vote in enumerate(forum.tolist()) if vote >= LEAST_FORUM]
    if may_be:
        n_kept = np.bincount(evidence.blocks.page[done.kept], minlength=len(forum)).tolist()
        may_be = [page for page in may_be if n_kept[page] > 1]
    if not may_be:
        return done, node_kept
    from sitegrain.article.threads.posts import (  # loaded for threads alone: it takes longer than a page
        alike_rows,
        thread_rows,
    )

    rows, blocks, score = evidence.blocks.rows, evidence.blocks, judged.node_score
    first_page, out = int(rows.first_page), node_kept
    for page in may_be:
        of_page = rows.site.page_rows(first_page + page)
        at = slice(of_page.start - rows.start, of_page.stop - rows.start)
        before = out[at]
        is_sure = bool(forum[page] >= max(SURE_FORUM, SURE_TO_ARTICLE * article[page]))
        held = None
        may_say = before | (score[at] >= LEAST_SCORE)
        try:
            with time_limited():
                if forum[page] >= TO_ARTICLE * article[page]:
                    held = thread_rows(rows.site, first_page + page, before, score[at], is_sure)
                    if held is None and is_sure:
                        held = thread_rows(rows.site, first_page + page, may_say, score[at], is_sure)
                if held is None:
                    held = alike_rows(rows.site, first_page + page, before, may_say, score[at])
                if held is None and TO_SIGNED * article[page] <= forum[page] < TO_ARTICLE * article[page]:
                    held = thread_rows(rows.site, first_page + page, before, score[at], False, by_users=True)
        except PAGE_FAULTS:  # a mistake of ours: the page stays as it was judged, and its posts say so
            held = None
        if held is None:
            continue
        size = np.where(held | before, rows.text_end[at] - rows.text_start[at], 0).astype(np.int64)
        block = blocks.node_block[at]
        if done.why is not None:  # a copy of what is kept stays out
            held &= before | (block < 0) | (done.why[block] != IN_COPY)
        said = _mean(score[at], size, before & held)
        held |= before & ((score[at] >= said) | (_mean(score[at], size, before & ~held) >= said))
        if (held != before).any():
            out = node_kept.copy() if out is node_kept else out
            out[at] = held
    if out is node_kept:
        return done, node_kept
    kept = np.bincount(blocks.node_block[out & (blocks.node_block >= 0)], minlength=len(done.kept)) > 0
    done = done.after(IN_POST, done.kept | kept)
    return done.after(BESIDE_POSTS, done.kept & kept), out


def with_lost_posts(
    evidence: Evidence, judged: native.Judged, done: Mended, node_kept: Bools, said: SiteSays
) -> tuple[Mended, Bools]:
    """The kept blocks and rows of a known site, on pages that are surely threads with the posts that were lost: where few threads are long, most pages have
    nothing at the place of late posts, and what stands there scores low. Nothing goes: what stands beside posts the site knows itself."""
    article, forum = judged.votes
    is_sure = (forum >= SURE_FORUM) & (forum >= SURE_TO_ARTICLE * article)
    if not is_sure.any():
        return done, node_kept
    rows, blocks = evidence.blocks.rows, evidence.blocks
    may_come = said.of_blocks[:, _COUNT] <= np.log1p(MOST_PAGES)  # signatures are on more
    if said.in_comments is not None:
        may_come &= ~said.in_comments
    if done.why is not None:  # a copy of what is kept stays out
        may_come &= done.why != IN_COPY
    may_say = may_come & (judged.first >= LEAST_SCORE)
    is_lost = may_say & ~done.kept & (evidence.words >= MIN_WORDS)
    asked = np.flatnonzero(is_sure & (np.bincount(blocks.page[is_lost], minlength=len(forum)) > 0)).tolist()
    if not asked:
        return done, node_kept
    from sitegrain.article.threads.posts import lost_rows  # loaded for threads alone

    first_page, out = int(rows.first_page), node_kept
    # Block -1, of rows without one, is the last of what is appended.
    score = np.append(judged.first, 0.0)[blocks.node_block]
    row_may_say, row_may_come = (np.append(of, False)[blocks.node_block] for of in (may_say, may_come))
    for page in asked:
        of_page = rows.site.page_rows(first_page + page)
        at = slice(of_page.start - rows.start, of_page.stop - rows.start)
        before = out[at]
        try:
            with time_limited():
                held = lost_rows(rows.site, first_page + page, before, before | row_may_say[at], score[at])
        except PAGE_FAULTS:  # a mistake of ours: the page stays as it was judged
            held = None
        if held is not None and (held & row_may_come[at] & ~before).any():
            out = node_kept.copy() if out is node_kept else out
            out[at] = before | (held & row_may_come[at])
    if out is node_kept:
        return done, node_kept
    kept = np.bincount(blocks.node_block[out & (blocks.node_block >= 0)], minlength=len(done.kept)) > 0
    return done.after(IN_POST, done.kept | kept), out


def _mean(score: Floats, size: Ints64, of: Bools) -> float:
    """The mean score of the text of some rows; 0 where there are none."""
    total = float(size[of].sum())
    return float((score[of] * size[of]).sum()) / total if total else 0.0
