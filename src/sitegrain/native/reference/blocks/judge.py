"""From the evidence of blocks to their scores and to what is kept, with the bodies of the single steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.types import Floats, Floats32
from sitegrain.native.columns import ATTRIBUTES, EVIDENCE, NUMBERS, SITE, STAGE, TAGS
from sitegrain.native.inputs import Ensemble, Geometry, JudgedPages, ScoreModel, SiteScores
from sitegrain.native.reference.blocks.lexicon import name_weights, text_weights
from sitegrain.native.reference.blocks.scores import decide, mean_score, predict, stage

_CLASS, _ID = ATTRIBUTES.index("class"), ATTRIBUTES.index("id")
_SINCE_HEADING, _IN_HEAD, _IS_HIDDEN, _IN_QUOTE, _COPIES_BEFORE, _COPIES_AFTER, _VISIBLE = map(
    EVIDENCE.names.index,
    ("since_heading", "in_head", "is_hidden", "in_quote", "copies_before", "copies_after", "visible"),
)
_SITE_TAGS = [TAGS.index(t) for t in ("script", "form", "link", "style", "nav", "iframe", "frame", "input")]
_A = TAGS.index("a")
_SAME, _SAME_COUNT = map(SITE.names.index, ("site_same", "site_same_count"))
Judged = tuple[Floats, Floats, npt.NDArray[np.bool_], Floats, npt.NDArray[np.bool_], int, Floats]


def check_pages(of: JudgedPages) -> None:
    """Nothing: numpy checks what is read."""


def judge(of: JudgedPages, model: ScoreModel, site: SiteScores | None) -> Judged:
    """`sitegrain.native.judge`."""
    n, block = len(of.blocks.page), of.node_block
    if {of.x.shape[0], of.chain.shape[1], of.alike.shape[1], len(of.words)} != {n} or len(block) != len(of.rows.tag):
        raise ValueError("columns of blocks do not fit")
    p, score, votes = _scores(of, model, site) if n else (np.zeros(0), np.zeros(0), np.zeros((2, of.n_pages)))
    score[_is_plain(of, site)] = 1.0
    kept = decide(score, of.words, of.blocks.page, of.n_pages, model.rules.nothing_below)
    has_copy = (of.x[:, _COPIES_BEFORE] > 0) | (of.x[:, _COPIES_AFTER] > 0)
    some = kept & has_copy & (of.words >= NUMBERS["COPY_WORDS"]) & (of.x[:, _IN_QUOTE] == 0)
    texts = (of.blocks.page, of.x[:, _VISIBLE], of.x[:, _COPIES_BEFORE] + of.x[:, _COPIES_AFTER])
    n_different = len(set(zip(*(column[some].tolist() for column in texts), strict=True)))
    # Block -1, of rows without one, is the last of what is appended.
    of_rows = np.append(score, 0.0)[block], np.append(kept, False)[block]
    return p, score, kept, *of_rows, int(some.sum()) - n_different, votes


def _scores(of: JudgedPages, model: ScoreModel, site: SiteScores | None) -> tuple[Floats, Floats, Floats]:
    """First scores, scores, and the votes for an article and for a forum."""
    where = Geometry(of.blocks.page, of.blocks.first, of.rows.end, of.chain, of.alike, of.n_pages)
    named = (of.attrs.name == _CLASS) | (of.attrs.name == _ID)
    of_text = text_weights(of.text, of.blocks, of.x[:, _SINCE_HEADING], model.char_kinds, model.text_words)
    of_names = name_weights(
        of.strings, of.rows.parent, of.blocks.first, of.attrs.node[named], of.attrs.value[named], model.name_words
    )
    lexical = np.concatenate([of_text, of_names], axis=1)
    of_site = np.full((len(of.x), len(SITE.names)), np.nan, np.float32) if site is None else site.of_site

    def by(part: Ensemble, staged: Floats32) -> Floats:
        trees: Any = part.trees
        return predict(trees, (of.x, of_site, staged, lexical), part.at, part.is_probability)

    nothing = np.full((len(of.x), len(STAGE.names)), np.nan, np.float32)
    p = by(model.first, nothing)
    if site is not None:
        staged = stage(where, of.words, p, site.path, site.tag_path)
        with_first = by(site.with_first, staged)
        of_first = (p, p) if site.asks_first else ()
        score = mean_score((*of_first, by(site.alone, staged), with_first, with_first))
    elif model.second is None:
        raise ValueError("second trees, or what the site says")
    else:
        score = mean_score((p, by(model.second, stage(where, of.words, p, None, None))))
    votes = np.zeros((2, of.n_pages))
    if model.article is None or model.forum is None:
        return p, score, votes
    columns = type_columns(model.type_own, model.type_means, of.x, of.words, of.blocks.page, p, of.n_pages)
    has_blocks = np.bincount(of.blocks.page, minlength=of.n_pages) > 0
    for k, of_type in enumerate((model.article, model.forum)):
        trees: Any = of_type.trees
        votes[k, has_blocks] = predict(trees, (columns,), of_type.at, of_type.is_probability)[has_blocks]
    rules = model.rules
    low, high = (rules.sure_from, rules.sure_to) if site is None else (rules.site_sure_from, rules.site_sure_to)
    by_page = rules.article_prior * np.clip((votes[0] - low) / (high - low), 0.0, 1.0)
    return p, shifted(score, by_page[of.blocks.page]), votes


def shifted(score: Floats, by: Floats) -> Floats:
    """Scores with something added to their log odds."""
    odds = np.clip(score, 1e-6, 1 - 1e-6)
    return np.asarray(1 / (1 + (1 - odds) / odds * np.exp(-by)))


def type_columns(
    own: npt.NDArray[np.int64],
    averaged: npt.NDArray[np.int64],
    x: Floats32,
    words: Floats,
    page: npt.NDArray[np.integer[Any]],
    p: Floats,
    n_pages: int,
) -> Floats32:
    """[n_pages x features] for the page type: the page's own columns, and means over what seems to be content and over the rest."""
    first = np.minimum(np.searchsorted(page, np.arange(n_pages)), max(len(page) - 1, 0))
    has = np.bincount(page, minlength=n_pages) > 0
    out = np.full((n_pages, len(own) + 2 * len(averaged) + 2), np.nan, np.float32)
    if len(page):
        out[:, : len(own)] = np.where(has[:, None], x[first][:, own], np.nan)
        columns = np.nan_to_num(x[:, averaged].T.astype(np.float64))
        content = np.maximum(np.bincount(page, p * (words + 1), n_pages), 1e-9)
        # The sums of all columns are one count, over a page for each column: the same numbers added in the same order.
        place = (page + n_pages * np.arange(len(columns))[:, None]).ravel()
        for k, weight in enumerate((p * (words + 1), (1 - p) * (words + 1))):
            total = np.maximum(np.bincount(page, weight, n_pages), 1e-9)
            sums = np.bincount(place, (columns * weight).ravel(), len(columns) * n_pages).reshape(-1, n_pages)
            at = len(own) + k * len(averaged)
            out[:, at : at + len(averaged)] = (sums / total).T
        out[:, -2] = np.log1p(content)
        out[:, -1] = content / np.maximum(np.bincount(page, words + 1, n_pages), 1e-9)
    return out


def _is_plain(of: JudgedPages, site: SiteScores | None) -> npt.NDArray[np.bool_]:
    """The blocks on a page without a script, form, style sheet or menu, and with two links at most. That is a document
    (a snippet, plain text) and not a page of a site: all it shows is its content, but what most pages of a known site (three at least)
    say, too."""
    place = of.rows.page.astype(np.int64) * len(TAGS) + of.rows.tag
    count = np.bincount(place, minlength=of.n_pages * len(TAGS)).reshape(of.n_pages, len(TAGS))
    has_site = count[:, _SITE_TAGS].any(axis=1) | (count[:, _A] > 2)
    is_said = (
        False
        if site is None
        else (site.of_site[:, _SAME] > 0.5) & (site.of_site[:, _SAME_COUNT] >= np.float32(np.log1p(3)))
    )
    return np.asarray(
        ~has_site[of.blocks.page] & (of.x[:, _IN_HEAD] == 0) & (of.x[:, _IS_HIDDEN] == 0) & np.logical_not(is_said)
    )
