"""The columns that the default extractor's trees see: the page's evidence beside the site's.

Missing site evidence is missing values, so that one model serves a single page and a page of a known site.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sitegrain.extractor.evidence import Evidence, Geometry, ratio, shift
from sitegrain.extractor.knowledge import Paths, SiteKnowledge
from sitegrain.native import extension

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]

_UPS = (1, 2, 3)
SITE_NAMES: tuple[str, ...] = (
    "site_pages", "site_same", "site_masked", "site_same_count",
    *(f"{kind}_{what}" for kind in ("path", "tagpath") for what in ("pages", "same", "distinct", "words", "links", "per_page")),
    *(f"new_up{k}" for k in _UPS), "new_within", "masked_-2", "masked_-1", "masked_+1", "masked_+2",
    "path_first_word", "path_last_word", "rare_words", "common_words",
    *(f"new_share_up{k}" for k in (0, *_UPS)), "in_new_0.5", "in_new_0.85", "new_before", "page_new",
    *(f"{what}_up{k}" for k in (0, *_UPS) for what in ("cover", "cover_rel")),
)  # fmt: skip
STAGE_NAMES: tuple[str, ...] = (
    "p", "p_-3", "p_-2", "p_-1", "p_+1", "p_+2", "p_+3", "p_within", "p_within_far",
    *(f"p_up{k}" for k in range(6)), "p_page", "p_page_words", "p_page_max", "p_rank", "p_words_share", "p_before", "p_after",
    "p_path", "p_tagpath",
)  # fmt: skip


def site_columns(evidence: Evidence, knowledge: SiteKnowledge | None, paths: Paths | None = None) -> F32:
    """[n_blocks x len(SITE_NAMES)]; all NaN without knowledge of the site."""
    if extension is None or knowledge is None or knowledge.n_pages < 2:
        return site_columns_python(evidence, knowledge, paths)
    blocks, where = evidence.blocks, evidence.geometry
    rows = blocks.rows
    paths = knowledge.row_paths(rows) if paths is None else paths
    out = np.empty((len(blocks), len(SITE_NAMES)), np.float32)
    columns = (
        blocks.page, blocks.first, blocks.box, blocks.text_start, blocks.text_end, rows.end, rows.page,
        evidence.words, evidence.is_sentence, *paths,
    )  # fmt: skip
    extension.site_columns(knowledge.table, rows.text, columns, where.chain, where.n_pages, knowledge.facts_of, out)
    return out


def site_columns_python(evidence: Evidence, knowledge: SiteKnowledge | None, paths: Paths | None = None) -> F32:
    """`site_columns` without the extension."""
    blocks = evidence.blocks
    out = np.full((len(blocks), len(SITE_NAMES)), np.nan, np.float32)
    if knowledge is None or knowledge.n_pages < 2 or not len(blocks):
        return out
    paths = knowledge.row_paths(blocks.rows) if paths is None else paths
    columns = knowledge.columns(blocks, paths)
    rows, page, words = blocks.rows, blocks.page, evidence.words
    # Words in blocks whose text, numbers aside, few other pages have. A tenth: a text on more pages than that is of
    # a template or of a list, and either is not new.
    is_new = columns["site_masked"] <= max(0.1, 1.5 / knowledge.n_pages)
    new = np.concatenate([[0.0], np.cumsum(np.bincount(blocks.first, words * is_new, len(rows)))])
    every = np.concatenate([[0.0], np.cumsum(np.bincount(blocks.first, words, len(rows)))])
    for k in _UPS:
        at = evidence.geometry.chain[k]
        end = rows.end[at]
        columns[f"new_up{k}"] = ratio(new[end] - new[at], every[end] - every[at])
    page_new = np.bincount(page, words * is_new, evidence.geometry.n_pages)
    for k in (0, *_UPS):
        at = evidence.geometry.chain[k]
        columns[f"new_share_up{k}"] = ratio(new[rows.end[at]] - new[at], page_new[page])
    # The smallest subtree that holds most of the page's new words.
    held = new[rows.end] - new[: len(rows)]
    roots = rows.site.pages.node_offset[rows.first_page : rows.last_page] - rows.start
    for part in (0.5, 0.85):
        best = np.minimum(roots, len(rows) - 1)
        holders = np.flatnonzero(held >= part * np.maximum(page_new[rows.page], 1e-9))
        best[rows.page[holders]] = holders  # the last one in document order is the deepest
        root = best[page]
        within = (blocks.first >= root) & (blocks.first < rows.end[root])
        columns[f"in_new_{part}"] = np.where(within, 1.0, np.where(blocks.first < root, -1.0, 0.0))
    running = np.concatenate([[0.0], np.cumsum(words * is_new)])
    columns["new_before"] = ratio(running[:-1] - running[np.searchsorted(page, page)], page_new[page])
    columns["page_new"] = ratio(page_new, np.bincount(page, words, evidence.geometry.n_pages))[page]
    columns["new_within"] = _window(words * is_new, words, page, 5)
    for by in (-2, -1, 1, 2):
        columns[f"masked_{by:+d}"] = shift(columns["site_masked"], by, page)
    # Pages that have the ancestor's path at all, and how that compares with the best of the page's new prose: an
    # article's box is on every article page, a comment list is not.
    row_key = paths[0]
    fresh = is_new & evidence.is_sentence
    for k in (0, *_UPS):
        cover = knowledge.coverage(row_key[evidence.geometry.chain[k]])
        most = np.zeros(evidence.geometry.n_pages)
        np.maximum.at(most, page[fresh], cover[fresh])
        columns[f"cover_up{k}"] = cover
        columns[f"cover_rel_up{k}"] = np.where(most[page] > 0, cover / np.maximum(most[page], 1e-9), np.nan)
    for k, name in enumerate(SITE_NAMES):
        out[:, k] = columns[name]
    return out


def _window(part: F64, whole: F64, page: npt.NDArray[np.int32], width: int) -> F64:
    n = len(page)
    index = np.arange(n)
    first = np.searchsorted(page, page)
    last = np.searchsorted(page, page, "right")
    lo, hi = np.maximum(index - width, first), np.minimum(index + width + 1, last)
    a, b = np.concatenate([[0.0], np.cumsum(part)]), np.concatenate([[0.0], np.cumsum(whole)])
    return ratio(a[hi] - a[lo], b[hi] - b[lo])


def stage_columns(where: Geometry, words: F64, p: F64, path: F64 | None = None, tag_path: F64 | None = None) -> F32:
    """[n_blocks x len(STAGE_NAMES)]: first-stage scores of the block, of what is around it, and of its path elsewhere."""
    if extension is None:
        return stage_columns_python(where, words, p, path, tag_path)
    out = np.empty((len(p), len(STAGE_NAMES)), np.float32)
    extension.stage(where.page, where.first, where.row_end, where.chain, where.n_pages, words, p, path, tag_path, out)
    return out


def stage_columns_python(
    where: Geometry, words: F64, p: F64, path: F64 | None = None, tag_path: F64 | None = None
) -> F32:
    """`stage_columns` without the extension."""
    page, n, n_rows = where.page, len(p), len(where.row_end)
    words = words + 1.0
    columns: dict[str, F64] = {"p": p}
    for by in (-3, -2, -1, 1, 2, 3):
        columns[f"p_{by:+d}"] = shift(p, by, page)
    pw = p * words
    columns["p_within"] = _window(pw, words, page, 4)
    columns["p_within_far"] = _window(pw, words, page, 15)
    total_p = np.concatenate([[0.0], np.cumsum(np.bincount(where.first, pw, n_rows))])
    total_w = np.concatenate([[0.0], np.cumsum(np.bincount(where.first, words, n_rows))])
    for k, at in enumerate(where.chain):
        end = where.row_end[at]
        columns[f"p_up{k}"] = ratio(total_p[end] - total_p[at], total_w[end] - total_w[at])
    n_pages = where.n_pages
    page_w, page_p = np.bincount(page, words, n_pages), np.bincount(page, pw, n_pages)
    most = np.zeros(n_pages)
    np.maximum.at(most, page, p)
    columns["p_page"] = ratio(page_p, page_w)[page]
    columns["p_page_words"] = np.log1p(page_p)[page]
    columns["p_page_max"] = most[page]
    order = np.lexsort((-p, page))
    first = np.searchsorted(page, page)
    rank = np.empty(n)
    rank[order] = np.arange(n)
    count = np.bincount(page, minlength=n_pages)[page]
    columns["p_rank"] = ratio(rank - first, count)
    columns["p_words_share"] = ratio(pw, page_p[page])
    running = np.concatenate([[0.0], np.cumsum(pw)])
    before = running[:-1] - running[first] if n else running[:-1]
    columns["p_before"] = ratio(before, page_p[page])
    columns["p_after"] = 1 - columns["p_before"] - columns["p_words_share"]
    columns["p_path"] = np.full(n, np.nan) if path is None else path
    columns["p_tagpath"] = np.full(n, np.nan) if tag_path is None else tag_path
    out = np.empty((n, len(STAGE_NAMES)), np.float32)
    for k, name in enumerate(STAGE_NAMES):
        out[:, k] = columns[name]
    return out
