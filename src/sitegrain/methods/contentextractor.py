"""ContentExtractor: blocks that few pages have are primary content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from sitegrain.arrays.cosine import count_groups_near, groups_at_least, similar_pairs, thin_out, unique_rows
from sitegrain.arrays.late import sparse
from sitegrain.arrays.types import Bools, Floats, Ints64
from sitegrain.errors import UsageError
from sitegrain.learned.typed import need
from sitegrain.methods.base import NodeMethod, NodeVerdict
from sitegrain.methods.blockfeatures import without_site
from sitegrain.methods.blockwise import (
    block_tags,
    block_terms,
    block_verdict,
    blocks_of,
    choose_pages,
    feature_tags,
    page_counts,
)
from sitegrain.partition import Partition, PartitionerName
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAG_CODE
from sitegrain.text.terms import Terms, site_terms


@dataclass
class ContentExtractor(NodeMethod):
    """Blocks that occur on many pages are template, blocks that few pages have are content.

    A block is a vector: the count of each tag that pages are not cut at and the number of terms, each divided by
    the largest of the data set, and one 0/1 entry per term. Blocks with a cosine over `eps` are the same block. For
    each block, count the pages that have it.

    The paper compares all pairs of blocks. Here equal vectors are found by hashing and the rest by an
    exact join on rare features (see `sitegrain.arrays.cosine`): the same counts in near-linear time.

    Parameters
        partitioner   how pages are cut: "section", "getblockset" (the paper's) or "table"
        eps           two blocks with a larger cosine are the same (0.9 in the paper)
        few           content may also stand on this share of the other pages (see `n_few`)
        n_training    learn the template from so many pages, drawn by `seed` (5 to 10 are enough); None is all
        numbers       keep terms that are only digits

    Learned
        template_     blocks on more than a few pages, one for each family of similar ones: vectors, and on how
                      many pages each is known to stand (counting may stop when it is settled that they are many)
        rare_         blocks learned from that look like a template block but stand on few pages (cosine is
                      not transitive); only blocks with the very same vector are content on their account
        n_pages_      number of different pages learned from
        tags_, terms_ what the columns of the vectors count after the number of terms; largest_ is the most of each tag
        language_     in which words were cut

    A block without terms is redundant. With one page there is no site evidence: K-FeatureExtractor judges instead, and
    the column `confidence` is 0; in general it is 1 - 1/n for n pages learned from.

    Paper: Debnath, Mitra, Pal and Giles 2005, section 4. We differ in this: counts are scaled as in the
    paper's FeatureExtractor, because with raw counts the number of terms outweighs all terms together and any two
    long texts would be the same block; copies of a page count once.
    """

    name: ClassVar[str] = "contentextractor"

    partitioner: PartitionerName = "section"
    eps: float = 0.9
    few: float = 0.01
    n_training: int | None = None
    seed: int = 0
    numbers: bool = False

    n_pages_: int = field(init=False, compare=False, repr=False)
    language_: str = field(init=False, compare=False, repr=False)
    tags_: tuple[str, ...] = field(init=False, compare=False, repr=False)
    terms_: tuple[str, ...] = field(init=False, compare=False, repr=False)
    largest_: Floats = field(init=False, compare=False, repr=False)
    template_: sparse.csr_array = field(init=False, compare=False, repr=False)
    template_pages_: Ints64 = field(init=False, compare=False, repr=False)
    rare_: sparse.csr_array = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.eps < 1:
            raise UsageError(f"eps is a cosine between 0 and 1, not {self.eps}")
        if not 0 <= self.few < 1:
            raise UsageError(f"few is a share of the pages from 0 to under 1, not {self.few}")
        if self.n_training is not None and self.n_training < 1:
            raise UsageError(f"at least one training page is needed, not {self.n_training}")

    def check(self) -> None:
        """Vectors, tags and terms must fit together."""
        width = 1 + len(self.tags_) + len(self.terms_)
        need(self.template_.shape[1] == self.rare_.shape[1] == width, "vectors do not fit their features")
        need(self.template_.shape[0] == len(self.template_pages_), "a template block has no count of pages")
        need(len(self.largest_) == 1 + len(self.tags_), "a tag has no largest count")
        need(all(tag in TAG_CODE for tag in self.tags_), "a tag is unknown")
        need(self.n_pages_ >= 0, "it learned from fewer pages than none")

    @property
    def n_few(self) -> int:
        """On how many other pages content may stand: a share of the pages, at least 1 and at most 10 (a text on a
        dozen pages is no news, however large the site), and never a quarter of the pages."""
        return min(max(1, int(self.few * self.n_pages_)), 10, (self.n_pages_ - 1) // 4)

    def fit(self, site: Site, pages: Sequence[int] | npt.NDArray[np.int64] | None = None) -> Self:
        """Learn the template blocks of a cluster of pages (all pages when not given)."""
        terms = site_terms(site, self.numbers)
        partition = blocks_of(site, self.partitioner)
        self.language_ = terms.language
        self.tags_ = tuple(feature_tags(self.partitioner))
        chosen = choose_pages(site, pages, self.n_training, self.seed)
        self.n_pages_ = len(chosen)
        if self.n_pages_ <= 1:  # nothing can repeat
            empty = sparse.csr_array((0, 1 + len(self.tags_)))
            self.terms_, self.largest_ = (), np.zeros(1 + len(self.tags_))
            self.template_, self.template_pages_, self.rare_ = empty, np.zeros(0, np.int64), empty
            return self
        mine = np.flatnonzero(np.isin(partition.block_page, chosen))
        tags, words = _features(site, partition, terms, self.tags_)
        self.largest_ = _column_max(tags[mine])
        vectors = _scaled(tags[mine], words[mine], self.largest_)
        unique = unique_rows(vectors)
        page = np.searchsorted(chosen, partition.block_page[mine])
        shape = (unique.rows.shape[0], len(chosen))
        on_page = sparse.csr_array((np.ones(len(mine)), (unique.group, page)), shape=shape)
        counts = groups_at_least(unique.rows, on_page, self.eps, self.n_few + 2)
        open_ = np.flatnonzero(counts < self.n_few + 2)
        counts[open_] = count_groups_near(unique.rows, open_, on_page, self.eps)
        # A block's own page is always among them (its cosine with itself is 1), unless its vector is zero.
        template, others = np.flatnonzero(counts - 1 > self.n_few), np.flatnonzero(counts - 1 <= self.n_few)
        template = template[thin_out(unique.rows[template], self.eps)]
        alike = np.zeros(len(others), bool)
        for i, _ in similar_pairs(unique.rows[others], unique.rows[template], self.eps):
            alike[i] = True
        self._keep(terms, unique.rows, counts, template, others[alike])
        return self

    def apply(self, site: Site) -> NodeVerdict:
        """Judge the pages of a site, those learned from or new ones of the same cluster."""
        self.need_fitted()
        if self.n_pages_ <= 1:
            return without_site(site, self.partitioner)
        terms, partition = site_terms(site, self.numbers, self.language_), blocks_of(site, self.partitioner)
        pages, n_terms = self._template_pages(site, terms, partition)
        informative = (pages == 0) & (n_terms > 0)
        share = pages / self.n_pages_
        reason = [_reason(p, s, t) for p, s, t in zip(pages.tolist(), share.tolist(), n_terms.tolist(), strict=True)]
        alike = page_counts(site, partition)
        evidence = {
            "template_pages": pages,
            "n_pages": alike,
            # IBDF = 1 / (|S| + 1), S the pages with such a block: those learned from, or these where the text is the same.
            "ibdf": 1.0 / (np.maximum(pages, alike) + 1.0),
            "confidence": np.full(len(partition), 1 - 1 / self.n_pages_),
        }
        # Content scores over 0.5, template under it: the more pages have it, the less.
        score = np.where(informative, 1.0, np.where(n_terms > 0, 0.5 * (1 - share), 0.0))
        notes = () if informative.any() or not len(partition) else ("no block is informative: all blocks are template",)
        return block_verdict(site, partition, score, informative, reason, evidence, notes)

    def _keep(
        self, terms: Terms, rows: sparse.csr_array, counts: Ints64, template_rows: Ints64, rare_rows: Ints64
    ) -> None:
        """Keep the template and the rare look-alikes, in a vocabulary of their own terms only."""
        n_tags = len(self.tags_) + 1
        template, rare = rows[template_rows], rows[rare_rows]
        used = np.unique(np.concatenate((np.arange(n_tags), template.indices, rare.indices)))
        self.terms_ = tuple(terms.vocabulary[i - n_tags] for i in used[n_tags:].tolist())
        place = np.zeros(rows.shape[1], np.int64)
        place[used] = np.arange(len(used))
        self.template_ = _placed(template, place, len(used))
        self.template_pages_ = counts[template_rows]
        self.rare_ = _placed(rare, place, len(used))

    def _template_pages(self, site: Site, terms: Terms, partition: Partition) -> tuple[Ints64, Ints64]:
        """Per block: on how many training pages the template block stands that it looks like (0: none); its terms."""
        tags, words = _features(site, partition, terms, self.tags_)
        unique = unique_rows(_scaled(tags, words, self.largest_))
        n_tags = tags.shape[1]
        # Put the model's columns into this site's space; its terms that the site lacks get columns at the end.
        number = {term: i for i, term in enumerate(terms.vocabulary)}
        place = np.arange(n_tags + len(self.terms_))
        width = n_tags + len(terms.vocabulary)
        for i, term in enumerate(self.terms_):
            found = number.get(term)
            place[n_tags + i] = width if found is None else n_tags + found
            width += found is None
        rows = _resized(unique.rows, width)
        template, rare = _placed(self.template_, place, width), _placed(self.rare_, place, width)
        best = np.zeros(rows.shape[0], np.int64)
        for near, j in similar_pairs(rows, template, self.eps):
            np.maximum.at(best, near, self.template_pages_[j])
        # Equal vectors have a cosine of 1 but for rounding; but vectors that differ by one link may come as close.
        for near, j in similar_pairs(rows, rare, 1 - 1e-8):
            best[near[_are_equal(rows[near], rare[j])]] = 0
        return best[unique.group], np.diff(words.indptr).astype(np.int64)


def _features(
    site: Site, partition: Partition, terms: Terms, tags: Sequence[str]
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Blocks x (number of terms, count of each tag), and blocks x terms."""
    words = block_terms(partition, terms)
    tag_codes = [TAG_CODE[name] for name in tags]
    total = np.asarray(words.sum(axis=1)).reshape(-1, 1)
    counts: Any = sparse.hstack((sparse.csr_array(total), block_tags(site, partition)[:, tag_codes]), format="csr")
    return counts, words


def _column_max(matrix: sparse.csr_array) -> Floats:
    out = np.zeros(matrix.shape[1])
    np.maximum.at(out, matrix.indices, matrix.data)
    return out


def _scaled(tags: sparse.csr_array, words: sparse.csr_array, largest: Floats) -> sparse.csr_array:
    """Block vectors: counts as shares of the largest, then 1 for every term that occurs."""
    counts, ones = tags.copy(), words.copy()
    # A feature that no training block had has no largest value: the count stands for itself.
    counts.data = counts.data / np.where(largest > 0, largest, 1.0)[counts.indices]
    ones.data = np.ones_like(ones.data)
    out: sparse.csr_array = sparse.hstack((counts, ones), format="csr")
    return out


def _resized(matrix: sparse.csr_array, width: int) -> sparse.csr_array:
    return sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], width))


def _placed(matrix: sparse.csr_array, place: Ints64, width: int) -> sparse.csr_array:
    out = sparse.csr_array((matrix.data, place[matrix.indices], matrix.indptr), shape=(matrix.shape[0], width))
    out.sort_indices()
    return out


def _are_equal(left: sparse.csr_array, right: sparse.csr_array) -> Bools:
    """Row by row: equal but for rounding."""
    apart = sparse.csr_array(abs(left - right))
    most = np.zeros(left.shape[0])
    np.maximum.at(most, np.repeat(np.arange(left.shape[0]), np.diff(apart.indptr)), apart.data)
    return np.asarray(most < 1e-12)


def _reason(pages: int, share: float, n_terms: int) -> str:
    if n_terms == 0:
        return "no terms"
    return f"on {share:.0%} of the pages learned from ({pages:,})" if pages else "on few pages"
